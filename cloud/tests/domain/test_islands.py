"""The stretch that must be derived again: where it ends, when to read on, and what a correction ties together."""

from datetime import timedelta

import pytest
from stempelwerk_cloud.domain.entries.derivation import derive
from stempelwerk_cloud.domain.entries.facts import Void
from stempelwerk_cloud.domain.entries.islands import Span, Window, reach_of, span_of, window, windows
from stempelwerk_cloud.domain.settings import DatedRules, Rules
from stempelwerk_cloud.domain.working_time_act import UNDER_18, DatedLimits

from cloud.tests.domain.days import DEFAULT, correction, instant_of, sheet, taps

SHORT = DatedRules([(None, Rules(max_shift_h=8))])


def moments(*texts: str) -> list:  # type: ignore[type-arg]
    return [stamp.at for stamp in taps(*texts)]


def test_the_idle_gap_is_longer_than_the_longest_shift_and_any_rest() -> None:
    assert timedelta(hours=16, minutes=1) == DEFAULT.idle_gap
    assert timedelta(hours=11, minutes=1) == SHORT.idle_gap
    changed = DatedRules([(None, Rules()), (instant_of("2026-01-01 00:00").date(), Rules(max_shift_h=24))])
    assert changed.idle_gap == timedelta(hours=24, minutes=1)
    young = SHORT.for_person(DatedLimits(((instant_of("2026-01-01 00:00").date(), UNDER_18),)))
    assert young.idle_gap == timedelta(hours=12, minutes=1)


def test_a_stretch_ends_where_nothing_happens_for_longer_than_the_gap() -> None:
    times = moments("2026-11-16 08:00", "16:00", "2026-11-17 08:00", "16:00", "2026-11-20 08:00", "16:00")
    stretch = window(times, [], times[3], times[3], DEFAULT)
    assert stretch == Window(times[0], times[3], True, False)
    stretch = window(times, [], times[4], times[4], DEFAULT)
    assert stretch == Window(times[4], times[5], False, True)


@pytest.mark.parametrize(("second", "joined"), [("2026-11-21 08:01:00", True), ("2026-11-21 08:01:00.001", False)])
def test_a_pause_of_exactly_the_gap_still_joins(second: str, joined: bool) -> None:
    times = moments("2026-11-20 16:00", second)
    stretch = window(times, [], times[1], times[1], DEFAULT)
    assert (stretch.start == times[0]) is joined


def test_an_instant_that_went_away_still_joins_what_it_joined() -> None:
    """12:00 now belongs to another person; its neighbours on both sides are derived again."""
    times = moments("2026-11-20 00:00", "2026-11-21 02:00")
    removed_at = instant_of("2026-11-20 12:00")
    assert window(times, [], removed_at, removed_at, DEFAULT) == Window(times[0], times[1], True, True)


def test_reading_on_is_needed_only_where_everything_read_belongs() -> None:
    times = moments("2026-11-17 08:00", "2026-11-20 08:00", "16:00", "2026-11-23 08:00")
    stretch = window(times, [], times[1], times[2], DEFAULT)
    assert (stretch.open_before, stretch.open_after) == (False, False)


def test_nothing_around_a_lone_instant() -> None:
    lone = instant_of("2026-11-20 08:00")
    assert window([], [], lone, lone, DEFAULT) == Window(lone, lone, True, True)


def test_a_correction_ties_its_day_its_bounds_and_its_entry_together() -> None:
    decided = correction("2026-11-20", "22:00", "06:00", end_day="2026-11-21")
    assert span_of(decided, DEFAULT) == Span(instant_of("2026-11-20 00:00"), instant_of("2026-11-21 06:00"))
    early = correction("2026-11-20", "08:00", "16:00")
    assert span_of(early, DEFAULT) == Span(instant_of("2026-11-20 00:00"), instant_of("2026-11-21 00:00"))


