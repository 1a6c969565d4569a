"""Months and working days. Public holidays are an argument: a set of dates, or None if no region is chosen."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date


def months_after(day: date, months: int) -> date:
    """Returns the same day `months` months later (negative: earlier), or the last day of that month if it is
    shorter.
    """
    month_number = day.year * 12 + day.month - 1 + months
    year, month = divmod(month_number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


LONG_AGO_YEARS = 10
_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


def month_bounds(month: str) -> tuple[date, date]:
    """Returns the first and last day of a month `YYYY-MM`. Raises ValueError if the text is no month."""
    if not _MONTH.fullmatch(month):
        raise ValueError(f"not a month: {month!r}")
    year, number = month.split("-")
    first = date(int(year), int(number), 1)
    return first, first.replace(day=monthrange(first.year, first.month)[1])


def month_of(day: date) -> tuple[date, date]:
    """Returns the first and last day of the day's month."""
    return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])


def shifted(day: date, offset_days: int) -> date:
    """Returns the day `offset_days` later (negative: earlier), limited to the calendar's first and last day."""
    return date.fromordinal(min(max(day.toordinal() + offset_days, date.min.toordinal()), date.max.toordinal()))


def period(first: date | None, last: date | None, today: date, max_days: int) -> tuple[date, date]:
    """Returns the days from `first` to `last`. A bound that is None comes from the current month.

    If that is no valid period, or longer than `max_days` days, the missing bound comes from the month of the given day.
    Given days are never changed, so two given days may still be no valid period.
    """
    month = month_of(today)
    if first is None and last is None:
        return month
    if last is None and first is not None:
        last = month[1] if 0 <= (month[1] - first).days < max_days else month_of(first)[1]
    if first is None and last is not None:
        first = month[0] if 0 <= (last - month[0]).days < max_days else month_of(last)[0]
    assert first is not None
    assert last is not None
    return first, last


def days(first: date, last: date) -> Iterator[date]:
    """Yields every day from `first` to `last`, both included."""
    return map(date.fromordinal, range(first.toordinal(), last.toordinal() + 1))


def years_from(day: date, years: int) -> date:
    """Returns the same date `years` years later (negative: earlier). 29 February becomes 28 February in other years.
    The result is limited to the calendar's first and last day.
    """
    year = day.year + years
    if not date.min.year <= year <= date.max.year:
        return date.min if years < 0 else date.max
    return day.replace(year=year, day=min(day.day, monthrange(year, day.month)[1]))


def long_ago(day: date, today: date) -> bool:
    """Returns whether the day is so far in the past that it must be a typing error."""
    return day < years_from(today, -LONG_AGO_YEARS)
