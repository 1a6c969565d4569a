"""How long a sick note is kept."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.calendar import months_after
from stempelwerk_cloud.domain.retention import sick_note_retained_until

DAYS = st.dates(date(2020, 1, 1), date(2040, 12, 31))
MONTHS = st.integers(1, 36)


def test_a_note_is_kept_for_so_many_months_after_the_last_decision() -> None:
    handed_in = date(2026, 11, 20)
    assert sick_note_retained_until(handed_in, [date(2026, 11, 23), date(2026, 12, 1)], 12) == date(2027, 12, 1)
    assert sick_note_retained_until(date(2027, 2, 1), [date(2026, 11, 23)], 12) == date(2028, 2, 1)


def test_a_note_about_something_open_is_kept_for_three_years() -> None:
    handed_in = date(2026, 11, 20)
    assert (
        sick_note_retained_until(handed_in, [None], 12)
        == sick_note_retained_until(handed_in, [date(2026, 11, 23), None], 1)
        == date(2029, 11, 20)
    )


def test_a_month_that_is_too_short_ends_where_it_ends() -> None:
    assert months_after(date(2026, 1, 31), 1) == date(2026, 2, 28)
    assert months_after(date(2024, 2, 29), -12) == date(2023, 2, 28)
    assert months_after(date(2026, 12, 15), 1) == date(2027, 1, 15)


@given(DAYS, st.lists(DAYS, min_size=1, max_size=5), MONTHS)
def test_a_note_is_kept_beyond_each_decision_and_for_no_longer_than_it_must(
    handed_in: date, decided: list[date], months: int
) -> None:
    last_day = sick_note_retained_until(handed_in, decided, months)
    assert last_day >= max(decided)
    assert last_day >= handed_in
    assert last_day == months_after(max(handed_in, *decided), months)


@given(DAYS, st.integers(-36, 36), st.integers(0, 36))
def test_later_is_never_earlier(day: date, months: int, more_months: int) -> None:
    assert months_after(day, months) <= months_after(day, months + more_months)
    assert (months_after(day, months) > day) is (months > 0) or months_after(day, months) == day
