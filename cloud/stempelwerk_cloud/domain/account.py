"""One person's time account, for any months: target, actual, credits, bookings, and what is carried over.

Balance of a month = actual + credits + bookings − target. A day's target and credits are exact; a month's target, and
its credit of each kind, are rounded once, to the nearest minute (a half goes up). A day's figures are the differences
of its month's rounded sums so far, of the target and of each kind by itself, so that they sum up to the month's.

A day is credited only where it is a target day, and never beyond its target: as a holiday, with what that leaves as
vacation, and with what both and the work of the day leave as an excused absence. Half a day is worth half the target.
A holiday that pays lost time alone (`Facts.lost`) is credited with what the work of the day leaves.
Credits of several kinds may together be a minute more or less than the target of their days, because each kind is
rounded by itself; exactly they never exceed it.

The account begins on a day (`Facts.begins`), and the opening balance counts as carried into its month. Before that day
nothing is due, credited, booked or worked as far as the account goes. As long as nothing says the day, nothing is due,
credited or carried, and bookings count in their month. The figures are whole minutes.
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
"""In the order in which they are told; which of them a day is credited as, `_credited` says."""

_PARTS: Final = 840
"""Parts of a minute: with so many the half of every day's target is a whole number, whatever the number of workdays."""
_WHOLE: Final = 2
"""Halves of a day."""
_FREE_WEEK: Final = (0,) * 7


class Terms:
    """What makes a person's targets: weekly targets and workdays, with the days from which they hold, entry and exit.

    `workdays` is oldest first; before the first day, Monday to Friday. On `unpaid` days the contract rests: no target.
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
        begins = {start or date.min for start, _ in targets.from_days} | {start for start, _ in workdays}
        begins |= {date.min} | ({entry} if entry else set())
        begins |= {leaving + DAY} if leaving and leaving < date.max else set()
        self._starts = sorted(begins)
        self._weeks = [
            _week(targets.on(start), _held(workdays, start))
            if (entry is None or entry <= start) and (leaving is None or start <= leaving)
            else _FREE_WEEK
            for start in self._starts
        ]

    def since(self, day: date) -> "Terms":
        """The same with nothing due before a day."""
        found = Terms.__new__(Terms)
        found._unpaid = self._unpaid
        index = bisect_right(self._starts, day)
        found._starts = [date.min, day, *self._starts[index:]] if day > date.min else self._starts
        found._weeks = [_FREE_WEEK, *self._weeks[index - 1 :]] if day > date.min else self._weeks
        return found

    @property
    def ever_due(self) -> bool:
        """Whether there is a target on any day at all."""
        return any(map(any, self._weeks))

    def on(self, day: date) -> int:
        """The day's exact target, in parts of a minute; 0 on a free day."""
        index = bisect_left(self._unpaid, day)
        if index < len(self._unpaid) and self._unpaid[index] == day:
            return 0
        return self._contracted(day)

    def _contracted(self, day: date) -> int:
        return self._weeks[bisect_right(self._starts, day) - 1][day.weekday()]

    def between(self, first: date, last: date) -> int:
        """The exact target of all days from `first` to `last`, both included, in parts of a minute."""
        unpaid = self._unpaid[bisect_left(self._unpaid, first) : bisect_right(self._unpaid, last)]
        found = -sum(map(self._contracted, unpaid))
        index = bisect_right(self._starts, first) - 1
        while first <= last:
            following = self._starts[index + 1] if index + 1 < len(self._starts) else None
            until = last if following is None or following > last else following - DAY
            weeks, rest = divmod(until.toordinal() - first.toordinal() + 1, 7)
            week, weekday = self._weeks[index], first.weekday()
            found += weeks * sum(week) + sum(week[(weekday + ahead) % 7] for ahead in range(rest))
            if following is None or following > last:
                break
            first, index = following, index + 1
        return found


class Kept(NamedTuple):
    """What was carried into the month that begins with `first`: whoever knows it needs no fact before that day."""

    first: date
    minutes: int


