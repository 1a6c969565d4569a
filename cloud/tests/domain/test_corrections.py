"""Approved corrections: the shift they concern, the stamps they cover, and the resulting entries."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

import pytest
from stempelwerk_cloud.domain.entries.corrections import settle
from stempelwerk_cloud.domain.entries.derivation import derive
from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.domain.entries.stamps import Stamp, order

from cloud.tests.domain.days import DEFAULT, LATER, approved, correction, row, rows, sheet, taps, times

DAY = "2026-11-20"
NEXT = "2026-11-21"


# -- which shift


def test_it_concerns_the_shift_of_its_entry() -> None:
    stamps = taps(f"{DAY} 06:00", "09:00", "15:00", "18:00")
    assert times(stamps, [correction(DAY, "15:30", "18:30", entry="s3")]) == [("06:00", "09:00"), ("15:30", "18:30")]
    assert times(stamps, [correction(DAY, "06:30", "09:30", entry="s1")]) == [("06:30", "09:30"), ("15:00", "18:00")]


def test_any_stamp_of_the_shift_names_it() -> None:
    """An id that was an entry's stays good when late stamps turn its stamp into the end of another entry."""
    stamps = taps(f"{DAY} 15:00", "18:00", "06:00", "09:00", "14:00", "14:30")
    assert times(stamps, [correction(DAY, "15:30", "18:30", entry="s2")]) == [("06:00", "09:00"), ("15:30", "18:30")]


def test_the_entry_may_have_another_date_than_the_correction() -> None:
    """After midnight of a shift that began the evening before."""
    stamps = taps(f"{DAY} 20:00", f"{NEXT} 00:00", "00:30", "04:00")
    entry_times = times(stamps, [correction(NEXT, "01:00", "04:30", entry="s3")])
    assert entry_times == [("01:00", "04:30")]


def test_without_an_entry_it_concerns_the_only_shift_dated_on_its_day() -> None:
    stamps = taps(f"{DAY} 06:00", "09:00")
    assert times(stamps, [correction(DAY, "12:00", "15:00")]) == [("12:00", "15:00")]


def test_a_shift_that_began_the_day_before_is_not_dated_on_the_day() -> None:
    stamps = taps("2026-11-19 20:00", f"{DAY} 02:00")
    assert times(stamps, [correction(DAY, "12:00", "15:00")]) == [("20:00", "02:00"), ("12:00", "15:00")]


def test_of_several_it_concerns_the_one_that_overlaps_the_bounds_most() -> None:
    stamps = taps(f"{DAY} 05:00", "08:00", "13:00", "18:00")
    assert times(stamps, [correction(DAY, "07:30", "17:00")]) == [("05:00", "08:00"), ("07:30", "17:00")]
    assert times(stamps, [correction(DAY, "05:30", "08:30")]) == [("05:30", "08:30"), ("13:00", "18:00")]


def test_an_incomplete_shift_inside_the_bounds_is_overlapped() -> None:
    stamps = taps(f"{DAY} 05:00", "08:00", "13:00")
    assert times(stamps, [correction(DAY, "13:00", "17:00")]) == [("05:00", "08:00"), ("13:00", "17:00")]


def test_of_several_that_do_not_overlap_it_concerns_none_and_makes_one() -> None:
    stamps = taps(f"{DAY} 05:00", "08:00", "20:00", "22:00")
    assert times(stamps, [correction(DAY, "13:30", "14:30")]) == [
        ("05:00", "08:00"),
        ("13:30", "14:30"),
        ("20:00", "22:00"),
    ]


def test_a_shift_that_it_only_touches_is_not_the_one_it_concerns() -> None:
    stamps = taps(f"{DAY} 05:00", "07:00", "16:00", "20:00")
    assert times(stamps, [correction(DAY, "12:00", "16:00")]) == [
        ("05:00", "07:00"),
        ("12:00", "16:00"),
        ("16:00", "20:00"),
    ]


def test_on_a_day_without_a_shift_it_makes_one() -> None:
    entries = sheet([], [correction(DAY, "08:00", "16:00")]).entries
    assert [(entry.id, entry.source, entry.net_minutes, entry.correction_id) for entry in entries] == [
        ("c1", "correction", 450, "c1")
    ]
    assert (entries[0].start_stamp, entries[0].end_stamp, entries[0].clock_name) == (None, None, None)


