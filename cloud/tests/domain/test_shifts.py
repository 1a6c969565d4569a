"""Shifts, breaks and the working time act: everything that is judged by shift, in absolute time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.settings import DatedRules, Rules
from stempelwerk_cloud.domain.working_time_act import ADULT, EXPECTING, UNDER_18, break_due

from cloud.tests.domain.days import correction, instant_of, rows, sheet, taps

DAY = "2026-11-20"
ONLY_WARN = DatedRules([(None, Rules(break_policy="none"))])


def minutes(*texts: str, rules: DatedRules | None = None) -> list[tuple[int | None, int | None, int | None]]:
    entry_rows = rows(taps(*texts), rules=rules) if rules else rows(taps(*texts))
    return [(entry.raw, entry.pause, entry.net) for entry in entry_rows]


def flagged(*texts: str, rules: DatedRules | None = None) -> list[tuple[str, ...]]:
    entry_rows = rows(taps(*texts), rules=rules) if rules else rows(taps(*texts))
    return [entry.flags for entry in entry_rows]


# -- what a shift is


def test_entries_less_than_5_hours_apart_are_one_shift() -> None:
    entries = sheet(taps(f"{DAY} 06:00", "10:00", "14:59", "18:00")).entries
    assert {entry.shift for entry in entries} == {"s1"}


def test_entries_5_hours_apart_are_two_shifts() -> None:
    entries = sheet(taps(f"{DAY} 06:00", "10:00", "15:00", "18:00")).entries
    assert [entry.shift for entry in entries] == ["s1", "s3"]


def test_a_shift_is_dated_by_its_first_start() -> None:
    entries = sheet(taps("2026-11-20 22:00", "2026-11-21 01:00", "01:30", "06:00")).entries
    assert [entry.date.day for entry in entries] == [20, 21]
    assert [entry.shift_date.day for entry in entries] == [20, 20]


def test_a_shift_that_begins_without_a_start_is_dated_by_the_first_start_it_has() -> None:
    entries = sheet(taps("2026-11-20 23:30 out", "2026-11-21 00:30", "06:00")).entries
    assert {entry.shift_date.day for entry in entries} == {21}
    assert sheet(taps("2026-11-20 23:30 out")).entries[0].shift_date.day == 20


def test_a_shift_chains_over_more_than_its_first_entry() -> None:
    entries = sheet(taps(f"{DAY} 06:00", "08:00", "12:00", "14:00", "18:00", "20:00")).entries
    assert {entry.shift for entry in entries} == {"s1"}


def test_an_incomplete_entry_counts_with_its_one_known_time_for_the_distance() -> None:
    """08:00 to 12:59 is less than five hours, 08:00 to 13:00 is not, whenever that first work really ended."""
    near = sheet(taps(f"{DAY} 08:00", "12:59 in", "16:00")).entries
    assert {entry.shift for entry in near} == {"s1"}
    far = sheet(taps(f"{DAY} 08:00", "13:00 in", "16:00")).entries
    assert [entry.shift for entry in far] == ["s1", "s2"]


def test_an_entry_without_a_start_counts_with_its_end_for_the_distance() -> None:
    entries = sheet(taps(f"{DAY} 08:00", "12:00", "16:59 out")).entries
    assert {entry.shift for entry in entries} == {"s1"}


# -- breaks


@pytest.mark.parametrize(
    ("end", "net"),
    [
        ("14:00", 360),
        ("14:01", 360),
        ("14:10", 360),
        ("14:30", 360),
        ("14:31", 361),
        ("17:00", 510),
        ("17:01", 511),
        ("17:30", 540),
        ("17:40", 540),
        ("17:45", 540),
        ("17:46", 541),
        ("18:00", 555),
        ("19:00", 615),
    ],
)
def test_without_a_break_taken_the_statutory_break_is_deducted(end: str, net: int) -> None:
    entry_rows = rows(taps(f"{DAY} 08:00", f"{end} out"))
    assert entry_rows[0].net == net
    assert entry_rows[0].raw == net + (entry_rows[0].pause or 0)


def test_a_break_that_was_taken_is_not_deducted_again() -> None:
    assert minutes(f"{DAY} 08:00", "12:00", "12:30", "17:00") == [(240, 0, 240), (270, 0, 270)]


def test_a_break_that_was_too_short_is_made_up() -> None:
    assert minutes(f"{DAY} 08:00", "12:00", "12:20", "17:00") == [(240, 0, 240), (280, 10, 270)]


def test_a_gap_of_15_minutes_counts_and_one_of_14_does_not() -> None:
    assert minutes(f"{DAY} 08:00", "12:00", "12:15", "17:00") == [(240, 0, 240), (285, 15, 270)]
    assert minutes(f"{DAY} 08:00", "12:00", "12:14", "17:00") == [(240, 0, 240), (286, 30, 256)]


def test_several_gaps_of_at_least_15_minutes_add_up() -> None:
    assert minutes(f"{DAY} 08:00", "10:00", "10:15", "12:00", "12:15", "17:00") == [
        (120, 0, 120),
        (105, 0, 105),
        (285, 0, 285),
    ]


def test_over_9_hours_45_minutes_are_due() -> None:
    assert minutes(f"{DAY} 07:00", "12:00", "12:30", "17:30") == [(300, 0, 300), (300, 15, 285)]


def test_the_thresholds_act_on_net_time_also_with_breaks_taken() -> None:
    """6 h 20 with 20 minutes taken: 10 more would be due, and only 10 lie over the six hours."""
    assert minutes(f"{DAY} 08:00", "12:00", "12:20", "14:40") == [(240, 0, 240), (140, 10, 130)]
    assert minutes(f"{DAY} 08:00", "12:00", "12:20", "14:25") == [(240, 0, 240), (125, 5, 120)]


def test_a_break_after_midnight_is_a_break() -> None:
    assert minutes("2026-11-20 22:00", "2026-11-21 02:00", "02:30", "06:00") == [(240, 0, 240), (210, 0, 210)]


def test_a_break_across_the_clock_change_has_its_true_length() -> None:
    """01:50 to 02:10 is an hour and twenty minutes when the hour is repeated in between."""
    assert minutes("2026-10-24 22:00", "2026-10-24 23:50Z", "2026-10-25 01:10Z", "2026-10-25 06:00") == [
        (230, 0, 230),
        (230, 0, 230),
    ]


def test_the_deduction_stands_on_the_last_complete_entry() -> None:
    assert minutes(f"{DAY} 08:00", "12:00", "12:05", "16:00") == [(240, 0, 240), (235, 30, 205)]


def test_what_the_last_entry_is_too_short_for_stands_on_the_one_before() -> None:
    assert minutes(f"{DAY} 08:00", "16:00", "16:05", "16:15") == [(480, 20, 460), (10, 10, 0)]
    assert minutes(f"{DAY} 08:00", "16:00", "16:05", "16:10", "16:20", "16:25") == [
        (480, 20, 460),
        (5, 5, 0),
        (5, 5, 0),
    ]


def test_an_incomplete_entry_counts_neither_for_minutes_nor_for_breaks() -> None:
    entry_rows = rows(taps(f"{DAY} 08:00", "16:00", "16:30 in"))
    assert [(entry.raw, entry.pause, entry.net) for entry in entry_rows] == [(480, 30, 450), (None, None, None)]


def test_the_deduction_skips_an_incomplete_last_entry() -> None:
    entry_rows = rows(taps(f"{DAY} 08:00", "16:30", "19:00 out"))
    assert [(entry.pause, entry.flags) for entry in entry_rows] == [(30, ()), (None, ("missing_in",))]


def test_two_shifts_have_breaks_of_their_own() -> None:
    assert minutes(f"{DAY} 00:00", "06:30", "11:30", "18:00") == [(390, 30, 360), (390, 30, 360)]


def test_the_policy_none_deducts_nothing_and_warns() -> None:
    assert minutes(f"{DAY} 08:00", "16:00", rules=ONLY_WARN) == [(480, 0, 480)]
    assert flagged(f"{DAY} 08:00", "16:00", rules=ONLY_WARN) == [("missing_break",)]


def test_the_policy_none_does_not_warn_where_the_break_was_taken() -> None:
    assert flagged(f"{DAY} 08:00", "12:00", "12:30", "17:00", rules=ONLY_WARN) == [(), ()]
    assert flagged(f"{DAY} 08:00", "14:00", rules=ONLY_WARN) == [()]
    assert flagged(f"{DAY} 08:00", "14:01", rules=ONLY_WARN) == [("missing_break",)]


def test_the_statutory_policy_deducts_and_does_not_warn() -> None:
    assert flagged(f"{DAY} 08:00", "16:00") == [()]


def test_a_correction_may_contest_the_break() -> None:
    stamps = taps(f"{DAY} 08:00", "16:00")
    contested = rows(stamps, [correction(DAY, "08:00", "16:00", pause=0)])
    assert [(entry.raw, entry.pause, entry.net, entry.flags) for entry in contested] == [
        (480, 0, 480, ("missing_break",))
    ]
    longer = rows(stamps, [correction(DAY, "08:00", "16:00", pause=60)])
    assert [(entry.raw, entry.pause, entry.net, entry.flags) for entry in longer] == [(480, 60, 420, ())]


def test_a_correction_without_a_break_leaves_it_to_the_policy() -> None:
    assert [entry.pause for entry in rows(taps(f"{DAY} 08:00", "16:00"), [correction(DAY, "08:00", "16:30")])] == [30]


def test_what_is_stamped_after_a_contested_break_is_judged_by_the_policy_again() -> None:
    """No break until 14:30, decided; the two hours after a pause of 15 minutes need another 15."""
    stamps = taps(f"{DAY} 08:00", "14:30", "14:45", "17:00")
    decided = correction(DAY, "08:00", "14:30", pause=0, requested=f"{DAY} 14:40")
    assert [(entry.raw, entry.pause, entry.net) for entry in rows(stamps, [decided])] == [(390, 0, 390), (135, 15, 120)]


@given(st.integers(0, 2000), st.integers(0, 120))
def test_a_longer_shift_is_never_paid_less(worked: int, break_taken: int) -> None:
    for limits in (ADULT, UNDER_18, EXPECTING):
        net = worked - break_due(worked, break_taken, limits)
        assert 0 <= net <= worked + 1 - break_due(worked + 1, break_taken, limits)


@given(st.integers(0, 2000), st.integers(0, 120))
def test_the_break_due_is_the_formula(worked: int, break_taken: int) -> None:
    expected = max(min(30 - break_taken, worked - 360), min(45 - break_taken, worked - 540), 0)
    assert break_due(worked, break_taken, ADULT) == expected


@given(st.integers(0, 2000), st.integers(0, 120))
def test_after_the_deduction_nothing_is_due(worked: int, break_taken: int) -> None:
    for limits in (ADULT, UNDER_18, EXPECTING):
        due = break_due(worked, break_taken, limits)
        assert break_due(worked - due, break_taken + due, limits) == 0


# -- the working time act


def test_more_than_10_hours_net_in_a_shift_are_flagged_on_its_last_complete_entry() -> None:
    assert flagged(f"{DAY} 06:00", "12:00", "12:45", "16:45 out") == [(), ()]
    assert flagged(f"{DAY} 06:00", "12:00", "12:45", "16:46 out") == [(), ("over_10_h",)]


def test_the_10_hours_are_net() -> None:
    """10 h 45 without a break taken are 10 h after the deduction."""
    assert flagged(f"{DAY} 06:00", "16:45 out") == [()]
    assert flagged(f"{DAY} 06:00", "16:46 out") == [("over_10_h",)]


def test_two_shifts_of_one_day_are_not_added_up() -> None:
    assert flagged("2026-11-20 00:00", "06:00", "11:00", "17:00") == [(), ("short_rest",)]


def test_a_shift_over_midnight_is_one_shift_before_the_law() -> None:
    shift_flags = flagged("2026-11-20 17:00", "22:00", "22:45", "2026-11-21 05:00")
    assert shift_flags == [(), ("over_10_h",)]


def test_less_than_11_hours_between_shifts_are_flagged_on_the_later_one() -> None:
    assert flagged("2026-11-20 14:00", "20:00", "2026-11-21 06:59", "09:00", "09:30", "10:00") == [
        (),
        ("short_rest",),
        (),
    ]
    assert flagged("2026-11-20 14:00", "20:00", "2026-11-21 07:00", "09:00") == [(), ()]


def test_the_rest_is_true_time_over_a_clock_change() -> None:
    """20:00 to 06:30 reads as 10 h 30 and is 11 h 30 in autumn; 20:00 to 07:30 is 10 h 30 in spring."""
    assert flagged("2026-10-24 15:00", "20:00", "2026-10-25 06:30", "09:00") == [(), ()]
    assert flagged("2027-03-27 15:00", "20:00", "2027-03-28 07:30", "09:00") == [(), ("short_rest",)]


def test_a_break_inside_a_shift_is_no_rest() -> None:
    assert flagged(f"{DAY} 06:00", "09:00", "13:00", "16:00") == [(), ()]


def test_younger_people_have_limits_of_their_own() -> None:
    young = DatedRules([(None, Rules(limits=UNDER_18))])
    assert minutes(f"{DAY} 08:00", "12:45", rules=young) == [(285, 15, 270)]
    assert minutes(f"{DAY} 08:00", "15:00", rules=young) == [(420, 60, 360)]
    assert flagged(f"{DAY} 06:00", "15:01", rules=young) == [("over_10_h",)]
    assert flagged("2026-11-20 14:00", "18:00", "2026-11-21 05:59", "07:00", rules=young) == [(), ("short_rest",)]


# -- overlap


def test_overlap_by_late_stamps_is_flagged_and_paid_once() -> None:
    """The correction for Thursday's night was decided; Friday's clock delivers 03:00 to 11:00 afterwards."""
    decided = correction("2026-11-19", "20:00", "04:00", end_day="2026-11-20", requested="2026-11-22 09:00")
    stamps = taps("2026-11-19 14:00", "20:00", "2026-11-20 03:00", "11:00")
    entry_rows = rows(stamps, [decided])
    assert [(entry.start, entry.end, entry.raw, entry.flags) for entry in entry_rows] == [
        ("20:00", "04:00", 480, ("overlap",)),
        ("03:00", "11:00", 420, ("over_10_h", "overlap")),
    ]
    assert (
        sum(entry.raw or 0 for entry in entry_rows)
        == (instant_of("2026-11-20 11:00") - instant_of("2026-11-19 20:00")).seconds // 60
    )


def test_what_lies_wholly_inside_another_entry_is_not_paid_again() -> None:
    decided = correction("2026-11-19", "20:00", "08:00", end_day="2026-11-20", requested="2026-11-22 09:00")
    stamps = taps("2026-11-19 14:00", "20:00", "2026-11-20 03:00", "05:00")
    entry_rows = rows(stamps, [decided])
    assert [(entry.start, entry.end, entry.raw) for entry in entry_rows] == [
        ("20:00", "08:00", 720),
        ("03:00", "05:00", 0),
    ]
    assert all("overlap" in entry.flags for entry in entry_rows)


def test_an_entry_inside_another_does_not_end_the_shift_earlier() -> None:
    """The night 20:00–08:00 was decided; late stamps lie inside it, over its end, and after it."""
    decided = correction("2026-11-19", "20:00", "08:00", end_day="2026-11-20", requested="2026-11-22 09:00")
    night = ("2026-11-19 14:00", "20:00", "2026-11-20 03:00", "05:00")
    over = rows(taps(*night, "07:00 in", "09:00"), [decided])
    assert [(entry.start, entry.end, entry.raw) for entry in over] == [
        ("20:00", "08:00", 720),
        ("03:00", "05:00", 0),
        ("07:00", "09:00", 60),
    ]
    entries_after = sheet(taps(*night, "12:00 in", "13:00"), [decided]).entries
    assert len({entry.shift for entry in entries_after}) == 1
    rested = rows(taps(*night, "18:30 in", "19:00"), [decided])
    assert rested[-1].flags == ("short_rest",)
    assert rows(taps(*night, "19:00 in", "19:30"), [decided])[-1].flags == ()
