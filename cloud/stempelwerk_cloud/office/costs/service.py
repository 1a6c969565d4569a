"""What a company's months cost, by so many statements whatever the number of people.

What is counted is what accounts count: the net minutes of complete entries from the account's begin on.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from itertools import pairwise
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import minimum_wage
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.costs import Compensation, Cost, Mode, Part, cost_of
from stempelwerk_cloud.domain.instants import DAY, local_day
from stempelwerk_cloud.domain.surcharges import Surcharges
from stempelwerk_cloud.office.costs.configuring import compensation_of
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import ADMIN, USER
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.employment.service import Employment
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.days.service import Days
from stempelwerk_cloud.timekeeping.entries import service as entries

__all__ = ["MonthCosts", "PersonCosts", "YearMonth", "figures", "of_month", "of_year"]


class PersonCosts(NamedTuple):
    """A person's month. `surcharged`: the minutes of it for which there are surcharges, which no cost contains.
    `part_month`: the wage is whole although the person was employed for a part of the month.
    """

    user_id: str
    username: str
    raw_minutes: int
    break_minutes: int
    cost: Cost
    surcharged: Surcharges
    part_month: bool

    @property
    def minutes(self) -> int:
        return self.raw_minutes - self.break_minutes


class MonthCosts(NamedTuple):
    first: date
    mode: Mode
    draft: bool
    items: Sequence[PersonCosts]


class YearMonth(NamedTuple):
    """`draft`: the month has not ended."""

    first: date
    total_cents: int
    draft: bool


class _Gathered(NamedTuple):
    known: Days
    compensation: Compensation
    months: Mapping[date, Sequence[tuple[User, Sequence[Part], Cost]]]
    """By first day: who is to be paid then, by username."""


def of_month(session: Session, company_id: str, first: date, today: date, now: datetime) -> MonthCosts:
    """The month that begins with `first`, by username."""
    last = month_of(first)[1]
    found = _gather(session, company_id, first, last)
    surcharged = days.surcharges_of(session, company_id, found.known, first, last, now)
    items = []
    for user, parts, cost in found.months[first]:
        begins = found.known.employments[user.id].account_begins or date.min
        own = Surcharges.total(one for day, one in surcharged.get(user.id, {}).items() if begins <= day)
        raw, pauses = sum(part.raw_minutes for part in parts), sum(part.break_minutes for part in parts)
        since, until = _bounds(user, found.known.employments[user.id], found.known)
        part_month = cost.monthly and (since > first or until < last)
        items.append(PersonCosts(user.id, user.username, raw, pauses, cost, own, part_month))
    return MonthCosts(first, found.compensation.on(last).mode, today <= last, items)


def of_year(session: Session, company_id: str, first: date, today: date) -> list[YearMonth]:
    """The twelve months from `first` on."""
    found = _gather(session, company_id, first, date(first.year, 12, 31))
    return [
        YearMonth(month, sum(cost.cents for _, _, cost in paid), today <= month_of(month)[1])
        for month, paid in found.months.items()
    ]


def figures(session: Session, company_id: str, first: date, last: date) -> dict[tuple[str, date], tuple[int, bool]]:
    """By person and first day of each month of these days: cents, and whether a rate is missing."""
    found: dict[tuple[str, date], tuple[int, bool]] = {}
    for year in range(first.year, last.year + 1):
        start, end = max(first.replace(day=1), date(year, 1, 1)), min(month_of(last)[1], date(year, 12, 31))
        for month, paid in _gather(session, company_id, start, end).months.items():
            found |= {(user.id, month): (cost.cents, cost.missing) for user, _, cost in paid}
    return found


def _gather(session: Session, company_id: str, first: date, last: date) -> _Gathered:
    """Whole months of one year."""
    begun = datetime.combine(first, time(), UTC)
    asked = select(User).where(User.company_id == company_id, User.role != ADMIN)
    found = session.scalars(asked.where(or_(User.deleted_at.is_(None), User.deleted_at >= begun)))
    people = sorted(found, key=directory.in_order)
    known = days.load(session, company_id, [user.id for user in people], first, last, ())
    compensation = compensation_of(session, company_id)
    cuts = {*compensation.days, *(day for day, _ in minimum_wage.CENTS_FROM)}
    months = [month_of(date(first.year, number, 1)) for number in range(first.month, last.month + 1)]
    stretches: dict[tuple[date, str], list[tuple[date, date]]] = {}
    for user in people:
        own = known.employments[user.id]
        steps = sorted(cuts | {day for day, _ in own.departments})
        for month, end in months:
            begins = max(own.account_begins or month, month)
            starts = [begins, *(day for day in steps if begins < day <= end)]
            stretches[month, user.id] = [
                (start, following - DAY) for start, following in pairwise([*starts, max(end + DAY, starts[-1])])
            ]
    spans = [(user_id, *span) for (_, user_id), own_spans in stretches.items() for span in own_spans]
    counted = iter(entries.minutes_within(session, company_id, spans))
    worked = {key: [next(counted) for _ in own_spans] for key, own_spans in stretches.items()}
    months_paid = {}
    for month, end in months:
        paid = []
        for user in people:
            own, key = known.employments[user.id], (month, user.id)
            parts = [
                Part(min(start, end), own.department_on(min(start, end)), *minutes)
                for (start, _), minutes in zip(stretches[key], worked[key], strict=True)
            ]
            minutes = sum(part.minutes for part in parts)
            begins, leaves = _bounds(user, own, known)
            there = leaves >= month and (begins <= end or minutes > 0)
            cost = cost_of(compensation, user.id, parts, waged=there)
            if minutes or (there and (user.role == USER or cost.monthly)):
                paid.append((user, parts, cost))
        months_paid[month] = paid
    return _Gathered(known, compensation, months_paid)


def _bounds(user: User, own: Employment, known: Days) -> tuple[date, date]:
    """From when until when somebody is listed without work: from the entry, else the month in which they were made."""
    made = local_day(user.created_at, known.zone_on(date.max))
    gone = date.max if user.deleted_at is None else local_day(user.deleted_at, known.zone_on(date.max))
    return own.entry_date or made.replace(day=1), min(own.exit_date or date.max, gone)
