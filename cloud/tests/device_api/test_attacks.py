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
from cloud.tests.stamping import ANNA, BEN, MORNING, NOBODY, Wall, enrolled, hours


def test_the_rows_are_committed_before_the_answer_leaves(wall: Wall) -> None:
    counts: list[int] = []
    database = wall.world.platform.database
    send = wall.world.client.request

    def look_first(*args: Any, **kwargs: Any) -> Any:
        answer = send(*args, **kwargs)
        with database.engine.connect() as connection:
            counts.append(connection.execute(text("SELECT count(*) FROM receipts")).scalar_one())
        return answer

    wall.world.client.request = look_first  # type: ignore[method-assign]
    wall.device.deliver(wall.device.tap(ANNA, MORNING))
    assert counts == [1]


def test_a_poisoned_stamp_takes_nobody_with_it(wall: Wall) -> None:
    device = wall.device
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
    assert wall.spans() == [("2026-11-20", "07:00", "11:00")]
    unread = [stamp for stamp in wall.unassigned() if stamp["state"] == "quarantined"]
    assert len(unread) == 9
    assert all(stamp["tag"] is None and stamp["deviceId"] == device.device_id for stamp in unread)


def test_poison_sent_again_is_kept_once(wall: Wall) -> None:
    batch = wall.device.batch({"id": "x"}, wall.device.tap(ANNA, MORNING))
    wall.device.sent(batch)
    assert outcomes(wall.device.sent(batch)) == ["quarantined", "duplicate"]
    wall.device.sent(batch | {"batch": wall.device.uuid4()})
    assert len(wall.unassigned()) == 1


@ON_SQLITE
@pytest.mark.parametrize("garbage", [b"", b"\xff\xfe", b"[" * 5000, b'{"proto":1}', b"<html>Anmelden</html>"])
def test_garbage_is_refused_and_changes_nothing(wall: Wall, garbage: bytes) -> None:
    answer = wall.device.send("POST", "/api/devices/stamps", garbage)
    assert answer.status_code in {401, 422}
    assert wall.times() == []


def test_five_hundred_and_one_are_too_many(wall: Wall) -> None:
    taps = [wall.device.tap(NOBODY, MORNING + timedelta(minutes=n)) for n in range(501)]
    answer = wall.device.post("/api/devices/stamps", wall.device.batch(*taps))
    assert (answer.status_code, answer.json()["code"]) == (413, "batch_too_large")
    assert outcomes(wall.device.deliver(*taps[:500])) == ["stored"] * 500


def test_of_anchors_and_lost_ranges_no_more_are_read_than_a_clock_can_mean(wall: Wall) -> None:
    device = wall.device
    anchors = [device.anchor(MORNING + timedelta(seconds=n)) for n in range(5000)]
    given_up = [[3 * n + 100, 3 * n + 100] for n in range(5000)]
    batch = device.batch(device.tap(ANNA, MORNING), anchors=anchors, gone=given_up)
    read = wire.read_batch(json.dumps(batch).encode())
    assert len(read.anchors) == 1000
    assert read.gone == tuple((first, last) for first, last in given_up[:1000])
    assert outcomes(device.sent(batch)) == ["stored"]
    assert wall.spans() == [("2026-11-20", "07:00", None)]


def test_another_device_s_key_cannot_deliver_in_its_name(wall: Wall) -> None:
    thief = enrolled(wall.world, wall.clock, "SW-X", 9)
    thief.assignment = wall.device.assignment
    answer = thief.deliver(thief.tap(ANNA, MORNING))
    assert states(answer) == ["held_assignment"]
    assert wall.times() == []
    (unassigned,) = wall.unassigned()
    assert (unassigned["assignment"], unassigned["deviceId"]) == (wall.device.assignment, thief.device_id)


