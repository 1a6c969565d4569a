"""Two programs of others that keep time records or documents of many offline devices, measured beside the product.

TimeTagger (Python, SQLite) takes records by `PUT /api/v2/records`; pouchdb-server (Node, LevelDB) takes documents by
`_bulk_docs`. Each is installed with its ecosystem's ordinary client into a folder of its own and used as it comes,
with one database a clock, which favours them. Nothing of them is imported here or part of the product.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path

from stempelwerk_tools.bench.programs import program
from stempelwerk_tools.bench.sides.http_side import HttpSide
from stempelwerk_tools.bench.sides.load import Answer, request
from stempelwerk_tools.bench.sides.side import NotMeasured, Void
from stempelwerk_tools.ports import reserved_port

CLIENTS = 8
_INSTALL_LIMIT_S = 300


def _install(command: list[str], folder: Path, what: str) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "PATH": f"{Path(command[0]).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"},
            capture_output=True,
            text=True,
            timeout=_INSTALL_LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotMeasured(f"{what} could not be installed: {error}") from None
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise NotMeasured(f"{what} could not be installed: {' '.join(last)}")


class TimeTagger(HttpSide):
    """TimeTagger with one user, and so one SQLite database, for each clock."""

    name = "TimeTagger"

    def __init__(self, port: int, users: Path, itemdb: Path) -> None:
        super().__init__()
        self.port = port
        self._users = users
        self._itemdb = itemdb
        self._keys = itertools.count(1)
        self._tokens = [self._token(client) for client in range(CLIENTS)]

    @classmethod
    @contextlib.contextmanager
    def running(cls, home: Path, data: Path) -> Iterator[TimeTagger]:
        """Install if need be, start, stop. Raises NotMeasured."""
        python = home / "bin" / "python"
        if not (home / "installed").exists():
            venv.create(home, with_pip=True, clear=True)
            _install([str(python), "-m", "pip", "install", "-q", "timetagger"], home, "TimeTagger")
            (home / "installed").touch()
        port = reserved_port()
        environment = {
            "TIMETAGGER_BIND": f"127.0.0.1:{port}",
            "TIMETAGGER_DATADIR": str(data / "timetagger"),
            "TIMETAGGER_LOG_LEVEL": "warning",
            "TIMETAGGER_PROXY_AUTH_ENABLED": "True",  # lets this benchmark have eight users without passwords
        }
        with program(
            [python, "-m", "timetagger"],
            folder=data / "timetagger",
            health=f"http://127.0.0.1:{port}/timetagger/status",
            environment=environment,
        ):
            itemdb = next((home / "lib").glob("python*/site-packages/itemdb.py"))
            yield cls(port, data / "timetagger" / "users", itemdb)

    def _token(self, client: int) -> str:
        body = base64.b64encode(json.dumps({"method": "proxy"}).encode())
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/timetagger/api/v2/bootstrap_authentication",
            data=body,
            headers={"X-Remote-User": f"clock{client}"},
        )
        with urllib.request.urlopen(asked, timeout=10) as answer:  # noqa: S310 - an address of this machine
            return str(json.load(answer)["token"])

    def durability(self) -> str:
        """itemdb opens SQLite as it comes: rollback journal, synchronous=FULL."""
        if "pragma" in self._itemdb.read_text().lower().replace("pragma table_info", ""):
            raise Void("TimeTagger's database sets pragmas of its own: its durability is not what was thought")
        return "durable (SQLite, rollback journal, synchronous=FULL)"

    def prepare(self, client: int, count: int, size: int) -> list[bytes]:
        headers = {"authtoken": self._tokens[client]}
        now = int(time.time())
        made = []
        for _ in range(count):
            records = [
                {"key": f"bench{next(self._keys):09}", "mt": now, "t1": now, "t2": now, "ds": "#kommen 04A2245B6C7D80"}
                for _ in range(size)
            ]
            made.append(request("PUT", "/timetagger/api/v2/records", json.dumps(records).encode(), headers))
        return made

    def accepted(self, answer: Answer) -> int:
        if answer.status != 200:
            raise Void(f"{self.name} answered {answer.status}: {answer.body[:200]!r}")
        return len(json.loads(answer.body)["accepted"])

    def rows(self) -> int:
        total = 0
        for path in self._users.glob("*.db"):
            with contextlib.closing(sqlite3.connect(path, timeout=10)) as database:
                tables = database.execute("SELECT name FROM sqlite_master WHERE name = 'records'").fetchall()
                if tables:
                    total += database.execute("SELECT count(*) FROM records").fetchone()[0]
        return total


class PouchDb(HttpSide):
    """pouchdb-server with one LevelDB database for each clock."""

    name = "pouchdb-server"

    def __init__(self, port: int) -> None:
        super().__init__()
        self.port = port
        self._keys = itertools.count(1)
        for client in range(CLIENTS):
            self._call("PUT", f"/clock{client}")

    @classmethod
    @contextlib.contextmanager
    def running(cls, home: Path, data: Path) -> Iterator[PouchDb]:
        """Install if need be, start, stop. Raises NotMeasured."""
        node = shutil.which("node", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
        if node is None:
            raise NotMeasured("pouchdb-server needs Node, which is not here")
        if not (home / "installed").exists():
            home.mkdir(parents=True, exist_ok=True)
            npm = str(Path(node).with_name("npm"))
            _install(
                [npm, "install", "--no-audit", "--no-fund", "--prefix", ".", "pouchdb-server"], home, "pouchdb-server"
            )
            (home / "installed").touch()
        port = reserved_port()
        folder = data / "pouchdb"
        script = home / "node_modules" / "pouchdb-server" / "bin" / "pouchdb-server"
        command: list[str | Path] = [node, script, "--port", str(port), "--dir", folder]
        command += ["--config", folder / "config.json", "--no-stdout-logs"]
        with contextlib.ExitStack() as running:
            try:
                running.enter_context(program(command, folder=folder, health=f"http://127.0.0.1:{port}/", limit_s=30))
            except RuntimeError as error:
                raise NotMeasured(f"pouchdb-server does not start here: {str(error)[-200:]}") from None
            yield cls(port)

    def _call(self, method: str, path: str) -> dict[str, object]:
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method)
        with urllib.request.urlopen(asked, timeout=10) as answer:  # noqa: S310 - an address of this machine
            found: dict[str, object] = json.load(answer)
            return found

    def durability(self) -> str:
        """LevelDB without sync: it answers before the disk has it. Not comparable, and said so in the table."""
        return "not durable (LevelDB, answers before the disk has it)"

    def prepare(self, client: int, count: int, size: int) -> list[bytes]:
        made = []
        for _ in range(count):
            docs = [
                {
                    "_id": f"{next(self._keys):012}",
                    "tag": "04A2245B6C7D80",
                    "direction": "auto",
                    "wall": "2026-11-20T07:58:03.214Z",
                }
                for _ in range(size)
            ]
            body = json.dumps({"docs": docs}).encode()
            made.append(request("POST", f"/clock{client}/_bulk_docs", body))
        return made

    def accepted(self, answer: Answer) -> int:
        """A conflict is its way to say that it has the document already."""
        if answer.status != 201:
            raise Void(f"{self.name} answered {answer.status}: {answer.body[:200]!r}")
        return sum(bool(one.get("ok")) or one.get("error") == "conflict" for one in json.loads(answer.body))

    def rows(self) -> int:
        return sum(int(str(self._call("GET", f"/clock{client}")["doc_count"])) for client in range(CLIENTS))
