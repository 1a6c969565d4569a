"""One tap for a tag that stays, however unsteadily it is seen."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.readers.held import AWAY_LOOKS, AWAY_S, BRIDGE_S, LONGEST_AWAY_S, HeldTags

LOOK_S = 0.15


class Looks:
    """A reader that looks every 0.15 s of its own clock, and the taps that come of it."""

    def __init__(self) -> None:
        self._held = HeldTags()
        self.at = 0.0
        self.taps: list[str] = []

    def look(self, *tags: str | None) -> None:
        for tag in tags:
            self.at += LOOK_S
            if self._held.record_look(tag, self.at) and tag is not None:
                self.taps.append(tag)

    def find_nothing(self, seconds: float) -> None:
        self.look(*[None] * int(seconds / LOOK_S))


@pytest.fixture
def reader() -> Looks:
    return Looks()


def test_a_tag_that_stays_all_day_is_one_tap(reader: Looks) -> None:
    reader.look(*["A"] * 500)
    assert reader.taps == ["A"]


def test_two_tags_read_in_turns_are_two_taps(reader: Looks) -> None:
    reader.look(*"ABABABAABB" * 20)
    assert reader.taps == ["A", "B"]


def test_two_people_who_tap_at_once_are_two_taps(reader: Looks) -> None:
    reader.look("A", None, "B")
    assert reader.taps == ["A", "B"]


def test_a_tag_lifted_and_held_again_is_a_second_tap(reader: Looks) -> None:
    reader.look("A", "A")
    reader.find_nothing(AWAY_S + 2 * LOOK_S)
    reader.look("A", "A")
    assert reader.taps == ["A", "A"]


def test_a_tag_that_is_missed_for_a_moment_is_no_second_tap(reader: Looks) -> None:
    reader.look("A")
    reader.find_nothing(AWAY_S - 2 * LOOK_S)
    reader.look("A")
    assert reader.taps == ["A"]


@pytest.mark.parametrize("missed", range(AWAY_LOOKS))
def test_a_reader_that_looks_slowly_takes_no_tag_for_removed_after_a_look_or_two(missed: int) -> None:
    held_tags = HeldTags()
    assert held_tags.record_look("A", 0.0)
    for look in range(missed):
        held_tags.record_look(None, 20.0 + 20.0 * look)
    assert not held_tags.record_look("A", 100.0)


def test_a_second_tap_soon_after_a_steady_one_counts_however_slow_a_look_was() -> None:
    held_tags = HeldTags()
    for now in (0.0, 9.0, 9.2):
        held_tags.record_look("A", now)
    for look in range(1, 12):
        held_tags.record_look(None, 9.2 + look * LOOK_S)
    assert held_tags.record_look("A", 11.0)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(0, 9)), min_size=1, max_size=200))
def test_flickers_of_one_presence_are_one_tap(flickers: list[tuple[int, int]]) -> None:
    """Each is a few looks that find the tag and some that miss it, for less than the stated time."""
    reader = Looks()
    for seen_looks, missed in flickers:
        reader.look(*["A"] * seen_looks, *[None] * min(missed, int(AWAY_S / LOOK_S) - 1))
    assert reader.taps == ["A"]


@given(st.lists(st.sampled_from(["A", "B", None]), max_size=300), st.integers(1, 100))
def test_a_tag_that_was_really_away_is_a_new_tap_whatever_was_before(
    before: list[str | None], steady_looks: int
) -> None:
    reader = Looks()
    reader.look(*before)
    reader.find_nothing(LONGEST_AWAY_S + 2 * LOOK_S)
    reader.taps.clear()
    reader.look(*["A"] * steady_looks)
    reader.find_nothing(AWAY_S + 2 * LOOK_S)
    reader.look("A", "B")
    assert reader.taps == ["A", "A", "B"]


@pytest.mark.parametrize("chance", [0.1, 0.15, 0.2, 0.3, 0.5, 0.9])
def test_a_tag_at_the_edge_of_the_field_is_a_few_taps_at_most(chance: float) -> None:
    """Each look of 140 s finds it by chance; a gap may be of any length."""
    taps = []
    for seed in range(50):
        reader, luck = Looks(), random.Random(seed)
        reader.look(*("A" if luck.random() < chance else None for _ in range(int(140 / LOOK_S))))
        taps.append(len(reader.taps))
    assert sum(taps) / len(taps) < 3
    assert max(taps) <= 8


def test_a_tag_that_lies_through_a_short_failure_is_no_new_tap() -> None:
    held_tags = HeldTags()
    held_tags.record_look("A", 0.0)
    held_tags.looking_again(failed_at=0.0, now=BRIDGE_S)
    assert not held_tags.record_look("A", BRIDGE_S)


def test_after_a_long_failure_a_tag_is_answered_again() -> None:
    held_tags = HeldTags()
    held_tags.record_look("A", 0.0)
    held_tags.looking_again(failed_at=0.0, now=BRIDGE_S + 0.1)
    assert held_tags.record_look("A", BRIDGE_S + 0.1)
