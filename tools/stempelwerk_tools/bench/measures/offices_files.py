"""Costs of files that are made of a company's months, and the delays that they cause for others.

It measures five things: workbooks against the bare loop of their library; 200 timesheets, and meanwhile the answers for
another company's Heute; a company's entries of a month against the ORM with a response model; a dump of all stored
data; and the archive of a company.
"""

from __future__ import annotations

import http.client
import io
import json
import os
import socket
import statistics
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

import msgspec
from pydantic import TypeAdapter
from sqlalchemy import select
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.http.schemas import Wire
from stempelwerk_cloud.timekeeping.ledger.tables import PersonNumber, TimeEntry
from stempelwerk_cloud.timekeeping.times.reading import values

from stempelwerk_tools.bench.cpu import growth, used
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_least, at_most, on
from stempelwerk_tools.bench.measures.office import ApiCall, ask, read
from stempelwerk_tools.bench.measures.size import Filled
from stempelwerk_tools.bench.sides.load import run
from stempelwerk_tools.bench.sides.side import Void

_MILLI = 1_000
_OPERATOR = 2
"""Index of the token that may read any company."""
_READERS_A_SECOND = 5
_BESIDE_S = 8
_LIMIT_S = 120
_READ = 5
_ROWS = 12_000
_ENTRIES_DAYS = 60 * 7 // 5
_YEARS = 3
_ENTRIES_A_YEAR = 200
"""The least entries of a person in each past year."""


def measure(field: Field, server: Filled, rounds: int) -> list[Finding]:
    """Returns the findings. Raises Void."""
    return [
        *_workbooks(field, rounds),
        *_months(field, server, rounds),
        *_timesheets(field, server, rounds),
        *_dump(field, server, rounds),
        *_archive(field, server, rounds),
    ]


def _workbooks(field: Field, rounds: int) -> list[Finding]:
    """Measures both ways to make a workbook in turn, each in a process of its own; returns the findings."""
    turns = [(_workbook("product"), _workbook("bare")) for _ in range(rounds)]
    field.say(f"workbooks, s of the processor: {[(product['seconds'], bare['seconds']) for product, bare in turns]}")
    ratio = statistics.median(product["seconds"] / bare["seconds"] for product, bare in turns)
    grown = statistics.median(product["grown"] for product, _ in turns)
    rows = int(min(side["rows"] for turn in turns for side in turn))
    name = f"a workbook of {_ROWS:,} rows"
    if rows < _ROWS:
        raise Void(f"{_ROWS} rows were to be written, and {rows} are there")
    findings = [
        Finding(f"{name}: processor against the bare loop", at_most(1.3), ratio),
        Finding(f"{name}: memory", at_most(8, "MiB"), grown),
    ]
    return on(f"{rows:,} rows, no database", findings)


def _workbook(side: str) -> dict[str, float]:
    command = [sys.executable, "-m", "stempelwerk_tools.bench.measures.workbook", side]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Void(f"the workbook: {done.stderr[-1000:]}")
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


class _Row(Wire):
    """An entry as a response model."""

    id: str
    user_id: str
    date: date
    start_at: datetime | None
    end_at: datetime | None
    start_minute: int | None
    end_minute: int | None
    raw_minutes: int | None
    break_minutes: int | None
    flags: int
    is_correction: bool


