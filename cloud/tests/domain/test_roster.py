"""What the law says of a plan: rest, days in a row, substitute days."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.roster import (
    SUBSTITUTE_FOR_HOLIDAY,
    SUBSTITUTE_FOR_SUNDAY,
    Planned,
    days_in_a_row,
    has_begun,
    reach_of,
    short_rests,
    span,
    times_fit,
    without_substitute,
)

BERLIN = ZoneInfo("Europe/Berlin")
SUNDAY = date(2026, 11, 22)
DAYS = st.dates(date(2026, 1, 1), date(2026, 4, 30))
MINUTES = st.integers(0, 24 * 60 - 1)


def _minute(text: str) -> int:
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def _planned(day: date, start: str | None = None, end: str | None = None) -> Planned:
    return Planned(day, *(None if one is None else _minute(one) for one in (start, end)))


def _short(*duties: Planned, rest: int = 660) -> set[date]:
    return short_rests(duties, lambda _: BERLIN, lambda _: rest)


def _after(day: date, number: int) -> date:
    return day + timedelta(days=number)


def _next(day: date, number: int) -> list[date]:
    """The days after this one."""
    return [_after(day, one) for one in range(1, number + 1)]


@pytest.mark.parametrize(
    ("start", "end", "fit"),
    [(None, None, True), (480, None, True), (480, 990, True), (990, 480, True), (None, 480, False), (480, 480, False)],
)
def test_an_end_needs_a_start_and_the_two_differ(start: int | None, end: int | None, fit: bool) -> None:
    assert times_fit(start, end) is fit


# -- times


@pytest.mark.parametrize("day", [date(2026, 11, 20), date(2026, 3, 29), date(2026, 10, 25)])
def test_a_duty_has_begun_once_its_start_has_passed_and_one_without_a_time_once_its_day_has(day: date) -> None:
    midnight, next_midnight = (datetime(one.year, one.month, one.day, tzinfo=BERLIN) for one in (day, _after(day, 1)))
    second = timedelta(seconds=1)
    for duty, begins in (
        (_planned(day), next_midnight),
        (_planned(day, "00:00", "08:00"), midnight),
        (_planned(day, "22:00", "06:00"), midnight.replace(hour=22)),
        (_planned(day, "09:00"), midnight.replace(hour=9)),
    ):
        at = begins.astimezone(UTC)
        assert has_begun(duty, BERLIN, at)
        assert not has_begun(duty, BERLIN, at - second)


def test_an_end_at_or_before_the_start_lies_on_the_next_day() -> None:
    start, end = span(_planned(SUNDAY, "22:00", "06:00"), BERLIN)
    assert (start, end) == (datetime(2026, 11, 22, 21, tzinfo=UTC), datetime(2026, 11, 23, 5, tzinfo=UTC))
    assert span(_planned(SUNDAY, "08:00"), BERLIN) == (datetime(2026, 11, 22, 7, tzinfo=UTC), None)
    assert span(_planned(SUNDAY), BERLIN) == (None, None)


@pytest.mark.parametrize(("day", "hours"), [(date(2026, 3, 28), 7), (date(2026, 10, 24), 9), (date(2026, 11, 1), 8)])
def test_a_night_across_a_clock_change_has_its_true_length(day: date, hours: int) -> None:
    start, end = span(_planned(day, "22:00", "06:00"), BERLIN)
    assert start is not None
    assert end is not None
    assert end - start == timedelta(hours=hours)


def test_a_time_that_exists_twice_is_the_first_for_a_start_and_the_second_for_an_end() -> None:
    day = date(2026, 10, 25)
    assert span(_planned(day, "02:30", "12:00"), BERLIN)[0] == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert span(_planned(day, "00:00", "02:30"), BERLIN)[1] == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


@given(st.sampled_from([date.min, date.max, date(2026, 3, 29)]), MINUTES, MINUTES, st.sampled_from([-12, 0, 14]))
def test_no_time_on_any_day_is_an_error(day: date, start: int, end: int, shift: int) -> None:
    for zone in (BERLIN, ZoneInfo(f"Etc/GMT{-shift:+d}")):
        begins, ends = span(Planned(day, start, end), zone)
        assert begins is None or ends is None or ends - begins >= -timedelta(hours=1)


# -- rest


def test_rest_is_judged_between_known_times_alone() -> None:
    late, early = _planned(SUNDAY, "14:00", "22:00"), _after(SUNDAY, 1)
    assert _short(late, _planned(early, "08:59")) == {early}
    assert _short(late, _planned(early, "09:00")) == set()
    assert _short(late, _planned(early)) == set()
    assert _short(_planned(SUNDAY), _planned(early, "00:00", "08:00")) == set()
    assert _short(_planned(SUNDAY, "08:00"), _planned(early, "00:00")) == set()
    assert _short(_planned(SUNDAY, "14:00"), _planned(early, "00:30")) == {early}  # whenever it ended


def test_a_longer_rest_is_judged_for_who_must_have_it() -> None:
    late, early = _planned(SUNDAY, "14:00", "20:00"), _planned(_after(SUNDAY, 1), "07:30")
    assert _short(late, early) == set()
    assert _short(late, early, rest=720) == {early.date}


def test_the_hour_that_a_clock_change_takes_is_missing_from_the_rest() -> None:
    saturday = date(2026, 3, 28)
    assert _short(_planned(saturday, "14:00", "22:00"), _planned(_after(saturday, 1), "09:00")) == {_after(saturday, 1)}


def test_a_long_duty_reaches_over_a_day_without_times() -> None:
    third = _after(SUNDAY, 2)
    assert _short(_planned(SUNDAY, "23:59", "23:58"), _planned(_after(SUNDAY, 1)), _planned(third, "06:00")) == {third}


@given(st.lists(st.builds(Planned, DAYS, MINUTES, MINUTES), unique_by=lambda duty: duty.date))
def test_a_rest_is_short_if_and_only_if_somebody_worked_in_the_eleven_hours_before(duties: list[Planned]) -> None:
    spans = {duty.date: span(duty, BERLIN) for duty in duties}
    expected = set()
    for day, (start, _) in spans.items():
        for other, (begun, ended) in spans.items():
            assert start is not None
            assert begun is not None
            assert ended is not None
            if other < day and ended > start - timedelta(hours=11):
                expected.add(day)
    assert _short(*duties) == expected


# -- days in a row


def test_the_seventh_day_in_a_row_and_those_after_it_are_found() -> None:
    row = [SUNDAY, *_next(SUNDAY, 8)]
    assert days_in_a_row(row[:6]) == set()
    assert days_in_a_row(row) == set(row[6:])
    assert days_in_a_row(set(row) - {row[4]}) == set()


@given(st.sets(DAYS))
def test_no_seventh_day_is_found_without_six_before_it(days: set[date]) -> None:
    for day in days:
        six = {day - timedelta(days=one) for one in range(1, 7)}
        assert (day in days_in_a_row(days)) == (six <= days)


# -- substitute days


def _busy_but(sunday: date, *free: int, within: int = SUBSTITUTE_FOR_SUNDAY) -> list[date]:
    """A day and all days of its weeks, but for the nth ones after it."""
    return [sunday, *(day for number, day in enumerate(_next(sunday, within), 1) if number not in free)]


@pytest.mark.parametrize(
    ("free", "lacks"),
    [((1,), False), ((6,), False), ((13,), False), ((), True), ((7,), True), ((14,), True)],
)
def test_a_sunday_needs_a_free_weekday_in_the_two_weeks_that_include_it(free: tuple[int, ...], lacks: bool) -> None:
    found = without_substitute(_busy_but(SUNDAY, 7, *free), ())
    assert found == ({SUNDAY} if lacks else set())


def test_a_free_holiday_is_no_substitute_day() -> None:
    holiday = _after(SUNDAY, 3)
    assert without_substitute(_busy_but(SUNDAY, 3, 7), {holiday}) == {SUNDAY}


def test_each_sunday_needs_a_day_of_its_own() -> None:
    second = _after(SUNDAY, 7)
    days = {*_busy_but(SUNDAY, 10), *_busy_but(second)} - {_after(SUNDAY, 10), _after(second, 7)}
    assert without_substitute(days, ()) == {second}
    assert without_substitute(days - {_after(second, 12)}, ()) == set()


def test_a_holiday_on_a_weekday_has_eight_weeks() -> None:
    holiday = date(2026, 11, 18)
    weeks = [day for day in _next(holiday, SUBSTITUTE_FOR_HOLIDAY) if day.weekday() != 6]
    assert without_substitute([holiday, *weeks], {holiday}) == {holiday}
    assert without_substitute([holiday, *weeks[:-1]], {holiday}) == set()
    assert without_substitute([holiday, *weeks], ()) == set()


def test_a_holiday_on_a_sunday_has_the_sundays_two_weeks() -> None:
    assert without_substitute(_busy_but(SUNDAY, 7, 14), {SUNDAY}) == {SUNDAY}


@given(st.sets(DAYS), st.sets(DAYS, max_size=6))
def test_as_few_as_possible_lack_a_substitute_day(days: set[date], holidays: set[date]) -> None:
    """By Kuhn's algorithm, which finds the most pairs of rest days and free weekdays by trying."""
    rests = sorted(day for day in days if day.weekday() == 6 or day in holidays)
    taken: dict[date, date] = {}

    def paired(rest: date, seen: set[date]) -> bool:
        within = SUBSTITUTE_FOR_SUNDAY if rest.weekday() == 6 else SUBSTITUTE_FOR_HOLIDAY
        for free in _next(rest, within):
            if free in seen or free in days or free in holidays or free.weekday() == 6:
                continue
            seen.add(free)
            if free not in taken or paired(taken[free], seen):
                taken[free] = rest
                return True
        return False

    most = sum(paired(rest, set()) for rest in rests)
    lacking = without_substitute(days, holidays)
    assert lacking <= set(rests)
    assert len(rests) - len(lacking) == most


@given(st.sets(st.sampled_from([date.min, date(1, 1, 7), SUNDAY, date(9999, 12, 26), date.max]), min_size=1))
def test_the_ends_of_the_calendar_are_days_like_others(days: set[date]) -> None:
    assert without_substitute(days, ()) == days_in_a_row(days) == set()
    first, last = reach_of(days)
    assert first <= min(days) <= max(days) <= last
