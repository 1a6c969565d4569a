"""The scanners in the journal: their keys, the progress of their logs, and the contacts between their time and the
clock's.
"""

import json
from dataclasses import dataclass
from typing import Any

from stempelwerk_edge.machine.trusted_time import Contact
from stempelwerk_edge.parsing import read_json
from stempelwerk_edge.ports import Database
from stempelwerk_edge.satellites.frames import KEY_BYTES
from stempelwerk_edge.storage import scanned
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.rows import Logged


@dataclass(frozen=True, slots=True)
class Scanner:
    """An adopted scanner. `last_status`: its last status, as the heartbeat has it; None before the first.

    `forgotten`: it is released as soon as it can be notified. Its key is kept for the taps that it still brings.
    """

    serial: str
    name: str
    key: bytes
    last_status: dict[str, Any] | None
    forgotten: bool = False


class Registry:
    """The scanners of this clock. Raises JournalError; thread-safe as the journal is."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def all(self) -> list[Scanner]:
        """Returns every scanner that was ever offered a key, by serial; without those whose key is spoilt."""

        def work(database: Database) -> list[Scanner]:
            rows = database.execute(
                "SELECT serial, name, key, said, serial IN (SELECT serial FROM forgotten) FROM scanners"
                " WHERE typeof(key) = 'blob' AND length(key) = ? ORDER BY serial",
                (KEY_BYTES,),
            )
            return [Scanner(str(row[0]), str(row[1]), row[2], _read_status(row[3]), bool(row[4])) for row in list(rows)]

        return self._journal.read(work)

    def store_key(self, serial: str, name: str, key: bytes) -> bytes:
        """Stores a key, unless the scanner has one already; returns the key that the scanner has then."""

        def work(database: Database) -> bytes:
            database.execute(
                "INSERT INTO scanners (serial, name, key) VALUES (?, ?, ?)"
                " ON CONFLICT (serial) DO UPDATE SET key = excluded.key"
                " WHERE typeof(scanners.key) <> 'blob' OR length(scanners.key) <> ?",
                (serial, name, key, KEY_BYTES),
            )
            database.execute("DELETE FROM forgotten WHERE serial = ?", (serial,))
            [(stored_key,)] = database.execute("SELECT key FROM scanners WHERE serial = ?", (serial,))
            return bytes(stored_key)

        return self._journal.write(work)

    def forget(self, serial: str) -> None:
        """Records that a scanner is being released, until it is adopted again."""
        self._journal.write(lambda db: db.execute("INSERT OR IGNORE INTO forgotten VALUES (?)", (serial,)))

    def read_progress(self, serial: str, epoch: int) -> tuple[int, frozenset[int]]:
        """Returns the number of the last tap taken from this log, and the lower numbers whose stamps were lost by
        damage since.
        """
        return self._journal.read(lambda database: scanned.read_progress(database, serial, epoch))

    def skip_tap(self, logged: Logged) -> None:
        """Records a tap as taken without a stamp: the scanner itself cannot read it."""
        self._journal.write(lambda database: scanned.take(database, logged))

    def store_status(self, serial: str, status: dict[str, Any], contact: Contact | None) -> None:
        """Stores a scanner's status, and the contact between its time and the clock's if one is given."""

        def work(database: Database) -> None:
            database.execute("UPDATE scanners SET said = ? WHERE serial = ?", (json.dumps(status), serial))
            if contact is not None:
                values = (contact.boot, contact.tick_ms, contact.clock_boot, contact.clock_ms)
                database.execute("INSERT OR REPLACE INTO contacts VALUES (?, ?, ?, ?)", values)
                database.execute("UPDATE scanners SET boot = ? WHERE serial = ?", (contact.boot, serial))

        self._journal.write(work)


def _read_status(text: object) -> dict[str, Any] | None:
    """Reads a scanner's stored status; None if it is spoilt."""
    try:
        status = read_json(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return status if isinstance(status, dict) and "lastSeen" in status else None
