"""The making of a month's files: reads the month in one snapshot, renders without locks, and stores the result.

While the inputs of a file are unchanged, every caller gets the same bytes. A locked month stays as it was locked, and
so does each of its files, unless a new one is ordered.
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
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import Scope, of_company
from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.kit.subprocesses.orders import Order
from stempelwerk_cloud.office.exports import queries, words
from stempelwerk_cloud.office.exports.files.formats import FORMATS, TYPES
from stempelwerk_cloud.office.exports.month import content, findings
from stempelwerk_cloud.office.exports.month.findings import Finding, Numbers
from stempelwerk_cloud.office.exports.month.months import SETTLED_ENTRIES, Month, packed, state_of, unpacked
from stempelwerk_cloud.office.exports.queries import DONE
from stempelwerk_cloud.office.exports.schemas import FindingRow, Format
from stempelwerk_cloud.office.exports.schemas import Mapping as PayrollNumbers
from stempelwerk_cloud.office.exports.tables import Export
from stempelwerk_cloud.office.time_account import service as time_account
from stempelwerk_cloud.people.access.guards import scope_of
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_available, is_purged

MADE = Action("export.made")
ORDERED = Action("export.ordered")
"""An order for a background export. Its completion is recorded in its row."""
LOCKED = Action("month.locked")
MAPPING_CHANGED = Action("payroll_mapping.changed")


_KEPT_YEARS: Final = 6
Draw = Callable[[Order], bytes]


class Made(NamedTuple):
    """A finished file of a month. `draft`: the month had not ended, or an entry was still running."""

    content: bytes
    name: str
    media_type: str
    draft: bool


@dataclass(frozen=True, slots=True)
class Basis:
    """The inputs of a file. `existing`: the stored file that was made of the same inputs, or None.

    `state` is the digest of the month, `inputs` the digest of everything that determines the file.
    """

    month: Month
    state: bytes
    inputs: bytes
    draft: bool
    locked: bool
    numbers: Numbers
    findings: list[Finding]
    existing: Export | None


def make(platform: Platform, company_id: str, month: str, form: Format, caller: Caller | None = None) -> Made:
    """Returns a month's file: the stored one if the inputs are unchanged, else a new one that it stores.

    Uses its own transactions; must run off the event loop. 422 for an invalid or future month, 409 `export_blocked` for
    a payroll file with open points. Raises NotDrawn.
    """
    while True:
        with reading(platform, company_id) as session:
            basis = basis_of(session, platform, company_id, month, form)
        if basis.existing is None or not basis.locked:
            refuse(basis, form)
        if basis.existing is not None:
            return made_of(basis.existing)
        patience_s = math.inf if caller is None else places.PATIENCE_S  # a task waits, a web request does not
        file = rendered(basis, form, partial(subprocess_render.render, platform, company_id, patience_s=patience_s))
        with writing(platform, company_id, caller) as work:
            row = _keep(work, company_id, basis, form, file)
        if row is not None:
            return made_of(row)


@contextmanager
def reading(platform: Platform, company_id: str) -> Iterator[Session]:
    """Opens a session with one snapshot for all its statements."""
    with platform.database.snapshot(of_company(company_id)) as connection, Session(connection) as session:
        yield session


@contextmanager
def writing(platform: Platform, company_id: str, caller: Caller | None) -> Iterator[UnitOfWork]:
    """Opens a unit of work with the lock on the company's exports; checks the caller's session again at the end."""
    scope: Scope = of_company(company_id) if caller is None else scope_of(caller)
    with unit_of_work(platform, scope, caller) as work:
        work.company(company_id)
        locks.take(work.session, Lock.EXPORTS, company_id)
        yield work
        if caller is not None:
            sessions.recheck_session(work.session, caller)


def read_month(session: Session, platform: Platform, company_id: str, month_name: str) -> tuple[date, date]:
    """Returns the first and last day of a month (`YYYY-MM`). 422 for an invalid one, or one that has not begun."""
    today = today_of(session, company_id, platform.clock.now())
    first, last = time_account.read_month(month_name, today)
    if first > today:
        raise words.not_begun()
    return first, last


def basis_of(session: Session, platform: Platform, company_id: str, month_name: str, form: Format) -> Basis:
    """Returns the inputs of a file of that format as of now.

    409 for a month whose times have been purged, unless it was locked.
    """
    now = platform.clock.now()
    first, _ = read_month(session, platform, company_id, month_name)
    lock = queries.lock_of(session, company_id, month_name)
    if lock is None:
        ensure_available(session, company_id, first)
        month = content.of_month(session, company_id, first, now)
        state = state_of(month)
    else:
        month, state = unpacked(lock.told), lock.state
    draft = lock is None and is_draft(session, company_id, month, now)
    numbers = findings.numbers_of(session, company_id, month, queries.mapping_of(session, company_id))
    program = FORMATS[form].program
    mapping = "" if program is None else numbers.mapping.model_dump_json()
    beside = msgspec.json.encode([form, draft, mapping, sorted(numbers.of_people.items())])
    inputs = hashlib.sha256(state + beside).digest()
    matching = {"inputs": inputs} if lock is None else {"state": state, "draft": False}
    existing = queries.newest(session, company_id, month_name, form, **matching)
    open_findings = findings.of_month(session, company_id, month, numbers, program, now)
    return Basis(month, state, inputs, draft, lock is not None, numbers, open_findings, existing)


def rules(session: Session, company_id: str, months: Collection[str]) -> Mapping[str, int]:
    """Returns by month the rule for comparing it (`months.SETTLED_ENTRIES`); a locked month retains that of its
    lock.
    """
    locked = queries.locked(session, company_id, months)
    return dict.fromkeys(months, SETTLED_ENTRIES) | {name: unpacked(snapshot).rule for name, snapshot in locked.items()}


def is_draft(session: Session, company_id: str, month: Month, now: datetime) -> bool:
    """Whether the month has not ended, or an entry in it is still running."""
    return month.running or today_of(session, company_id, now) <= month.last


def times_gone(session: Session, company_id: str, month: str) -> bool:
    """Whether the month's times have been purged: then missing times are no difference."""
    return is_purged(session, company_id, month_bounds(month)[0])


