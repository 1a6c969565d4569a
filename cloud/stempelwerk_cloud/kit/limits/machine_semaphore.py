"""A semaphore of a machine: work at once, by any key, in all processes that share a data folder.

A place is a locked byte (by its offset) of the lock file in the data folder. Each holder opens the file itself, and
a child process that does the work inherits that open file. The place is free once the last of them has closed it or
ended.
"""

import asyncio
import fcntl
import hashlib
import os
import struct
import time
from collections.abc import Callable, Sequence
from typing import BinaryIO

from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import private

FILE = "uploads.lock"
"""The name of the lock file in the data folder. It stays empty: only its locks matter."""
_LOOK_EVERY_S = 0.05


async def take_each(
    platform: Platform, place_lists: Sequence[tuple[list[str], Callable[[], Problem]]], patience_s: float
) -> BinaryIO:
    """Takes one place of each list of names, in their order. Closing the result frees all of them.

    Raises the refusal of the first list without a free place in time.
    """
    deadline = time.monotonic() + patience_s
    place = open_place(platform)
    try:
        for names, refusal in place_lists:
            await lock_one(place, names, deadline, refusal)
    except BaseException:
        place.close()
        raise
    return place


def try_take(platform: Platform, *names: Sequence[str]) -> BinaryIO | None:
    """Takes one place of each of these lists, without waiting; closing the returned file frees them. Returns None if
    one list has no free place.
    """
    place = open_place(platform)
    if all(any(lock(place, name) for name in alternatives) for alternatives in names):
        return place
    place.close()
    return None


async def lock_one(place: BinaryIO, names: list[str], deadline: float, refusal: Callable[[], Problem]) -> None:
    """Locks one of the names for the open file; raises the refusal if all are taken until the deadline."""
    while not any(lock(place, name) for name in names):
        if time.monotonic() >= deadline:
            raise refusal()
        await asyncio.sleep(_LOOK_EVERY_S)


def open_place(platform: Platform) -> BinaryIO:
    """Opens the lock file, without a lock yet."""
    folder = platform.settings.data_dir
    private.make_folder(folder)
    return os.fdopen(os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)


def lock(place: BinaryIO, name: str) -> bool:
    """Locks the byte for that name; returns False if it is locked already.

    It is an open file description lock (OFD): it belongs to the open file, not to the process.
    """
    try:
        _set(place, name, fcntl.F_WRLCK)
    except BlockingIOError:
        return False
    return True


def unlock(place: BinaryIO, name: str) -> None:
    """Frees the byte for that name."""
    _set(place, name, fcntl.F_UNLCK)


def _set(place: BinaryIO, name: str, lock: int) -> None:
    byte = int.from_bytes(hashlib.sha256(name.encode()).digest()[:7])
    # struct flock: type, whence, start, length, and no process
    fcntl.fcntl(place, fcntl.F_OFD_SETLK, struct.pack("hhqqi0q", lock, os.SEEK_SET, byte, 1, 0))
