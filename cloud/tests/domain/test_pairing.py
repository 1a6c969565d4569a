"""Which stamp opens, closes, repeats or replaces what (order, double tap, direction)."""

from datetime import timedelta

import pytest
from stempelwerk_cloud.domain.entries.pairing import pair
from stempelwerk_cloud.domain.settings import DatedRules, Rules

from cloud.tests.domain.days import DEFAULT, rows, sheet, taps, times

DAY = "2026-11-20"


def one_rule(**settings: int) -> DatedRules:
    return DatedRules([(None, Rules(**settings))])


def test_a_tap_opens_and_the_next_closes() -> None:
    assert times(taps(f"{DAY} 08:00", "16:00", "18:00")) == [("08:00", "16:00"), ("18:00", None)]


def test_stamps_are_ordered_by_true_time_and_not_by_arrival() -> None:
    assert times(taps(f"{DAY} 16:00", "08:00")) == [("08:00", "16:00")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"device_id": "a", "epoch": "z", "seq": 9}, {"device_id": "b", "epoch": "a", "seq": 1}),
        ({"device_id": "a", "epoch": "a", "seq": 9}, {"device_id": "a", "epoch": "b", "seq": 1}),
        ({"device_id": "a", "epoch": "a", "seq": 9}, {"device_id": "a", "epoch": "a", "seq": 10}),
    ],
    ids=["device", "epoch", "sequence-number-as-a-number"],
)
def test_ties_in_time_go_by_device_epoch_and_sequence_number(
    first: dict[str, object], second: dict[str, object]
) -> None:
    first_stamp, two = taps(f"{DAY} 08:00", "08:00")
    derived = sheet([two._replace(**second), first_stamp._replace(**first)])
    assert derived.entries[0].start_stamp == first_stamp.id
    assert derived.uncounted == {two.id: "double_tap"}


def test_of_taps_at_0_50_and_100_seconds_the_first_and_the_third_count() -> None:
    derived = sheet(taps(f"{DAY} 08:00:00", "08:00:50", "08:01:40"))
    assert [(entry.start_stamp, entry.end_stamp) for entry in derived.entries] == [("s1", "s3")]
    assert derived.uncounted == {"s2": "double_tap"}
    assert derived.hosts == {"s2": "s1"}


def test_the_window_is_measured_from_the_counted_stamp_and_not_from_the_last_tap() -> None:
    derived = sheet(taps(f"{DAY} 08:00:00", "08:00:59", "08:01:01", "08:01:58"))
    assert [(entry.start_stamp, entry.end_stamp) for entry in derived.entries] == [("s1", "s3")]
    assert set(derived.uncounted) == {"s2", "s4"}


def test_a_tap_exactly_at_the_end_of_the_window_is_a_double_tap() -> None:
    assert sheet(taps(f"{DAY} 08:00:00", "08:01:00")).uncounted == {"s2": "double_tap"}
    assert sheet(taps(f"{DAY} 08:00:00", "08:01:00.001")).uncounted == {}


@pytest.mark.parametrize("seconds", [1, 5, 600])
def test_the_window_is_the_companys_setting(seconds: int) -> None:
    rules = one_rule(double_tap_s=seconds)
    first, second = taps(f"{DAY} 08:00", "08:00")
    inside = second._replace(at=first.at + timedelta(seconds=seconds))
    outside = second._replace(at=first.at + timedelta(seconds=seconds, milliseconds=1))
    assert sheet([first, inside], rules=rules).uncounted == {"s2": "double_tap"}
    assert sheet([first, outside], rules=rules).uncounted == {}


def test_without_a_window_every_stamp_counts() -> None:
    rules = one_rule(double_tap_s=0)
    assert sheet(taps(f"{DAY} 08:00:00", "08:00:00", "08:00:01"), rules=rules).uncounted == {}


def test_an_explicit_stamp_of_the_same_direction_is_not_counted() -> None:
    derived = sheet(taps(f"{DAY} 08:00:00", "08:00:20 in", "16:00:00", "16:00:20 out"))
    assert [(entry.start_stamp, entry.end_stamp) for entry in derived.entries] == [("s1", "s3")]
    assert derived.uncounted == {"s2": "double_tap", "s4": "double_tap"}


def test_an_explicit_stamp_of_the_other_direction_replaces_an_arrival_that_was_guessed() -> None:
    """The clock guessed Kommen, the person chose Gehen: the entry without a start is their choice."""
    derived = sheet(taps(f"{DAY} 16:00:00", "16:00:20 out"))
    assert [(entry.start_stamp, entry.end_stamp) for entry in derived.entries] == [(None, "s2")]
    assert derived.uncounted == {"s1": "replaced"}


def test_an_explicit_stamp_of_the_other_direction_replaces_a_leaving_that_was_guessed() -> None:
    derived = sheet(taps(f"{DAY} 08:00:00", "12:00:00", "12:00:20 in"))
    assert [(entry.start_stamp, entry.end_stamp) for entry in derived.entries] == [("s1", None), ("s3", None)]
    assert derived.uncounted == {"s2": "replaced"}


