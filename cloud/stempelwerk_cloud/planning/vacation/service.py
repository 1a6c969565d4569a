"""What other rooms ask of leave: who is away when, and how many vacation days somebody has."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple, cast

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.half_days import number_of
from stempelwerk_cloud.domain.leave import Balance, LeaveSpan
from stempelwerk_cloud.planning.vacation import balances, repository
from stempelwerk_cloud.planning.vacation.tables import VacationRequest

__all__ = ["Kind", "Leave", "Status", "VacationBalance", "balance_of", "leave_between", "year_of"]

Kind = Literal["vacation", "wish"]
Status = Literal["pending", "approved", "declined"]


@dataclass(frozen=True, slots=True)
class Leave:
    """A request. `start_half`: of the first day only the second half; `end_half`: of the last day only the first.

    One person's are never on the same half day, but a morning and an afternoon of one day may be two of them.
    """

    id: str
    user_id: str
    kind: Kind
    start: date
    end: date
    start_half: bool
    end_half: bool
    status: Status

    @property
    def span(self) -> LeaveSpan:
        """Its days; `span.parts()` says how many half days are off on each."""
        return LeaveSpan(self.start, self.end, self.start_half, self.end_half)


class VacationBalance(NamedTuple):
    """A person's vacation of one calendar year, in days (12 or 12.5).

    `remaining` = `allowance` + `carried` + `booked` − `used`; `reserved` (pending requests) stands apart.
    """

    allowance: float
    carried: float
    used: float
    reserved: float
    remaining: float
    booked: float


def leave_between(
    session: Session,
    company_id: str,
    user_ids: Iterable[str] | None,
    first: date,
    last: date,
    statuses: Collection[Status],
) -> list[Leave]:
    """Vacation and wishes of these statuses that touch the days from `first` to `last`, by person and start.

    Of these people, or of everybody (None), also of who is deleted.
    """
    return [_leave(one) for one in repository.between(session, company_id, user_ids, first, last, statuses)]


def balance_of(session: Session, company_id: str, user_id: str, year: int, today: date) -> VacationBalance:
    """One person's balance, as `year_of`."""
    return year_of(session, company_id, [user_id], year, today)[user_id]


def year_of(
    session: Session, company_id: str, user_ids: Collection[str], year: int, today: date
) -> dict[str, VacationBalance]:
    """The balances of a calendar year by person, with as many statements for many as for one.

    Everything approved in that year counts as used, also what is still to come. `today` is the company's local day:
    who has neither an entry date nor a time entry carries nothing into its year. Who asks has made sure that the
    people are the company's.
    """
    accounts = balances.accounts_of(session, company_id, user_ids, year, today)
    return {user_id: shown(account.balance(year)) for user_id, account in accounts.items()}


def shown(balance: Balance) -> VacationBalance:
    """In days."""
    return VacationBalance(
        number_of(balance.allowance),
        number_of(balance.carried),
        number_of(balance.used),
        number_of(balance.reserved),
        number_of(balance.remaining),
        number_of(balance.booked),
    )


def _leave(request: VacationRequest) -> Leave:
    return Leave(
        request.id,
        request.user_id,
        cast("Kind", request.kind),
        request.start_date,
        request.end_date,
        request.start_half,
        request.end_half,
        cast("Status", request.status),
    )
