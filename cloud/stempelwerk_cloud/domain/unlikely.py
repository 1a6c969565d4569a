"""Statistical tests for rollouts, applied to what updated clocks show. Pure.

Each test returns a p-value from 0 to 1. All but the binomial test are permutation tests, because the distribution of
clocks' figures is unknown. docs/decisions/0021-updates.md explains their use.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from math import comb, erfc, exp, lgamma, log, log1p, sqrt
from typing import NamedTuple

CLOCKS_COUNTED = 100
"""Sample size of `worse_than_before`: the first clocks of a random order. A larger sample would find no smaller
faults.
"""
OWN_RANKED = 40
"""Largest group with an exact rank-sum test, which takes 0.25 s."""
OTHERS_RANKED = 100


class Share(NamedTuple):
    """Number of clocks that show a sign, and size of their group."""

    shown: int
    of: int


class Days(NamedTuple):
    """Daily figures of one clock from 0, with the new version and before it. A higher figure is worse."""

    since: Sequence[int]
    before: Sequence[int]

    @property
    def excess(self) -> float:
        """Mean with the version less the mean before it."""
        return sum(self.since) / len(self.since) - sum(self.before) / len(self.before)


def at_least(updated: Share, theirs: Share) -> float:
    """Returns the p-value of Fisher's exact test, one-sided: `updated` shows the sign more often than `theirs`."""
    shown_total, fleet = updated.shown + theirs.shown, updated.of + theirs.of
    max_shown = min(shown_total, updated.of)
    log_total = _choose(fleet, updated.of)
    return sum(
        exp(_choose(shown_total, count) + _choose(fleet - shown_total, updated.of - count) - log_total)
        for count in range(max(updated.shown, updated.of - (fleet - shown_total)), max_shown + 1)
    )


def binomial_tail(min_count: int, of: int, share: float) -> float:
    """Returns the probability of at least `min_count` events in `of` trials, if each has the probability `share`."""
    return sum(
        exp(_choose(of, count) + count * log(share) + (of - count) * log1p(-share))
        for count in range(min_count, of + 1)
    )


def worse_than_before(clocks: Sequence[Days]) -> float:
    """Returns the p-value of an exact permutation test within clocks: the days with the version have higher sums than
    random days.

    Each clock draws its days with the version from all its days, so differences between clocks do not matter. An event
    that affects all clocks on one day looks like an effect of the version here; `worse_than_others` separates the two.
    """
    clocks = clocks[:CLOCKS_COUNTED]
    reached = sum(sum(clock.since) for clock in clocks)
    below = {0: 1.0}  # probability by sum, below the observed one
    for clock in clocks:
        sum_chances = _sums_drawn(clock)
        step: defaultdict[int, float] = defaultdict(float)
        for sum_before, likely in below.items():
            for drawn_sum, share in sum_chances.items():
                if sum_before + drawn_sum < reached:
                    step[sum_before + drawn_sum] += likely * share
        below = step
    return max(0.0, 1.0 - sum(below.values())) if reached else 1.0


def worse_than_others(updated: Sequence[float], theirs: Sequence[float]) -> float:
    """Returns the p-value of Wilcoxon's rank-sum test, one-sided, with ties: `updated` has higher ranks than `theirs`.

    The arguments are the excesses of clocks over the same days. The groups were drawn at random, so an event that
    affects all clocks, or any part of them, makes no difference. Groups up to `OWN_RANKED` are tested exactly.
    """
    if len(updated) <= OWN_RANKED:
        return _ranked_exactly(updated, theirs[:OTHERS_RANKED])
    return _ranked_by_normal(updated, theirs)


def _ranked_exactly(updated: Sequence[float], theirs: Sequence[float]) -> float:
    everybody = [*updated, *theirs]
    rank_of = _ranks(everybody)
    lots = comb(len(everybody), len(updated))
    # ways[n] counts the draws of n clocks by their sum of ranks: the sum is the index of a digit of `width` bits.
    width = lots.bit_length() + 1
    ways = [1] + [0] * len(updated)
    for value in everybody:
        for draw_size in range(len(updated), 0, -1):
            ways[draw_size] += ways[draw_size - 1] << rank_of[value] * width
    as_high = ways[-1] >> sum(rank_of[value] for value in updated) * width
    return as_high % ((1 << width) - 1) / lots  # the remainder is the sum of the digits


def _ranked_by_normal(updated: Sequence[float], theirs: Sequence[float]) -> float:
    """Returns the p-value of the rank-sum test by normal approximation (Mann and Whitney, Annals of Mathematical
    Statistics 18, 1947).
    """
    everybody = [*updated, *theirs]
    rank_of, fleet = _ranks(everybody), len(everybody)
    mean = sum(rank_of[value] for value in everybody) / fleet
    spread = sum((rank_of[value] - mean) ** 2 for value in everybody) / fleet
    variance = len(updated) * len(theirs) / (fleet - 1) * spread
    if not variance:
        return 1.0
    return erfc((sum(rank_of[value] for value in updated) - len(updated) * mean) / sqrt(2 * variance)) / 2


def _ranks(values: Sequence[float]) -> dict[float, int]:
    """Returns twice the rank of each value, from 0, so that ranks are whole numbers. Equal values share the mean of
    their ranks.
    """
    ordered = sorted(values)
    return {value: bisect_left(ordered, value) + bisect_right(ordered, value) for value in values}


def _sums_drawn(clock: Days) -> dict[int, float]:
    """Returns the probability of each sum of the clock's days with the version, if these are drawn at random from all
    its days.
    """
    ways: list[defaultdict[int, int]] = [defaultdict(int) for _ in range(len(clock.since) + 1)]
    ways[0][0] = 1
    for value in (*clock.since, *clock.before):
        for draw_size in range(len(clock.since), 0, -1):
            for reached, count in list(ways[draw_size - 1].items()):
                ways[draw_size][reached + value] += count
    draws = comb(len(clock.since) + len(clock.before), len(clock.since))
    return {reached: count / draws for reached, count in ways[-1].items()}


def _choose(of: int, count: int) -> float:
    """Returns the natural logarithm of the binomial coefficient."""
    return lgamma(of + 1) - lgamma(count + 1) - lgamma(of - count + 1)
