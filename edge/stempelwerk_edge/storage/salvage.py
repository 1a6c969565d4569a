"""Recovery of a damaged journal: it is set aside as a whole, and a new one begun with its legible rows.

A journal is a folder of its own, so that setting it aside is one rename. A crash can interrupt each step: a start that
finds a damaged journal, but no current one, begins the recovery again. The damaged folder is never changed after that.
Lease and open batch are not recovered: the cloud gives the lease again, and recognises stamps that it already has.
"""

import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from types import NoneType
from typing import Any

from stempelwerk_edge.cloud.identity import sync_directory
from stempelwerk_edge.machine.clock import Quality
from stempelwerk_edge.ports import Connect, Database, Ids
from stempelwerk_edge.storage import scanned, schema
from stempelwerk_edge.storage.epochs import HINT
from stempelwerk_edge.storage.faults import is_storage_fault
from stempelwerk_edge.storage.rows import SEQ_BITS, Epoch

FILE_NAME = "journal.db"
_STAMP_COLUMNS = "row, id, assignment, tag, direction, wall, boot, boottime_ms, quality, via, shown"
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
END_OF_TIME_MS = 253_402_300_800_000  # the year 10000
_FORGOTTEN = ("lease", "answers_mark", "probe", HINT)

Values = tuple[Any, ...]


@dataclass(slots=True)
class Rescued:
    """The legible rows of each table, and the number of rows in `stamps` that do not have the form of a stamp."""

    epochs: list[Values] = field(default_factory=list)
    stamps: list[Values] = field(default_factory=list)
    marks: list[Values] = field(default_factory=list)
    gone: list[Values] = field(default_factory=list)
    anchors: list[Values] = field(default_factory=list)
    answers: list[Values] = field(default_factory=list)
    answered: list[Values] = field(default_factory=list)
    meta: list[Values] = field(default_factory=list)
    malformed: int = 0
    scanners: list[Values] = field(default_factory=list)
    scanned: list[Values] = field(default_factory=list)
    untaken: list[Values] = field(default_factory=list)
    contacts: list[Values] = field(default_factory=list)
    forgotten: list[Values] = field(default_factory=list)


def set_aside(folder: Path) -> Path:
    """Renames a journal's folder as damaged; returns the new name. Raises OSError."""
    number = 1 + max((_number(path) for path in _damaged(folder)), default=0)
    aside = folder.with_name(f"{folder.name}.damaged-{number}")
    folder.rename(aside)
    sync_directory(folder.parent)
    return aside


def interrupted(folder: Path) -> Path | None:
    """Returns the newest damaged folder if there is no journal: a crash came after that was set aside. None
    otherwise.
    """
    if folder.exists():
        return None
    return max(_damaged(folder), key=_number, default=None)


def is_any_aside(folder: Path) -> bool:
    """Returns whether a damaged journal was set aside here; False for a folder that cannot be read."""
    try:
        return bool(_damaged(folder))
    except OSError:
        return False


def _damaged(folder: Path) -> list[Path]:
    return [path for path in folder.parent.glob(f"{folder.name}.damaged-*") if _number(path)]


def _number(path: Path) -> int:
    text = path.name.rpartition("-")[2]
    return int(text) if text.isdecimal() else 0


