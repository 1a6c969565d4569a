"""How many bytes of write-ahead log PostgreSQL needs for a stamp with its entry, and for a batch that is sent again.

Full-page images, which depend on when the last checkpoint was, and what the server writes for itself are apart.
"""

from __future__ import annotations

import contextlib
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import psycopg

from stempelwerk_tools.bench.field import Field
from stempelwerk_tools.bench.goals import Finding, at_most
from stempelwerk_tools.bench.measures.rates import NEW, RESENT
from stempelwerk_tools.bench.sides.side import NotMeasured, Side, Workload
from stempelwerk_tools.postgres import database_name

_OF_THE_SERVER = ["XLOG", "Standby"]  # checkpoints, images for hint bits, lists of running transactions
_STATS = """SELECT coalesce(sum(record_size), 0)::bigint FROM pg_get_wal_stats(%s::pg_lsn, %s::pg_lsn)
    WHERE "resource_manager/record_type" <> ALL(%s)"""
_AGAIN = replace(RESENT, name="re-sent, for its log")  # a batch of this part's own
_GOAL_NEW = "WAL bytes a stamp with its entry, batches of 50"
_GOAL_RESENT = "WAL bytes of a batch of 500 re-sent"


@dataclass
class WriteAheadLog:
    """A connection that reads how far the log is and what stands in it."""

    connection: psycopg.Connection[Any]

    def position(self) -> str:
        """The log sequence number now, everything before it being readable."""
        row = self.connection.execute("SELECT pg_current_wal_flush_lsn()").fetchone()
        assert row
        return str(row[0])

    def bytes_between(self, first: str, last: str) -> int:
        """Bytes of records from one position to another, without images and without the server's own."""
        if first == last:
            return 0
        row = self.connection.execute(_STATS, (first, last, _OF_THE_SERVER)).fetchone()
        assert row
        return int(row[0])


@contextlib.contextmanager
def write_ahead_log(dsn: str) -> Iterator[WriteAheadLog]:
    """Raises NotMeasured where the server's contributed modules are not installed."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        try:
            connection.execute("CREATE EXTENSION IF NOT EXISTS pg_walinspect")
        except psycopg.Error as error:
            raise NotMeasured(f"this PostgreSQL has no pg_walinspect ({str(error).splitlines()[0]})") from None
        yield WriteAheadLog(connection)


def measure(field: Field, rounds: int, seconds: float) -> list[Finding]:
    """Medians over the slices, after one that warms up. Raises Void."""
    product, _ = field.product()
    bounds = at_most(620, "bytes"), at_most(0, "bytes")
    try:
        with write_ahead_log(field.postgres.dsn(database_name(field.product()[1].database_url))) as log:
            return [
                Finding(_GOAL_NEW, bounds[0], _bytes(log, product, NEW, rounds, seconds)),
                Finding(_GOAL_RESENT, bounds[1], _bytes(log, product, _AGAIN, rounds, seconds) * RESENT.size),
            ]
    except NotMeasured as reason:
        goals = zip((_GOAL_NEW, _GOAL_RESENT), bounds, strict=True)
        return [Finding(goal, bound, None, str(reason)) for goal, bound in goals]


def _bytes(log: WriteAheadLog, side: Side, workload: Workload, rounds: int, seconds: float) -> float:
    """A stamp."""
    found = []
    for _ in range(rounds + 1):
        before = log.position()
        one = side.slice(workload, seconds)
        found.append(log.bytes_between(before, log.position()) / one.stamps)
    return statistics.median(found[1:])
