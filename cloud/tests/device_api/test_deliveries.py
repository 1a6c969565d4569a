"""Batches that arrive together: merged together, and still each for itself."""

import asyncio
import json
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from stempelwerk_cloud.device_api.delivery import gathering as gathering_module
from stempelwerk_cloud.device_api.delivery import merge as merge_module
from stempelwerk_cloud.device_api.delivery.gathering import GroupCommit
from stempelwerk_cloud.device_api.delivery.merge import merge
from stempelwerk_cloud.device_api.signed.gate import Call
from stempelwerk_cloud.device_api.signed.signatures import SignedRequest
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.timekeeping.ledger.placing.reprocessing import RetryWithAllLocks

from cloud.tests.device_client import Clock, outcomes, states
from cloud.tests.stamping import ANNA, BEN, MORNING, Site, as_call, hours

LIMIT_S = 60
SINCE = "2026-11-19T04:00:00.000Z"


def _read(outcome: bytes | Exception) -> Any:
    assert isinstance(outcome, bytes), outcome
    return json.loads(outcome)


def _gate(site: Site, number: int = 2) -> Clock:
    """Another clock of the firm."""
    gate = site.another_clock(f"SW-T-{number}", number)
    site.assign(gate, site.firm.id, SINCE)
    return gate


def _stamps(site: Site) -> int:
    with site.world.platform.database.read(SYSTEM) as session:
        return int(session.execute(text("SELECT count(*) FROM stamps")).scalar_one())


def test_what_is_refused_does_not_harm_those_beside_it(site: Site) -> None:
    gate, stranger = _gate(site), site.another_clock("SW-T-3", 3)
    with site.world.platform.database.write(SYSTEM) as session:
        session.execute(text("UPDATE devices SET revoked_at = 1 WHERE serial = 'SW-T-3'"))
    good = as_call(gate, gate.batch(gate.tap(ANNA, MORNING)))
    signed = as_call(site.device, site.device.batch(site.device.tap(BEN, MORNING))).request
    forged = Call(SignedRequest("POST", signed.target_uri, signed.headers, b"{}"), "203.0.113.9")
    revoked = as_call(stranger, stranger.batch(stranger.tap(ANNA, MORNING)))
    nonsense = as_call(site.device, {"proto": 1})
    merged = merge(site.world.platform, [forged, revoked, good, nonsense])
    assert [outcome.code for outcome in merged if isinstance(outcome, Problem)] == [
        "bad_signature",
        "revoked",
        "unreadable_batch",
    ]
    assert outcomes(_read(merged[2])) == ["stored"]
    assert _stamps(site) == 1


