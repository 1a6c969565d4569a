"""The plain reading of the pairing rules, on which the simulation's oracle relies, must agree with the product's."""

import itertools
import random
from datetime import UTC, datetime, timedelta

from stempelwerk_cloud.domain.entries.derivation import derive
from stempelwerk_cloud.domain.entries.stamps import Stamp
from stempelwerk_cloud.domain.settings import DatedRules, Rules
from stempelwerk_tools.simulation.judging.plan import Person, PlainEntry, PlannedTap, expected, taps_of

MONDAY = datetime(2026, 10, 19, tzinfo=UTC)
RULES = DatedRules([(None, Rules())])


def of_product(taps: list[PlannedTap]) -> list[PlainEntry]:
    stamps = [Stamp(f"{n:04}", tap.planned_at, tap.direction, "clock", "epoch", n) for n, tap in enumerate(taps)]
    return [PlainEntry(entry.start_at, entry.end_at) for entry in derive(stamps, (), (), RULES).entries]


def planned(seed: int, days: int = 14) -> list[PlannedTap]:
    rng = random.Random(seed)
    return taps_of(Person(0, night=rng.random() < 0.3, clocks=(0, 1)), MONDAY, days, rng)


def test_the_plain_reading_and_the_product_agree_on_planned_weeks():
    for seed in range(300):
        taps = planned(seed)
        plain = sorted(
            expected((tap.planned_at, tap.direction) for tap in taps), key=lambda entry: entry.start or entry.end
        )
        assert plain == of_product(taps), seed


def test_plans_contain_what_they_are_for():
    taps = [tap for seed in range(40) for tap in planned(seed)]
    gaps = [
        later.planned_at - tap.planned_at
        for tap, later in itertools.pairwise(taps)
        if later.planned_at > tap.planned_at
    ]
    assert sum(gap < timedelta(seconds=60) for gap in gaps) > 50  # double taps
    assert {tap.direction for tap in taps} == {"auto", "in", "out"}
    entries = [
        entry for seed in range(40) for entry in expected((tap.planned_at, tap.direction) for tap in planned(seed))
    ]
    assert any(entry.start is None for entry in entries)
    assert any(entry.end is None for entry in entries)


def test_planned_taps_keep_clear_of_the_longest_shift():
    for seed in range(100):
        taps = planned(seed)
        for index, tap in enumerate(taps):
            for earlier in taps[max(0, index - 4) : index]:
                if (
                    not timedelta(0) < tap.planned_at - taps[index - 1].planned_at < timedelta(seconds=60)
                ):  # a second tap follows its first
                    assert abs(tap.planned_at - earlier.planned_at - timedelta(hours=16)) > timedelta(minutes=10)
