"""The product as a side of the benchmark, on PostgreSQL and on SQLite: signed batches, everything committed.

A slice counts only if each stamp was answered with a durable outcome, is in the table of its company and not held, and
the entries that follow from it are there too.
"""

from __future__ import annotations

import json
from datetime import timedelta

from sqlalchemy import Connection, create_engine, text
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database

from stempelwerk_tools.bench.cpu import Cpu, used
from stempelwerk_tools.bench.installation import Installation
from stempelwerk_tools.bench.sides.expected import Entry, entries_of
from stempelwerk_tools.bench.sides.http_side import HttpSide
from stempelwerk_tools.bench.sides.load import Answer
from stempelwerk_tools.bench.sides.side import Slice, Void, Workload
from stempelwerk_tools.bench.sides.signed_clock import TAPS_APART

_MILLISECOND = timedelta(milliseconds=1)
_ENTRIES = text(
    "SELECT e.id, n.user_id, e.date, e.start_at, e.end_at, e.start_minute, e.end_minute, e.raw_minutes, e.break_minutes"
    " FROM entries e LEFT JOIN person_numbers n ON n.company_id = e.company_id AND n.no = e.person_no"
    " WHERE coalesce(e.start_at, e.end_at) >= :first"
)


class Product(HttpSide):
    """A running installation under load."""

    def __init__(self, name: str, installation: Installation) -> None:
        super().__init__()
        self.name = name
        self.port = installation.port
        self._installation = installation
        self._engine = create_engine(installation.database_url)

    def close(self) -> None:
        """Closes the database connections that count rows."""
        self._engine.dispose()

    def durability(self) -> str:
        """Returns the durability that a transaction of the product reports."""
        database = Database(self._installation.database_url, pool_size=2)
        try:
            with database.write(SYSTEM) as session:
                connection = session.connection()
                if database.dialect == "sqlite":
                    return _sqlite_durability(connection)
                for name in ("fsync", "synchronous_commit", "full_page_writes"):
                    value = connection.execute(text(f"SELECT current_setting('{name}')")).scalar()
                    if value != "on":
                        raise Void(f"{self.name} runs with {name}={value}")
                return "durable (PostgreSQL, fsync, synchronous_commit, full_page_writes)"
        finally:
            database.dispose()

    def prepare(self, client: int, count: int, size: int) -> list[bytes]:
        return [self._installation.clocks[client].batch(size) for _ in range(count)]

    def slice(self, workload: Workload, seconds: float) -> Slice:
        """Works as every side does, and then checks the entries that follow from the stamps of this slice, and those
        that were open before it.
        """
        counts = [len(clock.taps) for clock in self._installation.clocks]
        done = super().slice(workload, seconds)
        clocks = zip(self._installation.clocks, counts, strict=True)
        sent = [clock.taps[count].at_ms for clock, count in clocks if len(clock.taps) > count]
        last = [clock.taps[-1].at_ms for clock in self._installation.clocks if clock.taps]
        self.follows(min(sent or last) - TAPS_APART // _MILLISECOND)
        return done

    def accepted(self, answer: Answer) -> int:
        if answer.status != 200:
            raise Void(f"{self.name} answered {answer.status}: {answer.body[:300]!r}")
        results = json.loads(answer.body)["results"]
        held_stamps = [stamp for stamp in results if str(stamp["state"]).startswith("held")]
        if held_stamps:
            raise Void(f"{self.name}: a stamp is held: {held_stamps[0]}")
        return sum(stamp["outcome"] in ("stored", "duplicate") for stamp in results)

    def rows(self) -> int:
        with self._engine.connect() as connection:
            return int(connection.execute(text("SELECT count(*) FROM stamps")).scalar_one())

    def follows(self, first_ms: int) -> None:
        """Raises Void unless the entries that begin at this time or later are exactly those that follow from the
        taps.
        """
        taps = [tap for clock in self._installation.clocks for tap in clock.taps]
        holders = self._installation.holders
        expected = {entry.id: entry for entry in entries_of(taps, holders, first_ms)}
        with self._engine.connect() as connection:
            rows = connection.execute(_ENTRIES, {"first": first_ms})
            stored = {str(row[0]): Entry(str(row[0]), str(row[1]), str(row[2]), *row[3:]) for row in rows}
        for id_ in expected.keys() | stored.keys():
            if expected.get(id_) != stored.get(id_):
                raise Void(f"{self.name}: the entry {expected.get(id_)} stands as {stored.get(id_)}")

    def cpu(self) -> Cpu:
        return used(self._installation.pid, self._engine)


def _sqlite_durability(connection: Connection) -> str:
    synchronous = connection.execute(text("PRAGMA synchronous")).scalar()
    journal = connection.execute(text("PRAGMA journal_mode")).scalar()
    if synchronous != 2 or journal != "wal":
        raise Void(f"SQLite runs with synchronous={synchronous}, journal_mode={journal}")
    return "durable (SQLite, WAL, synchronous=FULL)"
