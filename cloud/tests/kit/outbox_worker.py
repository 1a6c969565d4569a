"""A process that does the tasks of an outbox, for `test_outbox_processes.py`.

Its arguments are a function that waits for the other processes, the database, the data folder, the journal that all
such processes write, the current instant, and the behaviour: `dies` (kills itself after the first task, before that is
marked) or `meets` (does all, and during its first task waits for another process that is at its first).
"""

import os
import signal
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from stempelwerk_cloud.app import build_platform
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.platform import Platform

KIND = "test.line"


class At:
    """A clock that stands at this instant."""

    def __init__(self, instant: datetime) -> None:
        self._instant = instant

    def now(self) -> datetime:
        return self._instant


def main(ready: Callable[[], object], url: str, folder: str, journal: str, instant: str, behaviour: str) -> None:
    settings = Settings(database_url=url, data_dir=Path(folder))
    platform = build_platform(settings, clock=At(datetime.fromisoformat(instant)))
    began: list[str] = []

    def write(_platform: Platform, _company_id: str, _payload: Mapping[str, Any], which: str) -> None:
        write_line(journal, f"begins {which}")
        began.append(which)
        if behaviour == "meets" and len(began) == 1:
            meet(Path(folder))
        write_line(journal, f"ends {which}")
        if behaviour == "dies":
            os.kill(os.getpid(), signal.SIGKILL)

    platform.outbox.declare({KIND: write})
    ready()
    outbox.once(platform)
    platform.database.dispose()


def write_line(journal: str, line: str) -> None:
    """Appends a line to the journal in one write, so that lines of several processes do not mix."""
    with Path(journal).open("a", encoding="utf-8") as file:
        file.write(f"{os.getpid()} {line}\n")


def meet(folder: Path) -> None:
    (folder / f"{os.getpid()}.here").touch()
    deadline = time.monotonic() + 60
    while len(list(folder.glob("*.here"))) < 2:
        if time.monotonic() > deadline:
            raise TimeoutError("nobody came")
        time.sleep(0.01)
