"""A real clock for tests: `stempelwerk-edge run` as a process, a PN532 on a pseudo terminal, LEDs that are files.

Tests read what the person at the clock would notice: the touchscreen's event stream and the lights.
"""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from stempelwerk_edge.cloud.identity import load_or_make
from stempelwerk_edge.cloud.wire import PeopleChange, PersonRow
from stempelwerk_edge.machine.hardware import SystemMachine
from stempelwerk_edge.storage.journal import connect_sqlite
from stempelwerk_edge.storage.rescue import copied
from stempelwerk_edge.storage.snapshot import Snapshot
from stempelwerk_tools.ports import reserved_port
from stempelwerk_tools.simulators.pty_reader import PtyReader
from stempelwerk_tools.simulators.tags import ntag

PROGRAM = str(Path(sys.executable).with_name("stempelwerk-edge"))
PATIENCE_S = 300.0
"""It only ends a hang: on a busy machine the start of a program takes minutes."""


class Screen:
    """The touchscreen's event stream, as the page hears it: `view` is the last state, `changed` is notified of each.

    `answer` is the last one, even if it has gone again before a test looked.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self._closed = False
        self.view: dict[str, Any] = {}
        self.answer: dict[str, Any] | None = None
        self.changed = threading.Condition()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while not self._closed:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/events", timeout=PATIENCE_S) as stream:
                    for line in stream:
                        if self._closed:
                            return
                        if line.startswith(b"data:"):
                            with self.changed:
                                self.view = json.loads(line[5:])
                                self.answer = self.view["answer"] or self.answer
                                self.changed.notify_all()
            except OSError:
                time.sleep(0.05)  # the program is not up, or was killed

    def wait_for(self, condition: Callable[[dict[str, Any]], bool], limit_s: float = PATIENCE_S) -> bool:
        with self.changed:
            return self.changed.wait_for(lambda: bool(self.view) and condition(self.view), limit_s)

    def forget(self) -> None:
        """Clears the view after the end of the program."""
        with self.changed:
            self.view, self.answer = {}, None

    def close(self) -> None:
        self._closed = True
        self._thread.join()


class Light:
    """An LED's file as the kernel offers it, here a pipe: `lit` counts how often it was switched on."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        os.mkfifo(folder / "brightness")
        self.lit = 0
        self._changed = threading.Condition()
        self._pipe = os.open(folder / "brightness", os.O_RDWR)
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _watch(self) -> None:
        while (data := os.read(self._pipe, 4096)) != b"end\n":
            with self._changed:
                self.lit += data.count(b"1")
                self._changed.notify_all()

    def wait_for_more(self, than: int) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: self.lit > than, PATIENCE_S)

    def close(self) -> None:
        os.write(self._pipe, b"end\n")
        self._thread.join()
        os.close(self._pipe)


class ClockProcess:
    """One clock; its folder is its card, and outlives every kill."""

    def __init__(
        self,
        folder: Path,
        cloud_url: str,
        *,
        ca_file: Path | None = None,
        data: Path | None = None,
        pages: Path | None = None,
    ) -> None:
        self.folder = folder
        self.data = data or folder / "data"
        folder.mkdir(parents=True)
        self.green, self.red = Light(folder / "green"), Light(folder / "red")
        self.reader = PtyReader(folder / "reader")
        self.port = reserved_port()
        self.config = folder / "clock.toml"
        ca_line = f'ca_file = "{ca_file}"' if ca_file else ""
        pages_line = f'assets = "{pages}"\n' if pages else ""
        self.config.write_text(
            f'data_dir = "{self.data}"\n[cloud]\nurl = "{cloud_url}"\n{ca_line}\n'
            f'[reader]\nkind = "pn532"\npath = "{self.reader.path}"\n'
            f'[display]\nport = {self.port}\n{pages_line}[device]\nserial = "T-{folder.name}"\n'
            f'[signals]\ngreen = "{folder / "green"}"\nred = "{folder / "red"}"\n'
        )
        self.process: subprocess.Popen[bytes] | None = None
        self.screen = Screen(self.port)

    def start(self, environment: dict[str, str] | None = None) -> None:
        with (self.folder / "output.log").open("ab") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "run", "--config", str(self.config)],
                env={**os.environ, **(environment or {})},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        """Kills the program, as kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        process, self.process = self.process, None
        if process is not None:
            process.send_signal(number)
            process.wait()
            self.screen.forget()

    def close(self) -> None:
        self.stop()
        self.screen.close()
        self.reader.close()
        self.green.close()
        self.red.close()

    def ready(self) -> None:
        assert self.screen.wait_for(lambda view: view["reader"] == "ok"), self.output()

    def tap(self, uid: bytes, limit_s: float = PATIENCE_S) -> dict[str, Any] | None:
        """Holds a tag until the screen answers; returns the answer, or None after the timeout."""
        answer_before = (self.screen.answer or {}).get("key")
        self.reader.hold(ntag(uid))
        try:
            answered = self.screen.wait_for(
                lambda _: self.screen.answer is not None and self.screen.answer["key"] != answer_before, limit_s
            )
            return self.screen.answer if answered else None
        finally:
            reads = self.reader.chip.commands.total()
            self.reader.remove()
            self.reader.wait_until(lambda: self.reader.chip.commands.total() > reads + 4, 1.0)

    @contextlib.contextmanager
    def journal(self) -> Iterator[sqlite3.Connection]:
        """Opens a copy of the journal, because the program locks the file."""
        with tempfile.TemporaryDirectory() as scratch:
            copy = copied(self.data / "journal" / "journal.db", Path(scratch))
            with contextlib.closing(sqlite3.connect(copy)) as database:
                yield database

    def rows(self) -> int:
        """Returns the number of stamps on the card."""
        with self.journal() as database:
            return database.execute("SELECT count(*) FROM stamps").fetchone()[0]

    def knows(self, *tags: str) -> None:
        """Gives the clock, before its start, a key and people as if from the cloud."""
        load_or_make(self.data, SystemMachine(None, self.data).hardware.all_ids)
        people = Snapshot(self.data, connect_sqlite, lambda *_: None)
        rows = [PersonRow(f"user-{tag}", f"Person {tag}", (tag,), "out", None, 0, 0, 0) for tag in tags]
        people.apply(PeopleChange("1", True, tuple(rows), ()), 0, date(2026, 1, 1))
        people.close()

    def output(self) -> str:
        return (self.folder / "output.log").read_text(errors="replace")[-4000:]


@contextlib.contextmanager
def clock(folder: Path, cloud_url: str, *, knows: Sequence[str] = (), **options: Any) -> Iterator[ClockProcess]:
    new_clock = ClockProcess(folder, cloud_url, **options)
    new_clock.knows(*knows)
    try:
        new_clock.start()
        new_clock.ready()
        yield new_clock
    finally:
        new_clock.close()
