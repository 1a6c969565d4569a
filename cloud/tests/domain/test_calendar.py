"""Days that are years away, and days so long ago that they are typing errors."""

from datetime import date

import pytest
from stempelwerk_cloud.domain.calendar import long_ago, month_bounds, years_from


@pytest.mark.parametrize(
    ("day", "years", "expected"),
    [
        (date(2026, 11, 20), -10, date(2016, 11, 20)),
        (date(2026, 11, 20), 1, date(2027, 11, 20)),
        (date(2028, 2, 29), -10, date(2018, 2, 28)),
        (date(2028, 2, 29), 4, date(2032, 2, 29)),
        (date(10, 1, 1), -10, date.min),
        (date(9999, 1, 1), 1, date.max),
    ],
)
def test_a_day_so_many_years_away_has_the_same_name(day: date, years: int, expected: date) -> None:
    assert years_from(day, years) == expected


def test_ten_years_ago_is_not_long_ago_and_the_day_before_is() -> None:
    today = date(2026, 11, 20)
    assert not long_ago(date(2016, 11, 20), today)
    assert long_ago(date(2016, 11, 19), today)
    assert not long_ago(date.min, date(5, 1, 1))


@pytest.mark.parametrize(
    ("month", "last"), [("2026-02", "2026-02-28"), ("2028-02", "2028-02-29"), ("2026-12", "2026-12-31")]
)
def test_a_month_runs_from_its_first_to_its_last_day(month: str, last: str) -> None:
    assert month_bounds(month) == (date.fromisoformat(f"{month}-01"), date.fromisoformat(last))


@pytest.mark.parametrize(
    "text",
    [
        "2026-13",
        "2026-00",
        "26-01",
        "2026-1",
        "2026-1a",
        "202a-11",
        "2026",
        "2026-11-01",
        "0000-01",
        "2026-11\n",
        "٢٠٢٦-١١",
    ],
)
def test_what_is_no_month_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"month|year"):
        month_bounds(text)


def test_the_last_month_of_the_calendar_has_an_end() -> None:
    assert month_bounds("9999-12") == (date(9999, 12, 1), date(9999, 12, 31))
