"""A person's time account for any months: target, actual, credits, bookings and the carried balance.

Balance of a month = actual + credits + bookings − target. A day's target and credits are exact. A month's target, and
its credit of each kind, are rounded once, to the nearest minute (a half goes up). The figures of a day are differences
of the month's rounded running sums, separately for the target and for each kind. So the days add up to the month.

A day is credited only if it has a target, and never beyond that target. First it is credited as a holiday, then the
rest as vacation, then what these and the work of the day leave as an excused absence. Half a day is worth half the
target. A holiday that pays only lost time (`Facts.lost`) is credited with what the work of the day leaves of the
target. Since each kind is rounded separately, the credits of several kinds may differ from the target of their days by
a minute; exactly they never exceed it.

The account begins on a day (`Facts.begins`), and the opening balance counts as carried into its month. Before that day
nothing is due, credited, booked or worked for the account. While that day is unknown, nothing is due, credited or
carried, and bookings count in their month. All figures are whole minutes.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from stempelwerk_cloud.domain import calendar
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.targets import MONDAY_TO_FRIDAY, WeeklyTargets

Kind = Literal["holiday", "vacation", "absence"]
KINDS: Final[tuple[Kind, ...]] = ("holiday", "vacation", "absence")
"""Kinds of credits in their order of display. `_credited` decides which kind a day gets."""

_PARTS: Final = 840
"""The unit of exact figures is 1/840 of a minute. Then half of any day's target is a whole number, whatever the number
of workdays a week.
"""
_WHOLE: Final = 2
"""The number of halves in a day."""
_FREE_WEEK: Final = (0,) * 7


class Terms:
    """A person's contract: dated weekly targets and workdays, first and last day of employment.

    `workdays` is oldest first; before its first day, Monday to Friday are workdays. On `unpaid` days the contract
    rests, so they have no target.
    """

    __slots__ = ("_starts", "_unpaid", "_weeks")

    def __init__(
        self,
        targets: WeeklyTargets,
        workdays: Sequence[tuple[date, frozenset[int]]] = (),
        entry: date | None = None,
        leaving: date | None = None,
        unpaid: Collection[date] = (),
    ) -> None:
        self._unpaid = sorted(unpaid)
        change_days = {start or date.min for start, _ in targets.from_days} | {start for start, _ in workdays}
        change_days |= {date.min} | ({entry} if entry else set())
        change_days |= {leaving + DAY} if leaving and leaving < date.max else set()
        self._starts = sorted(change_days)
        self._weeks = [
            _week(targets.on(start), _workdays_on(workdays, start))
            if (entry is None or entry <= start) and (leaving is None or start <= leaving)
            else _FREE_WEEK
            for start in self._starts
        ]

    def starting_on(self, day: date) -> "Terms":
        """Returns the same contract without a target before `day`."""
        shortened = Terms.__new__(Terms)
        shortened._unpaid = self._unpaid
        index = bisect_right(self._starts, day)
        shortened._starts = [date.min, day, *self._starts[index:]] if day > date.min else self._starts
        shortened._weeks = [_FREE_WEEK, *self._weeks[index - 1 :]] if day > date.min else self._weeks
        return shortened

    @property
    def ever_due(self) -> bool:
        """Whether any day has a target."""
        return any(map(any, self._weeks))

    def on(self, day: date) -> int:
        """Returns the day's exact target in parts of a minute; 0 on a day without work."""
        index = bisect_left(self._unpaid, day)
        if index < len(self._unpaid) and self._unpaid[index] == day:
            return 0
        return self._contracted(day)

    def _contracted(self, day: date) -> int:
        return self._weeks[bisect_right(self._starts, day) - 1][day.weekday()]

    def target_between(self, first: date, last: date) -> int:
        """Returns the exact target of the days from `first` to `last`, both included, in parts of a minute."""
        unpaid = self._unpaid[bisect_left(self._unpaid, first) : bisect_right(self._unpaid, last)]
        total = -sum(map(self._contracted, unpaid))
        index = bisect_right(self._starts, first) - 1
        while first <= last:
            next_start = self._starts[index + 1] if index + 1 < len(self._starts) else None
            period_end = last if next_start is None or next_start > last else next_start - DAY
            weeks, extra_days = divmod(period_end.toordinal() - first.toordinal() + 1, 7)
            week, weekday = self._weeks[index], first.weekday()
            total += weeks * sum(week) + sum(week[(weekday + ahead) % 7] for ahead in range(extra_days))
            if next_start is None or next_start > last:
                break
            first, index = next_start, index + 1
        return total


