"""The clock's state apart from stamps and delivery: anchors, times, the lease, named texts; and the deletion of old
rows.

The functions below the class take an open transaction, so that callers can combine them with their own statements.
"""

import heapq
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from stempelwerk_edge.errors import JournalDamaged
from stempelwerk_edge.machine.clock import Quality, from_ms, to_ms
from stempelwerk_edge.machine.trusted_time import Anchor, Contact, Reading, latest_plausible, through
from stempelwerk_edge.parsing import read_json
from stempelwerk_edge.ports import Database
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.rows import SEQ_BITS, SEQ_MASK, Draft, Range, Row
from stempelwerk_edge.storage.salvage import END_OF_TIME_MS, is_stamp

RETENTION = timedelta(days=30)
_STEP = 200
_ROW, _TAG, _WALL = 0, 3, 5  # columns of the table of stamps
_HOUR_MS = 3_600_000
_UNREFLECTED = "unreflected"
_OWN = "SELECT * FROM stamps WHERE row > 0 ORDER BY row DESC LIMIT ?"
_BETWEEN = "SELECT * FROM stamps WHERE row >= ? AND row < ? ORDER BY row DESC LIMIT ?"


class ClockState:
    """The clock's lease, anchors, times and named texts, stored in its journal. Raises JournalError; thread-safe as the
    journal is.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._unreflected: tuple[Range, ...] | None = None

    def get(self, name: str) -> str | None:
        """Returns the text stored under this name, or None."""
        return self._journal.read(lambda database: get(database, name))

    def put(self, name: str, value: str) -> None:
        """Stores a text under this name, in place of an earlier one."""
        self._journal.write(lambda database: put(database, name, value))

    def lease(self, keyid: str) -> int | None:
        """Returns the lease that the cloud gave to this signing key; None for another key, or for a lease in doubt."""
        lease, doubted, _ = self._journal.read(lambda database: _lease(database, keyid))
        return None if doubted else lease

    def lease_from(self, keyid: str) -> str | None:
        """Returns the batch whose answer gave the lease; None if another answer gave it, or if there is no lease."""
        _, doubted, batch = self._journal.read(lambda database: _lease(database, keyid))
        return None if doubted else batch

    def take_lease(self, keyid: str, lease: int) -> None:
        """Stores the lease that the cloud gave to this signing key."""
        self._journal.write(lambda database: put_lease(database, keyid, lease))

    def doubt_lease(self, keyid: str) -> None:
        """Marks the lease as doubtful: no lease is sent until the cloud has given the next."""

        def work(database: Database) -> None:
            lease, *_ = _lease(database, keyid)
            put(database, "lease", json.dumps({"keyid": keyid, "lease": lease, "doubted": True}))

        self._journal.write(work)

    def forget_lease(self) -> None:
        """Deletes the lease: another server knows nothing of it."""
        self._journal.write(lambda database: database.execute("DELETE FROM meta WHERE name = 'lease'"))

    def store_anchor(self, anchor: Anchor, highest: datetime | None) -> None:
        """Stores an anchor, and the highest time seen with it."""

        def work(database: Database) -> None:
            put_anchor(database, anchor)
            if highest is not None:
                _put_highest(database, highest)

        self._journal.write(work)

    def store_highest(self, highest: datetime) -> None:
        """Replaces the stored highest time, even by an earlier one, with a time that a time service or the cloud
        confirms.
        """
        self._journal.write(lambda database: _put_highest(database, highest))

    def anchors(self, boots: Collection[str]) -> list[Anchor]:
        """Returns the anchors of these boots: the clock's own, and those from its meetings with a scanner."""

        def work(database: Database) -> list[Anchor]:
            anchors: list[Anchor] = []
            for boot in sorted(boots):
                anchors += anchors_of(database, boot)
                contacts = contacts_of(database, boot)
                clock_anchors = {
                    clock: anchors_of(database, clock) for clock in {contact.clock_boot for contact in contacts}
                }
                derived = (through(contact, clock_anchors[contact.clock_boot]) for contact in contacts)
                anchors += [anchor for anchor in derived if anchor is not None]
            return anchors

        return self._journal.read(work)

    def highest_time(self) -> datetime | None:
        """Returns the highest plausible wall time on record: the last trusted one, and the stamps since."""

        def work(database: Database) -> datetime | None:
            trusted, row = _last_trusted(database)
            latest_ms = to_ms(latest_plausible(trusted))
            query = "SELECT max(wall) FROM stamps WHERE row > ? AND wall BETWEEN 0 AND ?"
            [(latest,)] = database.execute(query, (row, latest_ms))
            candidates = [time for time in (trusted, None if latest is None else from_ms(latest)) if time is not None]
            return max(candidates, default=None)

        return self._journal.read(work)

    def trusted_time(self) -> datetime | None:
        """Returns the last time on record that a contact or a time service vouched for."""
        return self._journal.read(lambda database: _last_trusted(database)[0])

    def recent(self, look_at: int, per_tag: int | None = None) -> list[Row]:
        """Returns the newest stamps, oldest first: those from other cards, then this clock's own. They lack their
        epochs' names.

        Looks at no more than `look_at` of either kind; of each tag no more than `per_tag` of either kind are returned.
        """

        def work(database: Database) -> list[Row]:
            return [
                *_newest(_rescued(database, look_at), per_tag),
                *_newest(database.execute(_OWN, (look_at,)), per_tag),
            ]

        return self._journal.read(work)

    def unreflected(self) -> tuple[Range, ...]:
        """Returns the rows from other cards that the list of people does not reflect yet. Read once, then kept."""
        if self._unreflected is None:
            self._unreflected = self._journal.read(unreflected)
        return self._unreflected

    def store_unreflected(self, ranges: tuple[Range, ...]) -> None:
        """Replaces the ranges that `unreflected` returns, after the cloud has sent a list of people."""
        if ranges != self.unreflected():
            self._journal.write(lambda database: put_unreflected(database, ranges))
            self._unreflected = ranges

    def forget_delivered(self, now: datetime, boot: str, keep: timedelta = RETENTION) -> bool:
        """Deletes some rows that were delivered longer than `keep` ago, oldest first; returns whether there may be
        more.

        An epoch loses rows from its front only, so that missing rows differ from removed ones.
        """
        cutoff_ms = to_ms(now - keep)

        def work(database: Database) -> bool:
            old = _old_rows(database, cutoff_ms)
            for row in old:
                database.execute("DELETE FROM stamps WHERE row = ?", (row,))
                database.execute("DELETE FROM marks WHERE row = ?", (row,))
                database.execute("UPDATE epochs SET removed_to = ? WHERE number = ?", (row & SEQ_MASK, row >> SEQ_BITS))
            if len(old) < _STEP:
                _forget_the_unneeded(database, boot)
            return len(old) == _STEP

        return self._journal.write(work)


