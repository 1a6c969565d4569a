"""Failures on the way: lost, late, doubled, forged, copied, restored; and nothing is lost or doubled by them."""

import json
import random
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from stempelwerk_cloud.device_api import wire

from cloud.tests.databases import ON_SQLITE
from cloud.tests.device_client import Clock, iso, outcomes, states
from cloud.tests.stamping import ANNA, BEN, MORNING, NOBODY, Site, enrolled, hours


def test_the_rows_are_committed_before_the_answer_leaves(site: Site) -> None:
    counts: list[int] = []
    database = site.world.platform.database
    send = site.world.client.request

    def look_first(*args: Any, **kwargs: Any) -> Any:
        answer = send(*args, **kwargs)
        with database.engine.connect() as connection:
            counts.append(connection.execute(text("SELECT count(*) FROM receipts")).scalar_one())
        return answer

    site.world.client.request = look_first  # type: ignore[method-assign]
    site.device.deliver(site.device.tap(ANNA, MORNING))
    assert counts == [1]


def test_a_poisoned_stamp_takes_nobody_with_it(site: Site) -> None:
    device = site.device
    poison: list[Any] = [
        None,
        7,
        "x" * 1000,
        [],
        {},
        device.tap("04\x0000", MORNING),
        device.tap(ANNA, MORNING, wall="gestern"),
        device.tap(ANNA, MORNING, seq=-1),
        device.tap(ANNA, MORNING, boottimeMs=1e30),
    ]
    answer = device.deliver(*poison[:5], device.tap(ANNA, MORNING), *poison[5:], device.tap(ANNA, MORNING + hours(4)))
    assert outcomes(answer) == ["quarantined"] * 5 + ["stored"] + ["quarantined"] * 4 + ["stored"]
    assert site.spans() == [("2026-11-20", "07:00", "11:00")]
    unread = [stamp for stamp in site.unassigned() if stamp["state"] == "quarantined"]
    assert len(unread) == 9
    assert all(stamp["tag"] is None and stamp["deviceId"] == device.device_id for stamp in unread)


def test_poison_sent_again_is_kept_once(site: Site) -> None:
    batch = site.device.batch({"id": "x"}, site.device.tap(ANNA, MORNING))
    site.device.sent(batch)
    assert outcomes(site.device.sent(batch)) == ["quarantined", "duplicate"]
    site.device.sent(batch | {"batch": site.device.uuid4()})
    assert len(site.unassigned()) == 1


@ON_SQLITE
@pytest.mark.parametrize("garbage", [b"", b"\xff\xfe", b"[" * 5000, b'{"proto":1}', b"<html>Anmelden</html>"])
def test_garbage_is_refused_and_changes_nothing(site: Site, garbage: bytes) -> None:
    answer = site.device.send("POST", "/api/devices/stamps", garbage)
    assert answer.status_code in {401, 422}
    assert site.times() == []


def test_five_hundred_and_one_are_too_many(site: Site) -> None:
    taps = [site.device.tap(NOBODY, MORNING + timedelta(minutes=n)) for n in range(501)]
    answer = site.device.post("/api/devices/stamps", site.device.batch(*taps))
    assert (answer.status_code, answer.json()["code"]) == (413, "batch_too_large")
    assert outcomes(site.device.deliver(*taps[:500])) == ["stored"] * 500


def test_of_anchors_and_lost_ranges_no_more_are_read_than_a_clock_can_mean(site: Site) -> None:
    device = site.device
    anchors = [device.anchor(MORNING + timedelta(seconds=n)) for n in range(5000)]
    given_up = [[3 * n + 100, 3 * n + 100] for n in range(5000)]
    batch = device.batch(device.tap(ANNA, MORNING), anchors=anchors, gone=given_up)
    read = wire.read_batch(json.dumps(batch).encode())
    assert len(read.anchors) == 1000
    assert read.gone == tuple((first, last) for first, last in given_up[:1000])
    assert outcomes(device.sent(batch)) == ["stored"]
    assert site.spans() == [("2026-11-20", "07:00", None)]