def test_a_batch_that_cannot_be_merged_fails_alone(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = _gate(site)
    guilty = gate.batch(gate.tap(BEN, MORNING))
    answer = merge_module._answer

    def broken(tx: Any, merging: Any, taken_stamps: Any) -> dict[str, Any]:
        if merging.delivery.batch.batch == guilty["batch"]:
            raise LookupError("a fault of the program")
        return answer(tx, merging, taken_stamps)

    monkeypatch.setattr(merge_module, "_answer", broken)
    good = as_call(site.device, site.device.batch(site.device.tap(ANNA, MORNING)))
    merged = merge(site.world.platform, [good, as_call(gate, guilty)])
    assert outcomes(_read(merged[0])) == ["stored"]
    assert isinstance(merged[1], LookupError)
    assert _stamps(site) == 1


def test_one_clock_twice_and_one_stamp_from_two_clocks_come_one_after_the_other(site: Site) -> None:
    gate = _gate(site)
    early, late = site.device.tap(ANNA, MORNING), site.device.tap(ANNA, MORNING + hours(4))
    copied = early | {"assignment": gate.assignment}
    lease = (site.device.lease or 0) + 1
    calls = [
        as_call(site.device, site.device.batch(early)),
        as_call(site.device, site.device.batch(early, late, lease=lease)),
        as_call(gate, gate.batch(copied)),
    ]
    first, second, third = map(_read, merge(site.world.platform, calls))
    assert outcomes(first) == ["stored"]
    assert outcomes(second) == ["duplicate", "stored"]
    assert outcomes(third) == ["variant"]
    assert states(third) == ["conflict"]
    assert _stamps(site) == 2


def test_people_who_tapped_at_several_clocks_get_one_entry(site: Site) -> None:
    gate = _gate(site)
    calls = [
        as_call(site.device, site.device.batch(site.device.tap(ANNA, MORNING), site.device.tap(BEN, MORNING))),
        as_call(gate, gate.batch(gate.tap(ANNA, MORNING + hours(4)))),
    ]
    assert [states(_read(outcome)) for outcome in merge(site.world.platform, calls)] == [
        ["booked", "booked"],
        ["booked"],
    ]
    (entry,) = site.times()
    assert (entry["start"], entry["end"]) == ("07:00", "11:00")


def test_a_known_batch_among_new_ones_is_answered_as_known(site: Site) -> None:
    gate = _gate(site)
    known_call = as_call(gate, gate.batch(gate.tap(BEN, MORNING)))
    (answer_before,) = map(_read, merge(site.world.platform, [known_call]))
    new = as_call(site.device, site.device.batch(site.device.tap(ANNA, MORNING)))
    repeated, fresh = map(_read, merge(site.world.platform, [known_call, new]))
    assert outcomes(repeated) == ["duplicate"]
    assert repeated["lease"] == answer_before["lease"]
    assert outcomes(fresh) == ["stored"]


def test_a_stamp_that_another_process_took_in_meanwhile_is_looked_at_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    merge_all, looked_at = merge_module._merge_all, []

    def first_too_late(tx: Any, some: Any) -> Any:
        looked_at.append(len(some))
        if len(looked_at) == 1:
            raise IntegrityError("INSERT", None, ValueError("pk_receipts"))
        return merge_all(tx, some)

    monkeypatch.setattr(merge_module, "_merge_all", first_too_late)
    (answer,) = merge(site.world.platform, [as_call(site.device, site.device.batch(site.device.tap(ANNA, MORNING)))])
    assert outcomes(_read(answer)) == ["stored"]
    assert looked_at == [1, 1]


@pytest.mark.parametrize("error", [IntegrityError("INSERT", None, ValueError("pk_receipts")), RetryWithAllLocks()])
def test_who_is_too_late_again_and_again_is_asked_to_come_back(
    site: Site, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def too_late(_tx: Any, _some: Any) -> Any:
        raise error

    monkeypatch.setattr(merge_module, "_merge_all", too_late)
    (refusal,) = merge(site.world.platform, [as_call(site.device, site.device.batch(site.device.tap(ANNA, MORNING)))])
    assert isinstance(refusal, Problem)
    assert (refusal.status, "Retry-After" in refusal.headers) == (503, True)


def test_clocks_that_deliver_at_once_all_get_their_answers(site: Site) -> None:
    clocks = [site.device, *(_gate(site, number) for number in range(2, 6))]
    calls = [as_call(clock, clock.batch(clock.tap(ANNA, MORNING + hours(n)))) for n, clock in enumerate(clocks)]

    async def story() -> list[bytes]:
        deliveries = GroupCommit(site.world.platform, merge, site.world.platform.bulkheads.merging)
        async with asyncio.timeout(LIMIT_S):
            return await asyncio.gather(*(deliveries.answer(call) for call in calls))

    assert [outcomes(_read(answer)) for answer in asyncio.run(story())] == [["stored"]] * len(clocks)
    assert _stamps(site) == len(clocks)


class Slow:
    """Replaces the merge: holds its first group until released, and records every group."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.groups: list[list[str]] = []

    def __call__(self, _platform: object, calls: Sequence[Call]) -> list[bytes | Exception]:
        first = not self.groups
        self.groups.append([call.address for call in calls])
        if first:
            assert self.go_on.wait(LIMIT_S)
        return [call.address.encode() if call.address != "bad" else LookupError(call.address) for call in calls]

    def gathering(self, site: Site) -> GroupCommit[Call, bytes]:
        return GroupCommit(site.world.platform, self, site.world.platform.bulkheads.merging)


def _call(name: str, size: int = 10) -> Call:
    return Call(SignedRequest("POST", "http://x/", {}, b"x" * size), name)


@pytest.fixture
def slow() -> Slow:
    return Slow()


async def _wait_until(condition: Callable[[], object]) -> None:
    async with asyncio.timeout(LIMIT_S):
        while not condition():  # noqa: ASYNC110 - a thread's work, which announces nothing
            await asyncio.sleep(0.001)


def test_who_comes_meanwhile_shares_the_next_transaction(site: Site, slow: Slow) -> None:
    async def story() -> None:
        deliveries = slow.gathering(site)
        first = asyncio.create_task(deliveries.answer(_call("first")))
        await _wait_until(lambda: slow.groups)
        tasks = [asyncio.create_task(deliveries.answer(_call(name))) for name in ("a", "bad", "c")]
        await asyncio.sleep(0)
        slow.go_on.set()
        assert await first == b"first"
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert [str(outcome) for outcome in outcomes] == ["b'a'", "bad", "b'c'"]
        assert await deliveries.answer(_call("later")) == b"later"

    asyncio.run(story())
    assert slow.groups == [["first"], ["a", "bad", "c"], ["later"]]


def test_who_hangs_up_while_waiting_or_leading_leaves_nobody_behind(site: Site, slow: Slow) -> None:
    async def story() -> None:
        deliveries = slow.gathering(site)
        leading = asyncio.create_task(deliveries.answer(_call("leading")))
        await _wait_until(lambda: slow.groups)
        following_task = asyncio.create_task(deliveries.answer(_call("following")))
        cancelled_task = asyncio.create_task(deliveries.answer(_call("gone")))
        stays = asyncio.create_task(deliveries.answer(_call("stays")))
        await asyncio.sleep(0)
        cancelled_task.cancel()
        leading.cancel()
        slow.go_on.set()
        await asyncio.sleep(0)
        following_task.cancel()
        async with asyncio.timeout(LIMIT_S):
            assert await stays == b"stays"
            assert await deliveries.answer(_call("later")) == b"later"

    asyncio.run(story())
    assert "gone" not in [name for group in slow.groups for name in group]


def test_newcomers_without_end_keep_nobody_waiting(site: Site, slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    slow.go_on.set()
    came: list[asyncio.Task[bytes]] = []
    came_at_merges: list[int] = []

    async def at_once(work: Callable[..., Any], *arguments: Any) -> Any:
        came_at_merges.append(len(came))
        return work(*arguments)

    monkeypatch.setattr(site.world.platform.bulkheads.merging, "run", at_once)

    async def story() -> None:
        deliveries = slow.gathering(site)
        first = asyncio.create_task(deliveries.answer(_call("first")))
        for number in range(10 * gathering_module.MAX_BATCHES):  # one in each round of the loop
            came.append(asyncio.create_task(deliveries.answer(_call(str(number)))))
            await asyncio.sleep(0)
        async with asyncio.timeout(LIMIT_S):
            assert await first == b"first"
            await asyncio.gather(*came)

    asyncio.run(story())
    assert slow.groups[0][0] == "first"
    assert max(map(len, slow.groups)) <= gathering_module.MAX_BATCHES
    assert came_at_merges[0] <= 2 * gathering_module.MAX_BATCHES


def test_large_batches_do_not_wait_for_one_large_transaction(site: Site, slow: Slow) -> None:
    size = gathering_module.BYTES_TOGETHER // 2

    async def story() -> None:
        deliveries = slow.gathering(site)
        first = asyncio.create_task(deliveries.answer(_call("first", size)))
        await _wait_until(lambda: slow.groups)
        tasks = [asyncio.create_task(deliveries.answer(_call(name, size))) for name in "abcde"]
        await asyncio.sleep(0)
        slow.go_on.set()
        async with asyncio.timeout(LIMIT_S):
            assert await asyncio.gather(first, *tasks) == [b"first", *(name.encode() for name in "abcde")]

    asyncio.run(story())
    assert max(map(len, slow.groups)) <= 2
