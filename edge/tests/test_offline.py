"""The clock's log of its connection: lost and back, once each, with the reason; nothing of what is cured at once."""

import httpx
import pytest
from stempelwerk_edge.cloud import wire

from edge.tests.rig import Rig


def logged(rig: Rig) -> list[tuple[str, str, str]]:
    """Returns the log's entries about the connection: level, code, message."""
    rig.wait(minutes=1)
    codes = ("online", "offline", "not_connected")
    entries = sorted(rig.cloud.logs.values(), key=lambda entry: entry["at"])
    return [(entry["level"], entry["code"], entry["message"]) for entry in entries if entry["code"] in codes]


ONLINE = ("info", "online", "the cloud answers")


def lost_and_back(reason: str) -> list[tuple[str, str, str]]:
    return [("warn", "offline", reason), ("info", "online", f"the cloud answers, after {reason}")]


def test_going_offline_and_coming_back_are_logged_once_each_with_the_reason(rig: Rig) -> None:
    rig.wait(minutes=10)
    assert logged(rig) == [ONLINE]
    rig.has_luck("down")
    rig.wait(hours=3)
    rig.has_luck("ok")
    rig.wait(hours=1)
    assert logged(rig) == [ONLINE, *lost_and_back("ConnectError: refused")]


def test_a_clock_that_starts_offline_says_so_once(card: Rig) -> None:
    card.has_luck("502")
    card.start()
    card.wait(hours=3)
    card.has_luck("ok")
    card.wait(minutes=5)
    assert logged(card) == lost_and_back("status 502")


def test_the_cloud_is_said_to_be_back_though_it_was_lost_for_another_reason_just_before(rig: Rig) -> None:
    rig.wait(minutes=10)
    for luck in ("down", "ok", "502", "ok"):
        rig.has_luck(luck)
        rig.wait(seconds=40)
    assert logged(rig) == [ONLINE, *lost_and_back("ConnectError: refused"), *lost_and_back("status 502")]


def test_the_log_ends_with_the_cloud_that_is_back_though_the_limit_let_only_its_loss_pass(rig: Rig) -> None:
    rig.wait(minutes=10)
    for luck, seconds in (("down", 120), ("ok", 200), ("down", 40), ("ok", 40)):
        rig.has_luck(luck)
        rig.wait(seconds=seconds)
    rig.wait(minutes=10)
    assert logged(rig)[-4:] == lost_and_back("ConnectError: refused") * 2


def test_a_flapping_network_is_logged_at_each_change_and_told_to_the_cloud_once_in_five_minutes(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    rig.wait(minutes=10)
    caplog.set_level("INFO", "stempelwerk_edge")
    for _ in range(4):
        for luck in ("down", "ok"):
            rig.has_luck(luck)
            rig.wait(seconds=40)  # a heartbeat with its jitter
    changes = [record.message.partition(":")[0] for record in caplog.records if "line:" in record.message]
    assert changes == ["offline", "online"] * 4
    assert [code for _, code, _ in logged(rig)] == ["online", "offline", "online", "offline", "online"]
    repeated = [entry["meta"].get("repeated", 0) for entry in rig.cloud.logs.values() if "line" in entry["code"]]
    assert sorted(repeated) == [0, 0, 0, 2, 2]


def test_what_is_cured_at_once_and_what_is_refused_is_no_loss_of_the_connection(rig: Rig) -> None:
    rig.wait(minutes=1)
    rig.cloud.devices.clear()
    rig.wait(minutes=10)
    assert logged(rig) == [ONLINE]
    real = rig.net.cloud.handle
    rig.net.cloud.handle = lambda *_: (401, {"code": "bad_signature"})  # type: ignore[method-assign]  # for a while
    rig.wait(minutes=2)
    rig.net.cloud.handle = real  # type: ignore[method-assign]  # and back
    rig.wait(minutes=5)
    assert {code for _, code, _ in logged(rig)} == {"online", "not_connected"}
    assert logged(rig)[-1] == ONLINE


def test_an_enrolment_that_is_refused_again_and_again_is_no_coming_back(card: Rig) -> None:
    card.answers(lambda _: httpx.Response(422, json={"code": "unreadable_enrolment"}), wire.ENROLL)
    card.start()
    card.wait(hours=2)
    card.answers(None)
    card.wait(minutes=20)
    refused = "the enrolment was refused: status 422 unreadable_enrolment"
    assert logged(card) == lost_and_back(refused)
