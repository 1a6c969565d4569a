"""The policy of work on files: inspections, months' files, downloads and packing.

One inspection at a time runs for a person, two for a company, three in all. So uploads of one company leave a place for
others, and memory is bounded however many processes serve. The places are those of a machine
(`kit/limits/machine_semaphore.py`).
"""

import time
from collections.abc import Callable
from typing import BinaryIO, Final, NamedTuple

from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.limits import machine_semaphore
from stempelwerk_cloud.kit.platform import Platform

OF_COMPANY = 2
OF_ALL = 3
PACKERS_OF_COMPANY = 4
PACKERS_OF_ALL = 12
PATIENCE_S = 5.0
"""Seconds to wait for a place: as long as the inspection of one document takes at most."""
_RETRY_AFTER_S = 5
_AGAIN = "Bitte gleich noch einmal versuchen."


async def take(platform: Platform, company_id: str, user_id: str) -> BinaryIO:
    """Takes a place for inspecting a file, and returns it as an open file. It is free once that file is closed here and
    in all processes that inherit it.

    If no place is free within `PATIENCE_S`: raises 429 if the person's or the company's own uploads occupy them, 503 if
    those of others do.
    """
    return await machine_semaphore.take_each(
        platform,
        (
            ([f"user {company_id} {user_id} 0"], _yours),
            ([f"company {company_id} {number}" for number in range(OF_COMPANY)], _your_companys),
            ([f"all {number}" for number in range(OF_ALL)], _everybodys),
        ),
        PATIENCE_S,
    )


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
    turn = machine_semaphore.open_place(platform)

    def refused() -> Problem:
        return refusal(_in_the_way(platform, company_id))

    try:
        await machine_semaphore.lock_one(turn, [f"next {company_id}"], deadline, refused)
        await machine_semaphore.lock_one(turn, [f"turn {company_id}"], deadline, refused)
        machine_semaphore.unlock(turn, f"next {company_id}")
        machine_semaphore.lock(turn, _name_of(making, company_id))
    except BaseException:
        turn.close()
        raise
    return turn


async def take_own(platform: Platform, user_id: str, kind: str, sentence: str) -> BinaryIO:
    """Takes the person's own turn for files of that kind, and returns it as an open file: one download at a time.
    Raises 429.
    """
    return await machine_semaphore.take_each(
        platform, [([f"own {kind} {user_id}"], lambda: busy(429, f"{sentence} {_AGAIN}"))], PATIENCE_S
    )


async def take_packer(platform: Platform, company_id: str, kind: str, sentence: str) -> BinaryIO:
    """Takes a place for a process that packs files, and returns it as an open file. It is free once it is closed here
    and in the process. Raises 429 or 503.

    Each kind has its own places: employees' files do not delay archives.
    """
    return await machine_semaphore.take_each(
        platform,
        [
            ([f"packer {kind} {owner} {number}" for number in range(count)], refusal)
            for count, owner, refusal in (
                (PACKERS_OF_COMPANY, f"company {company_id}", lambda: busy(429, f"{sentence} {_AGAIN}")),
                (PACKERS_OF_ALL, "all", _too_many_packed),
            )
        ],
        PATIENCE_S,
    )


def busy(status: int, sentence: str) -> Problem:
    """Returns the problem that refuses a file while all places are taken."""
    return Problem(status, "files_busy", sentence, headers={"Retry-After": str(_RETRY_AFTER_S)})


def _in_the_way(platform: Platform, company_id: str) -> str:
    """Returns the sentence that names the work that holds the company's turn; that of `MONTH_FILE` if it has just
    ended.
    """
    with machine_semaphore.open_place(platform) as looking:
        in_progress = (
            making for making in _MAKING if not machine_semaphore.lock(looking, _name_of(making, company_id))
        )
        return f"{next(in_progress, MONTH_FILE).sentence} {_AGAIN}"


def _name_of(making: Making, company_id: str) -> str:
    return f"turn {company_id} {making.kind}"


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
