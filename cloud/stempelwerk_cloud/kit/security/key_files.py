"""Key files in the data folder: created once, by the process that comes first, and readable only by their owner.

The backup contains them. Deliberately not here: changing a key.
"""

import contextlib
import errno
import fcntl
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from stempelwerk_cloud.kit.security import private

LOST_ENDING = ".lost"
_NO_HARD_LINKS = {errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL, errno.EMLINK}
"""Errors of file systems without hard links: exFAT and FAT, some network shares and mounts of containers."""


Identify = Callable[[bytes], str]
"""Returns the fingerprint of a key file's content; ValueError if it holds no key."""


class KeyUnusable(Exception):
    """A key file is damaged or lost. The message is for the operator: it names the file and the remedy."""


def way_out(path: Path, fault: str) -> str:
    """Returns a line for the operator: what is wrong with the key file, and what to do."""
    return (
        f"{path} {fault}: stop the service and bring it back from a backup (tar -xzf BACKUP files/{path.name}). Where"
        f" none has it, move away what lies there and run 'stempelwerk-cloud forget-key {path.name}': a new one is"
        " made."
    )


def mark_lost(path: Path) -> None:
    """Marks a key as lost, so that no process creates a new one: data that the lost key encrypted or signed would
    become worthless.

    The mark counts while the file is missing. OSError.
    """
    _mark_of(path).touch(mode=0o600)


def forget_lost(path: Path) -> None:
    """Removes the mark, so that a new key can be made. OSError."""
    _mark_of(path).unlink(missing_ok=True)


def _mark_of(path: Path) -> Path:
    return path.with_name(path.name + LOST_ENDING)


def read_or_make(path: Path, make: Callable[[], bytes], identify: Identify) -> bytes:
    """Returns the key file's content, stripped of white space; creates the file by `make` if it is missing. Raises
    OSError, KeyUnusable.
    """
    content = _read_or_make(path, make)
    try:
        identify(content)
    except ValueError as error:
        raise KeyUnusable(way_out(path.absolute(), "is damaged or empty")) from error
    return content


def _read_or_make(path: Path, make: Callable[[], bytes]) -> bytes:
    with contextlib.suppress(FileNotFoundError):
        return path.read_bytes().strip()
    if _mark_of(path).exists():
        raise KeyUnusable(way_out(path.absolute(), "is missing"))
    private.make_folder(path.parent)
    # Written whole under another name and then put in place: one process wins, and no process reads half a key.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(make())
            file.flush()
            os.fsync(file.fileno())
        _put_in_place(draft, path, folder)
        os.fsync(folder)
    finally:
        os.close(folder)
        draft.unlink(missing_ok=True)
    return path.read_bytes().strip()


def _put_in_place(draft: Path, path: Path, folder: int) -> None:
    """Renames the draft to the key file, unless another process was first. Raises OSError."""
    try:
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        # A rename would replace the key of another process, which may have encrypted with it by now.
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not path.exists():
            draft.rename(path)