def _months(field: Field, server: Filled, rounds: int) -> list[Finding]:
    """Compares reading 60 entries of each person as exports do with ORM objects that become models."""
    last = datetime.now(UTC).date()
    first = last - timedelta(days=_ENTRIES_DAYS)
    company_id, models = server.crowd.company_id, TypeAdapter(list[_Row])

    def read_entries(session: Session) -> int:
        month_entries = list(values.of_company(session, company_id, first, last, datetime.now(UTC)))
        return len(month_entries) if msgspec.json.encode(month_entries) else 0

    def orm(session: Session) -> int:
        person = (PersonNumber.company_id == TimeEntry.company_id) & (PersonNumber.no == TimeEntry.person_no)
        query = select(TimeEntry, PersonNumber.user_id).join(PersonNumber, person)
        query = query.where(TimeEntry.company_id == company_id, TimeEntry.date.between(first, last))
        query = query.order_by(PersonNumber.user_id, TimeEntry.start_at)
        names = [name for name in _Row.model_fields if name != "user_id"]
        month_rows = [
            _Row(user_id=user_id, **{name: getattr(entry, name) for name in names})
            for entry, user_id in session.execute(query)
        ]
        return len(month_rows) if models.dump_json(month_rows, by_alias=True) else 0

    rows: set[int] = set()
    database = Database(server.engine.url.render_as_string(hide_password=False))

    def spent(reading: Callable[[Session], int]) -> tuple[float, float]:
        """Returns the seconds of processor time, including the database's, and the elapsed seconds."""
        cpu_before, began = used(os.getpid(), server.engine), time.perf_counter()
        with database.read(of_company(company_id)) as session:
            for _ in range(_READ):
                rows.add(reading(session))
        return round(used(os.getpid(), server.engine).used_since(cpu_before).total, 2), round(
            time.perf_counter() - began, 2
        )

    try:
        turns = [(spent(read_entries), spent(orm)) for _ in range(rounds + 1)][1:]
    finally:
        database.dispose()
    if len(rows) != 1 or not (count := rows.pop()):
        raise Void(f"both were to read the same entries, and they read {rows}")
    field.say(f"{_READ} times a company's month, s of the processors, and in all: {turns}")
    ratio = statistics.median(orm_s / own_s for (own_s, _), (orm_s, _) in turns)
    name = "a company's month, processors against the ORM with a response model"
    return on(f"{server.ground}; {count:,} of them read", [Finding(name, at_least(6), ratio)])


class _Job(NamedTuple):
    """An export job: its duration in seconds, and the progress that it reported meanwhile."""

    seconds: float
    progress: list[int]


def _timesheets(field: Field, server: Filled, rounds: int) -> list[Finding]:
    """Measures the timesheets of several months, each month once because finished files are reused; and the readers of
    another company, before and meanwhile.
    """
    jobs, ratios = [], []
    for turn in range(rounds):
        with _Readers(server) as alone:
            time.sleep(_BESIDE_S)
        with _Readers(server) as beside:
            jobs.append(_make_timesheets(server, _month_before(turn + 1)))
        ratios.append(beside.p95 / alone.p95)
        field.say(
            f"timesheets in {jobs[-1].seconds:.1f} s; another company's Heute, p95: {alone.p95 * _MILLI:.0f} ms,"
            f" beside them {beside.p95 * _MILLI:.0f}"
        )
    people = len(server.crowd.tags)
    if people > 20 and not all(len(set(job.progress)) > 3 for job in jobs):
        raise Void(f"no progress was reported: {[job.progress for job in jobs]}")
    seconds = statistics.median(job.seconds for job in jobs)
    findings = [
        Finding(f"{people} timesheets, with progress", at_most(20, "s"), seconds),
        Finding("another company's Heute while they are made, p95", at_most(1.5), statistics.median(ratios)),
    ]
    return on(server.ground, findings)


def _month_before(count: int) -> str:
    day = datetime.now(UTC).date()
    for _ in range(count):
        day = day.replace(day=1) - timedelta(days=1)
    return f"{day:%Y-%m}"


def _make_timesheets(server: Filled, month: str) -> _Job:
    began = time.perf_counter()
    job = json.loads(ask(server, ApiCall("POST", "{}/exports", {"month": month, "format": "pdf"})).body)
    progress = []
    while job["state"] in ("waiting", "running"):
        if time.perf_counter() - began > _LIMIT_S:
            raise Void(f"the timesheets are not made: {job}")
        time.sleep(0.2)
        job = read(server, f"{{}}/exports/{job['id']}")
        progress.append(job["done"])
    if job["state"] != "done":
        raise Void(f"the timesheets: {job}")
    return _Job(time.perf_counter() - began, progress)


