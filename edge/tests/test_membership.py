"""The clock's membership is known at once after a restart, and only under the key that it was given to."""

from collections.abc import Callable

import pytest
from stempelwerk_edge.cloud.membership import Membership, MembershipStore
from stempelwerk_edge.cloud.wire import Assignment, Config
from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.storage.clock_state import ClockState
from stempelwerk_edge.storage.journal import Journal

ASSIGNED = Membership("key", "device", "server", "Tor 1", Assignment("a", "c", "Ahorn"), Config(max_batch=7))


def store(journal: Journal) -> MembershipStore:
    return MembershipStore(ClockState(journal))


def test_it_survives_a_restart(start: Callable[..., Journal]) -> None:
    assert store(start()).change(ASSIGNED)
    reloaded = store(start())
    reloaded.load("key")
    assert reloaded.current == ASSIGNED
    assert not reloaded.change(ASSIGNED)


def test_another_key_belongs_to_nobody_and_keeps_the_rules(start: Callable[..., Journal]) -> None:
    store(start()).change(ASSIGNED)
    reloaded = store(start())
    reloaded.load("another key")
    assert (reloaded.current.assignment, reloaded.current.device_id) == (None, None)
    assert reloaded.current.config.max_batch == 7


def test_an_unreadable_key_does_not_take_the_assignment_away(start: Callable[..., Journal]) -> None:
    store(start()).change(ASSIGNED)
    reloaded = store(start())
    reloaded.load(None)
    assert reloaded.current.assignment == ASSIGNED.assignment


@pytest.mark.parametrize(
    "kept", ["", "{}", "[]", '{"keyid": "key", "assignment": 5, "config": {}}', '{"config": null}']
)
def test_what_an_older_program_kept_is_not_fatal(journal: Journal, kept: str) -> None:
    ClockState(journal).put("standing", kept)
    membership = store(journal)
    membership.load("key")
    assert membership.current.assignment is None


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../../etc/passwd", "", "Europe/Berlin"])
def test_a_zone_that_this_machine_does_not_know_is_the_default_one(zone: str) -> None:
    assert Membership(config=Config(time_zone=zone)).rules().zone.key == "Europe/Berlin"


def test_what_the_disk_refused_is_kept_with_the_next_answer_that_says_the_same(
    start: Callable[..., Journal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a start without a network would stamp for the company before."""
    membership_store = store(start())

    def refuse(*_: object) -> None:
        raise JournalError("read-only")

    with monkeypatch.context() as broken:
        broken.setattr(ClockState, "put", refuse)
        with pytest.raises(JournalError):
            membership_store.change(ASSIGNED)
    assert membership_store.current == ASSIGNED
    assert membership_store.change(ASSIGNED) is False
    reloaded = store(start())
    reloaded.load("key")
    assert reloaded.current == ASSIGNED
