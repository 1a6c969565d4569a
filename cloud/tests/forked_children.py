"""The service's child processes as forks: a file is made by the same code, without an interpreter's start.

Tests of the application have them. Those of the pool, of limits and of isolation start real ones
(`kit/test_subprocesses.py`, `kit/test_packing.py`, `office/test_subprocess_render.py`).
"""

import contextlib
import json
import os
import subprocess
from pathlib import Path
from typing import cast

from stempelwerk_cloud.kit.subprocesses import child
from stempelwerk_cloud.kit.subprocesses.job import Job
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool

from cloud.tests.forked import Forked


class ForkingPool(SubprocessPool):
    """A pool of forks."""

    def _start(self, job: Job, descriptors: tuple[int, ...]) -> "subprocess.Popen[bytes]":
        return cast("subprocess.Popen[bytes]", _Child(job, descriptors))


class _Child:
    """The part of a `Popen` that the program uses."""

    def __init__(self, job: Job, descriptors: tuple[int, ...]) -> None:
        input_end, stdin = os.pipe()
        stdout, output_end = os.pipe()
        null = os.open(os.devnull, os.O_WRONLY)
        self.stdin, self.stdout = os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb")
        try:
            files = {0: input_end, 1: output_end, 2: null} | {fd: fd for fd in descriptors}
            self._process = Forked(_work, json.dumps(job), environment={}, files=files)
        finally:
            for fd in (input_end, output_end, null):
                os.close(fd)
        self.pid, self.poll, self.wait = self._process.pid, self._process.poll, self._process.wait
        self.kill = self._process.kill

    def communicate(self) -> None:
        """Waits for the end, with no more input."""
        with contextlib.suppress(OSError):
            self.stdin.close()
        self.stdout.read()
        self.stdout.close()
        self.wait()


def _work(encoded: str) -> None:
    os.chdir("/")
    job = Job(*json.loads(encoded))
    # The job's limit counts from here: the server has mapped more than an interpreter.
    job = job._replace(memory_bytes=job.memory_bytes + _mapped_bytes())
    os._exit(child.main(json.dumps(job)))


def _mapped_bytes() -> int:
    pages, _, _ = Path("/proc/self/statm").read_text().partition(" ")
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