def test_a_shift_early_on_its_day_belongs_to_a_correction_late_on_it() -> None:
    """Farther from the bounds than the gap, and still the only shift dated on the day."""
    stamps = taps("2026-11-20 00:10", "01:00")
    decided = correction("2026-11-20", "15:00", "16:00")
    times = [stamp.at for stamp in stamps]
    stretch = window(times, [span_of(decided, SHORT)], decided.new_start, decided.new_end, SHORT)
    assert stretch.start <= times[0]
    assert [entry.source for entry in sheet(stamps, [decided], rules=SHORT).entries] == ["correction"]


def test_an_entry_far_away_belongs_to_a_correction_that_says_when_it_was() -> None:
    stamps = taps("2026-11-18 08:00", "16:00")
    decided = correction("2026-11-20", "08:00", "16:00", entry="s1")
    far = sheet(stamps, [decided])
    assert [entry.source for entry in far.entries] == ["clock", "correction"]
    near = type(decided)(**{name: getattr(decided, name) for name in decided.__slots__} | {"shift_at": stamps[0].at})
    assert span_of(near, DEFAULT).start == stamps[0].at
    assert [entry.source for entry in sheet(stamps, [near]).entries] == ["correction"]


def test_corrections_join_what_lies_around_them() -> None:
    times = moments("2026-11-19 16:00", "2026-11-21 08:00")
    span = span_of(correction("2026-11-20", "08:00", "16:00"), DEFAULT)
    assert window(times, [span], times[1], times[1], DEFAULT) == Window(times[0], times[1], True, True)
    assert window(times, [], times[1], times[1], DEFAULT).start == times[1]


def test_a_window_holds_what_lies_inside_it() -> None:
    span = Span(instant_of("2026-11-20 08:00"), instant_of("2026-11-20 16:00"))
    inside = window([], [span], *span, DEFAULT)
    assert inside.holds(span)
    assert not inside.holds(Span(span.start, instant_of("2026-11-20 16:01")))


def test_changes_far_apart_are_two_stretches() -> None:
    times = moments("1970-01-01 12:00", "2026-11-20 08:00", "16:00")
    stretches = windows(times, [], [Span(times[2], times[2]), Span(times[0], times[0])], DEFAULT)
    assert [(stretch.start, stretch.end) for stretch in stretches] == [(times[0], times[0]), (times[1], times[2])]


def test_changes_close_together_are_one_stretch() -> None:
    times = moments("2026-11-20 08:00", "16:00")
    stretches = windows(
        times, [], [Span(instant, instant) for instant in (*times, instant_of("2026-11-21 07:00"))], DEFAULT
    )
    assert [(stretch.start, stretch.end) for stretch in stretches] == [(times[0], instant_of("2026-11-21 07:00"))]


def test_a_long_change_over_a_stretch_takes_it_in() -> None:
    first, second = (
        Span(instant_of("2026-11-20 08:00"), instant_of("2026-11-20 08:00")),
        Span(instant_of("2026-11-20 09:00"), instant_of("2026-12-20 09:00")),
    )
    assert [(stretch.start, stretch.end) for stretch in windows([], [], [second, first], DEFAULT)] == [
        (first.start, second.end)
    ]


def test_a_void_reaches_over_its_interval_the_double_taps_around_it_and_the_stamps_it_names() -> None:
    void = Void("v", instant_of("2026-11-20 08:00"), instant_of("2026-11-20 12:00"), instant_of("2026-11-21 08:00"))
    assert reach_of(void, [], DEFAULT) == Span(instant_of("2026-11-20 07:59"), instant_of("2026-11-20 12:01"))
    assert reach_of(void, [instant_of("2026-11-20 13:00")], DEFAULT).end == instant_of("2026-11-20 13:00")


def test_an_open_entry_long_ago_reads_the_same_in_part_and_whole() -> None:
    """The partial derivation does not know later stamps; the entry is the same, and its age shows the rest."""
    stamps = taps("2026-11-02 08:00", "2026-11-20 08:00", "16:00")
    part = derive(stamps[:1], (), (), DEFAULT).entries
    assert derive(stamps, (), (), DEFAULT).entries[:1] == part