class _Readers:
    """Requests another company's Heute five times a second while the block lasts. `p95` is that of the answers, in
    seconds.
    """

    def __init__(self, server: Filled) -> None:
        self._server, self._stopped = server, threading.Event()
        companies = json.loads(ask(server, ApiCall("GET", "/api/companies"), _OPERATOR).body)
        other_ids = [
            company["id"]
            for company in companies
            if company["id"] != server.crowd.company_id and company["name"].startswith("Firma")
        ]
        self._company_id = other_ids[0]
        self._seconds: list[float] = []
        self._thread = threading.Thread(target=self._read)

    def __enter__(self) -> _Readers:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    @property
    def p95(self) -> float:
        """The 95th percentile of the answers in seconds. Raises Void if no call was answered."""
        if not self._seconds:
            raise Void("nobody of the other company was answered")
        return sorted(self._seconds)[int(len(self._seconds) * 0.95)]

    def _read(self) -> None:
        sent = ApiCall("GET", f"/api/companies/{self._company_id}/today").encode(self._server, _OPERATOR)
        due = time.perf_counter()
        while not self._stopped.is_set():
            self._seconds.append(run(self._server.port, [[sent]]).answers[0][0].seconds)
            due += 1 / _READERS_A_SECOND
            self._stopped.wait(max(0, due - time.perf_counter()))


def _dump(field: Field, server: Filled, rounds: int) -> list[Finding]:
    """Measures the whole data dump: its duration, the time to its first byte, and the service's memory meanwhile."""
    few = _dumped(server, 1)
    turns = [_dumped(server, 0) for _ in range(rounds)]
    field.say(f"dumps: s to the first byte, s, MiB, MiB more held: {turns}; of a row each: {few}")
    findings = [
        Finding("a dump of years, to its first byte", at_most(0.3, "s"), statistics.median(dump[0] for dump in turns)),
        Finding("a dump of years: memory", at_most(8, "MiB"), statistics.median(dump[3] for dump in turns)),
    ]
    return on(f"{server.ground}; {turns[0][2]:,} MiB read", findings)


def _dumped(server: Filled, limit: int) -> tuple[float, float, float, float]:
    with growth(server.pid) as grown, socket.create_connection(("127.0.0.1", server.port), timeout=_LIMIT_S) as line:
        began = time.perf_counter()
        line.sendall(ApiCall("GET", f"{{}}/data-dump?limit={limit}").encode(server))
        received = b""
        while not received.partition(b"\r\n\r\n")[2]:
            received += line.recv(65_536)
        if not received.startswith(b"HTTP/1.1 200"):
            raise Void(f"the dump: {received[:300]!r}")
        first, size, end = time.perf_counter() - began, len(received), received[-5:]
        while end != b"0\r\n\r\n" and (chunk := line.recv(65_536)):
            size, end = size + len(chunk), (end + chunk)[-5:]
        if end != b"0\r\n\r\n":
            raise Void("the dump breaks off")
        return round(first, 3), round(time.perf_counter() - began, 2), round(size / 2**20, 1), round(grown(), 1)


def _archive(field: Field, server: Filled, rounds: int) -> list[Finding]:
    """Measures the archive of all data of the company: the processor time of its processes and of the database."""
    spent = [_archived(server) for _ in range(rounds)]
    field.say(f"archives, s of the processors: {spent}")
    name = f"the archive of {len(server.crowd.tags)} people with {_YEARS} years, processors"
    return on(server.ground, [Finding(name, at_most(22, "s"), statistics.median(spent))])


def _archived(server: Filled) -> float:
    """Makes one archive; returns its seconds of processor time. Raises Void if people, years or entries are missing."""
    cpu_before = used(server.pid, server.engine, ended=True)
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=_LIMIT_S)
    headers = {"Authorization": f"Bearer {server.crowd.tokens[0]}"}
    line.request("GET", f"/api/companies/{server.crowd.company_id}/archive", headers=headers)
    answer = line.getresponse()
    content = answer.read()
    line.close()
    spent = used(server.pid, server.engine, ended=True).used_since(cpu_before).total
    if answer.status != 200:
        raise Void(f"the archive: {content[:300]!r}")
    archive = zipfile.ZipFile(io.BytesIO(content))
    people = sum(name.endswith("/auskunft.html") for name in archive.namelist())
    years = [archive.read(name).count(b"\n") - 1 for name in archive.namelist() if name.startswith("zeiten/")]
    expected = len(server.crowd.tags)
    if people != expected or len(years) != _YEARS or min(years[:-1]) < expected * _ENTRIES_A_YEAR:
        raise Void(f"the archive has {people} people and {years} entries in its years")
    return round(spent, 2)
