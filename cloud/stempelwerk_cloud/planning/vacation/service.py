"""The interface of vacation for other rooms: people's balances and accounts."""

from collections.abc import Collection, Mapping
from datetime import date
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.domain.leave import Balance
from stempelwerk_cloud.planning.vacation.accounts import balances
from stempelwerk_cloud.planning.vacation.accounts.balances import KnownDays, days_of
from stempelwerk_cloud.planning.vacation.accounts.carrying import Start


class VacationBalance(NamedTuple):
    """A person's vacation of one calendar year, in days (12 or 12.5).

    `remaining` = `allowance` + `carried` + `booked` − `used` − `lapsed`; `reserved` (pending requests) is not
    subtracted.
    """

    allowance: float
    carried: float
    used: float
    reserved: float
    remaining: float
    booked: float
    lapsed: float


def balance_of(session: Session, company_id: str, user_id: str, year: int, today: date) -> VacationBalance:
    """Returns one person's balance, as `year_of`."""
    return year_of(session, company_id, [user_id], year, today)[user_id]


def year_of(
    session: Session,
    company_id: str,
    user_ids: Collection[str],
    year: int,
    today: date,
    known_days: KnownDays | None = None,
) -> dict[str, VacationBalance]:
    """Returns the balances of a calendar year by person, with the same number of statements for any number of people.

    All approved vacation in that year counts as used, even in the future. `today` is the company's local day: a person
    with neither an entry date nor a time entry carries nothing into its year. The caller has verified that the people
    belong to the company. `known_days`: their days, if they have been read (`days_of`).
    """
    known_days = known_days or days_of(session, company_id, user_ids, year, year)
    accounts = balances.accounts_of(session, company_id, user_ids, today, known_days)
    return {user_id: in_days(account.balance(year)) for user_id, account in accounts.items()}


def starts_of(
    session: Session, company_id: str, years: Mapping[str, Collection[int]], today: date
) -> dict[tuple[str, int], Start]:
    """Returns the carried days at the start of these past years, by (person, year); omits years before the account
    begins.
    """
    first, last = min(map(min, years.values())), max(map(max, years.values()))
    known_days = days_of(session, company_id, years, first, last)
    accounts = balances.accounts_of(session, company_id, years, today, known_days)
    return {
        (user_id, year): start
        for user_id in years
        for year, start in accounts[user_id].starts_by_year(max(years[user_id])).items()
    }


def balance_in(
    known_days: KnownDays, first_entries: Mapping[str, date], user_id: str, year: int, today: date
) -> VacationBalance:
    """Returns a balance as `year_of`, from days that have been read to the end of the year (`days_of`)."""
    return in_days(balances.accounts_in(known_days, first_entries, today)[user_id].balance(year))


def in_days(balance: Balance) -> VacationBalance:
    return VacationBalance(
        number_of(balance.allowance),
        number_of(balance.carried),
        number_of(balance.used),
        number_of(balance.reserved),
        number_of(balance.remaining),
        number_of(balance.booked),
        number_of(balance.lapsed),
    )
