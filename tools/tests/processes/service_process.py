"""A real service for tests: `stempelwerk-cloud` as a process on SQLite, and an office that speaks its web API.

Tests also read the service's database file directly, because the program is what is doubted.
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


def wait_for(condition: Callable[[], object], description: str, limit_s: float = PATIENCE_S) -> None:
    """Polls until a condition without notification holds; fails with `description` and the condition's last value."""
    deadline = time.monotonic() + limit_s
    while not (last := condition()):
        assert time.monotonic() < deadline, f"{description}: {last!r}"
        time.sleep(0.05)


class ServiceProcess:
    """One installation; its folder outlives every kill. `program` is the command that gets the arguments."""

    def __init__(self, folder: Path, url: str | None = None, program: Sequence[str] = (PROGRAM,)) -> None:
        """Uses SQLite, unless `url` is a database."""
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

    def command(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Runs a command of the service's program in this installation to its end."""
        return subprocess.run(
            [PROGRAM, *arguments],
            env=self.environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=2 * PATIENCE_S,
            check=False,
        )

    def create_founder(self) -> None:
        """Creates the first administrator."""
        done = self.command("create-founder", "--username", FOUNDER, "--password-stdin", stdin=f"{PASSWORD}\n")
        assert done.returncode == 0, done.stderr

    def start(self, *arguments: str) -> None:
        """Starts it, and waits until it answers."""
        with (self.folder / "output.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*self.program, "serve", "--port", str(self.port), *arguments],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        wait_for(self._answers, "the service answers")

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.output()
        try:
            return httpx.get(f"{self.url}/api/health", trust_env=False, verify=False, timeout=5).is_success
        except httpx.HTTPError:
            return False

    def kill(self) -> None:
        """Kills the service, as kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stops the service like an operator."""
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(number)
            process.wait()

    def output(self) -> str:
        """Returns the end of its output."""
        return (self.folder / "output.log").read_text(errors="replace")[-4000:]

    def query(self, statement: str) -> list[Any]:
        """Returns the first column of a query on the database file, past the service."""
        with contextlib.closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            return [row[0] for row in database.execute(statement)]

    def stamps(self) -> Counter[str]:
        """Returns how often each stamp's id occurs in the tables of stamps, assigned or not."""
        ids = self.query("SELECT id FROM stamps UNION ALL SELECT id FROM unassigned_stamps")
        return Counter(stamp.replace("-", "") for stamp in ids)


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
        """Returns the JSON of a successful answer."""
        answer = self._client.request(method, path, json=body, params=parameters)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:300]}"
        return answer.json() if answer.content else None

    def hire(self, name: str, tag: str) -> str:
        """Creates a person with a tag that they have always had; returns the user's id."""
        wish = {"companyId": self.company_id, "username": name, "password": PASSWORD, "tagId": tag, "role": "user"}
        user_id: str = self.call("POST", "/api/users", wish)["id"]
        return user_id

    def hang_up(self, claim_code: str) -> None:
        """Assigns the clock with this code on its display to the company, once it has enrolled."""
        devices: list[dict[str, Any]] = []

        def waits() -> bool:
            rows = self.call("GET", "/api/devices", unassigned="true")
            devices[:] = [row for row in rows if row["claimCode"] == claim_code]
            return bool(devices)

        wait_for(waits, "the clock reports itself")
        self.call("POST", f"/api/devices/{devices[0]['id']}/assign-company", {"companyId": self.company_id})

    def held_stamps(self) -> list[dict[str, Any]]:
        """Returns the company's stamps that wait for an administrator."""
        rows: list[dict[str, Any]] = self.call("GET", f"/api/companies/{self.company_id}/held-stamps")
        return rows

    def entries(self, user_id: str) -> list[dict[str, Any]]:
        """Returns a person's entries around today."""
        today, day = datetime.now(UTC).date(), timedelta(days=2)
        days = {"from": str(today - day), "to": str(today + day)}
        rows: list[dict[str, Any]] = self.call("GET", f"/api/users/{user_id}/times", **days)
        return rows
