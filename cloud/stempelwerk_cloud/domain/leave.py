"""Vacation days: the cost of a request, the allowance of a year, and the carried and remaining days.

All amounts are whole numbers of half days. The module does not know where requests, policies and sick notes come from.
"""

from calendar import monthrange
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.roster import TimeOff
from stempelwerk_cloud.domain.targets import MONDAY_TO_FRIDAY

Counts = Callable[[date], int]
"""A function that returns how many halves vacation on a day costs at most; 0 on a free day."""
AllowanceOn = Callable[[date], int | Fraction]
"""A function that returns the allowance of a whole year in half days, by the policy in force on a day."""
WorkdaysOn = Callable[[date], Collection[int]]
"""A function that returns the weekdays when the person works, as of a day. 0 is Monday."""
DayRange = tuple[date, date]
"""A range of days: first and last day, both included."""

WHOLE_DAY = 2
MONTHS = 12
WAITING_MONTHS = 6
LEAST_WEEKS = 4
NOTICE_TIME = timedelta(weeks=4)


class Run(NamedTuple):
    """Consecutive days within one year, both ends included, each with the same number of halves off."""

    first: date
    last: date
    halves: int


@dataclass(frozen=True, slots=True)
class LeaveSpan:
    """Days off from `start` to `end`, both included.

    `start_half`: only the afternoon of the first day is off; `end_half`: only the morning of the last day is off. For a
    single day both together would leave nothing, so such requests are refused earlier. `left_out`: ranges of days in
    between, in order, that are not part of the leave because company holidays gave them.
    """

    start: date
    end: date
    start_half: bool = False
    end_half: bool = False
    left_out: tuple[DayRange, ...] = ()

    @property
    def first(self) -> date:
        """The first day that is not left out. If all days are left out, it is later than `last`."""
        first = self.start
        for gap_start, gap_end in self.left_out:
            if gap_start <= first <= gap_end:
                first = gap_end + DAY
        return first

    @property
    def last(self) -> date:
        """The last day that is not left out."""
        last = self.end
        for gap_start, gap_end in reversed(self.left_out):
            if gap_start <= last <= gap_end:
                last = gap_start - DAY
        return last

    def parts(self) -> Iterator[tuple[date, int]]:
        """Yields the days that are not left out, each with the number of halves that are off."""
        if not (self.start_half or self.end_half or self.left_out):
            return zip(days(self.start, self.end), repeat(WHOLE_DAY))
        return (
            (day, WHOLE_DAY - (self.start_half and day == self.start) - (self.end_half and day == self.end))
            for day in days(self.start, self.end)
            if not self._leaves_out(day)
        )

    def runs(self) -> Iterator[Run]:
        """Yields the days that are not left out, in order, as few runs as possible. A run has equal halves and lies in
        one year.
        """
        if self.start.year == self.end.year and not (self.start_half or self.end_half or self.left_out):
            yield Run(self.start, self.end, WHOLE_DAY)
            return
        run: Run | None = None
        for day, halves in self.parts():
            if run is not None and run.last == day - DAY and (run.halves, run.first.year) == (halves, day.year):
                run = run._replace(last=day)
                continue
            if run is not None:
                yield run
            run = Run(day, day, halves)
        if run is not None:
            yield run

    def within(self, first: date, last: date) -> "LeaveSpan":
        """Returns the part of the leave from `first` to `last`. One of its days must lie in between."""
        if first <= self.start and self.end <= last:
            return self
        start_half, end_half = self.start_half and first <= self.start, self.end_half and self.end <= last
        return LeaveSpan(max(first, self.start), min(self.end, last), start_half, end_half, self.left_out)

    def halves_off(self, day: date) -> TimeOff:
        """Returns which halves of a day are off."""
        within = self.start <= day <= self.end and not self._leaves_out(day)
        morning = within and not (self.start_half and day == self.start)
        return TimeOff(morning, within and not (self.end_half and day == self.end))

    def overlaps(self, other: "LeaveSpan") -> bool:
        """Returns whether some half day is part of both. The morning and the afternoon of one day do not overlap."""
        first_half, last_half = max(self._first_half, other._first_half), min(self._last_half, other._last_half)
        if first_half > last_half or not (self.left_out or other.left_out):
            return first_half <= last_half
        common_days = days(date.fromordinal(first_half // WHOLE_DAY), date.fromordinal(last_half // WHOLE_DAY))
        return any(not (self._leaves_out(day) or other._leaves_out(day)) for day in common_days)

    def without(self, whole_days: Collection[date]) -> "LeaveSpan":
        """Returns the leave with these days left out as well."""
        left_out: list[DayRange] = []
        for day in days(self.start, self.end):
            if day not in whole_days and not self._leaves_out(day):
                continue
            gap_start = left_out.pop()[0] if left_out and left_out[-1][1] == day - DAY else day
            left_out.append((gap_start, day))
        return replace(self, left_out=tuple(left_out))

    def _leaves_out(self, day: date) -> bool:
        return any(gap_start <= day <= gap_end for gap_start, gap_end in self.left_out)

    @property
    def _first_half(self) -> int:
        return WHOLE_DAY * self.start.toordinal() + self.start_half

    @property
    def _last_half(self) -> int:
        return WHOLE_DAY * self.end.toordinal() + 1 - self.end_half


def cost(span: LeaveSpan, counts: Counts) -> int:
    """Returns how many halves vacation on the days of the span costs."""
    return sum(min(halves, counts(day)) for day, halves in span.parts())


def cost_by_year(spans: Iterable[LeaveSpan], counts: Counts, returned: Collection[date] = ()) -> dict[int, int]:
    """Returns how many halves vacation on these spans costs, by calendar year. Days in `returned` cost nothing (§ 9
    BUrlG).
    """
    costs: dict[int, int] = {}
    for span in spans:
        for day, halves in span.parts():
            worth = 0 if day in returned else min(halves, counts(day))
            if worth:
                costs[day.year] = costs.get(day.year, 0) + worth
    return costs


def gaps(first: date, last: date, counts: Counts, hindered: Callable[[date], bool]) -> list[LeaveSpan]:
    """Returns the spans between `first` and `last` where vacation could be taken: without `hindered` days, and as few
    as possible. Each begins and ends with a day that costs something.
    """
    free_spans: list[LeaveSpan] = []
    gap_start: date | None = None
    gap_end = first
    for day in days(first, last):
        if hindered(day):
            if gap_start is not None:
                free_spans.append(LeaveSpan(gap_start, gap_end))
            gap_start = None
        elif counts(day):
            gap_start, gap_end = gap_start or day, day
    return free_spans if gap_start is None else [*free_spans, LeaveSpan(gap_start, gap_end)]


def full_months(first: date, last: date) -> list[date]:
    """Returns the first days of the full months of employment from `first` to `last`, both included and in one calendar
    year.

    Such a month (§ 5 BUrlG, § 188 BGB) may begin on any day of a month. It ends on the day before the same day of the
    next month, or on the last day of that month if it is too short.
    """
    month_ends: list[date] = []
    for passed in range(MONTHS):
        end = _month_end(first, passed)
        if end is None or end > last:
            break
        month_ends.append(end)
    return [first, *(date.fromordinal(end.toordinal() + 1) for end in month_ends[:-1])] if month_ends else []


def _month_end(first: date, passed: int) -> date | None:
    """Returns the last day of the month of employment that follows after `passed` whole ones since `first`. None if it
    lies in the next year.
    """
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
    *,
    by_month: bool = True,
) -> int:
    """Returns the allowance of a calendar year in half days, for an employment from `entry` to `exit_`, both included.

    Each full month is worth a twelfth (§ 5 BUrlG) of the yearly allowance on its first day. The sum is rounded once: a
    fraction of at least half a day becomes a whole day, a smaller one becomes half a day. Without `by_month` all months
    are worth the allowance on 1 January, or on the day of entry.

    An employment of six months or more that began before July and lasts beyond June has at least the law's four weeks
    (§ 3 BUrlG). They are counted month by month as well, and limited to the whole year's allowance.
    """
    first, last = max(date(year, 1, 1), entry or date.min), min(date(year, 12, 31), exit_ or date.max)
    if first > last:
        return 0
    if by_month:
        return _allowance(first, last, allowance_on, lambda day: len(workdays_on(day)))
    return _steady_allowance(first, last, allowance_on(first), len(workdays_on(first)))


@lru_cache(maxsize=1000)  # many people share the same arguments
def _steady_allowance(first: date, last: date, allowance: int | Fraction, workdays: int) -> int:
    return _allowance(first, last, lambda _: allowance, lambda _: workdays)


def _allowance(first: date, last: date, allowance_on: AllowanceOn, workdays_on: Callable[[date], int]) -> int:
    calendar_months = [min(max(date(first.year, month, 1), first), last) for month in range(1, MONTHS + 1)]
    all_year = (first.month, first.day, last.month, last.day) == (1, 1, MONTHS, 31)
    months = calendar_months if all_year else full_months(first, last)
    worth = [allowance_on(day) for day in months]
    total = sum(worth)
    part = _exact(total) if len(months) == MONTHS and len(set(worth)) == 1 else _rounded(total)
    if len(months) < WAITING_MONTHS or first >= date(first.year, 7, 1) or last <= date(first.year, 6, 30):
        return part
    whole_year = total if months is calendar_months else sum(map(allowance_on, calendar_months))
    return max(part, _exact(min(whole_year, WHOLE_DAY * LEAST_WEEKS * sum(map(workdays_on, calendar_months)))))


def _exact(twelfths: int | Fraction) -> int:
    """Converts twelfths of half days into half days. Only a number that is not whole is rounded, like by `_rounded`."""
    return _rounded(twelfths) if twelfths % MONTHS else int(twelfths // MONTHS)


def _rounded(twelfths: int | Fraction) -> int:
    """Converts twelfths of half days into half days. The fraction of a day is rounded up: to half a day if it is
    smaller than that, else to a whole day.
    """
    days_, remainder = divmod(twelfths, WHOLE_DAY * MONTHS)
    return WHOLE_DAY * int(days_) + (0 if not remainder else 1 if remainder < MONTHS else WHOLE_DAY)


class Notice(NamedTuple):
    """The employer's notice to an employee that carried half days lapse unless they are taken until the day `until`."""

    until: date
    sent_on: date
    halves: int

    @property
    def timely(self) -> bool:
        """Whether the notice lets days lapse. It must be sent early enough for the employee to plan by it (BAG 9 AZR
        423/16).
        """
        return self.until - self.sent_on >= NOTICE_TIME


class Lapse(NamedTuple):
    """Limits for the lapse of days that were carried into a year, in half days.

    `named`: days that timely notices name. `taken`: days taken until the last day when carried days can be taken.
    `able`: days that could have been taken in addition, between the notice and that day. `away_as_parent`: days that
    Elternzeit or Mutterschutz prevented in that time. `parents_time_over`: days that were kept back by these could be
    taken for the last time in this year, and the year is over (§ 17 (2) BEEG, § 24 MuSchG).
    """

    named: int
    taken: int
    able: int
    away_as_parent: int = 0
    parents_time_over: bool = False


class YearFacts(NamedTuple):
    """The additions to and uses of the vacation of one year, in half days. `used`: approved vacation. `reserved`:
    requests that are not decided yet.

    `lapse`: None if it is too early for carried days to lapse.
    """

    allowance: int
    booked: int
    used: int
    reserved: int
    lapse: Lapse | None = None


class Balance(NamedTuple):
    """The vacation of one year, in half days."""

    allowance: int
    carried: int
    booked: int
    used: int
    reserved: int
    lapsed: int = 0

    @property
    def remaining(self) -> int:
        """The half days that may still be taken. Reserved days are not subtracted."""
        return self.allowance + self.carried + self.booked - self.used - self.lapsed


class Carried(NamedTuple):
    """The half days that are carried into a year. `ill` and `parents` of them could not be taken in time because of
    illness, or because of Elternzeit or Mutterschutz.
    """

    halves: int
    ill: int = 0
    parents: int = 0


def balances(opening: int, years: Iterable[YearFacts]) -> list[Balance]:
    """Returns the balances of successive years (`carry`). The opening days count as carried into the first year."""
    return [balance for balance, _ in carry(Carried(opening), years)]


def carry(start: Carried, years: Iterable[YearFacts]) -> Iterator[tuple[Balance, Carried]]:
    """Yields the balances of successive years, each with the days that are carried into the next year.

    Not more carried days lapse than the person was able to take. Days that illness prevented lapse a year later (EuGH
    C-214/10). Days that Elternzeit or Mutterschutz prevented lapse at the end of the year after the return.
    """
    carried, kept_back = start.halves, _KeptBack(start.ill, start.parents)
    for facts in years:
        lapsed, kept_back = (0, kept_back) if facts.lapse is None else _lapsed(carried, kept_back, facts.lapse)
        days_left = max(0, carried - lapsed - facts.used + min(facts.booked, 0))
        kept_back = _KeptBack(
            min(kept_back.ill, max(0, days_left - kept_back.parents)), min(kept_back.parents, days_left)
        )
        if facts.lapse is not None and facts.lapse.parents_time_over:
            lapsed += min(kept_back.parents, max(0, facts.lapse.named - lapsed))
            kept_back = kept_back._replace(parents=0)
        balance = Balance(facts.allowance, carried, facts.booked, facts.used, facts.reserved, lapsed)
        carried = balance.remaining
        yield balance, Carried(carried, *kept_back)


class _KeptBack(NamedTuple):
    """How many of the carried half days could not be taken in time: because of illness (`ill`), or because of
    Elternzeit or Mutterschutz (`parents`).
    """

    ill: int
    parents: int


def _lapsed(carried: int, kept_back: _KeptBack, lapse: Lapse) -> tuple[int, _KeptBack]:
    """Returns how many of the carried days lapse, and how many of the rest could not be taken in time. Vacation uses
    those days first that lapse first.
    """
    days_left = max(0, carried - lapse.taken)
    parents = min(kept_back.parents, days_left)
    due = days_left - parents
    lapsed = max(0, min(lapse.named, due, lapse.able + min(kept_back.ill, due)))
    held_back = min(due - lapsed, max(0, due - lapse.able))
    as_parent = min(held_back, lapse.away_as_parent)
    return lapsed, _KeptBack(held_back - as_parent, parents + as_parent)
