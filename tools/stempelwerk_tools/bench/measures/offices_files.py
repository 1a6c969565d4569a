"""What files cost that are made of a company's months, and whom they keep waiting.

Workbooks against the bare loop of their library; 200 timesheets, with the Heute of another company beside them; a
company's entries of a month against the ORM with a response model; a dump of all that is stored; and the archive of a
company.
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
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.entries.tables import PersonNumber, TimeEntry

from stempelwerk_tools.bench.cpu import growth, used
from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_least, at_most, on
from stempelwerk_tools.bench.measures.office import Asked, ask, read
from stempelwerk_tools.bench.measures.size import Filled
from stempelwerk_tools.bench.sides.load import run
from stempelwerk_tools.bench.sides.side import Void

_MILLI = 1_000
_OPERATOR = 2
"""Whose token may read any company's."""
_READERS_A_SECOND = 5
_BESIDE_S = 8
_LIMIT_S = 120
_READ = 5
_ROWS = 12_000
_ENTRIES_DAYS = 60 * 7 // 5
_YEARS = 3
_ENTRIES_A_YEAR = 200
"""The least entries of a person in each past year."""


def measure(field: Field, made: Filled, rounds: int) -> list[Finding]:
    """What the goals say. Raises Void."""
    return [
        *_workbooks(field, rounds),
        *_months(field, made, rounds),
        *_timesheets(field, made, rounds),
        *_dump(field, made, rounds),
        *_archive(field, made, rounds),
    ]


def _workbooks(field: Field, rounds: int) -> list[Finding]:
    """Each side in turn, in a process of its own."""
    turns = [(_workbook("product"), _workbook("bare")) for _ in range(rounds)]
    field.say(f"workbooks, s of the processor: {[(own['seconds'], bare['seconds']) for own, bare in turns]}")
    ratio = statistics.median(own["seconds"] / bare["seconds"] for own, bare in turns)
    grown = statistics.median(own["grown"] for own, _ in turns)
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
    said: dict[str, float] = json.loads(done.stdout)
    return said


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


def _months(field: Field, made: Filled, rounds: int) -> list[Finding]:
    """60 entries of everybody: as exports read them, and by objects that become models."""
    last = datetime.now(UTC).date()
    first = last - timedelta(days=_ENTRIES_DAYS)
    company_id, models = made.crowd.company_id, TypeAdapter(list[_Row])

    def own(session: Session) -> int:
        found = list(entries.of_company(session, company_id, first, last, datetime.now(UTC)))
        return len(found) if msgspec.json.encode(found) else 0

    def orm(session: Session) -> int:
        person = (PersonNumber.company_id == TimeEntry.company_id) & (PersonNumber.no == TimeEntry.person_no)
        asked = select(TimeEntry, PersonNumber.user_id).join(PersonNumber, person)
        asked = asked.where(TimeEntry.company_id == company_id, TimeEntry.date.between(first, last))
        asked = asked.order_by(PersonNumber.user_id, TimeEntry.start_at)
        names = [name for name in _Row.model_fields if name != "user_id"]
        found = [
            _Row(user_id=user_id, **{name: getattr(entry, name) for name in names})
            for entry, user_id in session.execute(asked)
        ]
        return len(found) if models.dump_json(found, by_alias=True) else 0

    rows: set[int] = set()
    database = Database(made.engine.url.render_as_string(hide_password=False))

    def spent(reading: Callable[[Session], int]) -> tuple[float, float]:
        """Seconds of the processors, the database's too, and of the clock."""
        before, began = used(os.getpid(), made.engine), time.perf_counter()
        with database.read(of_company(company_id)) as session:
            for _ in range(_READ):
                rows.add(reading(session))
        return round(used(os.getpid(), made.engine).since(before).total, 2), round(time.perf_counter() - began, 2)

    try:
        turns = [(spent(own), spent(orm)) for _ in range(rounds + 1)][1:]
    finally:
        database.dispose()
    if len(rows) != 1 or not (count := rows.pop()):
        raise Void(f"both were to read the same entries, and they read {rows}")
    field.say(f"{_READ} times a company's month, s of the processors, and in all: {turns}")
    ratio = statistics.median(orm_s / own_s for (own_s, _), (orm_s, _) in turns)
    name = "a company's month, processors against the ORM with a response model"
    return on(f"{made.ground}; {count:,} of them read", [Finding(name, at_least(6), ratio)])


class _Job(NamedTuple):
    """How long it took, in seconds, and what it said meanwhile of how far it was."""

    seconds: float
    said: list[int]


def _timesheets(field: Field, made: Filled, rounds: int) -> list[Finding]:
    """Each month once, for what has been made is not made again; other readers before, and beside it."""
    jobs, ratios = [], []
    for turn in range(rounds):
        with _Readers(made) as alone:
            time.sleep(_BESIDE_S)
        with _Readers(made) as beside:
            jobs.append(_made(made, _month_before(turn + 1)))
        ratios.append(beside.p95 / alone.p95)
        field.say(
            f"timesheets in {jobs[-1].seconds:.1f} s; another company's Heute, p95: {alone.p95 * _MILLI:.0f} ms,"
            f" beside them {beside.p95 * _MILLI:.0f}"
        )
    people = len(made.crowd.tags)
    if people > 20 and not all(len(set(job.said)) > 3 for job in jobs):
        raise Void(f"no progress was told: {[job.said for job in jobs]}")
    seconds = statistics.median(job.seconds for job in jobs)
    findings = [
        Finding(f"{people} timesheets, with progress", at_most(20, "s"), seconds),
        Finding("another company's Heute while they are made, p95", at_most(1.5), statistics.median(ratios)),
    ]
    return on(made.ground, findings)


