"""Validation of corrections: local times as instants, and every refusal."""

from datetime import date, time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.entries.corrections import (
    Bounds,
    Refusal,
    bounds,
    half_refused,
    overlaps,
    pauses_in,
    settle,
    shift_asked_for,
)
from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.instants import DAY as ONE_DAY
from stempelwerk_cloud.domain.settings import Rules

from cloud.tests.domain.days import BERLIN, DEFAULT, correction, instant_of, sheet, taps

DAY = "2026-11-20"
NEXT = "2026-11-21"


# -- bounds and refusals


def bounds_of(day: str, start: str | None, end: str | None, now: str = "2027-06-01 12:00", pause: int | None = None):  # type: ignore[no-untyped-def]
    return bounds(
        date.fromisoformat(day),
        time.fromisoformat(start) if start else None,
        time.fromisoformat(end) if end else None,
        Rules(),
        instant_of(now),
        pause,
    )


def test_bounds_are_instants_with_their_true_duration() -> None:
    assert bounds_of(DAY, "08:00", "16:00") == Bounds(instant_of(f"{DAY} 08:00"), instant_of(f"{DAY} 16:00"), 480)


def test_approval_needs_both_times() -> None:
    assert bounds_of(DAY, None, "16:00") == Refusal.MISSING_START
    assert bounds_of(DAY, "08:00", None) == Refusal.MISSING_END


def test_an_end_before_the_start_lies_on_the_next_day() -> None:
    assert bounds_of(DAY, "22:00", "06:00") == Bounds(instant_of(f"{DAY} 22:00"), instant_of(f"{NEXT} 06:00"), 480)


def test_equal_times_are_refused() -> None:
    assert bounds_of(DAY, "08:00", "08:00") == Refusal.EQUAL_TIMES


def test_more_than_16_hours_are_refused() -> None:
    assert isinstance(bounds_of(DAY, "06:00", "22:00"), Bounds)
    assert bounds_of(DAY, "06:00", "22:01") == Refusal.TOO_LONG
    assert bounds_of(DAY, "22:00", "21:00") == Refusal.TOO_LONG


def test_a_company_with_longer_shifts_may_correct_them() -> None:
    rules = Rules(max_shift_h=24)
    assert isinstance(bounds(date(2026, 11, 20), time(8), time(7), rules, instant_of("2027-01-01 00:00")), Bounds)


def test_an_end_in_the_future_is_refused() -> None:
    assert bounds_of(DAY, "08:00", "16:00", now=f"{DAY} 15:59") == Refusal.IN_FUTURE
    assert isinstance(bounds_of(DAY, "08:00", "16:00", now=f"{DAY} 16:00"), Bounds)


def test_a_time_that_does_not_exist_on_that_day_is_refused() -> None:
    assert bounds_of("2027-03-28", "02:30", "08:00") == Refusal.NO_SUCH_START
    assert bounds_of("2027-03-28", "01:00", "02:30") == Refusal.NO_SUCH_END
    assert bounds_of("2027-03-27", "22:00", "02:30") == Refusal.NO_SUCH_END
    assert isinstance(bounds_of("2027-03-28", "22:00", "02:30"), Bounds)


def test_a_time_that_exists_twice_means_the_first_for_a_start_and_the_second_for_an_end() -> None:
    start = bounds_of("2026-10-25", "02:30", "08:00")
    assert start == Bounds(instant_of("2026-10-25 00:30Z"), instant_of("2026-10-25 07:00Z"), 390)
    end = bounds_of("2026-10-24", "22:00", "02:30")
    assert end == Bounds(instant_of("2026-10-24 20:00Z"), instant_of("2026-10-25 01:30Z"), 330)


def test_inside_the_repeated_hour_an_end_that_reads_earlier_may_lie_later() -> None:
    assert bounds_of("2026-10-25", "02:45", "02:15") == Bounds(
        instant_of("2026-10-25 00:45Z"), instant_of("2026-10-25 01:15Z"), 30
    )


