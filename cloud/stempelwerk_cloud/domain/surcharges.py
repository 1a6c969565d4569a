"""Minutes of work with a surcharge by law (§ 3b EStG), and minutes in the night of the ArbZG.

Night is from 20 h to 6 h. The part from 0 h to 4 h counts as `night40` if night work began before midnight. Sundays and
holidays last until 4 h of the following day under the same condition. `holiday150` are 24 December from 14 h, 25 and 26
December and 1 May; `holiday` are other public holidays and 31 December from 14 h.

A minute counts for at most one of `sunday`, `holiday` and `holiday150`, the dearest. In addition it counts for at most
one of `night` and `night40`. Night work began before midnight if any part of the shift lies in the evening before, from
20 h.
"""

import calendar
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import DAY, EPOCH, MINUTE, day_start, local_day, minute_of

Rest = Literal["", "sunday", "holiday", "holiday150"]
_DEARER: Final[tuple[Rest, ...]] = ("", "sunday", "holiday", "holiday150")


@dataclass(frozen=True, slots=True)
class Law:
    """The hours of the local day when surcharges begin and end.

    `eves`: by (month, day), from which hour on the day is a holiday, and its kind. `greatest`: (month, day) of days
    that are `holiday150` from beginning to end.
    """

    night_from: int = 20
    deep_until: int = 4
    night_until: int = 6
    act_night_from: int = 23
    act_night_until: int = 6
    eves: Mapping[tuple[int, int], tuple[int, Rest]] = field(
        default_factory=lambda: {(12, 24): (14, "holiday150"), (12, 31): (14, "holiday")}
    )
    greatest: Collection[tuple[int, int]] = ((5, 1), (12, 25), (12, 26))

    @property
    def hours(self) -> list[int]:
        """The hours that cut a local day into windows."""
        windows = {self.night_from, self.deep_until, self.night_until, self.act_night_from, self.act_night_until}
        return sorted({0} | windows | {hour for hour, _ in self.eves.values()})


LAWS: Final[Sequence[tuple[date, Law]]] = ((date.min, Law()),)
"""The laws, oldest first, each with its first local day."""


class Surcharges(NamedTuple):
    """Whole minutes by surcharge. `net`: all minutes worked. `act_night`: those in the night of the ArbZG, from 23 h to
    6 h.
    """

    net: int = 0
    night: int = 0
    night40: int = 0
    sunday: int = 0
    holiday: int = 0
    holiday150: int = 0
    act_night: int = 0

    @staticmethod
    def total(some: "Iterable[Surcharges]") -> "Surcharges":
        return Surcharges(*map(sum, zip(*some, strict=True)))


class Stretch(NamedTuple):
    """The worked time of an entry as minutes since 1970, from `first` up to `last` (exclusive). `day` is the entry's
    date.
    """

    day: date
    first: int
    last: int


class _Piece(NamedTuple):
    """The part of a stretch that lies in one window of a local day. `of`: the date of its entry; `hour`: the begin of
    the window.
    """

    of: date
    day: date
    hour: int
    minutes: int


def stretch(day: date, end: datetime, raw: int, pause: int) -> Stretch:
    """Returns the stretch of an entry with this end. A deducted break (`pause`) is taken from its end.

    `raw` is smaller than the distance between start and end if part of the entry overlaps an earlier one, where those
    minutes are counted.
    """
    return Stretch(day, minute_of(end) - raw, minute_of(end) - pause)


def surcharges(
    shifts: Iterable[Sequence[Stretch]], zone_on: Callable[[date], ZoneInfo], is_holiday: Callable[[date], bool]
) -> dict[date, Surcharges]:
    """Returns one person's minutes by the date of their entries, as in accounts: a night counts on the day when it
    began.

    `shifts`: the stretches of each shift. `is_holiday`: whether a day is a public holiday at the place of work.
    """
    sums_by_day: dict[date, list[int]] = {}
    for shift in shifts:
        pieces = [piece for entry_stretch in shift for piece in _pieces(entry_stretch, zone_on(entry_stretch.day))]
        evenings = {piece.day for piece in pieces if piece.hour >= law_on(piece.day).night_from}
        for of, day, hour, minutes in pieces:
            if (sums := sums_by_day.get(of)) is None:
                sums = sums_by_day[of] = [0] * len(Surcharges._fields)
            previous_day = day - DAY
            for place in _surcharge_indexes(
                day, hour, previous_day in evenings, is_holiday(day), is_holiday(previous_day)
            ):
                sums[place] += minutes
    return {day: Surcharges(*sums) for day, sums in sums_by_day.items()}


