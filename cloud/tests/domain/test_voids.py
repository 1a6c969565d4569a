"""Deleted entries: the stamps they take out and those they spare, and late stamps."""

from stempelwerk_cloud.domain.entries.deletions import may_delete, void_of
from stempelwerk_cloud.domain.entries.derivation import Entry
from stempelwerk_cloud.domain.entries.facts import Correction, Void
from stempelwerk_cloud.domain.entries.stamps import Stamp

from cloud.tests.domain.days import DEFAULT, correction, instant_of, sheet, taps, times

DAY = "2026-11-20"
NEXT = "2026-11-21"


def delete(
    entry_id: str,
    stamps: list[Stamp],
    corrections: list[Correction] | None = None,
    voids: list[Void] | None = None,
    *,
    decided: str = "2026-11-25 09:00",
    name: str = "v1",
) -> Void:
    derived = sheet(stamps, corrections or [], voids or [])
    entry = entry_of(entry_id, stamps, corrections, voids)
    return void_of(entry, derived, stamps, DEFAULT, void_id=name, decided_at=instant_of(decided))


def entry_of(
    entry_id: str, stamps: list[Stamp], corrections: list[Correction] | None = None, voids: list[Void] | None = None
) -> Entry:
    return next(entry for entry in sheet(stamps, corrections or [], voids or []).entries if entry.id == entry_id)


def test_a_deleted_entry_is_gone_and_the_others_stay() -> None:
    stamps = taps(f"{DAY} 08:00", "12:00", "13:00", "17:00", "18:00")
    void = delete("s1", stamps)
    derived = sheet(stamps, [], [void])
    assert times(stamps, [], [void]) == [("13:00", "17:00"), ("18:00", None)]
    assert derived.uncounted == {"s1": "voided", "s2": "voided"}


def test_its_double_taps_and_replaced_stamps_go_with_it() -> None:
    stamps = taps(f"{DAY} 07:59:40 out", "08:00:00 in", "12:00:00", "12:00:30", "13:00", "17:00")
    void = delete("s2", stamps)
    assert void.stamp_ids == {"s1", "s2", "s3", "s4"}
    assert times(stamps, [], [void]) == [("13:00", "17:00")]


def test_what_was_open_before_it_stays_without_an_end() -> None:
    stamps = taps(f"{DAY} 08:00", "10:00 in", "12:00", "13:00", "17:00")
    void = delete("s2", stamps)
    assert times(stamps, [], [void]) == [("08:00", None), ("13:00", "17:00")]


def test_an_entry_without_an_end_is_deleted_alone() -> None:
    stamps = taps(f"{DAY} 08:00", "10:00 in", "12:00")
    void = delete("s1", stamps)
    assert (void.start, void.end) == (instant_of(f"{DAY} 08:00"), instant_of(f"{DAY} 08:00"))
    assert times(stamps, [], [void]) == [("10:00", "12:00")]


def test_of_an_incomplete_entry_only_its_one_moment_is_void() -> None:
    stamps = taps(f"{DAY} 08:00", "10:00 in", "12:00")
    void = delete("s1", stamps)
    late = taps(f"{DAY} 08:00", "10:00 in", "12:00", "08:30", "09:30")
    assert times(late, [], [void]) == [("08:30", "09:30"), ("10:00", "12:00")]


def test_an_entry_without_a_start_is_deleted() -> None:
    stamps = taps(f"{DAY} 12:00 out", "13:00", "17:00")
    assert times(stamps, [], [delete("s1", stamps)]) == [("13:00", "17:00")]


def test_stamps_that_arrive_later_inside_do_not_count_and_want_a_review() -> None:
    void = delete("s1", taps(f"{DAY} 08:00", "16:00"))
    late = taps(f"{DAY} 08:00", "16:00", "12:00", "12:30", "17:00", "18:00")
    derived = sheet(late, [], [void])
    assert times(late, [], [void]) == [("17:00", "18:00")]
    assert derived.uncounted == {"s1": "voided", "s2": "voided", "s3": "voided_late", "s4": "voided_late"}


