"""How unlikely it is that chance alone explains what clocks show: statistical tests for rollouts. Pure.

Each answers the probability, from 0 to 1, of something at least as conspicuous if nothing but chance was at work. All
but the binomial one count in how many ways a lot could have fallen (permutation tests), because clocks and their days
differ in ways that nobody knows. docs/decisions/0021-updates.md says what they are used for.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from math import comb, erfc, exp, lgamma, log, log1p, sqrt
from typing import NamedTuple

CLOCKS_COUNTED = 100
"""The first so many clocks are enough to find what a rollout has to find. They stand for all, in an order by lot."""
OWN_RANKED = 40
"""So many are ranked exactly, which takes a quarter of a second."""
OTHERS_RANKED = 100


class Share(NamedTuple):
    """So many of so many."""

    shown: int
    of: int


class Days(NamedTuple):
    """A number from 0 for each day of one clock: with the new version, and before. The higher, the worse."""

    since: Sequence[int]
    before: Sequence[int]

    @property
    def excess(self) -> float:
        """How much worse its average day is than before."""
        return sum(self.since) / len(self.since) - sum(self.before) / len(self.before)


def at_least(mine: Share, theirs: Share) -> float:
    """Fisher's exact test, one-sided: of those who show something, so many or more are among `mine` by lot."""
    shown, fleet = mine.shown + theirs.shown, mine.of + theirs.of
    most = min(shown, mine.of)
    whole = _choose(fleet, mine.of)
    return sum(
        exp(_choose(shown, count) + _choose(fleet - shown, mine.of - count) - whole)
        for count in range(max(mine.shown, mine.of - (fleet - shown)), most + 1)
    )


def binomial_tail(least: int, of: int, share: float) -> float:
    """Binomial test: so many or more of `of`, where each happens with the probability `share`."""
    return sum(
        exp(_choose(of, count) + count * log(share) + (of - count) * log1p(-share)) for count in range(least, of + 1)
    )


def worse_than_before(clocks: Sequence[Days]) -> float:
    """Exact permutation test within clocks: the days with the version add up to so much or more by lot.

    Each clock draws from all its days as many as it has had the version. Clocks may differ as they like. What befalls
    everybody on one day is not told apart from the version: `worse_than_others` does that.
    """
    clocks = clocks[:CLOCKS_COUNTED]
    reached = sum(sum(clock.since) for clock in clocks)
    below = {0: 1.0}  # by sum: the chance of it, as far as it is below what was reached
    for clock in clocks:
        drawn = _sums_drawn(clock)
        step: defaultdict[int, float] = defaultdict(float)
        for sum_before, likely in below.items():
            for more, share in drawn.items():
                if sum_before + more < reached:
                    step[sum_before + more] += likely * share
        below = step
    return max(0.0, 1.0 - sum(below.values())) if reached else 1.0


def worse_than_others(mine: Sequence[float], theirs: Sequence[float]) -> float:
    """Wilcoxon's rank-sum test, one-sided, with ties: so high ranks, or higher, are among `mine` by lot.

    `mine` and `theirs` are excesses of clocks over the same days. Which clocks are `mine` was drawn by lot, so what
    befalls everybody, or some for whatever reason, is no difference. Up to `OWN_RANKED` it is exact.
    """
    if len(mine) <= OWN_RANKED:
        return _ranked_exactly(mine, theirs[:OTHERS_RANKED])
    return _ranked_by_normal(mine, theirs)


def _ranked_exactly(mine: Sequence[float], theirs: Sequence[float]) -> float:
    everybody = [*mine, *theirs]
    rank_of = _ranks(everybody)
    lots = comb(len(everybody), len(mine))
    # Each whole number holds the lots of so many clocks by their sum of ranks, as digits that are `width` bits wide.
    width = lots.bit_length() + 1
    ways = [1] + [0] * len(mine)
    for value in everybody:
        for drawn in range(len(mine), 0, -1):
            ways[drawn] += ways[drawn - 1] << rank_of[value] * width
    as_high = ways[-1] >> sum(rank_of[value] for value in mine) * width
    return as_high % ((1 << width) - 1) / lots  # the remainder is the sum of the digits


def _ranked_by_normal(mine: Sequence[float], theirs: Sequence[float]) -> float:
    """By the normal distribution: Mann and Whitney, Annals of Mathematical Statistics 18 (1947)."""
    everybody = [*mine, *theirs]
    rank_of, fleet = _ranks(everybody), len(everybody)
    mean = sum(rank_of[value] for value in everybody) / fleet
    spread = sum((rank_of[value] - mean) ** 2 for value in everybody) / fleet
    variance = len(mine) * len(theirs) / (fleet - 1) * spread
    if not variance:
        return 1.0
    return erfc((sum(rank_of[value] for value in mine) - len(mine) * mean) / sqrt(2 * variance)) / 2


def _ranks(values: Sequence[float]) -> dict[float, int]:
    """Twice the rank of each value, from 0; equal ones share the mean of their ranks."""
    ordered = sorted(values)
    return {value: bisect_left(ordered, value) + bisect_right(ordered, value) for value in values}


def _sums_drawn(clock: Days) -> dict[int, float]:
    """The sums of as many days as it has had the version, drawn from all its days: the chance of each."""
    ways: list[defaultdict[int, int]] = [defaultdict(int) for _ in range(len(clock.since) + 1)]
    ways[0][0] = 1
    for value in (*clock.since, *clock.before):
        for drawn in range(len(clock.since), 0, -1):
            for reached, count in list(ways[drawn - 1].items()):
                ways[drawn][reached + value] += count
    whole = comb(len(clock.since) + len(clock.before), len(clock.since))
    return {reached: count / whole for reached, count in ways[-1].items()}


def _choose(of: int, count: int) -> float:
    """The natural logarithm of the binomial coefficient."""
    return lgamma(of + 1) - lgamma(count + 1) - lgamma(of - count + 1)