def _rescued(database: Database, look_at: int) -> list[tuple[Any, ...]]:
    """Returns about the newest `look_at` rows of other cards, newest first, without a scan of all of them.

    Their numbers order them within one epoch only (`rescue.py`), so the epochs are merged by wall time.
    """
    epochs = [_backwards(database, first, end) for first, end in _rescued_epochs(database)]
    merged = heapq.merge(*epochs, key=_by_wall, reverse=True)
    return sorted(islice(merged, look_at), key=_by_wall, reverse=True)


def _rescued_epochs(database: Database) -> list[Range]:
    """Returns the range of rows of each epoch from another card, newest epoch first: its first row, and the end
    (exclusive).
    """
    ranges: list[Range] = []
    end = 1
    while True:
        [(last,)] = database.execute("SELECT max(row) FROM stamps WHERE row < ?", (end,))
        if last is None:
            return ranges
        first = last >> SEQ_BITS << SEQ_BITS
        ranges.append((first, end))
        end = first


def _backwards(database: Database, first: int, end: int) -> Iterator[tuple[Any, ...]]:
    """Yields the rows of an epoch from its end, each step of them by wall time: a scanner brings older taps."""
    while rows := list(database.execute(_BETWEEN, (first, end, _STEP))):
        end = rows[-1][_ROW]
        yield from sorted(rows, key=_by_wall, reverse=True)


def _by_wall(row: tuple[Any, ...]) -> tuple[int, int]:
    return row[_WALL], row[_ROW]


def _newest(rows: Iterable[tuple[Any, ...]], per_tag: int | None) -> list[Row]:
    """Reads rows that come newest first, and returns at most the `per_tag` newest of each tag, oldest first."""
    newest_rows: list[Row] = []
    counts: Counter[str] = Counter()
    for values in rows:
        tag = values[_TAG]
        counts[tag] += 1
        if per_tag is None or counts[tag] <= per_tag:
            newest_rows.append(read_row(values))
    return newest_rows[::-1]