def test_an_entry_that_is_not_known_leaves_the_choice_to_the_date() -> None:
    stamps = taps(f"{DAY} 06:00", "09:00")
    assert times(stamps, [correction(DAY, "06:00", "10:00", entry="never-heard-of")]) == [("06:00", "10:00")]


def test_which_shift_it_concerns_is_kept_by_the_first_stamp_of_that() -> None:
    stamps = taps(f"{DAY} 08:00:00", "12:00", "12:30", "17:00")
    (decided,) = approved(stamps, [correction(DAY, "08:00", "17:30", entry="s3")])
    assert (decided.shift, decided.shift_at) == ("s1", stamps[0].at)


def test_a_shift_without_stamps_is_kept_by_the_correction_that_made_it() -> None:
    older = correction(DAY, "08:00", "12:00", name="c1", requested="2026-11-23 08:00")
    newer = correction(DAY, "08:00", "13:00", name="c2", requested="2026-11-24 08:00")
    assert [decision.shift for decision in approved([], [older, newer])] == [None, "c1"]


def test_stamps_that_arrive_later_do_not_change_which_shift_it_concerns() -> None:
    """The only shift of the day was the morning's; the evening's comes with a clock that was offline."""
    morning = taps(f"{DAY} 06:00", "09:00")
    late = taps(f"{DAY} 06:00", "09:00", "15:00", "19:00")
    assert times(late, [correction(DAY, "15:30", "16:00")], known_stamps=morning) == [
        ("15:00", "19:00"),
        ("15:30", "16:00"),
    ]


# -- what one covers that makes its shift


def test_hours_outside_its_bounds_that_arrive_later_stand() -> None:
    """An empty day was reported as 09:00 to 13:00; then an offline clock brings the evening."""
    late = taps(f"{DAY} 18:30", "22:30")
    new_shift = correction(DAY, "09:00", "13:00", requested=f"{NEXT} 08:00")
    assert times(late, [new_shift], known_stamps=[]) == [("09:00", "13:00"), ("18:30", "22:30")]


def test_hours_close_to_it_that_arrive_later_stand_also_when_a_newer_one_has_replaced_it() -> None:
    older = correction(DAY, "09:00", "13:00", name="c1", requested=f"{NEXT} 08:00")
    newer = correction(DAY, "09:00", "12:30", name="c2", requested=f"{NEXT} 09:00")
    late = taps(f"{DAY} 10:00", "12:00", "16:00", "20:00")
    assert times(late, [older, newer], known_stamps=[]) == [("09:00", "12:30"), ("16:00", "20:00")]


def test_stamps_inside_its_bounds_that_arrive_later_are_covered_those_at_a_bound_included() -> None:
    new_shift = correction(DAY, "09:00", "13:00", requested=f"{NEXT} 08:00")
    late = taps(f"{DAY} 09:00", "11:00", "11:30", "13:00")
    derived = sheet(late, [new_shift], known_stamps=[])
    assert times(late, [new_shift], known_stamps=[]) == [("09:00", "11:00"), ("11:30", "13:00")]
    assert {entry.correction_id for entry in derived.entries} == {"c1"}


def test_hours_that_only_touch_its_bounds_are_not_covered() -> None:
    new_shift = correction(DAY, "12:00", "16:00", requested=f"{NEXT} 08:00")
    late = taps(f"{DAY} 08:00", "12:00", "16:00", "20:00")
    assert times(late, [new_shift], known_stamps=[]) == [("08:00", "12:00"), ("12:00", "16:00"), ("16:00", "20:00")]


def test_a_kommen_before_and_a_gehen_inside_leave_the_kommen_without_an_end() -> None:
    new_shift = correction(DAY, "12:00", "16:00", requested=f"{NEXT} 08:00")
    entry_rows = rows(taps(f"{DAY} 09:00", "13:00"), [new_shift], known_stamps=[])
    assert [(entry.start, entry.end, entry.flags) for entry in entry_rows] == [
        ("09:00", None, ("missing_out",)),
        ("12:00", "16:00", ()),
    ]


def test_a_double_tap_inside_its_bounds_goes_with_the_stamp_outside_that_it_belongs_to() -> None:
    new_shift = correction(DAY, "12:00", "16:00", requested=f"{NEXT} 08:00")
    late = taps(f"{DAY} 08:00:00", "11:59:40", "12:00:20")
    assert sheet(late, [new_shift], known_stamps=[]).uncounted == {"s3": "double_tap"}


