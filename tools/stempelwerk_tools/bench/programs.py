"""Starts the servers that are measured, each as a process of its own, and ends them."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

START_LIMIT_S = 60
_STOP_LIMIT_S = 60  # it only ends a hang: a server that is killed sooner loses what it was about to write


@contextlib.contextmanager
def program(
    command: Sequence[str | Path],
    *,
    folder: Path,
    health: str,
    environment: Mapping[str, str] | None = None,
    limit_s: float = START_LIMIT_S,
) -> Iterator[subprocess.Popen[bytes]]:
    """Runs a server in `folder` until the block ends; the block begins when the URL `health` gives any answer.

    Its output goes to `folder`/output.log. Raises RuntimeError with the end of that if it does not come up.
    """
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / "output.log"
    with output.open("wb") as log:
        process = subprocess.Popen(
            [str(part) for part in command],
            cwd=folder,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    try:
        _wait(process, health, output, limit_s)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: subprocess.Popen[bytes], health: str, output: Path, limit_s: float) -> None:
    deadline = time.monotonic() + limit_s
    while True:
        try:
            with urllib.request.urlopen(health, timeout=5):  # noqa: S310 - an address of this machine
                return
        except urllib.error.HTTPError:
            return  # it answers
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                tail = output.read_text(errors="replace")[-2000:]
                raise RuntimeError(f"{process.args!r} did not start:\n{tail}") from None
            time.sleep(0.05)