def unreflected(database: Database) -> tuple[Range, ...]:
    """Returns the ranges of rows from other cards that the list of people does not reflect yet."""
    match _remembered(database, _UNREFLECTED):
        case [*ranges] if all(_is_range(value) for value in ranges):
            return tuple((first, last) for first, last in ranges)
    return ()


def put_unreflected(database: Database, ranges: Iterable[Range]) -> None:
    """Stores the ranges of rows from other cards that the list of people does not reflect yet."""
    put(database, _UNREFLECTED, json.dumps(list(ranges)))


def _is_range(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(row) is int for row in value)


def _old_rows(database: Database, cutoff_ms: int) -> list[int]:
    """Returns up to `_STEP` of the journal's first rows, up to the first one that was not delivered before the
    cutoff.
    """
    old: list[int] = []
    for row, delivered_at in database.execute(
        "SELECT stamps.row, marks.delivered_at FROM stamps LEFT JOIN marks ON marks.row = stamps.row"
        " ORDER BY stamps.row LIMIT ?",
        (_STEP,),
    ):
        if delivered_at is None or delivered_at >= cutoff_ms:
            return old
        old.append(row)
    return old


def _forget_the_unneeded(database: Database, boot: str) -> None:
    """Deletes rows that no stamp needs any more: empty epochs except the newest, and the anchors and contacts of starts
    without stamps.

    The best anchor of each hour is kept; other anchors of past hours are deleted.
    """
    database.execute(
        "DELETE FROM epochs WHERE number < (SELECT max(number) FROM epochs)"
        " AND NOT EXISTS (SELECT 1 FROM stamps WHERE stamps.row >= epochs.number << 32"
        " AND stamps.row < (epochs.number + 1) << 32)"
    )
    database.execute("DELETE FROM gone WHERE epoch NOT IN (SELECT number FROM epochs)")
    # A scanner's contacts date its stamps. Needed are those from a day before its first stamp here on, and those of its
    # last day: the scanner may still hold taps of that day, and sends them when it is docked next.
    database.execute(
        "DELETE FROM contacts WHERE boot NOT IN (SELECT boot FROM scanners WHERE boot IS NOT NULL)"
        " AND boot NOT IN (SELECT boot FROM stamps)"
    )
    database.execute(
        "WITH needed AS MATERIALIZED (SELECT boot, min(at) AS since FROM"
        " (SELECT boot, boottime_ms AS at FROM stamps UNION ALL SELECT boot, max(tick_ms) FROM contacts GROUP BY boot)"
        " GROUP BY boot)"
        " DELETE FROM contacts WHERE tick_ms + ? < (SELECT since FROM needed WHERE needed.boot = contacts.boot)",
        (24 * _HOUR_MS,),
    )
    database.execute(
        "DELETE FROM anchors WHERE boot <> ? AND boot NOT IN (SELECT boot FROM stamps)"
        " AND boot NOT IN (SELECT clock_boot FROM contacts)",
        (boot,),
    )
    database.execute(
        "DELETE FROM anchors WHERE EXISTS (SELECT 1 FROM anchors AS better WHERE better.boot = anchors.boot"
        " AND better.boottime_ms / ? = anchors.boottime_ms / ? AND (better.rtt_ms, better.boottime_ms)"
        " < (anchors.rtt_ms, anchors.boottime_ms)) AND boottime_ms / ? <"
        " (SELECT max(boottime_ms) FROM anchors AS newest WHERE newest.boot = anchors.boot) / ?",
        (_HOUR_MS, _HOUR_MS, _HOUR_MS, _HOUR_MS),
    )


def read_row(values: tuple[Any, ...]) -> Row:
    """Returns a row of the table of stamps, without its epoch's name. Raises JournalDamaged for a spoilt row."""
    if not is_stamp(values):
        raise JournalDamaged(f"the stamp at {values[0]} is spoilt")
    row, identifier, assignment, tag, direction, wall, boot, boottime_ms, quality, via, shown = values
    reading = Reading(from_ms(wall), boot, boottime_ms, Quality(quality))
    return Row(row, "", Draft(identifier, assignment, tag, direction, reading, via, shown))