# -- covered stamps and resulting entries


def test_the_missing_gehen_is_put_in() -> None:
    entry_rows = rows(taps(f"{DAY} 08:00"), [correction(DAY, "08:00", "16:00", requested=f"{NEXT} 09:00")])
    assert [(entry.start, entry.end, entry.net, entry.flags) for entry in entry_rows] == [("08:00", "16:00", 450, ())]


def test_complete_entries_stay_cut_to_the_bounds() -> None:
    stamps = taps(f"{DAY} 08:00", "12:00", "12:30", "17:00")
    entries = sheet(stamps, [correction(DAY, "09:00", "16:00")]).entries
    assert [(entry.id, entry.source, entry.start_stamp, entry.end_stamp) for entry in entries] == [
        ("s1", "correction", "s1", "s2"),
        ("s3", "correction", "s3", "s4"),
    ]
    assert times(stamps, [correction(DAY, "09:00", "16:00")]) == [("09:00", "12:00"), ("12:30", "16:00")]


def test_the_first_begins_at_the_new_start_and_the_last_ends_at_the_new_end() -> None:
    stamps = taps(f"{DAY} 08:00", "12:00", "12:30", "17:00")
    assert times(stamps, [correction(DAY, "07:30", "17:30")]) == [("07:30", "12:00"), ("12:30", "17:30")]


def test_entries_outside_the_bounds_fall_away() -> None:
    stamps = taps(f"{DAY} 08:00", "09:00", "10:00", "12:00", "13:00", "14:00")
    assert times(stamps, [correction(DAY, "10:30", "12:30")]) == [("10:30", "12:30")]


def test_when_no_entry_lies_inside_the_bounds_one_stands() -> None:
    stamps = taps(f"{DAY} 08:00", "12:00")
    derived = sheet(stamps, [correction(DAY, "13:00", "16:00")])
    assert [(entry.id, entry.source) for entry in derived.entries] == [("c1", "correction")]
    assert derived.uncounted == {"s1": "corrected", "s2": "corrected"}


def test_entries_that_only_touch_the_bounds_do_not_lie_inside() -> None:
    assert times(taps(f"{DAY} 08:00", "12:00"), [correction(DAY, "12:00", "16:00")]) == [("12:00", "16:00")]


def test_if_one_covered_entry_is_incomplete_one_entry_stands() -> None:
    stamps = taps(f"{DAY} 08:00", "12:00", "12:30")
    derived = sheet(stamps, [correction(DAY, "08:00", "16:00")])
    assert [(entry.id, entry.net_minutes) for entry in derived.entries] == [("c1", 450)]
    assert set(derived.uncounted) == {"s1", "s2", "s3"}


def test_late_stamps_complete_the_shift_under_its_correction() -> None:
    """Approved over only a morning; then the clock delivers the noon break and the evening."""
    decided = correction(DAY, "08:00", "16:00", requested=f"{NEXT} 09:00")
    assert times(taps(f"{DAY} 08:00"), [decided]) == [("08:00", "16:00")]
    late = taps(f"{DAY} 08:00", "12:00", "12:30", "16:10")
    assert times(late, [decided], known_stamps=late[:1]) == [("08:00", "12:00"), ("12:30", "16:00")]


def test_stamps_after_the_request_are_not_covered_and_pair_on_from_gegangen() -> None:
    """08:00 Kommen; at noon they report to have left at 11:30; then they come back."""
    stamps = taps(f"{DAY} 08:00", "12:30", "16:00")
    decided = correction(DAY, "08:00", "11:30", requested=f"{DAY} 12:00")
    assert times(stamps, [decided]) == [("08:00", "11:30"), ("12:30", "16:00")]


def test_stamps_after_the_new_end_are_covered_up_to_the_request() -> None:
    stamps = taps(f"{DAY} 08:00", "12:30", "16:00")
    decided = correction(DAY, "08:00", "11:30", requested=f"{DAY} 18:00")
    assert times(stamps, [decided]) == [("08:00", "11:30")]


