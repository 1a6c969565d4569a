"""Some months at the demo's joinery: who held which tag to the clock when, up to now.

Pure, and the same for the same `now` and crew: the dice are loaded by each person's name. It makes taps, not entries;
what they amount to is the service's affair. In it are night work, breaks stamped and not stamped, evenings and a
morning that somebody forgot, double taps, a late one who chose "Gehen" by hand, leave, illness, who came later or left,
and the night in which the clocks changed.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from .crew import MONTHS, Crew
from .people import EMPLOYEE, FREE_TODAY, STRANGER, ZONE, Pattern, Person

LEAVE_DAYS = 5
_DAY = timedelta(days=1)
_WHOLE = Crew()
_LONGEST_ILLNESS = 5
_SATURDAY = 5
_NEVER_TODAY = timedelta(minutes=5)  # nobody taps while the demo is being made


@dataclass(frozen=True)
class Tap:
    """One tag held to the clock at an instant; what the person asked for, and what the clock's display then said."""

    at: datetime
    tag: str
    direction: Literal["auto", "in", "out"]
    shown: Literal["in", "out", "double_tap", "unknown"]


def today_of(now: datetime) -> date:
    """The day that it is in the joinery's zone."""
    return now.astimezone(ZoneInfo(ZONE)).date()


def first_day(now: datetime, months: int = MONTHS) -> date:
    """The first of the month so many months ago, in the joinery's zone."""
    today = today_of(now)
    months = today.year * 12 + today.month - 1 - months
    return date(months // 12, months % 12 + 1, 1)


def last_clock_change(now: datetime) -> date:
    """The day of the last change between summer and winter time that is over and done."""
    zone, day = ZoneInfo(ZONE), today_of(now) - timedelta(days=2)
    while _offset(day, zone) == _offset(day + timedelta(days=1), zone):
        day -= timedelta(days=1)
    return day


def taps(now: datetime, crew: Crew = _WHOLE) -> list[Tap]:
    """Every tap from the first day to five minutes before `now`, in order of time."""
    latest = now - _NEVER_TODAY
    found = [tap for person in crew.people for tap in _of(person, now, crew.months) if tap.at <= latest]
    return sorted(found, key=lambda tap: (tap.at, tap.tag))


def strangers(now: datetime) -> list[Tap]:
    """The last workday of somebody whose tag nobody was given: they came and went, and nobody knows who."""
    day = today_of(now) - timedelta(days=1)
    while day.weekday() >= _SATURDAY:
        day -= timedelta(days=1)
    return [Tap(_instant(day, at), STRANGER, "auto", "unknown") for at in (time(7, 4), time(15, 52))]


def employed(person: Person, now: datetime, months: int) -> tuple[date, date | None]:
    """Somebody's first day, and the last one of whoever has left."""
    first = first_day(now, months)
    days = (today_of(now) - first).days
    return (
        first + days * person.came // 100 * _DAY,
        None if person.left == 100 else first + days * person.left // 100 * _DAY,
    )


def leaves_of(person: Person, now: datetime, months: int, dice: random.Random | None = None) -> list[date]:
    """The first days of somebody's leaves, one each quarter; `dice`: theirs, that nobody has thrown yet."""
    dice, first = dice or random.Random(person.name), first_day(now, months)
    latest = min(70, 30 * months - 20)
    return [first + timedelta(days=quarter * 91 + dice.randrange(10, latest)) for quarter in range(max(months // 3, 1))]


def away(person: Person, now: datetime, months: int, leaves: list[date] | None = None) -> set[date]:
    """The days on which somebody is on leave or ill."""
    leave = {start + day * _DAY for start in leaves or leaves_of(person, now, months) for day in range(LEAVE_DAYS)}
    return leave | {start + day * _DAY for start, days in illnesses_of(person, now, months) for day in range(days)}


def illnesses_of(person: Person, now: datetime, months: int) -> list[tuple[date, int]]:
    """When somebody fell ill, and for how many days; never two at once, and while they are employed."""
    dice = random.Random(f"{person.name}, krank")
    begin, end = employed(person, now, months)
    often = max(person.ill * months // 12, min(person.ill, 1))
    room = ((end or today_of(now)) - begin).days // often if often else 0
    return [
        (
            begin + timedelta(days=number * room + dice.randrange(room - _LONGEST_ILLNESS)),
            dice.randint(1, _LONGEST_ILLNESS),
        )
        for number in range(often)
        if room > _LONGEST_ILLNESS
    ]


def start_of_history(now: datetime, months: int = MONTHS) -> datetime:
    """An instant before every tap: from then on the clock hangs in the joinery."""
    first = min(first_day(now, months), last_clock_change(now) - timedelta(days=7))
    return _instant(first, time(0, 0))


def _offset(day: date, zone: ZoneInfo) -> timedelta | None:
    return datetime.combine(day, time(0, 0), zone).utcoffset()


def _instant(day: date, local: time) -> datetime:
    return datetime.combine(day, local, ZoneInfo(ZONE)).astimezone(UTC)


def _of(person: Person, now: datetime, months: int) -> Iterator[Tap]:
    dice = random.Random(person.name)
    today, change = today_of(now), last_clock_change(now)
    off = away(person, now, months, leaves_of(person, now, months, dice))
    day, left = employed(person, now, months)
    # The change of clocks belongs in the story, however long ago it was.
    if person.pattern is Pattern.NIGHT and person.stays:
        for days in range(-6, -1):
            if (night := change + timedelta(days=days)) < day:
                yield from _night(person, night, dice)
        yield from _night(person, change - timedelta(days=1), dice)
    lately = first_day(now, min(months, MONTHS))
    while day <= min(left or today, today):
        absent = day in off or (day == today and person.name in FREE_TODAY)
        if not absent and day != change - timedelta(days=1):
            # Further back less is forgotten: all of that is put right, which takes the service its time.
            forgetful = day < today - timedelta(days=5) and (day >= lately or day.day % 4 == 0)
            yield from _shift(person, day, dice, forgetful)
        day += timedelta(days=1)


def _shift(person: Person, day: date, dice: random.Random, forgetful: bool) -> Iterator[Tap]:
    if day.weekday() > _SATURDAY or (day.weekday() == _SATURDAY and dice.random() > 0.08):
        return
    if person.pattern is Pattern.NIGHT:
        if day.weekday() < 4:
            yield from _night(person, day, dice)
        return
    hours = 4.5 if person.pattern is Pattern.HALF or day.weekday() == _SATURDAY else 6.5 if day.weekday() == 4 else 9.0
    begin = _instant(day, person.starts) + timedelta(seconds=dice.randrange(-480, 240))
    end = begin + timedelta(hours=hours, seconds=dice.randrange(-420, 1500))
    if forgetful and dice.random() < 0.012:  # the morning was forgotten; in the evening "Gehen" is chosen by hand
        yield Tap(end, person.tag, "out", "out")
        return
    yield Tap(begin, person.tag, "auto", "in")
    if dice.random() < 0.04:
        yield Tap(begin + timedelta(seconds=dice.randrange(4, 40)), person.tag, "auto", "double_tap")
    if forgetful and (dice.random() < 0.02 or _is_annas_tuesday(person, day)):  # the rest of the day was forgotten
        return
    if person.pattern is Pattern.DAY and hours > 6:
        lunch = _instant(day, time(12, 0)) + timedelta(seconds=dice.randrange(-300, 300))
        yield Tap(lunch, person.tag, "auto", "out")
        yield Tap(lunch + timedelta(seconds=dice.randrange(1740, 2400)), person.tag, "auto", "in")
    yield Tap(end, person.tag, "auto", "out")


def _is_annas_tuesday(person: Person, day: date) -> bool:
    """Once a month there is something to see for whoever logs in as the employee."""
    return person is EMPLOYEE and day.weekday() == 1 and 8 <= day.day < 15


def _night(person: Person, day: date, dice: random.Random) -> Iterator[Tap]:
    begin = _instant(day, person.starts) + timedelta(seconds=dice.randrange(-420, 180))
    end = _instant(day + timedelta(days=1), time(6, 0)) + timedelta(seconds=dice.randrange(-120, 600))
    rest = begin + timedelta(hours=4, seconds=dice.randrange(-600, 600))
    yield Tap(begin, person.tag, "auto", "in")
    yield Tap(rest, person.tag, "auto", "out")
    yield Tap(rest + timedelta(seconds=dice.randrange(1800, 2520)), person.tag, "auto", "in")
    yield Tap(end, person.tag, "auto", "out")
