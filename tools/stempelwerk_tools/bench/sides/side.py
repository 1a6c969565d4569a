"""What every measured system looks like to the benchmark, and how the sides take turns.

A side is up for the whole run; in each round every side works for one short slice, in an order that rotates, so
that what else happens on the machine strikes all alike. Ratios are formed within a round and their median counts.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from stempelwerk_tools.bench.cpu import Cpu


class Void(RuntimeError):
    """A guard found that the numbers would not mean what they say."""


class NotMeasured(RuntimeError):
    """This side cannot be had here; the message says why."""


@dataclass(frozen=True)
class Workload:
    """So many clients, each with batches of `size`; `resend` repeats one batch byte for byte."""

    name: str
    clients: int
    size: int
    resend: bool = False


@dataclass(frozen=True)
class Slice:
    """One side's turn: stamps a second, median and 99th percentile of an answer in seconds; CPU if known."""

    rate: float
    p50: float
    p99: float
    stamps: int
    requests: int = 0
    cpu: Cpu | None = None


class Side(Protocol):
    """A system under load. Started by its context manager; `name` stands in the table."""

    name: str

    def durability(self) -> str:
        """In words, from what the running system says of itself. Raises Void if a commit does not wait for the disk
        although this side claims it does."""

    def slice(self, workload: Workload, seconds: float) -> Slice:
        """Work for about `seconds`. Raises Void if an answer or a row is missing."""


@dataclass
class Turns:
    """The slices of one workload, by side, in the order of the rounds."""

    workload: Workload
    slices: dict[str, list[Slice]] = field(default_factory=dict)

    def rate(self, side: str) -> float:
        """Median stamps a second."""
        return statistics.median(one.rate for one in self.slices[side])

    def p50(self, side: str) -> float:
        """Median of the slices' medians, seconds."""
        return statistics.median(one.p50 for one in self.slices[side])

    def cpu(self, side: str, unit: Literal["requests", "stamps"]) -> Cpu | None:
        """Seconds of processor for each request or stamp over all slices; None where that was not to be seen."""
        slices = [(one, one.cpu) for one in self.slices[side] if one.cpu is not None]
        if not slices:
            return None
        count = sum(getattr(one, unit) for one, _ in slices)
        inside = any(cpu.database is None for _, cpu in slices)
        database = None if inside else sum(cpu.database or 0 for _, cpu in slices) / count
        return Cpu(sum(cpu.service for _, cpu in slices) / count, database)

    def rate_ratio(self, side: str, against: str) -> float | None:
        """Median over the rounds of the rates' ratios; None if the other was not measured."""
        return self._ratio(side, against, lambda one: one.rate)

    def p50_ratio(self, side: str, against: str) -> float | None:
        """Median over the rounds of the p50s' ratios; None if the other was not measured."""
        return self._ratio(side, against, lambda one: one.p50)

    def cpu_ratio(self, side: str, against: str) -> float | None:
        """Of the processor time of a request, service and database together; None if one of them was not seen."""
        mine, other = (self.cpu(name, "requests") if name in self.slices else None for name in (side, against))
        return None if mine is None or other is None else mine.total / other.total

    def _ratio(self, side: str, against: str, value: _Value) -> float | None:
        if not (mine := self.slices.get(side)) or not (other := self.slices.get(against)):
            return None
        return statistics.median(value(a) / value(b) for a, b in zip(mine, other, strict=True))


class _Value(Protocol):
    def __call__(self, one: Slice, /) -> float: ...


def take_turns(sides: Sequence[Side], workload: Workload, *, rounds: int, seconds: float) -> Turns:
    """Every side works once a round, after one round that warms up and does not count."""
    turns = Turns(workload, {side.name: [] for side in sides})
    for number in range(rounds + 1):
        first = number % len(sides)
        for side in (*sides[first:], *sides[:first]):
            one = side.slice(workload, seconds)
            if number:
                turns.slices[side.name].append(one)
    return turns
