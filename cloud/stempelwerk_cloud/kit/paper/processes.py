"""The processes that draw for this one (`drawing.py`), and that end with its service."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from stempelwerk_cloud.kit.outbox.tasks import Later
from stempelwerk_cloud.kit.paper import drawing
from stempelwerk_cloud.kit.paper.orders import Order


class NotDrawn(Later):
    """No place was free, or the process that drew has died, or ended with the service: another time it may go well."""


class Drawing:
    """Once it has ended, nothing is drawn any more."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    def end(self) -> None:
        """Ends all of them for good. Whoever waits for one hears NotDrawn."""
        with self._lock:
            self.ended.set()
            for process in self._processes:
                process.kill()

    @contextmanager
    def process(self, kind: type[Order], place: BinaryIO) -> Iterator[subprocess.Popen[bytes]]:
        """One that lives no longer than the block, and holds the place for as long. NotDrawn at the end."""
        command = [sys.executable, "-I", "-m", drawing.__name__, kind.__module__, kind.__name__]
        with self._lock:
            if self.ended.is_set():
                raise ended()
            process = subprocess.Popen(  # noqa: S603 -- our own program
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                pass_fds=[place.fileno()],
                env={},
                cwd="/",
            )
            self._processes.add(process)
        try:
            yield process
        finally:
            process.kill()
            process.communicate()
            with self._lock:
                self._processes.discard(process)


def ended() -> NotDrawn:
    return NotDrawn(1, "the service ends")