class Kept(NamedTuple):
    """A stored balance that is carried into the month beginning with `first`. It replaces all facts before that day."""

    first: date
    minutes: int


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of an account. Their order makes no difference.

    `actual`: net minutes of complete entries, by the day of their shift. Those before the requested months may be
    summed on any one day of their month when the account already runs. `first_entry`: the day of the first entry ever,
    complete or not. `free`: public holidays and free days of the company, in halves of a day (1 or 2). `lost`: those of
    `free` that are credited only with the lost time, with the net minutes of work on them. `absences`: excused
    absences, also with the net minutes of work on them. `vacation`: halves of a day, without vacation that was given
    back. `account_from`: the stated first day of the account.
    """

    terms: Terms
    entry_date: date | None = None
    first_entry: date | None = None
    opening_minutes: int = 0
    actual: Mapping[date, int] = field(default_factory=dict)
    free: Mapping[date, int] = field(default_factory=dict)
    absences: Mapping[date, int] = field(default_factory=dict)
    vacation: Mapping[date, int] = field(default_factory=dict)
    bookings: Sequence[tuple[date, int]] = ()
    account_from: date | None = None
    kept: Kept | None = None
    lost: Mapping[date, int] = field(default_factory=dict)

    @property
    def begins(self) -> date | None:
        """The account's first day. None if there is no account, because neither an entry date nor a first entry is
        known.
        """
        if self.kept is not None:
            return self.kept.first
        return account_begin(self.account_from or self.entry_date, self.first_entry)

    @property
    def due(self) -> Terms:
        """The contract without targets before the account's first day."""
        return self.terms.starting_on(self.begins or date.max)

    def counts(self, day: date) -> bool:
        """Returns whether bookings and vacation of this day count in the account."""
        return self.begins is None or self.begins <= day

    @property
    def opening(self) -> int:
        """The balance in minutes that is carried into the account's first month."""
        return self.opening_minutes if self.kept is None else self.kept.minutes


class Credit(NamedTuple):
    kind: Kind
    minutes: int


class Month(NamedTuple):
    """The account of a month in minutes. The figures `…_to_date` count until today, today included; in a month to come
    nothing is due yet. `balance_to_date` includes the carried balance.
    """

    first: date
    target: int
    actual: int
    credits: tuple[Credit, ...]
    bookings: int
    carried: int
    target_to_date: int
    balance_to_date: int

    @property
    def name(self) -> str:
        """The month as `YYYY-MM`."""
        return self.first.isoformat()[:7]

    @property
    def balance(self) -> int:
        """The balance of this month itself, without the carried balance."""
        return self.actual + sum(credit.minutes for credit in self.credits) + self.bookings - self.target


class Day(NamedTuple):
    """The figures of one day in its month's account, in minutes."""

    date: date
    target: int
    actual: int
    credits: tuple[Credit, ...]


class BalanceToDate(NamedTuple):
    """A person's target of today, and the balance that includes today and the carried balance, in minutes."""

    target_today: int
    balance_to_date: int


def months(facts: Facts, first: date, last: date, today: date) -> list[Month]:
    """Returns the accounts of all months from the month of `first` to the month of `last`."""
    return _months(_Ledger(facts), facts, first, last, today)