def put_anchor(database: Database, anchor: Anchor) -> None:
    """Stores an anchor."""
    values = (anchor.boot, anchor.boottime_ms, to_ms(anchor.server_time), anchor.rtt_ms)
    database.execute("INSERT OR REPLACE INTO anchors VALUES (?, ?, ?, ?)", values)


def anchors_of(database: Database, boot: str) -> list[Anchor]:
    """Returns the anchors of one boot."""
    query = "SELECT boottime_ms, server_time, rtt_ms FROM anchors WHERE boot = ? ORDER BY boottime_ms"
    return [
        Anchor(boot, boottime_ms, from_ms(server), rtt)
        for boottime_ms, server, rtt in list(database.execute(query, (boot,)))
        if isinstance(boottime_ms, int) and is_instant(server) and isinstance(rtt, int)
    ]


def contacts_of(database: Database, boot: str) -> list[Contact]:
    """Returns the contacts of one start of a scanner with this clock, oldest first."""
    query = "SELECT tick_ms, clock_boot, clock_ms FROM contacts WHERE boot = ? ORDER BY tick_ms"
    return [
        Contact(boot, tick_ms, clock_boot, clock_ms)
        for tick_ms, clock_boot, clock_ms in list(database.execute(query, (boot,)))
        if isinstance(tick_ms, int) and isinstance(clock_ms, int)
    ]


def put_lease(database: Database, keyid: str, lease: int, lease_from: str | None = None) -> None:
    """Stores the cloud's lease for this key. A lower lease never replaces one in doubt: a cloud that was restored from
    a backup meanwhile must notice that.

    `lease_from` is the batch whose answer gave it, if that batch brought a lease itself.
    """
    held_lease, doubted, _ = _lease(database, keyid)
    floor = held_lease if doubted and held_lease is not None else 0
    put(database, "lease", json.dumps({"keyid": keyid, "lease": max(lease, floor), "from": lease_from}))


def _lease(database: Database, keyid: str) -> tuple[int | None, bool, str | None]:
    """Returns the lease of this key, whether it is in doubt, and the batch whose answer gave it."""
    match _remembered(database, "lease"):
        case {"keyid": held_by, "lease": int() | None as lease, **rest} if held_by == keyid:
            batch = rest.get("from")
            return lease, bool(rest.get("doubted")), batch if isinstance(batch, str) else None
    return None, False, None


def _put_highest(database: Database, highest: datetime) -> None:
    put(database, "highest", json.dumps([to_ms(highest), highest_row(database)]))


def _last_trusted(database: Database) -> tuple[datetime | None, int]:
    """Returns the last wall time that a time service or the cloud confirmed, and the row of the newest stamp at that
    time.

    The stored highest time counts as confirmed. Scanners' stamps are left out: such a tap may be older than the taps on
    this clock before it.
    """
    kept_ms, row = None, 0
    match _remembered(database, "highest"):
        case [int(time_ms), int(newest)] if is_instant(time_ms):
            kept_ms, row = time_ms, newest
    rows = list(
        database.execute(
            "SELECT wall, row FROM stamps WHERE row > ? AND quality = ? AND via NOT LIKE 'scanner:%'"
            " AND wall BETWEEN 0 AND ? ORDER BY row DESC LIMIT 1",
            (row, Quality.NTP.value, END_OF_TIME_MS - 1),
        )
    )
    for wall, newest in rows:
        return from_ms(wall), newest
    return None if kept_ms is None else from_ms(kept_ms), row


def highest_row(database: Database) -> int:
    """Returns the newest stamp's row; 0 without stamps."""
    [(row,)] = database.execute("SELECT coalesce(max(row), 0) FROM stamps")
    return int(row)


def get(database: Database, name: str) -> str | None:
    """Returns a remembered text."""
    for (value,) in list(database.execute("SELECT value FROM meta WHERE name = ?", (name,))):
        return str(value)
    return None


def _remembered(database: Database, name: str) -> Any:
    """Returns the value of the JSON text stored under this name; None if it is missing or no JSON."""
    try:
        return read_json(get(database, name) or "null")
    except ValueError:
        return None


def is_instant(value: object) -> bool:
    """Returns whether a value is milliseconds since 1970, up to the year 9999."""
    return isinstance(value, int) and 0 <= value < END_OF_TIME_MS


def put(database: Database, name: str, value: str) -> None:
    """Remembers a text."""
    database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))
