"""A PN532 at the end of a serial line that the kernel believes in: a pseudo terminal.

An unmodified driver opens `path` like any serial port, changes its speed, is refused an answer, finds the line gone.
The line's speed is taken from the terminal's own settings, so a host and a chip that disagree do not hear each other,
as on a real wire. Bytes take no time here; noise on the air between chip and tag is not simulated.
"""

import enum
import os
import pty
import select
import termios
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from .pn532 import ACK, Pn532
from .tags import Tag

_SPEEDS = {getattr(termios, f"B{rate}"): rate for rate in (9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600)}


class Fault(enum.StrEnum):
    """The faults that the line can have; each spoils the answer to one command."""

    SILENT = "silent"  # neither acknowledgement nor response
    NO_ANSWER = "no_answer"  # acknowledged, then nothing
    BAD_CHECKSUM = "bad_checksum"
    TRUNCATED = "truncated"
    NOISE = "noise"  # bytes that are no frame


def spoil(answer: tuple[bytes, ...], fault: Fault) -> bytes:
    """Returns the part of an answer that reaches the host under a fault."""
    response = answer[-1]
    match fault:
        case Fault.SILENT:
            return b""
        case Fault.NO_ANSWER:
            return ACK
        case Fault.BAD_CHECKSUM:
            return ACK + response[:-2] + bytes([response[-2] ^ 0x55]) + response[-1:]
        case Fault.TRUNCATED:
            return ACK + response[: len(response) // 2]
        case Fault.NOISE:
            return b"\xa5" * 9


class PtyReader:
    """A reader that a test, or another process by way of `control`, holds tags to, breaks, unplugs and plugs in again.

    `link`, if given, is kept as a symbolic link to the present terminal and is missing while unplugged, as a
    device's name under /dev is. All methods may be called from any thread.
    """

    def __init__(self, link: Path | None = None) -> None:
        self.chip = Pn532()
        self._link = link
        self._lock = threading.Condition()
        self._faults: list[Fault] = []
        self._lasting: Fault | None = None
        self._held_up_s = 0.0
        self._master = self._slave = -1
        self._wake_in, self._wake_out = os.pipe()
        self._thread: threading.Thread | None = None
        self._removal: threading.Timer | None = None
        self._path = ""
        self.plug()

    @property
    def path(self) -> str:
        """Where a driver finds the reader: the link, else the terminal itself."""
        return str(self._link) if self._link else self._path

    def plug(self) -> None:
        """Connects the reader, freshly powered, at a new terminal. Does nothing while it is connected."""
        with self._lock:
            if self._thread:
                return
            self._master, self._slave = pty.openpty()
            tty.setraw(self._slave)
            self._path = os.ttyname(self._slave)
            self.chip.power_cycle()
            if self._link:
                self._link.parent.mkdir(parents=True, exist_ok=True)
                fresh = self._link.with_name(self._link.name + ".new")
                fresh.unlink(missing_ok=True)
                fresh.symlink_to(self._path)
                fresh.replace(self._link)
            self._thread = threading.Thread(target=self._serve, args=(self._master,), name="pn532", daemon=True)
            self._thread.start()

    def unplug(self) -> None:
        """Pulls the cable, which hangs up the driver."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is None:
            return
        os.write(self._wake_out, b"x")
        thread.join()
        os.read(self._wake_in, 1)
        if self._link:
            self._link.unlink(missing_ok=True)
        os.close(self._slave)
        os.close(self._master)

    def close(self) -> None:
        """Unplugs the reader, cancels a pending removal and closes its pipe; `plug` must not be called afterwards."""
        self._cancel_removal()
        self.unplug()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def hold(self, tag: Tag, for_s: float | None = None) -> None:
        """Holds a tag to the reader, for `for_s` seconds or until `remove`; a tag that lies there is taken away."""
        self._cancel_removal()
        with self._lock:
            self.chip.tag = tag
            late = self.chip.look_again()
            if late:
                os.write(self._master, late)
            self._lock.notify_all()
        if for_s is not None:
            self._removal = threading.Timer(for_s, self.remove)
            self._removal.daemon = True
            self._removal.start()

    def remove(self) -> None:
        """Takes the tag away."""
        with self._lock:
            self.chip.tag = None

    def power_cycle(self) -> None:
        """Lets the supply dip: the chip forgets its configuration, the line stays."""
        with self._lock:
            self.chip.power_cycle()

    def fail(self, fault: Fault, times: int | None = 1) -> None:
        """Spoils the answers to the next `times` commands; None: to all until `recover`."""
        with self._lock:
            self._faults = [fault] * (times or 0)
            self._lasting = fault if times is None else None

    def hold_up(self, for_s: float) -> None:
        """Delays the answer to the next command by `for_s` seconds, as on a computer that is busy elsewhere."""
        with self._lock:
            self._held_up_s = for_s

    def recover(self) -> None:
        """Ends every fault on the line."""
        with self._lock:
            self._faults, self._lasting = [], None

    def wait_until(self, condition: Callable[[], bool], timeout_s: float = 60.0) -> bool:
        """Waits until `condition` holds, which is evaluated after each exchange on the line. Returns False after the
        timeout.
        """
        with self._lock:
            return self._lock.wait_for(condition, timeout_s)

    def wait_for_reads(self, count: int, timeout_s: float = 60.0) -> bool:
        """Waits until tags have been read `count` times in all since the reader was made."""
        return self.wait_until(lambda: self.chip.reads >= count, timeout_s)

    def _cancel_removal(self) -> None:
        if self._removal:
            self._removal.cancel()
            self._removal.join()
            self._removal = None

    def _serve(self, master: int) -> None:
        while True:
            ready, _, _ = select.select([master, self._wake_in], [], [])
            if self._wake_in in ready:
                return
            data = os.read(master, 4096)
            with self._lock:
                self._exchange(master, data)
                self._lock.notify_all()

    def _exchange(self, master: int, data: bytes) -> None:
        # The slave's settings; reading them from the master works on Linux, from the slave it works everywhere.
        speed = _SPEEDS.get(termios.tcgetattr(self._slave)[5], 0)
        if not self.chip.speaks(speed):
            return
        late_s, self._held_up_s = self._held_up_s, 0.0
        time.sleep(late_s)
        for answer in self.chip.receive(data):
            fault = self._faults.pop(0) if self._faults else self._lasting
            os.write(master, spoil(answer, fault) if fault else b"".join(answer))