def test_16_hours_are_true_hours_over_a_clock_change() -> None:
    assert isinstance(bounds_of("2026-10-24", "18:00", "09:00"), Bounds)
    assert bounds_of("2026-10-24", "18:00", "09:01") == Refusal.TOO_LONG
    assert isinstance(bounds_of("2027-03-27", "18:00", "11:00"), Bounds)


@pytest.mark.parametrize(("pause", "refused"), [(0, False), (480, False), (481, True), (-1, True)])
def test_a_break_longer_than_the_shift_is_refused(pause: int, refused: bool) -> None:
    assert (bounds_of(DAY, "08:00", "16:00", pause=pause) == Refusal.BREAK_TOO_LONG) is refused


def test_dates_at_the_end_of_the_calendar_are_refused_and_do_not_break() -> None:
    assert bounds_of("9999-12-31", "22:00", "06:00") == Refusal.NO_SUCH_END
    assert bounds_of("0001-01-01", "00:00", "06:00", now="0001-01-02 12:00") == Refusal.NO_SUCH_START


def test_a_day_more_than_ten_years_ago_is_refused() -> None:
    for day, refusal in (("2017-06-01", None), ("2017-05-31", Refusal.TOO_LONG_AGO), ("0026-10-01", "too_long_ago")):
        outcome = bounds_of(day, "08:00", "16:00")
        assert (outcome if isinstance(outcome, Refusal) else None) == refusal
        assert half(day, "08:00", None) == half(day, None, "16:00") == refusal
    assert bounds_of("2017-05-31", "08:00", "16:00", now="2027-06-01 00:00") == Refusal.TOO_LONG_AGO
    assert isinstance(bounds_of("2017-05-31", "08:00", "16:00", now="2027-05-31 23:59"), Bounds)


def test_the_zone_of_the_company_is_asked() -> None:
    rules = Rules(zone=ZoneInfo("America/New_York"))
    meant = bounds(date(2026, 11, 1), time(1, 30), time(8), rules, instant_of("2027-01-01 00:00"))
    assert isinstance(meant, Bounds)
    assert meant.start.astimezone(BERLIN).isoformat() == "2026-11-01T06:30:00+01:00"


# -- overlap with another shift


def overlapping(wish: Correction, stamps: list[Stamp], *older: Correction) -> bool:
    return overlaps(settle(wish, stamps, older, [], DEFAULT), stamps, older, [], DEFAULT)


def test_overlap_with_another_shift_is_seen() -> None:
    stamps = taps(f"{DAY} 05:00", "08:00", "14:00", "18:00")
    assert overlapping(correction(DAY, "05:00", "14:01", entry="s1"), stamps)
    assert not overlapping(correction(DAY, "05:00", "14:00", entry="s1"), stamps)
    assert overlapping(correction(DAY, "07:59", "17:00", entry="s3"), stamps)


def test_its_own_shift_is_no_overlap() -> None:
    stamps = taps(f"{DAY} 05:00", "08:00", "09:00", "12:00")
    assert not overlapping(correction(DAY, "06:00", "13:00"), stamps)


def test_the_shift_of_an_older_correction_is_seen_and_its_own_older_one_is_not() -> None:
    older = correction(DAY, "14:00", "18:00", name="c1", requested=f"{NEXT} 08:00")
    stamps = taps(f"{DAY} 05:00", "08:00", "23:00", "23:30")
    assert overlapping(correction(DAY, "05:00", "15:00", name="c2", entry="s1"), stamps, older)
    assert not overlapping(correction(DAY, "13:00", "15:00", name="c2", entry="c1"), stamps, older)


def test_the_day_before_and_after_count() -> None:
    stamps = taps("2026-11-19 20:00", f"{DAY} 04:00")
    assert overlapping(correction(DAY, "03:30", "12:00"), stamps)
    assert not overlapping(correction(DAY, "04:00", "12:00"), stamps)


