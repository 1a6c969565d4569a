"""What really happened in a simulated world: every tap, where its row lies, which cards and databases were lost.

This list is kept by the world itself and never looks into an agent. It knows of each tap what the person heard, and it
follows the places that hold it: a tap that a burnt card took with it is nobody's fault, and is excused.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from stempelwerk_tools.simulation.plan import Direction
from stempelwerk_tools.simulation.station import Card, TapKey


@dataclass(frozen=True)
class Tap:
    """A tag was held to a clock. `acknowledged`: the tone that says "saved" was heard."""

    key: TapKey
    at: datetime
    station: str
    tag: str
    direction: Direction
    acknowledged: bool


@dataclass(frozen=True)
class Merged:
    """A batch that the service took in for the first time: whose, which, when, and from which state of which card."""

    device: str
    batch: str
    at_s: float
    lineage: int


@dataclass(frozen=True)
class Branch:
    """A card's state that lives on in two places: what was open when they parted, and who carries it on."""

    device: str
    at_s: float
    open_batch: str | None
    parent: int
    child: int


@dataclass
class Truth:
    """Everything that the world knows for certain."""

    taps: dict[TapKey, Tap] = field(default_factory=dict)
    excused: set[TapKey] = field(default_factory=set)
    contacts: set[str] = field(default_factory=set)  # boots in which the real service was heard
    merged: list[Merged] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    set_back_at_s: float = math.inf
    groundless: list[str] = field(default_factory=list)  # what the service believed without a reason

    def saw(self, device: str, batch: str, at_s: float, lineage: int) -> None:
        """The service has answered a batch."""
        if all(one.batch != batch for one in self.merged):
            self.merged.append(Merged(device, batch, at_s, lineage))

    def card_lost(self, content: set[TapKey], others: Iterable[Card], stored: set[TapKey]) -> None:
        """A card's content is gone. What neither another card nor the service holds can never come back."""
        elsewhere = stored.union(*(card.taps for card in others))
        self.excused |= content - elsewhere

    def database_lost(
        self, before: set[TapKey], after: set[TapKey], cards: Iterable[Card], since_s: float, now_s: float
    ) -> None:
        """The service fell back now to its state at `since_s`: taps, and everything that it had learnt since."""
        self.set_back_at_s = now_s
        self.excused |= before - after.union(*(card.taps for card in cards))
        self.merged = [one for one in self.merged if one.at_s <= since_s]

    def forks(self) -> set[str]:
        """The devices whose two lives the service has seen: both sides of a branch delivered something of their own.

        A database that was set back has forgotten what the first of them showed; so both must have shown it before,
        or both since.
        """
        before = [one for one in self.merged if one.at_s < self.set_back_at_s]
        since = [one for one in self.merged if one.at_s >= self.set_back_at_s]
        return {branch.device for branch in self.branches if self._shown(branch, before) or self._shown(branch, since)}

    def _shown(self, branch: Branch, merged: list[Merged]) -> bool:
        return all(
            any(
                one.lineage in self._carried_on(side, branch)
                and one.at_s > branch.at_s
                and one.batch != branch.open_batch
                for one in merged
            )
            for side in (branch.parent, branch.child)
        )

    def _carried_on(self, side: int, branch: Branch) -> set[int]:
        """A lineage and those that parted from it later."""
        found = {side}
        for later in self.branches:
            if later is not branch and later.at_s >= branch.at_s and later.parent in found:
                found.add(later.child)
        return found

    def branched(self) -> set[str]:
        """The devices of which there ever was a second life, seen or not."""
        return {branch.device for branch in self.branches}
