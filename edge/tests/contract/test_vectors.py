"""The clock against the golden vectors that concern it."""

import base64
import hashlib
import json
import random
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.client import refusal
from stempelwerk_edge.cloud.delivery import RequestContext, back_off, judge, judge_batch, replayed, retry_after
from stempelwerk_edge.cloud.identity import claim_code_of, keyid_of
from stempelwerk_edge.cloud.signing import sign
from stempelwerk_edge.cloud.wire import AnswerResult, AnswersTaken, read_answer_results, read_welcome
from stempelwerk_edge.errors import CloudError, NotNow
from stempelwerk_edge.machine.clock import Quality
from stempelwerk_edge.machine.trusted_time import Anchor, Reading, TrustedTime, estimate
from stempelwerk_edge.storage.answers import Answers
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.rows import GoneAnswer
from stempelwerk_edge.storage.snapshot import Snapshot
from stempelwerk_edge.tap.presence import Rules, Tap
from stempelwerk_edge.tap.stamping import decide
from stempelwerk_edge.tap.tags import TagRefused, from_reader, normalise

from edge.tests.clockwork import MORNING

Test = TypeVar("Test", bound=Callable[..., None])


def vectors(topic: str) -> Callable[[Test], Test]:
    """Run a test for every case of a topic."""

    def mark(test: Test) -> Test:
        test.topic = topic  # type: ignore[attr-defined]  # read by the conftest
        return test

    return mark


def instant(text: str) -> datetime:
    """An instant of a vector."""
    parsed = wire.read_instant(text)
    assert parsed is not None
    return parsed


@vectors("tags")
def test_tags_are_spelt_as_everywhere(given: dict[str, Any], expected: dict[str, Any]) -> None:
    def spell() -> str:
        return normalise(given["text"]) if "text" in given else from_reader(bytes.fromhex(given["bytes"]))

    if "refused" in expected:
        with pytest.raises(TagRefused) as refused:
            spell()
        assert refused.value.reason == expected["refused"]
    else:
        assert spell() == expected["tag"]


@vectors("keyid")
def test_the_keyid_is_the_digest_of_the_raw_key(given: dict[str, Any], expected: dict[str, Any]) -> None:
    key = _public_key(given["publicKey"])
    if "refused" in expected:
        assert key is None
    else:
        assert key is not None
        assert keyid_of(key) == expected["keyid"]


@vectors("claim_code")
def test_the_claim_code_is_what_the_cloud_lists(given: dict[str, Any], expected: dict[str, Any]) -> None:
    key = _public_key(given["publicKey"])
    if "refused" in expected:
        assert key is None
    else:
        assert key is not None
        assert claim_code_of(key) == expected["claimCode"]


def _public_key(text: str) -> bytes | None:
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return raw if len(raw) == 32 and len(text) == 44 else None


@vectors("signature_base")
def test_signing_makes_exactly_these_headers(given: dict[str, Any], expected: dict[str, Any]) -> None:
    key = Ed25519PrivateKey.from_private_bytes(base64.b64decode(given["privateKey"]))
    body = None if given["body"] is None else given["body"].encode()
    parameters = [(name, value) for name, value in given["parameters"]]
    signed = sign(key, given["method"], given["targetUri"], body, parameters, given["components"])
    assert signed.base == expected["signatureBase"]
    assert signed.headers.get("Content-Digest") == expected["contentDigest"]
    assert signed.headers["Signature-Input"] == expected["signatureInput"]
    assert signed.headers["Signature"] == expected["signature"]


@vectors("canonical_form")
def test_the_canonical_form_tells_stamps_apart(given: dict[str, Any], expected: dict[str, Any]) -> None:
    stamp = given["stamp"] if "stamp" in given else json.loads(given["json"])
    assert wire.canonical_form(stamp).decode() == expected["canonical"]
    assert wire.digest(stamp) == expected["sha256"]
    assert hashlib.sha256(expected["canonical"].encode()).hexdigest() == expected["sha256"]


