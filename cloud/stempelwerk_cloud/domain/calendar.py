"""Months and working days. Which days are public holidays is an argument: a set of dates, or None for "none chosen"."""

from collections.abc import Iterator
from datetime import date

from stempelwerk_cloud.domain.instants import DAY


def month_bounds(month: str) -> tuple[date, date]:
    """First and last day of `YYYY-MM`; ValueError if that is no month."""
    year, number = month.split("-")
    if len(year) != 4 or len(number) != 2 or not (year + number).isascii() or not (year + number).isdigit():
        raise ValueError(f"not a month: {month!r}")
    first = date(int(year), int(number), 1)
    following = (
        first.replace(year=first.year + 1, month=1) if first.month == 12 else first.replace(month=first.month + 1)
    )
    return first, following - DAY


def days(first: date, last: date) -> Iterator[date]:
    """Every day from `first` to `last`, both included."""
    for ordinal in range(first.toordinal(), last.toordinal() + 1):
        yield date.fromordinal(ordinal)


def working_days(first: date, last: date) -> list[date]:
    """The Mondays to Fridays from `first` to `last`, both included; holidays are among them."""
    return [day for day in days(first, last) if day.weekday() < 5]
