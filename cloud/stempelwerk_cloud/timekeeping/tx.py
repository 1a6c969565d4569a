"""The context of a use case in one transaction, and what the process remembers between transactions.

Only what cannot change (numbers, streams) is remembered, and what each transaction checks against a revision (inputs).
A transaction's own writes are not remembered before its commit.
"""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.kit.database.statements import Sql
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot

COMPANIES_LIMIT = 500


@dataclass
class Memory:
    """The memory of the process. Threads share it, so values are replaced as a whole and never changed."""

    numbers: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    streams: dict[int, Any] = field(default_factory=dict)
    inputs: "OrderedDict[str, Any]" = field(default_factory=OrderedDict)


MEMORY: Slot[Platform, Memory] = Slot(lambda _: Memory())


class Tx:
    """A writing transaction: the session, its statements, the platform, and its instant (`now_ms`).

    - `locked_companies`: the inputs of the companies whose rules it holds exclusively, so that it may move stamps
      (`reprocessing.take_locks`).
    - `locked_ids`: the ids of the stamps that it may then decide about.
    - `from_memory`: it must not read or draw numbers that the process does not remember.
    - `full_locking`: it takes all locks at once, because the usual way of intake failed.
    """

    __slots__ = (
        "from_memory",
        "full_locking",
        "locked_companies",
        "locked_ids",
        "memory",
        "now_ms",
        "platform",
        "session",
        "sql",
    )

    def __init__(self, session: Session, platform: Platform, *, full_locking: bool = False) -> None:
        self.full_locking = full_locking
        self.from_memory = False
        self.locked_companies: dict[str, Any] | None = None
        self.locked_ids: frozenset[str] = frozenset()
        self.session = session
        self.platform = platform
        self.sql = Sql(session)
        self.now_ms = ms_of(platform.clock.now())
        self.memory = MEMORY.of(platform)
