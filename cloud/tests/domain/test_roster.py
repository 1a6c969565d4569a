"""The law's demands on a plan: rest, days in a row, substitute days."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.domain.roster import (
    SUBSTITUTE_FOR_HOLIDAY,
    SUBSTITUTE_FOR_SUNDAY,
    Planned,
    TimeOff,
    beyond_limits,
    days_in_a_row,
    has_begun,
    meets,
    reach_of,
    runs_into,
    short_rests,
    span,
    times_fit,
    without_substitute,
)
from stempelwerk_cloud.domain.working_time_act import ADULT, EXPECTING, UNDER_18, Limits

BERLIN = ZoneInfo("Europe/Berlin")
SUNDAY = date(2026, 11, 22)
DAYS = st.dates(date(2026, 1, 1), date(2026, 4, 30))
MINUTES = st.integers(0, 24 * 60 - 1)


def _minute(text: str) -> int:
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def _planned(day: date, start: str | None = None, end: str | None = None) -> Planned:
    return Planned(day, *(None if clock_time is None else _minute(clock_time) for clock_time in (start, end)))


def _short(*duties: Planned, rest_minutes: int = 660) -> set[date]:
    return short_rests(duties, lambda _: BERLIN, lambda _: rest_minutes)


def _days_after(day: date, number: int) -> date:
    return day + timedelta(days=number)


def _next(day: date, number: int) -> list[date]:
    """The days after this one."""
    return [_days_after(day, offset) for offset in range(1, number + 1)]


@pytest.mark.parametrize(
    ("start", "end", "fit"),
    [(None, None, True), (480, None, True), (480, 990, True), (990, 480, True), (None, 480, False), (480, 480, False)],
)
def test_an_end_needs_a_start_and_the_two_differ(start: int | None, end: int | None, fit: bool) -> None:
    assert times_fit(start, end) is fit


# -- times


@pytest.mark.parametrize("day", [date(2026, 11, 20), date(2026, 3, 29), date(2026, 10, 25)])
def test_a_duty_has_begun_once_its_start_has_passed_and_one_without_a_time_once_its_day_has(day: date) -> None:
    midnight, next_midnight = (
        datetime(date_used.year, date_used.month, date_used.day, tzinfo=BERLIN)
        for date_used in (day, _days_after(day, 1))
    )
    second = timedelta(seconds=1)
    for duty, begins_at in (
        (_planned(day), next_midnight),
        (_planned(day, "00:00", "08:00"), midnight),
        (_planned(day, "22:00", "06:00"), midnight.replace(hour=22)),
        (_planned(day, "09:00"), midnight.replace(hour=9)),
    ):
        instant = begins_at.astimezone(UTC)
        assert has_begun(duty, BERLIN, instant)
        assert not has_begun(duty, BERLIN, instant - second)


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
        duty_start, duty_end = span(Planned(day, start, end), zone)
        assert duty_start is None or duty_end is None or duty_end - duty_start >= -timedelta(hours=1)


# -- rest


def test_rest_is_judged_between_known_times_alone() -> None:
    late, early = _planned(SUNDAY, "14:00", "22:00"), _days_after(SUNDAY, 1)
    assert _short(late, _planned(early, "08:59")) == {early}
    assert _short(late, _planned(early, "09:00")) == set()
    assert _short(late, _planned(early)) == set()
    assert _short(_planned(SUNDAY), _planned(early, "00:00", "08:00")) == set()
    assert _short(_planned(SUNDAY, "08:00"), _planned(early, "00:00")) == set()
    assert _short(_planned(SUNDAY, "14:00"), _planned(early, "00:30")) == {early}  # whenever it ended


def test_a_longer_rest_is_judged_for_who_must_have_it() -> None:
    late, early = _planned(SUNDAY, "14:00", "20:00"), _planned(_days_after(SUNDAY, 1), "07:30")
    assert _short(late, early) == set()
    assert _short(late, early, rest_minutes=720) == {early.date}


def test_the_hour_that_a_clock_change_takes_is_missing_from_the_rest() -> None:
    saturday = date(2026, 3, 28)
    assert _short(_planned(saturday, "14:00", "22:00"), _planned(_days_after(saturday, 1), "09:00")) == {
        _days_after(saturday, 1)
    }


def test_a_long_duty_reaches_over_a_day_without_times() -> None:
    third = _days_after(SUNDAY, 2)
    assert _short(_planned(SUNDAY, "23:59", "23:58"), _planned(_days_after(SUNDAY, 1)), _planned(third, "06:00")) == {
        third
    }


@given(st.lists(st.builds(Planned, DAYS, MINUTES, MINUTES), unique_by=lambda duty: duty.date))
def test_a_rest_is_short_if_and_only_if_somebody_worked_in_the_eleven_hours_before(duties: list[Planned]) -> None:
    spans = {duty.date: span(duty, BERLIN) for duty in duties}
    expected = set()
    for day, (start, _) in spans.items():
        for other_day, (begun, ended) in spans.items():
            assert start is not None
            assert begun is not None
            assert ended is not None
            if other_day < day and ended > start - timedelta(hours=11):
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
        six = {day - timedelta(days=offset) for offset in range(1, 7)}
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
    lacking = without_substitute(_busy_but(SUNDAY, 7, *free), ())
    assert lacking == ({SUNDAY} if lacks else set())


def test_a_free_holiday_is_no_substitute_day() -> None:
    holiday = _days_after(SUNDAY, 3)
    assert without_substitute(_busy_but(SUNDAY, 3, 7), {holiday}) == {SUNDAY}


def test_each_sunday_needs_a_day_of_its_own() -> None:
    second = _days_after(SUNDAY, 7)
    days = {*_busy_but(SUNDAY, 10), *_busy_but(second)} - {_days_after(SUNDAY, 10), _days_after(second, 7)}
    assert without_substitute(days, ()) == {second}
    assert without_substitute(days - {_days_after(second, 12)}, ()) == set()


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
    """Kuhn's algorithm finds the most pairs of rest days and free weekdays by trying."""
    rests = sorted(day for day in days if day.weekday() == 6 or day in holidays)
    pairs: dict[date, date] = {}

    def paired(rest_day: date, tried_days: set[date]) -> bool:
        within = SUBSTITUTE_FOR_SUNDAY if rest_day.weekday() == 6 else SUBSTITUTE_FOR_HOLIDAY
        for free in _next(rest_day, within):
            if free in tried_days or free in days or free in holidays or free.weekday() == 6:
                continue
            tried_days.add(free)
            if free not in pairs or paired(pairs[free], tried_days):
                pairs[free] = rest_day
                return True
        return False

    paired_count = sum(paired(rest_day, set()) for rest_day in rests)
    lacking = without_substitute(days, holidays)
    assert lacking <= set(rests)
    assert len(rests) - len(lacking) == paired_count


