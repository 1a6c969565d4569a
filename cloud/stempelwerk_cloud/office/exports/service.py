"""Use cases of exports, and what other rooms ask of them: `make` gives a month's file, and keeps it."""

from collections.abc import Collection, Mapping
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import month_bounds
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.pages import Wanted
from stempelwerk_cloud.kit.http.problems import Problem, not_found
from stempelwerk_cloud.kit.platform import Platform, ToldEntries
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.office.exports import actions, content, differing, making, problems, repository
from stempelwerk_cloud.office.exports.altering import altering
from stempelwerk_cloud.office.exports.inspection import HEADS as INSPECTION_HEADS
from stempelwerk_cloud.office.exports.inspection import lines as inspection_lines
from stempelwerk_cloud.office.exports.making import Made, make
from stempelwerk_cloud.office.exports.months import packed, state_of, unpacked
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
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.timekeeping.entries import service as entries

__all__ = ["INSPECTION_HEADS", "Made", "altering", "inspection_lines", "make"]

MAKE = "exports.make"


def mapping(session: Session, company_id: str) -> PayrollNumbers:
    return repository.mapping_of(session, company_id)


def change_mapping(work: Work, company_id: str, change: MappingChange) -> PayrollNumbers:
    """Changes what is named, and returns the whole mapping. 422 if it becomes too large."""
    work.company(company_id)
    locks.take(work.session, Lock.EXPORTS, company_id)
    before = repository.mapping_of(work.session, company_id)
    new = merged(before, change)
    if before != new:
        work.session.merge(PayrollMapping(company_id=company_id, mapping=new.model_dump_json(), changed_at=work.now()))
        work.audit(company_id, actions.MAPPING_CHANGED, None, _told(before), _told(new))
    return new


def lock_of(session: Session, company_id: str, month: str) -> LockRow:
    """When the month was locked, and by whom."""
    return _lock_row(session, company_id, month, repository.lock_of(session, company_id, month))


def _lock_row(session: Session, company_id: str, month: str, found: MonthLock | None) -> LockRow:
    if found is None:
        return LockRow(month=month, locked_at=None, locked_by=None)
    names = directory.usernames(session, company_id)
    return LockRow(month=month, locked_at=found.locked_at, locked_by=names.get(found.locked_by or ""))


def lock(work: Work, company_id: str, month: str) -> LockRow:
    """Locks a month as it stands, once and for all. 409 before it has ended.

    Nobody writes facts meanwhile: the company's rules and its plan are taken alone.
    """
    session = work.session
    work.company(company_id)
    directory.lock_rules(session, company_id)
    locks.take(session, Lock.PLAN, company_id)
    locks.take(session, Lock.EXPORTS, company_id)
    session.expire_all()
    found = repository.lock_of(session, company_id, month)
    if found is None:
        now = work.now()
        first, last = month_bounds(month)
        if directory.today_of(session, company_id, now) <= last:
            raise problems.not_ended()
        entries.must_be_there(session, company_id, first)
        stands = content.of_month(session, company_id, first, now)
        state = state_of(stands)
        found = MonthLock(
            company_id=company_id,
            month=month,
            locked_at=now,
            locked_by=work.by,
            told=packed(stands),
            state=state,
            keep_until=making.keep_until(now.date()),
        )
        session.add(found)
        work.audit(company_id, actions.LOCKED, None, after={"month": month, "digest": state.hex()})
        session.flush()
    return _lock_row(session, company_id, month, found)


def check(platform: Platform, company_id: str, month: str, form: Format) -> list[FindingRow]:
    """What is to be settled before that file is made; also what does not block it."""
    with making.reading(platform, company_id) as session:
        return making.rows_of(making.basis_of(session, platform, company_id, month, form), form)


def listed(platform: Platform, company_id: str, wanted: Wanted) -> list[ExportRow]:
    """Files that were made, newest first, and whether their month stands otherwise by now. Raises NoSuchRow."""
    with making.reading(platform, company_id) as session:
        rows = repository.listed(session, company_id, wanted)
        changed = differing.changed(session, company_id, rows, platform.clock.now())
        gone = {month for month in {row.month for row in rows} if making.times_gone(session, company_id, month)}
    return [
        ExportRow(
            id=row.id,
            month=row.month,
            format=row.format,
            created_at=row.created_at,
            sha256=(row.digest or b"").hex(),
            draft=row.draft,
            changed=row.id in changed,
            times_gone=row.month in gone,
        )
        for row in rows
    ]


def difference(platform: Platform, company_id: str, export_id: str) -> list[DifferenceRow]:
    """What stands otherwise than in the export, or in the newest difference of it that was exported."""
    with making.reading(platform, company_id) as session:
        return differing.rows(session, company_id, _done(session, company_id, export_id), platform.clock.now())


