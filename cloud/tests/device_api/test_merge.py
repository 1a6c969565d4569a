"""A batch becomes facts and entries: once, in order, for the right people, and is answered accordingly."""

from datetime import timedelta

from cloud.tests.device_client import outcomes, states
from cloud.tests.stamping import ANNA, BEN, MORNING, NOBODY, Site, hours


def test_two_taps_make_an_entry(site: Site) -> None:
    device = site.device
    answer = device.deliver(device.tap(ANNA, MORNING), device.tap(ANNA, MORNING + hours(4)))
    assert outcomes(answer) == ["stored", "stored"]
    assert states(answer) == ["booked", "booked"]
    (entry,) = site.times()
    assert entry["id"] == answer["results"][0]["id"]
    assert (entry["start"], entry["end"], entry["workedMinutesNet"]) == ("07:00", "11:00", 240)
    assert (entry["source"], entry["clockName"], entry["running"]) == ("clock", "SW-T-1", False)


def test_the_same_batch_twice_changes_nothing(site: Site) -> None:
    batch = site.device.batch(site.device.tap(ANNA, MORNING), site.device.tap(BEN, MORNING))
    first = site.device.sent(batch)
    times_before = site.times()
    second = site.device.sent(batch)
    assert outcomes(second) == ["duplicate", "duplicate"]
    assert states(second) == states(first) == ["booked", "booked"]
    assert second["lease"] == first["lease"]
    assert second["streams"] == first["streams"]
    assert site.times() == times_before


def test_the_same_stamps_in_another_batch_are_duplicates(site: Site) -> None:
    stamps = [site.device.tap(ANNA, MORNING), site.device.tap(ANNA, MORNING + hours(4))]
    site.device.deliver(*stamps)
    times_before = site.times()
    answer = site.device.deliver(*reversed(stamps))
    assert outcomes(answer) == ["duplicate", "duplicate"]
    assert states(answer) == ["booked", "booked"]
    assert site.times() == times_before


def test_a_known_batch_with_other_stamps_loses_none_of_them(site: Site) -> None:
    batch = site.device.batch(site.device.tap(ANNA, MORNING))
    site.device.sent(batch)
    answer = site.device.sent(batch | {"stamps": [*batch["stamps"], site.device.tap(ANNA, MORNING + hours(4))]})
    assert outcomes(answer) == ["duplicate", "stored"]
    assert site.spans() == [("2026-11-20", "07:00", "11:00")]


def test_a_late_stamp_turns_the_day_round(site: Site) -> None:
    forgotten, out, last_in = (site.device.tap(ANNA, MORNING + hours(offset)) for offset in (0, 4, 5))
    site.device.deliver(out, last_in)
    assert site.spans() == [("2026-11-20", "11:00", "12:00")]
    answer = site.device.deliver(forgotten)
    assert states(answer) == ["booked"]
    assert site.spans() == [("2026-11-20", "07:00", "11:00"), ("2026-11-20", "12:00", None)]


def test_an_entry_keeps_its_id_when_it_is_closed(site: Site) -> None:
    site.device.deliver(site.device.tap(ANNA, MORNING))
    (running,) = site.times()
    assert running["running"] is True
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(4)))
    (closed,) = site.times()
    assert closed["id"] == running["id"]


def test_a_double_tap_does_not_count_and_is_no_entry(site: Site) -> None:
    taps = [site.device.tap(ANNA, MORNING + timedelta(seconds=offset)) for offset in (0, 50, 100)]
    answer = site.device.deliver(*taps)
    assert states(answer) == ["booked", "not_counted", "booked"]
    assert site.spans() == [("2026-11-20", "07:00", "07:01")]


def test_an_explicit_tap_replaces_the_one_before(site: Site) -> None:
    results = site.device.deliver(site.device.tap(ANNA, MORNING))
    assert states(results) == ["booked"]
    answer = site.device.deliver(site.device.tap(ANNA, MORNING + timedelta(seconds=20), direction="out"))
    assert states(answer) == ["booked"]
    assert site.spans() == [("2026-11-20", None, "07:00")]


def test_an_unknown_tag_is_held(site: Site) -> None:
    answer = site.device.deliver(site.device.tap(NOBODY, MORNING), site.device.tap(ANNA, MORNING))
    assert outcomes(answer) == ["stored", "stored"]
    assert states(answer) == ["held_unknown_tag", "booked"]
    (held_stamp,) = site.held()
    assert (held_stamp["id"], held_stamp["tag"], held_stamp["state"]) == (
        answer["results"][0]["id"],
        NOBODY,
        "held_unknown_tag",
    )
    assert (held_stamp["takenAt"], held_stamp["deviceId"]) == ("2026-11-20T06:00:00.000Z", site.device.device_id)


def test_people_stamp_at_two_clocks(site: Site) -> None:
    gate = site.another_clock()
    gate.deliver(gate.tap(ANNA, MORNING + hours(4)))
    site.device.deliver(site.device.tap(ANNA, MORNING))
    (entry,) = site.times()
    assert (entry["start"], entry["end"], entry["clockName"]) == ("07:00", "11:00", "SW-T-1")


def test_a_rest_counts_from_the_day_s_last_entry_whatever_the_ids(site: Site) -> None:
    """Ids come from clocks, which may have been wrong when they made them: they prove nothing about the order."""
    tap = site.device.tap
    later = tap(ANNA, MORNING + hours(1)), tap(ANNA, MORNING + hours(5))
    earlier = tap(ANNA, MORNING - hours(1), id="ffffffff-0000-7000-8000-000000000001"), tap(ANNA, MORNING)
    site.device.deliver(*earlier, *later)
    site.device.deliver(tap(ANNA, MORNING + hours(11.5)))
    first, second, third = site.times()
    assert first["id"] > second["id"]
    assert [third["start"], third["flags"]] == ["18:30", ["short_rest"]]


def test_five_hundred_stamps_of_many_days(site: Site) -> None:
    start = MORNING - timedelta(days=300)
    site.device.booted = start - hours(1)
    taps = [site.device.tap(ANNA, start + timedelta(days=n // 4) + hours((0, 4, 5, 9)[n % 4])) for n in range(500)]
    first_taken_at = "2025-11-01T00:00:00.000Z"
    site.assign(site.device, site.firm.id, first_taken_at)
    answer = site.device.deliver(*taps)
    assert set(outcomes(answer)) == {"stored"}
    assert set(states(answer)) == {"booked"}
    entries = site.times(first="2026-01-01", last="2026-12-31")
    assert len(entries) == 250
    assert all(entry["workedMinutesNet"] == 240 for entry in entries)
