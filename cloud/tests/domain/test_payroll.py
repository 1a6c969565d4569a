"""Long illness, and hours in lines that payroll programs take."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.domain.payroll import MOST_OF_A_LINE, day_lines, long_illness

FIRST, LAST = date(2026, 5, 1), date(2026, 5, 31)
BEFORE = FIRST - timedelta(days=70)


def owes_work(day: date) -> bool:
    """Monday to Friday, without the first of May."""
    return day.weekday() < 5 and day != FIRST


def ill(*spans: tuple[date, date]) -> set[date]:
    return {day for first, last in spans for day in days(first, last)}


def test_an_illness_of_42_days_is_not_long_and_one_of_43_is() -> None:
    assert long_illness(ill((date(2026, 4, 1), date(2026, 5, 12))), owes_work, FIRST, LAST) is None
    assert long_illness(ill((date(2026, 4, 1), date(2026, 5, 13))), owes_work, FIRST, LAST) == date(2026, 5, 13)


def test_one_owed_day_between_two_reports_makes_two_illnesses() -> None:
    reports = (date(2026, 4, 1), date(2026, 4, 20)), (date(2026, 4, 22), date(2026, 5, 31))
    assert long_illness(ill(*reports), owes_work, FIRST, LAST) is None


def test_reports_that_end_on_fridays_are_one_illness_and_the_weekends_count() -> None:
    mondays = [date(2026, 4, 6) + timedelta(weeks=number) for number in range(7)]
    reports = ill(*((monday, monday + timedelta(days=4)) for monday in mondays))
    assert long_illness(reports, owes_work, FIRST, LAST) == date(2026, 5, 18)


def test_a_holiday_beside_a_weekend_joins_two_reports() -> None:
    # The first of May is a Friday, and the illness goes on on Monday.
    reports = (date(2026, 3, 20), date(2026, 4, 30)), (date(2026, 5, 4), date(2026, 5, 5))
    assert long_illness(ill(*reports), owes_work, FIRST, LAST) == FIRST


def test_an_illness_that_ended_before_the_month_is_none_of_it() -> None:
    assert long_illness(ill((BEFORE, date(2026, 4, 30))), owes_work, FIRST, LAST) is None


@given(
    st.sets(st.dates(BEFORE, LAST), max_size=100).map(sorted),
    st.sets(st.integers(0, 6), max_size=7),
    st.sets(st.dates(BEFORE, LAST), max_size=60),
)
def test_long_illness_is_what_counting_day_by_day_finds(
    sick: Sequence[date], workdays: Collection[int], free: Collection[date]
) -> None:
    def owes(day: date) -> bool:
        return day.weekday() in workdays and day not in free

    length, gap, expected = 0, 0, None
    for day in days(BEFORE, LAST):
        if day in sick:
            length, gap = length + gap + 1, 0
            if length > 42 and day >= FIRST and expected is None:
                expected = max(day - timedelta(days=length - 43), FIRST)
        elif owes(day):
            length, gap = 0, 0
        elif length:
            gap += 1
    assert long_illness(sick, owes, FIRST, LAST) == expected


MAY = list(days(FIRST, LAST))


@pytest.mark.parametrize(
    ("daily", "month_sum", "lines"),
    [
        ({}, 4275, [(30, 1875), (31, 2400)]),
        ({30: 800}, 4275, [(29, 275), (30, 2400), (31, 2400)]),
        ({31: 2400}, 100, [(30, 100), (31, 2400)]),
        ({4: 3000}, 0, [(4, 600), (4, 2400)]),
        ({}, 0, []),
    ],
)
def test_a_sum_of_the_month_is_on_its_last_day_and_above_24_hours_before_it(
    daily: dict[int, int], month_sum: int, lines: list[tuple[int, int]]
) -> None:
    lines_ = day_lines({date(2026, 5, day): hours for day, hours in daily.items()}, month_sum, MAY)
    assert [(day.day, hours) for day, hours in lines_] == lines


def test_what_the_days_cannot_hold_begins_at_the_last_day_again() -> None:
    lines_ = day_lines({}, 31 * MOST_OF_A_LINE + 2_500, MAY)
    assert lines_ == sorted([*((day, MOST_OF_A_LINE) for day in [*MAY, LAST]), (date(2026, 5, 30), 100)])


@given(st.dictionaries(st.sampled_from(MAY), st.integers(0, 6000)), st.integers(0, 200_000))
def test_no_line_is_longer_than_24_hours_and_nothing_is_lost(daily: dict[date, int], month_sum: int) -> None:
    lines_ = day_lines(daily, month_sum, MAY)
    assert all(0 < hours <= MOST_OF_A_LINE for _, hours in lines_)
    assert sum(hours for _, hours in lines_) == sum(daily.values()) + month_sum
    by_day: Counter[date] = Counter()
    for day, hours in lines_:
        by_day[day] += hours
    assert all(by_day[day] >= hours for day, hours in daily.items())
    if not month_sum:
        assert by_day == Counter({day: hours for day, hours in daily.items() if hours})
