"""The costs of a month of work: a table by hand for each mode, and the first day of each rate."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain import costs
from stempelwerk_cloud.domain.costs import Compensation, Cost, RatePeriod, Said, cost_of

FIRST, MIDDLE = date(2026, 11, 1), date(2026, 11, 16)


def _rates(**values: Any) -> list[Said]:
    """Returns rates from the beginning: `mode`, `default`, and the other rates by department or person."""
    return [
        Said(name, subject, date.min, rate)  # type: ignore[arg-type]
        for name, value in values.items()
        for subject, rate in (value.items() if isinstance(value, dict) else [("", value)])
    ]


def _period(minutes: int, first: date = FIRST, department: str | None = None, pause: int = 0) -> RatePeriod:
    return RatePeriod(first, department, minutes + pause, pause)


EVERYTHING = {
    "default": 1500,
    "department": {"Lager": 1601, "Büro": 0},
    "hourly": {"anna": 2000},
    "monthly": {"anna": 250000, "ben": 0},
}


@pytest.mark.parametrize(
    ("mode", "user_id", "department", "minutes", "expected"),
    [
        ("uniform", "anna", "Lager", 9600, Cost(False, 1500, 240000, False, False)),
        ("department", "anna", "Lager", 601, Cost(False, 1601, 16037, False, False)),
        ("department", "anna", "Büro", 60, Cost(False, 1500, 1500, False, False)),
        ("department", "anna", "Werkstatt", 60, Cost(False, 1500, 1500, False, False)),
        ("department", "anna", None, 60, Cost(False, 1500, 1500, False, False)),
        ("perUserHourly", "anna", None, 90, Cost(False, 2000, 3000, False, False)),
        ("perUserHourly", "ben", None, 90, Cost(False, 1500, 2250, False, False)),
        ("perUserMonthly", "anna", None, 9600, Cost(True, 250000, 250000, False, False)),
        ("perUserMonthly", "anna", None, 0, Cost(True, 250000, 250000, False, False)),
        ("perUserMonthly", "ben", None, 90, Cost(False, 0, 0, True, False)),
        ("perUserMonthly", "carla", None, 0, Cost(False, 0, 0, True, False)),
    ],
)
def test_by_hand(mode: str, user_id: str, department: str | None, minutes: int, expected: Cost) -> None:
    compensation = Compensation(_rates(mode=mode, **EVERYTHING))
    assert cost_of(compensation, user_id, [_period(minutes, department=department)]) == expected


@pytest.mark.parametrize("default", [None, 0])
def test_without_a_rate_nothing_is_paid_and_that_is_said(default: int | None) -> None:
    compensation = Compensation(_rates(mode="perUserHourly", default=default, hourly={"ben": 0}))
    assert cost_of(compensation, "ben", [_period(600)]) == Cost(False, 0, 0, True, False)


def test_a_half_cent_is_rounded_up_and_once_for_the_month() -> None:
    # 1 minute at 15,90 € is 26.5 cents; two periods of it are 53, and not twice 27.
    compensation = Compensation(_rates(default=1590))
    assert cost_of(compensation, "anna", [_period(1)]).cents == 27
    assert cost_of(compensation, "anna", [_period(1), _period(1, MIDDLE)]).cents == 53


def test_breaks_are_not_paid() -> None:
    assert cost_of(Compensation(_rates(default=1500)), "anna", [_period(480, pause=30)]).cents == 12000


def test_a_rate_holds_from_its_day_and_the_last_is_shown() -> None:
    compensation = Compensation([*_rates(default=1500), Said("default", "", MIDDLE, 1800)])
    assert cost_of(compensation, "anna", [_period(60), _period(60, MIDDLE)]) == Cost(False, 1800, 3300, False, False)


def test_the_months_last_day_says_which_wage_it_is() -> None:
    compensation = Compensation(
        [
            *_rates(mode="perUserMonthly", default=1500, monthly={"anna": 200000}),
            Said("monthly", "anna", MIDDLE, 260000),
        ]
    )
    assert cost_of(compensation, "anna", [_period(60), _period(60, MIDDLE)]).cents == 260000
    assert cost_of(compensation, "anna", [_period(60), _period(0, MIDDLE)], waged=False) == Cost(
        False, 1500, 1500, False, False
    )


def test_what_lies_below_the_minimum_wage_is_told_also_of_a_months_wage_by_its_hours() -> None:
    assert costs.minimum_wage_on(FIRST) == 1390
    assert cost_of(Compensation(_rates(default=1389)), "anna", [_period(60)]).under_minimum
    assert not cost_of(Compensation(_rates(default=1390)), "anna", [_period(60)]).under_minimum
    assert not cost_of(Compensation(_rates(default=0)), "anna", [_period(60)]).under_minimum
    wage = Compensation(_rates(mode="perUserMonthly", monthly={"anna": 139000}))
    assert not cost_of(wage, "anna", [_period(6000)]).under_minimum
    assert cost_of(wage, "anna", [_period(6001)]).under_minimum
    raised = Compensation([*_rates(default=1200), Said("default", "", MIDDLE, 1500)])
    assert not cost_of(raised, "anna", [_period(0), _period(60, MIDDLE)]).under_minimum
    assert [costs.minimum_wage_on(date(year, 1, 1)) for year in (2022, 2025, 2026, 2027)] == [0, 1282, 1390, 1460]


@given(st.lists(st.tuples(st.dates(FIRST, date(2026, 11, 30)), st.none() | st.integers(0, 9999)), max_size=5))
def test_the_newest_holds_in_whatever_order_it_was_said(steps: list[tuple[date, int | None]]) -> None:
    latest = dict(steps)
    rates = [Said("default", "", day, cents) for day, cents in latest.items()]
    for day in (FIRST, MIDDLE, date(2026, 11, 30)):
        current_rate = max((step for step in latest.items() if step[0] <= day), default=(day, None))[1]
        for order in (rates, rates[::-1]):
            assert Compensation(order).on(day).hourly("anna", None) == (current_rate or 0)