def test_a_replaced_leaving_opens_its_entry_again() -> None:
    """Kommen by mistake left the morning open; Gehen at once after it closes the morning after all."""
    derived = sheet(taps(f"{DAY} 08:00:00", "16:00:00 in", "16:00:20 out"))
    assert [(entry.start_stamp, entry.end_stamp, entry.flags) for entry in derived.entries] == [("s1", "s3", ())]


def test_a_replacement_can_be_replaced() -> None:
    derived = sheet(taps(f"{DAY} 08:00:00", "12:00:00", "12:00:20 in", "12:00:50 out"))
    assert [(entry.start_stamp, entry.end_stamp) for entry in derived.entries] == [("s1", "s4")]
    assert derived.uncounted == {"s2": "replaced", "s3": "replaced"}
    assert derived.hosts == {"s2": "s4", "s3": "s4"}


def test_a_replacement_opens_a_window_of_its_own() -> None:
    derived = sheet(taps(f"{DAY} 08:00:00", "08:00:50 out", "08:01:45"))
    assert derived.uncounted == {"s1": "replaced", "s3": "double_tap"}


def test_the_taps_that_belonged_to_a_replaced_one_follow_it() -> None:
    derived = sheet(taps(f"{DAY} 08:00:00", "16:00:00", "16:00:10", "16:00:30 in"))
    assert derived.uncounted == {"s2": "replaced", "s3": "double_tap"}
    assert derived.hosts == {"s2": "s4", "s3": "s4"}


def test_outside_the_window_an_explicit_stamp_replaces_nothing() -> None:
    assert times(taps(f"{DAY} 08:00:00", "08:02:00 out")) == [("08:00", "08:02")]


def test_an_explicit_stamp_inside_the_window_replaces_an_explicit_one_too() -> None:
    derived = sheet(taps(f"{DAY} 08:00:00 in", "08:00:30 out"))
    assert [(entry.start_stamp, entry.end_stamp) for entry in derived.entries] == [(None, "s2")]


def test_an_automatic_stamp_closes_what_began_exactly_at_the_limit() -> None:
    assert times(taps("2026-11-20 06:00", "22:00")) == [("06:00", "22:00")]


def test_an_automatic_stamp_opens_when_the_open_entry_is_older_than_the_limit() -> None:
    stamps = taps("2026-11-20 06:00:00", "22:00:01")
    assert times(stamps) == [("06:00", None), ("22:00", None)]


def test_the_limit_is_the_companys_setting() -> None:
    stamps = taps("2026-11-20 06:00", "15:00")
    assert times(stamps, rules=one_rule(max_shift_h=8)) == [("06:00", None), ("15:00", None)]
    assert times(stamps, rules=one_rule(max_shift_h=9)) == [("06:00", "15:00")]


def test_an_explicit_kommen_leaves_the_open_entry_without_an_end() -> None:
    entry_rows = rows(taps(f"{DAY} 08:00", "13:30 in", "17:00"))
    assert [(entry.start, entry.end, entry.flags) for entry in entry_rows] == [
        ("08:00", None, ("missing_out",)),
        ("13:30", "17:00", ("short_rest",)),
    ]


def test_an_explicit_gehen_with_nothing_open_makes_an_entry_without_a_start() -> None:
    entry_rows = rows(taps(f"{DAY} 16:00 out"))
    assert [(entry.day, entry.start, entry.end, entry.flags) for entry in entry_rows] == [
        (DAY, None, "16:00", ("missing_in",))
    ]


def test_an_explicit_gehen_does_not_close_what_is_older_than_the_limit() -> None:
    entry_rows = rows(taps("2026-11-20 06:00", "2026-11-21 06:00 out", "08:00", "12:00"))
    assert [(entry.start, entry.end, entry.flags) for entry in entry_rows] == [
        ("06:00", None, ("missing_out",)),
        (None, "06:00", ("missing_in",)),
        ("08:00", "12:00", ()),
    ]


def test_after_an_entry_without_a_start_the_next_tap_opens() -> None:
    assert times(taps(f"{DAY} 12:00 out", "13:00", "17:00")) == [(None, "12:00"), ("13:00", "17:00")]


def test_an_answer_on_the_touchscreen_counts_although_the_window_is_shorter() -> None:
    """The person has 30 s to answer; a company's short window must not turn answers into stamps of their own."""
    start, tap, answer = taps(f"{DAY} 08:00:00", "19:00:00", "19:00:25 in")
    rules = one_rule(double_tap_s=5)
    replaced = sheet([start, tap, answer._replace(answer=True)], rules=rules)
    assert replaced.uncounted == {"s2": "replaced"}
    confirmed = sheet([start, tap, answer._replace(answer=True, direction="out")], rules=rules)
    assert confirmed.uncounted == {"s3": "double_tap"}
    tapped = sheet([start, tap, answer], rules=rules)
    assert tapped.uncounted == {}


def test_each_stamp_is_counted_once_or_not_at_all() -> None:
    stamps = taps(
        f"{DAY} 08:00", "08:00:30", "08:00:45 out", "09:00", "09:00:10 in", "12:00 in", "12:30", "12:30:20 in"
    )
    pairing = pair(stamps, DEFAULT)
    counted_ids = [stamp.id for two in pairing.pairs for stamp in (two.start, two.end) if stamp is not None]
    assert sorted([*counted_ids, *pairing.uncounted]) == sorted(stamp.id for stamp in stamps)
