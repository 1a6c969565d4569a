"""One tap for a tag that stays, however unsteadily it is seen."""

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.readers.held import BRIDGE_S, RELEASE_S, HeldTags

GAPS = st.floats(min_value=0.01, max_value=3.0)


def test_a_tag_that_stays_all_day_is_one_tap() -> None:
    held = HeldTags()
    assert [held.seen("A", at / 4) for at in range(200)].count(True) == 1


def test_two_tags_read_in_turns_are_two_taps() -> None:
    held = HeldTags()
    assert [tag for at, tag in enumerate("ABABABAABB") if held.seen(tag, at / 10)] == ["A", "B"]


def test_a_tag_lifted_and_held_again_is_a_second_tap() -> None:
    held = HeldTags()
    assert held.seen("A", 0.0)
    assert not held.seen(None, RELEASE_S / 2)
    assert not held.seen(None, RELEASE_S + 0.01)
    assert held.seen("A", RELEASE_S + 0.02)


def test_a_tag_that_lies_through_a_short_failure_is_no_new_tap() -> None:
    held = HeldTags()
    held.seen("A", 0.0)
    held.looking_again(since=0.0, at=BRIDGE_S)
    assert not held.seen("A", BRIDGE_S)


def test_after_a_long_failure_a_tag_is_answered_again() -> None:
    held = HeldTags()
    held.seen("A", 0.0)
    held.looking_again(since=0.0, at=BRIDGE_S + 0.1)
    assert held.seen("A", BRIDGE_S + 0.1)


@given(st.lists(st.tuples(GAPS, st.sampled_from(["A", "B", None])), max_size=60))
def test_each_tag_gives_one_tap_for_each_stretch_without_a_long_gap(looks: list[tuple[float, str | None]]) -> None:
    held, at = HeldTags(), 0.0
    taps: dict[str, int] = {"A": 0, "B": 0}
    times: dict[str, list[float]] = {"A": [], "B": []}
    for gap, tag in looks:
        at += gap
        if tag is not None:
            times[tag].append(at)
        if held.seen(tag, at) and tag is not None:
            taps[tag] += 1
    for tag, seen in times.items():
        stretches = sum(1 for i, now in enumerate(seen) if i == 0 or now - seen[i - 1] > RELEASE_S)
        assert taps[tag] == stretches