@given(st.sets(st.sampled_from([date.min, date(1, 1, 7), SUNDAY, date(9999, 12, 26), date.max]), min_size=1))
def test_the_ends_of_the_calendar_are_days_like_others(days: set[date]) -> None:
    assert without_substitute(days, ()) == days_in_a_row(days) == set()
    first, last = reach_of(days)
    assert first <= min(days) <= max(days) <= last


# -- length and night


def _beyond(*duties: Planned, limits: Limits = ADULT) -> set[tuple[date, str]]:
    return set(beyond_limits(duties, lambda _: BERLIN, lambda _: limits))


def test_a_shift_is_judged_net_of_the_breaks_that_the_law_demands() -> None:
    for limits, longest in ((ADULT, 10 * 60 + 45), (UNDER_18, 9 * 60), (EXPECTING, 9 * 60)):
        assert _beyond(Planned(SUNDAY, 360, 360 + longest), limits=limits) == set()
        assert _beyond(Planned(SUNDAY, 360, 361 + longest), limits=limits) == {(SUNDAY, limits.plan_code)}


def test_a_gap_between_duties_of_one_shift_is_a_break_that_was_taken() -> None:
    monday = _days_after(SUNDAY, 1)
    night, morning = _planned(SUNDAY, "19:00", "00:30"), _planned(monday, "01:15", "05:45")
    assert _beyond(night, morning) == set()  # 10 h of work, and 45 minutes between
    assert _beyond(night, morning._replace(end_minute=346)) == {(monday, "over_10_h")}


def test_time_that_two_duties_share_counts_once() -> None:
    monday = _days_after(SUNDAY, 1)
    assert _beyond(_planned(SUNDAY, "18:00", "02:00"), _planned(monday, "01:00", "04:45")) == set()
    assert _beyond(_planned(SUNDAY, "18:00", "02:00"), _planned(monday, "01:00", "04:46")) == {(monday, "over_10_h")}


