"""Targets by day: each person's own workdays, between entry and exit, whole minutes that sum up."""

from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.targets import (
    Credit,
    WeeklyTargets,
    always,
    credits_of,
    day_targets,
    monday_to_friday,
    month_target,
    rounded,
    target_minutes,
    total,
)

FIRST, LAST = date(2026, 11, 1), date(2026, 11, 30)
DAYS = st.dates(date(2026, 10, 15), date(2026, 12, 15))
STEPS = st.lists(st.tuples(st.none() | DAYS, st.integers(0, 10080)), max_size=5)
WORKDAYS = st.frozensets(st.integers(0, 6), min_size=1)


def _on(*weekdays: int) -> Callable[[date], frozenset[int]]:
    return lambda _: frozenset(weekdays)


def _between(entry: date, leaving: date) -> Callable[[date], bool]:
    return lambda day: entry <= day <= leaving


def test_a_days_target_is_the_weekly_one_divided_by_the_number_of_workdays() -> None:
    three = day_targets(WeeklyTargets(((None, 1000),)), _on(1, 2, 5), always, date(2026, 11, 2), date(2026, 11, 8))
    third = Fraction(1000, 3)
    assert [minutes for _, minutes in three] == [0, third, third, 0, 0, third, 0]
    assert rounded(three) == [0, 333, 334, 0, 0, 333, 0]


def test_only_days_between_entry_and_exit_count() -> None:
    full = WeeklyTargets(((None, 2400),))
    employed = _between(date(2026, 11, 9), date(2026, 11, 10))
    assert target_minutes(full, FIRST, LAST, monday_to_friday, employed) == 2 * 480
    credited = credits_of(full, FIRST, LAST, set(days(FIRST, LAST)), {}, monday_to_friday, employed)
    assert credited == (Credit("holiday", 2 * 480),)


def test_other_workdays_hold_from_their_day() -> None:
    def workdays_on(day: date) -> frozenset[int]:
        return frozenset({5, 6}) if day >= date(2026, 11, 16) else frozenset(range(5))

    found = target_minutes(WeeklyTargets(((None, 2400),)), FIRST, LAST, workdays_on)
    assert found == 10 * 480 + 4 * 1200  # two weeks, then two weekends


def test_a_half_goes_up() -> None:
    assert rounded([(FIRST, Fraction(1, 2)), (LAST, Fraction(1, 2))]) == [1, 0]
    assert total([(FIRST, Fraction(5, 2))]) == 3


def test_no_days_are_nothing() -> None:
    assert rounded([]) == []
    assert total([]) == 0


@given(STEPS, WORKDAYS, DAYS, DAYS)
def test_whole_days_sum_up_to_the_month(
    steps: list[tuple[date | None, int]], workdays: frozenset[int], entry: date, leaving: date
) -> None:
    targets = WeeklyTargets(tuple(steps))
    exact = day_targets(targets, lambda _: workdays, _between(entry, leaving), FIRST, LAST)
    whole = rounded(exact)
    assert [day for day, _ in exact] == list(days(FIRST, LAST))
    assert sum(whole) == target_minutes(targets, FIRST, LAST, lambda _: workdays, _between(entry, leaving))
    assert abs(sum(whole) - sum(minutes for _, minutes in exact)) <= Fraction(1, 2)
    assert all(abs(minutes - told) < 1 for (_, minutes), told in zip(exact, whole, strict=True))
    assert min(whole) >= 0
    assert all(told == 0 for (day, _), told in zip(exact, whole, strict=True) if not entry <= day <= leaving)


@given(STEPS.flatmap(lambda steps: st.tuples(st.just(steps), st.permutations(steps))))
def test_the_order_in_which_changes_are_told_does_not_matter(
    told: tuple[list[tuple[date | None, int]], list[tuple[date | None, int]]],
) -> None:
    one, other = (dict(steps) for steps in told)
    if one == other:  # of two with one day the later holds
        assert month_target(WeeklyTargets(tuple(told[0])), "2026-11") == month_target(
            WeeklyTargets(tuple(told[1])), "2026-11"
        )


@given(st.integers(0, 10080), WORKDAYS, st.integers(0, 300))
def test_every_week_has_its_weekly_target(weekly: int, workdays: frozenset[int], later: int) -> None:
    first = date(2026, 1, 1) + timedelta(days=later)
    week = day_targets(WeeklyTargets(((None, weekly),)), lambda _: workdays, always, first, first + timedelta(days=6))
    assert sum(rounded(week)) == weekly
