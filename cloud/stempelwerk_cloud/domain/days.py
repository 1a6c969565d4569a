"""The days of one person: their kind and facts, and what follows for accounts, leave and plans.

Every user of a day's facts takes them from here, so that no two figures disagree about a day. Facts are stored
sparsely: for a day without a record, employment, weekly targets and holidays are all the facts.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property, partial
from itertools import pairwise
from operator import attrgetter, itemgetter
from typing import Final, Literal, NamedTuple

from stempelwerk_cloud.domain.account import Terms, nearest
from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.leave import WHOLE_DAY, LeaveSpan, Notice, Run
from stempelwerk_cloud.domain.roster import Planned, TimeOff, meets
from stempelwerk_cloud.domain.targets import MONDAY_TO_FRIDAY

_start_of = itemgetter(0)
_first_day, _last_day = attrgetter("first"), attrgetter("last")
LeaveKind = Literal["vacation", "wish"]
LeaveStatus = Literal["pending", "approved", "declined", "cancelled"]


UNPAID_REASONS: Final = frozenset({"unbezahlt", "Elternzeit"})
"""For these reasons a special absence that is not credited is unpaid: the contract rests. Else the hours are owed."""
PARENTS_REASONS: Final = frozenset({"Elternzeit", "Mutterschutz"})
"""They keep leave from lapsing (§ 17 (2) BEEG, § 24 MuSchG)."""


class LeaveDay(NamedTuple):
    """Part of one day that leave takes, in halves. Half a day is the afternoon, unless it is the `morning`.

    Two rows of one day may hold its morning and its afternoon.
    """

    kind: LeaveKind
    status: LeaveStatus
    halves: int
    morning: bool = False

    @property
    def off(self) -> TimeOff:
        is_whole = self.halves > 1
        return TimeOff(is_whole or self.morning, is_whole or not self.morning)


class Leave(NamedTuple):
    """Vacation or a wish."""

    kind: LeaveKind
    status: LeaveStatus
    span: LeaveSpan


class AbsentDay(NamedTuple):
    """A day of illness (`sick`), of an unexplained absence (`missing`), or off for another reason (`special`).

    `status` is `open` or `excused`. `noted`: a sick note was handed in for it, also if the file itself has been
    removed, or the employer has it from the health insurance. `credited`: whether it counts as worked once it is
    excused. `reason` of a special one. `unpaid`: the contract rests, so that nothing is owed, credited or paid.
    `as_parent`: Elternzeit or Mutterschutz.
    """

    kind: str
    status: str
    noted: bool
    credited: bool = True
    reason: str | None = None
    unpaid: bool = False
    as_parent: bool = False

    @property
    def keeps_from_leave(self) -> bool:
        """Whether leave cannot be taken on such a day."""
        return self.kind == "sick" or self.status == "excused"

    @property
    def returns(self) -> bool:
        """Whether vacation on such a day is given back: for it a sick note was handed in (§ 9 BUrlG)."""
        return self.kind == "sick" and self.noted

    @property
    def replaces(self) -> bool:
        """Whether it is credited in place of such vacation. Until the decision the vacation stays credited, so no day
        is lost.
        """
        return self.returns and self.status == "excused"


class Off(NamedTuple):
    """A public holiday or a free day of the company; `halves` is 2, or 1 for half a day.

    `legal`: a holiday by law, as every public holiday is, and a free day that the company marks so.
    """

    name: str
    halves: int
    legal: bool = False


class Booked(NamedTuple):
    """Minutes, or half vacation days, that a day's account is given (or taken, if negative); the other one is 0."""

    id: str
    date: date
    minutes: int
    vacation_halves: int
    reason: str