@pytest.mark.parametrize(("day", "over"), [(date(2026, 10, 24), True), (date(2026, 3, 28), False)])
def test_a_shift_across_a_clock_change_has_its_true_length(day: date, over: bool) -> None:
    assert bool(_beyond(_planned(day, "20:00", "06:45" if over else "07:45"))) is over


@given(st.lists(st.builds(Planned, DAYS, st.one_of(st.none(), MINUTES), st.none()), unique_by=lambda duty: duty.date))
def test_nothing_is_too_long_whose_end_is_not_known(duties: list[Planned]) -> None:
    assert _beyond(*duties) == set()


@given(st.builds(Planned, DAYS, MINUTES, MINUTES), st.sampled_from([UNDER_18, EXPECTING]))
def test_a_duty_lies_at_night_if_a_minute_of_it_does(duty: Planned, limits: Limits) -> None:
    assert duty.start_minute is not None
    last = duty.last_minute
    assert last is not None
    at_night = any(minute % 1440 >= 1200 or minute % 1440 < 360 for minute in range(duty.start_minute, last))
    always = replace(limits, shift_minutes=24 * 60)
    assert _beyond(duty, limits=always) == ({(duty.date, limits.plan_code)} if at_night else set())


def test_a_duty_without_times_says_nothing_of_limits() -> None:
    for limits in (ADULT, UNDER_18, EXPECTING):
        assert _beyond(*(_planned(day) for day in _next(SUNDAY, 5)), limits=limits) == set()


@given(st.lists(st.builds(Planned, DAYS, MINUTES, MINUTES), unique_by=lambda duty: duty.date), st.randoms())
def test_the_order_of_duties_does_not_matter_to_their_limits(duties: list[Planned], shuffle: Random) -> None:
    warned_days = _beyond(*duties, limits=UNDER_18)
    shuffle.shuffle(duties)
    assert _beyond(*duties, limits=UNDER_18) == warned_days


# -- leave

WHOLE, MORNING, AFTERNOON, NONE = TimeOff(True, True), TimeOff(True, False), TimeOff(False, True), TimeOff(False, False)


@pytest.mark.parametrize(
    ("times", "met_by"),
    [
        ((None, None), {WHOLE, MORNING, AFTERNOON}),
        (("06:00", "14:00"), {WHOLE, MORNING}),
        (("06:00", "14:01"), {WHOLE, MORNING, AFTERNOON}),
        (("10:59", None), {WHOLE, MORNING, AFTERNOON}),
        (("11:00", None), {WHOLE, AFTERNOON}),
        (("11:00", "14:00"), {WHOLE}),
        (("22:00", "00:00"), {WHOLE, AFTERNOON}),
        (("22:00", "06:00"), {WHOLE, AFTERNOON}),
        (("00:00", "06:00"), {WHOLE, MORNING}),
    ],
)
def test_a_duty_meets_the_half_of_a_day_in_which_it_lies(
    times: tuple[str | None, str | None], met_by: set[TimeOff]
) -> None:
    duty = _planned(SUNDAY, *times)
    assert {off for off in (WHOLE, MORNING, AFTERNOON, NONE) if meets(duty, off)} == met_by


@pytest.mark.parametrize(
    ("times", "into"),
    [
        (("22:00", "06:00"), {WHOLE, MORNING}),
        (("22:00", "15:00"), {WHOLE, MORNING, AFTERNOON}),
        (("22:00", "00:00"), set()),
        (("22:00", None), set()),
        ((None, None), set()),
        (("06:00", "22:00"), set()),
    ],
)
def test_a_night_runs_into_what_is_off_on_the_next_day(
    times: tuple[str | None, str | None], into: set[TimeOff]
) -> None:
    duty = _planned(SUNDAY, *times)
    assert {off for off in (WHOLE, MORNING, AFTERNOON, NONE) if runs_into(duty, off)} == into


def test_the_first_afternoon_and_the_last_morning_are_the_halves_of_leave() -> None:
    span = LeaveSpan(SUNDAY, _days_after(SUNDAY, 2), start_half=True, end_half=True)
    assert [span.halves_off(_days_after(SUNDAY, number)) for number in range(-1, 4)] == [
        NONE,
        AFTERNOON,
        WHOLE,
        MORNING,
        NONE,
    ]
