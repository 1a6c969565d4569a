"""Public holidays by Bundesland, with their German names. Holidays of single municipalities are not included."""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache
from types import MappingProxyType

from holidays import PUBLIC, country_holidays

from stempelwerk_cloud.domain.instants import DAY

EVERYWHERE = "DE"
"""The region, in place of a Bundesland, with only the nine holidays that all of them have."""
_MONDAYS = ("Ostermontag", "Pfingstmontag")
FIRST_YEAR, LAST_YEAR = 1990, 2100
"""The years with known holidays. Outside of them no day is a holiday."""


@lru_cache(maxsize=16 * 8)
def of_year(region: str, year: int) -> Mapping[date, str]:
    """Returns the names of a year's holidays by date, oldest first. `region` is a Bundesland such as "DE-BY", or
    `EVERYWHERE`.
    """
    if not FIRST_YEAR <= year <= LAST_YEAR:
        return MappingProxyType({})
    country, _, land = region.partition("-")
    country_table = country_holidays(
        country, subdiv=land or None, years=year, expand=False, language="de", categories=PUBLIC
    )
    return MappingProxyType(dict(sorted(country_table.items())))


def holidays_between(region: str, first: date, last: date) -> Iterator[tuple[date, str]]:
    """Yields date and name of the holidays from `first` to `last`, both included, in order."""
    for year in range(max(first.year, FIRST_YEAR), min(last.year, LAST_YEAR) + 1):
        for day, name in of_year(region, year).items():
            if first <= day <= last:
                yield day, name


def sundays_between(first: date, last: date) -> Iterator[date]:
    """Yields Easter Sunday and Whit Sunday of each year, from `first` to `last`, both included."""
    for year in range(max(first.year, FIRST_YEAR), min(last.year, LAST_YEAR) + 1):
        for monday in (day for day, name in of_year(EVERYWHERE, year).items() if name in _MONDAYS):
            if first <= monday - DAY <= last:
                yield monday - DAY
