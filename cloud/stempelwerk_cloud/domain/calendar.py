"""Months and working days. Which days are public holidays is an argument: a set of dates, or None for "none chosen"."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date

LONG_AGO_YEARS = 10
_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


def month_bounds(month: str) -> tuple[date, date]:
    """First and last day of `YYYY-MM`; ValueError if that is no month."""
    if not _MONTH.fullmatch(month):
        raise ValueError(f"not a month: {month!r}")
    year, number = month.split("-")
    first = date(int(year), int(number), 1)
    return first, first.replace(day=monthrange(first.year, first.month)[1])


def month_of(day: date) -> tuple[date, date]:
    """First and last day of the day's month."""
    return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])


def shifted(day: date, by: int) -> date:
    """So many days later, or earlier; at most the first or the last day that there is."""
    return date.fromordinal(min(max(day.toordinal() + by, date.min.toordinal()), date.max.toordinal()))


def period(first: date | None, last: date | None, today: date, most: int) -> tuple[date, date]:
    """The days from `first` to `last`; what is None comes from the current month.

    Where that makes no period, or one of more than `most` days, it comes from the month of the day that was named. What
    was named is never changed, so two named days may still make no period.
    """
    month = month_of(today)
    if first is None and last is None:
        return month
    if last is None and first is not None:
        last = month[1] if 0 <= (month[1] - first).days < most else month_of(first)[1]
    if first is None and last is not None:
        first = month[0] if 0 <= (last - month[0]).days < most else month_of(last)[0]
    assert first is not None
    assert last is not None
    return first, last


def days(first: date, last: date) -> Iterator[date]:
    """Every day from `first` to `last`, both included."""
    return map(date.fromordinal, range(first.toordinal(), last.toordinal() + 1))


def years_from(day: date, years: int) -> date:
    """The same day so many years later, or before (negative); of a 29 February the 28th where there is none.

    Beyond the calendar its first or last day.
    """
    year = day.year + years
    if not date.min.year <= year <= date.max.year:
        return date.min if years < 0 else date.max
    return day.replace(year=year, day=min(day.day, monthrange(year, day.month)[1]))


def long_ago(day: date, today: date) -> bool:
    """Whether it is so long ago that nobody enters it any more but by mistake."""
    return day < years_from(today, -LONG_AGO_YEARS)
