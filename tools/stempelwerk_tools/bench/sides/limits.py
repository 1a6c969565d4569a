"""The composed limit: a bare FastAPI with one durable merge.

It is the least that a service of these parts must do (decode, merge, commit, answer). It checks no signature, knows no
people and derives nothing.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import create_engine

from stempelwerk_tools.bench.cpu import Cpu, used
from stempelwerk_tools.bench.programs import program
from stempelwerk_tools.bench.sides.http_side import HttpSide
from stempelwerk_tools.bench.sides.load import Answer, request
from stempelwerk_tools.bench.sides.merge import TABLE
from stempelwerk_tools.bench.sides.side import Void
from stempelwerk_tools.ports import reserved_port

_numbers = itertools.count(1)
_ASSIGNMENT, _BOOT = str(uuid.UUID(int=1)), str(uuid.UUID(int=2))


def stamp() -> dict[str, Any]:
    """A stamp as on the wire; ids rise like UUIDv7."""
    number = next(_numbers)
    ident = uuid.UUID(int=(0x0192_0000_0000 + number // 16) << 80 | 7 << 76 | 2 << 62 | number)
    return {
        "id": str(ident),
        "seq": number,
        "assignment": _ASSIGNMENT,
        "tag": f"04A2245B6C{number % 65536:04X}",
        "direction": "auto",
        "wall": "2026-11-20T07:58:03.214Z",
        "boot": _BOOT,
        "boottimeMs": number,
        "quality": "ntp",
        "via": "reader",
        "shown": "in",
    }


def durability_of(connection: psycopg.Connection[Any]) -> str:
    """Returns the durability that PostgreSQL reports. Raises Void unless a commit waits for the disk."""
    for name in ("fsync", "synchronous_commit", "full_page_writes"):
        row = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
        assert row
        if row[0] != "on":
            raise Void(f"PostgreSQL runs with {name}={row[0]}")
    return "durable (PostgreSQL, fsync, synchronous_commit, full_page_writes)"


class Composed(HttpSide):
    """The side of the composed limit: a bare FastAPI before PostgreSQL."""

    name = "composed limit"

    def __init__(self, port: int, pid: int, url: str, connection: psycopg.Connection[Any]) -> None:
        super().__init__()
        self.port = port
        self._pid = pid
        self._engine = create_engine(url)
        self._connection = connection

    @classmethod
    @contextlib.contextmanager
    def running(cls, url: str, dsn: str, data: Path) -> Iterator[Composed]:
        """Runs the service of `composed_app` on an empty database, given as SQLAlchemy's URL and libpq's string, and
        yields the side.
        """
        port = reserved_port()
        command = [
            sys.executable,
            "-m",
            "uvicorn",
            "stempelwerk_tools.bench.sides.composed_app:app",
            "--port",
            str(port),
        ]
        with psycopg.connect(dsn, autocommit=True) as connection:
            connection.execute(TABLE)
            with program(
                [*command, "--log-level", "warning"],
                folder=data / "composed",
                health=f"http://127.0.0.1:{port}/",
                environment={"COMPOSED_URL": url},
            ) as served:
                composed = cls(port, served.pid, url, connection)
                yield composed
                composed._engine.dispose()

    def durability(self) -> str:
        return durability_of(self._connection)

    def prepare(self, client: int, count: int, size: int) -> list[bytes]:
        return [
            request("POST", "/merge", json.dumps({"stamps": [stamp() for _ in range(size)]}).encode())
            for _ in range(count)
        ]

    def accepted(self, answer: Answer) -> int:
        if answer.status != 200:
            raise Void(f"{self.name} answered {answer.status}: {answer.body[:200]!r}")
        return len(json.loads(answer.body)["results"])

    def rows(self) -> int:
        return _count(self._connection)

    def cpu(self) -> Cpu:
        return used(self._pid, self._engine)


def _count(connection: psycopg.Connection[Any]) -> int:
    row = connection.execute("SELECT count(*) FROM stamp").fetchone()
    assert row
    return int(row[0])
