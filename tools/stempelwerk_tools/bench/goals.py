"""The goals that a benchmark run is judged by, and the words and table that report the outcome.

A goal is a number to reach or to stay under. A value that could not be measured is neither met nor missed, and has a
reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

PRODUCT = "product on PostgreSQL"
EMBEDDED = "product on SQLite"
TWO_WORKERS = "product on PostgreSQL, two workers"


@dataclass(frozen=True)
class Bound:
    """A limit to reach (`at_least`) or to stay under, in `unit` ('×' for ratios)."""

    limit: float
    at_least: bool
    unit: str = "×"

    def met_by(self, value: float) -> bool:
        """Whether the value keeps the bound."""
        return value >= self.limit if self.at_least else value <= self.limit

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.limit:g}{_unit(self.unit)}"


@dataclass(frozen=True)
class Finding:
    """A goal and its value, measured on `ground`. `value` None: not measured, for this `reason`."""

    goal: str
    bound: Bound
    value: float | None
    reason: str = ""
    ground: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the value keeps the goal's bound; None if it was not measured."""
        return None if self.value is None else self.bound.met_by(self.value)

    @property
    def display_value(self) -> str:
        """Returns the value with its unit, or the reason for a missing one."""
        return self.reason if self.value is None else f"{self.value:.3g}{_unit(self.bound.unit)}"

    def as_json(self) -> dict[str, Any]:
        """Returns the finding for var/bench.json."""
        return {
            "goal": self.goal,
            "bound": str(self.bound),
            "value": self.value,
            "unit": self.bound.unit,
            "met": self.met,
            "ground": self.ground,
            **({"reason": self.reason} if self.reason else {}),
        }


def at_least(limit: float, unit: str = "×") -> Bound:
    """Returns the bound of a value that must reach the limit."""
    return Bound(limit, at_least=True, unit=unit)


def at_most(limit: float, unit: str = "×") -> Bound:
    """Returns the bound of a value that must not exceed the limit."""
    return Bound(limit, at_least=False, unit=unit)


def _unit(unit: str) -> str:
    return unit if unit in ("", "×") else f" {unit}"


def on(ground: object, findings: Iterable[Finding]) -> list[Finding]:
    """Returns the findings as measured on this ground."""
    return [replace(finding, ground=str(ground)) for finding in findings]


SAID = {True: "met", False: "MISSED", None: "not measured"}


def goals_table(findings: Iterable[Finding]) -> str:
    """Returns a table with one line for each goal."""
    rows = [("goal", "bound", "measured", "", "on")]
    rows += [
        (finding.goal, str(finding.bound), finding.display_value, SAID[finding.met], finding.ground)
        for finding in findings
    ]
    return table(rows)


def table(rows: Sequence[Sequence[str]]) -> str:
    """Returns the rows as text with aligned columns; the first row is the head."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([lines[0], "  ".join("─" * width for width in widths), *lines[1:]])
