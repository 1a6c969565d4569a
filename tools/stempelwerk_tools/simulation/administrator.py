"""The people in the office of a simulated company: they furnish it, hang up clocks, and resolve what is held.

Everything goes through the web API with a session, at the service itself and without the bad network of the clocks.
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
from stempelwerk_cloud.people.work import Work

from stempelwerk_tools.simulation.machines.network import Message
from stempelwerk_tools.simulation.machines.service import SimulatedService

ORIGIN = "http://office.simulated"
_PASSWORD = "simuliert-und-lang-genug"  # noqa: S105 - of a company that lives for a second


class Refused(RuntimeError):
    """The service answered something else than success."""


def instant(at: datetime) -> str:
    """As the API writes it."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


@dataclass
class Employee:
    """A person with a tag."""

    user_id: str
    company_id: str
    tag: str


@dataclass
class Administrator:
    """Somebody with the founder's session. `employees` by their tag."""

    service: SimulatedService
    token: str = ""
    companies: list[str] = field(default_factory=list)
    employees: dict[str, Employee] = field(default_factory=dict)

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """One call. Raises Refused, or ServiceDown."""
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
        """A fresh session."""
        self.token = ""
        login = {"company": "Plattform", "username": "founder", "password": _PASSWORD}
        self.token = (await self.call("POST", "/api/login", login))["token"]

    async def furnish(self, tags: dict[str, list[str]]) -> None:
        """Make a founder, and companies (by name) with one employee for each of their tags."""
        platform = self.service.app.state.platform
        with platform.database.write(SYSTEM) as session:
            commands.create(Work(session, platform), "founder", hash_password(_PASSWORD))
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
                made = await self.call("POST", "/api/users", user)
                self.employees[tag] = Employee(made["id"], company, tag)

    async def devices(self) -> list[dict[str, Any]]:
        """All devices, as the list shows them."""
        found: list[dict[str, Any]] = await self.call("GET", "/api/devices")
        return found

    async def assign(self, device_id: str, company_id: str, since: datetime | None = None) -> None:
        """A clock belongs to a company from now, or since an instant."""
        body: dict[str, Any] = {"companyId": company_id}
        if since is not None:
            body["from"] = instant(since)
        await self.call("POST", f"/api/devices/{device_id}/assign-company", body)

    async def replace(self, device_id: str, spare_id: str) -> None:
        """A spare takes a clock's place."""
        await self.call("POST", f"/api/devices/{device_id}/replace", {"deviceId": spare_id})

    async def release_unassigned(self) -> int:
        """Give every stamp without a company to the company of whoever holds its tag; how many there were."""
        held = await self.call("GET", "/api/held-stamps?limit=200")
        for stamp in held:
            employee = self.employees[stamp["tag"]]
            body = {
                "deviceId": stamp["deviceId"],
                "from": stamp["takenAt"],
                "to": stamp["takenAt"],
                "companyId": employee.company_id,
            }
            await self.call("POST", "/api/held-stamps/release", body)
        return len(held)

    async def times(self, user_id: str, first: str, last: str) -> list[dict[str, Any]]:
        """A person's entries, as the API tells them."""
        found: list[dict[str, Any]] = await self.call("GET", f"/api/users/{user_id}/times?from={first}&to={last}")
        return found