def act_night(worked: Stretch, zone: ZoneInfo) -> int:
    """Returns the minutes of a stretch that lie in the night of the ArbZG, counted as `surcharges` does. They do not
    depend on other stretches.
    """
    day, minutes = _first_day(worked, zone), 0
    while True:
        for night_start, night_end in _act_nights(day, zone):
            if worked.first < night_end and night_start < worked.last:
                minutes += max(0, min(worked.last, night_end) - max(worked.first, night_start))
        if worked.last <= _cuts(day, zone)[-1][1]:
            return minutes
        day += DAY


def law_on(day: date) -> Law:
    for valid_from, law in reversed(LAWS):
        if valid_from <= day:
            return law
    raise AssertionError("the first law holds from ever")


@lru_cache(maxsize=4000)
def _surcharge_indexes(day: date, hour: int, begun: bool, holiday: bool, holiday_before: bool) -> Sequence[int]:
    """Returns the indexes of those fields of `Surcharges` that the minutes of a window add to. The result is cached and
    shared by all employees of a company.

    `begun`: night work began before the midnight when the window's day begins. `holiday` and `holiday_before`: whether
    the day and the previous day are public holidays.
    """
    law = law_on(day)
    begun = begun and hour < law.deep_until
    night = hour >= law.night_from or hour < law.night_until
    rest_kind = _rest_kind(day, hour, law, holiday)
    if begun:
        rest_kind = max(rest_kind, _rest_kind(day - DAY, 23, law, holiday_before), key=_DEARER.index)
    kind_counts = {
        "net": True,
        "night40" if begun else "night": night,
        "act_night": _is_act_night(law, hour),
        rest_kind: rest_kind != "",
    }
    return tuple(Surcharges._fields.index(name) for name, counts in kind_counts.items() if counts)


def _is_act_night(law: Law, hour: int) -> bool:
    return hour >= law.act_night_from or hour < law.act_night_until


def _rest_kind(day: date, hour: int, law: Law, holiday: bool) -> Rest:
    monthday = day.month, day.day
    eve_hour, eve = law.eves.get(monthday, (24, ""))
    own_kind: Rest = "holiday150" if monthday in law.greatest else "holiday" if holiday else ""
    if not own_kind and day.weekday() == calendar.SUNDAY:
        own_kind = "sunday"
    return max(own_kind, eve if hour >= eve_hour else "", key=_DEARER.index)


def _pieces(worked: Stretch, zone: ZoneInfo) -> Iterator[_Piece]:
    if worked.first >= worked.last:
        return
    day = _first_day(worked, zone)
    of, first, last = worked
    while True:
        cuts = _cuts(day, zone)
        for (hour, window_start), (_, window_end) in pairwise(cuts):
            if last <= window_start:
                return
            if first < window_end:
                yield _Piece(
                    of,
                    day,
                    hour,
                    (last if last < window_end else window_end) - (first if first > window_start else window_start),
                )
        if last <= cuts[-1][1]:
            return
        day += DAY


def _first_day(worked: Stretch, zone: ZoneInfo) -> date:
    """Returns the local day when a stretch begins. That is its entry's date, unless a clock change or a new time zone
    has moved it.
    """
    cuts = _cuts(worked.day, zone)
    if cuts[0][1] <= worked.first < cuts[-1][1]:
        return worked.day
    return local_day(EPOCH + worked.first * MINUTE, zone)


@lru_cache(maxsize=2000)
def _act_nights(day: date, zone: ZoneInfo) -> Sequence[tuple[int, int]]:
    """Returns the nights of the ArbZG on a local day, as begin and end in minutes since 1970."""
    law = law_on(day)
    windows = pairwise(_cuts(day, zone))
    return [(window_start, window_end) for (hour, window_start), (_, window_end) in windows if _is_act_night(law, hour)]


@lru_cache(maxsize=2000)
def _cuts(day: date, zone: ZoneInfo) -> Sequence[tuple[int, int]]:
    """Returns the windows of a local day: the hour and the minute since 1970 when each begins, and finally the day's
    end.
    """
    inside = [(hour, minute_of(datetime.combine(day, time(hour), zone))) for hour in law_on(day).hours if hour]
    return ((0, minute_of(day_start(day, zone))), *inside, (24, minute_of(day_start(day + DAY, zone))))
