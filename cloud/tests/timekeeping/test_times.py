"""Reading a person's times: which days are meant where one of them is left out."""

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.calendar import month_of, period

from cloud.tests.databases import ON_SQLITE
from cloud.tests.device_client import iso
from cloud.tests.stamping import ANNA, MORNING, Site, hours

MOST = 400
TODAY = date(2026, 11, 20)

PERIODS = [
    (None, None, "2026-11-01", "2026-11-30"),
    ("2026-11-16", None, "2026-11-16", "2026-11-30"),
    ("2026-09-15", None, "2026-09-15", "2026-11-30"),
    ("2025-10-27", None, "2025-10-27", "2026-11-30"),
    ("2025-10-26", None, "2025-10-26", "2025-10-31"),
    ("2020-01-01", None, "2020-01-01", "2020-01-31"),
    ("2026-12-05", None, "2026-12-05", "2026-12-31"),
    ("9999-12-31", None, "9999-12-31", "9999-12-31"),
    (None, "2026-11-16", "2026-11-01", "2026-11-16"),
    (None, "2026-12-15", "2026-11-01", "2026-12-15"),
    (None, "2026-10-15", "2026-10-01", "2026-10-15"),
    (None, "2020-02-29", "2020-02-01", "2020-02-29"),
    (None, "2099-02-03", "2099-02-01", "2099-02-03"),
    (None, "0001-01-01", "0001-01-01", "0001-01-01"),
]


@pytest.mark.parametrize(("first", "last", "expected_first", "expected_last"), PERIODS)
def test_a_day_alone_makes_a_period(
    first: str | None, last: str | None, expected_first: str, expected_last: str
) -> None:
    given_days = [None if day is None else date.fromisoformat(day) for day in (first, last)]
    assert period(given_days[0], given_days[1], TODAY, MOST) == (
        date.fromisoformat(expected_first),
        date.fromisoformat(expected_last),
    )


@given(st.dates(), st.dates(), st.booleans())
def test_a_day_alone_is_never_refused_and_always_in_the_period(given_day: date, today: date, is_first: bool) -> None:
    first, last = period(given_day if is_first else None, None if is_first else given_day, today, MOST)
    assert first <= last
    assert (last - first).days < MOST
    assert given_day == (first if is_first else last)
    assert period(None, None, today, MOST) == month_of(today)


@given(st.dates(), st.dates(), st.dates())
def test_two_named_days_stay_as_they_are(first: date, last: date, today: date) -> None:
    assert period(first, last, today, MOST) == (first, last)


def ask(site: Site, **days: str) -> Any:
    query = "&".join(f"{name}={day}" for name, day in days.items())
    return site.somebody(site.firm.anna).get(f"/api/users/{site.firm.anna.id}/times?{query.replace('from_', 'from')}")


@ON_SQLITE
@pytest.mark.parametrize(
    "days",
    [
        {"from_": "2026-11-02", "to": "2026-11-01"},
        {"from_": "2020-01-01", "to": "2026-11-01"},
        {"from_": "2026-02-30"},
        {"to": "gestern"},
    ],
)
def test_days_that_make_no_period_are_refused(site: Site, days: dict[str, str]) -> None:
    answer = ask(site, **days)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


def test_one_day_is_enough_to_ask(site: Site) -> None:
    long_ago = MORNING - timedelta(days=600)
    site.assign(site.device, site.firm.id, iso(long_ago - hours(24)))
    site.device.booted = long_ago - hours(1)
    dated = [MORNING, MORNING - timedelta(days=40), long_ago]
    site.device.deliver(*(site.device.tap(ANNA, taken_at + hours(n)) for taken_at in reversed(dated) for n in (0, 4)))

    def found_days(**days: str) -> list[str]:
        answer = ask(site, **days)
        assert answer.status_code == 200, answer.text
        return [entry["date"] for entry in answer.json()]

    assert [f"{taken_at:%Y-%m-%d}" for taken_at in dated] == ["2026-11-20", "2026-10-11", "2025-03-30"]
    assert found_days() == ["2026-11-20"]
    assert found_days(from_="2026-10-01") == ["2026-10-11", "2026-11-20"]
    assert found_days(from_="2025-03-01") == ["2025-03-30"]
    assert found_days(to="2026-11-20") == ["2026-11-20"]
    assert found_days(to="2026-10-31") == ["2026-10-11"]
    assert found_days(to="2020-01-01") == []
    assert found_days(from_="9999-12-31") == []
    assert found_days(to="0001-01-01") == []
