"""The pool of child processes: starts, feeds, limits and ends them. All child processes of the service run through
it.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from stempelwerk_cloud.kit.subprocesses import child
from stempelwerk_cloud.kit.subprocesses.job import FAILED, TOO_MUCH, Job

Report = Callable[[int], object]
"""A function that receives a child process's progress: a number that its job defines."""
_LONGEST_LINE = 32


class ServiceEnds(Exception):
    """The service is stopping, and has ended its child processes."""


class SubprocessPool:
    """The child processes of one service. After `end` it starts no other."""

    def __init__(self) -> None:
        self.ended = threading.Event()
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()

    def end(self) -> None:
        """Kills all processes. Each `run` raises ServiceEnds."""
        with self._lock:
            self.ended.set()
            for process in self._processes:
                process.kill()

    def run(self, job: Job, payload: bytes, *descriptors: int, report: Report = lambda _: None) -> tuple[int, bytes]:
        """Returns the exit status of a process that does the job, and its result or error.

        A negative status is the signal that ended it: at a limit, or after `job.seconds`. `descriptors`: file
        descriptors that the process inherits, such as that of a place (`kit/limits/machine_semaphore.py`). The process
        never outlives this call. Raises ServiceEnds.
        """
        with self.started(job, descriptors) as process:
            clock = threading.Timer(job.seconds, process.kill)
            clock.daemon = True
            clock.start()
            try:
                status, content = _exchanged(process, job, payload, report)
            finally:
                clock.cancel()
        if status != 0 and self.ended.is_set():
            raise ServiceEnds
        return status, content

    @contextmanager
    def started(self, job: Job, descriptors: tuple[int, ...]) -> Iterator[subprocess.Popen[bytes]]:
        """Yields a process that lives no longer than the block. Raises ServiceEnds."""
        with self._lock:
            if self.ended.is_set():
                raise ServiceEnds
            process = self._start(job, descriptors)
            self._processes.add(process)
        try:
            yield process
        finally:
            process.kill()
            process.communicate()
            with self._lock:
                self._processes.discard(process)

    def _start(self, job: Job, descriptors: tuple[int, ...]) -> subprocess.Popen[bytes]:
        # Isolated (-I): neither its folder nor its environment decides what it imports.
        return subprocess.Popen(  # noqa: S603 -- our own program
            [sys.executable, "-I", "-m", child.__name__, json.dumps(job)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=descriptors,
            env={},
            cwd="/",
        )


def _exchanged(process: subprocess.Popen[bytes], job: Job, payload: bytes, report: Report) -> tuple[int, bytes]:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(b"%d\n" % len(payload))
        process.stdin.write(payload)
        process.stdin.flush()
    except BrokenPipeError:
        pass  # the exit status names the reason
    while (line := process.stdout.readline(_LONGEST_LINE)) not in {b"\n", b""}:
        if not line.strip().isdigit():
            return FAILED, b"the output is not a report"
        report(int(line))
    content = process.stdout.read(job.result_bytes + 1)
    if len(content) > job.result_bytes:
        return TOO_MUCH, b"the result is too large"
    return process.wait(), content