def month_by_day(facts: Facts, first: date, today: date) -> tuple[Month, list[Day]]:
    """Returns the account of the month that begins with `first`, and every day of it."""
    ledger = _Ledger(facts)
    (month,) = _months(ledger, facts, first, first, today)
    return month, list(ledger.days(first))


def _months(ledger: "_Ledger", facts: Facts, first: date, last: date, today: date) -> list[Month]:
    first, last = first.replace(day=1), last.replace(day=1)
    accounts: list[Month] = []
    begin = None if facts.begins is None else facts.begins.replace(day=1)
    carried = facts.opening if begin is not None and begin <= last else 0
    for start in _firsts(first if begin is None else min(begin, first), last):
        counts = begin is not None and begin <= start
        month = ledger.month(start, carried if counts else 0, today)
        if counts:
            carried += month.balance
        if first <= start:
            accounts.append(month)
    return accounts


def carried_into(facts: Facts, last: date) -> dict[date, int]:
    """Returns the carried balances by first day of the month: for the month of `last` and all earlier months after the
    account's first.
    """
    begin = facts.begins or last
    return {month.first: month.carried for month in months(facts, begin, last, last) if begin < month.first}


def days(facts: Facts, first: date, last: date) -> list[Day]:
    """Returns every day of all months from the month of `first` to the month of `last`."""
    ledger = _Ledger(facts)
    return [day for start in _firsts(first.replace(day=1), last) for day in ledger.days(start)]


def balance_to_date(facts: Facts, today: date) -> BalanceToDate:
    """Returns the person's target and balance on the day `today`."""
    (month,) = months(facts, today, today, today)
    yesterday = nearest(facts.due.target_between(month.first, today - DAY)) if month.first < today else 0
    return BalanceToDate(month.target_to_date - yesterday, month.balance_to_date)


def account_begin(stated_day: date | None, first_entry: date | None) -> date | None:
    """Returns the first day of an account: the stated one, else the first day of the month of the first entry."""
    return stated_day or (None if first_entry is None else first_entry.replace(day=1))


def halves_of(first: date, last: date, *, start_half: bool = False, end_half: bool = False) -> dict[date, int]:
    """Returns how many halves of each day a leave takes. If the leave is one day and both halves are cut off, that day
    counts as one half.
    """
    halves_by_day = dict.fromkeys(calendar.days(first, last), _WHOLE)
    if halves_by_day and start_half:
        halves_by_day[first] = 1
    if halves_by_day and end_half:
        halves_by_day[last] = 1
    return halves_by_day


def nearest(parts: int) -> int:
    """Rounds parts of a minute to whole minutes; a half goes up."""
    return (2 * parts + _PARTS) // (2 * _PARTS)


def exact(minutes: int) -> int:
    """Converts whole minutes into parts of a minute."""
    return minutes * _PARTS


