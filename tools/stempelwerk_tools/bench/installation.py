"""A fresh installation of the product for a benchmark: served as in production, with a company, people and clocks.

Everything is made through the commands and the public API; only counting rows looks into the database.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from stempelwerk_tools.bench.programs import START_LIMIT_S, program
from stempelwerk_tools.bench.sides.load import run
from stempelwerk_tools.bench.sides.side import Void
from stempelwerk_tools.bench.sides.signed_clock import SignedClock
from stempelwerk_tools.ports import reserved_port

CLOCKS = 8
PEOPLE_A_CLOCK = 30
COMPANY = "Messwerk"
WEB = Path(__file__).resolve().parents[3] / "web" / "dist"  # the built pages, each in a folder of its own
_FIRST_TAP = timedelta(days=1200)  # how long ago the made-up taps begin
_PASSWORD = "Messlatte-2026-Holz"  # noqa: S105 - of an installation that lives for minutes
_COMMAND = str(Path(sys.executable).with_name("stempelwerk-cloud"))
_tags = itertools.count(0x04A2_0000_0000_80, 0x100)


@dataclass
class Installation:
    """A running service, process `pid`. `clocks` are enrolled and assigned; `holders` has the person of each tag."""

    port: int
    database_url: str
    pid: int
    token: str = ""
    company: str = ""
    clocks: list[SignedClock] = field(default_factory=list)
    holders: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """The service's address."""
        return f"http://127.0.0.1:{self.port}"

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Makes one call of the web API as the founder and returns its JSON. Raises Void on anything but success."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310 - an address of this machine
            self.origin + path, data=data, headers=headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - an address of this machine
                content = answer.read()
        except urllib.error.HTTPError as error:
            raise Void(f"{method} {path}: {error.code} {error.read()[:300]!r}") from None
        return json.loads(content) if content else None

    def log_in(self, company: str, username: str) -> dict[str, Any]:
        """Logs a person in and returns the parts of the session."""
        wish = {"company": company, "username": username, "password": _PASSWORD}
        session: dict[str, Any] = self.call("POST", "/api/login", wish)
        return session

    def hire(self, username: str, tag: str) -> str:
        """Makes an employee with this tag; returns the id."""
        user = {"companyId": self.company, "username": username, "password": _PASSWORD, "tagId": tag, "role": "user"}
        return str(self.call("POST", "/api/users", user)["id"])

    def hang_up(self, clock: SignedClock, first_tap: datetime) -> SignedClock:
        """Enrols a clock, assigns it to the company from before its first tap, and lets it fetch the assignment;
        returns it.
        """
        enrolled = json.loads(_only_answer(self, clock.enrolment()))
        assigned_from = (first_tap - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        self.call(
            "POST",
            f"/api/devices/{enrolled['deviceId']}/assign-company",
            {"companyId": self.company, "from": assigned_from},
        )
        clock.assignment = json.loads(_only_answer(self, clock.heartbeat()))["assignment"]["id"]
        return clock


@contextlib.contextmanager
def installation(database_url: str, data: Path, *, workers: int = 1) -> Iterator[Installation]:
    """Migrates, serves (with `workers` processes), and furnishes an installation; stops it at the end."""
    data.mkdir(parents=True, exist_ok=True)
    environment = _environment(database_url, data)
    _run([_COMMAND, "migrate"], environment)
    _run([_COMMAND, "create-founder", "--username", "bench", "--password-stdin"], environment, _PASSWORD)
    port = reserved_port()
    with service(database_url, data, port, workers=workers) as served:
        installed = Installation(port, database_url, served.pid)
        furnish(installed)
        yield installed


def service(
    database_url: str, data: Path, port: int, *, workers: int = 1, limit_s: float = START_LIMIT_S
) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
    """Starts the service on a migrated database; it runs as long as the block lasts."""
    address = ["--host", "127.0.0.1", "--port", str(port)]
    return program(
        [_COMMAND, "serve", *address, "--workers", str(workers)],
        folder=data,
        health=f"http://127.0.0.1:{port}/api/health",
        environment=_environment(database_url, data),
        limit_s=limit_s,
    )


def _environment(database_url: str, data: Path) -> dict[str, str]:
    return {
        "STEMPELWERK_DATABASE_URL": database_url,
        "STEMPELWERK_DATA_DIR": str(data),
        "STEMPELWERK_WEB_DIR": str(WEB / "app"),
    }


def _run(command: list[str], environment: dict[str, str], stdin: str = "") -> None:
    done = subprocess.run(
        command, input=stdin, text=True, capture_output=True, env={**os.environ, **environment}, check=False
    )
    if done.returncode:
        raise Void(f"{' '.join(command[:2])}: {done.stderr[-1000:]}")


def furnish(installed: Installation) -> None:
    """Makes the company with its people and clocks, under the account of the founder, which a command has created."""
    installed.token = installed.log_in("Plattform", "bench")["token"]
    installed.company = installed.call("POST", "/api/companies", {"name": COMPANY})["id"]
    first_tap = datetime.now(UTC).replace(microsecond=0) - _FIRST_TAP
    for number in range(CLOCKS):
        tags = [f"{next(_tags):014X}" for _ in range(PEOPLE_A_CLOCK)]
        for tag in tags:
            installed.holders[tag] = installed.hire(f"person-{tag}", tag)
        installed.clocks.append(installed.hang_up(SignedClock(installed.origin, number, tags, first_tap), first_tap))


def _only_answer(installed: Installation, request: bytes) -> bytes:
    answer = run(installed.port, [[request]]).answers[0][0]
    if answer.status != 200:
        raise Void(f"a clock was answered {answer.status}: {answer.body[:300]!r}")
    return answer.body
