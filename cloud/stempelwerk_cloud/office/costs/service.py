"""The costs of a company's months. The number of statements does not depend on the number of people.

They are computed from the same work as time accounts: the net minutes of complete entries from the account's begin on.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from itertools import pairwise
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import costs
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.costs import Compensation, Cost, Mode, RatePeriod, cost_of
from stempelwerk_cloud.domain.instants import DAY, local_day
from stempelwerk_cloud.domain.surcharges import Surcharges
from stempelwerk_cloud.office.costs.configuring import compensation_of
from stempelwerk_cloud.people.directory.callers import ADMIN, USER
from stempelwerk_cloud.people.directory.people import in_order
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.employment.values import Employment
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.days.service import Days
from stempelwerk_cloud.timekeeping.times.reading.worked import minutes_within

__all__ = ["MonthCosts", "PersonCosts", "YearMonth", "figures", "of_month", "of_year"]


class PersonCosts(NamedTuple):
    """A person's costs of a month. `surcharged`: minutes with surcharges; the cost does not include the surcharges.

    `part_month`: the wage is counted in full although the person was employed for a part of the month.
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
    """The costs of a month in the list of a year. `draft`: the month has not ended."""

    first: date
    total_cents: int
    draft: bool


class _Gathered(NamedTuple):
    people_days: Days
    compensation: Compensation
    months: Mapping[date, Sequence[tuple[User, Sequence[RatePeriod], Cost]]]
    """The paid people by first day of the month, sorted by username."""


def of_month(session: Session, company_id: str, first: date, today: date, now: datetime) -> MonthCosts:
    """Returns the costs of the month that begins with `first`, with people sorted by username."""
    last = month_of(first)[1]
    gathered = _gather(session, company_id, first, last)
    surcharged = days.surcharges_of(session, company_id, gathered.people_days, first, last, now)
    items = []
    for user, periods, cost in gathered.months[first]:
        account_begins = gathered.people_days.employments[user.id].account_begins or date.min
        person_surcharges = Surcharges.total(
            surcharges for day, surcharges in surcharged.get(user.id, {}).items() if account_begins <= day
        )
        raw, pauses = sum(period.raw_minutes for period in periods), sum(period.break_minutes for period in periods)
        listed_from, listed_until = _bounds(user, gathered.people_days.employments[user.id], gathered.people_days)
        part_month = cost.monthly and (listed_from > first or listed_until < last)
        items.append(PersonCosts(user.id, user.username, raw, pauses, cost, person_surcharges, part_month))
    return MonthCosts(first, gathered.compensation.on(last).mode, today <= last, items)


def of_year(session: Session, company_id: str, first: date, today: date) -> list[YearMonth]:
    """Returns the costs of the months from `first` to the end of its year."""
    gathered = _gather(session, company_id, first, date(first.year, 12, 31))
    return [
        YearMonth(month, sum(cost.cents for _, _, cost in paid), today <= month_of(month)[1])
        for month, paid in gathered.months.items()
    ]


def figures(session: Session, company_id: str, first: date, last: date) -> dict[tuple[str, date], tuple[int, bool]]:
    """Returns (cents, whether a rate is missing) by person and first day of month, for the months from `first` to
    `last`.
    """
    costs_by_month: dict[tuple[str, date], tuple[int, bool]] = {}
    for year in range(first.year, last.year + 1):
        start, end = max(first.replace(day=1), date(year, 1, 1)), min(month_of(last)[1], date(year, 12, 31))
        for month, paid in _gather(session, company_id, start, end).months.items():
            costs_by_month |= {(user.id, month): (cost.cents, cost.missing) for user, _, cost in paid}
    return costs_by_month


def _gather(session: Session, company_id: str, first: date, last: date) -> _Gathered:
    """Reads and computes the costs of whole months of one year."""
    begun = datetime.combine(first, time(), UTC)
    query = select(User).where(User.company_id == company_id, User.role != ADMIN)
    users = session.scalars(query.where(or_(User.deleted_at.is_(None), User.deleted_at >= begun)))
    people = sorted(users, key=in_order)
    people_days = days.load(session, company_id, [user.id for user in people], first, last, ())
    compensation = compensation_of(session, company_id)
    cuts = {*compensation.days, *(day for day, _ in costs.MINIMUM_WAGES)}
    months = [month_of(date(first.year, number, 1)) for number in range(first.month, last.month + 1)]
    stretches: dict[tuple[date, str], list[tuple[date, date]]] = {}
    for user in people:
        employment = people_days.employments[user.id]
        steps = sorted(cuts | {day for day, _ in employment.departments})
        for month, end in months:
            first_day = max(employment.account_begins or month, month)
            stretch_starts = [first_day, *(day for day in steps if first_day < day <= end)]
            stretches[month, user.id] = [
                (start, next_start - DAY)
                for start, next_start in pairwise([*stretch_starts, max(end + DAY, stretch_starts[-1])])
            ]
    spans = [(user_id, *span) for (_, user_id), own_spans in stretches.items() for span in own_spans]
    counted_minutes = iter(minutes_within(session, company_id, spans))
    worked = {key: [next(counted_minutes) for _ in own_spans] for key, own_spans in stretches.items()}
    months_paid = {}
    for month, end in months:
        paid = []
        for user in people:
            employment, key = people_days.employments[user.id], (month, user.id)
            periods = [
                RatePeriod(min(start, end), employment.department_on(min(start, end)), *minutes)
                for (start, _), minutes in zip(stretches[key], worked[key], strict=True)
            ]
            minutes = sum(period.minutes for period in periods)
            first_day, leaves = _bounds(user, employment, people_days)
            is_listed = leaves >= month and (first_day <= end or minutes > 0)
            cost = cost_of(compensation, user.id, periods, waged=is_listed)
            if minutes or (is_listed and (user.role == USER or cost.monthly)):
                paid.append((user, periods, cost))
        months_paid[month] = paid
    return _Gathered(people_days, compensation, months_paid)


def _bounds(user: User, employment: Employment, people_days: Days) -> tuple[date, date]:
    """Returns the first and last day on which the costs list a person, even without recorded work.

    The first is the entry day, else the first day of the month in which the person was created. The last is the exit
    day or the day of the deletion, whichever comes first.
    """
    created_on = local_day(user.created_at, people_days.zone_on(date.max))
    deleted_on = date.max if user.deleted_at is None else local_day(user.deleted_at, people_days.zone_on(date.max))
    return employment.entry_date or created_on.replace(day=1), min(employment.exit_date or date.max, deleted_on)
