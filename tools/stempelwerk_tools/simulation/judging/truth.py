"""The truth of a simulated world: every tap, the place of its row, and the lost cards and databases.

The world itself keeps this record and never looks into an agent. It knows the sound that the person heard for each tap,
and follows the places that hold it: a tap that was lost with a burnt card is excused.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise

from stempelwerk_tools.simulation.judging.plan import Direction
from stempelwerk_tools.simulation.machines.station import TapKey


@dataclass(frozen=True)
class Tap:
    """A tag was held to a clock. `acknowledged`: the person heard the tone for "saved"."""

    key: TapKey
    tapped_at: datetime
    station: str
    tag: str
    direction: Direction
    acknowledged: bool


@dataclass(frozen=True)
class Adopted:
    """The office has assigned a clock to a company from an instant on: its unassigned taps since then are the
    company's.

    `stations` are those that speak for the clock, a copy of its card among them.
    """

    stations: frozenset[str]
    company_id: str
    starts_at: datetime
    ends_at: datetime

    def takes(self, tap: Tap, company_id: str) -> bool:
        """Returns whether this adoption can explain the tap's company."""
        is_at_its_clock = tap.station.removeprefix("scanner-of-") in self.stations
        return is_at_its_clock and company_id == self.company_id and self.starts_at <= tap.tapped_at <= self.ends_at


@dataclass(frozen=True)
class Merged:
    """A batch that the service took in for the first time: its device, id, time, and the life of the card that sent it.

    `server` answered it. Its rows are of `epoch`, which names `previous` as its predecessor.
    """

    device: str
    batch: str
    at_s: float
    lineage: int
    server: str
    epoch: str
    previous: str | None


@dataclass(frozen=True)
class Branch:
    """A state of a card that lives on in two places: the batch that was open when it was copied, and the two lives.

    `server` is the server that the state knew, and whose lease it holds; None if it had not met a server.
    """

    device: str
    at_s: float
    open_batch: str | None
    server: str | None
    parent: int
    child: int


@dataclass
class Truth:
    """The complete record of what happened in the world."""

    taps: dict[TapKey, Tap] = field(default_factory=dict)
    excused: set[TapKey] = field(default_factory=set)
    contacts: set[str] = field(default_factory=set)  # boots during which the real service was heard
    merged: list[Merged] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)
    set_back_at_s: list[float] = field(default_factory=list)
    """The times of the service's set-backs, in order."""
    groundless: list[str] = field(default_factory=list)  # unfounded beliefs of the service
    adopted: list[Adopted] = field(default_factory=list)
    met_by: defaultdict[TapKey, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The companies that owned the clock while a scanner with this tap lay in it: the tap may belong to any of them."""

    def saw(self, merged: Merged) -> None:
        """Records a batch that the service has answered."""
        if all(batch.batch != merged.batch for batch in self.merged):
            self.merged.append(merged)

    def card_lost(self, content: set[TapKey], other_places: Iterable[set[TapKey]], stored: set[TapKey]) -> None:
        """Records that a card's content is gone. A tap that neither another place nor the service holds cannot come
        back.
        """
        elsewhere = stored.union(*other_places)
        self.excused |= content - elsewhere

    def database_lost(
        self,
        keys_before: set[TapKey],
        keys_after: set[TapKey],
        places: Iterable[set[TapKey]],
        since_s: float,
        now_s: float,
    ) -> None:
        """Records that the service was now restored to its state at `since_s`: it lacks the taps that it got since
        then, and everything else that it learnt.
        """
        self.set_back_at_s.append(now_s)
        self.excused |= keys_before - keys_after.union(*places)
        self.merged = [batch for batch in self.merged if batch.at_s <= since_s]

    def forks(self) -> set[str]:
        """Returns the devices with two visible lives: both sides of a branch delivered something of their own.

        A database that was set back has forgotten what the first of them showed; so both must have shown it before, or
        both after, or both between two set-backs.
        """
        bounds = pairwise([-math.inf, *self.set_back_at_s, math.inf])
        eras = [[batch for batch in self.merged if begin <= batch.at_s < end] for begin, end in bounds]
        return {branch.device for branch in self.branches if any(self._has_shown_both(branch, era) for era in eras)}

    def _has_shown_both(self, branch: Branch, merged: list[Merged]) -> bool:
        parents, childs = (
            [
                batch
                for batch in merged
                if batch.lineage in self._carried_on(side, branch)
                and batch.at_s > branch.at_s
                and batch.batch != branch.open_batch
            ]
            for side in (branch.parent, branch.child)
        )
        if all(batch.server == branch.server for batch in (*parents, *childs)):
            return bool(parents and childs)
        # Each life takes an unknown server for a new one and begins with the lease that is pending there. The lease
        # then shows them only if they take turns, and the epochs only if both name the parting.
        return _took_turns(parents, childs) or _took_turns(childs, parents) or _both_follow_one(parents, childs)

    def _carried_on(self, side: int, branch: Branch) -> set[int]:
        """Returns the lives that continue this side of a branch: its own lineage, and those that were copied from it
        later.
        """
        lineages = {side}
        for later in self.branches:
            if later is not branch and later.at_s >= branch.at_s and later.parent in lineages:
                lineages.add(later.child)
        return lineages

    def branched(self) -> set[str]:
        """Returns the devices that ever had a second life, seen or not."""
        return {branch.device for branch in self.branches}


def _took_turns(lives: list[Merged], other_lives: list[Merged]) -> bool:
    """Returns whether one of these lives delivered both before and after one of the others."""
    return any(
        first.at_s < other_batch.at_s < last.at_s
        for first, last in _first_and_last(lives)
        for other_batch in other_lives
    )


def _first_and_last(merged: list[Merged]) -> list[tuple[Merged, Merged]]:
    """Returns the first and the last batch of each life."""
    first: dict[int, Merged] = {}
    last: dict[int, Merged] = {}
    for batch in merged:
        first.setdefault(batch.lineage, batch)
        last[batch.lineage] = batch
    return [(batch, last[lineage]) for lineage, batch in first.items()]


def _both_follow_one(lives: list[Merged], other_lives: list[Merged]) -> bool:
    """Returns whether two epochs name the same predecessor."""
    return any(
        batch.previous is not None and batch.previous == other_batch.previous and batch.epoch != other_batch.epoch
        for batch in lives
        for other_batch in other_lives
    )
