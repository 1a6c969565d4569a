"""The limits of working time as data, and the break that a shift still lacks (ArbZG §§ 3 to 5, JArbSchG, MuSchG).

The product warns and never blocks, so nothing here refuses anything. The module knows only minutes, no stamps and no
entries.
"""

from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple

PlanCode = Literal["over_10_h", "youth", "maternity"]
"""The code of the warning for a plan that exceeds a person's limits."""


@dataclass(frozen=True, slots=True)
class BreakStep:
    """A person who works more than `over_minutes` net needs a break of `minutes`."""

    over_minutes: int
    minutes: int


class Night(NamedTuple):
    """Start and end of a night in minutes since local midnight; the end lies on the next day."""

    start_minute: int
    end_minute: int


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of working time of one person, in minutes. `piece_minutes`: the shortest gap that counts as a break.

    `night`: when the person must not work; None if every time is allowed. `plan_code`: the code of the warning for a
    plan that exceeds these limits.
    """

    break_steps: tuple[BreakStep, ...]
    piece_minutes: int = 15
    shift_minutes: int = 600
    rest_minutes: int = 660
    night: Night | None = None
    plan_code: PlanCode = "over_10_h"


ADULT = Limits((BreakStep(360, 30), BreakStep(540, 45)))
UNDER_18 = Limits(
    (BreakStep(270, 30), BreakStep(360, 60)),
    shift_minutes=480,
    rest_minutes=720,
    night=Night(20 * 60, 6 * 60),  # § 14 (1) JArbSchG
    plan_code="youth",
)
EXPECTING = Limits(
    (BreakStep(360, 30), BreakStep(540, 45)),
    shift_minutes=510,
    night=Night(20 * 60, 6 * 60),  # § 5 (1) MuSchG
    plan_code="maternity",
)


@dataclass(frozen=True, slots=True)
class DatedLimits:
    """The limits of one person with their first days, oldest first. Before the first day `ADULT` holds."""

    from_days: tuple[tuple[date, Limits], ...] = ()

    def on(self, day: date) -> Limits:
        limits_in_force = ADULT
        for valid_from, limits in self.from_days:
            if valid_from <= day:
                limits_in_force = limits
        return limits_in_force


def break_due(worked_minutes: int, taken_minutes: int, limits: Limits) -> int:
    """Returns the minutes of break that a shift of `worked_minutes` (raw) with `taken_minutes` of breaks taken still
    lacks.

    The thresholds apply to net time, so that a longer shift is never paid less. For adults the result is max(min(30 −
    t, W − 360), min(45 − t, W − 540), 0).
    """
    due = 0
    for step in limits.break_steps:
        short = step.minutes - taken_minutes
        over = worked_minutes - step.over_minutes
        due = max(due, short if short < over else over)
    return due
