"""Everything that lies on the clock's disk, as one value that the parts of the agent share."""

from __future__ import annotations

from dataclasses import dataclass

from stempelwerk_edge.cloud.membership import MembershipStore
from stempelwerk_edge.storage.clock_state import ClockState
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.outbox import Outbox
from stempelwerk_edge.storage.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Stores:
    """`state`, `outbox` and `membership` lie in the journal; `people` in a file of its own, which may be lost."""

    journal: Journal
    state: ClockState
    outbox: Outbox
    membership: MembershipStore
    people: Snapshot

    @classmethod
    def of(cls, journal: Journal, people: Snapshot) -> Stores:
        """The stores of one card; the journal need not be open yet."""
        state = ClockState(journal)
        return cls(journal, state, Outbox(journal), MembershipStore(state), people)
