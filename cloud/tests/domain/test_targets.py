"""Weekly targets hold from their day, in any order of the argument."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.targets import WeeklyTargets

DAYS = st.dates(date(2026, 10, 15), date(2026, 12, 15))
STEPS = st.lists(st.tuples(st.none() | DAYS, st.integers(0, 10080)), max_size=5, unique_by=lambda step: step[0])


def test_of_two_that_are_told_for_one_day_the_later_holds_and_before_any_there_is_none() -> None:
    day = date(2026, 11, 16)
    targets = WeeklyTargets(((day, 1200), (day, 2400)))
    assert [targets.on(date_asked) for date_asked in (date(2026, 11, 15), day)] == [0, 2400]


@given(STEPS, DAYS)
def test_the_newest_holds_in_any_order(steps: list[tuple[date | None, int]], day: date) -> None:
    begun = [(valid_from or date.min, minutes) for valid_from, minutes in steps if (valid_from or date.min) <= day]
    current_target = max(begun)[1] if begun else 0
    assert [WeeklyTargets(tuple(ordered_steps)).on(day) for ordered_steps in (steps, steps[::-1])] == [
        current_target,
        current_target,
    ]
