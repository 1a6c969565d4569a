"""The interface of a measured system, and the turns that the sides take.

A side is up for the whole run; in each round every side works for one short slice, in an order that rotates, so that
other load on the machine affects all alike. Ratios are formed within a round and their median counts.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from stempelwerk_tools.bench.cpu import Cpu


class Void(RuntimeError):
    """The numbers are not valid: a guard found that the measured system did not do all of its work."""


class NotMeasured(RuntimeError):
    """Something cannot be measured on this machine; the message has the reason."""


@dataclass(frozen=True)
class Workload:
    """A load: `clients` send at once, each batches of `size` stamps; `resend` repeats one batch byte for byte."""

    name: str
    clients: int
    size: int
    resend: bool = False


@dataclass(frozen=True)
class Slice:
    """The figures of one side's turn: stamps a second, median and 99th percentile of an answer in seconds, processor
    time if known.
    """

    rate: float
    p50: float
    p99: float
    stamps: int
    requests: int = 0
    cpu: Cpu | None = None


class Side(Protocol):
    """A system under load. Started by its context manager; `name` appears in the table."""

    name: str

    def durability(self) -> str:
        """Describes the durability that the running system reports. Raises Void if a commit does not wait for the disk
        although this side claims it does.
        """

    def slice(self, workload: Workload, seconds: float) -> Slice:
        """Works for about `seconds` and returns the figures. Raises Void if an answer or a row is missing."""


@dataclass
class Turns:
    """The slices of one workload, by side, in the order of the rounds."""

    workload: Workload
    slices: dict[str, list[Slice]] = field(default_factory=dict)

    def rate(self, side: str) -> float:
        """Returns the median over the rounds of the stamps a second."""
        return statistics.median(turn.rate for turn in self.slices[side])

    def p50(self, side: str) -> float:
        """Returns the median over the rounds of an answer's median, in seconds."""
        return statistics.median(turn.p50 for turn in self.slices[side])

    def cpu(self, side: str, unit: Literal["requests", "stamps"]) -> Cpu | None:
        """Returns the processor seconds for each request or stamp over all slices; None if no slice has measured
        them.
        """
        slices = [(turn, turn.cpu) for turn in self.slices[side] if turn.cpu is not None]
        if not slices:
            return None
        count = sum(getattr(turn, unit) for turn, _ in slices)
        inside = any(cpu.database is None for _, cpu in slices)
        database = None if inside else sum(cpu.database or 0 for _, cpu in slices) / count
        return Cpu(sum(cpu.service for _, cpu in slices) / count, database)

    def rate_ratio(self, side: str, against: str) -> float | None:
        """Returns the median over the rounds of the ratio of both rates; None if one of the sides was not measured."""
        return self._ratio(side, against, lambda turn: turn.rate)

    def p50_ratio(self, side: str, against: str) -> float | None:
        """Returns the median over the rounds of the ratio of both p50s; None if one of the sides was not measured."""
        return self._ratio(side, against, lambda turn: turn.p50)

    def cpu_ratio(self, side: str, against: str) -> float | None:
        """Returns the ratio of a request's processor time, service and database together; None if one of them is
        unknown.
        """
        side_cpu, against_cpu = (
            self.cpu(name, "requests") if name in self.slices else None for name in (side, against)
        )
        return None if side_cpu is None or against_cpu is None else side_cpu.total / against_cpu.total

    def _ratio(self, side: str, against: str, value: _Value) -> float | None:
        if not (side_slices := self.slices.get(side)) or not (against_slices := self.slices.get(against)):
            return None
        return statistics.median(value(a) / value(b) for a, b in zip(side_slices, against_slices, strict=True))


class _Value(Protocol):
    def __call__(self, turn: Slice, /) -> float: ...


def take_turns(sides: Sequence[Side], workload: Workload, *, rounds: int, seconds: float) -> Turns:
    """Lets every side work one slice in each round, after one round that warms up and does not count; returns the
    slices.
    """
    turns = Turns(workload, {side.name: [] for side in sides})
    for number in range(rounds + 1):
        first = number % len(sides)
        for side in (*sides[first:], *sides[:first]):
            turn = side.slice(workload, seconds)
            if number:
                turns.slices[side.name].append(turn)
    return turns
