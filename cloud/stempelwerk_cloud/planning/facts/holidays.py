"""A company's public holidays. Pure: what it has set comes in as rows."""

from collections.abc import Iterable
from datetime import date, timedelta

from stempelwerk_cloud.domain import holidays
from stempelwerk_cloud.kit.dated import Change, InForce
from stempelwerk_cloud.timekeeping.entries.service import settings


class Holidays:
    """Each by the Bundesland that the company had chosen on that day; none where it had chosen none."""

    __slots__ = ("_changes", "_years")

    def __init__(self, changes: Iterable[Change]) -> None:
        self._changes = [change for change in changes if change.setting == settings.HOLIDAY_REGION.name]
        self._years: dict[int, dict[date, str]] = {}

    def between(self, first: date, last: date) -> dict[date, str]:
        """Those from `first` to `last`, both included, with their German names, oldest first."""
        found: dict[date, str] = {}
        for start, end in self._stretches(first, last):
            region = InForce(self._changes, start)[settings.HOLIDAY_REGION]
            if region is not None:
                found.update(holidays.between(region, start, end))
        return found

    def on(self, day: date) -> str | None:
        """The name of a day that is one."""
        if not self._changes:
            return None
        if day.year not in self._years:
            self._years[day.year] = self.between(date(day.year, 1, 1), date(day.year, 12, 31))
        return self._years[day.year].get(day)

    def _stretches(self, first: date, last: date) -> list[tuple[date, date]]:
        """The days from `first` to `last` in pieces, during each of which nothing changes."""
        starts = sorted({first} | {change.valid_from for change in self._changes if first < change.valid_from <= last})
        ends = [start - timedelta(days=1) for start in starts[1:]] + [last]
        return list(zip(starts, ends, strict=True))
