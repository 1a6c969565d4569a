"""A working day of the fleet's people, shortened: the place and time of each tap."""

from __future__ import annotations

import random
from dataclasses import dataclass

from stempelwerk_tools.fleet.furnishing import CLOCKS_A_COMPANY

_FROM_H, _TO_H = 5.5, 19.5


@dataclass(frozen=True, order=True)
class Planned:
    """A tap: seconds from the beginning of the day, the clock and the person."""

    at_s: float
    clock: int
    person: int


def day_of(clocks: int, people_a_clock: int, length_s: float, rng: random.Random) -> list[Planned]:
    """Returns all taps of one day in order: most come about half past seven, pause at noon and go before five.

    One person in ten is absent; now and then a tap is forgotten, is made twice, or is made at another clock of the
    company.
    """

    def seconds(hour: float) -> float:
        return min(max(hour - _FROM_H, 0.0) / (_TO_H - _FROM_H), 1.0) * length_s

    taps: list[Planned] = []
    for person in range(clocks * people_a_clock):
        if rng.random() < 0.1:
            continue
        came, pause = rng.gauss(7.4, 0.5), rng.gauss(12.1, 0.3)
        hours = [came, pause, pause + rng.uniform(0.5, 0.8), came + rng.gauss(8.8, 0.5)]
        for hour in hours:
            if rng.random() < 0.03:
                continue
            own_clock = person // people_a_clock
            first = own_clock - own_clock % CLOCKS_A_COMPANY
            clock = own_clock if rng.random() < 0.97 else rng.randrange(first, min(first + CLOCKS_A_COMPANY, clocks))
            taps.append(Planned(seconds(hour), clock, person))
            if rng.random() < 0.05:
                taps.append(Planned(seconds(hour) + 2, clock, person))
    return sorted(taps)
