"""The agent as a whole: no network, a bad one, nonsense, crashes, a failing disk; it goes on, and nothing is lost."""

import asyncio
import json
import shutil
import sqlite3

import pytest
from stempelwerk_edge.cloud import delivery, wire
from stempelwerk_edge.cloud.delivery import Meaning, Then
from stempelwerk_edge.machine.clock import Quality
from stempelwerk_edge.machine.housekeeping import Housekeeping
from stempelwerk_edge.ports import AnswerKind

from edge.tests.clockwork import TestMachine
from edge.tests.model_cloud import ModelCloud
from edge.tests.rig import Rig
from edge.tests.test_trusted_time import FAR_AHEAD, THE_BEGINNING


def test_a_tap_is_with_the_cloud_within_a_second_and_the_screen_says_so(rig: Rig) -> None:
    rig.wait(seconds=1)
    answer = rig.tap()
    rig.wait(seconds=1)
    assert rig.delivered() == rig.toned
    assert (answer.name, answer.sent) == ("M. Eiche", False)
    assert answer.stamp_id in rig.screen.told_sent
    assert rig.screen.status["queued"] == 0
    assert rig.screen.status["connection"] == "online"


def test_a_new_clock_belongs_to_nobody_and_shows_its_claim_code(card: Rig) -> None:
    rig = card
    rig.cloud.assignment = None
    rig.start()
    rig.wait(seconds=1)
    assert rig.screen.status["assigned"] is False
    assert len(rig.screen.status["claim_code"]) == 8
    assert rig.tap().kind is AnswerKind.UNKNOWN
    rig.wait(seconds=1)
    assert [stamp["assignment"] for stamp in rig.cloud.stamps.values()] == [None]
    assert not rig.requests(wire.PEOPLE)


def test_assigned_it_greets_and_unassigned_it_forgets(rig: Rig) -> None:
    rig.wait(seconds=2)
    assert rig.tap().name == "M. Eiche"
    assert (rig.screen.status["company_name"], rig.screen.status["clock_name"]) == ("Ahorn", "Tor 1")
    rig.cloud.assignment = None
    rig.wait(minutes=1)
    assert rig.tap().kind is AnswerKind.UNKNOWN
    assert rig.screen.status["assigned"] is False
    assert b"M. Eiche" not in b"".join(path.read_bytes() for path in rig.directory.glob("people.db*"))


def test_the_name_that_a_company_gave_it_is_shown_to_no_other(rig: Rig) -> None:
    rig.wait(seconds=2)
    rig.cloud.assignment = {"id": "a-2", "companyId": "c-2", "companyName": "Krume"}
    rig.cloud.name = None
    rig.wait(minutes=1)
    assert (rig.screen.status["company_name"], rig.screen.status["clock_name"]) == ("Krume", "")


def test_a_name_that_was_taken_away_is_gone_from_the_screen(rig: Rig) -> None:
    rig.wait(seconds=2)
    rig.cloud.name = None
    rig.wait(minutes=1)
    assert (rig.screen.status["company_name"], rig.screen.status["clock_name"]) == ("Ahorn", "")


def test_without_a_network_at_the_start_it_stamps_and_delivers_later_in_order(card: Rig) -> None:
    rig = card
    rig.has_luck("down")
    rig.start()
    for _ in range(5):
        rig.tap()
        rig.wait(hours=3)
    assert rig.screen.status["connection"] == "offline"
    assert rig.screen.status["queued"] == 5
    rig.has_luck("ok")
    rig.wait(minutes=2)
    assert rig.delivered() == rig.toned
    assert rig.screen.status["connection"] == "online"


def test_after_a_restart_without_a_network_it_still_greets_and_knows_its_assignment(rig: Rig) -> None:
    rig.wait(seconds=2)
    rig.tap()
    rig.wait(seconds=2)
    rig.has_luck("down")
    rig.restart()
    rig.wait(hours=1)
    answer = rig.tap()
    assert (answer.name, answer.kind) == ("M. Eiche", AnswerKind.OUT)
    rig.has_luck("ok")
    rig.wait(minutes=2)
    assert {stamp["assignment"] for stamp in rig.cloud.stamps.values()} == {"a-1"}


@pytest.mark.parametrize("nonsense", ["portal", "500", "502", "503", "404", "400", "409", "204", "302", "418"])
def test_whatever_a_server_answers_nothing_is_dropped_and_taps_go_on(rig: Rig, nonsense: str) -> None:
    rig.wait(seconds=1)
    rig.has_luck(nonsense)
    for _ in range(3):
        rig.tap()
        rig.wait(minutes=20)
    assert rig.delivered() == []
    assert rig.screen.status["queued"] == 3
    rig.has_luck("ok")
    rig.wait(minutes=16)
    assert rig.delivered() == rig.toned