def test_stamps_that_arrive_later_outside_count() -> None:
    void = delete("s1", taps(f"{DAY} 08:00", "16:00"))
    late = taps(f"{DAY} 08:00", "16:00", "06:00", "07:00", "17:00", "18:00")
    assert times(late, [], [void]) == [("06:00", "07:00"), ("17:00", "18:00")]


def test_a_double_tap_that_arrives_after_the_deletion_makes_no_new_entry() -> None:
    void = delete("s1", taps(f"{DAY} 08:00:00", "16:00:00"))
    late = taps(f"{DAY} 08:00:00", "16:00:00", "16:00:30", "07:59:30")
    assert times(late, [], [void]) == []


def test_a_stamp_that_comes_late_does_not_tear_its_neighbours_apart() -> None:
    """06:00 arrives after 08:00–16:00 was deleted: it remains single and does not take 08:00 for its end."""
    void = delete("s1", taps(f"{DAY} 08:00", "16:00"))
    late = taps(f"{DAY} 08:00", "16:00", "06:00", "18:00", "19:00")
    assert times(late, [], [void]) == [("06:00", None), ("18:00", "19:00")]


def test_a_running_entry_cannot_be_deleted() -> None:
    entry = entry_of("s1", taps(f"{DAY} 08:00"))
    assert not may_delete(entry, instant_of(f"{DAY} 12:00"), DEFAULT)
    assert may_delete(entry, instant_of(f"{NEXT} 12:00"), DEFAULT)
    assert may_delete(entry_of("s1", taps(f"{DAY} 08:00", "12:00")), instant_of(f"{DAY} 12:00"), DEFAULT)


# -- with corrections


def test_a_corrections_entry_is_deleted_for_good() -> None:
    stamps = taps(f"{DAY} 08:10")
    decided = correction(DAY, "08:00", "16:00", requested=f"{NEXT} 09:00")
    void = delete("c1", stamps, [decided])
    assert times(stamps, [decided], [void]) == []


def test_deleting_the_newer_correction_does_not_bring_back_the_older() -> None:
    older = correction(DAY, "08:00", "16:00", name="c1", requested=f"{NEXT} 09:00")
    newer = correction(DAY, "09:00", "12:00", name="c2", requested=f"{NEXT} 10:00")
    void = delete("c2", [], [older, newer])
    assert times([], [older, newer], [void]) == []


def test_one_of_a_corrections_entries_is_deleted_and_the_other_stays_as_it_was() -> None:
    stamps = taps(f"{DAY} 08:00", "12:00", "12:30", "16:10")
    decided = correction(DAY, "08:00", "16:00", requested=f"{NEXT} 09:00")
    assert times(stamps, [decided], [delete("s3", stamps, [decided])]) == [("08:00", "12:00")]
    assert times(stamps, [decided], [delete("s1", stamps, [decided])]) == [("12:30", "16:00")]


def test_a_correction_decided_after_the_deletion_stands() -> None:
    stamps = taps(f"{DAY} 08:00", "16:00")
    void = delete("s1", stamps, decided=f"{NEXT} 08:00")
    decided = correction(DAY, "09:00", "15:00", requested=f"{NEXT} 09:00")
    derived = sheet(stamps, [decided], [void])
    assert times(stamps, [decided], [void]) == [("09:00", "15:00")]
    assert [entry.id for entry in derived.entries] == ["c1"]


def test_late_stamps_do_not_bring_back_what_was_deleted_of_a_correction() -> None:
    """There were two entries and the first was deleted; a late stamp makes the shift incomplete and so one entry."""
    stamps = taps(f"{DAY} 08:00", "12:00", "12:30", "16:10")
    decided = correction(DAY, "08:00", "16:00", requested=f"{NEXT} 09:00")
    void = delete("s1", stamps, [decided])
    late = [*stamps, *[stamp._replace(id="late") for stamp in taps(f"{DAY} 15:00 in")]]
    assert times(late, [decided], [void]) == [("12:00", "16:00")]


