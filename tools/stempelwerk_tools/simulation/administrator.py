"""The office of a simulated company: it furnishes the company, hangs up clocks, and resolves held stamps.

Everything goes through the web API with a session, directly to the service and without the bad network of the clocks.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.security.passwords import hash_password
from stempelwerk_cloud.people.users import commands
from stempelwerk_cloud.people.work import UnitOfWork

from stempelwerk_tools.simulation.machines.network import Message
from stempelwerk_tools.simulation.machines.service import SimulatedService

ORIGIN = "http://office.simulated"
_PASSWORD = "simuliert-und-lang-genug"  # noqa: S105 - of a company that lives for a second


class Refused(RuntimeError):
    """The service answered a call with an error; the text has status and body."""


def instant(moment: datetime) -> str:
    """Formats an instant as the API does."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


@dataclass
class Employee:
    """An employee of a simulated company, with the tag that they hold."""

    user_id: str
    company_id: str
    tag: str


@dataclass
class Administrator:
    """A user with the founder's session. `employees` by their tag."""

    service: SimulatedService
    token: str = ""
    companies: list[str] = field(default_factory=list)
    employees: dict[str, Employee] = field(default_factory=dict)

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """Makes one call. Raises Refused, or ServiceDown."""
        headers = [(b"host", b"office.simulated"), (b"content-type", b"application/json")]
        if self.token:
            headers.append((b"authorization", f"Bearer {self.token}".encode()))
        data = b"" if body is None else json.dumps(body).encode()
        headers.append((b"content-length", str(len(data)).encode()))
        reply = await self.service.call(Message(method, httpx.URL(ORIGIN + path), headers, data))
        if not 200 <= reply.status < 300:
            raise Refused(f"{method} {path}: {reply.status} {reply.body[:300]!r}")
        return json.loads(reply.body) if reply.body else None

    async def log_in(self) -> None:
        """Opens a fresh session."""
        self.token = ""
        login = {"company": "Plattform", "username": "founder", "password": _PASSWORD}
        self.token = (await self.call("POST", "/api/login", login))["token"]

    async def furnish(self, tags: dict[str, list[str]]) -> None:
        """Creates a founder, and companies (by name) with one employee for each of their tags."""
        platform = self.service.app.state.platform
        with platform.database.write(SYSTEM) as session:
            commands.create(UnitOfWork(session, platform), "founder", hash_password(_PASSWORD))
        await self.log_in()
        for name, company_tags in tags.items():
            company = (await self.call("POST", "/api/companies", {"name": name}))["id"]
            self.companies.append(company)
            for tag in company_tags:
                user = {
                    "companyId": company,
                    "username": f"person-{tag}",
                    "password": _PASSWORD,
                    "tagId": tag,
                    "role": "user",
                }
                created_user = await self.call("POST", "/api/users", user)
                self.employees[tag] = Employee(created_user["id"], company, tag)

    async def devices(self) -> list[dict[str, Any]]:
        """Returns all devices in the list."""
        devices: list[dict[str, Any]] = await self.call("GET", "/api/devices")
        return devices

    async def assign(self, device_id: str, company_id: str, assigned_from: datetime | None = None) -> None:
        """Assigns a clock to a company from now, or from an instant on."""
        body: dict[str, Any] = {"companyId": company_id}
        if assigned_from is not None:
            body["from"] = instant(assigned_from)
        await self.call("POST", f"/api/devices/{device_id}/assign-company", body)

    async def replace(self, device_id: str, spare_id: str) -> None:
        """Replaces a clock by a spare."""
        await self.call("POST", f"/api/devices/{device_id}/replace", {"deviceId": spare_id})

    async def release_unassigned(self) -> int:
        """Gives every stamp without a company to the company of its tag's holder; returns their number."""
        held_stamps = await self.call("GET", "/api/held-stamps?limit=200")
        for stamp in held_stamps:
            employee = self.employees[stamp["tag"]]
            body = {
                "deviceId": stamp["deviceId"],
                "from": stamp["takenAt"],
                "to": stamp["takenAt"],
                "companyId": employee.company_id,
            }
            await self.call("POST", "/api/held-stamps/release", body)
        return len(held_stamps)

    async def times(self, user_id: str, first: str, last: str) -> list[dict[str, Any]]:
        """Returns a person's entries from the API."""
        entries: list[dict[str, Any]] = await self.call("GET", f"/api/users/{user_id}/times?from={first}&to={last}")
        return entries
