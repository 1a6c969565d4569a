"""Making files of a month: from what is read in one moment, with nobody waiting for it, and kept in the end.

While nothing has changed that a file is made of, whoever asks gets the same bytes. A locked month is what it was when
it was locked; so is each of its files, unless one is wanted anew.
"""

import hashlib
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Final, NamedTuple, cast

import msgspec
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import month_bounds
from stempelwerk_cloud.kit import csv_tables
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import Scope, of_company
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.kit.subprocesses.orders import Order
from stempelwerk_cloud.office.account import service as account
from stempelwerk_cloud.office.exports import actions, content, datev, findings, problems, repository, sheets, timesheets
from stempelwerk_cloud.office.exports.findings import Finding, Numbers
from stempelwerk_cloud.office.exports.months import SETTLED_ENTRIES, Month, packed, state_of, unpacked
from stempelwerk_cloud.office.exports.repository import DONE
from stempelwerk_cloud.office.exports.schemas import FindingRow, Format
from stempelwerk_cloud.office.exports.schemas import Mapping as PayrollNumbers
from stempelwerk_cloud.office.exports.tables import Export
from stempelwerk_cloud.people.access.guards import scope_of
from stempelwerk_cloud.people.access.service import sessions
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Work, working
from stempelwerk_cloud.timekeeping.entries import service as entries

