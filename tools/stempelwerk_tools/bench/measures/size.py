"""How long each reading call takes in an installation full of people, on both databases.

The installation is filled (`crowd`), and every call of the API's description is made again and again (`readings`).
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS, build_platform, create_app
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.settings import Settings

from stempelwerk_tools.bench import crowd
from stempelwerk_tools.bench.crowd import WHOLE, Crowd, Size
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most, table
from stempelwerk_tools.bench.installation import service
from stempelwerk_tools.bench.measures import readings
from stempelwerk_tools.bench.measures.readings import Reading
from stempelwerk_tools.bench.sides.side import Void
from stempelwerk_tools.ports import reserved_port

_MILLI = 1_000
_CLOCKS = ("/api/devices", "/api/clocks")
_WAITING = ("/api/companies/{id}/held-stamps", "/api/companies/{id}/review")


@dataclass(frozen=True)
class Times:
    """Of one call, in milliseconds."""

    reading: Reading
    p50: float
    p95: float


def measure(field: Field, size: Size, repeats: int) -> tuple[list[Finding], str]:
    """What the goals say, and a table of all calls. Raises Void."""
    found = {}
    for name in ("SQLite", "PostgreSQL"):
        field.say(f"filling: {name}")
        data = field.folder / f"size-{name}"
        url = f"sqlite:///{data / 'size.db'}" if name == "SQLite" else field.postgres.new_database()
        with filled(field, url, data, size) as made:
            calls = readings.readings(create_app().openapi())
            found[name] = [_times(one, made.crowd, made.port, repeats) for one in calls]
    return [one for name, times in found.items() for one in _findings(name, times, size)], _table(found)


class Filled(NamedTuple):
    """A service, process `pid`, before its database."""

    port: int
    pid: int
    url: str
    crowd: Crowd


@contextmanager
def filled(field: Field, url: str, data: Path, size: Size) -> Iterator[Filled]:
    """The installation, served as in production."""
    data.mkdir(parents=True)
    owner = Database(url, as_owner=True)
    try:
        schema.migrate(owner)
    finally:
        owner.dispose()
    port = reserved_port()
    platform = build_platform(Settings(database_url=url, data_dir=data))
    try:
        made = crowd.fill(platform, f"http://127.0.0.1:{port}", size, field.say)
        for job in JOBS:  # as the service does by itself before long
            jobs.run_once(platform, job)
    finally:
        platform.database.dispose()
    analyse(url)
    with service(url, data, port) as served:
        yield Filled(port, served.pid, url, made)


def analyse(url: str) -> None:
    """As the database does by itself before long."""
    owner = Database(url, as_owner=True)
    try:
        with owner.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("ANALYZE")
    finally:
        owner.dispose()


def _times(reading: Reading, people: Crowd, port: int, repeats: int) -> Times:
    sent, first = readings.answered(reading, people, port)
    if reading.who == "device":  # a signature is good for one request
        answers = [readings.answered(reading, people, port)[1] for _ in range(repeats)]
    else:
        answers = [readings.ask(reading, port, sent) for _ in range(repeats)]
    if any(answer.status != first.status for answer in answers):
        raise Void(f"{reading}: {sorted({answer.status for answer in answers})}")
    seconds = sorted(answer.seconds for answer in answers)
    return Times(reading, statistics.median(seconds) * _MILLI, seconds[int(len(seconds) * 0.95)] * _MILLI)


def _findings(name: str, times: list[Times], size: Size) -> list[Finding]:
    found = []
    by_path = {one.reading.path: one for one in times}
    small = "" if size.clocks >= WHOLE.clocks else f"only {size.clocks} clocks (--size whole)"
    for path in _CLOCKS:
        p95 = None if small else by_path[path].p95
        found.append(Finding(f"{name}: {path} at {WHOLE.clocks:,} clocks, p95", at_most(100, "ms"), p95, small))
    found += [Finding(f"{name}: {path}, p95", at_most(50, "ms"), by_path[path].p95) for path in _WAITING]
    return found


def _table(found: dict[str, list[Times]]) -> str:
    """Both databases side by side."""
    calls = zip(*found.values(), strict=True)
    cells = [(str(each[0].reading), *(f"{one.p50:,.1f} / {one.p95:,.1f}" for one in each)) for each in calls]
    return table([("ms: p50 / p95 of an answer", *found), *cells])
