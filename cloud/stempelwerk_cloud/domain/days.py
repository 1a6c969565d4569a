"""The days of one person: for each day its kind and facts, and what follows from them for accounts, leave and plans.

All code that needs the facts of a day uses this module, so that two figures about a day never contradict each other.
Facts are stored sparsely: on a day without a record only employment, weekly targets and holidays count.
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
"""Reasons of special absences that are unpaid unless they are credited: the contract rests, and nothing is due. With
any other reason the day's hours remain due.
"""
PARENTS_REASONS: Final = frozenset({"Elternzeit", "Mutterschutz"})
"""Reasons of absences that keep leave from lapsing (§ 17 (2) BEEG, § 24 MuSchG)."""


class LeaveDay(NamedTuple):
    """The part of one day that leave takes, in halves (1 or 2). Half a day is the afternoon, or with `morning` the
    morning.

    One day can have two items, one for its morning and one for its afternoon.
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
    """Days off of one request: vacation, or a wish that uses no allowance."""

    kind: LeaveKind
    status: LeaveStatus
    span: LeaveSpan
    id: str = ""
    from_closure: bool = False
    """Whether company holidays gave it."""


class AbsentDay(NamedTuple):
    """A day of illness (`sick`), of an unexplained absence (`missing`), or off for another reason (`special`).

    `status` is `open` or `excused`. `noted`: a sick note was handed in for the day, even if its file was deleted since,
    or the employer has it from the health insurance. `credited`: the day counts as worked once it is excused. `reason`:
    only of `special`. `unpaid`: the contract rests, so nothing is due, credited or paid. `as_parent`: the reason is
    Elternzeit or Mutterschutz.
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
        """Whether no leave can be taken on this day."""
        return self.kind == "sick" or self.status == "excused"

    @property
    def returns(self) -> bool:
        """Whether vacation on this day is given back, because a sick note was handed in for it (§ 9 BUrlG)."""
        return self.kind == "sick" and self.noted

    @property
    def replaces(self) -> bool:
        """Whether the illness is credited instead of vacation on the same day. Until the illness is excused the
        vacation stays credited, so that the day is never without a credit.
        """
        return self.returns and self.status == "excused"


class Off(NamedTuple):
    """A public holiday or a free day of the company. `halves`: 2 for a whole day, 1 for half a day.

    `legal`: it counts as a holiday by law. Every public holiday does, and a free day if the company marks it so.
    """

    name: str
    halves: int
    legal: bool = False


class Booked(NamedTuple):
    """A booking on a day: minutes or half vacation days that are added to an account, or if negative taken from it. The
    other one of the two is 0.
    """

    id: str
    date: date
    minutes: int
    vacation_halves: int
    reason: str


class PersonDay(NamedTuple):
    """All facts of one day of a person. `target` is exact, in parts of a minute (`account.exact`)."""

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
        """The number of halves that leave can cost on this day at most; 0 if the contract rests."""
        return 0 if self.unpaid else self.owed_halves

    @property
    def owed_halves(self) -> int:
        """The number of halves that would be worked without absences: on a workday within the employment those that are
        not free.
        """
        return _costs(self.holiday) if self.employed and self.workday else 0

    @property
    def unpaid(self) -> bool:
        """Whether the contract rests on this day, so that nothing is due or paid."""
        return self.absence is not None and self.absence.unpaid

    @property
    def ill(self) -> bool:
        """Whether the person is reported sick for this day, even if no administrator has excused it yet."""
        return self.absence is not None and self.absence.kind == "sick"

    @property
    def away(self) -> bool:
        """Whether the person is not expected at work: ill, excused, or on approved leave for the whole day."""
        if self.absence is not None and (self.ill or self.absence.status == "excused"):
            return True
        return sum(leave_day.halves for leave_day in self.leave if leave_day.status == "approved") > 1

    def worked_on_leave(self, minutes: int) -> bool:
        """Returns whether the person worked although they were ill or on vacation. `minutes`: the net minutes of the
        day.

        With half a day of vacation, work up to half of the day's target is allowed, or any work if the day has no
        target.
        """
        if self.ill:
            return True
        vacation_halves = min(self.vacation("approved"), self.costs)
        if vacation_halves < self.costs:
            return vacation_halves > 0 and 0 < nearest(self.target // 2) < minutes
        return vacation_halves > 0

    def off(self, status: LeaveStatus) -> TimeOff:
        """Returns the halves of the day that leave with this status takes, including wishes."""
        halves = [leave_day.off for leave_day in self.leave if leave_day.status == status]
        return TimeOff(any(half.morning for half in halves), any(half.afternoon for half in halves))

    def on_leave(self, status: LeaveStatus, duty: Planned) -> bool:
        """Returns whether leave with this status, including wishes, overlaps a duty on this day."""
        return meets(duty, self.off(status))

    def vacation(self, status: LeaveStatus) -> int:
        """Returns how many halves of the day are vacation with this status."""
        return _vacation(self.leave, status)


class Owed(NamedTuple):
    """Two cached functions: how many halves are worked without absences, on one day and in a period. People with the
    same holidays share them, so each figure is computed once.
    """

    on: Callable[[frozenset[int], date], int]
    """(weekdays that are workdays, day) -> halves."""
    between: Callable[[frozenset[int], date, date], int]
    """(weekdays that are workdays, first, last) -> halves, both days included."""

    @classmethod
    def from_holidays(cls, holiday_on: Callable[[date], Off | None]) -> "Owed":
        on = cache(partial(_owed, holiday_on))
        return cls(on, cache(partial(_owed_between, on)))


@dataclass(frozen=True)
class PersonDays:
    """The facts about a person's days within the period that was read from the database.

    `workdays` is oldest first; before its first day, Monday to Friday are workdays. `owed` must be computed with the
    same holidays as `holiday_on`.
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
        """The leave of each day that has any. The whole days of one request share one list, to save memory."""
        leave_by_day: dict[date, list[LeaveDay]] = {}
        for kind, status, span, *_ in self.leave_spans:
            whole_day = [LeaveDay(kind, status, WHOLE_DAY)]
            for day, halves in span.parts():
                morning = halves != WHOLE_DAY and span.halves_off(day).morning
                part = whole_day if halves == WHOLE_DAY else [LeaveDay(kind, status, halves, morning)]
                leave_by_day[day] = leave_by_day[day] + part if day in leave_by_day else part
        return leave_by_day

    def employed_on(self, day: date) -> bool:
        """Returns whether the day lies within the employment, first and last day included. An unknown first or last day
        does not limit it.
        """
        return (self.entry is None or self.entry <= day) and (self.leaving is None or day <= self.leaving)

    def workdays_on(self, day: date) -> frozenset[int]:
        """Returns the weekdays when the person works, at least one. 0 is Monday."""
        if not self.workdays:
            return MONDAY_TO_FRIDAY
        index = bisect_right(self.workdays, day, key=_start_of)
        return self.workdays[index - 1][1] if index else MONDAY_TO_FRIDAY

    def costs(self, day: date) -> int:
        """Returns `PersonDay.costs` of one day without building that object, because accounts need it for every day of
        leave.
        """
        return 0 if day in self.absences and self.absences[day].unpaid else self._owed_on(day)

    def counts(self, day: date) -> bool:
        """Returns whether vacation on the day is charged to the account. Vacation before the account's first day is
        part of the opening days.
        """
        return self.account_from is None or self.account_from <= day

    def vacation_by_year(self) -> dict[LeaveStatus, dict[int, int]]:
        """Returns how many halves vacation costs, by status and calendar year. Approved vacation that is given back
        costs nothing.
        """
        halves_by_status: dict[LeaveStatus, dict[int, int]] = {}
        for status in self._vacation:
            years = halves_by_status[status] = {}
            for run in self._runs_between(status, self.account_from or date.min, date.max):
                years[run.first.year] = years.get(run.first.year, 0) + self._cost(run, _LEFT_OUT[status])
        return halves_by_status

    def vacation_between(self, first: date, last: date) -> dict[date, int]:
        """Returns the halves of approved vacation that are credited to the time account, by day from `first` to `last`.
        They count even if they cost no vacation.
        """
        return {
            day: run.halves
            for run in self._runs_between("approved", first, last)
            for day in days(run.first, run.last)
            if not (day in self.absences and self.absences[day].replaces)
        }

    def taken_until(self, last_day: date) -> int:
        """Returns how many halves the approved vacation from the beginning of the year until `last_day` costs."""
        first = max(last_day.replace(month=1, day=1), self.account_from or date.min)
        return sum(self._cost(run, _given_back) for run in self._runs_between("approved", first, last_day))

    def _cost(self, run: Run, left_out: Callable[[AbsentDay], bool]) -> int:
        """Returns how many halves a run of vacation costs. Days whose absence makes `left_out` true cost nothing."""
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
        """Returns the vacation with this status as runs in order that share no day, cut to the days from `first` to
        `last`.
        """
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
        for kind, status, span, *_ in self.leave_spans:
            if kind == "vacation" and status in runs_by_status:
                runs_by_status[status] += span.runs()
        return {status: _disjoint(runs) for status, runs in runs_by_status.items()}

    def _absent_between(self, first: date, last: date) -> Sequence[date]:
        return self._absent[bisect_left(self._absent, first) : bisect_right(self._absent, last)]

    @cached_property
    def _absent(self) -> Sequence[date]:
        return sorted(self.absences)

    def taken_of_carried(self, last_day: date) -> int:
        """Returns how many halves were taken or paid out from the beginning of the year until `last_day`. They reduce
        the days carried into the year, because carried days are taken first.
        """
        booked = (
            booking for booking in self.booked if _within_year(booking.date, last_day) and self.counts(booking.date)
        )
        return self.taken_until(last_day) - sum(min(booking.vacation_halves, 0) for booking in booked)

    def leave_possible(self, first: date, last: date) -> tuple[int, int]:
        """Returns two counts of halves from `first` to `last`: those when vacation could have been taken, and those
        that Elternzeit or Mutterschutz prevented. Days of approved vacation are in neither.
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
        """Returns how many halves would be worked from `first` to `last` without leave and absences."""
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
        """Returns `PersonDay.owed_halves` of one day without building that object."""
        return self.owed.on(self.workdays_on(day), day) if self.employed_on(day) else 0

    def duties_in(self, span: LeaveSpan) -> list[date]:
        """Returns the days of the duties that overlap this leave, oldest first."""
        return sorted(
            day
            for day, duty in self.duties.items()
            if span.start <= day <= span.end and meets(duty, span.halves_off(day))
        )

    def back_from_parental_leave(self, last_day: date) -> date | None:
        """Returns the day after the last excused day of Elternzeit or Mutterschutz until `last_day`; None without such
        a day.
        """
        away = [
            day
            for day, absence in self.absences.items()
            if absence.as_parent and absence.status == "excused" and day <= last_day
        ]
        return max(away) + DAY if away else None

    def excused_between(self, first: date, last: date) -> Collection[date]:
        """Returns the days from `first` to `last` with an excused absence that counts as worked."""
        absent_days = self._absent_between(first, last)
        return [day for day in absent_days if self.absences[day].status == "excused" and self.absences[day].credited]

    def away_between(self, first: date, last: date) -> Collection[date]:
        """Returns the days from `first` to `last` with an absence or approved vacation."""
        return {*self._absent_between(first, last), *self.vacation_between(first, last)}

    @property
    def returned(self) -> Collection[date]:
        """The days when vacation is given back because of a sick note (§ 9 BUrlG)."""
        return {day for day, absence in self.absences.items() if absence.returns}


def _owed(holiday_on: Callable[[date], Off | None], weekdays: frozenset[int], day: date) -> int:
    return _costs(holiday_on(day)) if day.weekday() in weekdays else 0


def _owed_between(
    owed_on: Callable[[frozenset[int], date], int], weekdays: frozenset[int], first: date, last: date
) -> int:
    return sum(owed_on(weekdays, day) for day in days(first, last))


def _costs(off: Off | None) -> int:
    """Returns how many halves leave costs on a workday with this holiday or free day (None: with neither)."""
    return 2 if off is None else 2 - off.halves


def _vacation(leave: Sequence[LeaveDay], status: LeaveStatus) -> int:
    vacation_halves = 0
    for leave_day in leave:
        if leave_day.kind == "vacation" and leave_day.status == status:
            vacation_halves += leave_day.halves
    return vacation_halves


def _disjoint(runs: list[Run]) -> list[Run]:
    """Returns the runs in order and without overlaps. Where runs overlap, halves of the same day are summed."""
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
"""A function for each status of the vacation: whether vacation on a day with this absence costs nothing."""


def _within_year(day: date, last_day: date) -> bool:
    return day.year == last_day.year and day <= last_day
