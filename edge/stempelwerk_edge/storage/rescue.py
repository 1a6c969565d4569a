"""Takes the content of another card's journal into this clock's own, so that the usual delivery brings it to the cloud.

Rows keep their ids, epochs, numbers and assignments, and their boots the anchors: they are the same stamps. An epoch of
another card gets a number below 1, and so comes before all of this card's: no epoch that begins here follows it, and no
wall time of the other machine counts as seen by this clock. Rows that were delivered there are taken and sent again:
this clock cannot know whether its cloud has them; the cloud recognises them.

The list of people that this clock has may have been fetched before: until a later one, the rows count as not reflected
in it, so that the clock shows Gehen to a person who came at the other one.

The other clock's scanners become this one's, with how far their logs are taken, their contacts and pending releases:
the taps that they still hold come, those that are here do not come again, and those that they brought have their time.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from stempelwerk_edge.ports import Connect, Database
from stempelwerk_edge.storage import clock_state, epochs, salvage, scanned
from stempelwerk_edge.storage.journal import FOLDER_NAME
from stempelwerk_edge.storage.rows import SEQ_BITS, SEQ_MASK, ranges_of
from stempelwerk_edge.storage.salvage import Rescued, Values

_PLACES = ("", FOLDER_NAME, f"var/lib/stempelwerk-edge/{FOLDER_NAME}", f"var/lib/stempelwerk/{FOLDER_NAME}")


@dataclass(frozen=True, slots=True)
class Taken:
    """The outcome of a rescue: numbers of stamps that were taken, were here already, or are lost; and of all else
    taken.
    """

    stamps: int
    duplicates: int
    illegible: int
    answers: int
    scanners: int = 0


def journal_on(card: Path) -> Path | None:
    """Returns the journal's file if `card` is that file, a clock's data folder, or a mounted card; None without a
    journal.

    If a start was cut off while it recovered a damaged journal, returns the damaged one. Raises OSError.
    """
    if card.is_file():
        return card
    for folder in (card / place for place in _PLACES):
        file = (salvage.interrupted(folder) or folder) / salvage.FILE_NAME
        if file.is_file():
            return file
    return None


def read_copy(file: Path, scratch: Path, connect: Connect) -> Rescued:
    """Returns everything legible in another card's journal, which is only read: it reads a copy in `scratch`. Raises
    OSError.
    """
    return salvage.read(copied(file, scratch), connect)


def copied(file: Path, scratch: Path) -> Path:
    """Copies a journal into `scratch`, even while the agent holds it exclusively. Raises OSError."""
    copy = scratch / salvage.FILE_NAME
    for end in ("-wal", ""):  # its newest rows may exist only in the write-ahead log
        source = file.with_name(file.name + end)
        if source.is_file():
            copy.with_name(copy.name + end).write_bytes(source.read_bytes())
    return copy


def take(database: Database, card: Rescued, new_id: Callable[[], str]) -> Taken:
    """Takes over the rows that this journal lacks, on an open transaction; a second call changes nothing."""
    existing_ids = {identifier for (identifier,) in database.execute("SELECT id FROM stamps")}
    fresh = [row for row in card.stamps if row[1] not in existing_ids]
    numbers = _take_epochs(database, card, fresh, new_id)
    rows = [numbers[row >> SEQ_BITS] << SEQ_BITS | row & SEQ_MASK for row, *_ in fresh]
    for row, (_, *values) in zip(rows, fresh, strict=True):
        database.execute(f"INSERT INTO stamps VALUES ({', '.join('?' * 11)})", (row, *values))  # noqa: S608 - no values
    clock_state.put_unreflected(database, [*clock_state.unreflected(database), *ranges_of(rows)])
    for number, first, last, is_told in card.gone:
        if number in numbers:
            database.execute("INSERT OR IGNORE INTO gone VALUES (?, ?, ?, ?)", (numbers[number], first, last, is_told))
    for anchor in card.anchors:
        database.execute("INSERT OR IGNORE INTO anchors VALUES (?, ?, ?, ?)", anchor)
    lost_before = {(numbers.get(number), first, last) for number, first, last, _ in card.gone}
    theirs = set(numbers.values())
    lost = sum(
        last - first + 1
        for number, first, last in list(epochs.gaps(database))
        if number in theirs and (number, first, last) not in lost_before
    )
    answers, scanners = _take_answers(database, card), _take_scanners(database, card)
    return Taken(len(fresh), len(card.stamps) - len(fresh), max(lost, card.malformed), answers, scanners)


def _take_epochs(database: Database, card: Rescued, fresh: list[Values], new_id: Callable[[], str]) -> dict[int, int]:
    """Returns a map from the other card's numbers of epochs to those in this journal. Epochs taken together keep their
    order.

    An epoch whose id is illegible gets a new one, as does one with a row number that another stamp has here: the id
    only serves to detect gaps.
    """
    existing = {identifier: number for number, identifier in database.execute("SELECT number, id FROM epochs")}
    occupied = {row for (row,) in database.execute("SELECT row FROM stamps")}
    needed_seqs: dict[int, list[int]] = {number: [] for number, *_ in card.epochs}
    for row in fresh:
        needed_seqs.setdefault(row[0] >> SEQ_BITS, []).append(row[0] & SEQ_MASK)
    columns_by_number = {number: columns for number, *columns in card.epochs}
    numbers: dict[int, int] = {}
    lowest = min((0, *existing.values()))
    for number in sorted(needed_seqs, reverse=True):
        identifier, *columns = columns_by_number.get(number, (new_id(), None, 0, 0))
        existing_number = existing.get(identifier)
        if existing_number is not None and not occupied.intersection(
            existing_number << SEQ_BITS | seq for seq in needed_seqs[number]
        ):
            numbers[number] = existing_number
            continue
        lowest -= 1
        numbers[number] = lowest
        name = identifier if existing_number is None else new_id()
        database.execute("INSERT INTO epochs VALUES (?, ?, ?, ?, ?)", (lowest, name, *columns))
    return numbers


def _take_answers(database: Database, card: Rescued) -> int:
    """Takes people's answers from the other clock's screen, with the final outcomes that a cloud has given; returns how
    many.
    """
    existing_ids = {identifier for (identifier,) in database.execute("SELECT id FROM answers")}
    fresh = [answer for answer in card.answers if answer[0] not in existing_ids]
    for answer in fresh:
        database.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?)", answer)
    taken_ids = {answer[0] for answer in fresh}
    for answered in card.answered:
        if answered[0] in taken_ids:
            database.execute("INSERT OR IGNORE INTO answered VALUES (?, ?, ?, ?)", answered)
    return len(fresh)


def _take_scanners(database: Database, card: Rescued) -> int:
    """Takes the other clock's scanners and pending releases; a scanner that this clock has adopted since stays as it
    is.
    """
    existing_serials = {serial for (serial,) in database.execute("SELECT serial FROM scanners")}
    fresh = [scanner for scanner in card.scanners if scanner[0] not in existing_serials]
    for scanner in fresh:
        database.execute("INSERT INTO scanners VALUES (?, ?, ?, ?, ?)", scanner)
    new = {scanner[0] for scanner in fresh}
    for forgotten in card.forgotten:
        if forgotten[0] in new:
            database.execute("INSERT OR IGNORE INTO forgotten VALUES (?)", forgotten)
    for scanned_row in card.scanned:
        database.execute(
            "INSERT INTO scanned VALUES (?, ?, ?) ON CONFLICT (serial, epoch)"
            " DO UPDATE SET seq = excluded.seq WHERE excluded.seq > scanned.seq",
            scanned_row,
        )
    stamps = {identifier for (identifier,) in database.execute("SELECT id FROM stamps")}
    scanned.miss(database, card.scanners, card.scanned, stamps)
    for contact in card.contacts:
        database.execute("INSERT OR IGNORE INTO contacts VALUES (?, ?, ?, ?)", contact)
    return len(fresh)
