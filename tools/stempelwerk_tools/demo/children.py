"""The demo's programs as child processes: each starts in its own session, they stop in order, and no process is
orphaned.

It does not restart a child that died: `restarts.py` decides when that is due.
"""

import contextlib
import ctypes
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import httpx

_PR_SET_PDEATHSIG = 1
_LAST_LINES = 12
_REQUEST = '"logger": "requests"'
_LIBC = ctypes.CDLL(None)


class ChildFailed(RuntimeError):
    """A program did not come up; the text holds the end of its output."""


class Child:
    """One program: `command` is a module of this Python and its arguments, `environment` its whole environment."""

    def __init__(self, name: str, command: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
        self.name, self._command, self.log, self._environment = name, list(command), log, dict(environment)
        self._process: subprocess.Popen[bytes] | None = None
        self._begun_at = 0

    @property
    def pid(self) -> int | None:
        """The process, None while stopped."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Starts the program. Only from the main thread: the kernel ends a child with the thread that started it."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self._begun_at = log.tell()
            self._process = subprocess.Popen(
                [sys.executable, "-m", *self._command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment,
                start_new_session=True,  # Ctrl-C reaches only the demo, which stops its children in order
                preexec_fn=_end_with_parent,  # noqa: PLW1509 - one prctl, no locks
            )

    def ended(self) -> int | None:
        """Returns the exit status of a program that ended on its own; None while it runs or after `stop`."""
        return self._process.poll() if self._process else None

    def stop(self, patience_s: float = 10.0) -> None:
        """Sends SIGTERM, waits, and kills the program after `patience_s`."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            process.wait(patience_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def forget(self) -> None:
        """Records that the program has ended on its own."""
        if self._process:
            self._process.wait()
            self._process = None

    def last_lines(self) -> str:
        """Returns the end of the output since the start, without the requests served."""
        with self.log.open("rb") as log:
            log.seek(self._begun_at)
            lines = log.read().decode("utf-8", "replace").splitlines()
        telling = [line for line in lines if _REQUEST not in line]
        # The service's log is JSON, its refusals are not.
        plain = [line for line in telling if not line.startswith("{")]
        return "\n".join(f"  {line}" for line in (plain or telling)[-_LAST_LINES:])

    def wait_until_up(self, url: str, limit_s: float = 30.0, sleep: Callable[[float], None] = time.sleep) -> None:
        """Waits until `url` answers 200. ChildFailed if the program ends before that or takes longer."""
        deadline = time.monotonic() + limit_s
        with httpx.Client(timeout=5, trust_env=False) as client:
            while time.monotonic() < deadline:
                if self.ended() is not None:
                    raise ChildFailed(f"{self.name} ist nicht gestartet:\n{self.last_lines()}\n  Protokoll: {self.log}")
                with contextlib.suppress(httpx.HTTPError):
                    if client.get(url).status_code == httpx.codes.OK:
                        return
                sleep(0.05)
        raise ChildFailed(f"{self.name} antwortet nicht unter {url}:\n{self.last_lines()}\n  Protokoll: {self.log}")


def _end_with_parent() -> None:
    """Sends SIGTERM to this process when its parent dies, so that a killed demo leaves no programs running."""
    _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
