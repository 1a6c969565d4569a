"""Helpers for tests of stamps: a firm with a clock, and the outcome of taps."""

import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from stempelwerk_cloud.device_api.signed.gate import Call
from stempelwerk_cloud.device_api.signed.signatures import SignedRequest
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.access.identity.sessions import open_session
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.device_client import HEARTBEAT, HOST, STAMPS, Clock, SetNow
from cloud.tests.world import Firm, Somebody, World

ANNA = "04A1B2C3"
BEN = "04D4E5F6"
NOBODY = "04FFFFFF"
MORNING = datetime(2026, 11, 20, 6, 0, tzinfo=UTC)
"""07:00 in Berlin."""
EVENING = MORNING + timedelta(hours=12)


def as_call(clock: Clock, message: dict[str, Any], path: str = STAMPS) -> Call:
    """A signed message, a batch as a rule, as the service has it before it looks into it."""
    headers, body = clock.signed(message, path)
    request = SignedRequest("POST", HOST + path, {name.lower(): value for name, value in headers.items()}, body)
    return Call(request, "203.0.113.9")


def as_beat(device: Clock, instant: datetime | None = None, **changes: Any) -> Call:
    """A signed heartbeat, likewise."""
    return as_call(device, device.heartbeat(instant, **changes), HEARTBEAT)


def hours(count: float) -> timedelta:
    return timedelta(hours=count)


@dataclass
class Site:
    """A firm and its clock, which it has had since the day before `MORNING`. It is the evening now."""

    world: World
    firm: Firm
    clock: SetNow
    device: Clock

    def somebody(self, somebody: Somebody) -> Somebody:
        """The same person with a session that has not expired."""
        with self.world.platform.database.write(SYSTEM) as tx:
            somebody.token = open_session(
                UnitOfWork(tx, self.world.platform), somebody.company_id, somebody.id, "tests"
            )
        return somebody

    @property
    def founder(self) -> Somebody:
        return self.somebody(self.world.founder)

    @property
    def boss(self) -> Somebody:
        return self.somebody(self.firm.boss)

    def times(self, somebody: Somebody | None = None, first: str = "2026-11-01", last: str = "2026-11-30") -> Any:
        """A person's entries (Anna's)."""
        whose = somebody or self.firm.anna
        answer = self.somebody(whose).get(f"/api/users/{whose.id}/times?from={first}&to={last}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def spans(self, somebody: Somebody | None = None) -> list[tuple[str, str | None, str | None]]:
        """A person's entries as (date, start, end)."""
        return [(entry["date"], entry["start"], entry["end"]) for entry in self.times(somebody)]

    def held(self) -> list[dict[str, Any]]:
        answer = self.boss.get(f"/api/companies/{self.firm.id}/held-stamps")
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()
        return found

    def unassigned(self) -> list[dict[str, Any]]:
        answer = self.founder.get("/api/held-stamps")
        assert answer.status_code == 200, answer.text
        found: list[dict[str, Any]] = answer.json()
        return found

    def listed(self, device: Clock | None = None) -> dict[str, Any]:
        """A device as the registry lists it."""
        wanted = (device or self.device).device_id
        (found,) = [one for one in self.founder.get("/api/devices").json() if one["id"] == wanted]
        return dict(found)

    def another_clock(self, serial: str = "SW-T-2", seed: int = 2, firm: Firm | None = None) -> Clock:
        """A further enrolled clock, assigned to the firm since the day before `MORNING`."""
        device = enrolled(self.world, self.clock, serial, seed)
        since = (MORNING - timedelta(days=1)).isoformat().replace("+00:00", "Z")
        self.assign(device, (firm or self.firm).id, since)
        return device

    def assign(self, device: Clock, company_id: str, since: str | None = None, status: int = 200) -> None:
        body = {"companyId": company_id} | ({"from": since} if since else {})
        answer = self.founder.post(f"/api/devices/{device.device_id}/assign-company", json=body)
        assert answer.status_code == status, answer.text
        if status == 200:
            device.beat()


def enrolled(world: World, clock: SetNow, serial: str, seed: int) -> Clock:
    """Returns a new clock without a company."""
    device = Clock(world.client, clock, serial, random.Random(seed))
    answer = device.enrol()
    assert answer.status_code == 200, answer.text
    return device


def add_clock(world: World, clock: SetNow) -> Site:
    """Makes a firm with a clock."""
    clock.set(MORNING - timedelta(days=1))
    firm = world.firm()
    site = Site(world, firm, clock, enrolled(world, clock, "SW-T-1", 1))
    site.assign(site.device, firm.id)
    clock.set(EVENING)
    site.device.beat()
    return site
