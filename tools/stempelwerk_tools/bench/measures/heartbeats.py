"""Heartbeats of many clocks: their rate next to a bare ping's, and their waiting time under a steady load.

The ping is a call of the same service, in the same process (`pinged_app`): of the same size and signed alike, it is
answered as soon as its signature is verified, without the database. A heartbeat is answered from the database and also
stored: after each load the newest of every clock must be found in its table.
"""

from __future__ import annotations

import itertools
import selectors
import socket
import statistics
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, create_engine, insert, text
from stempelwerk_cloud.fleet.devices.changes.keys import claim_code, keyid
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceAssignment, DeviceLease

from stempelwerk_tools.bench import ground
from stempelwerk_tools.bench.cpu import Cpu, used
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import EMBEDDED, PRODUCT, Finding, at_least, at_most, on
from stempelwerk_tools.bench.installation import Installation
from stempelwerk_tools.bench.measures.pinged_app import PATH
from stempelwerk_tools.bench.programs import program
from stempelwerk_tools.bench.sides.load import BadAnswer, parse, run
from stempelwerk_tools.bench.sides.side import Void
from stempelwerk_tools.bench.sides.signed_clock import SignedClock
from stempelwerk_tools.ports import reserved_port

_CLOCKS = 1000
_CLIENTS = 8
_CONNECTIONS = 64
_A_SECOND = 400
_FIRST_GUESS = 400.0
_LOAD_SLICES = 4  # the steady load lasts for this many slices of the ratio
_WRITTEN_WITHIN_S = 5


class Fleet:
    """Clocks of the installation's company. They are inserted into the database, because enrolment is rate-limited."""

    def __init__(self, installed: Installation) -> None:
        self._installed = installed
        self._engine = create_engine(installed.database_url)
        now = datetime.now(UTC)
        self._clocks = [SignedClock(installed.origin, number, ["04"], now) for number in range(1000, 1000 + _CLOCKS)]
        with self._engine.begin() as connection:
            first = int(connection.execute(text("SELECT max(no) FROM devices")).scalar_one()) + 1
            self._numbers = range(first, first + _CLOCKS)
            self._enrol(connection, now)
        self._turns, self._pinging = itertools.cycle(self._clocks), itertools.cycle(self._clocks)
        self._sent = 0

    def _enrol(self, connection: Connection, now: datetime) -> None:
        devices = [
            {
                "no": no,
                "id": str(uuid.uuid4()),
                "keyid": keyid(clock.public_key),
                "public_key": clock.public_key,
                "claim_code": claim_code(clock.public_key),
                "serial": f"BEAT-{no}",
                "enrolled_at": now,
                **dict.fromkeys(("hardware_id", "mac", "profile", "version"), "bench"),
                "identity_conflict": False,
            }
            for no, clock in zip(self._numbers, self._clocks, strict=True)
        ]
        connection.execute(insert(Device), devices)
        connection.execute(insert(DeviceLease), [{"device_no": no} for no in self._numbers])
        assigned = {"company_id": self._installed.company, "starts_at": now - timedelta(days=1), "assigned_at": now}
        owned = [{"device_no": no, "id": str(uuid.uuid4()), **assigned} for no in self._numbers]
        connection.execute(insert(DeviceAssignment), owned)

    def heartbeats(self, count: int) -> list[bytes]:
        """Returns the requests of the next `count` heartbeats, the clocks by turns; each is newer than all before."""
        first, self._sent = self._sent + 1, self._sent + count
        return [clock.heartbeat(first + n) for n, clock in enumerate(itertools.islice(self._turns, count))]

    def pings(self, count: int) -> list[bytes]:
        """Returns `count` signed pings of the same clocks, as long as heartbeats, which the service answers without any
        work.
        """
        body = b"{}".ljust(len(self._clocks[0].beat(1)))
        return [clock.signed("POST", PATH, body) for clock in itertools.islice(self._pinging, count)]

    def wait_until_stored(self) -> None:
        """Waits until the table has the newest heartbeat of each clock. Raises Void after `_WRITTEN_WITHIN_S`, because
        a service that answers without storing must not pass.
        """
        deadline = time.monotonic() + _WRITTEN_WITHIN_S
        query = text("SELECT count(*) FROM device_beats WHERE device_no >= :first AND boottime_ms > :oldest")
        while True:
            with self._engine.connect() as connection:
                bounds = {"first": self._numbers[0], "oldest": self._sent - _CLOCKS}
                stored = int(connection.execute(query, bounds).scalar_one())
            if stored == _CLOCKS:
                return
            if time.monotonic() > deadline:
                raise Void(f"the newest heartbeats of {_CLOCKS} clocks: {stored} written")
            time.sleep(0.1)

    def cpu(self, pid: int) -> Cpu:
        """Returns the time that a process of the service and the database's connections have used so far."""
        return used(pid, self._engine)

    def close(self) -> None:
        self._engine.dispose()