def test_a_stolen_id_takes_nothing_from_the_clock_whose_stamp_it_is(wall: Wall) -> None:
    stamp = wall.device.tap(ANNA, MORNING)
    thief = enrolled(wall.world, wall.clock, "SW-X", 9)
    for direction in ("in", "out", "auto"):
        forged = stamp | {"direction": direction, "wall": iso(MORNING - hours(3))}
        assert states(thief.deliver(forged)) == ["held_assignment"]
    answer = wall.device.deliver(stamp)
    assert outcomes(answer) == ["variant"]
    assert states(answer) == ["booked"]
    assert wall.spans() == [("2026-11-20", "07:00", None)]
    assert wall.unassigned() == []


def test_a_card_that_moved_to_other_hardware_delivers_nothing_twice(wall: Wall) -> None:
    device = wall.device
    sent, unsent = device.tap(ANNA, MORNING), device.tap(ANNA, MORNING + hours(4))
    device.deliver(sent)
    moved = enrolled(wall.world, wall.clock, "SW-T-1", 5)
    answer = moved.deliver(sent, unsent, epoch=device.epoch)
    assert outcomes(answer) == ["duplicate", "stored"]
    assert states(answer) == ["booked", "held_assignment"]
    released = wall.founder.post(
        "/api/held-stamps/release",
        json={
            "deviceId": moved.device_id,
            "from": iso(MORNING - hours(1)),
            "to": iso(MORNING + hours(8)),
            "companyId": wall.firm.id,
        },
    )
    assert released.json() == {"released": 1}
    assert wall.spans() == [("2026-11-20", "07:00", "11:00")]


def test_an_old_lease_is_a_fork_and_its_stamps_are_booked(wall: Wall) -> None:
    device = wall.device
    device.deliver(device.tap(ANNA, MORNING))
    device.deliver(device.tap(BEN, MORNING))
    assert wall.listed()["forked"] is False
    answer = device.deliver(device.tap(ANNA, MORNING + hours(4)), lease=1)
    assert states(answer) == ["booked"]
    assert answer["lease"] == 3
    assert wall.listed()["forked"] is True
    assert wall.spans() == [("2026-11-20", "07:00", "11:00")]


def test_two_copies_of_a_card_are_found(wall: Wall) -> None:
    device = wall.device
    copied = device.lease
    assert wall.device.deliver(device.tap(ANNA, MORNING))["lease"] == 2
    device.deliver(device.tap(BEN, MORNING), lease=copied)
    assert wall.listed()["forked"] is True


def test_a_lost_answer_is_no_fork(wall: Wall) -> None:
    batch = wall.device.batch(wall.device.tap(ANNA, MORNING))
    for _ in range(3):
        assert wall.device.sent(batch)["lease"] == 2
    wall.device.deliver(wall.device.tap(ANNA, MORNING + hours(4)))
    assert wall.listed()["forked"] is False


def test_a_server_set_back_asks_for_what_it_lost_until_the_clock_has_read_it(wall: Wall) -> None:
    device = wall.device
    device.lease = 41
    batch = device.batch(device.tap(ANNA, MORNING))
    replay = {"replay": {"since": iso(wall.clock.now() - timedelta(days=30))}}
    assert replay in device.sent(batch)["actions"]
    assert replay in device.sent(batch)["actions"]
    wall.clock.advance(seconds=30)
    assert replay in device.beat().json()["actions"]
    answer = device.deliver(device.tap(ANNA, MORNING + hours(4)))
    assert (answer["lease"], answer["actions"]) == (43, [])
    assert wall.listed()["forked"] is False


def test_missing_rows_are_named_and_asked_for_once_an_hour(wall: Wall) -> None:
    device = wall.device
    taps = [device.tap(ANNA, MORNING + hours(n)) for n in range(5)]
    answer = device.deliver(taps[0], taps[4])
    assert answer["streams"] == [{"epoch": device.epoch, "contiguousTo": 1, "missing": [[2, 4]]}]
    replay = [{"replay": {"epoch": device.epoch, "from": 2, "to": 4}}]
    assert answer["actions"] == replay
    assert device.deliver(taps[0])["actions"] == []
    wall.clock.advance(minutes=61)
    assert device.beat().json()["actions"] == replay
    answer = device.deliver(taps[1], gone=[[3, 4]])
    assert answer["streams"] == [{"epoch": device.epoch, "contiguousTo": 5, "missing": []}]
    wall.clock.advance(minutes=61)
    assert device.beat().json()["actions"] == []