def test_another_device_s_key_cannot_deliver_in_its_name(site: Site) -> None:
    thief = enrolled(site.world, site.clock, "SW-X", 9)
    thief.assignment = site.device.assignment
    answer = thief.deliver(thief.tap(ANNA, MORNING))
    assert states(answer) == ["held_assignment"]
    assert site.times() == []
    (unassigned,) = site.unassigned()
    assert (unassigned["assignment"], unassigned["deviceId"]) == (site.device.assignment, thief.device_id)


def test_a_stolen_id_takes_nothing_from_the_clock_whose_stamp_it_is(site: Site) -> None:
    stamp = site.device.tap(ANNA, MORNING)
    thief = enrolled(site.world, site.clock, "SW-X", 9)
    for direction in ("in", "out", "auto"):
        forged = stamp | {"direction": direction, "wall": iso(MORNING - hours(3))}
        assert states(thief.deliver(forged)) == ["held_assignment"]
    answer = site.device.deliver(stamp)
    assert outcomes(answer) == ["variant"]
    assert states(answer) == ["booked"]
    assert site.spans() == [("2026-11-20", "07:00", None)]
    assert site.unassigned() == []


def test_a_card_that_moved_to_other_hardware_delivers_nothing_twice(site: Site) -> None:
    device = site.device
    sent, unsent = device.tap(ANNA, MORNING), device.tap(ANNA, MORNING + hours(4))
    device.deliver(sent)
    moved = enrolled(site.world, site.clock, "SW-T-1", 5)
    answer = moved.deliver(sent, unsent, epoch=device.epoch)
    assert outcomes(answer) == ["duplicate", "stored"]
    assert states(answer) == ["booked", "held_assignment"]
    released = site.founder.post(
        "/api/held-stamps/release",
        json={
            "deviceId": moved.device_id,
            "from": iso(MORNING - hours(1)),
            "to": iso(MORNING + hours(8)),
            "companyId": site.firm.id,
        },
    )
    assert released.json() == {"released": 1}
    assert site.spans() == [("2026-11-20", "07:00", "11:00")]


def test_an_old_lease_is_a_fork_and_its_stamps_are_booked(site: Site) -> None:
    device = site.device
    device.deliver(device.tap(ANNA, MORNING))
    device.deliver(device.tap(BEN, MORNING))
    assert site.listed()["forked"] is False
    answer = device.deliver(device.tap(ANNA, MORNING + hours(4)), lease=1)
    assert states(answer) == ["booked"]
    assert answer["lease"] == 3
    assert site.listed()["forked"] is True
    assert site.spans() == [("2026-11-20", "07:00", "11:00")]


def test_two_copies_of_a_card_are_found(site: Site) -> None:
    device = site.device
    copied = device.lease
    assert site.device.deliver(device.tap(ANNA, MORNING))["lease"] == 2
    device.deliver(device.tap(BEN, MORNING), lease=copied)
    assert site.listed()["forked"] is True


def test_a_lost_answer_is_no_fork(site: Site) -> None:
    batch = site.device.batch(site.device.tap(ANNA, MORNING))
    for _ in range(3):
        assert site.device.sent(batch)["lease"] == 2
    site.device.deliver(site.device.tap(ANNA, MORNING + hours(4)))
    assert site.listed()["forked"] is False


def test_a_server_set_back_asks_for_what_it_lost_until_the_clock_has_read_it(site: Site) -> None:
    device = site.device
    device.lease = 41
    batch = device.batch(device.tap(ANNA, MORNING))
    replay = {"replay": {"since": iso(site.clock.now() - timedelta(days=30))}}
    assert replay in device.sent(batch)["actions"]
    assert replay in device.sent(batch)["actions"]
    site.clock.advance(seconds=30)
    assert replay in device.beat().json()["actions"]
    answer = device.deliver(device.tap(ANNA, MORNING + hours(4)))
    assert (answer["lease"], answer["actions"]) == (43, [])
    assert site.listed()["forked"] is False