def rebuild(
    folder: Path, aside: Path, connect: Connect, ids: Ids, running: tuple[Epoch, int] | None
) -> dict[str, object]:
    """Makes a new journal from the damaged one; returns how many stamps and marks it recovered. Raises as the disk
    does.

    `running` is this start's epoch and its last sequence number if the damage was found at run time; None at a start.
    """
    fresh = folder.with_name(folder.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    rescued = read(aside / FILE_NAME, connect)
    database = schema.open_file(fresh / FILE_NAME, connect)
    try:
        database.execute("BEGIN IMMEDIATE")
        _restore(database, rescued, ids, running)
        database.execute("COMMIT")
    finally:
        database.close()
    sync_directory(fresh)
    fresh.rename(folder)
    sync_directory(folder.parent)
    return {"aside": aside.name, "stamps": len(rescued.stamps), "marks": len(rescued.marks)}


def read(path: Path, connect: Connect) -> Rescued:
    """Returns everything legible in a file, damaged or not; nothing where it is no journal."""
    rescued = Rescued()
    try:
        database = connect(path)
    except Exception as fault:
        if not is_storage_fault(fault):
            raise
        return rescued
    try:
        text = (str, NoneType)
        epochs = _legible(database, "epochs", "number, id, previous, previous_last_seq, removed_to", "number")
        rescued.epochs = _formed(epochs, int, str, text, int, int)
        stamps = _legible(database, "stamps", _STAMP_COLUMNS, "row")
        rescued.stamps = [row for row in stamps if is_stamp(row)]
        rescued.malformed = len(stamps) - len(rescued.stamps)
        marks = _legible(database, "marks", "row, outcome, state, delivered_at", "row")
        rescued.marks = _formed(marks, int, str, text, int)
        gone = _legible(database, "gone", "epoch, first, last, told", "epoch")
        rescued.gone = _formed(gone, int, int, int, int)
        anchors = _legible(database, "anchors", "boot, boottime_ms, server_time, rtt_ms", "boot")
        rescued.anchors = _formed(anchors, str, int, int, int)
        answers = _legible(database, "answers", "id, stamp_id, date, new_end, at", "id")
        rescued.answers = _formed(answers, str, str, str, str, int)
        rescued.answered = _formed(_legible(database, "answered", "id, outcome, code, at", "id"), str, str, text, int)
        meta = _formed(_legible(database, "meta", "name, value", "name"), str, str)
        rescued.meta = [row for row in meta if row[0] not in _FORGOTTEN]
        scanners = _legible(database, "scanners", "serial, name, key, boot, said", "serial")
        rescued.scanners = _formed(scanners, str, str, bytes, text, text)
        rescued.scanned = _formed(_legible(database, "scanned", "serial, epoch, seq", "serial"), str, int, int)
        rescued.untaken = _formed(_legible(database, "untaken", "serial, epoch, seq", "serial"), str, int, int)
        rescued.forgotten = _formed(_legible(database, "forgotten", "serial", "serial"), str)
        contacts = _legible(database, "contacts", "boot, tick_ms, clock_boot, clock_ms", "boot")
        rescued.contacts = _formed(contacts, str, int, str, int)
    finally:
        try:
            database.close()
        except Exception as fault:
            if not is_storage_fault(fault):
                raise
    return rescued


def _legible(database: Database, table: str, columns: str, key: str) -> list[Values]:
    """Returns the rows of a table from both ends until the first that cannot be read."""
    rows: dict[Values, None] = {}
    for order in ("ASC", "DESC"):
        try:
            for row in database.execute(f"SELECT {columns} FROM {table} ORDER BY {key} {order}"):  # noqa: S608 - our own names
                rows[tuple(row)] = None
        except Exception as fault:
            if not is_storage_fault(fault):
                raise
        else:
            break
    return list(rows)


def _formed(rows: list[Values], *kinds: type | tuple[type, ...]) -> list[Values]:
    """Returns the rows whose values have these types."""
    return [row for row in rows if all(map(isinstance, row, kinds))]


def is_stamp(row: Values) -> bool:
    """Returns whether a row has the form of a stamp. SQLite does not check the values of a damaged file."""
    number, identifier, assignment, tag, direction, wall, boot, boottime_ms, quality, via, shown = row
    texts = (tag, direction, boot, quality, via)
    return (
        isinstance(number, int)
        and isinstance(identifier, str)
        and _UUID.fullmatch(identifier) is not None
        and all(isinstance(text, str) for text in texts)
        and isinstance(wall, int)
        and 0 <= wall < END_OF_TIME_MS
        and isinstance(boottime_ms, int)
        and quality in set(Quality)
        and all(text is None or isinstance(text, str) for text in (assignment, shown))
    )


def _restore(database: Database, rescued: Rescued, ids: Ids, running: tuple[Epoch, int] | None) -> None:
    known_epochs = {row[0] for row in rescued.epochs}
    epochs = list(rescued.epochs)
    if running is not None:
        epoch, seq = running
        if epoch.number not in known_epochs:
            epochs.append((epoch.number, epoch.id, epoch.previous, epoch.previous_last_seq, 0))
            known_epochs.add(epoch.number)
        database.execute("INSERT INTO meta (name, value) VALUES (?, ?)", (HINT, f"{epoch.number}:{seq}"))
    # A stamp whose epoch is illegible goes under a new name: the epoch only serves to see gaps.
    nameless = sorted({row[0] >> SEQ_BITS for row in rescued.stamps} - known_epochs)
    epochs.extend((number, ids.new(), None, 0, 0) for number in nameless)
    for table, width, rows in (
        ("epochs", 5, epochs),
        ("stamps", 11, rescued.stamps),
        ("marks", 4, rescued.marks),
        ("gone", 4, rescued.gone),
        ("anchors", 4, rescued.anchors),
        ("answers", 5, rescued.answers),
        ("answered", 4, rescued.answered),
        ("meta", 2, rescued.meta),
        ("scanners", 5, rescued.scanners),
        ("scanned", 3, rescued.scanned),
        ("untaken", 3, rescued.untaken),
        ("contacts", 4, rescued.contacts),
        ("forgotten", 1, rescued.forgotten),
    ):
        places = ", ".join("?" * width)
        for row in rows:
            database.execute(f"INSERT OR IGNORE INTO {table} VALUES ({places})", tuple(row))  # noqa: S608 - our own names
    scanned.miss(database, rescued.scanners, rescued.scanned, {row[1] for row in rescued.stamps})
