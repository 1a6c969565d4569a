"""The contents of an entry: its id, date, times, minutes, and the flags of its own stamps."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from stempelwerk_cloud.domain.entries.derivation import view
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.settings import DatedRules, Rules

from cloud.tests.domain.days import DEFAULT, instant_of, rows, sheet, taps

DAY = "2026-11-20"


def only(*texts: str, now: str = "2027-06-01 12:00", **stamp_fields: object):  # type: ignore[no-untyped-def]
    entry_rows = rows(taps(*texts, **stamp_fields), now=now)
    assert len(entry_rows) == 1
    return entry_rows[0]


# -- identity


def test_an_entrys_id_is_its_first_stamps() -> None:
    assert [entry.id for entry in sheet(taps(f"{DAY} 08:00", "12:00")).entries] == ["s1"]


def test_an_entrys_id_is_its_only_stamps_where_there_is_no_start() -> None:
    assert [entry.id for entry in sheet(taps(f"{DAY} 12:00 out")).entries] == ["s1"]


def test_the_entry_names_the_clock_of_its_first_stamp() -> None:
    start, end = taps(f"{DAY} 08:00", "12:00")
    start, end = start._replace(device_name="Tor", device_id="d1"), end._replace(device_name="Halle", device_id="d2")
    assert [(entry.clock_name, entry.device_id) for entry in sheet([start, end]).entries] == [("Tor", "d1")]
    lone = end._replace(direction="out")
    assert [(entry.clock_name, entry.device_id) for entry in sheet([lone]).entries] == [("Halle", "d2")]


def test_stamped_entries_come_from_the_clock() -> None:
    assert [entry.source for entry in sheet(taps(f"{DAY} 08:00", "12:00")).entries] == ["clock"]


# -- date and local times


def test_the_date_is_the_local_date_of_the_start() -> None:
    night = only("2026-11-20 22:00", "2026-11-21 06:00")
    assert (night.day, night.start, night.end) == ("2026-11-20", "22:00", "06:00")


def test_the_date_is_local_and_not_that_of_utc() -> None:
    early = only("2026-11-20 00:30", "04:00")
    assert early.day == "2026-11-20"
    assert instant_of("2026-11-20 00:30").date().isoformat() == "2026-11-19"


def test_the_date_without_a_start_is_that_of_the_end() -> None:
    assert only("2026-11-21 06:00 out").day == "2026-11-21"


def test_the_companys_zone_decides() -> None:
    tokyo = DatedRules([(None, Rules(zone=ZoneInfo("Asia/Tokyo")))])
    entry_rows = rows(taps("2026-11-20 16:30", "20:00"), rules=tokyo)
    assert [(entry.day, entry.start, entry.end) for entry in entry_rows] == [("2026-11-21", "00:30", "04:00")]


# -- minutes


def test_instants_are_truncated_to_the_minute_before_they_are_subtracted() -> None:
    assert only(f"{DAY} 08:00:59.999", "09:00:00").raw == 60
    assert only(f"{DAY} 08:00:00", "09:00:59.999").raw == 60
    assert only(f"{DAY} 08:00:59", "08:02:01").raw == 2


def test_the_night_of_the_longer_day_has_its_true_length() -> None:
    assert only("2026-10-24 22:00", "2026-10-25 06:00").raw == 9 * 60


def test_the_night_of_the_shorter_day_has_its_true_length() -> None:
    assert only("2027-03-27 22:00", "2027-03-28 06:00").raw == 7 * 60


def test_inside_the_hour_that_exists_twice_the_true_minutes_count() -> None:
    """02:30 summer time to 02:15 winter time is three quarters of an hour."""
    entry = only("2026-10-25 00:30Z", "01:15Z")
    assert (entry.start, entry.end, entry.raw) == ("02:30", "02:15", 45)


def test_the_limit_of_16_hours_is_true_time_over_a_clock_change() -> None:
    """18:00 to 09:00 reads as 15 h and is 16 h; one minute later it is too long."""
    assert [(entry.start, entry.end) for entry in rows(taps("2026-10-24 18:00", "2026-10-25 09:00"))] == [
        ("18:00", "09:00")
    ]
    late = rows(taps("2026-10-24 18:00", "2026-10-25 09:01"))
    assert [(entry.start, entry.end) for entry in late] == [("18:00", None), ("09:01", None)]


def test_an_incomplete_entry_has_no_minutes() -> None:
    for text in (f"{DAY} 08:00", f"{DAY} 08:00 out"):
        entry = only(text)
        assert (entry.raw, entry.pause, entry.net) == (None, None, None)


def test_net_is_raw_less_break() -> None:
    entry = only(f"{DAY} 08:00", "17:00")
    assert (entry.raw, entry.pause, entry.net) == (540, 30, 510)


# -- running and missing


def test_an_open_entry_runs_until_it_is_older_than_the_limit() -> None:
    running = view(sheet(taps(f"{DAY} 06:00")).entries[0], instant_of(f"{DAY} 22:00"), DEFAULT)
    assert (running.running, running.end, running.flags) == (True, None, ())
    stale = view(sheet(taps(f"{DAY} 06:00")).entries[0], instant_of(f"{DAY} 22:00:01"), DEFAULT)
    assert (stale.running, stale.flags) == (False, ("missing_out",))


def test_an_open_entry_that_an_explicit_kommen_left_does_not_run() -> None:
    open_entry, last = sheet(taps(f"{DAY} 08:00", "12:00 in")).entries
    assert open_entry.flags == ("missing_out",)
    assert not view(open_entry, instant_of(f"{DAY} 12:30"), DEFAULT).running
    assert view(last, instant_of(f"{DAY} 12:30"), DEFAULT).running


def test_an_entry_without_a_start_does_not_run() -> None:
    shown_entry = view(sheet(taps(f"{DAY} 12:00 out")).entries[0], instant_of(f"{DAY} 12:30"), DEFAULT)
    assert (shown_entry.running, shown_entry.flags) == (False, ("missing_in",))


def test_a_complete_entry_neither_runs_nor_misses_anything() -> None:
    shown_entry = view(sheet(taps(f"{DAY} 08:00", "12:00")).entries[0], instant_of(f"{DAY} 12:30"), DEFAULT)
    assert (shown_entry.running, shown_entry.flags) == (False, ())


def test_a_stamp_a_little_ahead_of_now_runs() -> None:
    assert view(sheet(taps(f"{DAY} 08:00:30")).entries[0], instant_of(f"{DAY} 08:00"), DEFAULT).running


# -- long entries


def test_an_entry_of_more_than_10_hours_closed_by_an_automatic_stamp_is_long() -> None:
    assert "long_entry" not in only(f"{DAY} 06:00:00", "16:00:00").flags
    assert "long_entry" in only(f"{DAY} 06:00:00", "16:00:01").flags


def test_the_answer_gehen_confirms_a_long_entry() -> None:
    entry = only(f"{DAY} 06:00:00", "16:30:00", "16:30:25 out")
    assert (entry.end, entry.flags) == ("16:30", ())


def test_another_automatic_tap_confirms_nothing() -> None:
    assert "long_entry" in only(f"{DAY} 06:00:00", "17:00:00", "17:00:25").flags


def test_the_answer_kommen_replaces_and_leaves_the_old_entry_without_an_end() -> None:
    entry_rows = rows(taps(f"{DAY} 06:00:00", "16:30:00", "16:30:25 in", "19:00"))
    assert [(entry.start, entry.end, entry.flags) for entry in entry_rows] == [
        ("06:00", None, ("missing_out",)),
        ("16:30", "19:00", ("short_rest",)),
    ]


def test_an_explicit_gehen_closes_a_long_entry_without_a_question() -> None:
    assert "long_entry" not in only(f"{DAY} 06:00", "17:00 out").flags


def test_when_to_ask_is_the_companys_setting() -> None:
    rules = DatedRules([(None, Rules(ask_after_h=4))])
    assert rows(taps(f"{DAY} 08:00", "12:01"), rules=rules)[0].flags == ("long_entry",)


# -- uncertain times, and the clock's display


def test_an_uncertain_stamp_is_paired_and_flagged() -> None:
    start, end = taps(f"{DAY} 08:00", "12:00")
    for stamps in ([start._replace(uncertain=True), end], [start, end._replace(uncertain=True)]):
        entry_rows = rows(stamps)
        assert [(entry.start, entry.end, entry.net, entry.flags) for entry in entry_rows] == [
            ("08:00", "12:00", 240, ("uncertain_time",))
        ]


def test_an_uncertain_stamp_that_does_not_count_flags_nothing() -> None:
    start, double, end = taps(f"{DAY} 08:00:00", "08:00:20", "12:00")
    assert rows([start, double._replace(uncertain=True), end])[0].flags == ()


@pytest.mark.parametrize(
    ("shown_at_start", "shown_at_end", "flags"),
    [
        ("in", "out", ()),
        (None, None, ()),
        ("out", "out", ("shown_differs",)),
        ("in", "in", ("shown_differs",)),
        ("double_tap", "out", ("shown_differs",)),
        ("in", "double_tap", ("shown_differs",)),
        ("unknown", "unknown", ()),
    ],
)
def test_the_entry_says_when_the_clock_had_said_otherwise(
    shown_at_start: str | None, shown_at_end: str | None, flags: tuple[str, ...]
) -> None:
    start, end = taps(f"{DAY} 08:00", "12:00")
    assert rows([start._replace(shown=shown_at_start), end._replace(shown=shown_at_end)])[0].flags == flags


@pytest.mark.parametrize(
    ("shown_direction", "flags"),
    [("double_tap", ()), ("in", ()), (None, ()), ("unknown", ()), ("out", ("shown_differs",))],
)
def test_a_double_tap_differs_only_if_the_clock_had_said_the_other_direction(
    shown_direction: str | None, flags: tuple[str, ...]
) -> None:
    start, double, end = taps(f"{DAY} 08:00:00", "08:00:20", "12:00")
    assert rows([start, double._replace(shown=shown_direction), end])[0].flags == flags


def test_what_a_person_replaced_does_not_differ() -> None:
    start, guessed, answered = taps(f"{DAY} 08:00:00", "12:00:00", "12:00:20 in")
    entry_rows = rows([start._replace(shown="in"), guessed._replace(shown="out"), answered._replace(shown="in")])
    assert [entry.flags for entry in entry_rows] == [("missing_out",), ("missing_out",)]


def test_flags_are_listed_in_one_order() -> None:
    start, end = taps(f"{DAY} 05:00", "17:00")
    entry_rows = rows([start._replace(uncertain=True), end._replace(shown="in")])
    assert entry_rows[0].flags == ("long_entry", "uncertain_time", "over_10_h", "shown_differs")


# -- stamps that no sane clock makes


@pytest.mark.parametrize("wild", ["0001-01-01 00:00Z", "1970-01-01 00:00Z", "9999-12-31 23:59:59.999Z"])
@pytest.mark.parametrize("zone", ["Europe/Berlin", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_no_time_that_can_be_written_stops_a_derivation(wild: str, zone: str) -> None:
    rules = DatedRules([(None, Rules(zone=ZoneInfo(zone)))])
    stamps = [*taps(f"{DAY} 08:00", "12:00"), Stamp("w", instant_of(wild), "auto", "d", "e", 1, uncertain=True)]
    entries = sheet(stamps, rules=rules).entries
    assert len(entries) == 2
    for entry in entries:
        view(entry, datetime(2026, 11, 20, 12, tzinfo=UTC), rules)


def test_nothing_comes_of_nothing() -> None:
    assert sheet([]).entries == ()
