"""Some months at the demo's joinery: which tag was held to the clock when, up to now.

Pure, and the same for the same `now` and crew: each person's name seeds their dice. It makes taps, not entries, which
are the service's to derive. It includes night work, stamped and unstamped breaks, forgotten evenings and a forgotten
morning, double taps, a late arrival who chose "Gehen" by hand, leave, illness, people who came later or left, and the
night when the clocks changed.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain import holidays

from .crew import MONTHS, Crew
from .people import EMPLOYEE, FREE_TODAY, REGION, STRANGER, ZONE, Pattern, Person

LEAVE_DAYS = 5
_DAY = timedelta(days=1)
_WHOLE = Crew()
_LONGEST_ILLNESS = 5
_CAREFUL = timedelta(days=14)
_SATURDAY = 5
_NEVER_TODAY = timedelta(minutes=5)  # no taps while the demo is being made


@dataclass(frozen=True)
class Tap:
    """A tag held to the demo's clock at an instant; the direction that the person chose, and what the clock showed."""

    tapped_at: datetime
    tag: str
    direction: Literal["auto", "in", "out"]
    displayed: Literal["in", "out", "double_tap", "unknown"]


def today_of(now: datetime) -> date:
    """Returns the date in the joinery's zone."""
    return now.astimezone(ZoneInfo(ZONE)).date()


def first_day(now: datetime, months: int = MONTHS) -> date:
    """Returns the first day of the month that lies `months` back, in the joinery's zone."""
    today = today_of(now)
    months = today.year * 12 + today.month - 1 - months
    return date(months // 12, months % 12 + 1, 1)


def last_clock_change(now: datetime) -> date:
    """Returns the day of the last completed change between summer and winter time."""
    zone, day = ZoneInfo(ZONE), today_of(now) - timedelta(days=2)
    while _offset(day, zone) == _offset(day + timedelta(days=1), zone):
        day -= timedelta(days=1)
    return day


def taps(now: datetime, crew: Crew = _WHOLE) -> list[Tap]:
    """Returns every tap from the first day to five minutes before `now`, in order of time."""
    latest = now - _NEVER_TODAY
    person_taps = [
        tap for person in crew.people for tap in _taps_of(person, now, crew.months) if tap.tapped_at <= latest
    ]
    return sorted(person_taps, key=lambda tap: (tap.tapped_at, tap.tag))


def strangers(now: datetime) -> list[Tap]:
    """Returns the taps of an unassigned tag on the last workday: the person cannot be identified."""
    day = today_of(now) - timedelta(days=1)
    while day.weekday() >= _SATURDAY:
        day -= timedelta(days=1)
    return [Tap(_instant(day, tapped_at), STRANGER, "auto", "unknown") for tapped_at in (time(7, 4), time(15, 52))]


def employment_of(person: Person, now: datetime, months: int) -> tuple[date, date | None]:
    """Returns a person's first day, and their last one if they have left."""
    first = first_day(now, months)
    days = (today_of(now) - first).days
    return (
        first + days * person.came_percent // 100 * _DAY,
        None if person.left_percent == 100 else first + days * person.left_percent // 100 * _DAY,
    )


def leaves_of(person: Person, now: datetime, months: int, dice: random.Random | None = None) -> list[date]:
    """Returns the first days of a person's leaves, one each quarter; `dice` are theirs, not used before."""
    dice, first = dice or random.Random(person.name), first_day(now, months)
    latest = min(70, 30 * months - 20)
    return [first + timedelta(days=quarter * 91 + dice.randrange(10, latest)) for quarter in range(max(months // 3, 1))]


def absences_of(person: Person, now: datetime, months: int, leaves: list[date] | None = None) -> set[date]:
    """Returns the days of leave or illness; for careful people the public holidays, too."""
    leave = {start + day * _DAY for start in leaves or leaves_of(person, now, months) for day in range(LEAVE_DAYS)}
    if person.careful:
        leave |= {day for day, _ in holidays.holidays_between(REGION, first_day(now, months), today_of(now))}
    return leave | {start + day * _DAY for start, days in illnesses_of(person, now, months) for day in range(days)}


def illnesses_of(person: Person, now: datetime, months: int) -> list[tuple[date, int]]:
    """Returns the start and the number of days of each illness; they do not overlap and lie within the employment."""
    dice = random.Random(f"{person.name}, krank")
    begin, end = employment_of(person, now, months)
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


def unsettled_from(person: Person, now: datetime, months: int) -> date:
    """Returns the day before which omissions are corrected, in a longer history than the usual one or for careful
    people.
    """
    if person.careful:
        return max(first_day(now, months), today_of(now) - _CAREFUL)
    return first_day(now, months if months <= MONTHS else 2)


def start_of_history(now: datetime, months: int = MONTHS) -> datetime:
    """Returns an instant before every tap; from then on the clock belongs to the joinery."""
    first = min(first_day(now, months), last_clock_change(now) - timedelta(days=7))
    return _instant(first, time(0, 0))


def _offset(day: date, zone: ZoneInfo) -> timedelta | None:
    return datetime.combine(day, time(0, 0), zone).utcoffset()


def _instant(day: date, local: time) -> datetime:
    return datetime.combine(day, local, ZoneInfo(ZONE)).astimezone(UTC)


def _taps_of(person: Person, now: datetime, months: int) -> Iterator[Tap]:
    dice = random.Random(person.name)
    today, change = today_of(now), last_clock_change(now)
    off = absences_of(person, now, months, leaves_of(person, now, months, dice))
    day, exit_date = employment_of(person, now, months)
    # The change of clocks belongs in the story, however long ago it was.
    if person.pattern is Pattern.NIGHT and person.stays:
        for days in range(-6, -1):
            if (night := change + timedelta(days=days)) < day:
                yield from _night(person, night, dice)
        yield from _night(person, change - timedelta(days=1), dice)
    lately = unsettled_from(person, now, months)
    while day <= min(exit_date or today, today):
        absent = day in off or (day == today and person.name in FREE_TODAY)
        if not absent and day != change - timedelta(days=1):
            # Less is forgotten further back: each omission there is corrected, which takes the service time.
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
    begin = _instant(day, person.starts_at) + timedelta(seconds=dice.randrange(-480, 240))
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
    """Returns whether this is Anna's second Tuesday of a month, so that her account has something to show."""
    return person is EMPLOYEE and day.weekday() == 1 and 8 <= day.day < 15


def _night(person: Person, day: date, dice: random.Random) -> Iterator[Tap]:
    begin = _instant(day, person.starts_at) + timedelta(seconds=dice.randrange(-420, 180))
    end = _instant(day + timedelta(days=1), time(6, 0)) + timedelta(seconds=dice.randrange(-120, 600))
    break_start = begin + timedelta(hours=4, seconds=dice.randrange(-600, 600))
    yield Tap(begin, person.tag, "auto", "in")
    yield Tap(break_start, person.tag, "auto", "out")
    yield Tap(break_start + timedelta(seconds=dice.randrange(1800, 2520)), person.tag, "auto", "in")
    yield Tap(end, person.tag, "auto", "out")