@dataclass(frozen=True, slots=True)
class Facts:
    """What an account is made of. In which order it is told makes no difference.

    `actual`: net minutes of complete entries, by the day of their shift; those before the months that are asked for may
    stand together on one day of their month that counts. `first_entry`: the day of the first entry ever, complete or
    not. `free`: public holidays and the company's free days, in halves of a day (1 or 2); `lost`: those of them that
    are credited with nothing but the time that was lost, and excused `absences`, both with the net minutes of work on
    them; `vacation` in halves of a day, without what was given back. `account_from`: the account's first day.
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
        """The account's first day; None as long as there is no account: without an entry date and a first entry."""
        if self.kept is not None:
            return self.kept.first
        return account_begin(self.account_from or self.entry_date, self.first_entry)

    @property
    def due(self) -> Terms:
        """The targets of the account's days."""
        return self.terms.since(self.begins or date.max)

    def counts(self, day: date) -> bool:
        """Whether a day is one of the account's."""
        return self.begins is None or self.begins <= day

    @property
    def opening(self) -> int:
        """What is carried into that month."""
        return self.opening_minutes if self.kept is None else self.kept.minutes


class Credit(NamedTuple):
    kind: Kind
    minutes: int


class Month(NamedTuple):
    """A month's account in minutes. `…_to_date`: today included, and what is carried; nothing of a month to come."""

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
        """`YYYY-MM`."""
        return self.first.isoformat()[:7]

    @property
    def balance(self) -> int:
        """Of this month alone."""
        return self.actual + sum(one.minutes for one in self.credits) + self.bookings - self.target


class Day(NamedTuple):
    """A day's part in its month's account."""

    date: date
    target: int
    actual: int
    credits: tuple[Credit, ...]


class BalanceToDate(NamedTuple):
    """How somebody stands: the target of today, and the balance with today and all that was carried."""

    target_today: int
    balance_to_date: int


def months(facts: Facts, first: date, last: date, today: date) -> list[Month]:
    """The accounts of the months that these two days lie in, and of all between them."""
    return _months(_Ledger(facts), facts, first, last, today)


def month_by_day(facts: Facts, first: date, today: date) -> tuple[Month, list[Day]]:
    """The account of the month that begins with `first`, and every day of it."""
    ledger = _Ledger(facts)
    (month,) = _months(ledger, facts, first, first, today)
    return month, list(ledger.days(first))


def _months(ledger: "_Ledger", facts: Facts, first: date, last: date, today: date) -> list[Month]:
    first, last = first.replace(day=1), last.replace(day=1)
    found: list[Month] = []
    begins = None if facts.begins is None else facts.begins.replace(day=1)
    carried = facts.opening if begins is not None and begins <= last else 0
    for start in _firsts(first if begins is None else min(begins, first), last):
        counts = begins is not None and begins <= start
        month = ledger.month(start, carried if counts else 0, today)
        if counts:
            carried += month.balance
        if first <= start:
            found.append(month)
    return found


def carried_into(facts: Facts, last: date) -> dict[date, int]:
    """What is carried into the month of this day, and into each before it that begins after the account has begun."""
    begins = facts.begins or last
    return {month.first: month.carried for month in months(facts, begins, last, last) if begins < month.first}


def days(facts: Facts, first: date, last: date) -> list[Day]:
    """Every day of the months that these two days lie in, and of all between them."""
    ledger = _Ledger(facts)
    return [day for start in _firsts(first.replace(day=1), last) for day in ledger.days(start)]


def balance_to_date(facts: Facts, today: date) -> BalanceToDate:
    """How the person stands on a day."""
    (month,) = months(facts, today, today, today)
    yesterday = nearest(facts.due.between(month.first, today - DAY)) if month.first < today else 0
    return BalanceToDate(month.target_to_date - yesterday, month.balance_to_date)


def account_begin(said: date | None, first_entry: date | None) -> date | None:
    """On which day an account begins: as it is said, else with the month of the first entry."""
    return said or (None if first_entry is None else first_entry.replace(day=1))


def halves_of(first: date, last: date, *, start_half: bool = False, end_half: bool = False) -> dict[date, int]:
    """How many halves of each day a leave takes; both halves of one day cannot be meant, and are one."""
    found = dict.fromkeys(calendar.days(first, last), _WHOLE)
    if found and start_half:
        found[first] = 1
    if found and end_half:
        found[last] = 1
    return found


def nearest(parts: int) -> int:
    """Whole minutes of parts of a minute, a half upwards."""
    return (2 * parts + _PARTS) // (2 * _PARTS)


def exact(minutes: int) -> int:
    """Returns whole minutes in parts of a minute."""
    return minutes * _PARTS