def test_an_incomplete_entry_inside_is_covered_and_no_overlap() -> None:
    assert not overlapping(correction(DAY, "08:00", "16:00", entry="x"), taps(f"{DAY} 12:00 out"))


def test_what_it_only_touches_is_no_overlap() -> None:
    stamps = taps(f"{DAY} 05:00", "07:00", "16:00", "20:00")
    assert not overlapping(correction(DAY, "12:00", "16:00"), stamps)


def test_a_shift_that_began_the_day_before_is_not_taken_by_one_that_makes_its_own() -> None:
    """Its second entry lies wholly inside the bounds, and is complete."""
    stamps = taps("2026-11-19 20:00", "23:50", f"{DAY} 00:10", "02:00")
    assert overlapping(correction(DAY, "00:00", "03:00"), stamps)


# -- a single time


def half(day: str, start: str | None, end: str | None, now: str = "2027-06-01 12:00") -> Refusal | None:
    times = (None if text is None else time.fromisoformat(text) for text in (start, end))
    return half_refused(date.fromisoformat(day), *times, Rules(), instant_of(now))


def test_one_time_is_refused_where_it_cannot_have_been() -> None:
    assert half(DAY, "08:00", None) is None
    assert half(DAY, "08:00", None, now=f"{DAY} 07:59") == Refusal.IN_FUTURE
    assert half(DAY, None, "16:00", now=f"{DAY} 15:59") == Refusal.IN_FUTURE
    assert half("2026-03-29", "02:30", None) == Refusal.NO_SUCH_START
    assert half(DAY, None, None) == Refusal.MISSING_START


def test_an_end_alone_may_lie_on_the_next_day() -> None:
    assert half("2026-03-29", None, "02:30") is None
    assert half("2026-03-28", None, "02:30") is None
    assert half("9999-12-31", None, "08:00", now="9999-12-31 09:00") is None


@given(st.dates(date(2020, 1, 1), date(2030, 1, 1)), st.times(), st.times(), st.integers(-2, 2))
def test_half_of_what_can_stand_is_not_refused(day: date, start: time, end: time, days: int) -> None:
    start, end = start.replace(second=0, microsecond=0), end.replace(second=0, microsecond=0)
    now = instant_of(f"{day + days * ONE_DAY} 12:00")
    if isinstance(bounds(day, start, end, Rules(), now), Bounds):
        assert half_refused(day, start, None, Rules(), now) is None
        assert half_refused(day, None, end, Rules(), now) is None


def test_a_request_concerns_the_shift_of_its_entry_else_the_only_one_of_its_day() -> None:
    stamps = taps(f"{DAY} 00:30", "04:00", "12:00", "14:00", "15:00", "18:00")
    entries = sheet(stamps).entries
    night, day, later = entries
    assert shift_asked_for(entries, date(2026, 11, 20), later.id) == [day, later]
    assert shift_asked_for(entries, date(2026, 11, 20), None) == [], "of two nobody knows which"
    assert shift_asked_for([night], date(2026, 11, 20), None) == [night]
    assert shift_asked_for(entries, date(2026, 11, 21), None) == []
    assert shift_asked_for(entries, date(2026, 11, 20), "nobody's") == []


def test_gaps_of_a_shift_are_the_break_of_what_takes_its_place() -> None:
    entries = sheet(taps(f"{DAY} 08:00", "12:00", "13:00")).entries
    assert pauses_in(entries, 540, Rules()) == 60
    assert pauses_in(entries[:1], 540, Rules()) is None
    short = sheet(taps(f"{DAY} 08:00", "12:00", "12:20")).entries
    assert pauses_in(short, 540, Rules()) is None, "the law deducts half an hour in any case"
    assert pauses_in(short, 300, Rules()) == 20
    assert pauses_in(short, 540, Rules(break_policy="none")) == 20
