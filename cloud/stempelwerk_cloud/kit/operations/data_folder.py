"""The data folder and its disk: tried before the first use, refused on a network share, watched for free space.

A start reports a fault and names the folder. SQLite relies on the kernel's locks and syncs, which mean little over a
network: two machines may write at once, and acknowledged data may be lost. So a share is recognised by the type of its
file system. Deliberately not here: the owners of the files (`private.py`, `backup.py`).
"""

import errno
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from psycopg.errors import DiskFull

from stempelwerk_cloud.configuration import PREFIX
from stempelwerk_cloud.kit.security import private

_HINTS = {errno.EROFS: " (under systemd its unit must name the folder in ReadWritePaths=)"}


class UnusableFolder(Exception):
    """The message is one line for the operator and names the folder."""


def try_out(folder: Path) -> None:
    """Creates the folder if it is missing, and writes a temporary file into it. Raises UnusableFolder."""
    try:
        private.make_folder(folder)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".tried-") as file:
            file.write(b"?")
            file.flush()
    except OSError as error:
        why = "it is no folder" if folder.exists() and not folder.is_dir() else str(error.strerror)
        hint = _HINTS.get(error.errno or 0, "")
        raise UnusableFolder(f"{PREFIX}DATA_DIR: {folder.absolute()} cannot be written: {why}{hint}.") from error


MOUNTS = Path("/proc/self/mountinfo")
SHARES = frozenset(
    {
        *("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "ncpfs", "gfs2", "ocfs2"),
        *("fuse.sshfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "fuse.davfs", "fuse.smbnetfs"),
    }
)


class NetworkShare(Exception):
    """A new database would be on a network share. The message is one line for the operator."""


def share_of(file: Path) -> str | None:
    """Returns the type of the share that holds a file, also a future one; None if it is on no share, or unknown."""
    try:
        lines = MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return None
    folder = file.resolve().parent
    systems: dict[Path, str] = {}
    for line in lines:
        mount, _, system = line.partition(" - ")
        if system and folder.is_relative_to(mount_point := Path(_unescaped(mount.split()[4]))):
            systems[mount_point] = system.split()[0]
    nearest = systems[max(systems, key=lambda mount_point: len(mount_point.parts))] if systems else None
    return nearest if nearest in SHARES else None


def refuse_share(file: Path) -> None:
    """Raises NetworkShare for a new database on a share. An existing one is accepted, but reported as a fault."""
    system = None if file.exists() else share_of(file)
    if system is not None:
        raise NetworkShare(
            f"STEMPELWERK_DATABASE_URL: {file.absolute()} lies on a network share ({system}), where SQLite loses data:"
            " name a file on a disk of this machine, or PostgreSQL."
        )


def _unescaped(text: str) -> str:
    """Decodes the octal escapes of space, tab, newline and backslash (proc(5))."""
    for octal, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(octal, sign)
    return text


LEAST_FREE_BYTES: Final = 100 << 20
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
