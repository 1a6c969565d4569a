"""Delivery state of the stamps: delivered rows, the one batch on its way, lost rows, replay.

Everything here is bookkeeping: one short transaction a call, never in the way of a tap for longer. `delivery.py`
decides what an answer means; this file only makes it durable.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from stempelwerk_edge.cloud.delivery import Effects, Replay, replayed
from stempelwerk_edge.errors import JournalDamaged
from stempelwerk_edge.machine.clock import to_ms
from stempelwerk_edge.ports import Database
from stempelwerk_edge.storage import epochs
from stempelwerk_edge.storage.clock_state import highest_row, put_lease, read_row
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.rows import SEQ_BITS, Batch, Epoch, Mark, Range, Row

_BEFORE_ALL = -(1 << 63)  # rows of another card have numbers below 0 (`rescue.py`)
_LAST_RESCUED = -1


@dataclass(frozen=True, slots=True)
class Backlog:
    """The stamps that wait for delivery: their number, and the wall time of the oldest."""

    depth: int
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class Cut:
    """The content of the next batch: rows of one epoch in order, that epoch, and the lost ranges to report with it."""

    epoch: Epoch
    rows: tuple[Row, ...]
    lost_ranges: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Delivered:
    """The delivered rows: this clock's own rows up to `up_to`, and those of other cards except for `waiting`.

    `waiting` may include delivered rows that come after one that waits.
    """

    up_to: int
    waiting: tuple[Range, ...]


class Outbox:
    """The delivery state in a journal. Raises JournalError; thread-safe as the journal is."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._generation = journal.generation
        self._from = _BEFORE_ALL  # everything up to this row is delivered
        self._own_from = 0  # every row of this clock up to this one is delivered
        self._depth: int | None = None  # how many wait up to `_counted_to`; None: to be counted
        self._counted_to = 0
        self._replayed: set[datetime] = set()

    # ---- what waits

    def backlog(self) -> Backlog:
        """Returns how many stamps wait for delivery. Counts all of them once, and from then on only new rows: a queue
        may be long.
        """

        def work(database: Database) -> Backlog:
            start, newest = self._watermark(), highest_row(database)
            counted_to = start if self._depth is None else self._counted_to
            [(new_count,)] = database.execute("SELECT count(*) FROM waiting WHERE row > ?", (counted_to,))
            self._depth, self._counted_to = (self._depth or 0) + new_count, newest
            rows = list(database.execute("SELECT * FROM waiting WHERE row > ? ORDER BY row LIMIT 1", (start,)))
            first = read_row(rows[0]) if rows else None
            self._from = first.row - 1 if first else max(0, newest)
            return Backlog(self._depth, first.draft.reading.wall if first else None)

        return self._journal.read(work)

    def _watermark(self) -> int:
        """Returns a row before the first one that may wait: all rows up to it are delivered. `_BEFORE_ALL` while that
        is unknown.
        """
        if self._generation != self._journal.generation:
            self._generation = self._journal.generation
            self._reset_counts()
        return self._from

    def _reset_counts(self) -> None:
        """Forgets the counts, since delivered rows may wait again."""
        self._from, self._own_from, self._depth = _BEFORE_ALL, 0, None

    def cut(self, limit: int, avoid: Collection[int] = ()) -> Cut | None:
        """Returns the oldest waiting rows of one epoch, at most `limit`; or a delivered row to carry a report of
        losses.

        Rows in `avoid` are passed over.
        """

        def work(database: Database) -> Cut | None:
            rows: list[Row] = []
            for values in database.execute(
                "SELECT * FROM waiting WHERE row > ? ORDER BY row LIMIT ?",
                (self._watermark(), limit + len(avoid)),
            ):
                if values[0] in avoid:
                    continue
                if len(rows) == limit or (rows and values[0] >> SEQ_BITS != rows[0].row >> SEQ_BITS):
                    break
                rows.append(read_row(values))
            if not rows:
                rows = _bearer_of_losses(database)
            return _cut_of(database, rows) if rows else None

        return self._journal.read(work)

    # ---- the batch on its way

    def open_batch(self) -> Batch | None:
        """Returns the stored batch that the cloud has not answered yet, or None."""

        def work(database: Database) -> Batch | None:
            for identifier, keyid, lease, rows, gone_json, body in list(
                database.execute("SELECT id, keyid, lease, rows, gone, body FROM batch")
            ):
                try:
                    ranges = tuple((first, last) for first, last in json.loads(gone_json))
                    return Batch(identifier, keyid, lease, tuple(json.loads(rows)), ranges, bytes(body))
                except (ValueError, TypeError) as fault:
                    raise JournalDamaged(f"the batch on its way is spoilt: {fault}") from fault
            return None

        return self._journal.read(work)

    def write_down(self, batch: Batch) -> None:
        """Stores a batch before it is sent for the first time."""
        values = (batch.id, batch.keyid, batch.lease, json.dumps(batch.rows), json.dumps(batch.lost_ranges), batch.body)
        self._journal.write(lambda db: db.execute("INSERT OR REPLACE INTO batch VALUES (1, ?, ?, ?, ?, ?, ?)", values))

    def drop_batch(self) -> None:
        """Deletes the open batch; its stamps wait as before."""
        self._journal.write(lambda db: db.execute("DELETE FROM batch"))

    def rows(self, numbers: Sequence[int]) -> list[Row]:
        """Returns those of these rows that still exist (without their epoch's name)."""

        def work(database: Database) -> list[Row]:
            return [
                read_row(values)
                for number in numbers
                for values in list(database.execute("SELECT * FROM stamps WHERE row = ?", (number,)))
            ]

        return self._journal.read(work)

    def settle(self, batch: Batch, effects: Effects, marks: Iterable[Mark], now: datetime) -> None:
        """Stores the effects of a batch's answer in one transaction: marks of delivered rows, reported losses, the
        lease, and requested replays. Deletes the batch.
        """
        marked, replays = {mark.row: mark for mark in marks}, self._not_yet(effects.replays)

        def work(database: Database) -> int:
            for replay in replays:
                _replay(database, replay)
            waited = sum(_is_waiting(database, row) for row in marked)
            for mark in marked.values():
                database.execute(
                    "INSERT OR REPLACE INTO marks (row, outcome, state, delivered_at) VALUES (?, ?, ?, ?)",
                    (mark.row, mark.outcome, mark.state, to_ms(now)),
                )
            for first, last in batch.lost_ranges:
                database.execute(
                    "UPDATE gone SET told = 1 WHERE epoch = ? AND first = ? AND last = ?",
                    (batch.rows[0] >> SEQ_BITS, first, last),
                )
            database.execute("DELETE FROM batch")
            if effects.lease is not None:
                put_lease(database, batch.keyid, effects.lease, None if batch.lease is None else batch.id)
            return waited

        waited = self._journal.write(work)
        if replays:
            self._carried_out(replays)
        elif self._depth is not None:
            self._depth -= waited

    def replay(self, requested: Sequence[Replay], everything: bool = False) -> None:
        """Lets rows wait again because the cloud requests them. `everything`: all rows and people's answers, for
        another server.
        """
        replays = self._not_yet(requested)
        if not replays and not everything:
            return

        def work(database: Database) -> None:
            if everything:
                database.execute("DELETE FROM marks")
                database.execute("DELETE FROM answered")
            for replay in replays:
                _replay(database, replay)

        self._journal.write(work)
        self._carried_out(replays)

    def _not_yet(self, requested: Sequence[Replay]) -> list[Replay]:
        """Returns the replays without those since an instant that were carried out: every answer repeats them for a
        while.
        """
        return [replay for replay in requested if replay.since is None or replay.since not in self._replayed]

    def _carried_out(self, replays: Sequence[Replay]) -> None:
        self._replayed.update(replay.since for replay in replays if replay.since is not None)
        self._reset_counts()

    def repeat_row(self, row: int) -> None:
        """Lets one delivered row wait again, so that the next batch can carry what the batch of this row lacked."""
        self._journal.write(lambda db: db.execute("DELETE FROM marks WHERE row = ?", (row,)))
        self._reset_counts()

    def delivered(self) -> Delivered:
        """Returns which rows the cloud has. Rows are delivered in the order of their numbers, so no list of waiting
        rows is read.
        """
        self.backlog()
        if self._from >= 0:
            return Delivered(self._from, ())

        def work(database: Database) -> int:
            [(first,)] = database.execute("SELECT min(row) FROM waiting WHERE row > ?", (self._own_from,))
            return max(0, highest_row(database)) if first is None else int(first) - 1

        self._own_from = self._journal.read(work)
        return Delivered(self._own_from, ((self._from + 1, _LAST_RESCUED),))


