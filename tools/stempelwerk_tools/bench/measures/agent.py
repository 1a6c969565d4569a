"""The clock's agent as a real program: its reader's driver, its company and its touchscreen."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stempelwerk_tools.bench.installation import WEB, Installation
from stempelwerk_tools.bench.programs import program
from stempelwerk_tools.bench.sides.side import Void
from stempelwerk_tools.ports import reserved_port

_LIMIT_S = 30


@dataclass(frozen=True)
class Clock:
    """A running agent that is assigned to the company: its process, and the address of its touchscreen's page."""

    pid: int
    address: str


@contextlib.contextmanager
def assigned(installed: Installation, folder: Path, reader: str, serial: str) -> Iterator[Clock]:
    """Runs an agent on the reader at that path, enrolled and assigned, until it knows its company. Raises Void.

    Its touchscreen's page is served if it has been built.
    """
    port = reserved_port()
    config = _config(folder, installed.origin, reader, port, serial)
    with _agent(config, folder, port):
        _wait_until(lambda: _device(installed, serial) is not None, "the agent does not enrol")
    device = _device(installed, serial) or {}
    installed.call("POST", f"/api/devices/{device['id']}/assign-company", {"companyId": installed.company})
    with _agent(config, folder, port) as process:
        # earlier taps have no company
        _wait_until(lambda: _company_shown(port), "the agent does not learn whose it is")
        yield Clock(process.pid, f"http://127.0.0.1:{port}/")


def _agent(config: Path, folder: Path, port: int) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
    return program(
        [sys.executable, "-m", "stempelwerk_edge", "run", "--config", config],
        folder=folder,
        health=f"http://127.0.0.1:{port}/",
    )


def _config(folder: Path, cloud: str, reader: str, port: int, serial: str) -> Path:
    text = json.dumps  # a JSON string is a TOML string
    path = folder / "clock.toml"
    lines = [
        f"data_dir = {text(str(folder / 'data'))}",
        f"[cloud]\nurl = {text(cloud)}",
        f'[reader]\nkind = "pn532"\npath = {text(reader)}',
        f'[display]\nhost = "127.0.0.1"\nport = {port}\nassets = {text(str(WEB / "kiosk"))}',
        f'[device]\nserial = {text(serial)}\nprofile = "core"',
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def _device(installed: Installation, serial: str) -> dict[str, Any] | None:
    devices = installed.call("GET", "/api/devices")
    return next((device for device in devices if device["serial"] == serial), None)


def _company_shown(port: int) -> bool:
    """Returns whether the touchscreen names a company; it does once the agent has its assignment."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/events", timeout=_LIMIT_S) as events:
        view = next(line for line in events if line.startswith(b"data:"))
    return json.loads(view.removeprefix(b"data:"))["companyName"] is not None


def _wait_until(condition: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + _LIMIT_S
    while not condition():
        if time.monotonic() > deadline:
            raise Void(otherwise)
        time.sleep(0.1)
