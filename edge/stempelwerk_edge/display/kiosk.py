"""Kiosk: starts the touchscreen's browser on a fresh profile, and restarts it when its page shows no sign of life.

`kiosk.py CONFIGURATION PROFILE BROWSER [OPTION ...]`. The package installs this file as a script of its own, which runs
as the browser's user, so it imports only the standard library.

The browser's process outlives the page that it shows: a renderer that crashed, ran out of memory or hangs leaves a dead
picture. So the page shows the agent signs of life, under a name that the kiosk draws for each start, and the kiosk asks
the agent for them.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

USUAL_HOST, USUAL_PORT = "127.0.0.1", 8090
LOST_S = 30.0
FIRST_PATIENCE_S = 60.0
LONGEST_PATIENCE_S = 480.0
_LOOK_S = 5.0
_AGENT_PAUSE_S = 1.0
_TIMEOUT_S = 5.0
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)


def agent_address(configuration: Path) -> str:
    """Returns the address of the agent's page by `[display]` of the clock's configuration.

    A missing or unreadable setting gives the default. The agent reports errors in the configuration.
    """
    try:
        display = tomllib.loads(configuration.read_text("utf-8-sig")).get("display")
    except (OSError, ValueError, RecursionError):
        display = None
    display = display if isinstance(display, dict) else {}
    host, port = display.get("host", USUAL_HOST), display.get("port", USUAL_PORT)
    return f"http://[::1]:{port}" if host == "::1" else f"http://{USUAL_HOST}:{port}"


@dataclass(frozen=True, slots=True)
class Report:
    """The agent's report of one page: seconds since its last sign (None without one) and since the agent's start."""

    heard_s: float | None
    up_s: float


class Vigil:
    """The rule when to give up a start of the browser. Pure: takes seconds of a monotonic clock.

    A page that has shown signs of life is lost after 30 s without one. A page that has not yet shown any is lost after
    `patience_s`: a small computer takes long to start a browser. An agent that does not answer, or does not know the
    signs, makes no page count as lost.
    """

    def __init__(self, started_at: float, patience_s: float = FIRST_PATIENCE_S) -> None:
        self._started_at, self._patience_s = started_at, patience_s
        self._was_shown = False

    def is_lost(self, report: Report | None, now: float) -> bool:
        """Returns whether to restart the browser."""
        if report is None:
            return False
        if report.heard_s is not None:
            self._was_shown = True
            return report.heard_s > LOST_S
        patience_s = LOST_S if self._was_shown else self._patience_s
        return min(report.up_s, now - self._started_at) > patience_s

    @property
    def next_patience_s(self) -> float:
        """The patience with the next start: doubled after a start whose page never showed itself, for a slow
        machine.
        """
        return FIRST_PATIENCE_S if self._was_shown else min(2 * self._patience_s, LONGEST_PATIENCE_S)


class Agent:
    """The agent's local server. `address` is read at each request, so the kiosk follows a changed configuration.

    No proxy that the machine's environment names is asked for the machine itself.
    """

    def __init__(self, address: Callable[[], str]) -> None:
        self.address = address
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def wait(self) -> None:
        """Returns once the agent serves its page: a browser that starts before would show an error instead."""
        while self._get("/") is None:
            time.sleep(_AGENT_PAUSE_S)

    def report(self, page: str) -> Report | None:
        """Returns the report of a page; None without an agent, or from one that knows no signs of life."""
        answer = self._get(f"/alive?page={page}")
        try:
            body = json.loads(answer or b"")
            return Report(None if body["heardS"] is None else float(body["heardS"]), float(body["upS"]))
        except (ValueError, TypeError, KeyError):
            return None

    def _get(self, path: str) -> bytes | None:
        try:
            with self._opener.open(self.address() + path, timeout=_TIMEOUT_S) as answer:
                return bytes(answer.read())
        except (OSError, ValueError):
            return None


def renew_profile(profile: Path) -> None:
    """Empties the browser's profile, which holds nothing of value.

    A lock of another host name, a database of a newer version and a damaged one all end the browser at once. Names that
    begin with a dot stay: in the unit the folder is its user's home.
    """
    for entry in profile.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)


def start(command: list[str]) -> subprocess.Popen[bytes]:
    """Starts the browser in a process group of its own; it does not outlive this process."""
    libc = ctypes.CDLL(None)
    return subprocess.Popen(  # noqa: S603 - the browser that the package's script found
        command,
        process_group=0,
        preexec_fn=lambda: libc.prctl(_DIE_WITH_PARENT, signal.SIGKILL),  # noqa: PLW1509 - no threads here
    )


def end(browser: subprocess.Popen[bytes]) -> None:
    """Ends the browser and all that it started, a stopped or hung renderer too."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(browser.pid, signal.SIGTERM)
    with contextlib.suppress(subprocess.TimeoutExpired):
        browser.wait(_TIMEOUT_S)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(browser.pid, signal.SIGKILL)
    browser.wait()


def watch(browser: subprocess.Popen[bytes], vigil: Vigil, agent: Agent, page: str) -> int | None:
    """Returns the browser's status once it ends, or None once its page is lost."""
    while True:
        try:
            return browser.wait(_LOOK_S)
        except subprocess.TimeoutExpired:
            if vigil.is_lost(agent.report(page), time.monotonic()):
                return None


def run(agent: Agent, profile: Path, command: list[str]) -> int:
    """Runs the browser until it ends, and starts it again whenever its page is lost; returns the browser's exit
    status.
    """
    patience_s = FIRST_PATIENCE_S
    while True:
        agent.wait()
        renew_profile(profile)
        page = secrets.token_hex(8)
        vigil = Vigil(time.monotonic(), patience_s)
        browser = start([*command, f"--user-data-dir={profile}", f"{agent.address()}/?page={page}"])
        try:
            status = watch(browser, vigil, agent, page)
        finally:
            end(browser)
        if status is not None:
            return status if status >= 0 else 128 - status
        patience_s = vigil.next_patience_s
        print("the page shows no sign of life: the browser is restarted", file=sys.stderr, flush=True)  # noqa: T201


def main(configuration: Path, profile: Path, command: list[str]) -> int:
    """Runs the only browser on this profile, until it ends or a signal stops this process."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, _stop)
    profile.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (profile / ".kiosk").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"the touchscreen's page is shown already (from {profile})", file=sys.stderr)  # noqa: T201
            return 1
        if not os.access(configuration, os.R_OK):
            why = f"{configuration} cannot be read: the page is expected at port {USUAL_PORT}"
            print(why, file=sys.stderr, flush=True)  # noqa: T201
        return run(Agent(lambda: agent_address(configuration)), profile, command)


def _stop(number: int, _: FrameType | None) -> NoReturn:
    sys.exit(128 + number)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]))
