"""A company's public holidays and free days, computed from its stored settings and free days. Pure."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from typing import Final

from stempelwerk_cloud.domain import holidays
from stempelwerk_cloud.domain.days import Off
from stempelwerk_cloud.kit.dated import Change, InForce
from stempelwerk_cloud.timekeeping.ledger import settings

_WHOLE: Final = 2


class Holidays:
    """The public holidays of the Bundesland that the company had chosen on each day, and the company's free days.

    Without a choice there are no public holidays. A day that is both counts as the public holiday.
    """

    __slots__ = ("_changes", "_free", "_off", "_years")

    def __init__(self, changes: Iterable[Change], free: Mapping[date, Off] | None = None) -> None:
        self._changes = [change for change in changes if change.setting == settings.HOLIDAY_REGION.name]
        self._free = free or {}
        self._years: dict[int, dict[date, str]] = {}
        self._off: dict[tuple[date, date], dict[date, Off]] = {}

    def public_between(self, first: date, last: date) -> dict[date, str]:
        """Returns the German names of the public holidays from `first` to `last`, both included, oldest first."""
        names_by_day: dict[date, str] = {}
        for start, end in self._stretches(first, last):
            region = InForce(self._changes, start)[settings.HOLIDAY_REGION]
            if region is not None:
                names_by_day.update(holidays.holidays_between(region, start, end))
        return names_by_day

    def paid_between(self, first: date, last: date) -> Collection[date]:
        """Returns the days from `first` to `last` with holiday surcharges for work (§ 3b (2) EStG).

        They are the holidays at the place of work: those of the Bundesland (without a choice those of all Länder), free
        days that are holidays by law, and Easter Sunday and Whit Sunday (R 3b (3) LStR).
        """
        paid_days = {day for day, off in self._free.items() if off.legal and first <= day <= last}
        for start, end in self._stretches(first, last):
            region = InForce(self._changes, start)[settings.HOLIDAY_REGION]
            paid_days |= {day for day, _ in holidays.holidays_between(region or holidays.EVERYWHERE, start, end)}
            paid_days |= set(holidays.sundays_between(start, end))
        return paid_days

    def off_between(self, first: date, last: date) -> Mapping[date, Off]:
        """Returns the public holidays and free days from `first` to `last`, both included, oldest first."""
        if (first, last) not in self._off:  # the same for many people
            free = {day: off for day, off in self._free.items() if first <= day <= last}
            public = {day: Off(name, _WHOLE, legal=True) for day, name in self.public_between(first, last).items()}
            self._off[first, last] = dict(sorted((free | public).items()))
        return self._off[first, last]

    def names(self, first: date, last: date) -> dict[date, str]:
        """Returns the names of the public holidays and free days from `first` to `last`, both included."""
        return {day: off.name for day, off in self.off_between(first, last).items()}

    def on(self, day: date) -> Off | None:
        """Returns the public holiday or free day of a day; None for any other day."""
        name = self._public(day)
        return self._free.get(day) if name is None else Off(name, _WHOLE, legal=True)

    def _public(self, day: date) -> str | None:
        if not self._changes:
            return None
        if day.year not in self._years:
            self._years[day.year] = self.public_between(date(day.year, 1, 1), date(day.year, 12, 31))
        return self._years[day.year].get(day)

    def _stretches(self, first: date, last: date) -> list[tuple[date, date]]:
        """Splits the days from `first` to `last` at each change of the settings, into (first, last)."""
        piece_starts = sorted(
            {first} | {change.valid_from for change in self._changes if first < change.valid_from <= last}
        )
        piece_ends = [start - timedelta(days=1) for start in piece_starts[1:]] + [last]
        return list(zip(piece_starts, piece_ends, strict=True))
