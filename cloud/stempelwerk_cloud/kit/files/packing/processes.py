"""Child processes that pack files (`child.py`), one frame of data at a time."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import BinaryIO, Final

import structlog

from stempelwerk_cloud.kit.files.packing import child, frames
from stempelwerk_cloud.kit.limits.bulkheads import Bulkhead
from stempelwerk_cloud.kit.limits.fair_semaphore import FairLimiter
from stempelwerk_cloud.kit.subprocesses.job import Job
from stempelwerk_cloud.kit.subprocesses.pool import ServiceEnds, SubprocessPool

AT_ONCE: Final = 2
"""The most pieces that are made at once, for all companies together; for one company it is one."""
FRAME_S: Final = 60.0
"""Seconds that packing one frame may take; then the process is killed."""
JOB: Final = Job(
    function=f"{child.__name__}:{child.pack.__name__}",
    argument="",
    memory_bytes=512 * 1024 * 1024,
    cpu_seconds=900,
    seconds=FRAME_S,
    result_bytes=0,
    nice=10,
    opens_files=True,
    streams=True,
)
"""The limits of a packing process. It needs 30 to 150 MB, because the largest table of a page is in memory as a whole.
An archive of 500 people takes half a minute; the rest is for slow machines.
"""
log = structlog.get_logger(__name__)


class NotPacked(Exception):
    """The packing process died, took too long, or ended with the service. The file is incomplete."""


class Packing:
    """The resources for packing. `turns` limits the making of pieces, by company; `threads` wait for the processes;
    `disk` writes the spools' files.
    """

    def __init__(self, pool: SubprocessPool) -> None:
        self.turns = FairLimiter(AT_ONCE)
        self.threads = Bulkhead("packing", threads=AT_ONCE, permits=AT_ONCE)
        self.disk = Bulkhead("spool", threads=2, permits=2)
        self._pool = pool

    @contextmanager
    def packer(self, module: str, place: BinaryIO) -> Iterator["Packer"]:
        """Yields a packer, which is ended after the block. Its process holds the open file `place` until then."""
        packer = Packer(self._pool, module, place)
        try:
            yield packer
        finally:
            packer.end()


class Packer:
    """A process that packs one file. It starts with the first frame. `pack` and `close` block, so call them on a
    thread.
    """

    def __init__(self, pool: SubprocessPool, module: str, place: BinaryIO) -> None:
        self._pool, self._job, self._place = pool, JOB._replace(argument=module), place
        self._held = ExitStack()
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._lock = threading.Lock()

    def pack(self, frame: bytes) -> bytes:
        """Packs a frame; returns the bytes that it adds to the file. Raises NotPacked."""
        process = self._begun()
        watch = threading.Timer(self._job.seconds, process.kill)
        watch.start()
        try:
            return _answer(process, frame)
        finally:
            watch.cancel()

    def close(self) -> bytes:
        """Finishes the file; returns its last bytes. Raises NotPacked."""
        return self.pack(frames.END)

    def end(self) -> None:
        """Kills the process."""
        with self._lock:
            self._ended = True
            self._held.close()

    def _begun(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._ended:
                raise NotPacked
            if self._process is None:
                try:
                    started = self._pool.started(self._job, (self._place.fileno(),))
                    self._process = self._held.enter_context(started)
                except ServiceEnds:
                    raise NotPacked from None
            return self._process


def _answer(process: subprocess.Popen[bytes], frame: bytes) -> bytes:
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        frames.write(process.stdin, frame)
        answer = frames.read(process.stdout)
    except (OSError, ValueError):  # it has gone, or its pipes are closed
        answer = None
    if answer is None:
        log.error("not_packed", status=process.poll())
        raise NotPacked
    return answer
