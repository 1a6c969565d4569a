"""Rows of absences for lists."""

from collections.abc import Sequence
from datetime import date

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.calendar import period
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.kit.http.paging import Bounds, Paging
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import problems, repository
from stempelwerk_cloud.planning.absences.schemas import AbsenceRow
from stempelwerk_cloud.planning.days.service import filter_in_force
from stempelwerk_cloud.planning.facts.tables import Absence


def of_user(work: UnitOfWork, user_id: str, first: date | None, last: date | None) -> list[AbsenceRow]:
    """Returns a person's absences from `first` to `last`, oldest first.

    `domain/calendar.period` completes missing days. 422 if they are reversed or too many.
    """
    company_id = work.caller.subject_company_id
    today = directory.today_of(work.session, company_id, work.now())
    first, last = period(first, last, today, problems.PERIOD_DAYS)
    if first > last:
        raise problems.period_reversed()
    if (last - first) // DAY >= problems.PERIOD_DAYS:
        raise problems.period_too_long()
    absences = repository.of_days(work.session, company_id, [user_id], first, last)
    return rows(work.session, company_id, filter_in_force(work.session, company_id, absences))


def of_company(work: UnitOfWork, status: str | None, bounds: Bounds, paging: Paging) -> list[AbsenceRow]:
    """Returns a page of the company's absences, newest day first; `status` None: of all statuses."""
    company_id = work.caller.subject_company_id
    absences = paging.cut(repository.in_company(work.session, company_id, status, bounds, paging.page_request))
    return rows(work.session, company_id, filter_in_force(work.session, company_id, absences))


def row(session: Session, absence: Absence) -> AbsenceRow:
    return rows(session, absence.company_id, [absence])[0]


def rows(session: Session, company_id: str, absences: Sequence[Absence]) -> list[AbsenceRow]:
    called = directory.names_of(session, company_id, [absence.user_id for absence in absences])
    return [_row(absence, called.get(absence.user_id, "")) for absence in absences]


def _row(absence: Absence, username: str) -> AbsenceRow:
    return AbsenceRow.from_row(
        absence,
        sick_note_path=None if absence.file_id is None else f"/api/absences/{absence.id}/sick-note",
        username=username,
        certified=absence.noted_at is not None and absence.file_id is None,
    )
