"""Days, spans and durations have one form each."""

from datetime import date

import pytest
from stempelwerk_cloud.kit import german


def test_a_day_is_figures_in_a_table_and_words_in_a_sentence():
    assert german.day_in_table(date(2026, 9, 6)) == "06.09.2026"
    assert german.written_day(date(2026, 9, 6)) == "6. September 2026"


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (date(2026, 11, 5), date(2026, 11, 5), "am 5. November 2026"),
        (date(2026, 11, 5), date(2026, 11, 6), "vom 5. bis 6. November 2026"),
        (date(2026, 10, 30), date(2026, 11, 2), "vom 30. Oktober bis 2. November 2026"),
        (date(2026, 12, 30), date(2027, 1, 2), "vom 30. Dezember 2026 bis 2. Januar 2027"),
        (date(2025, 11, 5), date(2026, 11, 5), "vom 5. November 2025 bis 5. November 2026"),
    ],
)
def test_a_span_of_days_says_once_what_both_have_in_common(first, last, expected):
    assert german.when(first, last) == expected


def test_days_with_gaps_are_said_run_by_run():
    days = [date(2026, 11, 30), date(2026, 12, 1), date(2026, 12, 3), date(2026, 12, 5), date(2026, 12, 6)]
    assert german.when_all(days[:2]) == "vom 30. November bis 1. Dezember 2026"
    assert german.when_all(days[:3]) == "vom 30. November bis 1. Dezember 2026 und am 3. Dezember 2026"
    assert german.when_all(days[2:]) == "am 3. Dezember 2026 und vom 5. bis 6. Dezember 2026"
    assert german.when_all([*days, date(2026, 12, 9)]).count(", ") == 2


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (["2026-12-01"], "1. Dezember 2026"),
        (["2026-12-01", "2026-12-03", "2026-12-04"], "1., 3.–4. Dezember 2026"),
        (["2026-11-28", "2026-11-30", "2026-12-01", "2026-12-03"], "28., 30. November – 1., 3. Dezember 2026"),
        (["2026-11-27", "2026-12-01"], "27. November, 1. Dezember 2026"),
        (["2026-12-31", "2027-01-01", "2027-01-03"], "31. Dezember 2026 – 1., 3. Januar 2027"),
    ],
)
def test_many_days_say_their_month_and_year_once(days, expected):
    assert german.join_days([date.fromisoformat(day) for day in days]) == expected


def test_a_span_of_a_day_has_no_blanks():
    assert german.span(7 * 60, 16 * 60) == "07:00–16:00"
    assert german.span(22 * 60, 6 * 60) == "22:00–06:00"
    assert german.span(7 * 60, None) == "ab 07:00"


@pytest.mark.parametrize(
    ("minutes", "duration", "difference"),
    [
        (0, "0h 00m", "0h 00m"),
        (5, "0h 05m", "+0h 05m"),
        (502, "8h 22m", "+8h 22m"),
        (-15, "−0h 15m", "−0h 15m"),
        (-600, "−10h 00m", "−10h 00m"),
        (6244, "104h 04m", "+104h 04m"),
    ],
)
def test_a_duration_has_a_sign_where_it_is_a_difference(minutes, duration, difference):
    assert (german.duration(minutes), german.difference(minutes)) == (duration, difference)