def test_stamps_before_the_new_end_are_covered_though_they_come_after_the_request() -> None:
    """An administrator may write a correction down at 10:00 whose end is decided as 16:00, approved in the evening."""
    stamps = taps(f"{DAY} 08:00", "12:00", "12:30")
    decided = correction(DAY, "08:00", "16:00", requested=f"{DAY} 10:00", decided=f"{DAY} 18:00")
    assert times(stamps, [decided]) == [("08:00", "16:00")]


def test_a_running_entry_goes_on_after_the_corrected_part() -> None:
    stamps = taps(f"{DAY} 08:00", "12:30")
    decided = correction(DAY, "08:00", "11:30", requested=f"{DAY} 12:00")
    entry_rows = rows(stamps, [decided], now=f"{DAY} 13:00")
    assert [(entry.start, entry.end, entry.flags) for entry in entry_rows] == [
        ("08:00", "11:30", ()),
        ("12:30", None, ()),
    ]


def test_incomplete_entries_inside_the_bounds_are_covered_whatever_their_date() -> None:
    """The evening of one day, reported from its own shift into the next morning; the forgotten Gehen at 03:00 goes."""
    stamps = taps(f"{DAY} 14:00", "20:00", f"{NEXT} 03:00 out")
    decided = correction(DAY, "14:00", "04:00", end_day=NEXT, requested="2026-11-22 09:00")
    derived = sheet(stamps, [decided])
    assert "s3" in derived.uncounted
    assert [entry.id for entry in derived.entries] == ["c1"]


def test_complete_entries_of_another_shift_inside_the_bounds_are_not_covered() -> None:
    stamps = taps(f"{DAY} 14:00", "20:00", f"{NEXT} 03:00", "05:00")
    decided = correction(DAY, "14:00", "04:00", end_day=NEXT, requested="2026-11-22 09:00")
    entry_rows = rows(stamps, [decided], known_stamps=stamps[:2])
    assert [(entry.start, entry.end) for entry in entry_rows] == [("14:00", "04:00"), ("03:00", "05:00")]


def test_double_taps_go_with_the_stamp_they_belong_to() -> None:
    stamps = taps(f"{DAY} 08:00:00", "08:00:30", "16:00:00", "16:00:30", "16:00:45 out")
    derived = sheet(stamps, [correction(DAY, "07:45", "15:45")])
    assert [(entry.id, entry.source) for entry in derived.entries] == [("s1", "correction")]
    assert set(derived.uncounted) == {"s2", "s4", "s5"}


def test_what_was_open_before_the_corrected_shift_is_not_closed_by_later_stamps() -> None:
    stamps = taps(f"{DAY} 03:00", "08:30 in", "12:00", "17:30", "18:30")
    decided = correction(DAY, "09:00", "11:00", entry="s2", requested=f"{DAY} 13:00")
    assert times(stamps, [decided]) == [("03:00", None), ("09:00", "11:00"), ("17:30", "18:30")]


def test_a_stamp_after_the_request_does_not_close_what_began_before_the_correction() -> None:
    """A night without its Gehen, an hour reported in the morning: at 13:00 the person comes, they do not leave."""
    stamps = taps("2026-11-19 22:00", f"{DAY} 13:00", "17:00")
    decided = correction(DAY, "09:00", "10:00", requested=f"{DAY} 10:30")
    entry_rows = rows(stamps, [decided])
    assert [(entry.start, entry.end) for entry in entry_rows] == [
        ("22:00", None),
        ("09:00", "10:00"),
        ("13:00", "17:00"),
    ]
    assert entry_rows[0].flags == ("missing_out",)


def test_a_correction_says_gegangen_also_while_nothing_was_stamped_after_it() -> None:
    decided = correction(DAY, "09:00", "10:00", requested=f"{DAY} 10:30")
    entry_rows = rows(taps("2026-11-19 22:00"), [decided], now=f"{DAY} 11:00")
    assert entry_rows[0].flags == ("missing_out",)


def test_late_stamps_around_a_correction_keep_their_entry() -> None:
    """An hour inside a night was reported; then the night's own stamps arrive, older than the request."""
    decided = correction(DAY, "02:00", "04:00", requested=f"{DAY} 09:00")
    entry_rows = rows(taps("2026-11-19 22:00", f"{DAY} 06:00", "20:00"), [decided], known_stamps=[])
    assert [(entry.start, entry.end) for entry in entry_rows] == [
        ("22:00", "06:00"),
        ("02:00", "04:00"),
        ("20:00", None),
    ]
    assert "overlap" in entry_rows[0].flags
    assert entry_rows[1].raw == 0


