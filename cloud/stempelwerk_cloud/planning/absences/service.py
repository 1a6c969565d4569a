"""What other rooms use of absences: which days somebody was ill or did not come, and that somebody did not come."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.people.work import Work
from stempelwerk_cloud.planning.absences import actions, repository, telling
from stempelwerk_cloud.planning.absences.repository import MISSING, OPEN
from stempelwerk_cloud.planning.absences.standing import standing
from stempelwerk_cloud.planning.absences.tables import Absence

__all__ = ["AbsenceDay", "Missed", "add_missing", "days_of"]


@dataclass(frozen=True, slots=True)
class AbsenceDay:
    """One local day of a person. `kind` is `sick` or `missing`, `status` `open`, `excused` or `declined`.

    `noted`: a sick note was handed in for it (§ 9 BUrlG), also where the file itself is no longer kept.
    """

    user_id: str
    date: date
    kind: str
    status: str
    noted: bool


class Missed(NamedTuple):
    """The duty to which somebody did not come: its day, and its local minutes since midnight, where it has any."""

    user_id: str
    date: date
    start_minute: int | None = None
    end_minute: int | None = None


def days_of(
    session: Session, company_id: str, user_ids: Collection[str] | None, first: date, last: date
) -> list[AbsenceDay]:
    """The absences on these days (both included), by person and day; `user_ids` None: everybody's.

    A day can have several: declined ones, and one that is not. What is gone because somebody came after all is not
    among them.
    """
    found = repository.of_days(session, company_id, user_ids, first, last)
    return [_day(one) for one in standing(session, company_id, found)]


def add_missing(work: Work, company_id: str, missed: Iterable[Missed]) -> list[AbsenceDay]:
    """Writes down who did not come to which duty, one a day, and tells them and the administrators; what is new.

    A day about which something is written down already stays as it is, so that a repetition changes nothing, and what
    was decided is not asked again. Takes the company's lock and its plan's.
    """
    work.company(company_id)
    locks.take(work.session, Lock.PLAN, company_id)
    in_order = sorted(missed, key=lambda one: (one.user_id, one.date))
    made = [made for one in in_order if (made := _missing(work, company_id, one)) is not None]
    work.session.flush()
    telling.of_missing(work, company_id, made)
    return [_day(one) for one in made]


def _missing(work: Work, company_id: str, missed: Missed) -> Absence | None:
    user_id, day = missed.user_id, missed.date
    if repository.of_days(work.session, company_id, [user_id], day, day):
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


def _day(absence: Absence) -> AbsenceDay:
    return AbsenceDay(absence.user_id, absence.date, absence.kind, absence.status, absence.noted_at is not None)
