"""German formats of days, spans, durations and money: one form each, in messages, mails, refusals and on paper; and the
sort order of words.

The web (`ui/writtenDays.ts`, `ui/durations.ts`) and the clock's touchscreen use the same formats; `ui/alphabet.ts`
sorts so.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise

MONTHS = (
    *("Januar", "Februar", "März", "April", "Mai", "Juni"),
    *("Juli", "August", "September", "Oktober", "November", "Dezember"),
)

MARKS = "\u0300-\u036f"
"""Combining marks, as a range for a regular expression, such as the dots of an umlaut."""
LIGATURES = {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i"}
"""Letters that Unicode does not decompose, with the letters that they are sorted as."""
_MARKS = re.compile(f"[{MARKS}]")
_LIGATURES = str.maketrans(LIGATURES)


def alphabetical(word: str) -> str:
    """Returns the sort key of a word (DIN 5007-1): ä as a, ö as o, ü as u, ß as ss, é as e, without case. Words that
    are equal otherwise are sorted plain letter first.

    `kit/database/alphabet.py` computes the same key in SQL.
    """
    folded = unicodedata.normalize("NFKC", word).casefold()
    base = _MARKS.sub("", unicodedata.normalize("NFKD", folded)).translate(_LIGATURES)
    return f"{base}\x01{folded}"


@lru_cache(maxsize=4000)
def day_in_table(day: date) -> str:
    """Returns "16.09.2026"."""
    return f"{day.day:02d}.{day.month:02d}.{day.year}"


def written_day(day: date) -> str:
    """Returns "16. September 2026", the form for sentences."""
    return f"{day.day}. {month(day)}"


def month(day: date) -> str:
    """Returns "September 2026"."""
    return f"{MONTHS[day.month - 1]} {day.year}"


def period(first: date, last: date) -> str:
    """Returns "5. bis 6. November 2026": a span, whose first day leaves out the parts that both days share."""
    return written_day(last) if first == last else f"{_abbreviated(first, last)} bis {written_day(last)}"


def _abbreviated(day: date, later: date) -> str:
    """Returns "30. Oktober": the day without the parts that it shares with the later day."""
    text = f"{day.day}."
    if (day.year, day.month) != (later.year, later.month):
        text += f" {MONTHS[day.month - 1]}"
    if day.year != later.year:
        text += f" {day.year}"
    return text


def when(first: date, last: date) -> str:
    """Returns "am 5. November 2026" or "vom 5. bis 6. November 2026"."""
    return f"{'am' if first == last else 'vom'} {period(first, last)}"


def when_all(days: Sequence[date]) -> str:
    """Returns "am 5. November 2026 und vom 9. bis 10. November 2026": all runs of the sorted days."""
    *earlier, last = (when(*run) for run in _runs(days))
    return f"{', '.join(earlier)} und {last}" if earlier else last


def join_days(days: Sequence[date]) -> str:
    """Returns "30. November, 1., 7.–9. Dezember 2026": many sorted days, as briefly as possible."""
    runs = _runs(days)
    formatted_ends = [
        *(_abbreviated(last, next_first) for (_, last), (next_first, _) in pairwise(runs)),
        written_day(days[-1]),
    ]
    return ", ".join(_from(*run) + end for run, end in zip(runs, formatted_ends, strict=True))


def _from(first: date, last: date) -> str:
    if first == last:
        return ""
    return f"{_abbreviated(first, last)}{'–' if first.month == last.month else ' – '}"


def _runs(days: Sequence[date]) -> list[tuple[date, date]]:
    run_starts = [index for index, day in enumerate(days) if not index or day - days[index - 1] > timedelta(days=1)]
    return [(days[start], days[end - 1]) for start, end in pairwise([*run_starts, len(days)])]


def value(any_value: object) -> str:
    """Returns `ja` or `nein` for a bool, and the text of any other value."""
    if isinstance(any_value, bool):
        return "ja" if any_value else "nein"
    return str(any_value)


def remark(words: str) -> str:
    """Returns a person's remark in quotation marks, so that a message may continue after it."""
    return f"Anmerkung: „{words}“"


@lru_cache(maxsize=3000)
def clock(minute: int) -> str:
    """Returns "07:00" for a minute since midnight."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def span(start: int, end: int | None) -> str:
    """Returns "07:00–16:00" for minutes since midnight, or "ab 07:00" without an end."""
    return f"ab {clock(start)}" if end is None else f"{clock(start)}–{clock(end)}"


def duration(minutes: int) -> str:
    """Returns "8h 22m"; a negative duration begins with a minus sign."""
    return f"{'−' if minutes < 0 else ''}{abs(minutes) // 60}h {abs(minutes) % 60:02d}m"


def difference(minutes: int) -> str:
    """Returns "+8h 30m", "−0h 15m" or "0h 00m"."""
    return f"{'+' if minutes > 0 else ''}{duration(minutes)}"


def euros(cents: int) -> str:
    """Returns "1.390,05 €", with a no-break space."""
    return f"{cents // 100:,}".replace(",", ".") + f",{cents % 100:02d}\N{NO-BREAK SPACE}€"
