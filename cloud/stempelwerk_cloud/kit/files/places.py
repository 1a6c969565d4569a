"""Limits the inspection of files: one at a time for a person, two for a company, three in all.

So there is a place for each company, whatever one of them sends, and memory is bounded however many processes serve. A
place is a byte in a file that is never read, locked through an open file of its own. The process that inspects the
upload holds that file open, too: the place is free when the last holder is gone, however it ends.
"""

import asyncio
import fcntl
import hashlib
import os
import struct
import time
from collections.abc import Callable, Sequence
from typing import BinaryIO, Final, NamedTuple

from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import private

FILE = "uploads.lock"
"""In the data folder; it stays empty."""
OF_COMPANY = 2
OF_ALL = 3
PACKERS_OF_COMPANY = 4
PACKERS_OF_ALL = 12
PATIENCE_S = 5.0
"""As long as one document takes at most."""
_LOOK_EVERY_S = 0.05
_RETRY_AFTER_S = 5
_AGAIN = "Bitte gleich noch einmal versuchen."


async def take(platform: Platform, company_id: str, user_id: str) -> BinaryIO:
    """Takes a place, until it is closed here and in all processes that inherit it.

    After a moment without a free place: 429 if the person's or the company's own uploads occupy them, 503 if others'
    do.
    """
    return await take_each(
        platform,
        (
            ([f"user {company_id} {user_id} 0"], _yours),
            ([f"company {company_id} {number}" for number in range(OF_COMPANY)], _your_companys),
            ([f"all {number}" for number in range(OF_ALL)], _everybodys),
        ),
        PATIENCE_S,
    )


async def take_each(
    platform: Platform, place_lists: Sequence[tuple[list[str], Callable[[], Problem]]], patience_s: float
) -> BinaryIO:
    """Takes one place of each list of names, in their order. Closing the result frees all of them.

    Raises the refusal of the first list without a free place in time.
    """
    deadline = time.monotonic() + patience_s
    place = _opened(platform)
    try:
        for names, refusal in place_lists:
            await _lock_one(place, names, deadline, refusal)
    except BaseException:
        place.close()
        raise
    return place


class Making(NamedTuple):
    """A kind of work that takes its company's turn. `sentence` names it in a refusal."""

    kind: str
    sentence: str


MONTH_FILE: Final = Making("export", "Gerade wird die Monatsdatei deiner Firma erstellt.")
INSPECTION: Final = Making("inspection", "Gerade wird der Nachweis der Arbeitszeiten deiner Firma erstellt.")
IMPORT: Final = Making("import", "Aus deiner Firma wird gerade schon eine Tabelle eingelesen.")
_MAKING: Final = (MONTH_FILE, INSPECTION, IMPORT)


async def take_turn(
    platform: Platform,
    company_id: str,
    making: Making,
    refusal: Callable[[str], Problem],
    patience_s: float | None = None,
) -> BinaryIO:
    """Takes the company's turn until it is closed: one at a time, for work that takes longer than inspecting a file.

    It is separate from the places for files, so other companies' uploads do not wait for it. After `patience_s`
    (`PATIENCE_S`) without a turn, `refusal` gets a sentence that names the work in the way. One caller waits for the
    turn, the others for the place after that caller: work of many pieces lets a waiting caller in between two pieces.
    """
    deadline = time.monotonic() + (PATIENCE_S if patience_s is None else patience_s)
    turn = _opened(platform)

    def refused() -> Problem:
        return refusal(_in_the_way(platform, company_id))

    try:
        await _lock_one(turn, [f"next {company_id}"], deadline, refused)
        await _lock_one(turn, [f"turn {company_id}"], deadline, refused)
        _unlock(turn, f"next {company_id}")
        _locked(turn, _name_of(making, company_id))
    except BaseException:
        turn.close()
        raise
    return turn


async def take_own(platform: Platform, user_id: str, kind: str, sentence: str) -> BinaryIO:
    """Takes the person's own turn for that kind of file, until it is closed: one download at a time."""
    return await take_one(platform, [f"own {kind} {user_id}"], lambda: busy(429, f"{sentence} {_AGAIN}"))


async def take_packer(platform: Platform, company_id: str, kind: str, sentence: str) -> BinaryIO:
    """Takes a place for a process that packs, until it is closed here and in the process. 429, 503.

    Each kind has its own places: employees' files do not delay archives.
    """
    deadline = time.monotonic() + PATIENCE_S
    place = _opened(platform)
    try:
        for count, owner, refusal in (
            (PACKERS_OF_COMPANY, f"company {company_id}", lambda: busy(429, f"{sentence} {_AGAIN}")),
            (PACKERS_OF_ALL, "all", _too_many_packed),
        ):
            await _lock_one(place, [f"packer {kind} {owner} {number}" for number in range(count)], deadline, refusal)
    except BaseException:
        place.close()
        raise
    return place


async def take_one(platform: Platform, names: list[str], refusal: Callable[[], Problem]) -> BinaryIO:
    """Takes one of the places of these names, until it is closed. `refusal`: for a timeout."""
    return await take_each(platform, [(names, refusal)], PATIENCE_S)


def try_take(platform: Platform, *names: Sequence[str]) -> BinaryIO | None:
    """Takes a place of each of these lists, without waiting, until it is closed; None if one has no free place."""
    place = _opened(platform)
    if all(any(_locked(place, name) for name in alternatives) for alternatives in names):
        return place
    place.close()
    return None


def busy(status: int, sentence: str) -> Problem:
    """Returns the refusal while all places are taken."""
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


def _in_the_way(platform: Platform, company_id: str) -> str:
    """Returns the sentence of the work that has the company's turn, or of the usual work if that has just ended."""
    with _opened(platform) as looking:
        in_progress = (making for making in _MAKING if not _locked(looking, _name_of(making, company_id)))
        return f"{next(in_progress, MONTH_FILE).sentence} {_AGAIN}"


def _name_of(making: Making, company_id: str) -> str:
    return f"turn {company_id} {making.kind}"


def _locked(place: BinaryIO, name: str) -> bool:
    """Locks the byte of that name; False if it is locked already.

    The lock is the open file's, not the process's (OFD).
    """
    try:
        _set(place, name, fcntl.F_WRLCK)
    except BlockingIOError:
        return False
    return True


def _unlock(place: BinaryIO, name: str) -> None:
    _set(place, name, fcntl.F_UNLCK)


def _set(place: BinaryIO, name: str, lock: int) -> None:
    byte = int.from_bytes(hashlib.sha256(name.encode()).digest()[:7])
    # struct flock: type, whence, start, length, and no process
    fcntl.fcntl(place, fcntl.F_OFD_SETLK, struct.pack("hhqqi0q", lock, os.SEEK_SET, byte, 1, 0))


def _yours() -> Problem:
    return busy(429, "Deine vorige Datei wird noch geprüft. Bitte gleich noch einmal versuchen.")


def _your_companys() -> Problem:
    return busy(
        429, "Gerade werden schon mehrere Dateien aus deiner Firma geprüft. Bitte gleich noch einmal versuchen."
    )


def _too_many_packed() -> Problem:
    return busy(503, f"Gerade werden zu viele Dateien erstellt. {_AGAIN}")


def _everybodys() -> Problem:
    return busy(503, "Gerade werden zu viele Dateien geprüft. Bitte gleich noch einmal versuchen.")
