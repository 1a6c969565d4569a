"""The clock's stores on the disk, as one value that the parts of the agent share."""

from __future__ import annotations

from dataclasses import dataclass

from stempelwerk_edge.cloud.membership import MembershipStore
from stempelwerk_edge.storage.answers import Answers
from stempelwerk_edge.storage.clock_state import ClockState
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.outbox import Outbox
from stempelwerk_edge.storage.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Stores:
    """The stores of one card. `people` has a file of its own, which may be lost; everything else is in the journal."""

    journal: Journal
    state: ClockState
    outbox: Outbox
    answers: Answers
    membership: MembershipStore
    people: Snapshot

    @classmethod
    def from_journal(cls, journal: Journal, people: Snapshot) -> Stores:
        """Returns the stores of one card; the journal need not be open yet."""
        state = ClockState(journal)
        return cls(journal, state, Outbox(journal), Answers(journal), MembershipStore(state), people)
