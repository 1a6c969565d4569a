"""Of what was worked, the minutes for which the law knows a surcharge: § 3b EStG, and the night of the ArbZG.

Night is 20 to 6 h; 0 to 4 h of it, if night work had begun before midnight, is `night40`. Sunday and holiday reach to
4 h of the following day under the same condition. 24 December from 14 h, 25 and 26 December and 1 May are
`holiday150`, other public holidays and 31 December from 14 h `holiday`. Night stands beside them; a minute is one of
`sunday`, `holiday` and `holiday150` alone, the dearest, and one of `night` and `night40`.

Night work has begun before midnight if any of the shift lies in the evening before, from 20 h on.
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
    """Windows in hours of the local day. `eves`: what a day of a month is like from an hour on; `greatest`: all day."""

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
        """Where a day is cut."""
        windows = {self.night_from, self.deep_until, self.night_until, self.act_night_from, self.act_night_until}
        return sorted({0} | windows | {hour for hour, _ in self.eves.values()})


LAWS: Final[Sequence[tuple[date, Law]]] = ((date.min, Law()),)
"""With the local day from which each holds, oldest first."""


class Surcharges(NamedTuple):
    """Whole minutes; `net` are all that were worked, `act_night` those of the ArbZG's night, 23 to 6 h."""

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
    """What was worked of an entry: from `first` to before `last`, minutes since 1970; `day` is the entry's date."""

    day: date
    first: int
    last: int


class _Piece(NamedTuple):
    """As much of a stretch as lies in one window of a local day; `hour` is where that begins."""

    of: date
    day: date
    hour: int
    minutes: int


def stretch(day: date, end: datetime, raw: int, pause: int) -> Stretch:
    """Of an entry that ends then: a break that is deducted is taken from its end.

    `raw` may be less than the distance from its start: what overlaps an entry before it has its minutes there.
    """
    return Stretch(day, minute_of(end) - raw, minute_of(end) - pause)


def surcharges(
    shifts: Iterable[Sequence[Stretch]], zone_on: Callable[[date], ZoneInfo], is_holiday: Callable[[date], bool]
) -> dict[date, Surcharges]:
    """One person's minutes by the date of their entries, as accounts have them: a night stands where it began.

    `shifts`: the stretches of each. `is_holiday`: the public holidays of the place of work.
    """
    found: dict[date, list[int]] = {}
    for shift in shifts:
        pieces = [piece for one in shift for piece in _pieces(one, zone_on(one.day))]
        evenings = {piece.day for piece in pieces if piece.hour >= law_on(piece.day).night_from}
        for of, day, hour, minutes in pieces:
            if (sums := found.get(of)) is None:
                sums = found[of] = [0] * len(Surcharges._fields)
            before = day - DAY
            for place in _counted(day, hour, before in evenings, is_holiday(day), is_holiday(before)):
                sums[place] += minutes
    return {day: Surcharges(*sums) for day, sums in found.items()}


def act_night(one: Stretch, zone: ZoneInfo) -> int:
    """The minutes of a stretch in the ArbZG's night, as `surcharges` counts them: no other stretch alters them."""
    day, minutes = _first_day(one, zone), 0
    while True:
        for begins, ends in _act_nights(day, zone):
            if one.first < ends and begins < one.last:
                minutes += max(0, min(one.last, ends) - max(one.first, begins))
        if one.last <= _cuts(day, zone)[-1][1]:
            return minutes
        day += DAY


def law_on(day: date) -> Law:
    for since, law in reversed(LAWS):
        if since <= day:
            return law
    raise AssertionError("the first law holds from ever")


@lru_cache(maxsize=4000)
def _counted(day: date, hour: int, begun: bool, holiday: bool, holiday_before: bool) -> Sequence[int]:
    """As what the minutes of a window count: places of `Surcharges`.

    `begun`: before the midnight that the window's day begins with. The same for everybody of a company.
    """
    law = law_on(day)
    begun = begun and hour < law.deep_until
    night = hour >= law.night_from or hour < law.night_until
    rest = _rest(day, hour, law, holiday)
    if begun:
        rest = max(rest, _rest(day - DAY, 23, law, holiday_before), key=_DEARER.index)
    counted = {
        "net": True,
        "night40" if begun else "night": night,
        "act_night": _is_act_night(law, hour),
        rest: rest != "",
    }
    return tuple(Surcharges._fields.index(name) for name, counts in counted.items() if counts)


def _is_act_night(law: Law, hour: int) -> bool:
    return hour >= law.act_night_from or hour < law.act_night_until


def _rest(day: date, hour: int, law: Law, holiday: bool) -> Rest:
    monthday = day.month, day.day
    since, eve = law.eves.get(monthday, (24, ""))
    own: Rest = "holiday150" if monthday in law.greatest else "holiday" if holiday else ""
    if not own and day.weekday() == calendar.SUNDAY:
        own = "sunday"
    return max(own, eve if hour >= since else "", key=_DEARER.index)


def _pieces(one: Stretch, zone: ZoneInfo) -> Iterator[_Piece]:
    if one.first >= one.last:
        return
    day = _first_day(one, zone)
    of, first, last = one
    while True:
        cuts = _cuts(day, zone)
        for (hour, begins), (_, ends) in pairwise(cuts):
            if last <= begins:
                return
            if first < ends:
                yield _Piece(of, day, hour, (last if last < ends else ends) - (first if first > begins else begins))
        if last <= cuts[-1][1]:
            return
        day += DAY


def _first_day(one: Stretch, zone: ZoneInfo) -> date:
    """Returns the local day in which a stretch begins: its entry's, unless its clock or its zone changed."""
    cuts = _cuts(one.day, zone)
    if cuts[0][1] <= one.first < cuts[-1][1]:
        return one.day
    return local_day(EPOCH + one.first * MINUTE, zone)


@lru_cache(maxsize=2000)
def _act_nights(day: date, zone: ZoneInfo) -> Sequence[tuple[int, int]]:
    """Returns the night of the ArbZG on a day, as the minutes since 1970 of each begin and end."""
    law = law_on(day)
    windows = pairwise(_cuts(day, zone))
    return [(begins, ends) for (hour, begins), (_, ends) in windows if _is_act_night(law, hour)]


@lru_cache(maxsize=2000)
def _cuts(day: date, zone: ZoneInfo) -> Sequence[tuple[int, int]]:
    """The day's windows: the hour and the minute since 1970 at which each begins, and the day's end."""
    inside = [(hour, minute_of(datetime.combine(day, time(hour), zone))) for hour in law_on(day).hours if hour]
    return ((0, minute_of(day_start(day, zone))), *inside, (24, minute_of(day_start(day + DAY, zone))))
