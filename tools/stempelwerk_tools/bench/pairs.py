"""Two ways of doing the same in this process, timed in turns so that both meet the same neighbours."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

_SLICE = 40


def in_turns(
    one: Callable[[], object], other: Callable[[], object], slices: int, repeats: int = _SLICE
) -> list[tuple[float, float]]:
    """The median seconds of both ways in each slice of so many repeats, after one that warms up."""
    found = []
    for number in range(slices + 1):
        times = {way: _median(way, repeats) for way in ((one, other) if number % 2 else (other, one))}
        found.append((times[one], times[other]))
    return found[1:]


def _median(way: Callable[[], object], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        way()
        times.append(time.perf_counter() - began)
    return statistics.median(times)
