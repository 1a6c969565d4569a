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
def test_shares_are_compared_by_fishers_exact_test(updated_count: int, theirs: int, data: st.DataObject) -> None:
    updated_shown, other_shown = data.draw(st.integers(0, updated_count)), data.draw(st.integers(0, theirs))
    both = updated_shown + other_shown
    exact = sum(
        Fraction(
            comb(both, count) * comb(updated_count + theirs - both, updated_count - count),
            comb(updated_count + theirs, updated_count),
        )
        for count in range(updated_shown, min(both, updated_count) + 1)
    )
    assert at_least(Share(updated_shown, updated_count), Share(other_shown, theirs)) == pytest.approx(float(exact))


@given(st.integers(0, 12), st.integers(1, 12), st.sampled_from([0.02, 0.5]))
def test_failures_are_counted_by_the_binomial_test(min_count: int, of: int, share: float) -> None:
    exact = sum(comb(of, count) * share**count * (1 - share) ** (of - count) for count in range(min_count, of + 1))
    assert binomial_tail(min_count, of, share) == pytest.approx(exact)


VALUES = st.lists(st.integers(0, 4), min_size=1, max_size=3)


@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=3))
def test_days_are_compared_with_all_ways_to_draw_them(clocks: list[tuple[list[int], list[int]]]) -> None:
    reached = sum(sum(updated_days) for updated_days, _ in clocks)
    possible_sums = [
        [sum(days) for days in combinations(updated_days + earlier_days, len(updated_days))]
        for updated_days, earlier_days in clocks
    ]
    ways = [sum(sums) >= reached for sums in product(*possible_sums)]
    p_value = worse_than_before([Days(updated_days, earlier_days) for updated_days, earlier_days in clocks])
    assert p_value == pytest.approx(sum(ways) / len(ways))


def test_a_day_that_is_the_worst_of_eleven_at_each_of_five_clocks_is_as_rare_as_it_is() -> None:
    assert worse_than_before([Days([3], [0] * 10)] * 5) == pytest.approx(11**-5)


def test_the_first_100_clocks_count() -> None:
    assert worse_than_before([Days([1], [1])] * 300) == 1.0
    assert worse_than_before([Days([1], [0])] * 100 + [Days([0], [5])] * 900) == pytest.approx(0.0, abs=1e-12)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5), st.lists(st.integers(0, 5), max_size=6))
def test_ranks_are_compared_with_all_lots(updated_ranks: list[int], theirs: list[int]) -> None:
    everybody = updated_ranks + theirs

    def ranks(values: Sequence[int]) -> float:
        return sum(sum(compared < value for compared in everybody) + everybody.count(value) / 2 for value in values)

    lots = [ranks(lot) >= ranks(updated_ranks) for lot in combinations(everybody, len(updated_ranks))]
    assert worse_than_others(updated_ranks, theirs) == pytest.approx(sum(lots) / len(lots))


def test_without_any_difference_ranks_say_nothing() -> None:
    assert worse_than_others([2.0] * 5, [2.0] * 9) == 1.0
    assert worse_than_others([1.0], []) == 1.0
    assert worse_than_others([2.0] * 60, [2.0] * 900) == pytest.approx(1.0)


def test_many_are_compared_about_as_they_would_be_exactly() -> None:
    """Rare lots too: at one of thousand the normal distribution is right by a third."""
    chance = Random(5)
    updated_values, theirs = (
        [chance.choice((0.0, 0.0, 1.0, chance.gauss(0, 2))) for _ in range(count)] for count in (40, 100)
    )
    for shift in (0.0, 0.3, 0.6):
        shifted_values = [value + shift for value in updated_values]
        exact = worse_than_others(shifted_values, theirs)
        assert _ranked_by_normal(shifted_values, theirs) == pytest.approx(exact, rel=0.35), shift
    assert worse_than_others([*updated_values, 1.0], theirs) == _ranked_by_normal([*updated_values, 1.0], theirs)
