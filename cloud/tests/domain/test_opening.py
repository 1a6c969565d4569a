"""When a company is closed."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.opening import next_closed

BERLIN = ZoneInfo("Europe/Berlin")
WORKDAYS = {str(day): [7 * 60, 18 * 60] if day < 5 else None for day in range(7)}
ALWAYS = {str(day): [0, 24 * 60] for day in range(7)}


def local_instant(day: int, hour: int, minute: int = 0) -> datetime:
    """In November 2026, as a wall in Berlin shows it; the 20th is a Friday."""
    return datetime(2026, 11, day, hour, minute, tzinfo=BERLIN).astimezone(UTC)


def test_nobody_knows_hours_that_are_not_set() -> None:
    assert next_closed({}, local_instant(20, 12), BERLIN) is None
    assert next_closed(dict.fromkeys("0123456"), local_instant(20, 12), BERLIN) is None


def test_who_never_closes_is_never_closed() -> None:
    assert next_closed(ALWAYS, local_instant(20, 12), BERLIN) is None


def test_the_night_and_the_weekend_are_told_before_and_while_they_last() -> None:
    for now in (local_instant(19, 12), local_instant(19, 18), local_instant(20, 6, 59)):
        assert next_closed(WORKDAYS, now, BERLIN) == (local_instant(19, 18), local_instant(20, 7))
    for now in (local_instant(20, 7), local_instant(21, 12), local_instant(23, 6)):
        assert next_closed(WORKDAYS, now, BERLIN) == (local_instant(20, 18), local_instant(23, 7))


def test_one_day_a_week_is_enough() -> None:
    assert next_closed({"4": [480, 720]}, local_instant(20, 12), BERLIN) == (
        local_instant(20, 12),
        local_instant(27, 8),
    )


def test_a_holiday_is_closed_from_the_evening_before_on() -> None:
    def friday(day: date) -> bool:
        return day == date(2026, 11, 20)

    for now in (local_instant(19, 12), local_instant(20, 12), local_instant(22, 23)):
        assert next_closed(WORKDAYS, now, BERLIN, friday) == (local_instant(19, 18), local_instant(23, 7))
    assert next_closed(ALWAYS, local_instant(19, 12), BERLIN, friday) == (local_instant(20, 0), local_instant(21, 0))
    assert next_closed({"4": [480, 720]}, local_instant(18, 12), BERLIN, friday) == (
        local_instant(13, 12),
        local_instant(27, 8),
    )


@given(st.integers(0, 365 * 24 * 60), st.sets(st.integers(0, 400)))
def test_no_holiday_makes_a_closed_span_shorter(minute: int, days: set[int]) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)
    off = {date(2025, 12, 15) + timedelta(days=day) for day in days}
    plain, with_holidays = next_closed(WORKDAYS, now, BERLIN), next_closed(WORKDAYS, now, BERLIN, off.__contains__)
    if plain is not None and with_holidays is not None:
        assert with_holidays[0] <= plain[0]
        assert with_holidays[1] >= plain[1] or with_holidays[1] <= plain[0]


@given(st.integers(0, 365 * 24 * 60))
def test_a_closed_span_never_lies_in_opening_hours_whatever_the_clocks_do(minute: int) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minute)
    closed_span = next_closed(WORKDAYS, now, BERLIN)
    assert closed_span is not None
    closed_from, closed_until = closed_span
    assert closed_until > now
    assert closed_from < closed_until
    for inside in (closed_from, closed_until - timedelta(seconds=1), closed_from + (closed_until - closed_from) / 2):
        wall = inside.astimezone(BERLIN)
        assert wall.weekday() > 4 or not 7 <= wall.hour < 18
