"""Locks the clock's data folder for one agent, since two would share a key, a journal and a reader; and keeps it
private to the agent's user.
"""

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILE_NAME = "lock"


@contextmanager
def sole_instance(directory: Path, *, make: bool = True) -> Iterator[bool]:
    """Locks the folder; yields False if another process holds the lock. A crash releases it. Raises OSError on a
    read-only disk.

    Without `make` no file is created, since it would belong to another user; a folder without a lock file has no
    running clock, so True is yielded.
    """
    lock = directory / FILE_NAME
    if make:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    elif not lock.exists():
        yield True
        return
    descriptor = os.open(lock, os.O_RDWR | (os.O_CREAT if make else 0), 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(descriptor)


def keep_private(directory: Path) -> None:
    """Sets the modes of the folder and everything in it to 0700 and 0600, and the mask for new files. Raises OSError.

    The folder has the key, people's names and their stamps. Links are not followed.
    """
    os.umask(0o077)
    directory.chmod(0o700)
    for folder, folders, files in os.walk(directory):
        for names, mode in ((folders, 0o700), (files, 0o600)):
            for path in (Path(folder, name) for name in names):
                current_mode = path.lstat().st_mode
                if not stat.S_ISLNK(current_mode) and stat.S_IMODE(current_mode) != mode:
                    path.chmod(mode)
