"""How much memory the clock's agent holds: the real program, with its reader's driver, company, people and taps."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most
from stempelwerk_tools.bench.installation import WEB, Installation
from stempelwerk_tools.bench.programs import program
from stempelwerk_tools.bench.sides.side import Void
from stempelwerk_tools.ports import reserved_port
from stempelwerk_tools.simulators.pty_reader import PtyReader
from stempelwerk_tools.simulators.tags import TypeA

_SERIAL = "BENCH-AGENT"
_TAPS = 20
_LIMIT_S = 30


@dataclass(frozen=True)
class Clock:
    """A running agent that is a company's: its process, and where its touchscreen's page is."""

    pid: int
    address: str


def measure(field: Field) -> list[Finding]:
    """Resident MiB after taps that have all reached the service. Raises Void."""
    _, installed = field.product()
    folder = field.folder / "agent"
    folder.mkdir()
    with PtyReader() as reader, assigned(installed, folder, reader.path, _SERIAL) as clock:
        before = field.product()[0].rows()
        for number in range(_TAPS):
            reader.hold(TypeA(bytes.fromhex(f"04B200{number:02X}5566AA"), 0x0044, 0x00))
            if not reader.wait_for_reads(number + 1):
                raise Void("the agent does not read tags")
            reader.remove()
            reader.wait_until(lambda: reader.chip.tag is None)
        _until(lambda: field.product()[0].rows() >= before + _TAPS, "the taps do not arrive")
        resident = _resident_mib(clock.pid)
    return [Finding("the agent's resident memory", at_most(64, "MiB"), resident)]


@contextlib.contextmanager
def assigned(installed: Installation, folder: Path, reader: str, serial: str) -> Iterator[Clock]:
    """An agent on the reader at that path, enrolled and assigned, that knows whose it is. Raises Void.

    Its touchscreen's page is there if it has been built.
    """
    port = reserved_port()
    config = _config(folder, installed.origin, reader, port, serial)
    with _agent(config, folder, port):
        _until(lambda: _device(installed, serial) is not None, "the agent does not enrol")
    device = _device(installed, serial) or {}
    installed.call("POST", f"/api/devices/{device['id']}/assign-company", {"companyId": installed.company})
    with _agent(config, folder, port) as process:
        _until(lambda: _company_shown(port), "the agent does not learn whose it is")  # earlier taps are nobody's
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
    found = installed.call("GET", "/api/devices")
    return next((one for one in found if one["serial"] == serial), None)


def _company_shown(port: int) -> bool:
    """Whether the touchscreen names a company, which it does once the agent has its assignment."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/events", timeout=_LIMIT_S) as events:
        view = next(line for line in events if line.startswith(b"data:"))
    return json.loads(view.removeprefix(b"data:"))["companyName"] is not None


def _until(condition: Callable[[], bool], otherwise: str) -> None:
    deadline = time.monotonic() + _LIMIT_S
    while not condition():
        if time.monotonic() > deadline:
            raise Void(otherwise)
        time.sleep(0.1)


def _resident_mib(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    match = re.search(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
    assert match
    return int(match[1]) / 1024
