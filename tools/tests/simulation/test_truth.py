"""The second lives of a card that a service can see, and must see, and those that it need not see."""

from datetime import UTC, datetime

import pytest
from stempelwerk_tools.simulation.judging.truth import Adopted, Branch, Merged, Tap, Truth

OLD, NEW = "server-1", "server-2"
CLOCK, TWIN = 1, 2


@pytest.fixture
def truth():
    """Returns a truth: a card was copied at 10 s and the copy lives on as well; at 20 s the database was set back."""
    new_truth = Truth()
    new_truth.branches.append(Branch("device", 10, "open", OLD, parent=CLOCK, child=TWIN))
    new_truth.set_back_at_s = [20]
    return new_truth


def delivers(truth, life, at_s, server, epoch="shared", previous=None, batch=None):
    truth.saw(Merged("device", batch or f"batch at {at_s}", at_s, life, server, epoch, previous))


@pytest.mark.parametrize("at_s", [11, 21])
def test_a_batch_of_each_at_the_server_that_the_copy_knows_shows_two_lives(truth, at_s):
    delivers(truth, CLOCK, at_s, OLD)
    assert truth.forks() == set()
    delivers(truth, TWIN, at_s + 1, OLD)
    assert truth.forks() == {"device"}


def test_the_batch_that_waited_when_the_card_was_copied_shows_nothing(truth):
    delivers(truth, CLOCK, 11, OLD)
    delivers(truth, TWIN, 12, OLD, batch="open")
    assert truth.forks() == set()


def test_a_database_that_was_set_back_has_forgotten_the_first_of_them(truth):
    delivers(truth, CLOCK, 11, OLD)
    delivers(truth, TWIN, 21, OLD)
    assert truth.forks() == set()


def test_a_second_setting_back_does_not_unite_what_the_first_has_parted(truth):
    truth.set_back_at_s.append(40)
    delivers(truth, CLOCK, 11, OLD)
    delivers(truth, TWIN, 21, OLD)
    delivers(truth, CLOCK, 41, OLD)
    assert truth.forks() == set()
    delivers(truth, CLOCK, 22, OLD)
    assert truth.forks() == {"device"}


def test_at_a_server_that_both_take_for_another_one_the_second_begins_where_the_first_has_ended(truth):
    delivers(truth, CLOCK, 21, NEW)
    delivers(truth, CLOCK, 22, NEW)
    delivers(truth, TWIN, 23, NEW)
    delivers(truth, TWIN, 24, NEW)
    assert truth.forks() == set()


@pytest.mark.parametrize(("first_life", "second_life"), [(CLOCK, TWIN), (TWIN, CLOCK)])
def test_two_lives_that_alternate_at_a_new_server_are_seen(truth, first_life, second_life):
    delivers(truth, first_life, 21, NEW)
    delivers(truth, second_life, 22, NEW)
    delivers(truth, first_life, 23, NEW)
    assert truth.forks() == {"device"}


def test_two_epochs_with_one_predecessor_at_a_new_server_are_seen(truth):
    delivers(truth, CLOCK, 21, NEW, epoch="the clock's", previous="shared")
    delivers(truth, TWIN, 22, NEW, epoch="the twin's", previous="shared")
    assert truth.forks() == {"device"}


def test_an_epoch_that_follows_an_empty_one_does_not_name_the_parting(truth):
    delivers(truth, CLOCK, 21, NEW, epoch="the clock's", previous="shared")
    delivers(truth, TWIN, 22, NEW, epoch="the twin's second", previous="the twin's first")
    assert truth.forks() == set()


def test_a_clock_that_a_company_adopts_brings_what_it_took_since_then_and_nothing_else():
    adopted = Adopted(frozenset({"clock-0", "clock-0-twin-2"}), "holz", at_hour(8), at_hour(12))

    def tap(station: str, hour: int) -> Tap:
        return Tap(("boot", hour), at_hour(hour), station, "04A1", "auto", acknowledged=True)

    assert adopted.takes(tap("clock-0-twin-2", 9), "holz")
    assert adopted.takes(tap("scanner-of-clock-0", 8), "holz")
    assert not adopted.takes(tap("clock-0", 9), "ahorn")
    assert not adopted.takes(tap("clock-1", 9), "holz")
    assert not adopted.takes(tap("clock-0", 7), "holz")
    assert not adopted.takes(tap("clock-0", 13), "holz")


def at_hour(hour: int) -> datetime:
    return datetime(2026, 11, 20, hour, tzinfo=UTC)