def test_missing_rows_are_named_and_asked_for_once_an_hour(site: Site) -> None:
    device = site.device
    taps = [device.tap(ANNA, MORNING + hours(n)) for n in range(5)]
    answer = device.deliver(taps[0], taps[4])
    assert answer["streams"] == [{"epoch": device.epoch, "contiguousTo": 1, "missing": [[2, 4]]}]
    replay = [{"replay": {"epoch": device.epoch, "from": 2, "to": 4}}]
    assert answer["actions"] == replay
    assert device.deliver(taps[0])["actions"] == []
    site.clock.advance(minutes=61)
    assert device.beat().json()["actions"] == replay
    answer = device.deliver(taps[1], gone=[[3, 4]])
    assert answer["streams"] == [{"epoch": device.epoch, "contiguousTo": 5, "missing": []}]
    site.clock.advance(minutes=61)
    assert device.beat().json()["actions"] == []


def test_an_epoch_lost_altogether_is_noticed(site: Site) -> None:
    device = site.device
    device.tap(ANNA)
    lost = device.epoch
    device.start_agent()
    answer = device.deliver(device.tap(ANNA, MORNING))
    assert {"epoch": lost, "contiguousTo": 0, "missing": [[1, 1]]} in answer["streams"]


def test_a_quarantined_row_is_no_gap(site: Site) -> None:
    device = site.device
    bad = device.tap(ANNA, MORNING, direction="both")
    answer = device.deliver(bad, device.tap(ANNA, MORNING))
    assert answer["streams"][0]["missing"] == []


def test_of_two_variants_the_same_one_counts_whatever_came_first(site: Site) -> None:
    def variants(tag: str) -> list[dict[str, Any]]:
        stamp = site.device.tap(tag, MORNING)
        return [stamp, stamp | {"direction": "out"}]

    first, second = variants(ANNA)
    assert outcomes(site.device.deliver(first)) == ["stored"]
    answer = site.device.deliver(second)
    assert (outcomes(answer), states(answer)) == (["variant"], ["conflict"])
    assert [stamp["state"] for stamp in site.held()] == ["conflict"]
    reached = site.spans()
    assert outcomes(site.device.deliver(second, first)) == ["duplicate", "duplicate"]
    assert site.spans() == reached


def test_a_stamp_without_a_time_is_paired_provisionally_and_settled_by_an_anchor(site: Site) -> None:
    device = site.device
    true = MORNING + hours(4)
    device.deliver(device.tap(ANNA, MORNING))
    stamp = device.tap(ANNA, true, wall=iso(true - timedelta(minutes=30)), quality="none")
    assert states(device.deliver(stamp)) == ["held_clock"]
    (entry,) = site.times()
    assert (entry["end"], entry["flags"]) == ("10:30", ["uncertain_time"])
    answer = device.deliver(stamp, anchors=[device.anchor(true + hours(1))])
    assert states(answer) == ["booked"]
    (settled_entry,) = site.times()
    assert (settled_entry["id"], settled_entry["end"], settled_entry["flags"]) == (entry["id"], "11:00", [])


def test_a_clock_that_runs_ahead_books_no_future(site: Site) -> None:
    answer = site.device.deliver(site.device.tap(ANNA, site.clock.now() + hours(1)))
    assert states(answer) == ["held_clock"]


def test_stamps_follow_the_assignment_under_which_they_were_made(site: Site) -> None:
    device, other_firm = site.device, site.world.firm("Bäckerei Krume")
    late = device.tap(ANNA, MORNING)
    unaware = device.tap(ANNA, site.clock.now() + hours(1))
    site.assign(device, other_firm.id)
    site.clock.advance(hours=2)
    own_tap = device.tap(ANNA, site.clock.now())
    answer = device.deliver(late, unaware, own_tap)
    assert states(answer) == ["booked", "held_assignment", "booked"]
    assert site.spans() == [("2026-11-20", "07:00", None)]
    assert [stamp["takenAt"] for stamp in site.unassigned()] == [iso(MORNING + hours(13))]
    assert len(site.somebody(other_firm.anna).get(f"/api/users/{other_firm.anna.id}/times").json()) == 1


def test_a_company_never_sees_another_one_s_stamps(site: Site) -> None:
    other_firm = site.world.firm("Bäckerei Krume")
    site.device.deliver(site.device.tap(NOBODY, MORNING), site.device.tap(ANNA, MORNING))
    boss = site.somebody(other_firm.boss)
    assert boss.get(f"/api/companies/{other_firm.id}/held-stamps").json() == []
    for path in (
        f"/api/companies/{site.firm.id}/held-stamps",
        f"/api/companies/{site.firm.id}/review",
        f"/api/companies/{site.firm.id}/clocks",
        f"/api/users/{site.firm.anna.id}/times",
        f"/api/users/{site.firm.anna.id}/times/stream",
    ):
        assert boss.get(path).status_code == 404
    assert boss.get("/api/held-stamps").status_code == 403


