"""Files and folders that only the service's own user may enter: they hold password hashes and working times.

A SQLite file is never opened here: closing it would drop the locks that the process holds on it. Folders that others
made for others (of another owner, or sticky like `/tmp`) are left as they are.
"""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

_OTHERS = 0o077
SQLITE_ENDINGS = ("", "-wal", "-shm", "-journal")


@contextlib.contextmanager
def owner_only() -> Iterator[None]:
    """Makes all files of this process and its children, meanwhile, accessible only by their owner."""
    previous_umask = os.umask(_OTHERS)
    try:
        yield
    finally:
        os.umask(previous_umask)


def make_folder(path: Path) -> None:
    """Makes the folder if it is missing; an existing one stays as it is. OSError."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)


def restrict_folder(path: Path) -> None:
    """Revokes the access of others to the folder, if it exists and is ours. OSError."""
    with contextlib.suppress(FileNotFoundError):
        file_stat = path.stat()
        ours = (
            stat.S_ISDIR(file_stat.st_mode)
            and file_stat.st_uid == os.geteuid()
            and not file_stat.st_mode & stat.S_ISVTX
        )
        if ours and file_stat.st_mode & _OTHERS:
            path.chmod(0o700)


def make_sqlite_file(path: Path) -> None:
    """Makes the database's file, empty, if it is missing; revokes the access of others to it and its side files.
    OSError.
    """
    make_folder(path.parent)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for ending in SQLITE_ENDINGS:
        # another's file: SQLite reports what is forbidden
        with contextlib.suppress(FileNotFoundError, PermissionError):
            file = path.with_name(path.name + ending)
            if file.stat().st_mode & _OTHERS:
                file.chmod(0o600)