def test_its_entries_are_not_flagged_for_what_the_stamps_lacked() -> None:
    start, end = taps(f"{DAY} 06:00", "17:00")
    stamps = [start._replace(shown="out"), end._replace(uncertain=True)]
    assert [entry.flags for entry in rows(stamps, [correction(DAY, "06:30", "16:30", pause=0)])] == [("missing_break",)]


def test_an_uncertain_time_that_it_leaves_standing_stays_uncertain() -> None:
    stamps = [stamp._replace(uncertain=stamp.id == "s2") for stamp in taps(f"{DAY} 08:00", "12:00", "12:30", "17:00")]
    entry_rows = rows(stamps, [correction(DAY, "08:00", "17:00")])
    assert [entry.flags for entry in entry_rows] == [("uncertain_time",), ()]


def test_the_settings_at_the_new_start_hold() -> None:
    assert [entry.day for entry in rows([], [correction(DAY, "00:15", "08:00")])] == [DAY]


# -- one after the other


def test_a_new_correction_of_the_same_shift_replaces_the_older() -> None:
    older = correction(DAY, "08:00", "16:00", name="c1", requested="2026-11-23 08:00")
    newer = correction(DAY, "09:00", "15:00", name="c2", requested="2026-11-24 08:00")
    for decided in ([older, newer], [newer, older]):
        assert times(taps(f"{DAY} 08:10"), decided) == [("09:00", "15:00")]


def test_it_replaces_one_that_stood_without_stamps() -> None:
    older = correction(DAY, "08:00", "16:00", name="c1", requested="2026-11-23 08:00")
    newer = correction(DAY, "17:00", "18:00", name="c2", requested="2026-11-24 08:00")
    assert times([], [older, newer]) == [("17:00", "18:00")]


def test_it_may_name_the_older_correction_as_its_entry() -> None:
    older = correction(DAY, "06:00", "09:00", name="c1", requested="2026-11-23 08:00", entry="s1")
    newer = correction(DAY, "06:30", "09:30", name="c2", requested="2026-11-24 08:00", entry="c1")
    stamps = taps(f"{DAY} 06:10", "15:00 in", "18:00")
    assert times(stamps, [older, newer]) == [("06:30", "09:30"), ("15:00", "18:00")]


def test_the_order_of_decisions_counts_and_not_that_of_requests() -> None:
    first = correction(DAY, "08:00", "16:00", name="c1", requested="2026-11-24 08:00", decided="2026-11-24 09:00")
    second = correction(DAY, "09:00", "15:00", name="c2", requested="2026-11-23 08:00", decided="2026-11-25 09:00")
    assert times([], [second, first]) == [("09:00", "15:00")]


def test_stamps_that_only_the_older_one_covered_count_again() -> None:
    """The older was asked for after the afternoon, the newer before it, and decided last."""
    stamps = taps(f"{DAY} 08:00", "12:00", "13:00", "17:00")
    older = correction(DAY, "08:00", "16:00", name="c1", requested=f"{DAY} 18:00", decided=f"{DAY} 19:00")
    newer = correction(DAY, "08:30", "12:00", name="c2", requested=f"{DAY} 12:30", decided=f"{DAY} 20:00")
    assert times(stamps, [older, newer]) == [("08:30", "12:00"), ("13:00", "17:00")]


def test_corrections_of_two_shifts_stand_side_by_side() -> None:
    stamps = taps(f"{DAY} 05:00", "08:00", "14:00", "18:00")
    decided = [
        correction(DAY, "05:30", "08:30", name="c1", requested="2026-11-23 08:00", entry="s1"),
        correction(DAY, "14:30", "18:30", name="c2", requested="2026-11-24 08:00", entry="s3"),
    ]
    assert times(stamps, decided) == [("05:30", "08:30"), ("14:30", "18:30")]


# -- two corrected shifts that become one by what arrives later

EARLY_AND_LATE = (f"{DAY} 07:00", "11:00", "18:00", "22:00")


def _afternoon() -> list[Stamp]:
    return [stamp._replace(id=f"l{stamp.id}") for stamp in taps(f"{DAY} 13:00", "16:00")]


