"""Rules of rollouts: which clocks go first, when a stage ends, and what stops a rollout. Pure.

A rollout stops when updated clocks are worse than before and worse than the others. Stages are drawn at random, so the
tests hold whatever clocks have in common. All tests of a rollout share one probability of a false alarm
(`FALSE_ALARMS`). The reasons are in docs/decisions/0021-updates.md.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise, takewhile
from math import ceil
from types import MappingProxyType
from typing import NamedTuple

from stempelwerk_cloud.domain.unlikely import (
    Days,
    Share,
    at_least,
    binomial_tail,
    worse_than_before,
    worse_than_others,
)

FALSE_ALARMS = 0.002
"""The chance with which a version that changes nothing is stopped, over all looks of its rollout."""
HOURLY = ("silent", "queue", "time", "reader")
"""Signs that heartbeats show: silence, stamps that stay in the queue, a time not to be trusted, a reader that fails."""
DAILY = ("errors", "odd", "taps")
"""Figures of whole days: errors (0 or 1), people with an odd number of taps, missing taps in tenths."""
FAILED = "failed"
"""The sign of an update that the clock has taken back by itself."""
TOLERATED = 0.02
"""The share of clocks whose update may fail without anything being wrong with the version."""
ENOUGH = 0.8
"""The share of a stage's clocks, of those that are heard, which must have the version before it is judged."""
CONVINCING = 0.02
"""Highest p-value against the others in a fleet that is too small for a lower one."""
BEFALLEN = 20
"""One working day of this many, at most, has an event that affects all clocks."""
PEOPLE_SEEN = 100
"""Days of employees at updated clocks that reveal a version which loses a fifth of all taps."""
MOST_ODD = 20
"""Upper limit of a day's people with an odd number of taps: the exact test takes seconds for higher figures."""
LONGEST_JUDGED = 5
"""Working days after which a stage ends with any number of employees."""
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
"""What can be done to a rollout: in which states, and what it is then."""
OPEN = ("running", "paused")
"""States in which a rollout has its channel for itself."""


class Stage(NamedTuple):
    """How far a stage reaches, with all before it: so many clocks, or so many of a hundred."""

    clocks: int | None = None
    percent: int | None = None

    def reach(self, fleet: int) -> int:
        return min(fleet, self.clocks) if self.clocks is not None else ceil(fleet * (self.percent or 0) / 100)


DEFAULT_STAGES = (Stage(clocks=5), Stage(percent=5), Stage(percent=25), Stage(percent=100))


class Candidate(NamedTuple):
    """A clock that is to have the version. `healthy`: it is heard, and nothing is wrong with it."""

    device_no: int
    device_id: str
    company_id: str | None
    healthy: bool


class Watched(NamedTuple):
    """The signs of a clock at a look, and at the same time of days before the rollout."""

    now: Collection[str]
    before: Sequence[Collection[str]]


class Taps(NamedTuple):
    """What came of a clock on a day. `odd`: people (tags) of whom a tap is missing, for their number is odd."""

    taps: int = 0
    people: int = 0
    odd: int = 0


class Alarm(NamedTuple):
    """Why a rollout is stopped: of those with the version, and of the others."""

    sign: str
    updated: Share
    others: Share


def are_stages(stages: Sequence[Stage]) -> bool:
    """Whether each reaches further than the one before, numbers of clocks before shares, and the last one everybody."""
    sizes = [(stage.clocks is None, stage.clocks or stage.percent or 0) for stage in stages]
    rising = all(one < following for one, following in pairwise(sizes))
    return bool(stages) and rising and stages[-1] == Stage(percent=100)


def staged(rollout_id: str, clocks: Collection[Candidate], stages: Sequence[Stage]) -> dict[int, int]:
    """The stage (from 0) of each clock, by its number: drawn by lot, and by the same lot whenever it is asked.

    A first stage of so many clocks takes healthy ones, each of another company as far as there are such.
    """
    drawn = sorted(clocks, key=lambda clock: _lot(rollout_id, clock.device_id))
    if stages[0].clocks is not None:
        drawn = _canaries_first(drawn, stages[0].reach(len(drawn)))
    found: dict[int, int] = {}
    for number, stage in enumerate(stages):
        for clock in drawn[len(found) : max(len(found), stage.reach(len(drawn)))]:
            found[clock.device_no] = number
    return found


def measured(since: Sequence[Taps], before: Sequence[Taps]) -> dict[str, Days]:
    """Returns the daily figures `odd` and `taps` of one clock.

    Missing taps are tenths of the clock's average. A day without employees has no figure `odd`.
    """
    mean = sum(day.taps for day in (*since, *before)) / max(1, len(since) + len(before))

    def tenths(day: Taps) -> int:
        return max(0, round(10 * (1 - day.taps / mean))) if mean else 0

    return {
        "odd": Days(*([min(day.odd, MOST_ODD) for day in days if day.people] for days in (since, before))),
        "taps": Days(*([tenths(day) for day in days] for days in (since, before))),
    }