def _is_waiting(database: Database, row: int) -> bool:
    """Returns whether a stamp is not delivered yet."""
    return bool(list(database.execute("SELECT 1 FROM waiting WHERE row = ?", (row,))))


def _cut_of(database: Database, rows: list[Row]) -> Cut:
    number = rows[0].row >> SEQ_BITS
    [(identifier, previous, last_seq)] = database.execute(
        "SELECT id, previous, previous_last_seq FROM epochs WHERE number = ?", (number,)
    )
    lost_ranges = tuple(
        (first, last)
        for first, last in database.execute(
            "SELECT first, last FROM gone WHERE epoch = ? AND told = 0 ORDER BY first", (number,)
        )
    )
    epoch = Epoch(number, identifier, previous, last_seq)
    return Cut(epoch, tuple(Row(row.row, identifier, row.draft) for row in rows), lost_ranges)


def _bearer_of_losses(database: Database) -> list[Row]:
    """Returns a delivered row of an epoch with unreported losses: a batch needs a stamp to report them with."""
    for (number,) in list(database.execute("SELECT DISTINCT epoch FROM gone WHERE told = 0 ORDER BY epoch")):
        for values in list(
            database.execute(
                "SELECT * FROM stamps WHERE row >= ? AND row < ? ORDER BY row DESC LIMIT 1",
                (number << SEQ_BITS, (number + 1) << SEQ_BITS),
            )
        ):
            return [read_row(values)]
    return []


def _replay(database: Database, replay: Replay) -> None:
    if replay.since is not None:
        since_ms = to_ms(replay.since)
        database.execute(
            "DELETE FROM marks WHERE delivered_at >= ? OR row IN (SELECT row FROM stamps WHERE wall >= ?)",
            (since_ms, since_ms),
        )
        database.execute("DELETE FROM answered WHERE at >= ?", (since_ms,))
        return
    for number, removed_to in list(
        database.execute("SELECT number, removed_to FROM epochs WHERE id = ?", (replay.epoch,))
    ):
        end = max(epochs.last_seq(database, number), removed_to)
        to_resend, lost = replayed(epochs.missing(database, number, 0, end), end, replay.first, replay.last)
        base = number << SEQ_BITS
        for first, last in to_resend:
            database.execute("DELETE FROM marks WHERE row >= ? AND row <= ?", (base + first, base + last))
        for first, last in lost:
            database.execute(
                "INSERT INTO gone (epoch, first, last) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET told = 0",
                (number, first, last),
            )
