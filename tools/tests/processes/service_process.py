"""A real service for tests: `stempelwerk-cloud` as a process on SQLite, and an office that speaks its web API.

What the service holds is read from its database file as well, past the program, because the program is what is doubted.
"""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
from stempelwerk_tools.ports import reserved_port

from tools.tests.processes.clock_process import PATIENCE_S

PROGRAM = str(Path(sys.executable).with_name("stempelwerk-cloud"))
OPERATOR, FOUNDER, PASSWORD = "Plattform", "Gründer", "ein langes Passwort"


def until(condition: Callable[[], object], what: str, limit_s: float = PATIENCE_S) -> None:
    """Wait until a condition holds that nobody can announce; fails with `what` and the condition's last value."""
    deadline = time.monotonic() + limit_s
    while not (last := condition()):
        assert time.monotonic() < deadline, f"{what}: {last!r}"
        time.sleep(0.05)


class ServiceProcess:
    """One installation; its folder outlives every kill. `program` is what is started and takes its arguments."""

    def __init__(self, folder: Path, url: str | None = None, program: Sequence[str] = (PROGRAM,)) -> None:
        """On SQLite, unless there is the address of a database."""
        self.program = list(program)
        self.folder = folder
        folder.mkdir(parents=True)
        self.port = reserved_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = folder / "stempelwerk.db"
        self.process: subprocess.Popen[bytes] | None = None
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("STEMPELWERK_")},
            "STEMPELWERK_DATABASE_URL": url or f"sqlite:///{self.database}",
            "STEMPELWERK_DATA_DIR": str(folder / "files"),
            "STEMPELWERK_WEB_DIR": str(folder / "no-web"),
        }

    def command(self, *arguments: str, said: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command of the service's program in this installation to its end."""
        return subprocess.run(
            [PROGRAM, *arguments],
            env=self.environment,
            input=said,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE_S,
            check=False,
        )

    def found(self) -> None:
        """Make the first administrator."""
        done = self.command("create-founder", "--username", FOUNDER, "--password-stdin", said=f"{PASSWORD}\n")
        assert done.returncode == 0, done.stderr

    def start(self, *arguments: str) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "output.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*self.program, "serve", "--port", str(self.port), *arguments],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        until(self._answers, "the service answers")

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.output()
        try:
            return httpx.get(f"{self.url}/api/health", trust_env=False, verify=False, timeout=5).is_success
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        """kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it as an operator does."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(number)
            process.wait()

    def output(self) -> str:
        """The end of what it wrote."""
        return (self.folder / "output.log").read_text(errors="replace")[-4000:]

    def query(self, statement: str) -> list[Any]:
        """The first column of what the database file says to a question, read past the service."""
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            return [row[0] for row in database.execute(statement)]

    def stamps(self) -> Counter[str]:
        """How often each stamp's id stands among the facts, whoever they belong to."""
        found = self.query("SELECT id FROM stamps UNION ALL SELECT id FROM unassigned_stamps")
        return Counter(stamp.replace("-", "") for stamp in found)


class Office:
    """The operator's administrator at the web API, with one company."""

    def __init__(self, url: str, verify: Any = True) -> None:
        self._client = httpx.Client(base_url=url, timeout=60, trust_env=False, verify=verify)
        self.company_id = ""

    def __enter__(self) -> "Office":
        login = {"company": OPERATOR, "username": FOUNDER, "password": PASSWORD}
        try:
            self._client.headers["authorization"] = f"Bearer {self.call('POST', '/api/login', login)['token']}"
            self.company_id = self.call("POST", "/api/companies", {"name": "Tischlerei"})["id"]
        except BaseException:
            self._client.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def call(self, method: str, path: str, body: dict[str, Any] | None = None, **parameters: str) -> Any:
        """The JSON of an answer of the 200s."""
        answer = self._client.request(method, path, json=body, params=parameters)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
        return answer.json() if answer.content else None

    def hire(self, name: str, tag: str) -> str:
        """A person with a tag they have always had; the user's id."""
        wish = {"companyId": self.company_id, "username": name, "password": PASSWORD, "tagId": tag, "role": "user"}
        made: str = self.call("POST", "/api/users", wish)["id"]
        return made

    def hang_up(self, claim_code: str) -> None:
        """Give the clock with this code on its display to the company, once it has reported itself."""
        found: list[dict[str, Any]] = []

        def waits() -> bool:
            rows = self.call("GET", "/api/devices", unassigned="true")
            found[:] = [row for row in rows if row["claimCode"] == claim_code]
            return bool(found)

        until(waits, "the clock reports itself")
        self.call("POST", f"/api/devices/{found[0]['id']}/assign-company", {"companyId": self.company_id})

    def held(self) -> list[dict[str, Any]]:
        """The company's stamps that wait for an administrator."""
        rows: list[dict[str, Any]] = self.call("GET", f"/api/companies/{self.company_id}/held-stamps")
        return rows

    def entries(self, user_id: str) -> list[dict[str, Any]]:
        """What is booked for a person around today."""
        today, day = datetime.now(UTC).date(), timedelta(days=2)
        days = {"from": str(today - day), "to": str(today + day)}
        rows: list[dict[str, Any]] = self.call("GET", f"/api/users/{user_id}/times", **days)
        return rows
