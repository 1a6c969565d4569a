"""Runs a command with all its processes, until the last of them has ended, and measures their processor time.

A process that loses its parent (a browser's, a server that was started aside, a killed program's) becomes a child of
this program (prctl(2), PR_SET_CHILD_SUBREAPER), which waits for each and so has each one's time. It ends and names the
processes that are left running. It is a program of its own, because a process waits for all its children together.

`python -m stempelwerk_tools.testrun.whole FIGURES SHAKEN COMMAND…` ends with the command's exit status and writes
`{"processor_s": …, "left": […]}` into the file FIGURES. SHAKEN is a seed: random processes are then stopped for a
while, again and again, as on a machine that has too much to do; `-` disables that.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from stempelwerk_tools.process_tree import process_tree

_PR_SET_CHILD_SUBREAPER = 36
_LOOKS = 100
_PATIENCE_S = 60.0
"""The time limit for the remaining processes after the end of the command."""


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit status, 128 + N after signal N."""
    figures, seed, *command = arguments
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C reaches the command as well, which ends by it
    process = subprocess.Popen(command)
    done = threading.Event()
    stopper = threading.Thread(target=_stop_randomly, args=(process.pid, random.Random(seed), done))
    if seed != "-":
        stopper.start()
    status = _reap_until(process.pid)
    done.set()
    if seed != "-":
        stopper.join()
    leftovers = _end_the_rest()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    Path(figures).write_text(json.dumps({"processor_s": used.ru_utime + used.ru_stime, "left": leftovers}))
    return status if status >= 0 else 128 - status


def _reap_until(pid: int) -> int:
    while True:
        ended, status = os.wait()
        if ended == pid:
            return os.waitstatus_to_exitcode(status)


def _end_the_rest() -> list[str]:
    """Waits for the remaining processes; kills those that run after the time limit, and returns their command lines."""
    deadline = time.monotonic() + _PATIENCE_S
    leftovers: list[str] = []
    with contextlib.suppress(ChildProcessError):
        while True:
            if os.waitpid(-1, os.WNOHANG)[0]:
                continue
            if time.monotonic() > deadline:
                # Their children become ours when they are gone, and are found in the next round.
                for pid in process_tree(os.getpid())[1:]:
                    leftovers.append(_said_of(pid))
                    _signal(pid, signal.SIGKILL)
            time.sleep(0.05)
    return sorted(set(leftovers))


def _stop_randomly(ours: int, chance: random.Random, done: threading.Event) -> None:
    while not done.wait(chance.uniform(0.05, 0.5)):
        pid = chance.choice(process_tree(ours))
        _signal(pid, signal.SIGSTOP)
        done.wait(chance.uniform(0.1, 2.0))
        _signal(pid, signal.SIGCONT)


def _signal(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def _said_of(pid: int) -> str:
    """Returns the command line of a process, or its name in brackets if that is empty, for example after its end."""
    with contextlib.suppress(OSError):
        for _ in range(_LOOKS):
            line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
            if line:
                return line
            time.sleep(0.01)  # the kernel shows an empty line while a process starts its program (execve)
        return f"[{Path(f'/proc/{pid}/comm').read_text().strip()}]"
    return "gone meanwhile"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
