"""Simulated weeks of the real agents and the real service, and the planted mistakes that such weeks find."""

import functools
from collections.abc import Callable, Iterator

import pytest
import structlog
from stempelwerk_tools.simulation import mutants
from stempelwerk_tools.simulation.command import main
from stempelwerk_tools.simulation.judging.oracle import Verdict
from stempelwerk_tools.simulation.run import Simulator

# Discards the service's log of a simulated week.
structlog.configure(
    processors=[structlog.processors.KeyValueRenderer()], logger_factory=structlog.ReturnLoggerFactory()
)

UNLESS_PROVEN = pytest.mark.proof("programs")
SEEDS = (1, *(pytest.param(seed, marks=UNLESS_PROVEN) for seed in (2, 3, 5)))
MORE_SEEDS = tuple(pytest.param(seed, marks=pytest.mark.prove) for seed in (0, 4, *range(6, 20)))
OLD_CARD_AT_ANOTHER_SERVER = (
    pytest.param(9057, marks=UNLESS_PROVEN),
    *(pytest.param(seed, marks=pytest.mark.prove) for seed in (9165, 9255)),
)
"""A card from before the database was set back under another name is put in after it: this cannot be detected."""
HELD_BACK_OVER_A_RESTORE = (pytest.param(21566, marks=UNLESS_PROVEN),)
"""A batch that the network held back comes after its clock has started over at the restored service."""
OLD_CARD_OF_ANOTHER_MACHINE = (pytest.param(733038, marks=UNLESS_PROVEN),)
"""A copied card is copied again before its new machine has started; the second copy is later put into that machine.

The card's own key never lives twice. The machine makes a key from each copy; both are shown as an identity conflict.
"""
OLD_LEASE_THAT_IS_PENDING_BY_CHANCE = (pytest.param(989432428, marks=UNLESS_PROVEN),)
"""A card lives twice, a day is lost, and one life's replay brings the lease exactly to the other life's position."""
FOUND_WITHIN = 30
FINDING_SEEDS = {
    "dedup by sequence number": (2, 1, 0),
    "acknowledgement before commit": (1, 7, 0),
    "deletion before acknowledgement": (1, 0, 2),
    "first variant wins": (22, 26),
    "order by wall time": (2, 1, 0),
    "fork forgotten": (1,),
    "second key unnoticed": (733038,),
    "set back unnoticed": (8, 1),
    "rescued under new ids": (3, 8, 10),
}
"""Seeds that have found each planted mistake. If a change of the programs blinds them, the others are tried, too."""
AT_EVERY_RUN = ("dedup by sequence number", "order by wall time")
"""The cheapest. The others, and all seeds but the first, run only if the programs have changed since their last proof
(`proven.py`).
"""
COPIED_CARD_AND_LOST_DAY = ("card used twice", "database set back", "power cuts", "program crashes", "days offline")


@pytest.fixture(scope="module")
def simulator() -> Iterator[Simulator]:
    with Simulator() as new_simulator:
        yield new_simulator


@pytest.fixture(scope="module")
def verdict_of(simulator: Simulator) -> Callable[[int], Verdict]:
    """Returns the verdict on a seed, cached for several tests."""
    return functools.cache(simulator.run)


ONCE_WRONG = (
    *OLD_CARD_AT_ANOTHER_SERVER,
    *HELD_BACK_OVER_A_RESTORE,
    *OLD_CARD_OF_ANOTHER_MACHINE,
    *OLD_LEASE_THAT_IS_PENDING_BY_CHANCE,
)


@pytest.mark.parametrize("seed", [*SEEDS, *MORE_SEEDS, *ONCE_WRONG])
def test_after_healing_nothing_is_lost_doubled_or_stuck(verdict_of, seed):
    verdict = verdict_of(seed)
    assert (verdict.lost, verdict.doubled, verdict.stuck) == (0, 0, 0)
    assert verdict.wrong == []
    assert verdict.taps > 20
    assert verdict.checked_people > 3


@UNLESS_PROVEN
def test_the_command_replays_a_seed_exactly_sums_up_and_ends_with_0(verdict_of, capsys):
    """In an installation of its own."""
    assert main(["--seeds", "1", "--first", "2"]) == 0
    *_, seed_line, summed = capsys.readouterr().out.splitlines()
    assert summed.startswith("lost 0, doubled 0, stuck 0")
    assert seed_line.endswith(verdict_of(2).trace[:16])
    assert verdict_of(2).trace != verdict_of(1).trace


@UNLESS_PROVEN
@pytest.mark.parametrize("seed", [15, pytest.param(20, marks=pytest.mark.prove)])
def test_a_copied_card_and_a_lost_day_together_lose_nothing(simulator, seed):
    verdict = simulator.run(seed, having=COPIED_CARD_AND_LOST_DAY)
    assert verdict.lost == 0
    assert verdict.doubled == 0


@pytest.mark.parametrize(
    "mistake",
    [
        *AT_EVERY_RUN,
        *(pytest.param(mistake, marks=UNLESS_PROVEN) for mistake in FINDING_SEEDS if mistake not in AT_EVERY_RUN),
    ],
)
def test_a_planted_mistake_is_found(simulator, mistake):
    first = FINDING_SEEDS[mistake]
    order = [*first, *(seed for seed in range(FOUND_WITHIN) if seed not in first)]
    with mutants.ALL[mistake]() as app:
        assert any(not simulator.run(seed, app=app).good for seed in order)


def test_every_planted_mistake_has_its_seeds():
    assert FINDING_SEEDS.keys() == mutants.ALL.keys()


def test_a_day_that_the_service_lost_is_brought_back_before_anybody_taps(verdict_of):
    verdict = verdict_of(1)
    assert verdict.good
    assert verdict.returned > 0
