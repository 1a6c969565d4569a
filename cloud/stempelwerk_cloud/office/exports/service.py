"""Use cases of exports, and the interface for other rooms: `make` returns a month's file and stores it."""

from collections.abc import Collection, Mapping
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import month_bounds
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.http.problems import Problem, not_found
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.ports import ToldEntries
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.office.exports import queries, words
from stempelwerk_cloud.office.exports.files import making
from stempelwerk_cloud.office.exports.files.making import Made
from stempelwerk_cloud.office.exports.month import content, differing
from stempelwerk_cloud.office.exports.month.months import packed, state_of, unpacked
from stempelwerk_cloud.office.exports.schemas import (
    DifferenceRow,
    ExportRow,
    FindingRow,
    Format,
    LockRow,
    MappingChange,
    merged,
)
from stempelwerk_cloud.office.exports.schemas import Mapping as PayrollNumbers
from stempelwerk_cloud.office.exports.tables import Export, MonthLock, PayrollMapping
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import lock_rules, today_of
from stempelwerk_cloud.people.directory.people import usernames
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.purged import ensure_available

MAKE = "exports.make"


def mapping(session: Session, company_id: str) -> PayrollNumbers:
    return queries.mapping_of(session, company_id)


def change_mapping(work: UnitOfWork, company_id: str, change: MappingChange) -> PayrollNumbers:
    """Changes the named values of the payroll mapping; returns the whole mapping. 422 if it becomes too large."""
    work.company(company_id)
    locks.take(work.session, Lock.EXPORTS, company_id)
    old_mapping = queries.mapping_of(work.session, company_id)
    new = merged(old_mapping, change)
    if old_mapping != new:
        work.session.merge(PayrollMapping(company_id=company_id, mapping=new.model_dump_json(), changed_at=work.now()))
        work.audit(company_id, making.MAPPING_CHANGED, None, _to_log(old_mapping), _to_log(new))
    return new


def lock_of(session: Session, company_id: str, month: str) -> LockRow:
    """Returns the time and the author of the month's lock; both are null for an open month."""
    return _lock_row(session, company_id, month, queries.lock_of(session, company_id, month))


def _lock_row(session: Session, company_id: str, month: str, month_lock: MonthLock | None) -> LockRow:
    if month_lock is None:
        return LockRow(month=month, locked_at=None, locked_by=None)
    names = usernames(session, company_id)
    return LockRow(month=month, locked_at=month_lock.locked_at, locked_by=names.get(month_lock.locked_by or ""))


def lock(work: UnitOfWork, company_id: str, month: str) -> LockRow:
    """Locks the current state of a month permanently. 409 before the month has ended.

    Takes the locks on the company's rules and plan, so that no facts are written meanwhile.
    """
    session = work.session
    work.company(company_id)
    lock_rules(session, company_id)
    locks.take(session, Lock.PLAN, company_id)
    locks.take(session, Lock.EXPORTS, company_id)
    session.expire_all()
    month_lock = queries.lock_of(session, company_id, month)
    if month_lock is None:
        now = work.now()
        first, last = month_bounds(month)
        if today_of(session, company_id, now) <= last:
            raise words.not_ended()
        ensure_available(session, company_id, first)
        stands = content.of_month(session, company_id, first, now)
        state = state_of(stands)
        month_lock = MonthLock(
            company_id=company_id,
            month=month,
            locked_at=now,
            locked_by=work.actor_id,
            told=packed(stands),
            state=state,
            keep_until=making.keep_until(now.date()),
        )
        session.add(month_lock)
        work.audit(company_id, making.LOCKED, None, new_values={"month": month, "digest": state.hex()})
        session.flush()
    return _lock_row(session, company_id, month, month_lock)


def check(platform: Platform, company_id: str, month: str, form: Format) -> list[FindingRow]:
    """Returns the open points of that file, including those that do not block it."""
    with making.reading(platform, company_id) as session:
        return making.rows_of(making.basis_of(session, platform, company_id, month, form), form)


def list_exports(platform: Platform, company_id: str, page_request: PageRequest) -> list[ExportRow]:
    """Returns the files that were made, newest first, and whether their month has changed since.

    Raises NoSuchRow if the row before the page does not exist.
    """
    with making.reading(platform, company_id) as session:
        rows = queries.list_exports(session, company_id, page_request)
        changed = differing.changed(session, company_id, rows, platform.clock.now())
        purged_months = {
            month for month in {row.month for row in rows} if making.times_gone(session, company_id, month)
        }
    return [
        ExportRow(
            id=row.id,
            month=row.month,
            format=row.format,
            created_at=row.created_at,
            sha256=(row.digest or b"").hex(),
            draft=row.draft,
            changed=row.id in changed,
            times_gone=row.month in purged_months,
        )
        for row in rows
    ]


def difference(platform: Platform, company_id: str, export_id: str) -> list[DifferenceRow]:
    """Returns the differences between the current month and the export, or its newest exported difference."""
    with making.reading(platform, company_id) as session:
        return differing.rows(session, company_id, _done(session, company_id, export_id), platform.clock.now())


