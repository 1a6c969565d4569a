"""How days, spans, durations and money are written: one form each, in messages, mails, refusals and on paper.

The web (`ui/writtenDays.ts`, `ui/durations.ts`) and the clock's touchscreen write the same.
"""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

MONTHS = (
    *("Januar", "Februar", "März", "April", "Mai", "Juni"),
    *("Juli", "August", "September", "Oktober", "November", "Dezember"),
)


def day_in_table(day: date) -> str:
    """16.09.2026"""
    return f"{day:%d.%m.%Y}"


def written_day(day: date) -> str:
    """16. September 2026: what a sentence says."""
    return f"{day.day}. {month(day)}"


def days(each: Sequence[date]) -> str:
    """30. November 2026, 1., 3. Dezember 2026: of days in order, a month once"""
    said = [
        f"{day.day}." if (day.year, day.month) == (after.year, after.month) else written_day(day)
        for day, after in pairwise(each)
    ]
    return ", ".join([*said, written_day(each[-1])])


def month(day: date) -> str:
    """September 2026"""
    return f"{MONTHS[day.month - 1]} {day.year}"


def period(first: date, last: date) -> str:
    """5. bis 6. November 2026; without what both days have in common."""
    if first == last:
        return written_day(last)
    begins = f"{first.day}."
    if (first.year, first.month) != (last.year, last.month):
        begins += f" {MONTHS[first.month - 1]}"
    if first.year != last.year:
        begins += f" {first.year}"
    return f"{begins} bis {written_day(last)}"


def when(first: date, last: date) -> str:
    """am 5. November 2026, or vom 5. bis 6. November 2026"""
    return f"{'am' if first == last else 'vom'} {period(first, last)}"


def when_all(days: Sequence[date]) -> str:
    """am 5. November 2026 und vom 9. bis 10. November 2026: each run of days, which are in order"""
    starts = [place for place, day in enumerate(days) if not place or day - days[place - 1] > timedelta(days=1)]
    *others, last = (when(days[start], days[end - 1]) for start, end in pairwise([*starts, len(days)]))
    return f"{', '.join(others)} und {last}" if others else last


def remark(words: str) -> str:
    """What somebody adds in their own words, with an end that can be seen: a message may go on behind it."""
    return f"Anmerkung: „{words}“"


def clock(minute: int) -> str:
    """07:00, of a minute since midnight."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def span(start: int, end: int | None) -> str:
    """07:00–16:00, or ab 07:00"""
    return f"ab {clock(start)}" if end is None else f"{clock(start)}–{clock(end)}"


def duration(minutes: int) -> str:
    """8h 22m; what is less than nothing with a minus sign."""
    return f"{'−' if minutes < 0 else ''}{abs(minutes) // 60}h {abs(minutes) % 60:02d}m"


def difference(minutes: int) -> str:
    """+8h 30m, −0h 15m, 0h 00m"""
    return f"{'+' if minutes > 0 else ''}{duration(minutes)}"


def euros(cents: int) -> str:
    """1.390,05 €"""
    return f"{cents // 100:,}".replace(",", ".") + f",{cents % 100:02d}\N{NO-BREAK SPACE}€"
