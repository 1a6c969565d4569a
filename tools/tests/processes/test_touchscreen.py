"""The touchscreen's page in a real Chromium, as the package starts it, with a real clock: it comes up, and back.

A page counts as shown once the agent has a sign of life of it: its script runs and its stream is open.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from stempelwerk_tools.packages.program import ROOT
from stempelwerk_tools.process_tree import process_tree

from tools.tests.processes.clock_process import ClockProcess
from tools.tests.processes.service_process import wait_for

pytestmark = pytest.mark.prove

NOBODY = "http://127.0.0.1:9"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
HEADLESS = f'#!/bin/sh\nexec {CHROMIUM} --headless=new --no-sandbox --disable-gpu "$@"\n'
WITHIN_S = 60.0
FRESH_S = 8.0


class Touchscreen:
    """The kiosk's script next to a clock; its folder outlives a restart of the machine."""

    def __init__(self, folder: Path, clock: ClockProcess) -> None:
        self._folder, self._clock = folder, clock
        self.profile = folder / "profile"
        self.profile.mkdir(parents=True)
        shutil.copy(ROOT / "edge/deploy/lib/kiosk", folder)
        shutil.copy(ROOT / "edge/stempelwerk_edge/display/kiosk.py", folder)
        (folder / "chromium").write_text(HEADLESS)
        (folder / "chromium").chmod(0o755)
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        environment = {
            "PATH": f"{self._folder}:/usr/bin:/bin",
            "HOME": str(self._folder),
            "STATE_DIRECTORY": str(self.profile),
            "STEMPELWERK_CONFIG": str(self._clock.config),
        }
        with (self._folder / "output.log").open("ab") as log:
            self.process = subprocess.Popen([self._folder / "kiosk"], env=environment, stdout=log, stderr=log)

    def page(self) -> str | None:
        """Returns the name that the kiosk gave the page of the present browser."""
        names = [re.search(r"\?page=(\w+)", line) for line in self._commands().values() if "--type=" not in line]
        return next((name[1] for name in names if name), None)

    def is_shown(self) -> bool:
        """Returns whether the page of the present browser has shown life lately."""
        with contextlib.suppress(OSError):
            address = f"http://127.0.0.1:{self._clock.port}/alive?page={self.page()}"
            heard_s = json.load(urllib.request.urlopen(address, timeout=5))["heardS"]
            return heard_s is not None and heard_s < FRESH_S
        return False

    def renderers(self) -> list[int]:
        return [pid for pid, line in self._commands().items() if "--type=renderer" in line]

    def _commands(self) -> dict[int, str]:
        assert self.process is not None
        commands = {}
        for pid in process_tree(self.process.pid):
            with contextlib.suppress(OSError):
                commands[pid] = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
        return commands

    def cut_power(self) -> None:
        """Kills all processes at once; the files stay as they are."""
        if self.process is not None:
            for pid in process_tree(self.process.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


@pytest.fixture
def clock(tmp_path: Path) -> Iterator[ClockProcess]:
    assert (ROOT / "web/dist/kiosk/index.html").is_file(), "not built (make build)"
    process = ClockProcess(tmp_path / "clock", NOBODY, pages=ROOT / "web/dist/kiosk")
    process.start()
    yield process
    process.close()


@pytest.fixture
def touchscreen(tmp_path: Path, clock: ClockProcess) -> Iterator[Touchscreen]:
    kiosk = Touchscreen(tmp_path / "kiosk", clock)
    yield kiosk
    kiosk.cut_power()


def stale_lock_of_another_name(profile: Path) -> None:
    for name, leads_to in (("Lock", "another-host-4711"), ("Cookie", "4711"), ("Socket", "/tmp/gone/SingletonSocket")):
        (profile / f"Singleton{name}").symlink_to(leads_to)


def newer_version(profile: Path) -> None:
    (profile / "Default").mkdir()
    (profile / "Last Version").write_text("999.0.0.0")
    (profile / "Local State").write_text('{"user_experience_metrics": 9}')
    (profile / "Default/Preferences").write_text('{"profile": {"created_by_version": "999.0.0.0"}}')
    for name in ("Web Data", "History", "Favicons"):
        with contextlib.closing(sqlite3.connect(profile / "Default" / name)) as database, database:
            database.execute("CREATE TABLE meta (key LONGVARCHAR UNIQUE PRIMARY KEY, value LONGVARCHAR)")
            database.execute("INSERT INTO meta VALUES ('version', '9999'), ('last_compatible_version', '9999')")


def damage(profile: Path) -> None:
    (profile / "Default").write_text("a file where a folder should be")
    (profile / "Local State").write_bytes(b"\0" * 4096)


@pytest.mark.parametrize("leave", [stale_lock_of_another_name, newer_version, damage], ids=lambda leave: leave.__name__)
def test_the_page_comes_up_whatever_a_browser_before_has_left(
    touchscreen: Touchscreen, leave: Callable[[Path], None]
) -> None:
    leave(touchscreen.profile)
    touchscreen.start()
    wait_for(touchscreen.is_shown, "no page is shown")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["crashed", "hung"])
def test_a_dead_page_is_shown_again_within_a_minute(touchscreen: Touchscreen, number: signal.Signals) -> None:
    touchscreen.start()
    wait_for(touchscreen.is_shown, "no page is shown")
    first_page, died_at = touchscreen.page(), time.monotonic()
    for renderer in touchscreen.renderers():
        os.kill(renderer, number)
    wait_for(lambda: touchscreen.page() != first_page and touchscreen.is_shown(), "no new page is shown")
    assert time.monotonic() - died_at < WITHIN_S


def test_the_page_finds_an_agent_that_was_killed_again_in_the_same_browser(
    touchscreen: Touchscreen, clock: ClockProcess
) -> None:
    touchscreen.start()
    wait_for(touchscreen.is_shown, "no page is shown")
    first_page = touchscreen.page()
    for _ in range(2):
        clock.kill()
        clock.start()
        wait_for(touchscreen.is_shown, "no page is shown")
    assert touchscreen.page() == first_page


@pytest.mark.parametrize("kiosk_first", [True, False])
def test_the_page_comes_up_after_a_power_cut_whatever_starts_first(
    touchscreen: Touchscreen, clock: ClockProcess, kiosk_first: bool
) -> None:
    touchscreen.start()
    wait_for(touchscreen.is_shown, "no page is shown")
    touchscreen.cut_power()
    clock.kill()
    start_functions = [touchscreen.start, clock.start]
    for start in start_functions if kiosk_first else reversed(start_functions):
        start()
    wait_for(touchscreen.is_shown, "no page is shown")


def test_a_kiosk_that_is_told_to_stop_takes_its_browser_with_it(touchscreen: Touchscreen) -> None:
    touchscreen.start()
    wait_for(touchscreen.is_shown, "no page is shown")
    assert touchscreen.process is not None
    processes = process_tree(touchscreen.process.pid)
    touchscreen.process.terminate()
    touchscreen.process.wait()
    wait_for(lambda: not any(Path(f"/proc/{pid}/exe").exists() for pid in processes), "it lives on")