PROGRAMS: Final[Mapping[str, datev.Program]] = {"lodas": "lodas", "lug": "lug"}
CSV: Final = "text/csv; charset=utf-8"
_TYPES: Final[Mapping[str, tuple[str, str]]] = {
    "xlsx": (".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "csv": (".csv", CSV),
    "pdf": (".pdf", "application/pdf"),
    "lodas": ("_lodas.txt", "text/plain; charset=windows-1252"),
    "lug": ("_lug.txt", "text/plain; charset=windows-1252"),
}
_KEPT_YEARS: Final = 6
Draw = Callable[[Order], bytes]


class Made(NamedTuple):
    """A file of a month. `draft`: the month had not ended, or somebody was still at work."""

    content: bytes
    name: str
    media_type: str
    draft: bool


@dataclass(frozen=True, slots=True)
class Basis:
    """What a file is made of. `kept`: the file that was made of the same."""

    month: Month
    state: bytes
    inputs: bytes
    draft: bool
    locked: bool
    numbers: Numbers
    findings: list[Finding]
    kept: Export | None


def make(platform: Platform, company_id: str, month: str, form: Format, caller: Caller | None = None) -> Made:
    """A month's file, in transactions of its own, off the event loop. 422 for what is no month, or one to come.

    409 `export_blocked` for a payroll file for which something is to be settled. NotDrawn.
    """
    while True:
        with reading(platform, company_id) as session:
            basis = basis_of(session, platform, company_id, month, form)
        if basis.kept is None or not basis.locked:
            refuse(basis, form)
        if basis.kept is not None:
            return made_of(basis.kept)
        patience_s = math.inf if caller is None else places.PATIENCE_S  # a task waits, a page does not
        file = rendered(basis, form, partial(subprocess_render.render, platform, company_id, patience_s=patience_s))
        with writing(platform, company_id, caller) as work:
            row = _keep(work, company_id, basis, form, file)
        if row is not None:
            return made_of(row)


@contextmanager
def reading(platform: Platform, company_id: str) -> Iterator[Session]:
    """One moment, however long it is read."""
    with platform.database.snapshot(of_company(company_id)) as connection, Session(connection) as session:
        yield session


@contextmanager
def writing(platform: Platform, company_id: str, caller: Caller | None) -> Iterator[Work]:
    """The company's exports alone, in the name of the caller, whose access is judged again in the end."""
    scope: Scope = of_company(company_id) if caller is None else scope_of(caller)
    with working(platform, scope, caller) as work:
        work.company(company_id)
        locks.take(work.session, Lock.EXPORTS, company_id)
        yield work
        if caller is not None:
            sessions.keep(work.session, caller)


def read_month(session: Session, platform: Platform, company_id: str, asked: str) -> tuple[date, date]:
    """The first and the last day of a month that has begun. 422."""
    today = directory.today_of(session, company_id, platform.clock.now())
    first, last = account.read_month(asked, today)
    if first > today:
        raise problems.not_begun()
    return first, last


def basis_of(session: Session, platform: Platform, company_id: str, asked: str, form: str) -> Basis:
    """What a file of that format would be made of now. 409 for a month whose times have gone, unless it was locked."""
    now = platform.clock.now()
    first, _ = read_month(session, platform, company_id, asked)
    lock = repository.lock_of(session, company_id, asked)
    if lock is None:
        entries.must_be_there(session, company_id, first)
        month = content.of_month(session, company_id, first, now)
        state = state_of(month)
    else:
        month, state = unpacked(lock.told), lock.state
    draft = lock is None and is_draft(session, company_id, month, now)
    numbers = findings.numbers_of(session, company_id, month, repository.mapping_of(session, company_id))
    mapping = numbers.mapping.model_dump_json() if form in PROGRAMS else ""
    beside = msgspec.json.encode([form, draft, mapping, sorted(numbers.of_people.items())])
    inputs = hashlib.sha256(state + beside).digest()
    same = {"inputs": inputs} if lock is None else {"state": state, "draft": False}
    kept = repository.newest(session, company_id, asked, form, **same)
    found = findings.of_month(session, company_id, month, numbers, PROGRAMS.get(form), now)
    return Basis(month, state, inputs, draft, lock is not None, numbers, found, kept)


def rules(session: Session, company_id: str, months: Collection[str]) -> Mapping[str, int]:
    """Returns by month the rule it is compared by (`months.SETTLED_ENTRIES`): a locked month keeps that of its lock."""
    locked = repository.locked(session, company_id, months)
    return dict.fromkeys(months, SETTLED_ENTRIES) | {name: unpacked(told).rule for name, told in locked.items()}


def is_draft(session: Session, company_id: str, month: Month, now: datetime) -> bool:
    """Whether the month has not ended, or somebody is still at work in it."""
    return month.running or directory.today_of(session, company_id, now) <= month.last


def times_gone(session: Session, company_id: str, month: str) -> bool:
    """Whether the month's times have gone because their time was over: what is missing then is no difference."""
    return entries.have_gone(session, company_id, month_bounds(month)[0])


def rows_of(basis: Basis, form: str) -> list[FindingRow]:
    """Returns the findings of a file. Only payroll files are blocked by any of them."""
    return [
        FindingRow(**one._asdict(), blocks=form in PROGRAMS and findings.blocks(one.code, locked=basis.locked))
        for one in basis.findings
    ]


def refuse(basis: Basis, form: str) -> None:
    """409 for a payroll file that is blocked."""
    blocking = [row for row in rows_of(basis, form) if row.blocks]
    if blocking:
        raise problems.blocked(blocking)


def rendered(basis: Basis, form: Format, draw: Draw) -> bytes:
    """The file itself; `draw` makes PDFs and workbooks of orders."""
    month, numbers = basis.month, basis.numbers
    if form == "lodas":
        return datev.lodas(month, numbers.of_people, numbers.mapping)
    if form == "lug":
        return datev.lug(month, numbers.of_people, numbers.mapping)
    if form == "pdf":
        return draw(timesheets.Timesheets(month, numbers.of_people, basis.draft))
    if form == "xlsx":
        return draw(sheets.Workbook(month, numbers.of_people, basis.draft))
    return csv_tables.table(sheets.HEADS, sheets.rows(month, numbers.of_people, draft=basis.draft))


def said_in_files(month: Month, mapping: PayrollNumbers) -> bytes:
    """The digest of all that files of the month say of it; personnel numbers, which no file keeps for itself, aside."""
    numbers: dict[str, str | None] = {person.user_id: None for person in month.people}
    told = (
        datev.lodas(month, numbers, mapping),
        datev.lug(month, numbers, mapping),
        list(sheets.rows(month, numbers, draft=False)),
        [timesheets.told_of(month, person) for person in month.people],
    )
    return hashlib.sha256(repr(told).encode()).digest()


def fill(row: Export, basis: Basis, file: bytes) -> None:
    """What a row knows of its file once that is made."""
    row.draft, row.inputs = basis.draft, basis.inputs
    row.done = row.total = len(basis.month.people)
    fill_with(row, basis.month, basis.state, basis.numbers.mapping.model_dump_json(), file)


def fill_with(row: Export, month: Month, state: bytes, mapping: str, file: bytes) -> None:
    """The same of a file that is made of nothing but the month."""
    row.progress, row.told, row.state, row.mapping = DONE, packed(month), state, mapping
    row.content, row.digest = file, hashlib.sha256(file).digest()


def locked_meanwhile(session: Session, company_id: str, basis: Basis) -> bool:
    """Whether the month has been locked as another than the one that was read."""
    lock = repository.lock_of(session, company_id, basis.month.month)
    return lock is not None and lock.state != basis.state


def new_export(work: Work, company_id: str, month: str, form: str, since: str | None = None) -> Export:
    now = work.now()
    return Export(
        company_id=company_id,
        id=work.new_id(),
        month=month,
        format=form,
        since=since,
        created_at=now,
        created_by=work.by,
        progress="waiting",
        done=0,
        total=0,
        draft=False,
        keep_until=keep_until(now.date()),
    )


def keep_until(day: date) -> date:
    """Years are counted from the end of the one in which it was made."""
    return date(day.year + _KEPT_YEARS, 12, 31)


def tell_log(work: Work, row: Export) -> None:
    after = {"month": row.month, "format": row.format, "draft": row.draft, "digest": (row.digest or b"").hex()}
    work.audit(row.company_id, actions.MADE, row.id, after=after)


def made_of(row: Export) -> Made:
    """The file of a row that has one. 409 if it has not."""
    if row.content is None:
        raise problems.not_made()
    ending, media_type = _TYPES.get(row.format, (".csv", CSV))
    name = "difference" if row.format == repository.DIFFERENCE else "times"
    return Made(row.content, f"{name}_{row.month}{ending}", media_type, row.draft)


def _keep(work: Work, company_id: str, basis: Basis, form: Format, file: bytes) -> Export | None:
    """The row of the file, or of the same one that somebody else has made; None: the month was locked meanwhile."""
    if locked_meanwhile(work.session, company_id, basis):
        return None
    month = basis.month.month
    row = repository.newest(work.session, company_id, month, form, inputs=basis.inputs)
    if row is None:
        row = new_export(work, company_id, month, form)
        fill(row, basis, file)
        work.session.add(row)
        tell_log(work, row)
        work.session.flush()
    return row


def format_of(row: Export) -> Format:
    return cast(Format, row.format)
