"""Rules of rollouts: which clocks go first, when a stage ends, and what stops a rollout. Pure.

A rollout stops if updated clocks are worse than before and also worse than the others. Clocks are drawn for stages at
random, so the tests hold even if clocks have something in common. All tests of a rollout together have one probability
of a false alarm (`FALSE_ALARMS`). The reasons are in docs/decisions/0021-updates.md.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise, takewhile
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

from stempelwerk_cloud.domain.unlikely import Days, Share, at_least, binomial_tail, worse_than_before, worse_than_others

FALSE_ALARMS = 0.002
"""The probability that a version without any effect is stopped, over all looks of its rollout."""
HOURLY = ("silent", "queue", "time", "reader")
"""Signs that heartbeats show: the clock is silent, stamps stay in its queue, its time is not trusted, its
reader fails.
"""
DAILY = ("errors", "odd", "taps")
"""Figures of whole days: errors (0 or 1), people with an odd number of taps, and missing taps in tenths of the
average.
"""
FAILED = "failed"
"""The sign of a clock that has reverted the update."""
TOLERATED = 0.02
"""The share of updates that may fail although nothing is wrong with the version."""
ENOUGH = 0.8
"""The share of a stage's clocks (of those that are heard) that must have the version before the stage's days are
judged.
"""
CONVINCING = 0.02
"""The highest p-value of the comparison with other clocks that stops a rollout, if the fleet is too small for a lower
one.
"""
BEFALLEN = 20
"""One in this number of working days, at most, has an event that affects all clocks."""
PEOPLE_SEEN = 100
"""The number of person-days at updated clocks that suffices to reveal a version that loses a fifth of all taps."""
MOST_ODD = 20
"""Upper limit for the number of people with an odd number of taps on a day. For higher figures the exact test would
take seconds.
"""
LONGEST_JUDGED = 5
"""The number of working days after which a stage ends however few employees were seen."""
HOURS_A_DAY = 24

MOVES: Mapping[str, tuple[frozenset[str], str]] = MappingProxyType(
    {
        "pause": (frozenset({"running"}), "paused"),
        "resume": (frozenset({"paused"}), "running"),
        "stop": (frozenset({"running", "paused"}), "stopped"),
        "finish": (frozenset({"running"}), "done"),
        "rollback": (frozenset({"running", "paused", "stopped", "done"}), "rolled_back"),
    }
)
"""The transitions of a rollout: for each, the states that allow it and the state that follows."""
OPEN = ("running", "paused")
"""States where a rollout occupies its channel, so that no other can start there."""


class Stage(NamedTuple):
    """The size of a stage together with all stages before it: a number of clocks, or a percentage of all clocks."""

    clocks: int | None = None
    percent: int | None = None

    def reach(self, fleet: int) -> int:
        return min(fleet, self.clocks) if self.clocks is not None else ceil(fleet * (self.percent or 0) / 100)


DEFAULT_STAGES = (Stage(clocks=5), Stage(percent=5), Stage(percent=25), Stage(percent=100))


class Candidate(NamedTuple):
    """A clock that should get the version. `healthy`: it is heard, and shows no sign of a problem."""

    device_no: int
    device_id: str
    company_id: str | None
    healthy: bool


class Watched(NamedTuple):
    """The signs of a clock at one look, and at the same time of days before the rollout."""

    now: Collection[str]
    before: Sequence[Collection[str]]


class Taps(NamedTuple):
    """The taps on a clock on one day. `odd`: how many people (tags) have an odd number of taps, which means that a tap
    is missing.
    """

    taps: int = 0
    people: int = 0
    odd: int = 0


class Alarm(NamedTuple):
    """Why a rollout is stopped: the sign, and how many clocks with the version and how many others show it."""

    sign: str
    updated: Share
    others: Share


def are_stages(stages: Sequence[Stage]) -> bool:
    """Returns whether the stages are valid: each is larger than the one before, numbers come before percentages, and
    the last one has all clocks.
    """
    sizes = [(stage.clocks is None, stage.clocks or stage.percent or 0) for stage in stages]
    rising = all(size < next_size for size, next_size in pairwise(sizes))
    return bool(stages) and rising and stages[-1] == Stage(percent=100)


def staged(rollout_id: str, clocks: Collection[Candidate], stages: Sequence[Stage]) -> dict[int, int]:
    """Returns the stage (from 0) of each clock, by clock number. The draw is random, but the same for each call.

    A first stage that is a number of clocks takes healthy ones, if possible each of another company.
    """
    clock_order = sorted(clocks, key=lambda clock: _lot(rollout_id, clock.device_id))
    if stages[0].clocks is not None:
        clock_order = _canaries_first(clock_order, stages[0].reach(len(clock_order)))
    stage_by_clock: dict[int, int] = {}
    for number, stage in enumerate(stages):
        for clock in clock_order[len(stage_by_clock) : max(len(stage_by_clock), stage.reach(len(clock_order)))]:
            stage_by_clock[clock.device_no] = number
    return stage_by_clock


def measured(updated_days: Sequence[Taps], earlier_days: Sequence[Taps]) -> dict[str, Days]:
    """Returns the daily figures `odd` and `taps` of one clock, with the version and before.

    Missing taps are given in tenths of the clock's average. A day without employees has no figure `odd`.
    """
    mean = sum(day.taps for day in (*updated_days, *earlier_days)) / max(1, len(updated_days) + len(earlier_days))

    def tenths(day: Taps) -> int:
        return max(0, round(10 * (1 - day.taps / mean))) if mean else 0

    return {
        "odd": Days(*([min(day.odd, MOST_ODD) for day in days if day.people] for days in (updated_days, earlier_days))),
        "taps": Days(*([tenths(day) for day in days] for days in (updated_days, earlier_days))),
    }


def worked(clocks: Sequence[int]) -> list[bool]:
    """Returns for each day whether it was a working day, judged by how many clocks had taps. That excludes Sundays and
    holidays, whatever region the clocks are in.
    """
    max_clocks = max(clocks, default=0)
    return [2 * count >= max_clocks for count in clocks]


def enough(heard: int, updated: int) -> bool:
    """Returns whether enough of a stage's heard clocks have the version, so that its days can be judged."""
    return 0 < updated >= ENOUGH * heard


