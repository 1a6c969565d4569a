"""Ids sort by the time they were made, also within one millisecond and across threads."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.kit.clock import SystemClock, SystemIds, uuid7


def test_the_clock_tells_utc_in_milliseconds() -> None:
    now = SystemClock().now()
    assert now.tzinfo is UTC
    assert now.microsecond % 1000 == 0
    assert abs((datetime.now(UTC) - now).total_seconds()) < 60


def test_ids_are_version_7_and_rise_however_fast_they_are_made() -> None:
    ids = SystemIds()
    new_ids = [ids.new() for _ in range(5000)]
    assert new_ids == sorted(set(new_ids))
    first = uuid.UUID(new_ids[0])
    assert (first.version, first.variant) == (7, uuid.RFC_4122)
    assert abs(first.int >> 80) - datetime.now(UTC).timestamp() * 1000 < 60_000


def test_ids_are_unique_across_threads() -> None:
    ids = SystemIds()
    with ThreadPoolExecutor(8) as pool:
        parts = pool.map(lambda _: [ids.new() for _ in range(500)], range(8))
        new_ids = [new_id for part in parts for new_id in part]
    assert len(set(new_ids)) == len(new_ids)


@given(st.integers(0, (1 << 60) - 1), st.integers(0, (1 << 60) - 1), st.integers(0, (1 << 62) - 1))
def test_later_ticks_sort_later_whatever_the_rest(ticks: int, other_ticks: int, random: int) -> None:
    first, second = uuid7(ticks, random), uuid7(other_ticks, (1 << 62) - 1 - random)
    if ticks != other_ticks:
        assert (first < second) == (ticks < other_ticks)
    assert first == str(uuid.UUID(first))


def test_tokens_are_as_long_as_they_are_said_to_be() -> None:
    tokens = {SystemIds().token(32) for _ in range(100)}
    assert len(tokens) == 100
    assert {len(token) for token in tokens} == {43}