def test_a_lost_answer_means_the_same_batch_again(rig: Rig) -> None:
    rig.wait(seconds=1)
    rig.has_luck("lost answer", wire.STAMPS)
    rig.tap()
    rig.wait(seconds=20)
    rig.has_luck("ok")
    rig.wait(minutes=2)
    bodies = {request.content for request in rig.requests(wire.STAMPS)}
    assert len(rig.requests(wire.STAMPS)) > 1
    assert len(bodies) == 1
    assert rig.screen.status["queued"] == 0


def test_back_off_grows_and_does_not_hammer(rig: Rig) -> None:
    rig.wait(seconds=1)
    rig.has_luck("500", wire.STAMPS)
    rig.tap()
    rig.wait(hours=6)
    assert 5 < len(rig.requests(wire.STAMPS)) < 60


@pytest.mark.parametrize("mistaken", [False, True])
def test_a_clock_that_the_cloud_forgot_does_what_is_decided(
    rig: Rig, mistaken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.wait(seconds=1)
    rig.cloud.devices.clear()
    if mistaken:
        monkeypatch.setattr(delivery, "_not_connected", lambda *_: Meaning(Then.BACK_OFF, "not_connected"))
    rig.tap()
    rig.wait(minutes=5)
    assert rig.delivered() == ([] if mistaken else rig.toned)
    assert rig.screen.status["connection"] == ("not_connected" if mistaken else "online")


def test_one_unreadable_stamp_does_not_hold_up_the_others(card: Rig) -> None:
    rig = card
    rig.cloud.config = {"heartbeatS": 900}
    rig.start()
    rig.wait(seconds=1)
    rig.has_luck("down")
    taps = [rig.tap("04FFFFFFFFFFFF") for _ in range(20)]
    assert taps[7].stamp_id is not None
    rig.cloud.poison = {taps[7].stamp_id}
    rig.has_luck("ok")
    rig.wait(hours=2)
    assert set(rig.toned) - set(rig.delivered()) == rig.cloud.poison
    assert "stamp_set_aside" in {entry["code"] for entry in rig.cloud.logs.values()}
    rig.cloud.poison = set()
    rig.wait(days=1, hours=1)
    assert set(rig.delivered()) == set(rig.toned)


def test_a_service_that_takes_little_at_a_time_gets_little(rig: Rig) -> None:
    rig.cloud.largest_batch = 3
    rig.has_luck("down")
    for _ in range(12):
        rig.tap("04FFFFFFFFFFFF")
    rig.has_luck("ok")
    rig.wait(minutes=5)
    assert rig.delivered() == rig.toned


@pytest.mark.parametrize("after", [0.0, 0.001, 0.5, 3.0, 40.0])
def test_a_crash_at_any_moment_loses_and_doubles_nothing(rig: Rig, after: float) -> None:
    for _ in range(3):
        rig.tap("04FFFFFFFFFFFF")
        rig.wait(seconds=after)
        rig.restart()
    rig.wait(minutes=3)
    assert rig.delivered() == rig.toned
    assert not any(device.forked for device in rig.cloud.devices.values())
    epochs = {json.loads(request.content)["epoch"] for request in rig.requests(wire.STAMPS)}
    assert len(epochs) == 3


def test_a_cloud_set_back_to_a_backup_gets_everything_again(rig: Rig) -> None:
    rig.wait(seconds=1)
    rig.tap("04FFFFFFFFFFFF")
    rig.wait(seconds=5)
    backup = rig.cloud.backup()
    for _ in range(3):
        rig.wait(minutes=5)
        rig.tap("04FFFFFFFFFFFF")
    rig.wait(seconds=5)
    rig.cloud.restore(backup)
    rig.tap("04FFFFFFFFFFFF")
    rig.wait(minutes=3)
    assert set(rig.delivered()) == set(rig.toned)
    assert not any(device.forked for device in rig.cloud.devices.values())


def test_another_server_gets_everything_and_the_people_are_asked_for_anew(rig: Rig) -> None:
    rig.wait(seconds=1)
    for _ in range(3):
        rig.tap()
    rig.wait(seconds=5)
    new = ModelCloud(rig.cloud.now, "server-2")
    new.assignment, new.people = rig.cloud.assignment, rig.cloud.people
    rig.cloud = rig.net.cloud = new
    rig.wait(minutes=5)
    assert set(rig.delivered()) == set(rig.toned)
    assert rig.tap().name == "M. Eiche"


def test_on_other_hardware_it_is_another_device_and_delivers_its_queue(rig: Rig) -> None:
    rig.wait(seconds=1)
    rig.has_luck("down")
    rig.tap()
    rig.crash()
    rig.machine = TestMachine()
    rig.machine.hardware = rig.machine.hardware.__class__("board:2", "SW-TEST-2", "02:00:00:00:00:02")
    rig.cloud.assignment = None
    rig.start()
    assert rig.tap().kind is AnswerKind.UNKNOWN
    rig.has_luck("ok")
    rig.wait(minutes=3)
    assert len(rig.cloud.devices) == 2
    assert [stamp["assignment"] for stamp in rig.cloud.stamps.values()] == ["a-1", None]
    assert not any(device.forked for device in rig.cloud.devices.values())


@pytest.mark.parametrize("refusal", [{"code": "revoked"}, {"code": "something"}])
def test_forbidden_it_keeps_everything_and_forgets_people_only_when_revoked(rig: Rig, refusal: dict[str, str]) -> None:
    rig.wait(seconds=2)
    real = rig.net.cloud.handle
    rig.net.cloud.handle = lambda *_: (403, refusal)  # type: ignore[method-assign]  # the model for a while
    rig.tap()
    rig.wait(minutes=2)
    assert rig.screen.status["connection"] == "not_connected"
    assert rig.tap().name == (None if refusal["code"] == "revoked" else "M. Eiche")
    rig.net.cloud.handle = real  # type: ignore[method-assign]  # and back
    rig.wait(minutes=20)
    assert rig.delivered() == rig.toned
    assert rig.tap().name == "M. Eiche"


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR])
def test_a_disk_that_fails_is_said_in_red_and_used_again_without_a_restart(rig: Rig, code: int) -> None:
    rig.wait(seconds=2)
    rig.disk.result = code
    answer = rig.tap()
    assert (answer.kind, rig.screen.status["storage"]) == (AnswerKind.NOT_SAVED, "failed")
    rig.wait(minutes=5)
    assert rig.screen.status["storage"] == "failed"
    rig.disk.result = None
    rig.wait(seconds=30)
    assert rig.screen.status["storage"] == "ok"
    assert rig.tap().kind is AnswerKind.IN
    rig.wait(minutes=20)
    assert rig.delivered() == rig.toned