def is_judged(people: int, days: int, *, ever_tapped: bool) -> bool:
    """Returns whether a stage has been observed long enough. `people`: person-days at its updated clocks, over `days`
    working days.

    Clocks without any tap in two weeks need no people. Clocks whose taps ended with the version do.
    """
    return not ever_tapped or people >= PEOPLE_SEEN or days >= LONGEST_JUDGED


def by_lot(rollout_id: str, device_nos: Collection[int]) -> list[int]:
    """Returns the clocks in random order, so that the first ones are a fair sample. The order is the same for each
    call.
    """
    return sorted(device_nos, key=lambda no: _lot(rollout_id, f"clock {no}"))


def chance(day: int, signs: int, looks: int = 1) -> float:
    """Returns the p-value below which one look on a day of the rollout (from 1) stops it, for `signs` signs and `looks`
    looks on that day.

    The shares of all days add up to `FALSE_ALARMS`, however many days there are. Half of a day's share is for the look
    at the whole day, half for the looks at heartbeats.
    """
    return FALSE_ALARMS / (day * (day + 1)) / 2 / signs / looks


def beside(day: int, signs: int) -> float:
    """Returns the highest p-value of the comparison with other clocks that stops a rollout.

    That comparison only has to exclude events that affect all clocks. These happen on one day in `BEFALLEN` at most.
    All looks of a day share one value, because an event lasts for several hours.
    """
    return chance(day, signs) * BEFALLEN


