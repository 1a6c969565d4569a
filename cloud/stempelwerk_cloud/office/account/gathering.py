"""What accounts are made of, from the rooms that know it: for many people by as many statements as for one."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.account import Facts, Terms, halves_of
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.planning.absences import service as absences
from stempelwerk_cloud.planning.bookings import service as bookings
from stempelwerk_cloud.planning.bookings.service import ReasonedBooking
from stempelwerk_cloud.planning.hours import service as hours
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.planning.vacation.service import Leave
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.entries.service import WorkedDay


class _Off(NamedTuple):
    """Days that are credited if they are target days: holidays by name, and by person the others."""

    holidays: Mapping[date, str]
    absences: Mapping[str, set[date]]
    vacation: Mapping[str, dict[date, int]]


@dataclass(frozen=True, slots=True)
class Gathered:
    """One person's facts, and what an account of some months shows besides figures."""

    facts: Facts
    worked: Mapping[date, WorkedDay]
    holidays: Mapping[date, str]
    bookings: Collection[ReasonedBooking]


def of_person(
    session: Session,
    company_id: str,
    user_id: str,
    first: date,
    last: date,
    worked: Mapping[date, WorkedDay] | None = None,
) -> Gathered:
    """What an account of the months from `first` to `last` needs, day by day; what was before, month by month.

    `worked`: what was worked on these days, if it has been read already.
    """
    if worked is None:
        worked = entries.worked_days(session, company_id, user_id, first, last)
    before = entries.minutes_by_month(session, company_id, [user_id], first - DAY) if first > date.min else {}
    begun = _begun(session, company_id, {user_id: before.get(user_id, {})})[user_id]
    earliest = min(worked, default=None)
    facts = replace(
        begun,
        first_entry=begun.first_entry or earliest,
        actual={**begun.actual, **{day: one.minutes for day, one in worked.items()}},
    )
    since = min(first, facts.begins or first)
    off = _off(session, company_id, [user_id], since, last)
    booked = bookings.of_person(session, company_id, user_id, last)
    facts = _with(facts, user_id, off, ((one.date, one.minutes) for one in booked))
    shown = [one for one in booked if first <= one.date and one.minutes]
    return Gathered(facts, worked, {day: name for day, name in off.holidays.items() if first <= day}, shown)


def with_targets(session: Session, company_id: str, user_ids: Collection[str]) -> list[str]:
    """Those who have, or had, a weekly target."""
    targets = hours.targets_of(session, company_id, user_ids) if user_ids else {}
    return [user_id for user_id, one in targets.items() if any(minutes for _, minutes in one.from_days)]


def of_people(session: Session, company_id: str, user_ids: Collection[str], last: date) -> dict[str, Facts]:
    """By person: the facts dated up to `last`, what was worked month by month."""
    worked = entries.minutes_by_month(session, company_id, user_ids, last)
    begun = _begun(session, company_id, {user_id: worked.get(user_id, {}) for user_id in user_ids})
    since = min((facts.begins for facts in begun.values() if facts.begins), default=last)
    off = _off(session, company_id, user_ids, min(since, last.replace(day=1)), last)
    booked = bookings.of_people(session, company_id, user_ids, last)
    return {
        user_id: _with(facts, user_id, off, ((one.date, one.minutes) for one in booked.get(user_id, ())))
        for user_id, facts in begun.items()
    }


def _begun(session: Session, company_id: str, worked: Mapping[str, Mapping[date, int]]) -> dict[str, Facts]:
    """Facts of who is employed how, for which targets, and of what they worked."""
    people = employment.people_of(session, company_id, worked.keys())
    targets = hours.targets_of(session, company_id, worked.keys())
    return {
        user_id: Facts(
            Terms(targets[user_id], people[user_id].workdays, people[user_id].entry_date, people[user_id].exit_date),
            people[user_id].entry_date,
            min(minutes, default=None),
            people[user_id].opening_minutes,
            minutes,
        )
        for user_id, minutes in worked.items()
    }


def _off(session: Session, company_id: str, user_ids: Collection[str], first: date, last: date) -> _Off:
    away: dict[str, set[date]] = {}
    for absence in absences.days_of(session, company_id, user_ids, first, last):
        if absence.status == "excused":
            away.setdefault(absence.user_id, set()).add(absence.date)
    leave: dict[str, dict[date, int]] = {}
    for one in vacation.leave_between(session, company_id, user_ids, first, last, ["approved"]):
        if one.kind == "vacation":
            taken = leave.setdefault(one.user_id, {})
            for day, halves in _days(one, first, last).items():
                taken[day] = taken.get(day, 0) + halves
    return _Off(hours.holidays_between(session, company_id, first, last), away, leave)


def _days(leave: Leave, first: date, last: date) -> dict[date, int]:
    """The halves of a leave's days that lie between two days."""
    start, end = max(leave.start, first), min(leave.end, last)
    return halves_of(
        start,
        end,
        start_half=leave.start_half and start == leave.start,
        end_half=leave.end_half and end == leave.end,
    )


def _with(facts: Facts, user_id: str, off: _Off, booked: Iterable[tuple[date, int]]) -> Facts:
    return replace(
        facts,
        holidays=frozenset(off.holidays),
        absences=frozenset(off.absences.get(user_id, ())),
        vacation=off.vacation.get(user_id, {}),
        bookings=tuple(booked),
    )
