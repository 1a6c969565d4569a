"""Limits on the inspection of files: one at a time for a person, two for a company, three in all.

So uploads of one company leave a place for others, and memory is bounded however many processes serve. A place is a
locked byte (by its offset) of the lock file in the data folder. Each holder opens the file anew, and the process that
inspects the upload inherits that open file. The place is free once the last of them has closed it, however it ends.
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
"""The name of the lock file in the data folder. It stays empty: only its locks matter."""
OF_COMPANY = 2
OF_ALL = 3
PACKERS_OF_COMPANY = 4
PACKERS_OF_ALL = 12
PATIENCE_S = 5.0
"""Seconds to wait for a place: as long as the inspection of one document takes at most."""
_LOOK_EVERY_S = 0.05
_RETRY_AFTER_S = 5
_AGAIN = "Bitte gleich noch einmal versuchen."


async def take(platform: Platform, company_id: str, user_id: str) -> BinaryIO:
    """Takes a place for inspecting a file, and returns it as an open file. It is free once that file is closed here and
    in all processes that inherit it.

    If no place is free within `PATIENCE_S`: raises 429 if the person's or the company's own uploads occupy them, 503 if
    those of others do.
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
    """A kind of work that takes its company's turn. `sentence`: the German sentence that names it in a refusal."""

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
    """Takes the company's turn for long work, and returns it as an open file; closing it ends the turn. A company has
    one turn at a time.

    It is separate from the places for inspecting files, so other companies' uploads do not wait for it. If the turn is
    not free within `patience_s` (`PATIENCE_S`), raises `refusal(sentence)` with a sentence that names the running work.
    One caller waits for the turn, the others for that caller's place in the queue. So work that consists of many pieces
    lets a waiting caller in between two of them.
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
    """Takes the person's own turn for files of that kind, and returns it as an open file: one download at a time.
    Raises 429.
    """
    return await take_one(platform, [f"own {kind} {user_id}"], lambda: busy(429, f"{sentence} {_AGAIN}"))


async def take_packer(platform: Platform, company_id: str, kind: str, sentence: str) -> BinaryIO:
    """Takes a place for a process that packs files, and returns it as an open file. It is free once it is closed here
    and in the process. Raises 429 or 503.

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
    """Takes one of the places with these names; closing the returned file frees it. `refusal` makes the problem of a
    timeout.
    """
    return await take_each(platform, [(names, refusal)], PATIENCE_S)


def try_take(platform: Platform, *names: Sequence[str]) -> BinaryIO | None:
    """Takes one place of each of these lists, without waiting; closing the returned file frees them. Returns None if
    one list has no free place.
    """
    place = _opened(platform)
    if all(any(_locked(place, name) for name in alternatives) for alternatives in names):
        return place
    place.close()
    return None


def busy(status: int, sentence: str) -> Problem:
    """Returns the problem that refuses a file while all places are taken."""
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
    """Returns the sentence that names the work that holds the company's turn; that of `MONTH_FILE` if it has just
    ended.
    """
    with _opened(platform) as looking:
        in_progress = (making for making in _MAKING if not _locked(looking, _name_of(making, company_id)))
        return f"{next(in_progress, MONTH_FILE).sentence} {_AGAIN}"


def _name_of(making: Making, company_id: str) -> str:
    return f"turn {company_id} {making.kind}"


def _locked(place: BinaryIO, name: str) -> bool:
    """Locks the byte for that name; returns False if it is locked already.

    It is an open file description lock (OFD): it belongs to the open file, not to the process.
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
