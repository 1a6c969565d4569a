"""The companies of the fleet, with clocks and people, in a cloud that is started for it or in one that runs.

In a cloud of its own everything is created before the service starts. In a running one the clocks enrol as any other
would, within its budgets, and are assigned to a company by the API.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from stempelwerk_cloud.app import build_platform
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.changes import assignments
from stempelwerk_cloud.fleet.devices.service import Identity
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity.sessions import open_session
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.users import commands, tags
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.work import unit_of_work
from stempelwerk_edge.cloud.identity import Identity as KeyOfClock

from stempelwerk_tools.bench.installation import service
from stempelwerk_tools.fleet.clocks import identity_in
from stempelwerk_tools.ports import reserved_port
from stempelwerk_tools.postgres import temporary_server

_UNUSABLE = "!"  # as a password's hash: it allows no login
_PASSWORD = "Flottenprobe-2026-Holz"  # noqa: S105 - of people who only tap
_PATIENCE_S = 300.0  # it only ends a hang: on a busy machine the start of a program takes minutes
CLOCKS_A_COMPANY = 5  # each lists all its company's people, so a company of hundreds of clocks is a different load


Report = Callable[[str], object]
"""A progress reporter."""


def throttled(report: Report, every_s: float = 10.0) -> Report:
    """Returns a reporter that forwards at most one message every `every_s` seconds."""
    last_report_s = time.monotonic()

    def report_if_due(text: str) -> None:
        nonlocal last_report_s
        if time.monotonic() - last_report_s >= every_s:
            last_report_s = time.monotonic()
            report(text)

    return report_if_due


class Served:
    """A service of the fleet's own, which can be stopped (SIGTERM) and restarted on the same data."""

    def __init__(self, database_url: str, data: Path) -> None:
        self.database_url, self._data, self._port = database_url, data, reserved_port()
        self._running = contextlib.ExitStack()
        self.pid = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Starts the service and waits until it answers. Raises RuntimeError if it does not come up."""
        served = service(self.database_url, self._data, self._port, limit_s=_PATIENCE_S)
        self.pid = self._running.enter_context(served).pid

    def stop(self) -> None:
        """Stops the service and waits for its end."""
        self._running.close()


@dataclass(frozen=True)
class Cloud:
    """A cloud, and the session token of its operator. `own_service`: the service that was started for the fleet, if
    any.
    """

    url: str
    token: str
    own_service: Served | None = None

    def office(self) -> httpx.AsyncClient:
        """Returns an HTTP client with the operator's session."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return httpx.AsyncClient(base_url=self.url, headers=headers, timeout=60.0, trust_env=False)


def tag_of(number: int) -> str:
    """Returns the tag of a person of the fleet."""
    return f"04F1{number:08X}80"


@contextlib.contextmanager
def own_cloud(serials: Sequence[str], people: int, folder: Path, report: Report, *, postgres: bool) -> Iterator[Cloud]:
    """Yields a service of the fleet's own, furnished, as a process; all its files are gone at the end."""
    with contextlib.ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stempelwerk-fleet-cloud-")))
        url = f"sqlite:///{data / 'fleet.db'}"
        if postgres:
            url = stack.enter_context(temporary_server(durable=True)).new_database()
        owner = Database(url, as_owner=True)
        try:
            schema.migrate(owner)
        finally:
            owner.dispose()
        platform = build_platform(Settings(database_url=url, data_dir=data))
        try:
            identities = [_identity_of(serial, identity_in(folder, serial)) for serial in serials]
            founder = furnish(platform, identities, people, datetime.now(UTC) - timedelta(days=1), throttled(report))
            with unit_of_work(platform, SYSTEM) as work:
                token = open_session(work, *founder, "fleet")
        finally:
            platform.database.dispose()
        served = Served(url, data)
        stack.callback(served.stop)
        served.start()
        yield Cloud(served.url, token, served)


class Founder(NamedTuple):
    """The operator's first account, which can open sessions."""

    company_id: str
    user_id: str


def _identity_of(serial: str, key: KeyOfClock) -> Identity:
    return Identity(serial, "", "core", "1.0.0", key.hardware_id, key.public_key)


def furnish(
    platform: Platform, clocks: Sequence[Identity], people: int, assigned_from: datetime, report: Report
) -> Founder:
    """Creates the companies with their people, and their clocks, assigned from that instant on; returns the founder."""
    with unit_of_work(platform, SYSTEM) as work:
        founder = commands.create(work, "fleet", _UNUSABLE)
    for first in range(0, len(clocks), CLOCKS_A_COMPANY):
        report(f"{first:,} of {len(clocks):,} clocks are furnished")
        with unit_of_work(platform, SYSTEM) as work:
            company_id = companies.create(work, f"Flotte {first:05}").id
            for clock, identity in enumerate(clocks[first : first + CLOCKS_A_COMPANY], first):
                for number in range(clock * people, (clock + 1) * people):
                    person = users.insert(work, company_id, f"person-{number:05}", _UNUSABLE, USER)
                    tags.give(work, person, tag_of(number), None)
                assignments.assign(work, devices.enrol(work.session, platform, identity).id, company_id, assigned_from)
    return Founder(founder.company_id, founder.id)


async def furnish_by_api(office: httpx.AsyncClient, clocks: int, people: int) -> list[str]:
    """Makes companies for these clocks and people in a running cloud; returns the company's id for each clock.

    Raises httpx.HTTPError.
    """
    owners: list[str] = []
    for clock in range(clocks):
        if clock % CLOCKS_A_COMPANY == 0:
            name = f"Flotte {datetime.now(UTC):%Y-%m-%d %H:%M:%S} {clock:05}"
            company_id = str((await _call(office, "POST", "/api/companies", {"name": name}))["id"])
        owners.append(company_id)
        for number in range(clock * people, (clock + 1) * people):
            person = {"companyId": company_id, "username": f"person-{number:05}", "password": _PASSWORD, "role": "user"}
            await _call(office, "POST", "/api/users", {**person, "tagId": tag_of(number)})
    return owners


async def assign_by_api(office: httpx.AsyncClient, device_id: str, company_id: str) -> None:
    """Assigns the clock to the company from now on. Raises httpx.HTTPError."""
    await _call(office, "POST", f"/api/devices/{device_id}/assign-company", {"companyId": company_id})


async def _call(office: httpx.AsyncClient, method: str, path: str, body: dict[str, Any]) -> Any:
    answer = await office.request(method, path, json=body)
    answer.raise_for_status()
    return answer.json()