def _month_before(count: int) -> str:
    day = datetime.now(UTC).date()
    for _ in range(count):
        day = day.replace(day=1) - timedelta(days=1)
    return f"{day:%Y-%m}"


def _made(made: Filled, month: str) -> _Job:
    began = time.perf_counter()
    job = json.loads(ask(made, Asked("POST", "{}/exports", {"month": month, "format": "pdf"})).body)
    said = []
    while job["state"] in ("waiting", "running"):
        if time.perf_counter() - began > _LIMIT_S:
            raise Void(f"the timesheets are not made: {job}")
        time.sleep(0.2)
        job = read(made, f"{{}}/exports/{job['id']}")
        said.append(job["done"])
    if job["state"] != "done":
        raise Void(f"the timesheets: {job}")
    return _Job(time.perf_counter() - began, said)


class _Readers:
    """Five a second who read the other company's Heute, from the block's begin to its end; `p95` then in seconds."""

    def __init__(self, made: Filled) -> None:
        self._made, self._stopped = made, threading.Event()
        listed = json.loads(ask(made, Asked("GET", "/api/companies"), _OPERATOR).body)
        others = [one["id"] for one in listed if one["id"] != made.crowd.company_id and one["name"].startswith("Firma")]
        self._company_id = others[0]
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
        """Raises Void if nobody was answered."""
        if not self._seconds:
            raise Void("nobody of the other company was answered")
        return sorted(self._seconds)[int(len(self._seconds) * 0.95)]

    def _read(self) -> None:
        sent = Asked("GET", f"/api/companies/{self._company_id}/today").of(self._made, _OPERATOR)
        due = time.perf_counter()
        while not self._stopped.is_set():
            self._seconds.append(run(self._made.port, [[sent]]).answers[0][0].seconds)
            due += 1 / _READERS_A_SECOND
            self._stopped.wait(max(0, due - time.perf_counter()))


def _dump(field: Field, made: Filled, rounds: int) -> list[Finding]:
    """All that is stored, to its end; when its first byte came, and what the service held meanwhile."""
    few = _dumped(made, 1)
    turns = [_dumped(made, 0) for _ in range(rounds)]
    field.say(f"dumps: s to the first byte, s, MiB, MiB more held: {turns}; of a row each: {few}")
    findings = [
        Finding("a dump of years, to its first byte", at_most(0.3, "s"), statistics.median(one[0] for one in turns)),
        Finding("a dump of years: memory", at_most(8, "MiB"), statistics.median(one[3] for one in turns)),
    ]
    return on(f"{made.ground}; {turns[0][2]:,} MiB read", findings)


def _dumped(made: Filled, limit: int) -> tuple[float, float, float, float]:
    with growth(made.pid) as grown, socket.create_connection(("127.0.0.1", made.port), timeout=_LIMIT_S) as line:
        began = time.perf_counter()
        line.sendall(Asked("GET", f"{{}}/data-dump?limit={limit}").of(made))
        received = b""
        while not received.partition(b"\r\n\r\n")[2]:
            received += line.recv(65_536)
        if not received.startswith(b"HTTP/1.1 200"):
            raise Void(f"the dump: {received[:300]!r}")
        first, size, end = time.perf_counter() - began, len(received), received[-5:]
        while end != b"0\r\n\r\n" and (more := line.recv(65_536)):
            size, end = size + len(more), (end + more)[-5:]
        if end != b"0\r\n\r\n":
            raise Void("the dump breaks off")
        return round(first, 3), round(time.perf_counter() - began, 2), round(size / 2**20, 1), round(grown(), 1)


def _archive(field: Field, made: Filled, rounds: int) -> list[Finding]:
    """All data of the company as a zip: what its processes and the database have spent on it."""
    spent = [_archived(made) for _ in range(rounds)]
    field.say(f"archives, s of the processors: {spent}")
    name = f"the archive of {len(made.crowd.tags)} people with {_YEARS} years, processors"
    return on(made.ground, [Finding(name, at_most(22, "s"), statistics.median(spent))])


def _archived(made: Filled) -> float:
    """Returns the seconds of processors for one archive. Raises Void if people, years or entries are missing."""
    before = used(made.pid, made.engine, ended=True)
    line = http.client.HTTPConnection("127.0.0.1", made.port, timeout=_LIMIT_S)
    headers = {"Authorization": f"Bearer {made.crowd.tokens[0]}"}
    line.request("GET", f"/api/companies/{made.crowd.company_id}/archive", headers=headers)
    answer = line.getresponse()
    content = answer.read()
    line.close()
    spent = used(made.pid, made.engine, ended=True).since(before).total
    if answer.status != 200:
        raise Void(f"the archive: {content[:300]!r}")
    archive = zipfile.ZipFile(io.BytesIO(content))
    people = sum(name.endswith("/auskunft.html") for name in archive.namelist())
    years = [archive.read(name).count(b"\n") - 1 for name in archive.namelist() if name.startswith("zeiten/")]
    expected = len(made.crowd.tags)
    if people != expected or len(years) != _YEARS or min(years[:-1]) < expected * _ENTRIES_A_YEAR:
        raise Void(f"the archive has {people} people and {years} entries in its years")
    return round(spent, 2)