def worked(clocks: Sequence[int]) -> list[bool]:
    """On which of these days people worked, by how many clocks had taps: not on Sundays and holidays, whatever they
    are where the clocks hang.
    """
    most = max(clocks, default=0)
    return [2 * count >= most for count in clocks]


def enough(heard: int, updated: int) -> bool:
    """Whether so many of a stage's clocks that are heard have the version that their days can be judged."""
    return 0 < updated >= ENOUGH * heard


def is_judged(people: int, days: int, *, ever_tapped: bool) -> bool:
    """Whether a stage has seen enough: `people` are days of employees at its updated clocks, over `days` working days.

    Clocks without any tap in two weeks need no employees. Clocks whose taps ended with the version do.
    """
    return not ever_tapped or people >= PEOPLE_SEEN or days >= LONGEST_JUDGED


def by_lot(rollout_id: str, device_nos: Collection[int]) -> list[int]:
    """Orders clocks at random, so that the first of them are a fair sample."""
    return sorted(device_nos, key=lambda no: _lot(rollout_id, f"clock {no}"))


def chance(day: int, signs: int, looks: int = 1) -> float:
    """How unlikely something must be at one look of a rollout's day (from 1) at so many signs, of so many that day.

    The days' shares add up to `FALSE_ALARMS` however many there are; half of each is for looks at whole days, half for
    those at heartbeats.
    """
    return FALSE_ALARMS / (day * (day + 1)) / 2 / signs / looks


def beside(day: int, signs: int) -> float:
    """Returns the highest p-value of the comparison with other clocks.

    That comparison only excludes events that affect all clocks, which happen on one day in `BEFALLEN` at most. All
    looks of a day share the value, because such hours follow each other.
    """
    return chance(day, signs) * BEFALLEN


def too_many_fail(failed: int, tried: int, bar: float) -> bool:
    """Whether more updates failed, of so many that came to an end, than may be."""
    return failed > 0 and binomial_tail(failed, tried, TOLERATED) <= bar


def alarm(
    signs: Sequence[str], updated: Sequence[Watched], others: Sequence[Watched], bar: float, beside: float = 0.0
) -> Alarm | None:
    """The first sign that more of the updated clocks show than chance explains: against the past, and the others."""
    least = _least(len(updated), len(others))
    if least > CONVINCING:
        return None
    for sign in signs:
        mine, theirs = (_count(sign, [clock.now for clock in group]) for group in (updated, others))
        if mine.shown * theirs.of <= theirs.shown * mine.of or at_least(mine, theirs) > max(bar, beside, least):
            continue
        past = _count(sign, [day for clock in (*updated, *others) for day in clock.before])
        if at_least(mine, past) <= bar:
            return Alarm(sign, mine, theirs)
    return None


def alarm_by_days(
    sign: str, updated: Sequence[Days], others: Sequence[Days], bar: float, beside: float
) -> Alarm | None:
    """Returns an alarm if the updated clocks' days are worse than before and worse than the others' days.

    Clocks without days on both sides are left out.
    """
    mine, theirs = ([clock for clock in group if clock.since and clock.before] for group in (updated, others))
    least = _least(len(mine), len(theirs))
    if least > CONVINCING or worse_than_before(mine) > bar:
        return None
    excess = [[clock.excess for clock in group] for group in (mine, theirs)]
    if worse_than_others(*excess) > (CONVINCING if least > bar else beside):
        return None
    return Alarm(sign, *(Share(sum(one > 0 for one in group), len(group)) for group in excess))


def _least(updated: int, others: int) -> float:
    """Returns the lowest p-value of these group sizes: all updated clocks show the sign and no other does."""
    return at_least(Share(updated, updated), Share(0, others))


def version_order(version: str) -> tuple[tuple[int, ...], int, tuple[str, ...]]:
    """By which versions are ordered: "1.10.0" after "1.9", "1.6.0rc1" before "1.6.0", and "1.6.0+2" after it."""
    numbers = "".join(takewhile("0123456789.".__contains__, version))
    rest = version[len(numbers) :]
    release = [int(part) for part in numbers.split(".") if part]
    while release and not release[-1]:
        del release[-1]
    rank = 0 if not rest else 1 if rest.startswith(("+", "post")) else -1
    return tuple(release), rank, tuple(part.zfill(9) for part in re.findall(r"\d+|[a-z]+", rest))


def _canaries_first(drawn: list[Candidate], count: int) -> list[Candidate]:
    seen: Counter[str | None] = Counter()
    ranked = []
    for place, clock in enumerate(drawn):
        ranked.append((not clock.healthy, seen[clock.company_id], place))
        seen[clock.company_id] += clock.healthy
    chosen = {place for *_, place in sorted(ranked)[:count]}
    return [drawn[place] for place in sorted(range(len(drawn)), key=lambda place: (place not in chosen, place))]


def _lot(rollout_id: str, device_id: str) -> bytes:
    return hashlib.sha256(f"{rollout_id} {device_id}".encode()).digest()


def _count(sign: str, seen: Sequence[Collection[str]]) -> Share:
    return Share(sum(sign in one for one in seen), len(seen))