def difference_file(platform: Platform, company_id: str, export_id: str, caller: Caller) -> Made:
    """Returns the differences as a file, which is stored as an export. Without new differences it is the stored
    file.
    """
    with making.writing(platform, company_id, caller) as work:
        return differing.file(work, company_id, _done(work.session, company_id, export_id))


def begin(work: UnitOfWork, company_id: str, month: str, form: Format) -> Export:
    """Orders a file to be made in the background, also a new one of a locked month. Raises the same errors as `make`.

    If nothing has changed, not even a personnel number, it returns the existing export, so that repeated orders fill no
    disk.
    """
    session = work.session
    work.company(company_id)
    basis = making.basis_of(session, work.platform, company_id, month, form)
    making.refuse(basis, form)
    existing = queries.newest(session, company_id, month, form, inputs=basis.inputs)
    if existing is not None:
        return existing
    row = making.new_export(work, company_id, month, form)
    session.add(row)
    work.audit(company_id, making.ORDERED, row.id, new_values={"month": month, "format": form})
    outbox.add(session, work.platform, company_id, MAKE, {"exportId": row.id}, coalesce_key=row.id)
    return row


def do(platform: Platform, company_id: str, payload: Mapping[str, Any], _: str) -> None:
    """Makes an ordered file: a task of the outbox, one at a time in a company. Raises NotDrawn."""
    export_id = str(payload["exportId"])
    while True:
        with making.reading(platform, company_id) as session:
            row = queries.export(session, company_id, export_id)
            if row is None or row.progress in (queries.DONE, queries.FAILED):
                return
            form = making.format_of(row)
            basis = making.basis_of(session, platform, company_id, row.month, form)
        total = len(basis.month.people)
        try:
            making.refuse(basis, form)
        except Problem:
            _record_progress(platform, company_id, export_id, queries.FAILED, 0, total)
            return
        _record_progress(platform, company_id, export_id, queries.RUNNING, 0, total)

        def tell(done: int, total: int = total) -> None:
            _record_progress(platform, company_id, export_id, queries.RUNNING, done, total)

        file = making.rendered(basis, form, partial(subprocess_render.render, platform, company_id, tell=tell))
        with making.writing(platform, company_id, None) as work:
            if making.locked_meanwhile(work.session, company_id, basis):
                continue
            export_row = queries.export(work.session, company_id, export_id)
            if export_row is not None:
                making.fill(export_row, basis, file)
        return


def job(session: Session, company_id: str, export_id: str) -> Export:
    """Returns an export, finished or not. 404 for an unknown one."""
    export = queries.export(session, company_id, export_id)
    if export is None:
        raise not_found()
    return export


def progress(session: Session, company_id: str, export_id: str) -> tuple[Export, str]:
    """Returns an export and its progress: `failed` also if no task will make it any more. 404 for an unknown one."""
    # checked first: a task that ends after it has recorded that
    is_coming = outbox.is_pending(session, company_id, MAKE, export_id)
    export = job(session, company_id, export_id)
    has_ended = export.progress in (queries.DONE, queries.FAILED)
    return export, export.progress if has_ended or is_coming else queries.FAILED


def file(session: Session, company_id: str, export_id: str) -> Made:
    """Returns the stored file. 404 for an unknown export, 409 before it is finished."""
    return making.made_of(job(session, company_id, export_id))


def exported(session: Session, company_id: str) -> tuple[set[str], set[str]]:
    """Returns the exported and the locked months (the port `EXPORTED`)."""
    return queries.months(session, company_id)


def kept_files(session: Session, company_id: str) -> list[str]:
    """Returns the ids of all finished files, oldest first."""
    return queries.done(session, company_id)


def kept_until(session: Session, company_id: str) -> date | None:
    """Returns the last day of retention of the company's exports and locked months; None without any."""
    return queries.kept_until(session, company_id)


def told_entries(session: Session, company_id: str, months: Collection[str]) -> ToldEntries:
    """Returns the entries of these months as they were reported to payroll, by month and id; omits months never
    reported.
    """
    snapshots = queries.reported_snapshots(session, company_id, months) if months else {}
    return {
        month: {
            entry.id: (entry.start, entry.end, entry.raw, entry.pause)
            for person in unpacked(snapshot).people
            for entry in person.worked
        }
        for month, snapshot in snapshots.items()
    }


def _done(session: Session, company_id: str, export_id: str) -> Export:
    export = job(session, company_id, export_id)
    if export.told is None:
        raise words.not_made()
    return export


def _record_progress(platform: Platform, company_id: str, export_id: str, progress: str, done: int, total: int) -> None:
    with making.writing(platform, company_id, None) as work:
        export = queries.export(work.session, company_id, export_id)
        if export is not None:
            export.progress, export.done, export.total = progress, done, total


def _to_log(numbers: PayrollNumbers) -> dict[str, Any]:
    return numbers.model_dump(mode="json", by_alias=True)