def _stand(stamps: Iterable[Stamp], decided: Sequence[Correction]) -> list[tuple[str | None, str | None]]:
    """Start and end of each entry under corrections that are settled already."""
    entries = derive(list(stamps), decided, (), DEFAULT).entries
    return [(entry_row.start, entry_row.end) for entry_row in (row(entry, LATER) for entry in entries)]


@pytest.mark.parametrize("first", ["c1", "c2"])
def test_late_stamps_that_join_two_corrected_shifts_leave_each_its_correction(first: str) -> None:
    known_stamps = taps(*EARLY_AND_LATE)
    when = {name: f"{NEXT} 0{8 + (name != first)}:00" for name in ("c1", "c2")}
    both = [
        correction(DAY, "07:30", "11:00", name="c1", requested=when["c1"], entry="s1"),
        correction(DAY, "18:00", "21:30", name="c2", requested=when["c2"], entry="s3"),
    ]
    assert times(known_stamps, both) == [("07:30", "11:00"), ("18:00", "21:30")]
    assert times([*known_stamps, *_afternoon()], both, known_stamps=known_stamps) == [
        ("07:30", "11:00"),
        ("18:00", "21:30"),
    ]


@pytest.mark.parametrize("first", ["c1", "c2"])
def test_nor_do_they_take_away_one_that_made_its_shift(first: str) -> None:
    known_stamps = taps(f"{DAY} 07:00", "11:00")
    late = taps(f"{DAY} 07:00", "11:00", "13:00", "16:00")
    when = {name: f"{NEXT} 0{8 + (name != first)}:00" for name in ("c1", "c2")}
    both = [
        correction(DAY, "07:30", "11:00", name="c1", requested=when["c1"], entry="s1"),
        correction(DAY, "18:00", "22:00", name="c2", requested=when["c2"]),
    ]
    both[1] = replace(both[1], date=date.fromisoformat(NEXT))  # so that it makes a shift
    assert times(late, both, known_stamps=known_stamps) == [("07:30", "11:00"), ("18:00", "22:00")]


def test_a_correction_of_what_had_become_one_shift_takes_the_place_of_both() -> None:
    """The second brings the evening so near to the morning that they are one shift, as the page shows it then."""
    stamps = taps(*EARLY_AND_LATE)
    decided = [
        correction(DAY, "07:30", "11:00", name="c1", requested=f"{NEXT} 08:00", entry="s1"),
        correction(DAY, "15:30", "21:30", name="c2", requested=f"{NEXT} 09:00", entry="s3"),
        correction(DAY, "07:00", "16:00", name="c3", requested=f"{NEXT} 10:00", entry="s1"),
    ]
    assert times(stamps, decided[:2]) == [("07:30", "11:00"), ("15:30", "21:30")]
    assert times(stamps, decided) == [("07:00", "16:00")]


def test_the_hours_between_come_back_with_a_correction_that_reaches_over_them() -> None:
    known_stamps = taps(*EARLY_AND_LATE)
    both = [
        correction(DAY, "07:30", "11:00", name="c1", requested=f"{NEXT} 08:00", entry="s1"),
        correction(DAY, "18:00", "21:30", name="c2", requested=f"{NEXT} 09:00", entry="s3"),
    ]
    late = sorted([*known_stamps, *_afternoon()], key=order)
    approved_before = approved(known_stamps, both)
    wider = settle(correction(DAY, "07:00", "16:00", name="c3", entry="s1"), late, approved_before, (), DEFAULT)
    assert _stand(late, [*approved_before, wider]) == [("07:00", "11:00"), ("13:00", "16:00"), ("18:00", "21:30")]


def test_a_first_stamp_that_comes_late_makes_no_second_shift_of_one() -> None:
    known_stamps = taps(f"{DAY} 08:00", "12:00")
    older = correction(DAY, "08:00", "13:00", name="c1", requested=f"{NEXT} 08:00", entry="s1")
    (older,) = approved(known_stamps, [older])
    late = [taps(f"{DAY} 06:00 in")[0]._replace(id="s0"), taps(f"{DAY} 07:00 out")[0]._replace(id="s00"), *known_stamps]
    newer = correction(DAY, "17:00", "18:00", name="c2", requested=f"{NEXT} 09:00", entry="s1")
    newer = settle(newer, late, [older], (), DEFAULT)
    assert newer.shift == "s0"
    assert _stand(late, [older, newer]) == [("17:00", "18:00")]