def holiday_credit(target_parts: int, halves: int, net_parts: int) -> int:
    """Returns the credit of an hourly person for a holiday by law: what the work leaves of the target (§ 2 EFZG), at
    least 0.

    A holiday of half a day credits at most half of the target. All figures are in parts of a minute.
    """
    return max(0, min(target_parts * halves // _WHOLE, target_parts - net_parts))


class _Ledger:
    """The facts of an account sorted by month, as input for its months and days."""

    def __init__(self, facts: Facts) -> None:
        self._terms = facts.due
        account_begin = facts.begins or date.min
        self._actual: defaultdict[date, dict[date, int]] = defaultdict(dict)
        first, last, of_month = date.max, date.min, self._actual[date.max]
        for day, minutes in facts.actual.items():
            if day < account_begin:
                continue
            if not first <= day <= last:
                first, last = calendar.month_of(day)
                of_month = self._actual[first]
            of_month[day] = minutes
        self._bookings: defaultdict[date, list[tuple[date, int]]] = defaultdict(list)
        for day, minutes in facts.bookings:
            if account_begin <= day:
                self._bookings[day.replace(day=1)].append((day, minutes))
        self._credits: defaultdict[date, list[tuple[date, Kind, int]]] = defaultdict(list)
        for day in sorted({*facts.free, *facts.absences, *facts.vacation}):
            target = self._terms.on(day)
            for kind, parts in _credited(facts, day, target):
                self._credits[day.replace(day=1)].append((day, kind, parts))

    def month(self, first: date, carried: int, today: date) -> Month:
        _, last = calendar.month_of(first)
        target = nearest(self._terms.target_between(first, last))
        worked = sum(self._actual[first].values())
        credited = self._credited_until(first, last)
        booked = sum(minutes for _, minutes in self._bookings[first])
        if last <= today:
            month = Month(first, target, worked, credited, booked, carried, target, 0)
            return month._replace(balance_to_date=carried + month.balance)
        if today < first:
            return Month(first, target, worked, credited, booked, carried, 0, carried)
        due = nearest(self._terms.target_between(first, today))
        so_far = carried - due
        so_far += sum(minutes for day, minutes in self._actual[first].items() if day <= today)
        so_far += sum(credit.minutes for credit in self._credited_until(first, today))
        so_far += sum(minutes for day, minutes in self._bookings[first] if day <= today)
        return Month(first, target, worked, credited, booked, carried, due, so_far)

    def days(self, first: date) -> Iterator[Day]:
        _, last = calendar.month_of(first)
        due, due_minutes, actual = 0, 0, self._actual[first]
        worth: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        credits_: defaultdict[date, list[tuple[Kind, int]]] = defaultdict(list)
        for day, kind, parts in self._credits[first]:  # in the order of `KINDS`
            credits_[day].append((kind, parts))
        for day in calendar.days(first, last):
            previous_due, due = due_minutes, due + self._terms.on(day)
            due_minutes = nearest(due)
            credited = []
            for kind, parts in credits_.get(day, ()):
                minutes = nearest(worth[kind] + parts) - nearest(worth[kind])
                worth[kind] += parts
                if minutes:
                    credited.append(Credit(kind, minutes))
            yield Day(day, due_minutes - previous_due, actual.get(day, 0), tuple(credited))

    def _credited_until(self, first: date, last: date) -> tuple[Credit, ...]:
        """Returns the month's credits up to `last`, by kind. Kinds with less than half a minute are left out."""
        worth: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        for day, kind, parts in self._credits[first]:
            if day <= last:
                worth[kind] += parts
        return tuple(Credit(kind, minutes) for kind in KINDS if (minutes := nearest(worth[kind])))


def _credited(facts: Facts, day: date, target: int) -> Iterator[tuple[Kind, int]]:
    """Yields the credits of a day: kind and parts of a minute, in the order of `KINDS`."""
    if not target:
        return
    free = facts.free.get(day, 0)
    off = min(facts.vacation.get(day, 0), _WHOLE - free)
    holiday, vacation = target * free // _WHOLE, target * off // _WHOLE
    if day in facts.lost:
        holiday = holiday_credit(target, free, exact(facts.lost[day]))
    if holiday:
        yield "holiday", holiday
    if vacation:
        yield "vacation", vacation
    absence = target - holiday - vacation - exact(facts.absences[day]) if day in facts.absences else 0
    if absence > 0:
        yield "absence", absence


def _firsts(first: date, last: date) -> Iterator[date]:
    """Yields the first day of each month, from the month of `first` to the month of `last`."""
    for number in range(first.year * 12 + first.month - 1, last.year * 12 + last.month):
        yield date(number // 12, number % 12 + 1, 1)


@lru_cache(maxsize=1000)
def _week(weekly: int, workdays: frozenset[int]) -> tuple[int, ...]:
    return tuple(weekly * _PARTS // len(workdays) if weekday in workdays else 0 for weekday in range(7))


def _workdays_on(history: Sequence[tuple[date, frozenset[int]]], day: date) -> frozenset[int]:
    workdays = MONDAY_TO_FRIDAY
    for start, weekdays in history:
        if start <= day:
            workdays = weekdays
    return workdays
