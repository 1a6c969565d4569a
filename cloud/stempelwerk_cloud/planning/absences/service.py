"""What other rooms do about absences: they write down that somebody did not come."""

from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.pages import Wanted
from stempelwerk_cloud.kit.http.paging import Bounds
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.absences import actions, repository, telling
from stempelwerk_cloud.planning.absences.notes import log_reading
from stempelwerk_cloud.planning.absences.repository import CANCELLED, MISSING, OPEN, STANDS
from stempelwerk_cloud.planning.days.service import standing
from stempelwerk_cloud.planning.facts.tables import Absence

__all__ = ["Missed", "add_missing", "count_waiting", "log_reading"]


class Missed(NamedTuple):
    """The duty to which somebody did not come: its day, and its local minutes since midnight, where it has any."""

    user_id: str
    date: date
    start_minute: int | None = None
    end_minute: int | None = None


def count_waiting(session: Session, company_id: str) -> int:
    """How many days of absence nobody has decided yet."""
    found = repository.in_company(session, company_id, OPEN, Bounds(), Wanted())
    return len(standing(session, company_id, found))


def add_missing(work: Work, company_id: str, missed: Iterable[Missed]) -> None:
    """Writes down who did not come to which duty, one a day, and tells them and the administrators.

    A day about which something is written down already stays as it is, so that a repetition changes nothing, and what
    was decided is not asked again; but a report that was taken back is none. One that spares somebody knows it, for
    when it is taken back. Takes the company's lock and its plan's.
    """
    work.plan(company_id)
    in_order = sorted(missed, key=lambda one: (one.user_id, one.date))
    made = [made for one in in_order if (made := _missing(work, company_id, one)) is not None]
    work.session.flush()
    telling.of_missing(work, company_id, made)


def _missing(work: Work, company_id: str, missed: Missed) -> Absence | None:
    user_id, day = missed.user_id, missed.date
    known = repository.of_days(work.session, company_id, [user_id], day, day)
    if known := [one for one in known if one.kind == MISSING or one.status != CANCELLED]:
        for one in known:
            if one.kind != MISSING and one.status in STANDS:
                one.was_missing, one.duty_start, one.duty_end = True, missed.start_minute, missed.end_minute
        return None
    made = Absence(
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
    work.session.add(made)
    work.audit(company_id, actions.MISSED, made.id, after={"userId": user_id, "date": day.isoformat()})
    return made