def test_what_is_left_on_both_sides_of_a_deleted_middle_has_two_ids() -> None:
    """There were three entries, the middle one was deleted; then late stamps make one entry of all."""
    stamps = taps(f"{DAY} 08:00", "10:00", "11:00", "12:00", "13:00", "16:00")
    decided = correction(DAY, "08:00", "16:00", requested=f"{NEXT} 09:00")
    void = delete("s3", stamps, [decided])
    late = [*stamps, *[stamp._replace(id="late") for stamp in taps(f"{DAY} 15:00 in")]]
    entries = sheet(late, [decided], [void]).entries
    assert times(late, [decided], [void]) == [("08:00", "11:00"), ("12:00", "16:00")]
    assert len({entry.id for entry in entries}) == 2
    assert entries == sheet(reversed(late), [decided], [void]).entries


def test_stamps_of_another_entry_inside_the_interval_are_spared() -> None:
    """Late stamps lie inside a correction's entry: deleting it does not affect them."""
    stamps = taps("2026-11-19 14:00", "20:00", f"{DAY} 03:00", "05:00")
    decided = correction("2026-11-19", "20:00", "08:00", end_day=DAY, requested="2026-11-22 09:00")
    void = delete("c1", stamps, [decided])
    assert void.spared == {"s3", "s4"}
    assert times(stamps, [decided], [void]) == [("03:00", "05:00")]


def test_a_late_stamp_between_spared_ones_does_not_tear_them_apart() -> None:
    stamps = taps(f"{DAY} 09:00", "11:00", "10:00")
    void = Void(
        "v",
        instant_of(f"{DAY} 08:00"),
        instant_of(f"{DAY} 16:00"),
        instant_of(f"{NEXT} 08:00"),
        frozenset(),
        spared=frozenset({"s1", "s2"}),
    )
    assert times(stamps, [], [void]) == [("09:00", "11:00")]
    assert sheet(stamps, [], [void]).uncounted == {"s3": "voided_late"}


def test_a_corrections_entry_does_not_name_a_stamp_that_was_deleted() -> None:
    stamps = taps(f"{DAY} 08:10", "12:00")
    decided = correction(DAY, "08:00", "16:00", requested=f"{NEXT} 09:00")
    void = Void("v", instant_of(f"{DAY} 08:05"), instant_of(f"{DAY} 08:20"), instant_of("2026-11-25 09:00"))
    derived = sheet(stamps, [decided], [void])
    assert times(stamps, [decided], [void]) == [("08:00", "08:05"), ("08:20", "16:00")]
    assert [(entry.start_stamp, entry.end_stamp) for entry in derived.entries] == [(None, None), (None, "s2")]
    assert derived.uncounted == {"s1": "voided_late"}


def test_a_void_over_nothing_changes_nothing() -> None:
    stamps = taps(f"{DAY} 08:00", "16:00")
    void = Void("v", instant_of("2026-01-01 08:00"), instant_of("2026-01-01 16:00"), instant_of("2026-01-02 08:00"))
    assert times(stamps, [], [void]) == [("08:00", "16:00")]


def test_what_was_deleted_of_an_older_correction_does_not_shape_the_newer_one() -> None:
    stamps = taps(f"{DAY} 08:00", "12:00", "12:30", "16:10")
    older = correction(DAY, "08:00", "16:00", name="c1", requested=f"{NEXT} 09:00")
    void = delete("s3", stamps, [older])
    newer = correction(DAY, "08:30", "16:00", name="c2", requested="2026-11-26 09:00")
    assert times(stamps, [older, newer], [void]) == [("08:30", "16:00")]


def test_a_late_stamp_that_was_booked_counts_and_the_rest_stays_deleted() -> None:
    void = delete("s1", taps(f"{DAY} 08:00", "16:00"))
    late = taps(f"{DAY} 08:00", "16:00", "12:00 in", "12:30 out", "14:00")
    booked = [stamp._replace(booked=stamp.id in {"s3", "s4"}) for stamp in late]
    assert times(booked, [], [void]) == [("12:00", "12:30")]
    assert sheet(booked, [], [void]).uncounted == {"s1": "voided", "s2": "voided", "s5": "voided_late"}
