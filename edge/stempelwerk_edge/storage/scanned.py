"""The progress of each scanner's log: the last number taken, and the lower ones whose stamps were lost by damage."""

import hmac
from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from stempelwerk_edge.ports import Database
from stempelwerk_edge.storage.rows import Logged

WINDOW = 8
"""The largest number of taps that a scanner sends before it waits for an acknowledgement."""


def stamp_id(key: bytes, logged: Logged) -> str:
    """Derives the stamp's id from the scanner's key and the tap's number: no other tap has it, and this tap always has
    it.

    A clock whose card was restored from a copy has forgotten which taps it took. When they come again, the cloud
    recognises them by these ids.
    """
    digest = hmac.digest(key, f"stamp {logged.serial} {logged.epoch} {logged.seq}".encode(), "sha256")
    return str(UUID(bytes=digest[:16], version=4))


def take(database: Database, logged: Logged) -> None:
    """Records that a tap of a scanner is taken; raises an integrity error of the database if it already was."""
    values = (logged.serial, logged.epoch, logged.seq)
    query = "DELETE FROM untaken WHERE (serial, epoch, seq) = (?, ?, ?) RETURNING seq"
    if not list(database.execute(query, values)):
        database.execute(
            "INSERT INTO scanned (serial, epoch, seq) VALUES (?, ?, ?)"
            " ON CONFLICT (serial, epoch) DO UPDATE SET seq = excluded.seq",
            values,
        )


def read_progress(database: Database, serial: str, epoch: int) -> tuple[int, frozenset[int]]:
    """Returns the last number that was taken of a log, 0 without one; and the lower ones that must come again."""
    log = (serial, epoch)
    [(last,)] = database.execute("SELECT coalesce(max(seq), 0) FROM scanned WHERE serial = ? AND epoch = ?", log)
    missing = database.execute("SELECT seq FROM untaken WHERE serial = ? AND epoch = ?", log)
    return int(last), frozenset(seq for (seq,) in missing)


def miss(database: Database, scanners: Iterable[Any], scanned: Iterable[Any], stamps: Collection[str]) -> None:
    """Marks taps that a damaged journal had taken and whose stamps are lost: they are taken again if the scanner sends
    them.

    A scanner that got no acknowledgement still has the tap; a tap that it no longer has is not waited for.
    """
    keys = {serial: key for serial, _, key, *_ in scanners}
    for serial, epoch, last in scanned:
        for seq in range(max(1, last - WINDOW + 1), last + 1):
            if serial in keys and stamp_id(keys[serial], Logged(serial, epoch, seq)) not in stamps:
                database.execute("INSERT OR IGNORE INTO untaken VALUES (?, ?, ?)", (serial, epoch, seq))
