"""Epochs in the journal: their order, their ends, and the rows of theirs that are lost for good.

Pure SQL on an open transaction, which the journal opens and commits.
"""

from collections.abc import Iterator

from stempelwerk_edge.errors import JournalDamaged
from stempelwerk_edge.ports import Database
from stempelwerk_edge.storage.rows import SEQ_BITS, SEQ_MASK, Epoch

HINT = "last_seq_hint"  # meta: "<number>:<seq>" of an epoch whose end the rows of a replaced journal may not show


def last_seq(database: Database, number: int) -> int:
    """Returns the highest sequence number of an epoch in the journal; 0 if it has no rows."""
    rows = list(
        database.execute(
            "SELECT max(row) FROM stamps WHERE row >= ? AND row < ?", (number << SEQ_BITS, (number + 1) << SEQ_BITS)
        )
    )
    return int(rows[0][0] or 0) & SEQ_MASK


def next_epoch(database: Database, new_id: str) -> Epoch:
    """Returns the epoch that this start begins: the one after the last, which it names as its predecessor."""
    last = list(database.execute("SELECT number, id, removed_to FROM epochs ORDER BY number DESC LIMIT 1"))
    if not last:
        return Epoch(1, new_id, None, 0)
    number, previous, removed_to = last[0]
    if not isinstance(removed_to, int):
        raise JournalDamaged(f"the epoch {number} is spoilt")
    end = max(last_seq(database, number), removed_to, _hinted(database, number))
    return Epoch(number + 1, new_id, previous, end)


def _hinted(database: Database, number: int) -> int:
    for (value,) in list(database.execute("SELECT value FROM meta WHERE name = ?", (HINT,))):
        epoch, _, seq = str(value).partition(":")
        if epoch == str(number) and seq.isdecimal():
            return int(seq)
    return 0


def record_gaps(database: Database) -> None:
    """Records the rows that should be in the journal and are not."""
    for number, first, last in list(gaps(database)):
        database.execute("INSERT OR IGNORE INTO gone (epoch, first, last) VALUES (?, ?, ?)", (number, first, last))


def gaps(database: Database) -> Iterator[tuple[int, int, int]]:
    """Yields ranges of lost rows as (epoch's number, first, last): neither in the journal, nor deleted after their
    delivery.

    An epoch ends at the number that its successor records, or else with its own last row.
    """
    epoch_rows = list(database.execute("SELECT number, id, previous, previous_last_seq, removed_to FROM epochs"))
    for number, _, _, seq, removed_to in epoch_rows:
        if not (isinstance(seq, int) and isinstance(removed_to, int)):
            raise JournalDamaged(f"the epoch {number} is spoilt")
    ends_by_id = {previous: seq for _, _, previous, seq, _ in epoch_rows if previous is not None}
    for number, epoch, _, _, removed_to in epoch_rows:
        end = max(ends_by_id.get(epoch, 0), last_seq(database, number))
        yield from ((number, first, last) for first, last in missing(database, number, removed_to, end))


def missing(database: Database, number: int, after_seq: int, end: int) -> list[tuple[int, int]]:
    """Returns the ranges of sequence numbers in (after, end] of an epoch that the journal does not hold."""
    base = number << SEQ_BITS
    counts = list(
        database.execute("SELECT count(*) FROM stamps WHERE row > ? AND row <= ?", (base + after_seq, base + end))
    )
    if counts[0][0] == end - after_seq:
        return []
    ranges: list[tuple[int, int]] = []
    expected = after_seq + 1
    for (row,) in database.execute(
        "SELECT row FROM stamps WHERE row > ? AND row <= ? ORDER BY row", (base + after_seq, base + end)
    ):
        seq = row & SEQ_MASK
        if seq > expected:
            ranges.append((expected, seq - 1))
        expected = seq + 1
    if expected <= end:
        ranges.append((expected, end))
    return ranges
