"""A file that holds a little space, so that a full disk still lets the journal do its bookkeeping.

Taps never use it: a full disk must show as "not saved" while there is still room to deliver the queue, which in turn
makes room by retention.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Reserve:
    """The file, as large as `size` bytes where the disk allows."""

    def __init__(self, path: Path, size: int) -> None:
        self._path, self._size = path, size

    def ensure(self, spare: int = 2) -> bool:
        """Makes the file if it is missing or too short; returns whether it exists now. Never raises.

        It is made if `spare` times its size is free, so that taking it does not fill the disk.
        """
        try:
            if self._path.exists() and self._path.stat().st_size >= self._size:
                return True
            figures = os.statvfs(self._path.parent)
        except OSError:
            return False
        if figures.f_bavail * figures.f_frsize < spare * self._size:
            return False
        try:
            descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT, 0o600)
            try:
                os.posix_fallocate(descriptor, 0, self._size)
            finally:
                os.close(descriptor)
        except OSError:
            self._remove()  # a part of the reserve would only take the space that taps could use
            return False
        return True

    def _remove(self) -> bool:
        try:
            self._path.unlink()
        except OSError:
            return False
        return True

    @contextmanager
    def released(self) -> Iterator[bool]:
        """Frees the reserved space inside the block; yields whether there was any. Reserves it again on leaving, if
        possible.
        """
        was_there = self._remove()
        try:
            yield was_there
        finally:
            if was_there:
                self.ensure(spare=1)
