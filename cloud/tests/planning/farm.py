"""A farm that examines many files like the service does, each in its own process, which is forked for speed.

`python farm.py` reads (media type, content) from stdin, each after its length, and answers likewise.
"""

import os
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from stempelwerk_cloud.kit.files.rewriting.jobs import CSV, job_of
from stempelwerk_cloud.kit.subprocesses import child


class Farm:
    """One process that forks; one file at a time."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._lock = threading.Lock()

    def look(self, content: bytes, media_type: str) -> tuple[int, bytes]:
        """The exit status (negative: the signal that ended it), and what was written."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            for part in (media_type.encode(), content):
                self._process.stdin.write(struct.pack(">q", len(part)) + part)
            self._process.stdin.flush()
            (status,) = struct.unpack(">q", self._process.stdout.read(8))
            return status, _part(self._process.stdout)


@contextmanager
def farm() -> Iterator[Farm]:
    with subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield Farm(process)
        assert process.stdin is not None
        process.stdin.close()


def _part(source: IO[bytes]) -> bytes:
    (length,) = struct.unpack(">q", source.read(8))
    return source.read(length)


def _serve() -> None:
    for media_type in ("image/png", "application/pdf", CSV):
        child.load(job_of(media_type))
    while head := sys.stdin.buffer.read(8):
        media_type = sys.stdin.buffer.read(*struct.unpack(">q", head)).decode()
        content = _part(sys.stdin.buffer)
        ours, theirs = os.pipe()
        pid = os.fork()
        if pid == 0:
            status, output = child.result_of(job_of(media_type), content)
            with os.fdopen(theirs, "wb") as out:
                out.write(output)
            os._exit(status)
        os.close(theirs)
        with os.fdopen(ours, "rb") as pipe:
            output = pipe.read()
        _, ended = os.waitpid(pid, 0)
        sys.stdout.buffer.write(struct.pack(">qq", os.waitstatus_to_exitcode(ended), len(output)) + output)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    _serve()
