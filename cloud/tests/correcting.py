"""Helpers for tests of corrections: request, decide, and read notifications."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier
from typing import Any
from zoneinfo import ZoneInfo

from httpx2 import Response
from sqlalchemy import update
from stempelwerk_cloud.fleet.devices.tables import DeviceAssignment
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.deriving import deciding

from cloud.tests.device_client import Clock, iso
from cloud.tests.room import inbox
from cloud.tests.stamping import ANNA, Site
from cloud.tests.world import Somebody

DAY = "2026-11-20"
REQUESTS = "/api/time-corrections"
BERLIN = ZoneInfo("Europe/Berlin")


def at(text: str) -> datetime:
    """`2026-11-20 07:00` in Berlin; of a time that exists twice the first."""
    return datetime.fromisoformat(text).replace(tzinfo=BERLIN).astimezone(UTC)


def stamped(site: Site, *times: str, tag: str = ANNA, device: Clock | None = None, **more: Any) -> list[str]:
    """Delivers taps at these local times (Anna's); their ids."""
    clock = device or site.device
    taps = [clock.tap(tag, at(time), **more) for time in times]
    clock.deliver(*taps)
    return [tap["id"] for tap in taps]


def hang_since(site: Site, since: str) -> None:
    """The clock has been on the wall since then."""
    site.assign(site.device, site.firm.id, iso(at(since)))
    site.device.booted = at(since) - timedelta(hours=1)


def hang_long_since(site: Site, since: str) -> None:
    """The same from a time that is too far back for a request today."""
    with site.world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(DeviceAssignment).values(starts_at=at(since)))
    site.device.booted = at(since) - timedelta(hours=1)


def ask(somebody: Somebody, **body: Any) -> Response:
    return somebody.post(REQUESTS, json={"date": DAY} | body)


def asked(somebody: Somebody, **body: Any) -> dict[str, Any]:
    """A request that must be taken; its row."""
    answer = ask(somebody, **body)
    assert answer.status_code == 201, answer.text
    row: dict[str, Any] = answer.json()
    return row


def approve(somebody: Somebody, request: str, **body: Any) -> Response:
    return somebody.post(f"{REQUESTS}/{request}/approve", json=body)


def decline(somebody: Somebody, request: str, **body: Any) -> Response:
    return somebody.post(f"{REQUESTS}/{request}/decline", json=body)


def refusal(answer: Response) -> tuple[int, str, list[str]]:
    """Status, sentence, and the members that it is about."""
    said = answer.json()
    return answer.status_code, said["message"], [one["field"] for one in said.get("errors", [])]


def told(somebody: Somebody) -> list[tuple[str, str, dict[str, Any]]]:
    """Returns type, title and payload of a person's messages, oldest first."""
    return [(one.type, one.title, one.payload) for one in inbox(somebody)]


def together(*calls: Callable[[], Response]) -> list[Response]:
    """The calls' answers, all begun in the same moment: also those of clocks, which nothing can hold up."""
    start = Barrier(len(calls))

    def begin(call: Callable[[], Response]) -> Response:
        start.wait(60)
        return call()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(begin, calls))


def must_equal_a_rebuild(site: Site) -> None:
    """Asserts that stored entries and stamps equal those derived from the facts."""
    with site.world.platform.database.write(SYSTEM) as tx:
        rebuilt = deciding.rebuild(UnitOfWork(tx, site.world.platform), site.firm.id)
    assert (rebuilt.entries, rebuilt.stamps) == ((), ())
