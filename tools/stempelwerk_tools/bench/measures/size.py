"""Duration of each reading call in a filled installation, on both databases.

The installation is filled (`crowd`), and every call of the API's description is repeated as our pages make it
(`readings`). A call over the rate limit waits for the time that the service names, which is not measured. On PostgreSQL
all are held to a goal, and then the waits of others during a heavy page (`beside`).
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine, create_engine
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS, build_platform, create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database

from stempelwerk_tools.bench import cpu, crowd, ground
from stempelwerk_tools.bench.crowd import WHOLE, Crowd, Size
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most, on, table
from stempelwerk_tools.bench.ground import Ground
from stempelwerk_tools.bench.installation import service
from stempelwerk_tools.bench.measures import beside, readings
from stempelwerk_tools.bench.measures.readings import Reading
from stempelwerk_tools.bench.sides.load import TOO_EARLY, Answer
from stempelwerk_tools.bench.sides.side import Void
from stempelwerk_tools.ports import reserved_port

_MILLI = 1_000
_KB = 1_000
_ENOUGH_S, _FEWEST = 20, 5  # a call is repeated for 20 s at most, but 5 times at least
_SHARED = "PostgreSQL"
_CLOCKS = ("/api/devices", "/api/clocks")
_WAITING = ("/api/companies/{id}/held-stamps", "/api/companies/{id}/review")


@dataclass(frozen=True)
class Times:
    """The figures of one call. `p50`, `p95` and `processor` are milliseconds; the last is the processor time of service
    and database for one call. `size` is the answer's length in bytes.
    """

    reading: Reading
    p50: float
    p95: float
    processor: float
    size: int


def measure(field: Field, size: Size, repeats: int) -> tuple[list[Finding], str]:
    """Returns the findings, and a table of all calls. Raises Void."""
    times_by_database, findings, tables = {}, [], []
    for name in ("SQLite", _SHARED):
        field.say(f"filling: {name}")
        data = field.folder / f"size-{name}"
        url = field.postgres.new_database() if name == _SHARED else f"sqlite:///{data / 'size.db'}"
        with filled(field, url, data, size) as server:
            calls = readings.readings(create_app().openapi())
            field.say(f"{len(calls)} calls")
            times_by_database[name] = times = [_times(call, server, repeats) for call in calls]
            findings += on(server.ground, _findings(name, times, size))
            if name == _SHARED:
                findings += on(server.ground, _of_pages(times))
                p50s = {call_times.reading: call_times.p50 for call_times in times}
                waited, lines = beside.measure(server.port, server.crowd, p50s, repeats * 5)
                findings += on(server.ground, waited)
                tables.append(lines)
    return findings, "\n\n".join((_table(times_by_database), *tables))


class Filled(NamedTuple):
    """A running service, process `pid`, on a filled database. `ground`: the numbers of rows that were stored at the
    start.
    """

    port: int
    pid: int
    crowd: Crowd
    engine: Engine
    ground: Ground


@contextmanager
def filled(field: Field, url: str, data: Path, size: Size) -> Iterator[Filled]:
    """Fills an installation and yields it, served as in production. Raises Void if the number of stored rows is
    wrong.
    """
    port = reserved_port()
    people = fill(f"http://127.0.0.1:{port}", url, data, size, field.say)
    counts = ground.count_rows(url)
    field.say(f"measured on {counts}")
    ground.check(counts, size)
    engine = create_engine(url)
    try:
        with service(url, data, port) as served:
            yield Filled(port, served.pid, people, engine, counts)
    finally:
        engine.dispose()


def fill(origin: str, url: str, data: Path, size: Size, say: Callable[[str], None]) -> Crowd:
    """Fills a new database and runs each job once, as the service does in its first hours."""
    data.mkdir(parents=True)
    owner = Database(url, as_owner=True)
    try:
        schema.migrate(owner)
    finally:
        owner.dispose()
    platform = build_platform(Settings(database_url=url, data_dir=data))
    try:
        people = crowd.fill(platform, origin, size, say)
        for job in JOBS:
            jobs.run_once(platform, job)
    finally:
        platform.database.dispose()
    analyse(url)
    return people


def analyse(url: str) -> None:
    """Analyses the tables, as the database soon does on its own."""
    owner = Database(url, as_owner=True)
    try:
        with owner.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("ANALYZE")
    finally:
        owner.dispose()


def _times(reading: Reading, server: Filled, repeats: int) -> Times:
    people, port = server.crowd, server.port
    sent, first = readings.answered(reading, people, port)
    repeats = max(min(repeats, int(_ENOUGH_S / first.seconds)), _FEWEST)
    if reading.audience == "device":  # a signature is good for one request
        each = [request for _ in range(repeats) for request in readings.requests_of(reading, people)]
    else:
        each = [sent] * repeats
    cpu_before = cpu.used(server.pid, server.engine)
    answers = _answers(reading, port, each)
    spent = cpu.used(server.pid, server.engine).used_since(cpu_before).total / len(answers)
    if any(answer.status != first.status for answer in answers):
        raise Void(f"{reading}: {sorted({answer.status for answer in answers})}")
    seconds = sorted(answer.seconds for answer in answers)
    p50, p95 = statistics.median(seconds), seconds[int(len(seconds) * 0.95)]
    return Times(reading, p50 * _MILLI, p95 * _MILLI, spent * _MILLI, len(first.body))


def _answers(reading: Reading, port: int, each: Sequence[bytes]) -> list[Answer]:
    """Returns all answers, or as many as come in `_ENOUGH_S` where the rate limit allows fewer; at least `_FEWEST`."""
    answers: list[Answer] = []
    deadline = time.monotonic() + _ENOUGH_S
    for sent in each:
        patience_s = deadline - time.monotonic() if len(answers) >= _FEWEST else math.inf
        if patience_s < 0 or (answer := readings.ask(reading, port, sent, patience_s)).status == TOO_EARLY:
            break
        answers.append(answer)
    return answers


def _of_pages(times: list[Times]) -> list[Finding]:
    """Returns the findings about the slowest and the largest JSON answer that pages read."""
    page_calls = [call for call in times if not call.reading.is_file and call.reading.audience != "device"]
    slow, large = max(page_calls, key=lambda call: call.p95), max(page_calls, key=lambda call: call.size)
    return [
        Finding(f"every call as our pages make it, p95; the slowest is {slow.reading}", at_most(100, "ms"), slow.p95),
        Finding(f"its answer; the largest is {large.reading}", at_most(300, "KB"), large.size / _KB),
    ]


def _findings(name: str, times: list[Times], size: Size) -> list[Finding]:
    findings = []
    by_path = {call.reading.path: call for call in reversed(times)}  # a path's first call is what its page opens with
    small = "" if size.clocks >= WHOLE.clocks else f"only {size.clocks} clocks (--size whole)"
    for path in _CLOCKS:
        p95 = None if small else by_path[path].p95
        findings.append(Finding(f"{name}: {path} at {WHOLE.clocks:,} clocks, p95", at_most(100, "ms"), p95, small))
    findings += [Finding(f"{name}: {path}, p95", at_most(50, "ms"), by_path[path].p95) for path in _WAITING]
    return findings


def _table(times_by_database: dict[str, list[Times]]) -> str:
    """Returns a table of all calls with both databases side by side."""
    calls = zip(*times_by_database.values(), strict=True)
    cells = [
        (str(each[0].reading), f"{each[-1].size / _KB:,.1f}", *(_format_times(times) for times in each))
        for each in sorted(calls, key=lambda each: -each[-1].p95)
    ]
    return table([("ms: p50 / p95 of an answer, processor", "KB", *times_by_database), *cells])


def _format_times(times: Times) -> str:
    return f"{times.p50:,.1f} / {times.p95:,.1f}, {times.processor:,.1f}"