def too_many_fail(failed: int, attempts: int, bar: float) -> bool:
    """Returns whether significantly more updates failed than `TOLERATED`, of those that ended. `bar`: the p-value below
    which that holds.
    """
    return failed > 0 and binomial_tail(failed, attempts, TOLERATED) <= bar


def alarm(
    signs: Sequence[str], updated: Sequence[Watched], unchanged: Sequence[Watched], bar: float, beside: float = 0.0
) -> Alarm | None:
    """Returns an alarm for the first sign that updated clocks show more often than chance explains, compared both with
    their past and with the other clocks; else None. `bar` and `beside` are the highest p-values of these two
    comparisons.
    """
    lowest_p = _lowest_p_value(len(updated), len(unchanged))
    if lowest_p > CONVINCING:
        return None
    for sign in signs:
        updated_share, theirs = (_count(sign, [clock.now for clock in group]) for group in (updated, unchanged))
        if updated_share.shown * theirs.of <= theirs.shown * updated_share.of or at_least(updated_share, theirs) > max(
            bar, beside, lowest_p
        ):
            continue
        past = _count(sign, [day for clock in (*updated, *unchanged) for day in clock.before])
        if at_least(updated_share, past) <= bar:
            return Alarm(sign, updated_share, theirs)
    return None


def alarm_by_days(
    sign: str, updated: Sequence[Days], unchanged: Sequence[Days], bar: float, beside: float
) -> Alarm | None:
    """Returns an alarm if the updated clocks' days are worse than their days before, and worse than the other clocks'
    days; else None. Clocks without days on both sides of the update are left out.
    """
    updated_clocks, theirs = (
        [clock for clock in group if clock.since and clock.before] for group in (updated, unchanged)
    )
    lowest_p = _lowest_p_value(len(updated_clocks), len(theirs))
    if lowest_p > CONVINCING or worse_than_before(updated_clocks) > bar:
        return None
    excess = [[clock.excess for clock in group] for group in (updated_clocks, theirs)]
    if worse_than_others(*excess) > (CONVINCING if lowest_p > bar else beside):
        return None
    return Alarm(sign, *(Share(sum(value > 0 for value in group), len(group)) for group in excess))


def _lowest_p_value(updated: int, unchanged: int) -> float:
    """Returns the lowest p-value that these group sizes allow: the one if all updated clocks show the sign and no other
    does.
    """
    return at_least(Share(updated, updated), Share(0, unchanged))


def version_order(version: str) -> tuple[tuple[int, ...], int, tuple[str, ...]]:
    """Returns the sort key of a version: "1.10.0" comes after "1.9", "1.6.0rc1" before "1.6.0", and "1.6.0+2"
    after it.
    """
    numbers = "".join(takewhile("0123456789.".__contains__, version))
    suffix = version[len(numbers) :]
    release = [int(part) for part in numbers.split(".") if part]
    while release and not release[-1]:
        del release[-1]
    rank = 0 if not suffix else 1 if suffix.startswith(("+", "post")) else -1
    return tuple(release), rank, tuple(part.zfill(9) for part in re.findall(r"\d+|[a-z]+", suffix))


def _canaries_first(clock_order: list[Candidate], count: int) -> list[Candidate]:
    healthy_per_company: Counter[str | None] = Counter()
    ranked = []
    for place, clock in enumerate(clock_order):
        ranked.append((not clock.healthy, healthy_per_company[clock.company_id], place))
        healthy_per_company[clock.company_id] += clock.healthy
    canary_indexes = {place for *_, place in sorted(ranked)[:count]}
    return [
        clock_order[place]
        for place in sorted(range(len(clock_order)), key=lambda place: (place not in canary_indexes, place))
    ]


def _lot(rollout_id: str, device_id: str) -> bytes:
    return hashlib.sha256(f"{rollout_id} {device_id}".encode()).digest()


def _count(sign: str, shown_signs: Sequence[Collection[str]]) -> Share:
    return Share(sum(sign in signs for signs in shown_signs), len(shown_signs))
