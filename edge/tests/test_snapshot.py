"""What a clock keeps of people when another server answers: the list, but nothing to ask from."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from stempelwerk_edge.cloud.wire import PeopleChange, PersonRow
from stempelwerk_edge.storage.journal import connect_sqlite
from stempelwerk_edge.storage.snapshot import Snapshot

from edge.tests.clockwork import TAG, TestLog

EICHE = PersonRow("u-1", "M. Eiche", (TAG,), "out", None, None, None, None)


@pytest.fixture
def begin(tmp_path: Path, log: TestLog) -> Iterator[Callable[[], Snapshot]]:
    """Starts with what lies on the disk."""
    made: list[Snapshot] = []

    def start() -> Snapshot:
        made.append(Snapshot(tmp_path, connect_sqlite, log))
        made[-1].load()
        return made[-1]

    yield start
    for snapshot in made:
        snapshot.close()


@pytest.fixture
def asked_anew(begin: Callable[[], Snapshot]) -> Snapshot:
    """Somebody is known, and another server has answered."""
    snapshot = begin()
    snapshot.apply(PeopleChange("7", True, (EICHE,), ()), 0, date(2026, 11, 20))
    snapshot.ask_anew()
    return snapshot


def test_who_is_asked_for_anew_is_still_greeted_also_after_a_restart(
    asked_anew: Snapshot, begin: Callable[[], Snapshot]
) -> None:
    for snapshot in (asked_anew, begin()):
        assert snapshot.by_tag(TAG) is not None
        assert snapshot.revision is None
        assert not snapshot.informed


def test_an_answer_to_an_older_question_does_not_count(asked_anew: Snapshot) -> None:
    before = asked_anew.wipings
    asked_anew.ask_anew()
    assert asked_anew.wipings != before


def test_people_without_a_revision_are_forgotten_like_all(asked_anew: Snapshot, begin: Callable[[], Snapshot]) -> None:
    asked_anew.wipe()
    assert asked_anew.by_tag(TAG) is None
    assert begin().by_tag(TAG) is None


def test_the_new_list_takes_the_place_of_the_old(asked_anew: Snapshot) -> None:
    asked_anew.apply(PeopleChange("1", True, (), ()), 0, date(2026, 11, 20))
    assert asked_anew.by_tag(TAG) is None
    assert asked_anew.informed