def test_a_disk_that_fails_at_the_start_does_not_stop_the_start(card: Rig) -> None:
    rig = card
    rig.start(sqlite3.SQLITE_READONLY)
    assert rig.tap().kind is AnswerKind.NOT_SAVED
    rig.disk.result = None
    rig.wait(minutes=1)
    rig.tap()
    rig.wait(minutes=3)
    assert rig.delivered() == rig.toned


def test_a_damaged_journal_is_reported_to_the_cloud(rig: Rig) -> None:
    rig.wait(seconds=1)
    rig.crash()
    (rig.directory / "journal" / "journal.db").write_bytes(b"nonsense" * 2000)
    rig.start()
    rig.tap()
    rig.wait(minutes=1)
    assert rig.delivered() == rig.toned
    assert "journal_replaced" in {entry["code"] for entry in rig.cloud.logs.values()}


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR])
def test_a_clock_whose_journal_breaks_goes_on_beating_and_says_so_until_it_is_written_again(
    rig: Rig, code: int
) -> None:
    rig.has_luck("500", wire.STAMPS)
    rig.wait(seconds=2)
    rig.tap()
    rig.wait(minutes=1)
    assert rig.cloud.heartbeats[-1]["storage"] == "ok"
    heartbeat_count, rig.disk.result = len(rig.cloud.heartbeats), code
    assert rig.tap().kind is AnswerKind.NOT_SAVED
    rig.wait(minutes=5)
    broken = rig.cloud.heartbeats[heartbeat_count:]
    assert len(broken) >= 7
    assert {(beat["storage"], beat["queue"]["depth"]) for beat in broken[1:]} == {("failed", 1)}
    rig.disk.result = None
    rig.wait(minutes=1)
    assert rig.cloud.heartbeats[-1]["storage"] == "ok"


def test_a_clock_that_starts_on_a_broken_journal_enrols_once_and_beats(card: Rig) -> None:
    card.start(sqlite3.SQLITE_READONLY)
    card.wait(minutes=5)
    assert len(card.requests(wire.ENROLL)) <= 2
    assert len(card.cloud.heartbeats) >= 7
    assert {beat["storage"] for beat in card.cloud.heartbeats} == {"failed"}
    card.disk.result = None
    card.wait(minutes=1)
    card.tap()
    card.wait(minutes=2)
    assert card.cloud.heartbeats[-1]["storage"] == "ok"
    assert card.delivered() == card.toned


