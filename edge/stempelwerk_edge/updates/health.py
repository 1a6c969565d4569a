"""The trial of a version: everything that a clock must be able to do, for a while without a break.

A version is condemned only by its own failures: it does not get there, and the launcher's alarm ends it. Reader and
disk condemn no version if they fail for the version before as well (`loop`). Nor do the network and the service: a
version that works but does not reach the cloud, which the version before reached from the same address, is POSTPONED.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from enum import StrEnum

from stempelwerk_edge.cloud.heartbeat import Heartbeat
from stempelwerk_edge.errors import JournalError, Refused
from stempelwerk_edge.ports import Ids, ReaderState
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.updates.launcher import trial_seconds

log = logging.getLogger(__name__)

HOLD = 0.4  # of a trial: long enough for one that eats memory to have eaten it
_VERDICT = 0.6  # of a trial: a slow card takes its time to start, and the launcher's alarm counts from before that
_LOOKS = 60
_PATIENCE_S = 5.0
_SELF_TEST = "self_test"

Check = Callable[[], Awaitable[bool]]


class Verdict(StrEnum):
    """The result of a trial."""

    PROVEN = "proven"
    POSTPONED = "postponed"


async def judge_trial(
    checks: dict[str, Check], is_reached: Callable[[], bool], trial_s: float | None = None
) -> Verdict:
    """Returns once all checks have held without a break for the share `HOLD` of the trial; never for a version that
    fails.

    `is_reached`: whether the cloud was reached, or need not be.
    """
    trial_s = trial_seconds() if trial_s is None else trial_s
    stable_s, loop = 0.0, asyncio.get_running_loop()
    trial_began = loop.time()
    while True:
        began = loop.time()
        failing = [name for name, check in checks.items() if not await check()]
        if failing:
            log.warning("on trial: not well yet: %s", ", ".join(failing))
            stable_s = 0.0
        elif stable_s >= HOLD * trial_s:
            if is_reached():
                return Verdict.PROVEN
            if began - trial_began >= _VERDICT * trial_s:
                return Verdict.POSTPONED
        await asyncio.sleep(trial_s / _LOOKS)
        stable_s += 0.0 if failing else loop.time() - began


def writes_and_reads(stores: Stores, ids: Ids) -> Check:
    """Returns the check that the journal is open, and that a row can be written and read again."""

    async def check() -> bool:
        token = ids.nonce()
        try:
            stores.state.put(_SELF_TEST, token)
            return stores.state.get(_SELF_TEST) == token and stores.journal.fault is None
        except JournalError:
            return False

    return check


def reader_answers(state: Callable[[], ReaderState], previous_state: str) -> Check:
    """Returns the check that the reader answers, if it did for the version before."""

    async def check() -> bool:
        return state() == "ok" or previous_state != "ok"

    return check


def screen_is_up(host: str, port: int) -> Check:
    """Returns the check that the touchscreen's page answers, or its events if there is no page."""

    async def check() -> bool:
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(_PATIENCE_S):
                reader, writer = await asyncio.open_connection(host, port)
                try:
                    writer.write(f"GET / HTTP/1.0\r\nHost: {host}:{port}\r\n\r\n".encode())
                    return (await reader.readline()).startswith(b"HTTP/")
                finally:
                    writer.close()
        return False

    return check


def requests_are_sound(heartbeat: Heartbeat) -> Check:
    """Returns the check that a heartbeat was sent, and the service did not refuse it as unreadable.

    Any other failure may be due to the network or the service. So may a refusal of the protocol: the service may have
    been set back to an older version.
    """

    async def check() -> bool:
        answer = heartbeat.answer
        return answer is not None and not (isinstance(answer, Refused) and answer.code != "unknown_proto")

    return check


def cloud_was_reached(heartbeat: Heartbeat, reached_from: str | None, address: Callable[[], str | None]) -> bool:
    """Returns whether this version has reached the cloud, or need not have reached it.

    `reached_from` is the clock's address when the version before reached the cloud within the last minutes; None if it
    did not. If that is None, or the address has changed, an unreachable cloud is not this version's fault.
    """
    return heartbeat.reached_at_ms is not None or reached_from is None or reached_from != address()
