"""The thread that keeps the scanners' serial lines going: finds them, opens them, carries bytes, opens them again.

A base's socket appears as a device file when a scanner is put into it. A line that fails is closed and looked for
again. The thread never gives up, and knows nothing of frames.

It never waits for a line: bytes that a line does not take at once are lost, and sent again on request. It pauses as
long as it works, so that lines that never stop sending leave processor time to the clock's own reader.
"""

import glob
import logging
import os
import selectors
import termios
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import serial

from stempelwerk_edge.configuration import MOST_LINES
from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.satellites.base import Satellites
from stempelwerk_edge.satellites.session import Line

log = logging.getLogger(__name__)

BAUD = 115_200
_LOOK_EVERY_S = 1.0
_BACK_OFF_S = 5.0
_READ_BYTES = 1024
_LONGEST_REST_S = 0.05


@dataclass(frozen=True, slots=True)
class _Open:
    """An open serial port, and the state of the scanner's session at its end."""

    path: str
    port: serial.Serial
    line: Line


class Lines:
    """The lines at `paths` (device files, or patterns of their names), at most twelve at once; never the `reader`'s.

    `monotonic` gives seconds.
    """

    def __init__(
        self,
        base: Satellites,
        paths: Sequence[str],
        reader: str | None = None,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._base, self._paths, self._reader, self._monotonic = base, paths, reader, monotonic
        self._open: dict[str, _Open] = {}
        self._not_before: dict[str, float] = {}
        self._selector = selectors.DefaultSelector()
        self._wake_in, self._wake_out = os.pipe()
        self._selector.register(self._wake_in, selectors.EVENT_READ)
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begins in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name="scanners", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends, and waits for the end."""
        os.write(self._wake_out, b"x")
        if self._thread is not None:
            self._thread.join()
        for opened in list(self._open.values()):
            self._close(opened)
        self._selector.close()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def _run(self) -> None:
        look_at = 0.0
        while True:
            try:
                now = self._monotonic()
                if now >= look_at:
                    look_at = now + _LOOK_EVERY_S
                    self._look()
                ready, began = self._selector.select(max(0.0, look_at - now)), self._monotonic()
                for key, _ in ready:
                    if key.data is None:
                        return
                    self._carry(key.data)
                time.sleep(min(self._monotonic() - began, _LONGEST_REST_S))
            except Exception:
                log.exception("scanners: unexpected failure")
                time.sleep(_LOOK_EVERY_S)

    def _look(self) -> None:
        """Opens lines that have appeared, and sends what is due on each, such as the offer to adopt a new scanner."""
        for path in self._find_new_paths():
            if len(self._open) < MOST_LINES and self._monotonic() >= self._not_before.get(path, 0.0):
                self._try(path)
        for opened in list(self._open.values()):
            self._write(opened, partial(self._base.offer, opened.line))

    def _find_new_paths(self) -> list[str]:
        """Returns the device files that are there and not open, by their real paths: one has several names."""
        names = [name for pattern in self._paths for name in sorted(glob.glob(pattern))]  # noqa: PTH207 - whole paths
        real = dict.fromkeys(os.path.realpath(name) for name in names)
        in_use = {*self._open, os.path.realpath(self._reader)} if self._reader else set(self._open)
        return [path for path in real if path not in in_use]

    def _try(self, path: str) -> None:
        try:
            port = serial.Serial(path, BAUD, timeout=0, exclusive=True)
            opened = _Open(path, port, self._base.line())
            self._selector.register(port.fileno(), selectors.EVENT_READ, opened)
        except (OSError, ValueError) as fault:
            self._not_before[path] = self._monotonic() + _BACK_OFF_S
            log.warning("scanner's line %s: %s", Path(path).name, fault)
            return
        self._open[path] = opened

    def _carry(self, opened: _Open) -> None:
        """Reads the bytes that have come, and answers them."""
        if self._open.get(opened.path) is not opened:
            return
        try:
            data = os.read(opened.port.fileno(), _READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:  # hung up
            self._close(opened)
            return
        self._write(opened, partial(self._base.received, opened.line, data))

    def _write(self, opened: _Open, produce: Callable[[], bytes]) -> None:
        """Writes as much as the line takes at once. Every fault stays confined to this line."""
        try:
            data = produce()
            if data:
                os.write(opened.port.fileno(), data)
        except (BlockingIOError, JournalError):
            return
        except OSError:
            self._close(opened)
        except Exception:
            log.exception("scanner's line %s", Path(opened.path).name)
            self._close(opened)

    def _close(self, opened: _Open) -> None:
        """Closes a line; it is looked for again after a while."""
        self._open.pop(opened.path, None)
        self._not_before[opened.path] = self._monotonic() + _LOOK_EVERY_S
        with suppress(OSError, ValueError, KeyError):
            self._selector.unregister(opened.port.fileno())
        with suppress(OSError, termios.error, serial.SerialException):
            opened.port.reset_output_buffer()  # or closing waits until the buffer is read
        with suppress(OSError, serial.SerialException):
            opened.port.close()
        self._base.unplugged(opened.line)
