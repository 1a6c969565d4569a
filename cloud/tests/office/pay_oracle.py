"""Reckons pay from plain facts, minute by minute, by the decisions and § 3b EStG.

The oracle shares no code with the service. It is slow and has one way for every case: a break is the smallest lawful
one, a surcharge is counted minute by minute, an amount is an exact fraction until its month is rounded.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import floor
from typing import NamedTuple
from zoneinfo import ZoneInfo

BERLIN = ZoneInfo("Europe/Berlin")
DAY = timedelta(days=1)
CREDITS = ("holiday", "vacation", "absence")
BESIDE = ("night", "night40", "sunday", "holiday125", "holiday150", "overtime")
"""Kinds of surcharges and overtime."""
KINDS = ("work", "vacation", "sick", "holiday", "absence", *BESIDE)
UNPAID_REASONS = ("unbezahlt", "Elternzeit")
RANKS = ("", "sunday", "holiday125", "holiday150")
"""§ 3b EStG: only the dearest of them is paid for a minute."""


class Work(NamedTuple):
    """Time between Kommen and Gehen, in local time. `pause`: minutes of break that the employee stated."""

    begin: datetime
    end: datetime
    pause: int | None = None
    is_settled: bool = True


class Leave(NamedTuple):
    """Approved vacation. `is_short_first` and `is_short_last`: only half of that day is off."""

    first: date
    last: date
    is_short_first: bool = False
    is_short_last: bool = False


class Absence(NamedTuple):
    """An excused day. `has_note`: of illness; `is_credited` and `reason`: of other absences."""

    kind: str
    has_note: bool = True
    is_credited: bool = True
    reason: str = ""


class FreeDay(NamedTuple):
    halves: int
    is_legal: bool


@dataclass
class Company:
    """`free`: public holidays and free days."""

    free: Mapping[date, FreeDay]
    rules_from: date


@dataclass
class Employee:
    """`pay_types`: `hourly` or `monthly`, each from a day on, oldest first."""

    name: str
    number: int
    weekly: int = 2400
    workdays: tuple[int, ...] = (0, 1, 2, 3, 4)
    entry: date | None = date(2026, 5, 1)
    leaving: date | None = None
    pay_types: tuple[tuple[date, str], ...] = ((date.min, "hourly"),)
    work: list[Work] = field(default_factory=list)
    leave: list[Leave] = field(default_factory=list)
    absences: dict[date, Absence] = field(default_factory=dict)

    def is_hourly(self, day: date) -> bool:
        return [pay_type for first, pay_type in self.pay_types if first <= day][-1] == "hourly"

    def is_employed(self, day: date) -> bool:
        return (self.entry is None or self.entry <= day) and (self.leaving is None or day <= self.leaving)


class Entry(NamedTuple):
    """Work with its minutes. `surcharges`: by kind."""

    day: date
    work: Work
    raw: int
    pause: int
    surcharges: Mapping[str, int]

    @property
    def net(self) -> int:
        return self.raw - self.pause


class AccountDay(NamedTuple):
    target: int
    actual: int
    credits: Mapping[str, int]


class DayOff(NamedTuple):
    """Minutes of a day that are paid without work, and halves of the day."""

    day: date
    kind: str
    minutes: int
    halves: int
    reason: str = ""


# -- minutes


def minute_of(local: datetime, fold: int = 0) -> int:
    """Minutes since 1970. A time that exists twice is the first for a start and the second (`fold`) for an end."""
    return int(local.replace(tzinfo=BERLIN, fold=fold).timestamp()) // 60


@cache
def local_hour(minute: int) -> tuple[date, int]:
    local = datetime.fromtimestamp(minute * 60, UTC).astimezone(BERLIN)
    return local.date(), local.hour


def rounded(exact: Fraction) -> int:
    """Rounds to the nearest minute; a half goes up."""
    return floor(exact + Fraction(1, 2))


def spread(amounts: Iterable[Fraction]) -> Iterator[int]:
    """Rounds each amount to whole minutes, so that they sum up to the rounded sum."""
    exact, minutes = Fraction(0), 0
    for amount in amounts:
        exact += amount
        yield rounded(exact) - minutes
        minutes = rounded(exact)


def hundredths(minutes: int) -> int:
    """Hundredths of an hour."""
    return rounded(Fraction(minutes * 100, 60))


@cache
def days_of(month: str) -> Sequence[date]:
    first = date.fromisoformat(f"{month}-01")
    return [day for day in (first + number * DAY for number in range(31)) if day.month == first.month]


# -- work


def shifts(employee: Employee) -> list[list[Work]]:
    """Entries less than five hours apart are one shift."""
    groups: list[list[Work]] = []
    for work in sorted(employee.work):
        if groups and minute_of(work.begin) - minute_of(groups[-1][-1].end, 1) < 5 * 60:
            groups[-1].append(work)
        else:
            groups.append([work])
    return groups


def is_lawful(net: int, pause: int) -> bool:
    """Returns whether the break satisfies § 4 ArbZG for this working time without breaks."""
    if net > 9 * 60:
        return pause >= 45
    return net <= 6 * 60 or pause >= 30


def deduction(shift: list[Work]) -> int:
    """Returns the stated break, or the fewest minutes that make the shift lawful."""
    stated = [work.pause for work in shift if work.pause is not None]
    if stated:
        return sum(stated)
    raw = sum(minute_of(work.end, 1) - minute_of(work.begin) for work in shift)
    gaps = 0
    for earlier, later in pairwise(shift):
        gap = minute_of(later.begin) - minute_of(earlier.end, 1)
        gaps += gap if gap >= 15 else 0
    minutes = 0
    while not is_lawful(raw - minutes, gaps + minutes):
        minutes += 1
    return minutes


def surcharges_of(company: Company, day: date, hour: int, is_after_evening: bool) -> list[str]:
    """Returns the surcharges of § 3b EStG for one minute. `is_after_evening`: night work of the shift had begun before
    midnight.
    """
    has_begun = is_after_evening and hour < 4
    kinds = []
    if hour >= 20 or hour < 6:
        kinds.append("night40" if has_begun else "night")
    rank = rest_of(company, day, hour)
    if has_begun:
        rank = max(rank, rest_of(company, day - DAY, 23), key=RANKS.index)
    return kinds + ([rank] if rank else [])


def rest_of(company: Company, day: date, hour: int) -> str:
    monthday = day.month, day.day
    if monthday in ((5, 1), (12, 25), (12, 26)) or (monthday == (12, 24) and hour >= 14):
        return "holiday150"
    if (day in company.free and company.free[day].is_legal) or (monthday == (12, 31) and hour >= 14):
        return "holiday125"
    return "sunday" if day.weekday() == 6 else ""


class Reckoning:
    """An employee's accounts and pay."""

    def __init__(self, company: Company, employee: Employee) -> None:
        self.company, self.employee = company, employee
        self.entries = list(self._entries())
        self.begin = employee.entry or min((entry.day for entry in self.entries), default=date.max).replace(day=1)

    def _entries(self) -> Iterator[Entry]:
        """Yields all work. A deduction is taken from the end of the shift."""
        for shift in shifts(self.employee):
            remaining, pieces = deduction(shift), []
            for work in reversed(shift):
                begin, end = minute_of(work.begin), minute_of(work.end, 1)
                pause = min(remaining, end - begin)
                remaining -= pause
                pieces.insert(0, (work, end - begin, range(begin, end - pause)))
            hours = [local_hour(minute) for work, _, net in pieces for minute in net if work.is_settled]
            evenings = {day for day, hour in hours if hour >= 20}
            for work, raw, net in pieces:
                surcharges: Counter[str] = Counter()
                for day, hour in map(local_hour, net if work.is_settled else ()):
                    surcharges.update(surcharges_of(self.company, day, hour, day - DAY in evenings))
                yield Entry(work.begin.date(), work, raw, raw - len(net), surcharges)

    def net(self, day: date, *, is_paid: bool) -> int:
        """Returns net minutes of a day. `is_paid`: without open entries."""
        of_day = (entry for entry in self.entries if entry.day == day)
        return sum(entry.net for entry in of_day if entry.work.is_settled or not is_paid)

    # -- days

    def contract_target(self, day: date) -> Fraction:
        is_workday = day.weekday() in self.employee.workdays and self.employee.is_employed(day) and self.begin <= day
        return Fraction(self.employee.weekly, len(self.employee.workdays)) if is_workday else Fraction(0)

    def is_unpaid(self, day: date) -> bool:
        """Tells whether the contract rests."""
        absence = self.employee.absences.get(day)
        return (
            absence is not None
            and self.company.rules_from <= day
            and absence.reason in UNPAID_REASONS
            and not absence.is_credited
        )

    def target(self, day: date) -> Fraction:
        return Fraction(0) if self.is_unpaid(day) else self.contract_target(day)

    def free_halves(self, day: date) -> int:
        return self.company.free[day].halves if day in self.company.free else 0

    def leave_halves(self, day: date) -> int:
        """Returns the halves of a day that vacation takes. Illness with a note gives them back."""
        absence = self.employee.absences.get(day)
        if not self.target(day) or (absence is not None and absence.kind == "sick" and absence.has_note):
            return 0
        halves = 0
        for leave in self.employee.leave:
            if leave.first <= day <= leave.last:
                is_short = (day == leave.first and leave.is_short_first) or (day == leave.last and leave.is_short_last)
                halves += 1 if is_short else 2
        return min(halves, 2 - self.free_halves(day))

    def credits(self, day: date, *, is_paid: bool) -> dict[str, Fraction]:
        """Returns the exact credits of a day: of the account, or as they are paid.

        A holiday by law is worth the time that an hourly employee lost, in the account from `rules_from` on. Pay of
        vacation is what work leaves. An absence is worth what holiday, vacation and work leave.
        """
        target, free, net = self.target(day), self.free_halves(day), self.net(day, is_paid=is_paid)
        is_hourly = self.employee.is_hourly(day)
        holiday = target * free / 2
        is_lost_time = is_hourly and (is_paid or self.company.rules_from <= day)
        if free and self.company.free[day].is_legal and is_lost_time:
            holiday = max(Fraction(0), min(holiday, target - net))
        leave = vacation = target * self.leave_halves(day) / 2
        if is_paid and is_hourly:
            vacation = max(Fraction(0), min(vacation, target - holiday - net))
        absence = Fraction(0)
        if day in self.employee.absences and self.employee.absences[day].is_credited:
            absence = max(Fraction(0), target - holiday - leave - net)
        return {"holiday": holiday, "vacation": vacation, "absence": absence}

    def credits_by_day(self, month: str, *, is_paid: bool) -> dict[str, dict[date, int]]:
        days = days_of(month)
        exact = [self.credits(day, is_paid=is_paid) for day in days]
        return {kind: dict(zip(days, spread(credit[kind] for credit in exact), strict=True)) for kind in CREDITS}

    # -- the account

    def account(self, month: str) -> dict[date, AccountDay]:
        """Returns every day of the month; its figures sum up to the month's."""
        days = days_of(month)
        targets = spread(self.target(day) for day in days)
        credited = self.credits_by_day(month, is_paid=False)
        return {
            day: AccountDay(
                target,
                self.net(day, is_paid=False),
                {kind: of_days[day] for kind, of_days in credited.items() if of_days[day]},
            )
            for day, target in zip(days, targets, strict=True)
        }

    def balance(self, month: str) -> int:
        days = self.account(month).values()
        return sum(day.actual + sum(day.credits.values()) - day.target for day in days)

    # -- pay

    def worked_in(self, month: str) -> list[Entry]:
        days = days_of(month)
        return [entry for entry in self.entries if entry.day in days]

    def days_off(self, month: str) -> list[DayOff]:
        paid = self.credits_by_day(month, is_paid=True)
        rows = []
        for day in days_of(month):
            free, leave = self.free_halves(day), self.leave_halves(day)
            if paid["holiday"][day]:
                rows.append(DayOff(day, "holiday", paid["holiday"][day], free))
            if leave:
                rows.append(DayOff(day, "vacation", paid["vacation"][day], leave))
            halves = 2 - free - leave
            if day in self.employee.absences and halves and self.contract_target(day):
                absence = self.employee.absences[day]
                kind = "sick" if absence.kind == "sick" else "absence"
                rows.append(DayOff(day, kind, paid["absence"][day], halves, absence.reason))
        return rows

    def is_in(self, month: str) -> bool:
        """Tells whether the employee is in files: only who worked or was away is."""
        is_away = any(row.kind != "holiday" for row in self.days_off(month))
        return is_away or bool(self.worked_in(month) or self.idle_sick_days(month))

    def overtime(self, month: str) -> int:
        """Returns the minutes beyond the target. Vacation counts as in the account, holidays as they are paid."""
        days = days_of(month)
        if not any(map(self.contract_target, days)):
            return 0
        sums = dict.fromkeys(CREDITS, Fraction(0))
        for day in days:
            paid = self.credits(day, is_paid=True)
            sums["holiday"] += paid["holiday"]
            sums["absence"] += paid["absence"]
            sums["vacation"] += self.target(day) * self.leave_halves(day) / 2
        target = rounded(sum(map(self.target, days), Fraction(0)))
        worked = sum(self.net(day, is_paid=True) for day in days)
        return max(0, worked + sum(map(rounded, sums.values())) - target)

    def figures(self, month: str) -> dict[tuple[date, str], int]:
        """Returns all that the month pays, by day and kind, in minutes."""
        minutes_of: Counter[tuple[date, str]] = Counter()
        if not self.is_in(month):
            return {}
        for entry in self.worked_in(month):
            if entry.work.is_settled:
                for kind, minutes in ({"work": entry.net} | dict(entry.surcharges)).items():
                    minutes_of[entry.day, kind] += minutes
        for row in self.days_off(month):
            minutes_of[row.day, row.kind] += row.minutes
        if beyond := self.overtime(month):
            minutes_of[days_of(month)[-1], "overtime"] = beyond
        return dict(minutes_of)

    def paid_by_hour(self, month: str) -> dict[str, dict[date, int]]:
        """Returns the minutes of payroll files by kind and day.

        Hours and days off are those of hourly days; surcharges and overtime are paid to all employees.
        """
        by_kind: defaultdict[str, dict[date, int]] = defaultdict(dict)
        for (day, kind), minutes in sorted(self.figures(month).items()):
            if minutes and (kind in BESIDE or self.employee.is_hourly(day)):
                by_kind[kind][day] = minutes
        return by_kind

    def idle_sick_days(self, month: str) -> list[date]:
        """Returns the days of illness without owed work."""
        sick = [day for day, absence in self.employee.absences.items() if absence.kind == "sick"]
        return [
            day
            for day in days_of(month)
            if day in sick
            and self.employee.is_employed(day)
            and (not self.contract_target(day) or self.free_halves(day) == 2)
        ]