@vectors("true_time")
def test_the_true_time_is_the_contracts(given: dict[str, Any], expected: dict[str, Any]) -> None:
    stamp = given["stamp"]
    reading = Reading(instant(stamp["wall"]), stamp["boot"], stamp["boottimeMs"], Quality(stamp["quality"]))
    anchors = [Anchor(a["boot"], a["boottimeMs"], instant(a["serverTime"]), a["rttMs"]) for a in given["anchors"]]
    best_estimate = estimate(reading, anchors)
    assert best_estimate.error_ms == expected["errorMs"]
    # The receipt is known to the cloud only: what it refuses for lying after the receipt, the clock may believe.
    lies_after_receipt = (best_estimate.time - instant(given["receivedAt"])).total_seconds() > 300
    if best_estimate.certain and lies_after_receipt:
        assert not expected["certain"]
        return
    assert (best_estimate.time, best_estimate.basis, best_estimate.certain) == (
        instant(expected["at"]),
        expected["by"],
        expected["certain"],
    )


class _Counting:
    """A clock whose boot is given; it is never asked for more."""

    def __init__(self, boot_id: str) -> None:
        self.boot_id = boot_id

    def wall(self) -> datetime:
        return datetime(1970, 1, 1, tzinfo=UTC)

    def boottime_ms(self) -> int:
        return 0

    def quality(self) -> Quality:
        return Quality.NONE


@vectors("anchors")
def test_a_contact_makes_this_anchor(given: dict[str, Any], expected: dict[str, Any]) -> None:
    time = TrustedTime(_Counting(given["boot"]))
    anchor = time.contact(instant(given["serverTime"]), given["sentMs"], given["receivedMs"])
    assert anchor == Anchor(
        expected["boot"], expected["boottimeMs"], instant(expected["serverTime"]), expected["rttMs"]
    )


@vectors("back_off")
def test_back_off_doubles_within_bounds(given: dict[str, Any], expected: dict[str, Any]) -> None:
    rng = random.Random(given["failures"])
    pauses = [back_off(given["failures"], rng) for _ in range(200)]
    assert min(pauses) >= expected["atLeastSeconds"]
    assert max(pauses) <= expected["atMostSeconds"]
    if expected["atMostSeconds"]:
        spread = expected["atMostSeconds"] - expected["atLeastSeconds"]
        assert max(pauses) - min(pauses) > spread / 2