def holiday_credit(target_parts: int, halves: int, net_parts: int) -> int:
    """Returns what a holiday by law credits an hourly person: what work leaves of the target (§ 2 EFZG), never below 0.

    A holiday of half a day credits at most half of the target. All figures are in parts of a minute.
    """
    return max(0, min(target_parts * halves // _WHOLE, target_parts - net_parts))


class _Ledger:
    """Facts by month."""

    def __init__(self, facts: Facts) -> None:
        self._terms = facts.due
        begins = facts.begins or date.min
        self._actual: defaultdict[date, dict[date, int]] = defaultdict(dict)
        first, last, of_month = date.max, date.min, self._actual[date.max]
        for day, minutes in facts.actual.items():
            if day < begins:
                continue
            if not first <= day <= last:
                first, last = calendar.month_of(day)
                of_month = self._actual[first]
            of_month[day] = minutes
        self._bookings: defaultdict[date, list[tuple[date, int]]] = defaultdict(list)
        for day, minutes in facts.bookings:
            if begins <= day:
                self._bookings[day.replace(day=1)].append((day, minutes))
        self._credits: defaultdict[date, list[tuple[date, Kind, int]]] = defaultdict(list)
        for day in sorted({*facts.free, *facts.absences, *facts.vacation}):
            target = self._terms.on(day)
            for kind, parts in _credited(facts, day, target):
                self._credits[day.replace(day=1)].append((day, kind, parts))

    def month(self, first: date, carried: int, today: date) -> Month:
        _, last = calendar.month_of(first)
        target = nearest(self._terms.between(first, last))
        worked = sum(self._actual[first].values())
        credited = self._credited_until(first, last)
        booked = sum(minutes for _, minutes in self._bookings[first])
        if last <= today:
            month = Month(first, target, worked, credited, booked, carried, target, 0)
            return month._replace(balance_to_date=carried + month.balance)
        if today < first:
            return Month(first, target, worked, credited, booked, carried, 0, carried)
        due = nearest(self._terms.between(first, today))
        so_far = carried - due
        so_far += sum(minutes for day, minutes in self._actual[first].items() if day <= today)
        so_far += sum(one.minutes for one in self._credited_until(first, today))
        so_far += sum(minutes for day, minutes in self._bookings[first] if day <= today)
        return Month(first, target, worked, credited, booked, carried, due, so_far)

    def days(self, first: date) -> Iterator[Day]:
        _, last = calendar.month_of(first)
        due, told, actual = 0, 0, self._actual[first]
        worth: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        credits_: defaultdict[date, list[tuple[Kind, int]]] = defaultdict(list)
        for day, kind, parts in self._credits[first]:  # in the order of `KINDS`
            credits_[day].append((kind, parts))
        for day in calendar.days(first, last):
            before, due = told, due + self._terms.on(day)
            told = nearest(due)
            credited = []
            for kind, parts in credits_.get(day, ()):
                minutes = nearest(worth[kind] + parts) - nearest(worth[kind])
                worth[kind] += parts
                if minutes:
                    credited.append(Credit(kind, minutes))
            yield Day(day, told - before, actual.get(day, 0), tuple(credited))

    def _credited_until(self, first: date, last: date) -> tuple[Credit, ...]:
        """The credits of a month's days up to one of them, by kind; kinds without a minute are left out."""
        worth: dict[Kind, int] = dict.fromkeys(KINDS, 0)
        for day, kind, parts in self._credits[first]:
            if day <= last:
                worth[kind] += parts
        return tuple(Credit(kind, minutes) for kind in KINDS if (minutes := nearest(worth[kind])))


def _credited(facts: Facts, day: date, target: int) -> Iterator[tuple[Kind, int]]:
    """As what a day is credited, and with how many parts of its target."""
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
    """The first days of months, from one to the month of `last`."""
    for number in range(first.year * 12 + first.month - 1, last.year * 12 + last.month):
        yield date(number // 12, number % 12 + 1, 1)


@lru_cache(maxsize=1000)
def _week(weekly: int, workdays: frozenset[int]) -> tuple[int, ...]:
    return tuple(weekly * _PARTS // len(workdays) if weekday in workdays else 0 for weekday in range(7))


def _held(history: Sequence[tuple[date, frozenset[int]]], day: date) -> frozenset[int]:
    held = MONDAY_TO_FRIDAY
    for start, weekdays in history:
        if start <= day:
            held = weekdays
    return held
