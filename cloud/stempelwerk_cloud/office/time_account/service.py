"""Use cases of time accounts, and their interface for other rooms.

Actual minutes are those of complete entries: a running entry counts 0 until it has ended.
"""

import re
from collections.abc import Collection, Mapping
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain import account
from stempelwerk_cloud.domain.account import BalanceToDate, Day, Month
from stempelwerk_cloud.domain.calendar import month_bounds, month_of
from stempelwerk_cloud.domain.days import Booked
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.office.time_account import gathering, words
from stempelwerk_cloud.office.time_account.cache import balance_cache
from stempelwerk_cloud.office.time_account.gathering import Gathered
from stempelwerk_cloud.people.employment.values import Employment
from stempelwerk_cloud.planning.days.service import Days
from stempelwerk_cloud.planning.vacation import service as vacation
from stempelwerk_cloud.planning.vacation.service import VacationBalance
from stempelwerk_cloud.timekeeping.times.reading.worked import WorkedDay

_YEAR = re.compile(r"[0-9]{4}")


class Accounts(NamedTuple):
    """A person's accounts of some months of one year, with the facts to show with them. `vacation`: of the
    whole year.
    """

    months: list[Month]
    gathered: Gathered
    vacation: VacationBalance


def of_months(session: Session, company_id: str, user_id: str, first: date, last: date, today: date) -> Accounts:
    """Returns a person's accounts of the whole months from `first` to `last`, which are in one year."""
    gathered = gathering.of_person(session, company_id, user_id, first, last)
    months = account.months(gathered.facts, first, last, today)
    begun = {} if gathered.first_entry is None else {user_id: gathered.first_entry}
    return Accounts(months, gathered, vacation.balance_in(gathered.known_days, begun, user_id, first.year, today))


class DayByDay(NamedTuple):
    """A month day by day: each day with the ids of its entries. `carried`: the balance (minutes) at the start of the
    month.

    In the month in which an account begins, earlier work counts as worked and is subtracted from `carried`.
    """

    days: list[tuple[Day, tuple[str, ...]]]
    bookings: Collection[Booked]
    carried: int
    employment: Employment


def day_by_day(
    session: Session, company_id: str, user_id: str, first: date, worked: Mapping[date, WorkedDay]
) -> DayByDay:
    """Returns the days of the month that begins with `first`. `worked`: its work, as the caller has read it."""
    last = month_of(first)[1]
    gathered = gathering.of_person(session, company_id, user_id, first, last, worked)
    uncounted = sum(worked_day.minutes for day, worked_day in worked.items() if not gathered.facts.counts(day))
    month, account_days = account.month_by_day(gathered.facts, first, last)
    days = [day._replace(actual=worked[day.date].minutes if day.date in worked else 0) for day in account_days]
    ids = [worked[day.date].entry_ids if day.date in worked else () for day in days]
    return DayByDay(
        list(zip(days, ids, strict=True)), gathered.bookings, month.carried - uncounted, gathered.employment
    )


def of_month(
    session: Session, company_id: str, first: date, loaded_days: Days, worked: Mapping[str, Mapping[date, int]]
) -> dict[str, tuple[Month, list[Day]]]:
    """Returns by person the account of the month that begins with `first`, without the carried balance, and each of its
    days.

    `loaded_days`: the month's days of these people, with `FACTS`. `worked`: net minutes by person and day.
    """
    last = month_of(first)[1]
    people = gathering.of_month(session, company_id, first, loaded_days, worked)
    return {user_id: account.month_by_day(facts, first, last) for user_id, facts in people.items()}


def settle(session: Session, company_id: str, user_id: str, first: date) -> None:
    """Makes the balance that is carried into the month of `first` a fact, so that the facts before it may be purged."""
    if (final := balance_cache.final_of(session, company_id, user_id)) is not None and final >= first:
        return
    facts = gathering.of_people(session, company_id, [user_id], first - DAY, everybody=True)[user_id]
    begun = facts.begins is not None and facts.begins < first
    balance_cache.settle(
        session, company_id, user_id, first, account.carried_into(facts, first)[first] if begun else None
    )


def balances_to_date(
    session: Session, company_id: str, user_ids: Collection[str], today: date
) -> dict[str, BalanceToDate]:
    """Returns (target of this day, balance to date with all that was carried) in minutes, by person.

    Omits people who have never had a weekly target. The number of statements does not depend on the number of people.
    """
    people = gathering.of_people(session, company_id, user_ids, today)
    return {user_id: account.balance_to_date(facts, today) for user_id, facts in people.items()}


def read_month(text: str, today: date) -> tuple[date, date]:
    """Returns the first and last day of a month (`YYYY-MM`). 422 for an invalid month, or one too far ahead."""
    return _not_too_far("month", *bounds_of(text), today)


def bounds_of(text: str) -> tuple[date, date]:
    """Returns the first and last day of a month (`YYYY-MM`), however far away. 422 for an invalid month."""
    try:
        return month_bounds(text)
    except ValueError:
        raise words.not_a_month() from None


def read_year(text: str, today: date) -> tuple[date, date]:
    """Returns the first and last day of a year (YYYY). 422 for an invalid year, or one too far ahead."""
    if not _YEAR.fullmatch(text) or int(text) < 1:
        raise words.not_a_year()
    return _not_too_far("year", date(int(text), 1, 1), date(int(text), 12, 31), today)


def _not_too_far(field: str, first: date, last: date, today: date) -> tuple[date, date]:
    if first.year > today.year + words.YEARS_AHEAD:
        raise words.too_far_ahead(field)
    return first, last