def test_an_epoch_lost_altogether_is_noticed(wall: Wall) -> None:
    device = wall.device
    device.tap(ANNA)
    lost = device.epoch
    device.start_agent()
    answer = device.deliver(device.tap(ANNA, MORNING))
    assert {"epoch": lost, "contiguousTo": 0, "missing": [[1, 1]]} in answer["streams"]


def test_a_quarantined_row_is_no_gap(wall: Wall) -> None:
    device = wall.device
    bad = device.tap(ANNA, MORNING, direction="both")
    answer = device.deliver(bad, device.tap(ANNA, MORNING))
    assert answer["streams"][0]["missing"] == []


def test_of_two_variants_the_same_one_counts_whatever_came_first(wall: Wall) -> None:
    def variants(tag: str) -> list[dict[str, Any]]:
        stamp = wall.device.tap(tag, MORNING)
        return [stamp, stamp | {"direction": "out"}]

    first, second = variants(ANNA)
    assert outcomes(wall.device.deliver(first)) == ["stored"]
    answer = wall.device.deliver(second)
    assert (outcomes(answer), states(answer)) == (["variant"], ["conflict"])
    assert [stamp["state"] for stamp in wall.held()] == ["conflict"]
    reached = wall.spans()
    assert outcomes(wall.device.deliver(second, first)) == ["duplicate", "duplicate"]
    assert wall.spans() == reached


def test_a_stamp_without_a_time_is_paired_provisionally_and_settled_by_an_anchor(wall: Wall) -> None:
    device = wall.device
    true = MORNING + hours(4)
    device.deliver(device.tap(ANNA, MORNING))
    stamp = device.tap(ANNA, true, wall=iso(true - timedelta(minutes=30)), quality="none")
    assert states(device.deliver(stamp)) == ["held_clock"]
    (entry,) = wall.times()
    assert (entry["end"], entry["flags"]) == ("10:30", ["uncertain_time"])
    answer = device.deliver(stamp, anchors=[device.anchor(true + hours(1))])
    assert states(answer) == ["booked"]
    (settled_entry,) = wall.times()
    assert (settled_entry["id"], settled_entry["end"], settled_entry["flags"]) == (entry["id"], "11:00", [])


def test_a_clock_that_runs_ahead_books_no_future(wall: Wall) -> None:
    answer = wall.device.deliver(wall.device.tap(ANNA, wall.clock.now() + hours(1)))
    assert states(answer) == ["held_clock"]


def test_stamps_follow_the_assignment_under_which_they_were_made(wall: Wall) -> None:
    device, other_firm = wall.device, wall.world.firm("Bäckerei Krume")
    late = device.tap(ANNA, MORNING)
    unaware = device.tap(ANNA, wall.clock.now() + hours(1))
    wall.assign(device, other_firm.id)
    wall.clock.advance(hours=2)
    own_tap = device.tap(ANNA, wall.clock.now())
    answer = device.deliver(late, unaware, own_tap)
    assert states(answer) == ["booked", "held_assignment", "booked"]
    assert wall.spans() == [("2026-11-20", "07:00", None)]
    assert [stamp["takenAt"] for stamp in wall.unassigned()] == [iso(MORNING + hours(13))]
    assert len(wall.somebody(other_firm.anna).get(f"/api/users/{other_firm.anna.id}/times").json()) == 1


def test_a_company_never_sees_another_one_s_stamps(wall: Wall) -> None:
    other_firm = wall.world.firm("Bäckerei Krume")
    wall.device.deliver(wall.device.tap(NOBODY, MORNING), wall.device.tap(ANNA, MORNING))
    boss = wall.somebody(other_firm.boss)
    assert boss.get(f"/api/companies/{other_firm.id}/held-stamps").json() == []
    for path in (
        f"/api/companies/{wall.firm.id}/held-stamps",
        f"/api/companies/{wall.firm.id}/review",
        f"/api/companies/{wall.firm.id}/clocks",
        f"/api/users/{wall.firm.anna.id}/times",
        f"/api/users/{wall.firm.anna.id}/times/stream",
    ):
        assert boss.get(path).status_code == 404
    assert boss.get("/api/held-stamps").status_code == 403


