"""Limits in a list of people from older and newer clouds: what a clock makes of them."""

import json
from datetime import time
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.wire import PersonRow
from stempelwerk_edge.ports import ADULT, Limits

EICHE = {"userId": "u-1", "name": "M. Eiche", "tags": ["04A1"], "state": "out", "since": None}
MINUTES = st.integers(0, 1440)
TIMES = st.builds(time, st.integers(0, 23), st.integers(0, 59))
NIGHTS = st.none() | st.tuples(TIMES, TIMES).filter(lambda night: night[0] != night[1])
LIMITS = st.builds(
    Limits, st.integers(1, 1440), MINUTES, st.lists(st.tuples(MINUTES, MINUTES), max_size=4).map(tuple), NIGHTS
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
NEW_MEMBERS = st.dictionaries(st.text(min_size=1, max_size=6).map("x".__add__), JSON, max_size=2)
OF_LIMITS = ("shiftMinutes", "restMinutes", "breaks", "night")


def read(*members: dict[str, Any]) -> tuple[PersonRow, ...]:
    people = [EICHE | {"userId": f"u-{number}"} | member for number, member in enumerate(members)]
    answer = {"revision": "1", "reset": True, "people": people, "removed": []}
    return wire.read_people(json.dumps(answer).encode()).people


@given(LIMITS, NEW_MEMBERS)
def test_limits_are_read_as_they_are_written_beside_members_that_are_not_known(
    limits: Limits, unknown: dict[str, Any]
) -> None:
    [person] = read({"limits": unknown | wire.limits_member(limits)})
    assert person.limits == limits


@given(st.lists(st.none() | LIMITS, max_size=5))
def test_a_list_of_people_with_and_without_limits_gives_each_their_own(people: list[Limits | None]) -> None:
    rows = read(*({} if limits is None else {"limits": wire.limits_member(limits)} for limits in people))
    assert [person.limits for person in rows] == [limits or ADULT for limits in people]


@given(JSON)
def test_nonsense_in_place_of_limits_is_an_adults_and_costs_no_person(nonsense: Any) -> None:
    plain, person = read({}, {"limits": nonsense})
    assert (plain.limits, person.limits, person.name) == (ADULT, ADULT, "M. Eiche")


@given(LIMITS, st.sampled_from(OF_LIMITS), JSON)
def test_one_other_figure_is_read_whole_or_discards_the_limits(limits: Limits, name: str, value: Any) -> None:
    member = wire.limits_member(limits) | {name: value}
    [person] = read({"limits": member})
    assert person.limits == ADULT or wire.limits_member(person.limits) == member
