"""Public holidays by Bundesland, in German."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain import holidays
from stempelwerk_cloud.domain.calendar import days

LANDS = "BB BE BW BY HB HE HH MV NI NW RP SH SL SN ST TH"
REGIONS = [f"DE-{land}" for land in LANDS.split()]
NATIONWIDE = {
    "Neujahr",
    "Karfreitag",
    "Ostermontag",
    "Erster Mai",
    "Christi Himmelfahrt",
    "Pfingstmontag",
    "Tag der Deutschen Einheit",
    "Erster Weihnachtstag",
    "Zweiter Weihnachtstag",
}


def test_bavaria_has_these_holidays() -> None:
    assert dict(holidays.holidays_between("DE-BY", date(2026, 1, 1), date(2026, 12, 31))) == {
        date(2026, 1, 1): "Neujahr",
        date(2026, 1, 6): "Heilige Drei Könige",
        date(2026, 4, 3): "Karfreitag",
        date(2026, 4, 6): "Ostermontag",
        date(2026, 5, 1): "Erster Mai",
        date(2026, 5, 14): "Christi Himmelfahrt",
        date(2026, 5, 25): "Pfingstmontag",
        date(2026, 6, 4): "Fronleichnam",
        date(2026, 10, 3): "Tag der Deutschen Einheit",
        date(2026, 11, 1): "Allerheiligen",
        date(2026, 12, 25): "Erster Weihnachtstag",
        date(2026, 12, 26): "Zweiter Weihnachtstag",
    }


def test_what_is_a_holiday_in_single_municipalities_alone_is_none() -> None:
    assert date(2026, 8, 15) not in holidays.of_year("DE-BY", 2026)  # Mariä Himmelfahrt
    assert date(2026, 8, 8) not in holidays.of_year("DE-BY", 2026)  # Augsburg
    assert holidays.of_year("DE-SL", 2026)[date(2026, 8, 15)] == "Mariä Himmelfahrt"


def test_single_years_had_holidays_of_their_own() -> None:
    assert holidays.of_year("DE-NI", 2017)[date(2017, 10, 31)] == "Reformationstag"
    assert holidays.of_year("DE-BE", 2025)[date(2025, 5, 8)].startswith("80. Jahrestag")
    assert date(2024, 5, 8) not in holidays.of_year("DE-BE", 2024)


@pytest.mark.parametrize("region", REGIONS)
def test_every_bundesland_has_the_holidays_of_the_whole_country(region: str) -> None:
    for year in range(1995, 2101, 7):
        assert set(holidays.of_year(region, year).values()) >= NATIONWIDE, year


@pytest.mark.parametrize("year", [1, 1989, 2101, 9999])
def test_of_other_years_nothing_is_known(year: int) -> None:
    assert holidays.of_year("DE-BY", year) == {}


def test_all_of_the_calendar_can_be_asked_for() -> None:
    holiday_dates = [day for day, _ in holidays.holidays_between("DE-BY", date.min, date.max)]
    assert holiday_dates[0].year >= holidays.FIRST_YEAR
    assert holiday_dates[-1] == date(holidays.LAST_YEAR, 12, 26)


@given(st.sampled_from(REGIONS), st.dates(date(1991, 1, 1), date(2099, 12, 31)), st.integers(0, 500))
def test_a_stretch_has_the_holidays_of_its_days(region: str, first: date, length: int) -> None:
    last = first + timedelta(days=length)
    single = [
        (day, name) for day in days(first, last) for name in [holidays.of_year(region, day.year).get(day)] if name
    ]
    assert list(holidays.holidays_between(region, first, last)) == single