def rows_of(basis: Basis, form: Format) -> list[FindingRow]:
    """Returns the findings about a file. Only payroll files are blocked by findings."""
    is_payroll = FORMATS[form].program is not None
    return [
        FindingRow(**finding._asdict(), blocks=is_payroll and findings.blocks(finding.code, locked=basis.locked))
        for finding in basis.findings
    ]


def refuse(basis: Basis, form: Format) -> None:
    """Raises 409 if findings block the payroll file."""
    blocking = [row for row in rows_of(basis, form) if row.blocks]
    if blocking:
        raise words.blocked(blocking)


def rendered(basis: Basis, form: Format, draw: Draw) -> bytes:
    """Returns the content of the file. `draw` renders the orders of PDFs and workbooks."""
    content = FORMATS[form].content(basis.month, basis.numbers, basis.draft)
    return content if isinstance(content, bytes) else draw(content)


def digest_file_contents(month: Month, mapping: PayrollNumbers) -> bytes:
    """Returns a digest of the contents of all files of the month, without personnel numbers, because no file stores
    them.
    """
    numbers = Numbers({person.user_id: None for person in month.people}, mapping)
    printed = dict.fromkeys(form.printed for form in FORMATS.values())
    return hashlib.sha256(repr([of_month(month, numbers) for of_month in printed]).encode()).digest()


def fill(row: Export, basis: Basis, file: bytes) -> None:
    """Completes the row of an export with its finished file."""
    row.draft, row.inputs = basis.draft, basis.inputs
    row.done = row.total = len(basis.month.people)
    fill_with(row, basis.month, basis.state, basis.numbers.mapping.model_dump_json(), file)


def fill_with(row: Export, month: Month, state: bytes, mapping: str, file: bytes) -> None:
    """Completes the row of an export with a file that depends on the month and the mapping only."""
    row.progress, row.told, row.state, row.mapping = DONE, packed(month), state, mapping
    row.content, row.digest = file, hashlib.sha256(file).digest()


def locked_meanwhile(session: Session, company_id: str, basis: Basis) -> bool:
    """Whether the month has been locked with another state than the one that was read."""
    lock = queries.lock_of(session, company_id, basis.month.month)
    return lock is not None and lock.state != basis.state


def new_export(work: UnitOfWork, company_id: str, month: str, form: str, base_export_id: str | None = None) -> Export:
    now = work.now()
    return Export(
        company_id=company_id,
        id=work.new_id(),
        month=month,
        format=form,
        since=base_export_id,
        created_at=now,
        created_by=work.actor_id,
        progress="waiting",
        done=0,
        total=0,
        draft=False,
        keep_until=keep_until(now.date()),
    )


def keep_until(day: date) -> date:
    """Returns the last day of retention: six years after the end of the year of `day`."""
    return date(day.year + _KEPT_YEARS, 12, 31)


def log_export(work: UnitOfWork, row: Export) -> None:
    log_values = {"month": row.month, "format": row.format, "draft": row.draft, "digest": (row.digest or b"").hex()}
    work.audit(row.company_id, MADE, row.id, new_values=log_values)


def made_of(row: Export) -> Made:
    """Returns the file of an export. 409 if it is not finished."""
    if row.content is None:
        raise words.not_made()
    type_ = TYPES[row.format]
    return Made(row.content, type_.file_name(row.month), type_.media_type, row.draft)


def _keep(work: UnitOfWork, company_id: str, basis: Basis, form: Format, file: bytes) -> Export | None:
    """Stores the file and returns its row, or the row of an identical file that was stored meanwhile.

    None: the month was locked meanwhile with another state, so the file must be made again.
    """
    if locked_meanwhile(work.session, company_id, basis):
        return None
    month = basis.month.month
    row = queries.newest(work.session, company_id, month, form, inputs=basis.inputs)
    if row is None:
        row = new_export(work, company_id, month, form)
        fill(row, basis, file)
        work.session.add(row)
        log_export(work, row)
        work.session.flush()
    return row


def format_of(row: Export) -> Format:
    return cast(Format, row.format)
