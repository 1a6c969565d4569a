"""The vectors of what needs neither a database nor HTTP."""

import asyncio
import hashlib
import json
from dataclasses import replace
from datetime import date, timedelta
from ipaddress import ip_network
from zoneinfo import ZoneInfo

import pytest
from starlette.types import Message, Receive, Scope, Send
from stempelwerk_cloud.device_api import wire
from stempelwerk_cloud.device_api.delivery import streams
from stempelwerk_cloud.device_api.delivery.lease import Lease, is_from_older_answer, step
from stempelwerk_cloud.device_api.delivery.streams import Epoch
from stempelwerk_cloud.device_api.signed.gate import called_uri
from stempelwerk_cloud.domain.entries.presence import announced_day
from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.domain.tags import TagRefused, find_unreadable, normalise
from stempelwerk_cloud.domain.true_time import Anchor, true_time
from stempelwerk_cloud.fleet.devices.changes.keys import PublicKeyRefused, claim_code, keyid, read_public_key
from stempelwerk_cloud.kit.dated import Change as DatedChange
from stempelwerk_cloud.kit.http.addresses import Forwarded
from stempelwerk_cloud.kit.http.schemas import format_instant, parse_instant
from stempelwerk_cloud.people.employment.values import dated_limits
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import Holding, holder
from stempelwerk_cloud.timekeeping.ledger.placing.ownership import (
    Assignment,
    Release,
    company_by_assignment,
    company_by_release,
    normalize_tag,
)
from stempelwerk_cloud.timekeeping.ledger.placing.taps import Tap
from stempelwerk_cloud.timekeeping.status_bits import CLOCK, CONFLICT, reason_number, state_of
from stempelwerk_cloud.timekeeping.times.clock_people import limits_member

from cloud.tests.contract.vectors import Case, as_uuid, cases


@cases("tags", lambda case: "text" in case["input"])
def test_tags(case: Case) -> None:
    text = case["input"]["text"]
    if "refused" in case["expected"]:
        with pytest.raises(TagRefused):
            normalise(text)
    else:
        assert normalise(text) == case["expected"]["tag"]


@cases("tags", lambda case: len(case["input"].get("bytes", "")) in {8, 14, 20})
def test_a_typed_number_is_taken_where_clocks_take_a_tap_with_it(case: Case) -> None:
    tag = normalise(case["input"]["bytes"])
    assert find_unreadable(tag) == case["expected"].get("refused")


@cases("keyid")
def test_keyids(case: Case) -> None:
    if "refused" in case["expected"]:
        with pytest.raises(PublicKeyRefused):
            read_public_key(case["input"]["publicKey"])
    else:
        assert keyid(read_public_key(case["input"]["publicKey"])) == case["expected"]["keyid"]


@cases("claim_code")
def test_claim_codes(case: Case) -> None:
    assert claim_code(read_public_key(case["input"]["publicKey"])) == case["expected"]["claimCode"]


@cases("canonical_form")
def test_canonical_forms(case: Case) -> None:
    text = case["input"].get("json") or json.dumps(case["input"]["stamp"])
    id_ = "0198a1b2-0000-4000-8000-000000000000"
    batch = f'{{"proto":1,"batch":"{id_}","epoch":"{id_}","stamps":[{text}]}}'
    (tap,) = wire.read_batch(batch.encode()).stamps
    assert isinstance(tap, Tap)
    form = wire.canonical(tap)
    assert form.decode() == case["expected"]["canonical"]
    assert hashlib.sha256(form).hexdigest() == case["expected"]["sha256"]


@cases("true_time")
def test_true_times(case: Case) -> None:
    stamp = case["input"]["stamp"]
    anchors = [
        Anchor(one["boot"], one["boottimeMs"], parse_instant(one["serverTime"]), one["rttMs"])
        for one in case["input"]["anchors"]
    ]
    wall = from_ms(wire.instant_ms(stamp["wall"]))
    received_at = parse_instant(case["input"]["receivedAt"])
    found = true_time(wall, stamp["boot"], stamp["boottimeMs"], stamp["quality"], anchors, received_at)
    expected = case["expected"]
    assert (format_instant(found.at), found.by) == (expected["at"], expected["by"])
    assert (found.certain, found.error_ms) == (expected["certain"], expected["errorMs"])


@cases("lease")
def test_leases(case: Case) -> None:
    state = case["input"]["state"]
    since = state.get("replaySince")
    lease = Lease(
        state["confirmed"],
        state["confirmedBy"],
        state["pending"],
        state["forked"],
        None if since is None else parse_instant(since),
    )
    known = list(state["knownBatches"])
    now = parse_instant(case["input"]["serverTime"])
    answers = []
    for batch in case["input"]["batches"]:
        is_known, lease_from = batch["batch"] in known, batch.get("leaseFrom")
        forks = False
        if not is_known and lease_from in known and lease.confirmed_by in known:
            given_at, confirmed_at = (now + timedelta(known.index(name)) for name in (lease_from, lease.confirmed_by))
            forks = is_from_older_answer(
                lease, batch.get("lease"), lease_from, given_at=given_at, confirmed_at=confirmed_at
            )
        lease, verdict = step(lease, batch["batch"], batch.get("lease"), is_known=is_known, now=now)
        lease = replace(lease, forked=lease.forked or forks)
        known += [] if is_known else [batch["batch"]]
        answers.append(
            {
                "verdict": verdict,
                "lease": lease.pending,
                "replaySince": None if lease.replay_since is None else format_instant(lease.replay_since),
                "forked": lease.forked,
                "confirmed": lease.confirmed,
            }
        )
    assert answers == case["expected"]["answers"]


