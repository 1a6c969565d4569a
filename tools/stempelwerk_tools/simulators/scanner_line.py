"""A scanner at the end of a serial line that the kernel believes in: a pseudo terminal.

The scanner is the model, or the real firmware in the real interpreter, in a process of its own.
"""

import contextlib
import json
import os
import pty
import random
import select
import signal
import socket
import subprocess
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from .lines import LineServer, Message
from .scanner import ModelScanner

_REPOSITORY = Path(__file__).resolve().parents[3]
_FIRMWARE = _REPOSITORY / "firmware" / "simulated" / "run.mjs"
_NODE = _REPOSITORY / ".venv" / "bin" / "node"
_TICK_S = 0.05
_PATIENCE_S = 60.0


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class FarEnd(Protocol):
    """The port to a scanner at the end of a line: the model, or the real firmware."""

    def exchange(self, data: bytes, now_ms: int) -> bytes:
        """Returns the scanner's bytes after it has received these."""

    def dock(self) -> None:
        """Puts the scanner into its base."""


class ScannerLine:
    """A socket of the base, with `scanner` in it while it is plugged in. `link` is the socket's device name, which is
    missing otherwise.

    `spoil` gets all bytes on their way to the clock and may change them. `scanner` is used under `lock`.
    """

    def __init__(self, scanner: FarEnd, link: Path) -> None:
        self.scanner, self.link = scanner, link
        self.lock = threading.RLock()
        self.spoil: Callable[[bytes], bytes] = lambda data: data
        self._stop: threading.Event | None = None
        self._thread: threading.Thread | None = None
        self.plug()

    def plug(self) -> None:
        """Puts the scanner into its socket."""
        if self._thread is not None:
            return
        master, slave = pty.openpty()
        tty.setraw(slave)
        self.link.parent.mkdir(parents=True, exist_ok=True)
        fresh = self.link.with_name(f".{self.link.name}")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(slave))
        fresh.replace(self.link)
        with self.lock:
            self.scanner.dock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._carry, args=(master, slave, self._stop), daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Takes the scanner out of its socket, which hangs up the line for the program that reads it."""
        thread, self._thread = self._thread, None
        if thread is not None and self._stop is not None:
            self._stop.set()
            thread.join()
            self.link.unlink(missing_ok=True)

    def _carry(self, master: int, slave: int, stop: threading.Event) -> None:
        os.set_blocking(master, False)
        while not stop.is_set():
            ready, _, _ = select.select([master], [], [], _TICK_S)
            heard = os.read(master, 4096) if ready else b""
            with self.lock:
                outgoing = self.spoil(self.scanner.exchange(heard, _now_ms()))
            # without a reader the kernel's buffer is full, and the bytes are lost
            with contextlib.suppress(BlockingIOError):
                os.write(master, outgoing)
        os.close(slave)
        os.close(master)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.unplug()


def a_scanner(serial: str) -> ModelScanner:
    """Returns a model scanner that has power since now, by this machine's time."""
    scanner = ModelScanner(serial, random.Random())
    scanner.power_on(_now_ms())
    return scanner


def serve_scanner(line: ScannerLine, path: Path) -> LineServer:
    """Serves a model scanner at the Unix socket `path`.

    Requests: `{"do": "tap", "tag": hex}`, answered by `stored`; `{"do": "wait", "forS": seconds}`, answered by `taken`
    once its log is empty; `plug`, `unplug`.
    """
    scanner = line.scanner
    assert isinstance(scanner, ModelScanner)

    def do(request: Message) -> Message:
        match request["do"]:
            case "tap":
                uid = bytes.fromhex(str(request["tag"]))
                if len(uid) not in (4, 7, 10):
                    raise ValueError("no tag")
                with line.lock:
                    return {"stored": scanner.tap(uid, _now_ms())}
            case "wait":
                deadline = time.monotonic() + float(request["forS"])
                while scanner.flash.taps and time.monotonic() < deadline:
                    time.sleep(_TICK_S)
                return {"taken": not scanner.flash.taps}
            case "plug" | "unplug" as simple:
                getattr(line, simple)()
                return {"ok": True}
            case other:
                raise ValueError(f"unknown request {other!r}")

    return LineServer(path, do)


class FirmwareScanner:
    """The real firmware in the real interpreter. Its flash is `folder`, and outlives it.

    `maker`: the modulus of the key that signs its images, in hexadecimal digits.
    """

    def __init__(
        self, folder: Path, serial: str = "SW-SIM-00000001", capacity: int = 6144, maker: str | None = None
    ) -> None:
        options = ["--flash", str(folder), "--serial", serial, "--capacity", str(capacity)]
        options += ["--maker", maker] if maker else []
        command = [str(_NODE), str(_FIRMWARE), *options]
        # A session of its own: the environment's `node` is a program that starts the real one and waits for it.
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        assert self._process.stdout is not None
        ports = json.loads(self._process.stdout.readline())
        self._port = int(ports["port"])
        self._line: socket.socket | None = None
        self._control = socket.create_connection(("127.0.0.1", int(ports["control"])), _PATIENCE_S)
        self._answers = self._control.makefile("rb")
        self._asking = threading.Lock()

    def control(self, *words: object) -> dict[str, Any]:
        """Sends one command of firmware/README.md and returns its answer. ValueError if it is refused."""
        with self._asking:
            self._control.sendall(" ".join(map(str, words)).encode() + b"\n")
            answer: dict[str, Any] = json.loads(self._answers.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def dock(self) -> None:
        """Opens a new connection as a new line."""
        if self._line is not None:
            self._line.close()
        self._line = socket.create_connection(("127.0.0.1", self._port), _PATIENCE_S)
        self._line.setblocking(False)

    def exchange(self, data: bytes, _now_ms: int) -> bytes:
        """Sends these bytes, and returns those that have arrived."""
        assert self._line is not None
        with contextlib.suppress(OSError):  # BlockingIOError: no bytes yet; else: it is off
            if data:
                self._line.sendall(data)
            return self._line.recv(4096)
        return b""

    def close(self) -> None:
        """Ends the interpreter at once, like a power cut."""
        if self._line is not None:
            self._line.close()
        self._answers.close()
        self._control.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