def difference_file(platform: Platform, company_id: str, export_id: str, caller: Caller) -> Made:
    """The same as a file, which is an export itself; while nothing changes, the same one."""
    with making.writing(platform, company_id, caller) as work:
        return differing.file(work, company_id, _done(work.session, company_id, export_id))


def begin(work: Work, company_id: str, month: str, form: Format) -> Export:
    """Has a file made behind the scenes, anew also of a locked month. Refused as `make` refuses.

    While nothing has changed, not even a number, it is the one that is there: who asks again fills no disk.
    """
    session = work.session
    work.company(company_id)
    basis = making.basis_of(session, work.platform, company_id, month, form)
    making.refuse(basis, form)
    same = repository.newest(session, company_id, month, form, inputs=basis.inputs)
    if same is not None:
        return same
    row = making.new_export(work, company_id, month, form)
    session.add(row)
    work.audit(company_id, actions.ORDERED, row.id, after={"month": month, "format": form})
    outbox.add(session, work.platform, company_id, MAKE, {"exportId": row.id}, together=row.id)
    return row


def do(platform: Platform, company_id: str, payload: Mapping[str, Any], _: str) -> None:
    """Makes it: a task of the outbox, one at a time for a company. NotDrawn."""
    export_id = str(payload["exportId"])
    while True:
        with making.reading(platform, company_id) as session:
            row = repository.export(session, company_id, export_id)
            if row is None or row.progress in (repository.DONE, repository.FAILED):
                return
            form = making.format_of(row)
            basis = making.basis_of(session, platform, company_id, row.month, form)
        total = len(basis.month.people)
        try:
            making.refuse(basis, form)
        except Problem:
            _say(platform, company_id, export_id, repository.FAILED, 0, total)
            return
        _say(platform, company_id, export_id, repository.RUNNING, 0, total)

        def tell(done: int, total: int = total) -> None:
            _say(platform, company_id, export_id, repository.RUNNING, done, total)

        file = making.rendered(basis, form, partial(subprocess_render.render, platform, company_id, tell=tell))
        with making.writing(platform, company_id, None) as work:
            if making.locked_meanwhile(work.session, company_id, basis):
                continue
            found = repository.export(work.session, company_id, export_id)
            if found is not None:
                making.fill(found, basis, file)
        return


def job(session: Session, company_id: str, export_id: str) -> Export:
    """404."""
    found = repository.export(session, company_id, export_id)
    if found is None:
        raise not_found()
    return found


def progress(session: Session, company_id: str, export_id: str) -> tuple[Export, str]:
    """A file and how far it is: `failed` also if nobody is at it any more. 404."""
    is_coming = outbox.is_coming(session, company_id, MAKE, export_id)  # asked first: what is done says so by then
    found = job(session, company_id, export_id)
    ends = found.progress in (repository.DONE, repository.FAILED)
    return found, found.progress if ends or is_coming else repository.FAILED


def file(session: Session, company_id: str, export_id: str) -> Made:
    """404; 409 while it is not made."""
    return making.made_of(job(session, company_id, export_id))


def exported(session: Session, company_id: str) -> tuple[set[str], set[str]]:
    """Which months have been exported, and which are locked (`Platform.exported`)."""
    return repository.months(session, company_id)


def kept_files(session: Session, company_id: str) -> list[str]:
    """The ids of all files that were made, oldest first."""
    return repository.done(session, company_id)


def kept_until(session: Session, company_id: str) -> date | None:
    """The last day on which an export or a locked month of the company is kept."""
    return repository.kept_until(session, company_id)


def told_entries(session: Session, company_id: str, months: Collection[str]) -> ToldEntries:
    """What payroll was told of the entries of these months, as far as they were exported or locked."""
    found = repository.told_of(session, company_id, months) if months else {}
    return {
        month: {
            entry.id: (entry.start, entry.end, entry.raw, entry.pause)
            for person in unpacked(told).people
            for entry in person.worked
        }
        for month, told in found.items()
    }


def _done(session: Session, company_id: str, export_id: str) -> Export:
    found = job(session, company_id, export_id)
    if found.told is None:
        raise problems.not_made()
    return found


def _say(platform: Platform, company_id: str, export_id: str, progress: str, done: int, total: int) -> None:
    with making.writing(platform, company_id, None) as work:
        found = repository.export(work.session, company_id, export_id)
        if found is not None:
            found.progress, found.done, found.total = progress, done, total


def _told(numbers: PayrollNumbers) -> dict[str, Any]:
    return numbers.model_dump(mode="json", by_alias=True)