class PersonDay(NamedTuple):
    """All that is known of a day. `target` is exact, in parts of a minute (`account`)."""

    date: date
    employed: bool
    workday: bool
    target: int
    holiday: Off | None
    leave: Sequence[LeaveDay]
    absence: AbsentDay | None
    duty: Planned | None

    @property
    def costs(self) -> int:
        """The halves that leave costs on this day at most: those of a workday in the employment that are not free."""
        return 0 if self.unpaid else self.owed_halves

    @property
    def owed_halves(self) -> int:
        """The halves that would be worked without absences: those of a workday in the employment that are not free."""
        return _costs(self.holiday) if self.employed and self.workday else 0

    @property
    def unpaid(self) -> bool:
        """Whether the contract rests on it."""
        return self.absence is not None and self.absence.unpaid

    @property
    def ill(self) -> bool:
        """Whether the person is reported sick for this day; an administrator need not have excused it yet."""
        return self.absence is not None and self.absence.kind == "sick"

    @property
    def away(self) -> bool:
        """Whether the person is not expected: on leave for all of the day, or ill or excused."""
        if self.absence is not None and (self.ill or self.absence.status == "excused"):
            return True
        return sum(leave_day.halves for leave_day in self.leave if leave_day.status == "approved") > 1

    def worked_on_leave(self, minutes: int) -> bool:
        """Returns whether these net minutes were worked although the person was ill or on vacation.

        Half a day of vacation leaves half of the day's target as allowed work, or any work if the day has no target.
        """
        if self.ill:
            return True
        vacation_halves = min(self.vacation("approved"), self.costs)
        if vacation_halves < self.costs:
            return vacation_halves > 0 and 0 < nearest(self.target // 2) < minutes
        return vacation_halves > 0

    def off(self, status: LeaveStatus) -> TimeOff:
        """Returns the halves that leave of this status takes, wishes included."""
        halves = [leave_day.off for leave_day in self.leave if leave_day.status == status]
        return TimeOff(any(half.morning for half in halves), any(half.afternoon for half in halves))

    def on_leave(self, status: LeaveStatus, duty: Planned) -> bool:
        """Returns whether leave of this status takes time of a duty on this day."""
        return meets(duty, self.off(status))

    def vacation(self, status: LeaveStatus) -> int:
        """How many halves of it are vacation of this status."""
        return _vacation(self.leave, status)


class Owed(NamedTuple):
    """Halves that people with the same holidays work without absences, each counted once for all of them."""

    on: Callable[[frozenset[int], date], int]
    """(weekdays, day) -> halves."""
    between: Callable[[frozenset[int], date, date], int]
    """(weekdays, first, last) -> halves, both days included."""

    @classmethod
    def from_holidays(cls, holiday_on: Callable[[date], Off | None]) -> "Owed":
        on = cache(partial(_owed, holiday_on))
        return cls(on, cache(partial(_owed_between, on)))


@dataclass(frozen=True)
class PersonDays:
    """A person's days within the period that was read.

    `workdays` is oldest first; before the first day, Monday to Friday. `owed`: computed with the same holidays as
    `holiday_on`.
    """

    terms: Terms
    holiday_on: Callable[[date], Off | None]
    entry: date | None = None
    leaving: date | None = None
    workdays: Sequence[tuple[date, frozenset[int]]] = ()
    leave_spans: Sequence[Leave] = ()
    absences: Mapping[date, AbsentDay] = field(default_factory=dict)
    duties: Mapping[date, Planned] = field(default_factory=dict)
    booked: Sequence[Booked] = ()
    account_from: date | None = None
    notices: Sequence[Notice] = ()
    owed: Owed = None  # type: ignore[assignment] # made below

    def __post_init__(self) -> None:
        if self.owed is None:
            object.__setattr__(self, "owed", Owed.from_holidays(self.holiday_on))

    def on(self, day: date) -> PersonDay:
        return PersonDay(
            day,
            self.employed_on(day),
            day.weekday() in self.workdays_on(day),
            self.terms.on(day),
            self.holiday_on(day),
            self.leave.get(day, ()),
            self.absences.get(day),
            self.duties.get(day),
        )

    @cached_property
    def leave(self) -> Mapping[date, Sequence[LeaveDay]]:
        """The leave of each day that has any. Whole days of one leave share one list."""
        leave_by_day: dict[date, list[LeaveDay]] = {}
        for kind, status, span in self.leave_spans:
            whole_day = [LeaveDay(kind, status, WHOLE_DAY)]
            for day, halves in span.parts():
                morning = halves != WHOLE_DAY and span.halves_off(day).morning
                part = whole_day if halves == WHOLE_DAY else [LeaveDay(kind, status, halves, morning)]
                leave_by_day[day] = leave_by_day[day] + part if day in leave_by_day else part
        return leave_by_day

    def employed_on(self, day: date) -> bool:
        """Whether the day lies between entry and exit, both included; what is not known bounds nothing."""
        return (self.entry is None or self.entry <= day) and (self.leaving is None or day <= self.leaving)

    def workdays_on(self, day: date) -> frozenset[int]:
        """Returns the weekdays on which the person works (0 = Monday), at least one."""
        if not self.workdays:
            return MONDAY_TO_FRIDAY
        index = bisect_right(self.workdays, day, key=_start_of)
        return self.workdays[index - 1][1] if index else MONDAY_TO_FRIDAY

    def costs(self, day: date) -> int:
        """As `PersonDay.costs`, of a single day at less effort: accounts ask it of every day of leave."""
        return 0 if day in self.absences and self.absences[day].unpaid else self._owed_on(day)

    def counts(self, day: date) -> bool:
        """Whether vacation on the day is charged to the account. Earlier vacation is part of the opening days."""
        return self.account_from is None or self.account_from <= day

    def vacation_by_year(self) -> dict[LeaveStatus, dict[int, int]]:
        """Returns the halves of vacation by status and year, without approved vacation that is given back."""
        halves_by_status: dict[LeaveStatus, dict[int, int]] = {}
        for status in self._vacation:
            years = halves_by_status[status] = {}
            for run in self._runs_between(status, self.account_from or date.min, date.max):
                years[run.first.year] = years.get(run.first.year, 0) + self._cost(run, _LEFT_OUT[status])
        return halves_by_status

    def vacation_between(self, first: date, last: date) -> dict[date, int]:
        """Returns by day from `first` to `last` the halves of approved vacation that are credited, independent of their
        cost.
        """
        return {
            day: run.halves
            for run in self._runs_between("approved", first, last)
            for day in days(run.first, run.last)
            if not (day in self.absences and self.absences[day].replaces)
        }

    def taken_until(self, last_day: date) -> int:
        """The halves of approved vacation in a year up to this day of it."""
        first = max(last_day.replace(month=1, day=1), self.account_from or date.min)
        return sum(self._cost(run, _given_back) for run in self._runs_between("approved", first, last_day))

    def _cost(self, run: Run, left_out: Callable[[AbsentDay], bool]) -> int:
        """Returns the halves that vacation costs, without the days of these absences."""
        first, last, halves = run
        if halves >= WHOLE_DAY:
            halves_cost = self._owed_between(first, last)
        else:
            halves_cost = sum(min(halves, self._owed_on(day)) for day in days(first, last))
        for day in self._absent_between(first, last):
            if left_out(self.absences[day]):
                halves_cost -= min(halves, self._owed_on(day))
        return halves_cost

    def _runs_between(self, status: LeaveStatus, first: date, last: date) -> Sequence[Run]:
        """Returns runs of vacation that share no day, in order, cut to the given days."""
        runs = self._vacation[status]
        begin, end = bisect_left(runs, first, key=_last_day), bisect_right(runs, last, key=_first_day)
        clipped_runs = list(runs[begin:end])
        if clipped_runs and clipped_runs[0].first < first:
            clipped_runs[0] = clipped_runs[0]._replace(first=first)
        if clipped_runs and last < clipped_runs[-1].last:
            clipped_runs[-1] = clipped_runs[-1]._replace(last=last)
        return clipped_runs

    @cached_property
    def _vacation(self) -> Mapping[LeaveStatus, Sequence[Run]]:
        runs_by_status: dict[LeaveStatus, list[Run]] = {"approved": [], "pending": []}
        for kind, status, span in self.leave_spans:
            if kind == "vacation" and status in runs_by_status:
                runs_by_status[status] += span.runs()
        return {status: _disjoint(runs) for status, runs in runs_by_status.items()}

    def _absent_between(self, first: date, last: date) -> Sequence[date]:
        return self._absent[bisect_left(self._absent, first) : bisect_right(self._absent, last)]

    @cached_property
    def _absent(self) -> Sequence[date]:
        return sorted(self.absences)

    def taken_of_carried(self, last_day: date) -> int:
        """Returns the carried days, in halves, that were taken or paid out up to this day; carried days are taken
        first.
        """
        booked = (
            booking for booking in self.booked if _within_year(booking.date, last_day) and self.counts(booking.date)
        )
        return self.taken_until(last_day) - sum(min(booking.vacation_halves, 0) for booking in booked)

    def leave_possible(self, first: date, last: date) -> tuple[int, int]:
        """Returns two counts of halves from `first` to `last`: those that vacation could still take, and those that
        Elternzeit or Mutterschutz blocks. Days of approved vacation are neither.
        """
        possible, as_parent = self._owed_between(first, last), 0
        for day in self._absent_between(first, last):
            absence = self.absences[day]
            if _blocks_leave(absence):
                owed = self._owed_on(day)
                possible -= owed
                as_parent += owed if absence.keeps_from_leave and absence.as_parent else 0
        taken_halves = (self._cost(run, _blocks_leave) for run in self._runs_between("approved", first, last))
        return possible - sum(taken_halves), as_parent

    def _owed_between(self, first: date, last: date) -> int:
        """The halves that would be worked from `first` to `last` if nothing came between."""
        if self.entry is not None and first < self.entry:
            first = self.entry
        if self.leaving is not None and self.leaving < last:
            last = self.leaving
        if not self.workdays:
            return self.owed.between(MONDAY_TO_FRIDAY, first, last)
        stretch_starts = [first, *(start for start, _ in self.workdays if first < start <= last)]
        stretch_ends = [*(start - DAY for start in stretch_starts[1:]), last]
        stretches = zip(stretch_starts, stretch_ends, strict=True)
        return sum(self.owed.between(self.workdays_on(start), start, end) for start, end in stretches)

    def _owed_on(self, day: date) -> int:
        """As `PersonDay.owed_halves`."""
        return self.owed.on(self.workdays_on(day), day) if self.employed_on(day) else 0

    def back_from_parental_leave(self, last_day: date) -> date | None:
        """Returns the day after the last day of Elternzeit or Mutterschutz up to `last_day`, or None."""
        away = [
            day
            for day, absence in self.absences.items()
            if absence.as_parent and absence.status == "excused" and day <= last_day
        ]
        return max(away) + DAY if away else None

    def excused_between(self, first: date, last: date) -> Collection[date]:
        """Returns the days from `first` to `last` of an absence that was excused and counts as worked."""
        absent_days = self._absent_between(first, last)
        return [day for day in absent_days if self.absences[day].status == "excused" and self.absences[day].credited]

    def away_between(self, first: date, last: date) -> Collection[date]:
        """Returns the days from `first` to `last` with an absence or approved vacation."""
        return {*self._absent_between(first, last), *self.vacation_between(first, last)}

    @property
    def returned(self) -> Collection[date]:
        """The days whose vacation is given back."""
        return {day for day, absence in self.absences.items() if absence.returns}


def _owed(holiday_on: Callable[[date], Off | None], weekdays: frozenset[int], day: date) -> int:
    return _costs(holiday_on(day)) if day.weekday() in weekdays else 0


def _owed_between(
    owed_on: Callable[[frozenset[int], date], int], weekdays: frozenset[int], first: date, last: date
) -> int:
    return sum(owed_on(weekdays, day) for day in days(first, last))


def _costs(off: Off | None) -> int:
    """Returns the halves that leave costs on a day that would otherwise be worked."""
    return 2 if off is None else 2 - off.halves


def _vacation(leave: Sequence[LeaveDay], status: LeaveStatus) -> int:
    vacation_halves = 0
    for leave_day in leave:
        if leave_day.kind == "vacation" and leave_day.status == status:
            vacation_halves += leave_day.halves
    return vacation_halves


def _disjoint(runs: list[Run]) -> list[Run]:
    """Returns runs that share no day, in order; two halves on one day are summed."""
    runs.sort()
    if all(earlier.last < later.first for earlier, later in pairwise(runs)):
        return runs
    halves: Counter[date] = Counter()
    for run in runs:
        for day in days(run.first, run.last):
            halves[day] += run.halves
    return [Run(day, day, count) for day, count in sorted(halves.items())]


def _unpaid(absence: AbsentDay) -> bool:
    return absence.unpaid


def _given_back(absence: AbsentDay) -> bool:
    return absence.unpaid or absence.returns


def _blocks_leave(absence: AbsentDay) -> bool:
    return absence.unpaid or absence.keeps_from_leave


_LEFT_OUT: Final[Mapping[LeaveStatus, Callable[[AbsentDay], bool]]] = {"approved": _given_back, "pending": _unpaid}
"""The absences whose days cost no vacation."""


def _within_year(day: date, last_day: date) -> bool:
    return day.year == last_day.year and day <= last_day