@vectors("retry_after")
def test_retry_after_is_honoured_in_both_forms(given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert retry_after(given["retryAfter"], given["date"], instant(given["now"])) == expected["waitSeconds"]


@vectors("replay_on_clock")
def test_a_replay_sends_what_is_there_and_names_what_is_gone(given: dict[str, Any], expected: dict[str, Any]) -> None:
    have = {seq for first, last in given["have"] for seq in range(first, last + 1)}
    missing = [(seq, seq) for seq in range(1, given["lastSeq"] + 1) if seq not in have]
    to_resend, lost = replayed(missing, given["lastSeq"], given["from"], given["to"])
    assert [list(part) for part in to_resend] == expected["sendAgain"]
    assert _joined(lost) == expected["gone"]


@vectors("answers_mark")
def test_what_no_mark_vouches_for_goes_again(given: dict[str, Any], expected: dict[str, Any], journal: Journal) -> None:
    answers, answer_ids = Answers(journal), ["a", "b"]
    for name in answer_ids:
        answers.add(GoneAnswer(name, "gone", "2026-11-19", "16:30", MORNING))
    answers.settle(
        AnswersTaken({name: AnswerResult("stored") for name in given["settled"]}, None, given["mark"]), MORNING
    )
    for event in given["events"]:
        marks = {name: event[name] for name in ("markBefore", "mark") if name in event}
        if event["kind"] == "answers":
            results = [{"id": name, "outcome": "stored"} for name in event["ids"]]
            answers.settle(read_answer_results(wire.encode({"results": results} | marks)), MORNING)
            continue
        body = {"deviceId": "d", "serverId": "s", "assignment": None, "answersMark": marks.get("mark")}
        welcome = read_welcome(wire.encode(body))
        if judge(RequestContext("s", answers_mark=event["asked"]), welcome).answers_again:
            answers.send_again(event["asked"], welcome.answers_mark or "")
    waiting = {answer.id for answer in answers.to_send(9)}
    assert (answers.mark(), [name for name in answer_ids if name not in waiting]) == (
        expected["mark"],
        expected["settled"],
    )


def _joined(ranges: list[tuple[int, int]]) -> list[list[int]]:
    joined: list[list[int]] = []
    for first, last in ranges:
        if joined and joined[-1][1] == first - 1:
            joined[-1][1] = last
        else:
            joined.append([first, last])
    return joined


@vectors("delivery")
def test_an_answer_means_this(given: dict[str, Any], expected: dict[str, Any]) -> None:
    clock = given["clock"]
    answer = _as_the_client_sees_it(given["answer"], clock["batch"])
    meaning = judge(RequestContext(clock["serverId"], clock["enrolledJustNow"], clock["signedAgain"]), answer)
    effects = judge_batch(clock["stamps"], answer, meaning)
    delivered = {result.id: result.state for result in effects.delivered}
    assert sorted(delivered, key=str) == sorted(expected["delivered"])
    assert delivered == expected["states"]
    assert list(effects.set_aside) == expected["setAside"]
    assert [i for i in clock["stamps"] if i not in delivered and i not in effects.set_aside] == expected["keep"]
    assert effects.fate == expected["batch"]
    assert (effects.then, meaning.wait_s) == (expected["then"], expected["waitSeconds"])
    assert meaning.connection == expected["connection"]
    assert (clock["lease"] if effects.lease is None else effects.lease) == expected["lease"]
    assert (answer.server_id if isinstance(answer, wire.Receipt) else clock["serverId"]) == expected["serverId"]
    assert asked_again(meaning.another_server, effects.replays) == expected["replay"]
    assert meaning.wipe_people == expected["wipePeople"]


def _as_the_client_sees_it(answer: dict[str, Any], batch: str) -> wire.Receipt | CloudError:
    if "failure" in answer:
        return NotNow(answer["failure"])
    body = (answer["body"] or "").encode()
    if answer["status"] != 200:
        now = datetime(1970, 1, 1, tzinfo=UTC)
        return refusal(answer["status"], httpx.Headers(answer["headers"]), body, now)
    try:
        return wire.read_receipt(body, batch)
    except wire.NotOurs as fault:
        return NotNow(str(fault))


def asked_again(everything: bool, replays: Iterable[wire.Replay]) -> list[Any]:
    """Returns the rows that must be sent again, as a vector spells them."""
    requested: list[Any] = ["all"] if everything else []
    for replay in replays:
        if replay.since is not None:
            requested.append({"since": wire.instant_text(replay.since)})
        else:
            requested.append({"epoch": replay.epoch, "from": replay.first, "to": replay.last})
    return requested


@vectors("people_figures")
def test_minutes_are_shown_on_the_day_that_they_are_of(
    given: dict[str, Any], expected: dict[str, Any], tmp_path: Path
) -> None:
    zone = ZoneInfo(given["timeZone"])
    person = {"userId": "u-1", "name": "M. Eiche", "tags": ["04A224B1C2D380"], "state": "out", "since": None}
    minutes = {"todayMinutes": given["todayMinutes"], "weekMinutes": None, "balanceMinutes": None}
    answer = {"revision": "1", "reset": True, "people": [person | minutes], "removed": []}
    answer |= {"day": given["day"]} if "day" in given else {}
    snapshot = Snapshot(tmp_path, connect_sqlite, lambda *_: None)
    answered = instant(given["answeredAt"]).astimezone(zone).date()
    snapshot.apply(wire.read_people(json.dumps(answer).encode()), 0, answered)
    reloaded = Snapshot(tmp_path, connect_sqlite, lambda *_: None)
    reloaded.load()
    for store in (snapshot, reloaded):
        holder = store.by_tag("04A224B1C2D380")
        tap = Tap("t-1", instant(given["tapAt"]), "auto", "reader")
        rules = Rules(zone=zone)
        assert decide(tap, "04A224B1C2D380", holder, [], rules).answer.today_minutes == expected["todayMinutes"]
        store.close()


@vectors("people_shown")
def test_a_figure_is_shown_on_its_day_and_nonsense_never(
    given: dict[str, Any], expected: dict[str, Any], tmp_path: Path
) -> None:
    zone = ZoneInfo(given["timeZone"])
    person = {"userId": "u-1", "name": "M. Eiche", "tags": ["04A224B1C2D380"], **given["person"]}
    answer = {"revision": "1", "reset": True, "people": [person], "removed": []}
    answer |= {"day": given["day"]} if "day" in given else {}
    snapshot = Snapshot(tmp_path, connect_sqlite, lambda *_: None)
    answered = instant(given["answeredAt"]).astimezone(zone).date()
    snapshot.apply(wire.read_people(json.dumps(answer).encode()), 0, answered)
    reloaded = Snapshot(tmp_path, connect_sqlite, lambda *_: None)
    reloaded.load()
    for store in (snapshot, reloaded):
        holder = store.by_tag("04A224B1C2D380")
        tap = Tap("t-1", instant(given["tapAt"]), "auto", "reader")
        display = decide(tap, "04A224B1C2D380", holder, [], Rules(zone=zone)).answer
        assert display.kind == ("out" if given["person"]["state"] == "in" else "in")
        assert {
            "todayMinutes": display.today_minutes,
            "balanceMinutes": display.balance_minutes,
            "openHandovers": display.open_handovers,
            "unreadMessages": display.unread_messages,
        } == expected
        store.close()


@vectors("people_steward")
def test_a_steward_is_who_is_said_to_be_and_nonsense_says_it_of_nobody(
    given: dict[str, Any], expected: dict[str, Any], tmp_path: Path
) -> None:
    person = {"userId": "u-1", "name": "M. Eiche", "tags": ["04A224B1C2D380"], **given["person"]}
    answer = {"revision": "1", "reset": True, "people": [person], "removed": []}
    snapshot = Snapshot(tmp_path, connect_sqlite, lambda *_: None)
    snapshot.apply(wire.read_people(json.dumps(answer).encode()), 0, date(2026, 11, 20))
    reloaded = Snapshot(tmp_path, connect_sqlite, lambda *_: None)
    reloaded.load()
    for store in (snapshot, reloaded):
        assert store.is_steward("04A224B1C2D380") is expected["steward"]
        store.close()


@vectors("people_limits")
def test_the_display_warns_by_the_persons_own_limits(
    given: dict[str, Any], expected: dict[str, Any], tmp_path: Path
) -> None:
    zone = ZoneInfo(given["timeZone"])
    person = {"userId": "u-1", "name": "M. Eiche", "tags": ["04A224B1C2D380"], **given["person"]}
    answer = {"revision": "1", "day": given["day"], "reset": True, "people": [person], "removed": []}
    snapshot = Snapshot(tmp_path, connect_sqlite, lambda *_: None)
    answered = instant(given["answeredAt"]).astimezone(zone).date()
    snapshot.apply(wire.read_people(json.dumps(answer).encode()), 0, answered)
    restarted = Snapshot(tmp_path, connect_sqlite, lambda *_: None)
    restarted.load()
    for store in (snapshot, restarted):
        tap = Tap("t-1", instant(given["tapAt"]), "auto", "reader")
        display = decide(tap, "04A224B1C2D380", store.by_tag("04A224B1C2D380"), [], Rules(zone=zone)).answer
        assert display.kind == ("out" if given["person"]["state"] == "in" else "in")
        limits, warnings = display.limits, display.warnings
        night = limits.night if "night" in warnings else None
        assert {
            "longDay": limits.shift_minutes if "over_10_h" in warnings else None,
            "shortRest": limits.rest_minutes if "short_rest" in warnings else None,
            "night": None if night is None else [f"{end:%H:%M}" for end in night],
        } == expected
        store.close()
