"""Vacation days: what a request costs, the allowance of a year, what is carried and what remains.

All amounts are half days, as whole numbers. It does not know where requests, policies and sick notes come from.
"""

from calendar import monthrange
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import repeat
from typing import NamedTuple

from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.targets import MONDAY_TO_FRIDAY

Counts = Callable[[date], int]
"""The halves that vacation of a day costs at most: none where it is free anyway."""
AllowanceOn = Callable[[date], int]
"""The allowance of a whole year, in half days, by the policy in force on a day."""
WorkdaysOn = Callable[[date], Collection[int]]
"""The weekdays on which the person works, as of a day."""

WHOLE_DAY = 2
MONTHS = 12
WAITING_MONTHS = 6
LEAST_WEEKS = 4
NOTICE_TIME = timedelta(weeks=4)


@dataclass(frozen=True, slots=True)
class LeaveSpan:
    """Days off, both ends included. `start_half`: of the first day only the second half; `end_half`: of the last day
    only the first. Both on one day would be nothing; who asks for that is refused before.
    """

    start: date
    end: date
    start_half: bool = False
    end_half: bool = False

    def parts(self) -> Iterator[tuple[date, int]]:
        """Each of its days with the half days that are off."""
        if not (self.start_half or self.end_half):
            return zip(days(self.start, self.end), repeat(WHOLE_DAY))
        return (
            (day, WHOLE_DAY - (self.start_half and day == self.start) - (self.end_half and day == self.end))
            for day in days(self.start, self.end)
        )

    def overlaps(self, other: "LeaveSpan") -> bool:
        """Whether some half day is in both. A morning and an afternoon of one day are not the same."""
        return self._first_half <= other._last_half and other._first_half <= self._last_half

    @property
    def _first_half(self) -> int:
        return WHOLE_DAY * self.start.toordinal() + self.start_half

    @property
    def _last_half(self) -> int:
        return WHOLE_DAY * self.end.toordinal() + 1 - self.end_half


def cost(span: LeaveSpan, counts: Counts) -> int:
    """What vacation on these days costs."""
    return sum(min(halves, counts(day)) for day, halves in span.parts())


def cost_by_year(spans: Iterable[LeaveSpan], counts: Counts, returned: Collection[date] = ()) -> dict[int, int]:
    """What vacation on these days costs in each calendar year. Days in `returned` cost nothing (§ 9 BUrlG)."""
    costs: dict[int, int] = {}
    for span in spans:
        for day, halves in span.parts():
            worth = 0 if day in returned else min(halves, counts(day))
            if worth:
                costs[day.year] = costs.get(day.year, 0) + worth
    return costs


def gaps(first: date, last: date, counts: Counts, hindered: Callable[[date], bool]) -> list[LeaveSpan]:
    """The days from `first` to `last` that cost something and are not hindered, in as few spans as hold no other ones
    that are. Each begins and ends with such a day.
    """
    found: list[LeaveSpan] = []
    begins: date | None = None
    ends = first
    for day in days(first, last):
        if hindered(day):
            if begins is not None:
                found.append(LeaveSpan(begins, ends))
            begins = None
        elif counts(day):
            begins, ends = begins or day, day
    return found if begins is None else [*found, LeaveSpan(begins, ends)]


def full_months(first: date, last: date) -> list[date]:
    """The first days of the full months from `first` to `last`, both included and of one calendar year.

    A month of employment (§ 5 BUrlG, § 188 BGB) begins on any day and ends on the one before the same number in the
    next month; where that month is too short, on its last.
    """
    ends: list[date] = []
    for passed in range(MONTHS):
        end = _month_end(first, passed)
        if end is None or end > last:
            break
        ends.append(end)
    return [first, *(date.fromordinal(end.toordinal() + 1) for end in ends[:-1])] if ends else []


def _month_end(first: date, passed: int) -> date | None:
    """The last day of the month that follows so many whole ones since `first`; None if that is next year's."""
    month, day = first.month + passed + (first.day > 1), first.day - 1
    if month > MONTHS:
        return None
    length = monthrange(first.year, month)[1]
    return date(first.year, month, min(day, length) if day else length)


def allowance_of(
    year: int,
    allowance_on: AllowanceOn,
    entry: date | None,
    exit_: date | None,
    workdays_on: WorkdaysOn = lambda _: MONDAY_TO_FRIDAY,
) -> int:
    """The allowance of a calendar year for whom is employed from `entry` to `exit_`, both included.

    It is the one in force on 1 January, or at the entry; of a part of the year each full month is worth a twelfth of
    it (§ 5 BUrlG). A fraction of a day from a half on is a whole day, a smaller one half a day. Who has been employed
    for six months and since before July, and until after June, has no less than the law's four weeks (§ 3 BUrlG),
    as far as the whole year's allowance goes.
    """
    first, last = max(date(year, 1, 1), entry or date.min), min(date(year, 12, 31), exit_ or date.max)
    if first > last:
        return 0
    all_year = (first.month, first.day, last.month, last.day) == (1, 1, MONTHS, 31)
    allowance, months = allowance_on(first), MONTHS if all_year else len(full_months(first, last))
    if months == MONTHS:
        return allowance
    whole, rest = divmod(months * allowance, WHOLE_DAY * MONTHS)
    part = WHOLE_DAY * whole + (0 if not rest else 1 if rest < MONTHS else WHOLE_DAY)
    if months < WAITING_MONTHS or first >= date(year, 7, 1) or last <= date(year, 6, 30):
        return part
    return max(part, min(allowance, WHOLE_DAY * LEAST_WEEKS * len(workdays_on(first))))


class Notice(NamedTuple):
    """The employer's notice that so many carried half days lapse unless they are taken `until` a day."""

    until: date
    sent_on: date
    halves: int

    @property
    def timely(self) -> bool:
        """Only then does it let anything lapse: who hears of it later cannot plan by it (BAG 9 AZR 423/16)."""
        return self.until - self.sent_on >= NOTICE_TIME


class YearFacts(NamedTuple):
    """What one year adds and takes. `used`: approved vacation; `reserved`: what is asked for and not decided yet.

    `lapsing`: carried days that have lapsed by now, but for those that were taken before (`taken_before`).
    """

    allowance: int
    booked: int
    used: int
    reserved: int
    lapsing: int = 0
    taken_before: int = 0


class Balance(NamedTuple):
    """A year's vacation."""

    allowance: int
    carried: int
    booked: int
    used: int
    reserved: int
    lapsed: int = 0

    @property
    def remaining(self) -> int:
        """What may still be taken; what is reserved stands apart."""
        return self.allowance + self.carried + self.booked - self.used - self.lapsed


def balances(opening: int, years: Sequence[YearFacts]) -> list[Balance]:
    """The balances of successive years: each carries the rest of the one before, the first one the opening days."""
    found: list[Balance] = []
    carried = opening
    for facts in years:
        lapsed = max(0, min(facts.lapsing, carried - facts.taken_before))
        balance = Balance(facts.allowance, carried, facts.booked, facts.used, facts.reserved, lapsed)
        found.append(balance)
        carried = balance.remaining
    return found
