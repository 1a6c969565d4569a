"""Rollouts: who goes first, when a stage is over, and what stops one."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.domain.rollouts import (
    DAILY,
    DEFAULT_STAGES,
    FAILED,
    FALSE_ALARMS,
    HOURLY,
    Candidate,
    Stage,
    Taps,
    Watched,
    alarm,
    alarm_by_days,
    are_stages,
    beside,
    by_lot,
    chance,
    enough,
    is_judged,
    measured,
    staged,
    too_many_fail,
    version_order,
    worked,
)
from stempelwerk_cloud.domain.unlikely import Days

ALL = Stage(percent=100)


def fleet(count: int, companies: int = 10_000, sick: int = 0) -> list[Candidate]:
    return [Candidate(no, f"d-{no}", f"c-{no % companies}", no >= sick) for no in range(count)]


def watched(count: int, shown_count: int, sign: str = "silent", past: int = 0) -> list[Watched]:
    """Returns `count` clocks: `shown_count` of them show the sign, and `past` of them showed it on one of their seven
    days.
    """
    return [
        Watched({sign} if no < shown_count else (), [{sign} if no < past else ()] + [()] * 6) for no in range(count)
    ]


# --- who goes first ---


def test_stages_rise_up_to_everybody() -> None:
    assert are_stages(DEFAULT_STAGES)
    assert are_stages([ALL])
    assert not are_stages([])
    assert not are_stages([Stage(percent=5)])
    assert not are_stages([Stage(percent=25), Stage(percent=25), ALL])
    assert not are_stages([Stage(percent=5), Stage(clocks=50), ALL])


@given(st.integers(0, 300), st.sampled_from([DEFAULT_STAGES, (ALL,), (Stage(clocks=3), Stage(clocks=9), ALL)]))
def test_every_clock_is_in_one_stage_by_the_same_lot(count: int, stages: Sequence[Stage]) -> None:
    clocks = fleet(count)
    stage_by_clock = staged("r", clocks, stages)
    assert stage_by_clock.keys() == {clock.device_no for clock in clocks}
    assert stage_by_clock == staged("r", clocks[::-1], stages)
    for number, stage in enumerate(stages):
        reached = max(earlier_stage.reach(count) for earlier_stage in stages[: number + 1])
        assert sum(of <= number for of in stage_by_clock.values()) == reached >= stage.reach(count)


def test_another_rollout_begins_with_others() -> None:
    first, second = (
        {no for no, stage in staged(name, fleet(500), DEFAULT_STAGES).items() if stage == 1} for name in ("r", "s")
    )
    assert len(first) == len(second) == 20
    assert len(first & second) < 6


def test_canaries_are_healthy_and_of_different_companies() -> None:
    stage_by_clock = staged("r", fleet(400, companies=8, sick=300), DEFAULT_STAGES)
    canaries = [no for no, stage in stage_by_clock.items() if stage == 0]
    assert len(canaries) == 5 == len({no % 8 for no in canaries})
    assert min(canaries) >= 300
    # Where there are too few of them, others follow.
    assert sorted(staged("r", fleet(4, companies=1, sick=3), DEFAULT_STAGES).values()) == [0, 0, 0, 0]


def test_versions_are_ordered_by_their_numbers() -> None:
    versions = ["", "1.9.0", "1.10.0rc2", "1.10.0rc10", "1.10", "1.10.0+2", "1.10.1b1", "1.10.1", "2.0.0"]
    assert sorted(["2.0.0", *versions[:-1]], key=version_order) == versions
    assert version_order("1.10") == version_order("1.10.0")


# --- what stops one ---


@pytest.mark.parametrize("at_once", [1, 2])
def test_all_looks_share_one_chance(at_once: int) -> None:
    spent = sum(24 * 5 * chance(day, 5, 24) + 3 * chance(day, 3) for day in range(1, 2000, at_once))
    assert spent < FALSE_ALARMS


def test_what_befalls_all_stops_nothing() -> None:
    """The internet fails everywhere."""
    assert alarm(HOURLY, watched(50, 50), watched(950, 950), 1e-6) is None
    assert alarm(HOURLY, watched(50, 10), watched(950, 190), 1e-6) is None


def test_what_always_befell_them_stops_nothing() -> None:
    assert alarm(HOURLY, watched(50, 40, past=50), watched(950, 5, past=950), 1e-6) is not None
    assert alarm(HOURLY, watched(5, 5, past=5), watched(5, 0, past=5), 1e-6) is None


def test_what_befalls_the_updated_alone_stops() -> None:
    raised_alarm = alarm(HOURLY, watched(50, 12, "queue"), watched(950, 19, "queue"), 1e-6)
    assert raised_alarm == ("queue", (12, 50), (19, 950))
    assert alarm(DAILY, watched(50, 12, "queue"), watched(950, 19, "queue"), 1e-6) is None


def test_few_clocks_stop_only_if_it_is_all_of_them_and_no_other() -> None:
    bar = chance(1, 5, 24)
    assert alarm(HOURLY, watched(5, 5), watched(5, 0), bar) is not None
    assert alarm(HOURLY, watched(5, 4), watched(5, 0), bar) is None
    assert alarm(HOURLY, watched(5, 5), watched(5, 1), bar) is None
    assert alarm(HOURLY, watched(1, 1), watched(1, 0), bar) is None
    assert alarm(HOURLY, watched(9, 9), [], bar) is None


def test_a_single_other_one_that_shows_it_too_does_not_hide_five_of_five() -> None:
    bars = chance(1, 5, 24), beside(1, 5)
    assert alarm(HOURLY, watched(5, 5), watched(15, 1), *bars) is not None
    assert alarm(HOURLY, watched(5, 4), watched(15, 1), *bars) is None
    assert alarm(HOURLY, watched(5, 5), watched(15, 5), *bars) is None


def test_updates_that_fail_stop() -> None:
    bar = chance(1, 5, 24)
    assert not too_many_fail(0, 0, bar)
    assert not too_many_fail(2, 5, bar)
    assert too_many_fail(4, 5, bar)
    assert not too_many_fail(3, 50, bar)
    assert too_many_fail(12, 50, bar)


def test_a_clocks_days_are_people_of_whom_a_tap_is_missing_and_tenths_of_its_taps() -> None:
    days_before = [Taps(40, 10, 1), Taps(40, 10, 0), Taps()]
    assert measured([Taps(32, 9, 3)], days_before)["odd"] == ([3], [1, 0])  # a day without employees has no figure
    assert measured([Taps(32, 9, 3)], days_before)["taps"] == ([0], [0, 0, 10])
    assert measured([Taps(10, 5, 0)], [Taps(50, 25, 0)] * 4)["taps"] == ([8], [0] * 4)
    assert measured([], []) == {"odd": ([], []), "taps": ([], [])}


def days(
    count: int, updated_figures: Sequence[int], earlier_figures: Sequence[int] = (0, 1, 0, 0, 0, 0, 1, 0, 0, 0)
) -> list[Days]:
    return [Days(updated_figures, earlier_figures) for _ in range(count)]


BARS = chance(1, len(DAILY)), beside(1, len(DAILY))


def test_five_bad_days_of_five_are_enough_beside_whatever_others_are_used_to() -> None:
    for unchanged_count in (5, 15, 995):
        used_to = days(unchanged_count // 5, [1]) + days(unchanged_count - unchanged_count // 5, [0])
        assert alarm_by_days("odd", days(5, [3]), used_to, *BARS) is not None, unchanged_count


def test_days_that_were_as_bad_before_stop_nothing() -> None:
    assert alarm_by_days("odd", days(5, [3], (0, 3, 0, 0, 3)), days(15, [0]), *BARS) is None


def test_a_bad_day_of_everybody_stops_nothing() -> None:
    assert alarm_by_days("odd", days(5, [3]), days(15, [3]), *BARS) is None
    assert alarm_by_days("odd", days(50, [3]), days(950, [3]), *BARS) is None


def test_days_without_others_or_without_a_past_say_nothing() -> None:
    assert alarm_by_days("odd", days(5, [3]), [], *BARS) is None
    assert alarm_by_days("odd", days(5, [3]), days(2, [0]), *BARS) is None
    assert alarm_by_days("odd", days(5, [3], ()), days(15, [0]), *BARS) is None
    assert alarm_by_days("odd", days(5, [3]), days(15, [0], ()), *BARS) is None


def test_two_slightly_bad_days_say_more_than_one() -> None:
    """A lost tap at a clock of three employees makes one of them odd."""
    assert alarm_by_days("odd", days(3, [1]), days(17, [0]), *BARS) is None
    assert alarm_by_days("odd", days(3, [1, 1, 1]), days(17, [0, 0, 0]), *BARS) is not None


def test_a_day_on_which_hardly_anybody_works_is_none() -> None:
    assert worked([40, 39, 3, 0, 20]) == [True, True, False, False, True]
    assert worked([0, 0]) == [True, True]  # a fleet without taps is still judged


def test_a_stage_waits_for_those_that_are_heard() -> None:
    assert not enough(0, 0)
    assert not enough(5, 3)
    assert enough(5, 4)


def test_a_stage_of_few_people_is_judged_for_longer() -> None:
    assert not is_judged(people=15, days=1, ever_tapped=True)
    assert is_judged(people=100, days=1, ever_tapped=True)
    assert is_judged(people=15, days=5, ever_tapped=True)


def test_clocks_at_which_nobody_has_ever_tapped_are_judged_at_once_and_those_that_fell_still_are_not() -> None:
    assert is_judged(people=0, days=1, ever_tapped=False)
    assert not is_judged(people=0, days=1, ever_tapped=True)


def test_those_that_are_compared_stand_for_all_whatever_their_numbers_say() -> None:
    """An event affects only newer clocks: their share among the first of the lot equals that among all."""
    first = by_lot("r", range(1000))[:100]
    assert 40 < sum(no >= 400 for no in first) < 80
    assert sorted(by_lot("r", range(1000))) == list(range(1000))
    assert by_lot("r", range(999, -1, -1))[:100] == first != by_lot("s", range(1000))[:100]


# --- both together: a fleet of a thousand ---


class World(NamedTuple):
    """The effect of a version on its clocks. `lost`: this share of their taps."""

    lost: float = 0.0
    silent: float = 0.0
    fails: float = 0.01


class Clock:
    """A clock with its people, who forget a tap now and then; some clocks are worse than others."""

    def __init__(self, chance_: Random, no: int) -> None:
        self.no = no
        self.people = min(60, 1 + int(chance_.lognormvariate(2.0, 0.8)))
        self.taps = chance_.choice((2, 2, 4))
        self.forget = chance_.uniform(0.005, 0.04)
        self.bad = {sign: chance_.expovariate(1 / mean) for sign, mean in BAD.items()}
        self.usual = [self.day(chance_, 0.0) for _ in range(10)]
        self.errors = [len(self.rare(chance_, ("errors",), 1.0)) for _ in self.usual]
        self.since = 0
        self.hours = [self.rare(chance_, HOURLY, 1.0) for _ in range(7)]
        self.updated = self.failed = False

    def day(self, chance_: Random, lost: float) -> Taps:
        came = sum(chance_.random() < 0.85 for _ in range(self.people))
        missing = 1 - (1 - lost) * (1 - self.forget)
        taps_per_person = [sum(chance_.random() >= missing for _ in range(self.taps)) for _ in range(came)]
        return Taps(
            sum(taps_per_person),
            sum(tap_count > 0 for tap_count in taps_per_person),
            sum(tap_count % 2 for tap_count in taps_per_person),
        )

    def live_a_day(self, chance_: Random, lost: float, worse: float) -> None:
        self.usual.append(self.day(chance_, lost))
        self.errors.append(len(self.rare(chance_, ("errors",), worse)))
        self.since += 1

    def figures_of(self, sign: str, days: int) -> Days:
        """Returns figures of eleven working days. The last `days` count as updated."""
        first = max(0, len(self.usual) - 11)
        first_updated = len(self.usual) - days
        if sign == "errors":
            return Days(self.errors[max(first, first_updated) :], self.errors[first:first_updated])
        return measured(self.usual[max(first, first_updated) :], self.usual[first:first_updated])[sign]

    def rare(self, chance_: Random, signs: Sequence[str], worse: float) -> set[str]:
        return {sign for sign in signs if chance_.random() < self.bad[sign] * worse}


BAD = {"silent": 0.03, "queue": 0.02, "time": 0.01, "reader": 0.005, "errors": 0.08}
LOOKS = (9, 15, 21)
"""The hours at which the fleet is checked here; each check is as strict as hourly ones."""


def roll_out(seed: int, world: World, count: int = 1000) -> tuple[str, int, str]:
    """Returns the end of a rollout (state, stage, sign), in a fleet with events that affect all clocks on some days."""
    chance_ = Random(seed)
    clocks = [Clock(chance_, no) for no in range(count)]
    stage_of = staged(f"r-{seed}", fleet(count), DEFAULT_STAGES)
    stage = people = judged_days = 0
    for day in range(1, 40):
        for clock in clocks:
            if stage_of[clock.no] <= stage and not clock.updated and not clock.failed and chance_.random() < 0.95:
                clock.failed = chance_.random() < world.fails
                clock.updated, clock.since = not clock.failed, 0
        updated, unchanged = [c for c in clocks if c.updated], [c for c in clocks if not c.updated]
        bar = chance(day, len(HOURLY) + 1, 24)
        failed = sum(c.failed for c in clocks)
        if too_many_fail(failed, failed + len(updated), bar):
            return "stopped", stage, FAILED
        for _ in LOOKS:
            shock = chance_.choice((1.0, 1.0, 1.0, 1.0, 8.0))
            unchanged_signs = [Watched(c.rare(chance_, HOURLY, shock), c.hours) for c in unchanged]
            updated_signs = [
                Watched(
                    c.rare(chance_, HOURLY, shock) | ({"silent"} if chance_.random() < world.silent else set()), c.hours
                )
                for c in updated
            ]
            raised_alarm = alarm(HOURLY, updated_signs, unchanged_signs, bar, beside(day, len(HOURLY) + 1))
            if raised_alarm is not None:
                return "stopped", stage, raised_alarm.sign
        shock = chance_.choice((1.0, 1.0, 1.0, 3.0))
        for clock in clocks:
            clock.live_a_day(chance_, world.lost if clock.updated else 0.0, shock)
        bars = chance(day, len(DAILY)), beside(day, len(DAILY))
        for sign in DAILY:
            beside_them = sorted(c.since for c in updated)[len(updated) // 2] if updated else 1
            updated_days, unchanged_days = (
                [c.figures_of(sign, c.since) for c in updated],
                [c.figures_of(sign, beside_them) for c in unchanged],
            )
            raised_alarm = alarm_by_days(sign, updated_days, unchanged_days, *bars)
            if raised_alarm is not None:
                return "stopped", stage, raised_alarm.sign
        in_stage = [c for c in clocks if stage_of[c.no] <= stage]
        people, judged_days = people + sum(c.usual[-1].people for c in updated), judged_days + 1
        if enough(len(in_stage), sum(c.updated for c in in_stage)) and is_judged(people, judged_days, ever_tapped=True):
            people, judged_days = 0, 0
            stage += 1
            while stage not in stage_of.values() and stage < len(DEFAULT_STAGES):
                stage += 1
            if stage == len(DEFAULT_STAGES):
                return "done", stage - 1, ""
    return "running", stage, ""


@pytest.mark.parametrize(("seeds", "at_most"), [(range(8), 0), pytest.param(range(200), 2, marks=pytest.mark.prove)])
def test_healthy_versions_reach_everybody(seeds: Sequence[int], at_most: int) -> None:
    outcomes = [roll_out(seed, World()) for seed in seeds]
    stopped = [end for end in outcomes if end[0] != "done"]
    assert len(stopped) <= at_most, stopped


@pytest.mark.parametrize(
    ("seeds", "at_most"), [(range(40), 2), pytest.param(range(40, 640), 36, marks=pytest.mark.prove)]
)
@pytest.mark.parametrize("count", [10, 20, 40])
def test_five_canaries_find_a_version_that_loses_a_fifth_of_all_taps(
    count: int, seeds: Sequence[int], at_most: int
) -> None:
    """Nineteen times of twenty, also in a fleet of ten."""
    outcomes = [roll_out(seed, World(lost=0.2), count) for seed in seeds]
    missed = [end for end in outcomes if end[0] != "stopped" or end[1] == len(DEFAULT_STAGES) - 1]
    assert len(missed) <= at_most, missed


@pytest.mark.parametrize(
    ("seeds", "at_most"), [(range(30), 1), pytest.param(range(30, 1000), 4, marks=pytest.mark.prove)]
)
@pytest.mark.parametrize("count", [10, 20, 40])
def test_healthy_versions_reach_small_fleets(count: int, seeds: Sequence[int], at_most: int) -> None:
    outcomes = [roll_out(seed, World(), count) for seed in seeds]
    stopped = [end for end in outcomes if end[0] == "stopped"]
    assert len(stopped) <= at_most, stopped


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(100), marks=pytest.mark.prove)])
@pytest.mark.parametrize("world", [World(lost=0.03), World(silent=0.2), World(fails=0.2)])
def test_bad_versions_do_not_reach_everybody(seeds: Sequence[int], world: World) -> None:
    outcomes = [roll_out(seed, world) for seed in seeds]
    assert [end for end in outcomes if end[0] == "done" or end[1] == len(DEFAULT_STAGES) - 1] == []
    # A failing version with too few canaries for certainty waits for more of them, and for an operator.
    assert [end for end in outcomes if end[0] == "running" and (end[1] > 0 or not world.fails)] == []
