"""Who may have a file looked into now: one at a time for a person, two for a company, three for everybody together.

So whatever one company sends, there is a place left for the others, and memory is bounded however many processes serve.
A place is a byte in a file that nobody reads, locked through an open file of its own. The process that looks into the
upload holds that file open, too: the place is free when the last of them is gone, however they end.
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
"""In the data folder; it stays empty."""
OF_COMPANY = 2
OF_ALL = 3
PATIENCE_S = 5.0
"""As long as one document takes at most."""
_LOOK_EVERY_S = 0.05
_RETRY_AFTER_S = 5


async def take(platform: Platform, company_id: str, user_id: str) -> BinaryIO:
    """A place, until it is closed here and in all processes that it was handed to.

    After a moment without one: 429 if the person's or the company's own uploads are in the way, 503 if others' are.
    """
    deadline = time.monotonic() + PATIENCE_S
    place = _opened(platform)
    try:
        for count, whose, refusal in (
            (1, f"user {company_id} {user_id}", _yours),
            (OF_COMPANY, f"company {company_id}", _your_companys),
            (OF_ALL, "all", _everybodys),
        ):
            await _lock_one(place, [f"{whose} {number}" for number in range(count)], deadline, refusal)
    except BaseException:
        place.close()
        raise
    return place


async def take_turn(platform: Platform, company_id: str, refusal: Callable[[], Problem]) -> BinaryIO:
    """One at a time for a company, until it is closed, of what takes longer than looking into a file. `refusal`: 429.

    It is no place among those for files, so that other companies' uploads need not wait for it.
    """
    return await take_one(platform, [f"turn {company_id}"], refusal)


async def take_one(platform: Platform, names: list[str], refusal: Callable[[], Problem]) -> BinaryIO:
    """One of the places of these names, until it is closed. `refusal`: after a moment without one."""
    turn = _opened(platform)
    try:
        await _lock_one(turn, names, time.monotonic() + PATIENCE_S, refusal)
    except BaseException:
        turn.close()
        raise
    return turn


def try_take(platform: Platform, *names: Sequence[str]) -> BinaryIO | None:
    """At once a place of each of these lists, until it is closed; None: there is none."""
    place = _opened(platform)
    if all(any(_locked(place, name) for name in one) for one in names):
        return place
    place.close()
    return None


def busy(status: int, sentence: str) -> Problem:
    """Somebody else's turn."""
    return Problem(status, "files_busy", sentence, headers={"Retry-After": str(_RETRY_AFTER_S)})


async def _lock_one(place: BinaryIO, names: list[str], deadline: float, refusal: Callable[[], Problem]) -> None:
    while not any(_locked(place, name) for name in names):
        if time.monotonic() >= deadline:
            raise refusal()
        await asyncio.sleep(_LOOK_EVERY_S)


def _opened(platform: Platform) -> BinaryIO:
    folder = platform.settings.data_dir
    private.make_folder(folder)
    return os.fdopen(os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o600), "r+b", buffering=0)


def _locked(place: BinaryIO, name: str) -> bool:
    """Locks the byte of that name, unless somebody has it. The lock is the open file's, not the process's (OFD)."""
    byte = int.from_bytes(hashlib.sha256(name.encode()).digest()[:7])
    try:
        # struct flock: type, whence, start, length, and no process
        fcntl.fcntl(place, fcntl.F_OFD_SETLK, struct.pack("hhqqi0q", fcntl.F_WRLCK, os.SEEK_SET, byte, 1, 0))
    except BlockingIOError:
        return False
    return True


def _yours() -> Problem:
    return busy(429, "Deine vorige Datei wird noch geprüft. Bitte gleich noch einmal versuchen.")


def _your_companys() -> Problem:
    return busy(
        429, "Gerade werden schon mehrere Dateien aus deiner Firma geprüft. Bitte gleich noch einmal versuchen."
    )


def _everybodys() -> Problem:
    return busy(503, "Gerade werden zu viele Dateien geprüft. Bitte gleich noch einmal versuchen.")