def test_a_batch_sent_by_two_connections_at_once_is_merged_once(site: Site) -> None:
    device = site.device
    batch = device.batch(*[device.tap(ANNA, MORNING + timedelta(minutes=5 * n)) for n in range(20)])
    answers = _at_once([lambda: device.post("/api/devices/stamps", batch)] * 6)
    assert [answer.status_code for answer in answers] == [200] * 6
    results = sorted(outcomes(answer.json())[0] for answer in answers)
    assert results == ["duplicate"] * 5 + ["stored"]
    assert {answer.json()["lease"] for answer in answers} == {2}
    assert len(site.times()) == 10
    assert site.listed()["forked"] is False


def test_two_clocks_deliver_one_person_s_stamps_at_once(site: Site) -> None:
    gate = site.another_clock()
    moments = [MORNING + timedelta(minutes=20 * n) for n in range(24)]
    own_batches = [site.device.batch(site.device.tap(ANNA, taken_at), lease=None) for taken_at in moments[::2]]
    theirs = [gate.batch(gate.tap(ANNA, taken_at), lease=None) for taken_at in moments[1::2]]
    random.Random(3).shuffle(own_batches)

    def deliver(device: Clock, batches: list[dict[str, Any]]) -> list[Any]:
        return [device.post("/api/devices/stamps", batch) for batch in batches]

    done = _at_once([lambda: deliver(site.device, own_batches), lambda: deliver(gate, theirs)])
    assert all(answer.status_code == 200 for answers in done for answer in answers)
    spans = site.spans()
    assert len(spans) == 12
    assert all(end is not None for _, _, end in spans)
    assert {(entry["workedMinutesRaw"]) for entry in site.times()} == {20}


def test_a_tag_is_given_while_its_stamps_arrive(site: Site) -> None:
    device = site.device
    batches = [device.batch(device.tap(NOBODY, MORNING + timedelta(minutes=7 * n)), lease=None) for n in range(16)]
    give = {"tag": NOBODY, "userId": site.firm.anna.id, "from": iso(MORNING)}
    boss = site.boss
    done = _at_once(
        [
            lambda: [device.post("/api/devices/stamps", batch).status_code for batch in batches],
            lambda: [boss.post(f"/api/companies/{site.firm.id}/held-stamps/assign", json=give).status_code],
        ]
    )
    assert set(done[0]) == {200}
    assert done[1] == [200]
    assert site.held() == []
    assert len(site.times()) == 8


def _at_once(calls: list[Any]) -> list[Any]:
    """Returns the answer of each call, all begun together in threads of their own."""
    start = threading.Barrier(len(calls))
    answers: list[Any] = [None] * len(calls)

    def run(number: int) -> None:
        start.wait()
        answers[number] = calls[number]()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def _read_rows(site: Site) -> Any:
    """Returns the database's log: PostgreSQL's position in its log, SQLite's log itself."""
    engine = site.world.platform.database.engine
    if engine.dialect.name == "sqlite":
        return Path(f"{engine.url.database}-wal").read_bytes()
    with engine.connect() as connection:
        return connection.execute(text("SELECT pg_current_wal_insert_lsn() - '0/0'")).scalar_one()


def test_a_batch_sent_again_to_the_last_byte_writes_nothing(site: Site) -> None:
    body = json.dumps(site.device.batch(*[site.device.tap(ANNA, MORNING + hours(n)) for n in range(8)])).encode()
    for _ in range(2):
        assert site.device.send("POST", "/api/devices/stamps", body).status_code == 200
    quiet = []
    for _ in range(3):
        rows_before = _read_rows(site)
        answer = site.device.send("POST", "/api/devices/stamps", body)
        assert outcomes(answer.json()) == ["duplicate"] * 8
        assert set(states(answer.json())) == {"booked"}
        quiet.append(_read_rows(site) == rows_before)
    assert any(quiet)  # PostgreSQL's own background processes log a little now and then
