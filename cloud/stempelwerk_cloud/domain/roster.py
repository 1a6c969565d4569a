"""Rules that find problems in a plan: length of shifts, night work, rest, days in a row, substitute days, and time off.

A duty is a local day, with or without times. Times are local minutes since midnight; an end at or before the start lies
on the next day. Nothing is concluded from a time that is not known. The rules only report; they refuse nothing.
"""

import heapq
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import DAY, MINUTE, local_day
from stempelwerk_cloud.domain.settings import SHIFT_GAP_MINUTES
from stempelwerk_cloud.domain.working_time_act import Limits, Night, PlanCode, break_due

SUNDAY = 6
MOST_DAYS_IN_A_ROW = 6
"""The highest lawful number of working days in a row: Monday to Saturday (§ 3 ArbZG), with Sunday free (§ 9 ArbZG)."""
SUBSTITUTE_FOR_SUNDAY = 13
"""The substitute day for work on a Sunday lies at most this number of days after it: within two weeks that include the
Sunday (§ 11 (3) ArbZG).
"""
SUBSTITUTE_FOR_HOLIDAY = 55
"""The substitute day for work on a public holiday on a weekday lies at most this number of days after it: within eight
weeks that include the holiday (§ 11 (3) ArbZG).
"""
REACH_DAYS = SUBSTITUTE_FOR_HOLIDAY + MOST_DAYS_IN_A_ROW
"""The maximum number of days between two duties that can affect each other's result."""

DAY_MINUTES = 24 * 60
MORNING_OFF_UNTIL = 11 * 60
"""Local minute. A duty that begins at this time or later leaves the morning free."""
AFTERNOON_OFF_FROM = 14 * 60
"""Local minute. A duty that ends at this time or earlier leaves the afternoon free."""

ZoneOn = Callable[[date], ZoneInfo]
"""A function that returns the time zone in force on a local day."""
LimitsOn = Callable[[date], Limits]
"""A function that returns the person's limits of working time on a day."""
RestOn = Callable[[date], int]
"""A function that returns the minutes of rest that the person must have before the duty of a day."""


class Planned(NamedTuple):
    """A planned duty, with the fields that these rules need."""

    date: date
    start_minute: int | None
    end_minute: int | None

    @property
    def last_minute(self) -> int | None:
        """The end in minutes since the midnight when the duty's day begins; more than `DAY_MINUTES` if it lies on the
        next day. None if it is unknown.
        """
        if self.start_minute is None or self.end_minute is None:
            return None
        return self.end_minute if self.end_minute > self.start_minute else self.end_minute + DAY_MINUTES


class TimeOff(NamedTuple):
    """Which halves of a day a person has off."""

    morning: bool
    afternoon: bool


def meets(duty: Planned, off: TimeOff) -> bool:
    """Returns whether a duty overlaps time off on its own day.

    A duty without times overlaps any half that is off. A duty without an end lasts until midnight.
    """
    if off.morning == off.afternoon or duty.start_minute is None:
        return off.morning or off.afternoon
    if off.morning:
        return duty.start_minute < MORNING_OFF_UNTIL
    return (duty.last_minute or DAY_MINUTES) > AFTERNOON_OFF_FROM


def runs_into(duty: Planned, off: TimeOff) -> bool:
    """Returns whether a night duty overlaps time off on the day after it."""
    if duty.end_minute is None or not reaches_next_day(duty):
        return False
    return meets(Planned(duty.date, 0, duty.end_minute), off)


def reaches_next_day(duty: Planned) -> bool:
    """Returns whether a duty ends later than the midnight that ends its day."""
    return (duty.last_minute or 0) > DAY_MINUTES


def times_fit(start_minute: int | None, end_minute: int | None) -> bool:
    """Returns whether the times of a duty are possible: an end requires a start, and the two differ."""
    return end_minute is None if start_minute is None else start_minute != end_minute


@lru_cache(maxsize=20_000)  # many people share duties, and plans are read often
def span(duty: Planned, zone: ZoneInfo) -> tuple[datetime | None, datetime | None]:
    """Returns start and end of a duty in UTC; None for what is unknown.

    For a local time that exists twice, the start is the first and the end the second one. A time that a clock change
    skips becomes the moment of the change, or the same distance after it. Both are None at the ends of the calendar.
    """
    if duty.start_minute is None:
        return None, None
    try:
        start = _instant(duty.date, duty.start_minute, zone, fold=0)
        if duty.end_minute is None:
            return start, None
        last = duty.date if duty.end_minute > duty.start_minute else duty.date + DAY
        return start, _instant(last, duty.end_minute, zone, fold=1)
    except OverflowError:
        return None, None


def has_begun(duty: Planned, zone: ZoneInfo, now: datetime) -> bool:
    """Returns whether the duty's start has passed; without a start, whether its day has."""
    start, _ = span(duty, zone)
    return local_day(now, zone) > duty.date if start is None else start <= now


def short_rests(duties: Iterable[Planned], zone_on: ZoneOn, rest_on: RestOn) -> set[date]:
    """Returns the days whose duty begins too soon after the previous duty (§ 5 ArbZG). Duties with unknown times are
    ignored.
    """
    spans = [(*span(duty, zone_on(duty.date)), duty.date) for duty in duties]
    short, ended = set(), None
    for start, end, day in sorted((start, end or start, day) for start, end, day in spans if start is not None):
        if ended is not None and start - ended < rest_on(day) * MINUTE:
            short.add(day)
        ended = end if ended is None else max(ended, end)
    return short


