"""Free space of the disks that the service writes to, and the errors of full disks. Only reads."""

import errno
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from psycopg.errors import DiskFull

LEAST: Final = 100 << 20
"""Free bytes below which an operator has to act: enough for hours of a busy installation."""


def free_bytes(folder: Path) -> int | None:
    """Returns the free bytes for users other than root; None if the system does not report them."""
    try:
        stats = os.statvfs(folder)
    except OSError:
        return None
    return stats.f_bavail * stats.f_frsize


def on_disks_of(folders: list[Path]) -> dict[Path, int]:
    """Returns the bytes left by folder: of several folders on one disk, the first."""
    disks: dict[int, Path] = {}
    for folder in folders:
        if folder.exists():
            disks.setdefault(folder.stat().st_dev, folder)
    return {folder: free for folder in disks.values() if (free := free_bytes(folder)) is not None}


def ran_out(error: BaseException) -> bool:
    """Returns whether an error, or what caused it, is that a disk is full."""
    return any(_is_full(cause) for cause in _causes(error))


def _is_full(error: BaseException) -> bool:
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL
    return isinstance(error, DiskFull) or (isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__
