"""What really happened in a simulated world: every tap, where its row lies, which cards and databases were lost.

This list is kept by the world itself and never looks into an agent. It knows of each tap what the person heard, and it
follows the places that hold it: a tap that a burnt card took with it is nobody's fault, and is excused.
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
    """A tag was held to a clock. `acknowledged`: the tone that says "saved" was heard."""

    key: TapKey
    at: datetime
    station: str
    tag: str
    direction: Direction
    acknowledged: bool


@dataclass(frozen=True)
class Adopted:
    """The office has said that a clock was a company's since an instant: what it took for nobody until now is theirs.

    `stations` are those that speak for the clock, a copy of its card among them.
    """

    stations: frozenset[str]
    company_id: str
    since: datetime
    until: datetime

    def takes(self, tap: Tap, company_id: str) -> bool:
        """Whether a tap may be this company's for that reason."""
        own = tap.station.removeprefix("scanner-of-") in self.stations
        return own and company_id == self.company_id and self.since <= tap.at <= self.until


@dataclass(frozen=True)
class Merged:
    """A batch that the service took in for the first time: whose, which, when, and from which state of which card.

    `server` answered it. Its rows are of `epoch`, which names `previous` as the one before it.
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
    """A card's state that lives on in two places: what was open when they parted, and who carries it on.

    `server` is the one that the state knew, and whose lease it holds; None if it had met none.
    """

    device: str
    at_s: float
    open_batch: str | None
    server: str | None
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
    set_back_at_s: list[float] = field(default_factory=list)
    """When the service's database was set back, in order."""
    groundless: list[str] = field(default_factory=list)  # what the service believed without a reason
    adopted: list[Adopted] = field(default_factory=list)
    met_by: defaultdict[TapKey, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Whose the clock was whenever a scanner with this tap lay in it: the tap may be any of theirs."""

    def saw(self, merged: Merged) -> None:
        """The service has answered a batch."""
        if all(one.batch != merged.batch for one in self.merged):
            self.merged.append(merged)

    def card_lost(self, content: set[TapKey], others: Iterable[set[TapKey]], stored: set[TapKey]) -> None:
        """A card's content is gone. What neither another place nor the service holds can never come back."""
        elsewhere = stored.union(*others)
        self.excused |= content - elsewhere

    def database_lost(
        self, before: set[TapKey], after: set[TapKey], places: Iterable[set[TapKey]], since_s: float, now_s: float
    ) -> None:
        """The service fell back now to its state at `since_s`: taps, and everything that it had learnt since."""
        self.set_back_at_s.append(now_s)
        self.excused |= before - after.union(*places)
        self.merged = [one for one in self.merged if one.at_s <= since_s]

    def forks(self) -> set[str]:
        """The devices whose two lives the service has seen: both sides of a branch delivered something of their own.

        A database that was set back has forgotten what the first of them showed; so both must have shown it before,
        or both since, or both between two times.
        """
        bounds = pairwise([-math.inf, *self.set_back_at_s, math.inf])
        eras = [[one for one in self.merged if begin <= one.at_s < end] for begin, end in bounds]
        return {branch.device for branch in self.branches if any(self._shown(branch, era) for era in eras)}

    def _shown(self, branch: Branch, merged: list[Merged]) -> bool:
        parents, childs = (
            [
                one
                for one in merged
                if one.lineage in self._carried_on(side, branch)
                and one.at_s > branch.at_s
                and one.batch != branch.open_batch
            ]
            for side in (branch.parent, branch.child)
        )
        if all(one.server == branch.server for one in (*parents, *childs)):
            return bool(parents and childs)
        # Each life takes a server that it does not know for another one and begins with the lease that is pending
        # there. The lease then shows them only if they take turns, and the epochs only if both name the parting.
        return _took_turns(parents, childs) or _took_turns(childs, parents) or _both_follow_one(parents, childs)

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


def _took_turns(lives: list[Merged], others: list[Merged]) -> bool:
    """Whether one of these lives delivered both before and after one of the others."""
    return any(first.at_s < between.at_s < last.at_s for first, last in _first_and_last(lives) for between in others)


def _first_and_last(merged: list[Merged]) -> list[tuple[Merged, Merged]]:
    """Of each life its first and its last batch."""
    first: dict[int, Merged] = {}
    last: dict[int, Merged] = {}
    for one in merged:
        first.setdefault(one.lineage, one)
        last[one.lineage] = one
    return [(one, last[lineage]) for lineage, one in first.items()]


def _both_follow_one(lives: list[Merged], others: list[Merged]) -> bool:
    """Whether two epochs name the same one as the one before them."""
    return any(
        one.previous is not None and one.previous == other.previous and one.epoch != other.epoch
        for one in lives
        for other in others
    )