def beyond_limits(duties: Collection[Planned], zone_on: ZoneOn, limits_on: LimitsOn) -> set[tuple[date, PlanCode]]:
    """Returns the days whose duty exceeds the person's limits, each with the warning code of these limits.

    Duties that lie less than 5 h apart form a shift. A planned shift is judged like a worked one: by the limits of its
    first day, without the breaks that the law demands. If a shift is too long, its last duty gets the warning.
    """
    warnings = set()
    for shift in _shifts(duties, zone_on):
        limits = limits_on(shift[0][2])
        complete = [(start, end, day) for start, end, day in shift if end is not None]
        if complete and _is_too_long(complete, limits):
            warnings.add((complete[-1][2], limits.plan_code))
    for duty in duties:
        limits = limits_on(duty.date)
        if limits.night is not None and _lies_at_night(duty, limits.night):
            warnings.add((duty.date, limits.plan_code))
    return warnings


def days_in_a_row(days: Collection[date]) -> set[date]:
    """Returns the days that are the seventh or a later one of consecutive days with a duty."""
    long_rows, row, yesterday = set(), 0, -1
    for day in sorted({day.toordinal() for day in days}):
        row = row + 1 if day == yesterday + 1 else 1
        yesterday = day
        if row > MOST_DAYS_IN_A_ROW:
            long_rows.add(date.fromordinal(day))
    return long_rows


def without_substitute(days: Collection[date], holidays: Collection[date]) -> set[date]:
    """Returns the Sundays and public holidays with a duty that leave no later weekday free as a substitute (§§ 9, 11
    (3) ArbZG).

    A substitute day is a weekday (Monday to Saturday) without a duty that is no holiday itself. It lies in the two
    weeks after a Sunday, or the eight weeks after a holiday on a weekday. Each of these days needs a substitute day of
    its own.
    """
    busy, free_anyway = {day.toordinal() for day in days}, {day.toordinal() for day in holidays}
    worked = sorted(day for day in busy if _is_sunday(day) or day in free_anyway)
    waiting: list[tuple[int, int]] = []  # (deadline, day that needs a substitute), the most urgent first
    lacking, coming, today = set(), 0, 0
    while waiting or coming < len(worked):
        today = today if waiting else max(today, worked[coming])
        while coming < len(worked) and worked[coming] < today:
            day = worked[coming]
            within = SUBSTITUTE_FOR_SUNDAY if _is_sunday(day) else SUBSTITUTE_FOR_HOLIDAY
            heapq.heappush(waiting, (day + within, day))
            coming += 1
        while waiting and waiting[0][0] < today:
            lacking.add(date.fromordinal(heapq.heappop(waiting)[1]))
        if waiting and not (today in busy or today in free_anyway or _is_sunday(today)):
            heapq.heappop(waiting)
        today += 1
    return lacking


def reach_of(days: Collection[date]) -> tuple[date, date]:
    """Returns the first and last day whose duties must be known to judge the duties on these days."""
    reach = timedelta(days=REACH_DAYS)
    first, last = min(days), max(days)
    return first - min(reach, first - date.min), last + min(reach, date.max - last)


_Span = tuple[datetime, datetime | None, date]
"""Start and end of a duty in UTC (end None if unknown), and its day."""


def _shifts(duties: Iterable[Planned], zone_on: ZoneOn) -> list[list[_Span]]:
    """Returns the duties with a known start in groups. They are grouped like time entries into shifts."""
    spans = [(*span(duty, zone_on(duty.date)), duty.date) for duty in duties]
    timed = [(start, end, day) for start, end, day in spans if start is not None]
    shifts: list[list[_Span]] = []
    shift_end: datetime | None = None
    for start, end, day in sorted(timed, key=lambda duty_span: (duty_span[0], duty_span[2])):
        if shift_end is not None and start - shift_end < SHIFT_GAP_MINUTES * MINUTE:
            shifts[-1].append((start, end, day))
            shift_end = max(shift_end, end or start)
        else:
            shifts.append([(start, end, day)])
            shift_end = end or start
    return shifts


def _is_too_long(shift: Sequence[tuple[datetime, datetime, date]], limits: Limits) -> bool:
    """Returns whether a shift is too long, not counting the breaks that the law demands. Time that two duties share
    counts once.
    """
    if max(end for _, end, _ in shift) - shift[0][0] <= limits.shift_minutes * MINUTE:
        return False  # a shortcut for nearly all of the thousands of shifts in a year
    worked = break_taken = 0
    worked_until = shift[0][0]
    for start, end, _ in shift:
        gap = (start - worked_until) // MINUTE
        break_taken += gap if gap >= limits.piece_minutes else 0
        worked += max((end - max(start, worked_until)) // MINUTE, 0)
        worked_until = max(worked_until, end)
    return worked - break_due(worked, break_taken, limits) > limits.shift_minutes


def _lies_at_night(duty: Planned, night: Night) -> bool:
    """Returns whether some known time of a duty lies in the night. Only the start counts of a duty without an end."""
    if duty.start_minute is None:
        return False
    last = duty.last_minute or duty.start_minute + 1
    midnights = (-DAY_MINUTES, 0, DAY_MINUTES)
    nights = [(night.start_minute + midnight, night.end_minute + DAY_MINUTES + midnight) for midnight in midnights]
    return any(duty.start_minute < night_end and night_start < last for night_start, night_end in nights)


def _instant(day: date, minute: int, zone: ZoneInfo, *, fold: int) -> datetime:
    wall = time(minute // 60, minute % 60, fold=fold)
    return datetime.combine(day, wall, zone).astimezone(UTC)


def _is_sunday(ordinal: int) -> bool:
    return (ordinal + SUNDAY) % 7 == SUNDAY