@cases("streams")
def test_streams(case: Case) -> None:
    known: dict[str, Epoch] = {}
    answers = []
    names = {as_uuid(f"epoch-{letter}"): f"epoch-{letter}" for letter in "abcdefgh"}
    for sent in case["input"]["batches"]:
        batch = _read(sent)
        known |= streams.merge(known, batch.epoch, sent["seqs"], batch.gone, batch.previous)
        answers.append(
            [
                {
                    "epoch": names[one.epoch],
                    "contiguousTo": one.contiguous_to,
                    "missing": [list(span) for span in one.missing],
                }
                for one in streams.report(known, batch.epoch)
            ]
        )
    assert answers == case["expected"]["streams"]


def _read(sent: Case) -> wire.Batch:
    """The batch as a real message would bring it, so that unreadable members are read as they are in life."""
    previous = sent["previous"]
    if isinstance(previous, dict) and "epoch" in previous:
        previous = previous | {"epoch": as_uuid(previous["epoch"])}
    message = {
        "proto": 1,
        "batch": as_uuid("batch-a"),
        "epoch": as_uuid(sent["epoch"]),
        "previous": previous,
        "gone": sent["gone"],
        "stamps": [None],
    }
    return wire.read_batch(json.dumps(message).encode())


@cases("states")
def test_states(case: Case) -> None:
    stamp = case["input"]["stamp"]
    at_ms = _ms(stamp["at"])
    own = {
        one["id"]: Assignment(one["companyId"], _ms(one["from"]), one["until"] and _ms(one["until"]))
        for one in case["input"]["assignments"]
        if one["deviceId"] in (stamp["deviceId"], *case["input"].get("predecessors", ()))
    }
    releases = [
        Release(one["companyId"], _ms(one["from"]), _ms(one["to"]))
        for one in case["input"]["releases"]
        if one["deviceId"] == stamp["deviceId"]
    ]
    company_id = company_by_assignment(stamp["assignment"], at_ms, stamp["certain"], own) or company_by_release(
        stamp["assignment"], at_ms, releases, own
    )
    user_id, state = None, "held_assignment"
    if company_id is not None:
        holdings = [
            Holding(one["userId"], one["from"] and _ms(one["from"]), one["until"] and _ms(one["until"]))
            for one in case["input"]["holdings"]
            if one["companyId"] == company_id and one["tag"] == normalize_tag(stamp["tag"])
        ]
        user_id, status = holder(at_ms, holdings)
        status |= (0 if stamp["certain"] else CLOCK) | (CONFLICT if stamp["conflict"] else 0)
        state = state_of(status | (0 if stamp["counted"] else reason_number("double_tap")))
    assert {"state": state, "companyId": company_id, "userId": user_id} == case["expected"]


def _ms(text: str) -> int:
    return wire.instant_ms(text)


@cases("target_uri")
def test_target_uris(case: Case) -> None:
    given = case["input"]
    path, _, query = given["target"].partition("?")
    headers = {"host": given["host"]} | {name.lower(): value for name, value in given["headers"].items()}
    seen: list[Scope] = []

    async def inner(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(scope)

    scope = {
        "type": "http",
        "method": "POST",
        "scheme": given["scheme"],
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": (given["peer"], 40000),
    }
    asyncio.run(Forwarded(inner, [ip_network(each) for each in given["trustedProxies"]])(scope, _no_receive, _no_send))
    assert called_uri(seen[0], given["publicUrl"]) == case["expected"]["targetUri"]


async def _no_receive() -> Message:
    raise AssertionError("nothing is read")


async def _no_send(_message: Message) -> None:
    raise AssertionError("nothing is answered")


@cases("people_day")
def test_people_day(case: Case) -> None:
    given = case["input"]
    day = announced_day(given["deviceId"], parse_instant(given["at"]), ZoneInfo(given["timeZone"]))
    assert day.isoformat() == case["expected"]["day"]


@cases("people_limits_day")
def test_people_limits_day(case: Case) -> None:
    changes = [
        DatedChange("limits", date.fromisoformat(row["validFrom"]), json.dumps(row["limits"]))
        for row in case["input"]["limits"]
    ]
    limits = dated_limits(changes).on(date.fromisoformat(case["input"]["day"]))
    member = limits_member(limits)
    assert member == case["expected"]["limits"]
