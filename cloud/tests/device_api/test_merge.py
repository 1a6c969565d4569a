"""A batch becomes facts and entries: once, in order, for the right people, and is answered accordingly."""

from datetime import timedelta

from cloud.tests.device_client import outcomes, states
from cloud.tests.stamping import ANNA, BEN, MORNING, NOBODY, Wall, hours


def test_two_taps_make_an_entry(wall: Wall) -> None:
    device = wall.device
    answer = device.deliver(device.tap(ANNA, MORNING), device.tap(ANNA, MORNING + hours(4)))
    assert outcomes(answer) == ["stored", "stored"]
    assert states(answer) == ["booked", "booked"]
    (entry,) = wall.times()
    assert entry["id"] == answer["results"][0]["id"]
    assert (entry["start"], entry["end"], entry["workedMinutesNet"]) == ("07:00", "11:00", 240)
    assert (entry["source"], entry["clockName"], entry["running"]) == ("clock", "SW-T-1", False)


def test_the_same_batch_twice_changes_nothing(wall: Wall) -> None:
    batch = wall.device.batch(wall.device.tap(ANNA, MORNING), wall.device.tap(BEN, MORNING))
    first = wall.device.sent(batch)
    times_before = wall.times()
    second = wall.device.sent(batch)
    assert outcomes(second) == ["duplicate", "duplicate"]
    assert states(second) == states(first) == ["booked", "booked"]
    assert second["lease"] == first["lease"]
    assert second["streams"] == first["streams"]
    assert wall.times() == times_before


def test_the_same_stamps_in_another_batch_are_duplicates(wall: Wall) -> None:
    stamps = [wall.device.tap(ANNA, MORNING), wall.device.tap(ANNA, MORNING + hours(4))]
    wall.device.deliver(*stamps)
    times_before = wall.times()
    answer = wall.device.deliver(*reversed(stamps))
    assert outcomes(answer) == ["duplicate", "duplicate"]
    assert states(answer) == ["booked", "booked"]
    assert wall.times() == times_before


def test_a_known_batch_with_other_stamps_loses_none_of_them(wall: Wall) -> None:
    batch = wall.device.batch(wall.device.tap(ANNA, MORNING))
    wall.device.sent(batch)
    answer = wall.device.sent(batch | {"stamps": [*batch["stamps"], wall.device.tap(ANNA, MORNING + hours(4))]})
    assert outcomes(answer) == ["duplicate", "stored"]
    assert wall.spans() == [("2026-11-20", "07:00", "11:00")]


def test_a_late_stamp_turns_the_day_round(wall: Wall) -> None:
    forgotten, out, last_in = (wall.device.tap(ANNA, MORNING + hours(offset)) for offset in (0, 4, 5))
    wall.device.deliver(out, last_in)
    assert wall.spans() == [("2026-11-20", "11:00", "12:00")]
    answer = wall.device.deliver(forgotten)
    assert states(answer) == ["booked"]
    assert wall.spans() == [("2026-11-20", "07:00", "11:00"), ("2026-11-20", "12:00", None)]


def test_an_entry_keeps_its_id_when_it_is_closed(wall: Wall) -> None:
    wall.device.deliver(wall.device.tap(ANNA, MORNING))
    (running,) = wall.times()
    assert running["running"] is True
    wall.device.deliver(wall.device.tap(ANNA, MORNING + hours(4)))
    (closed,) = wall.times()
    assert closed["id"] == running["id"]


def test_a_double_tap_does_not_count_and_is_no_entry(wall: Wall) -> None:
    taps = [wall.device.tap(ANNA, MORNING + timedelta(seconds=offset)) for offset in (0, 50, 100)]
    answer = wall.device.deliver(*taps)
    assert states(answer) == ["booked", "not_counted", "booked"]
    assert wall.spans() == [("2026-11-20", "07:00", "07:01")]


def test_an_explicit_tap_replaces_the_one_before(wall: Wall) -> None:
    results = wall.device.deliver(wall.device.tap(ANNA, MORNING))
    assert states(results) == ["booked"]
    answer = wall.device.deliver(wall.device.tap(ANNA, MORNING + timedelta(seconds=20), direction="out"))
    assert states(answer) == ["booked"]
    assert wall.spans() == [("2026-11-20", None, "07:00")]


def test_an_unknown_tag_is_held(wall: Wall) -> None:
    answer = wall.device.deliver(wall.device.tap(NOBODY, MORNING), wall.device.tap(ANNA, MORNING))
    assert outcomes(answer) == ["stored", "stored"]
    assert states(answer) == ["held_unknown_tag", "booked"]
    (held_stamp,) = wall.held()
    assert (held_stamp["id"], held_stamp["tag"], held_stamp["state"]) == (
        answer["results"][0]["id"],
        NOBODY,
        "held_unknown_tag",
    )
    assert (held_stamp["takenAt"], held_stamp["deviceId"]) == ("2026-11-20T06:00:00.000Z", wall.device.device_id)


def test_people_stamp_at_two_clocks(wall: Wall) -> None:
    gate = wall.another_clock()
    gate.deliver(gate.tap(ANNA, MORNING + hours(4)))
    wall.device.deliver(wall.device.tap(ANNA, MORNING))
    (entry,) = wall.times()
    assert (entry["start"], entry["end"], entry["clockName"]) == ("07:00", "11:00", "SW-T-1")


def test_a_rest_counts_from_the_day_s_last_entry_whatever_the_ids(wall: Wall) -> None:
    """Ids come from clocks, which may have been wrong when they made them: they prove nothing about the order."""
    tap = wall.device.tap
    later = tap(ANNA, MORNING + hours(1)), tap(ANNA, MORNING + hours(5))
    earlier = tap(ANNA, MORNING - hours(1), id="ffffffff-0000-7000-8000-000000000001"), tap(ANNA, MORNING)
    wall.device.deliver(*earlier, *later)
    wall.device.deliver(tap(ANNA, MORNING + hours(11.5)))
    first, second, third = wall.times()
    assert first["id"] > second["id"]
    assert [third["start"], third["flags"]] == ["18:30", ["short_rest"]]


def test_five_hundred_stamps_of_many_days(wall: Wall) -> None:
    start = MORNING - timedelta(days=300)
    wall.device.booted = start - hours(1)
    taps = [wall.device.tap(ANNA, start + timedelta(days=n // 4) + hours((0, 4, 5, 9)[n % 4])) for n in range(500)]
    first_taken_at = "2025-11-01T00:00:00.000Z"
    wall.assign(wall.device, wall.firm.id, first_taken_at)
    answer = wall.device.deliver(*taps)
    assert set(outcomes(answer)) == {"stored"}
    assert set(states(answer)) == {"booked"}
    entries = wall.times(first="2026-01-01", last="2026-12-31")
    assert len(entries) == 250
    assert all(entry["workedMinutesNet"] == 240 for entry in entries)
