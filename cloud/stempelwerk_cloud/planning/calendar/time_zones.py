"""Time zones in the form of iCalendar (RFC 5545, VTIMEZONE): yearly rules instead of single dates. Pure.

Some calendars read rules (RRULE) and ignore lists of dates (RDATE). Clock changes that follow one rule each year become
one observance with an RRULE. Any other change becomes an observance with a single onset. `zoneinfo` knows offsets but
no rules, so this module infers the rules from the dates.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from icalendar import Timezone, TimezoneDaylight, TimezoneStandard

from stempelwerk_cloud.domain.instants import DAY, EPOCH, MINUTE

YEARS_AHEAD = 28
"""The calendar repeats after 28 years, so the dates of these years fit one rule only."""
STEP = 7 * DAY
"""The step of the search for clock changes. No zone changes its clocks twice within a week."""
WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
WEEK = 7


class ClockState(NamedTuple):
    """Offset, abbreviation and daylight saving of a zone's wall clocks."""

    offset: timedelta
    name: str
    is_daylight: bool


class Onset(NamedTuple):
    """A change of the clocks; `local` is its time by the old state."""

    instant: datetime
    local: datetime
    old: ClockState
    new: ClockState

    @property
    def is_daylight(self) -> bool:
        """Whether summer time begins: the clocks are set ahead. Calendars expect that, even where the law reverses the
        names.
        """
        if self.old.is_daylight == self.new.is_daylight:
            return self.new.is_daylight
        return self.new.offset > self.old.offset

    @property
    def kind(self) -> tuple[object, ...]:
        """The key of an onset: all onsets of one observance have the same."""
        return self.old, self.new, self.local.time()


Rule = tuple[tuple[str, Any], ...]
"""The parts of an RRULE that select the day of a year."""


@dataclass(slots=True)
class Observance:
    """Onsets of one kind in successive years. `rules`: those that fit all of them, the simplest first."""

    onsets: list[Onset]
    rules: list[Rule]

    def extend(self, onset: Onset) -> bool:
        """Adds the onset of the next year and returns True if a rule fits it."""
        if onset.local.year != self.onsets[-1].local.year + 1:
            return False
        candidates = set(_rules(onset.local.date()))
        rules = [rule for rule in self.rules if rule in candidates]
        if rules:
            self.onsets.append(onset)
            self.rules = rules
        return bool(rules)


def describe(zone: ZoneInfo, first: date, last: date) -> Timezone:
    """Returns a VTIMEZONE that is correct from `first` to `last`.

    It omits observances that end before `first` or begin more than a year after `last`. Most zones need two.
    """
    timezone = Timezone()
    timezone.add("tzid", zone.key)
    horizon = min(last.year + YEARS_AHEAD, date.max.year - 1)
    observances = _observances(zone, horizon)
    day_before = max(datetime(first.year, first.month, first.day, tzinfo=UTC) - DAY, EPOCH)
    year_later = datetime(last.year + 2, 1, 1, tzinfo=UTC)
    onsets = [onset.instant for observance in observances for onset in observance.onsets]
    in_force = max(instant for instant in onsets if instant <= day_before)
    for observance in observances:
        if observance.onsets[-1].instant >= in_force and observance.onsets[0].instant < year_later:
            timezone.add_component(_component(observance, horizon))
    return timezone


def _component(observance: Observance, horizon: int) -> TimezoneStandard | TimezoneDaylight:
    first, last = observance.onsets[0], observance.onsets[-1]
    component = TimezoneDaylight() if first.is_daylight else TimezoneStandard()
    component.add("dtstart", first.local)
    component.TZOFFSETFROM, component.TZOFFSETTO = first.old.offset, first.new.offset
    component.add("tzname", first.new.name)
    if last is not first:
        limit = {} if last.local.year == horizon else {"UNTIL": last.instant}
        component.add("rrule", {"FREQ": "YEARLY", **dict(observance.rules[0]), **limit})
    return component


@lru_cache(maxsize=128)
def _observances(zone: ZoneInfo, horizon: int) -> list[Observance]:
    """Returns the observances from 1970 to the end of the year `horizon`, ordered by their first onset."""
    observances: list[Observance] = []
    latest: dict[object, Observance] = {}
    for onset in _onsets(zone, horizon):
        observance = latest.get(onset.kind)
        if observance is None or not observance.extend(onset):
            latest[onset.kind] = Observance([onset], list(_rules(onset.local.date())))
            observances.append(latest[onset.kind])
    return observances


def _onsets(zone: ZoneInfo, horizon: int) -> Iterator[Onset]:
    """Yields the state of 1970 as the first onset, and then each clock change until the end of the year `horizon`."""
    state, limit = _state(zone, EPOCH), datetime(horizon + 1, 1, 1, tzinfo=UTC)
    yield Onset(EPOCH, EPOCH.replace(tzinfo=None), state, state)
    instant = EPOCH
    while instant < limit:
        step_end = min(instant + STEP, limit)
        if _state(zone, step_end) != state:
            change = _change_between(zone, instant, step_end)
            old, state = state, _state(zone, change)
            yield Onset(change, (change + old.offset).replace(tzinfo=None), old, state)
        instant = step_end


def _change_between(zone: ZoneInfo, low: datetime, high: datetime) -> datetime:
    """Returns the first minute after the clock change between two instants, found by bisection."""
    old = _state(zone, low)
    while high - low > MINUTE:
        middle = low + (high - low) // MINUTE // 2 * MINUTE
        if _state(zone, middle) == old:
            low = middle
        else:
            high = middle
    return high


def _state(zone: ZoneInfo, instant: datetime) -> ClockState:
    local = instant.astimezone(zone)
    return ClockState(local.utcoffset() or timedelta(), local.tzname() or zone.key, bool(local.dst()))


def _rules(day: date) -> Iterator[Rule]:
    """Yields the yearly rules that select this day, the simplest first.

    They are: the last or the nth weekday of a month, the first weekday on or after a date, the same date each year. A
    week that reaches into the next month is counted from the end of the year, because leap years do not move that.
    """
    weekday, month = WEEKDAYS[day.weekday()], ("BYMONTH", day.month)
    month_end = (day.replace(day=28) + 4 * DAY).replace(day=1) - DAY
    if month_end.day - day.day < WEEK:
        yield month, ("BYDAY", f"-1{weekday}")
    yield month, ("BYDAY", f"{(day.day - 1) // WEEK + 1}{weekday}")
    for number in range(max(day.day - WEEK + 1, 1), min(day.day, month_end.day - WEEK + 1) + 1):
        yield month, ("BYMONTHDAY", tuple(range(number, number + WEEK))), ("BYDAY", weekday)
    yield month, ("BYMONTHDAY", (day.day,))
    year_day = (day - date(day.year, 12, 31)).days - 1
    for number in range(year_day - WEEK + 1, min(year_day, -WEEK) + 1):
        yield ("BYYEARDAY", tuple(range(number, number + WEEK))), ("BYDAY", weekday)