def measure(field: Field, rounds: int, seconds: float) -> list[Finding]:
    """Measures rate and waiting time on both databases, and returns the findings. Raises Void."""
    findings = []
    for name in (PRODUCT, EMBEDDED):
        _, installed = field.product(name)
        fleet, (port, pid) = Fleet(installed), _serve(field, installed)
        try:
            run_all(port, [fleet.heartbeats(_CLOCKS)])
            ratio = _ratio(field, port, pid, fleet, rounds, seconds)
            times = sorted(paced(port, fleet.heartbeats(round(_A_SECOND * seconds * _LOAD_SLICES)), _A_SECOND))
            fleet.wait_until_stored()
        finally:
            fleet.close()
        p95 = times[int(len(times) * 0.95)] * 1000
        field.say(f"{name}: {_A_SECOND} heartbeats a second: p50 {statistics.median(times) * 1000:.1f} ms")
        counts = ground.count_rows(installed.database_url)
        if counts.clocks < _CLOCKS:
            raise Void(f"{_CLOCKS} clocks were to be measured, and this is there: {counts}")
        beats = Finding(f"{name}: {_A_SECOND} heartbeats a second, p95", at_most(50, "ms"), p95)
        findings += on(counts, [Finding(f"{name}: heartbeats against bare pings", at_least(0.6), ratio), beats])
    return findings


def _serve(field: Field, installed: Installation) -> tuple[int, int]:
    """Starts one more process on the installation's database, which answers pings too; returns its port and process
    id.
    """
    port = reserved_port()
    data = field.folder / f"pinged{port}"
    environment = {"STEMPELWERK_DATABASE_URL": installed.database_url, "STEMPELWERK_DATA_DIR": str(data)}
    command = [sys.executable, "-m", "stempelwerk_tools.bench.measures.pinged_app", str(port)]
    health = f"http://127.0.0.1:{port}/api/health"
    process = field.running.enter_context(program(command, folder=data, health=health, environment=environment))
    return port, process.pid


def _ratio(field: Field, port: int, pid: int, fleet: Fleet, rounds: int, seconds: float) -> float:
    """Returns the ratio of the heartbeats' rate to the pings' rate, the median over the rounds. In each round both take
    a turn, after one round that warms up.
    """
    ratios, rates, spent = [], [_FIRST_GUESS, _FIRST_GUESS], ["", ""]
    for number in range(rounds + 1):
        for which in (0, 1) if number % 2 else (1, 0):
            count = max(_CLIENTS, round(rates[which] * seconds))
            sent = fleet.heartbeats(count) if which else fleet.pings(count)
            cpu_before = fleet.cpu(pid)
            rates[which] = run_all(port, [sent[client::_CLIENTS] for client in range(_CLIENTS)])
            spent[which] = _each(fleet.cpu(pid).used_since(cpu_before), count)
        if number:
            field.say(f"{rates[0]:.0f} bare pings a second ({spent[0]}), {rates[1]:.0f} heartbeats ({spent[1]})")
            ratios.append(rates[1] / rates[0])
    return statistics.median(ratios)


def _each(spent: Cpu, count: int) -> str:
    """Formats the processor time of each of `count` requests."""
    shares = {"service": spent.service, "database": spent.database}
    return ", ".join(f"{name} {share / count * 1e6:.0f} µs" for name, share in shares.items() if share is not None)


def run_all(port: int, requests: Sequence[Sequence[bytes]]) -> float:
    """Sends all requests as fast as they are answered; returns their rate a second. Raises Void."""
    done = run(port, requests)
    answers = [answer for client in done.answers for answer in client]
    for answer in answers:
        if answer.status != 200:
            raise Void(f"answered {answer.status}: {answer.body[:300]!r}")
    return len(answers) / done.seconds


def paced(port: int, requests: Sequence[bytes], a_second: float) -> Iterator[float]:
    """Sends the requests at this pace, however long the answers take. Yields for each the seconds from its due time
    until its answer is complete.
    """
    connections = [socket.create_connection(("127.0.0.1", port)) for _ in range(_CONNECTIONS)]
    received = {connection: bytearray() for connection in connections}
    due_at: dict[socket.socket, float] = {}
    free = list(connections)
    began, sent, answered = time.perf_counter(), 0, 0
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            selector.register(connection, selectors.EVENT_READ, connection)
        try:
            while answered < len(requests):
                due = began + sent / a_second
                while sent < len(requests) and free and due <= time.perf_counter():
                    connection = free.pop()
                    due_at[connection] = due
                    connection.sendall(requests[sent])
                    sent += 1
                    due = began + sent / a_second
                pause = max(0.0, due - time.perf_counter()) if sent < len(requests) and free else 60.0
                ready = selector.select(pause)
                if not ready and pause == 60.0:
                    raise BadAnswer("no answer within 60 s")
                for key, _ in ready:
                    if _receive(key.data, received[key.data]):
                        answered += 1
                        free.append(key.data)
                        yield time.perf_counter() - due_at[key.data]
        finally:
            for connection in connections:
                connection.close()


def _receive(connection: socket.socket, received: bytearray) -> bool:
    """Reads the bytes that have arrived; returns whether the answer is complete. Raises BadAnswer and Void."""
    data = connection.recv(65_536)
    if not data:
        raise BadAnswer("connection closed")
    received += data
    answer = parse(received)
    if answer is None:
        return False
    if answer[0] != 200:
        raise Void(f"answered {answer[0]}: {answer[1][:300]!r}")
    received.clear()
    return True