def test_a_damaged_journal_is_in_the_heartbeat_until_somebody_takes_it_away(rig: Rig) -> None:
    rig.wait(seconds=1)
    rig.crash()
    (rig.directory / "journal" / "journal.db").write_bytes(b"nonsense" * 2000)
    rig.start()
    rig.wait(minutes=1)
    assert rig.cloud.heartbeats[-1]["storage"] == "replaced"
    rig.restart()
    rig.wait(minutes=1)
    assert rig.cloud.heartbeats[-1]["storage"] == "replaced"
    shutil.move(rig.directory / "journal.damaged-1", rig.directory / "away")
    rig.wait(minutes=1)
    assert rig.cloud.heartbeats[-1]["storage"] == "ok"
    assert rig.cloud.heartbeats[-1]["certificate"] is None


def test_a_loop_that_dies_begins_again_and_takes_nothing_with_it(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    deaths = []

    def die(_: Housekeeping) -> None:
        deaths.append(rig.loop.time())
        raise ZeroDivisionError

    monkeypatch.setattr(Housekeeping, "look", die)
    rig.restart()
    rig.tap()
    rig.wait(minutes=10)
    assert 3 < len(deaths) < 20
    assert rig.delivered() == rig.toned
    assert "loop_failed" in {entry["code"] for entry in rig.cloud.logs.values()}


@pytest.mark.parametrize("wall", [THE_BEGINNING, FAR_AHEAD])
def test_a_clock_with_a_wrong_time_delivers_with_anchors_of_its_boot(card: Rig, wall: object) -> None:
    rig = card
    rig.clock.set_wall(wall, Quality.NONE)  # type: ignore[arg-type]  # a datetime
    rig.start()
    rig.tap()
    rig.wait(minutes=2)
    assert rig.delivered() == rig.toned
    [first, *_] = [json.loads(request.content) for request in rig.requests(wire.STAMPS)]
    assert {anchor["boot"] for anchor in first["anchors"]} == {rig.clock.boot_id}
    assert rig.screen.status["time_trusted"] is True


def test_an_anchor_that_came_too_late_for_a_batch_is_told_with_the_next(card: Rig) -> None:
    rig = card
    rig.clock.set_wall(THE_BEGINNING, Quality.NONE)
    rig.has_luck("500", wire.HEARTBEAT, wire.ENROLL)
    rig.start()
    rig.tap()
    rig.wait(seconds=1)
    rig.has_luck("500", wire.HEARTBEAT)
    rig.wait(minutes=3)
    assert rig.delivered() == rig.toned
    assert {boot for boot, _ in rig.cloud.anchors} == {rig.clock.boot_id}


def test_the_heartbeat_tells_how_the_clock_is(rig: Rig) -> None:
    rig.has_luck("500", wire.STAMPS)
    rig.wait(seconds=1)
    rig.tap()
    rig.wait(minutes=5)
    beat = rig.cloud.heartbeats[-1]
    assert 8 <= len(rig.cloud.heartbeats) <= 16
    assert (beat["queue"]["depth"], beat["reader"], beat["version"]) == (1, "absent", "1.0")
    assert (beat["ip"], beat["queue"]["diskFreeMb"]) == ("192.0.2.7", 4096)
    assert beat["clock"]["boot"] == rig.clock.boot_id
    assert 200 <= beat["uptimeS"] <= 310


def test_thousands_of_taps_offline_are_delivered_in_batches_of_the_day(rig: Rig) -> None:
    rig.cloud.config = {"maxBatch": 200}
    rig.wait(minutes=1)
    rig.has_luck("down")
    for number in range(1000):
        rig.tap(f"04FFFFFFFF{number:04X}")
    rig.has_luck("ok")
    rig.wait(minutes=5)
    assert rig.delivered() == rig.toned
    assert max(len(ids) for _, ids in rig.cloud.arrivals) == 200


def test_cancelling_stops_it_and_closes_what_it_opened(rig: Rig) -> None:
    rig.wait(seconds=1)
    rig.tap()

    async def stop() -> None:
        await rig.process.kill()
        await asyncio.sleep(0)

    rig.loop.run_until_complete(stop())
    assert not (rig.directory / "journal" / "journal.db-wal").exists()
    assert rig.agent.tap("04FFFFFFFFFFFF") is not None  # a tap after the end is still kept
    rig.start()
    rig.wait(minutes=1)
    assert len(rig.delivered()) == 2


def test_what_was_tapped_while_nobody_could_be_reached_goes_out_with_the_first_heartbeat(rig: Rig) -> None:
    rig.wait(seconds=1)
    rig.has_luck("down")
    for _ in range(4):
        rig.wait(minutes=20)
        rig.tap("04FFFFFFFFFFFF")
    rig.wait(seconds=50)
    rig.tap("04FFFFFFFFFFFF")
    rig.has_luck("ok")
    rig.wait(seconds=37)  # a heartbeat with its jitter
    assert rig.delivered() == rig.toned
