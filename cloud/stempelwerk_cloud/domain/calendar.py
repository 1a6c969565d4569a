"""Months and working days. Which days are public holidays is an argument: a set of dates, or None for "none chosen"."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date

_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


def month_bounds(month: str) -> tuple[date, date]:
    """First and last day of `YYYY-MM`; ValueError if that is no month."""
    if not _MONTH.fullmatch(month):
        raise ValueError(f"not a month: {month!r}")
    year, number = month.split("-")
    first = date(int(year), int(number), 1)
    return first, first.replace(day=monthrange(first.year, first.month)[1])


def days(first: date, last: date) -> Iterator[date]:
    """Every day from `first` to `last`, both included."""
    for ordinal in range(first.toordinal(), last.toordinal() + 1):
        yield date.fromordinal(ordinal)


def working_days(first: date, last: date) -> list[date]:
    """The Mondays to Fridays from `first` to `last`, both included; holidays are among them."""
    return [day for day in days(first, last) if day.weekday() < 5]
