"""Statistical tests of rollouts: exact p-values, checked against enumeration."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.unlikely import (
    Days,
    Share,
    _ranked_by_normal,
    at_least,
    binomial_tail,
    worse_than_before,
    worse_than_others,
)


@given(st.integers(0, 12), st.integers(0, 12), st.data())
def test_shares_are_compared_by_fishers_exact_test(mine: int, theirs: int, data: st.DataObject) -> None:
    shown, others = data.draw(st.integers(0, mine)), data.draw(st.integers(0, theirs))
    both = shown + others
    exact = sum(
        Fraction(comb(both, count) * comb(mine + theirs - both, mine - count), comb(mine + theirs, mine))
        for count in range(shown, min(both, mine) + 1)
    )
    assert at_least(Share(shown, mine), Share(others, theirs)) == pytest.approx(float(exact))


@given(st.integers(0, 12), st.integers(1, 12), st.sampled_from([0.02, 0.5]))
def test_failures_are_counted_by_the_binomial_test(least: int, of: int, share: float) -> None:
    exact = sum(comb(of, count) * share**count * (1 - share) ** (of - count) for count in range(least, of + 1))
    assert binomial_tail(least, of, share) == pytest.approx(exact)


VALUES = st.lists(st.integers(0, 4), min_size=1, max_size=3)


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=3))
def test_days_are_compared_with_all_ways_to_draw_them(clocks: list[tuple[list[int], list[int]]]) -> None:
    reached = sum(sum(since) for since, _ in clocks)
    drawn = [[sum(days) for days in combinations(since + before, len(since))] for since, before in clocks]
    ways = [sum(sums) >= reached for sums in product(*drawn)]
    found = worse_than_before([Days(since, before) for since, before in clocks])
    assert found == pytest.approx(sum(ways) / len(ways))


def test_a_day_that_is_the_worst_of_eleven_at_each_of_five_clocks_is_as_rare_as_it_is() -> None:
    assert worse_than_before([Days([3], [0] * 10)] * 5) == pytest.approx(11**-5)


def test_the_first_100_clocks_count() -> None:
    assert worse_than_before([Days([1], [1])] * 300) == 1.0
    assert worse_than_before([Days([1], [0])] * 100 + [Days([0], [5])] * 900) == pytest.approx(0.0, abs=1e-12)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5), st.lists(st.integers(0, 5), max_size=6))
def test_ranks_are_compared_with_all_lots(mine: list[int], theirs: list[int]) -> None:
    everybody = mine + theirs

    def ranks(values: Sequence[int]) -> float:
        return sum(sum(other < value for other in everybody) + everybody.count(value) / 2 for value in values)

    lots = [ranks(lot) >= ranks(mine) for lot in combinations(everybody, len(mine))]
    assert worse_than_others(mine, theirs) == pytest.approx(sum(lots) / len(lots))


def test_without_any_difference_ranks_say_nothing() -> None:
    assert worse_than_others([2.0] * 5, [2.0] * 9) == 1.0
    assert worse_than_others([1.0], []) == 1.0
    assert worse_than_others([2.0] * 60, [2.0] * 900) == pytest.approx(1.0)


def test_many_are_compared_about_as_they_would_be_exactly() -> None:
    """Rare lots too: at one of thousand the normal distribution is right by a third."""
    chance = Random(5)
    mine, theirs = ([chance.choice((0.0, 0.0, 1.0, chance.gauss(0, 2))) for _ in range(count)] for count in (40, 100))
    for shift in (0.0, 0.3, 0.6):
        own = [value + shift for value in mine]
        exact = worse_than_others(own, theirs)
        assert _ranked_by_normal(own, theirs) == pytest.approx(exact, rel=0.35), shift
    assert worse_than_others([*mine, 1.0], theirs) == _ranked_by_normal([*mine, 1.0], theirs)
