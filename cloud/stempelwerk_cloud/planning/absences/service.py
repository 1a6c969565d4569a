"""The interface of absences for other rooms: recording missed duties, and the number of open absences."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.http.paging import Bounds
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences import actions, queries
from stempelwerk_cloud.planning.absences.queries import CANCELLED, IN_FORCE, MISSING, OPEN
from stempelwerk_cloud.planning.absences.sick_notes import notifications
from stempelwerk_cloud.planning.days.in_force import filter_in_force
from stempelwerk_cloud.planning.facts.tables import Absence


class Missed(NamedTuple):
    """A missed duty: its day, and its times in local minutes since midnight, if any."""

    user_id: str
    date: date
    start_minute: int | None = None
    end_minute: int | None = None


def count_waiting(session: Session, company_id: str) -> int:
    """Returns the number of undecided days of absence."""
    open_absences = queries.in_company(session, company_id, OPEN, Bounds(), PageRequest())
    return len(filter_in_force(session, company_id, open_absences))


def add_missing(work: UnitOfWork, company_id: str, missed: Iterable[Missed]) -> None:
    """Records missed duties as absences, one a day, and notifies the employees and the administrators.

    A day that already has an absence stays as it is, so that a repetition changes nothing and a decision is not asked
    for again; a cancelled report does not count. An absence that excuses the employee stores the missed duty, for the
    case that it is taken back. Takes the locks of the company and of its plan.
    """
    work.plan(company_id)
    in_order = sorted(missed, key=lambda missed_duty: (missed_duty.user_id, missed_duty.date))
    created = (_missing(work, company_id, missed_duty) for missed_duty in in_order)
    absences = [absence for absence in created if absence is not None]
    work.session.flush()
    notifications.notify_missing(work, company_id, absences)


def _missing(work: UnitOfWork, company_id: str, missed: Missed) -> Absence | None:
    user_id, day = missed.user_id, missed.date
    day_absences = queries.of_days(work.session, company_id, [user_id], day, day)
    if day_absences := [absence for absence in day_absences if absence.kind == MISSING or absence.status != CANCELLED]:
        for absence in day_absences:
            if absence.kind != MISSING and absence.status in IN_FORCE:
                absence.was_missing, absence.duty_start, absence.duty_end = True, missed.start_minute, missed.end_minute
        return None
    new_absence = Absence(
        company_id=company_id,
        id=work.new_id(),
        report_id=work.new_id(),
        user_id=user_id,
        date=day,
        kind=MISSING,
        status=OPEN,
        duty_start=missed.start_minute,
        duty_end=missed.end_minute,
        created_at=work.now(),
    )
    work.session.add(new_absence)
    work.audit(company_id, actions.MISSED, new_absence.id, new_values={"userId": user_id, "date": day.isoformat()})
    return new_absence