def test_a_batch_sent_by_two_connections_at_once_is_merged_once(wall: Wall) -> None:
    device = wall.device
    batch = device.batch(*[device.tap(ANNA, MORNING + timedelta(minutes=5 * n)) for n in range(20)])
    answers = _at_once([lambda: device.post("/api/devices/stamps", batch)] * 6)
    assert [answer.status_code for answer in answers] == [200] * 6
    results = sorted(outcomes(answer.json())[0] for answer in answers)
    assert results == ["duplicate"] * 5 + ["stored"]
    assert {answer.json()["lease"] for answer in answers} == {2}
    assert len(wall.times()) == 10
    assert wall.listed()["forked"] is False


def test_two_clocks_deliver_one_person_s_stamps_at_once(wall: Wall) -> None:
    gate = wall.another_clock()
    moments = [MORNING + timedelta(minutes=20 * n) for n in range(24)]
    own_batches = [wall.device.batch(wall.device.tap(ANNA, taken_at), lease=None) for taken_at in moments[::2]]
    theirs = [gate.batch(gate.tap(ANNA, taken_at), lease=None) for taken_at in moments[1::2]]
    random.Random(3).shuffle(own_batches)

    def deliver(device: Clock, batches: list[dict[str, Any]]) -> list[Any]:
        return [device.post("/api/devices/stamps", batch) for batch in batches]

    done = _at_once([lambda: deliver(wall.device, own_batches), lambda: deliver(gate, theirs)])
    assert all(answer.status_code == 200 for answers in done for answer in answers)
    spans = wall.spans()
    assert len(spans) == 12
    assert all(end is not None for _, _, end in spans)
    assert {(entry["workedMinutesRaw"]) for entry in wall.times()} == {20}


def test_a_tag_is_given_while_its_stamps_arrive(wall: Wall) -> None:
    device = wall.device
    batches = [device.batch(device.tap(NOBODY, MORNING + timedelta(minutes=7 * n)), lease=None) for n in range(16)]
    give = {"tag": NOBODY, "userId": wall.firm.anna.id, "from": iso(MORNING)}
    boss = wall.boss
    done = _at_once(
        [
            lambda: [device.post("/api/devices/stamps", batch).status_code for batch in batches],
            lambda: [boss.post(f"/api/companies/{wall.firm.id}/held-stamps/assign", json=give).status_code],
        ]
    )
    assert set(done[0]) == {200}
    assert done[1] == [200]
    assert wall.held() == []
    assert len(wall.times()) == 8


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


def _read_rows(wall: Wall) -> Any:
    """Returns the database's log: PostgreSQL's position in its log, SQLite's log itself."""
    engine = wall.world.platform.database.engine
    if engine.dialect.name == "sqlite":
        return Path(f"{engine.url.database}-wal").read_bytes()
    with engine.connect() as connection:
        return connection.execute(text("SELECT pg_current_wal_insert_lsn() - '0/0'")).scalar_one()


def test_a_batch_sent_again_to_the_last_byte_writes_nothing(wall: Wall) -> None:
    body = json.dumps(wall.device.batch(*[wall.device.tap(ANNA, MORNING + hours(n)) for n in range(8)])).encode()
    for _ in range(2):
        assert wall.device.send("POST", "/api/devices/stamps", body).status_code == 200
    quiet = []
    for _ in range(3):
        rows_before = _read_rows(wall)
        answer = wall.device.send("POST", "/api/devices/stamps", body)
        assert outcomes(answer.json()) == ["duplicate"] * 8
        assert set(states(answer.json())) == {"booked"}
        quiet.append(_read_rows(wall) == rows_before)
    assert any(quiet)  # PostgreSQL's own background processes log a little now and then
