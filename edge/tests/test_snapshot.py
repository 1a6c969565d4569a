"""A clock's storage of people: over a restart, from an earlier program, and when another server answers."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date, time
from pathlib import Path

import pytest
from stempelwerk_edge.cloud.wire import PeopleChange, PersonRow
from stempelwerk_edge.ports import ADULT, Limits
from stempelwerk_edge.storage.journal import connect_sqlite
from stempelwerk_edge.storage.snapshot import Snapshot
from stempelwerk_edge.tap.presence import CloudState

from edge.tests.clockwork import MORNING, TAG, TestLog

OWN = Limits(480, 720, ((270, 30), (360, 60)), (time(20), time(6)))
EICHE = PersonRow("u-1", "M. Eiche", (TAG,), "out", None, None, None, None)


@pytest.fixture
def begin(tmp_path: Path, log: TestLog) -> Iterator[Callable[[], Snapshot]]:
    """Starts with what lies on the disk."""
    snapshots: list[Snapshot] = []

    def start() -> Snapshot:
        snapshots.append(Snapshot(tmp_path, connect_sqlite, log))
        snapshots[-1].load()
        return snapshots[-1]

    yield start
    for snapshot in snapshots:
        snapshot.close()


@pytest.fixture
def asked_anew(begin: Callable[[], Snapshot]) -> Snapshot:
    """Somebody is known, and another server has answered."""
    snapshot = begin()
    snapshot.apply(PeopleChange("7", True, (EICHE,), ()), 0, date(2026, 11, 20))
    snapshot.request_all()
    return snapshot


def test_whatever_was_told_of_a_person_is_there_after_a_restart(begin: Callable[[], Snapshot]) -> None:
    person_row = PersonRow("u-1", "M. Eiche", (TAG,), "in", MORNING, 240, 1985, -35, 480, 2, 1, limits=OWN)
    begin().apply(PeopleChange("7", True, (person_row,), ()), 9, date(2026, 11, 20))
    person = begin().by_tag(TAG)
    assert person is not None
    assert person.cloud_state == CloudState("in", MORNING, 240, -35, date(2026, 11, 20), 9, 2, 1, OWN)


def earlier(folder: Path, version: int) -> None:
    """A file as version 1 of it was, with a person in it."""
    with closing(sqlite3.connect(folder / "people.db", isolation_level=None)) as database:
        database.execute(
            "CREATE TABLE people (user_id TEXT PRIMARY KEY, name TEXT NOT NULL, tags TEXT NOT NULL,"
            " state TEXT NOT NULL, since INTEGER, today_minutes INTEGER, week_minutes INTEGER,"
            " balance_minutes INTEGER, as_of TEXT NOT NULL)"
        )
        database.execute(
            "CREATE TABLE fetched (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), revision TEXT, reflects INTEGER)"
        )
        values = ("u-1", "M. Eiche", f'["{TAG}"]', "out", None, 240, 240, None, "2026-11-20")
        database.execute("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
        database.execute("INSERT INTO fetched VALUES (1, '7', 3)")
        database.execute(f"PRAGMA user_version = {version}")


def test_a_file_of_an_earlier_program_still_greets_and_asks_for_what_that_passed_over(
    begin: Callable[[], Snapshot], tmp_path: Path, log: TestLog
) -> None:
    earlier(tmp_path, 1)
    for snapshot in (begin(), begin()):
        person = snapshot.by_tag(TAG)
        assert person is not None
        assert person.cloud_state == CloudState("out", None, 240, None, date(2026, 11, 20), 3, None, None)
        assert snapshot.revision is None
    person_row = PersonRow("u-1", "M. Eiche", (TAG,), "out", None, 240, 240, -35, 480, 2, 1)
    snapshot.apply(PeopleChange("8", True, (person_row,), ()), 4, date(2026, 11, 20))
    reopened = begin()
    person = reopened.by_tag(TAG)
    assert person is not None
    assert (person.cloud_state.balance_minutes, person.cloud_state.open_handovers, reopened.revision) == (-35, 2, "8")
    assert log.codes == []


def test_limits_end_with_a_list_that_names_none(begin: Callable[[], Snapshot]) -> None:
    snapshot = begin()
    snapshot.apply(PeopleChange("7", True, (replace(EICHE, limits=OWN),), ()), 0, date(2026, 11, 20))
    snapshot.apply(PeopleChange("8", False, (EICHE,), ()), 0, date(2026, 11, 20))
    for store in (snapshot, begin()):
        person = store.by_tag(TAG)
        assert person is not None
        assert person.cloud_state.limits == ADULT


def test_a_file_of_the_program_before_limits_greets_with_an_adults_and_asks_anew(
    begin: Callable[[], Snapshot], tmp_path: Path, log: TestLog
) -> None:
    snapshot = begin()
    snapshot.apply(PeopleChange("7", True, (replace(EICHE, steward=True),), ()), 0, date(2026, 11, 20))
    snapshot.close()
    with closing(sqlite3.connect(tmp_path / "people.db", isolation_level=None)) as database:
        database.execute("ALTER TABLE people DROP COLUMN limits")
        database.execute("PRAGMA user_version = 3")
    for store in (begin(), begin()):
        person = store.by_tag(TAG)
        assert person is not None
        assert (person.cloud_state.limits, store.is_steward(TAG), store.revision) == (ADULT, True, None)
    store.apply(PeopleChange("8", True, (replace(EICHE, limits=OWN),), ()), 0, date(2026, 11, 20))
    person = begin().by_tag(TAG)
    assert person is not None
    assert person.cloud_state.limits == OWN
    assert log.codes == []


@pytest.mark.parametrize("version", [5, -1])
def test_a_file_of_a_later_program_is_thrown_away(
    begin: Callable[[], Snapshot], tmp_path: Path, log: TestLog, version: int
) -> None:
    earlier(tmp_path, version)
    snapshot = begin()
    assert snapshot.by_tag(TAG) is None
    snapshot.apply(PeopleChange("8", True, (EICHE,), ()), 4, date(2026, 11, 20))
    assert begin().by_tag(TAG) is not None
    assert log.codes == ["side_store_failed"]


def test_who_is_asked_for_anew_is_still_greeted_also_after_a_restart(
    asked_anew: Snapshot, begin: Callable[[], Snapshot]
) -> None:
    for snapshot in (asked_anew, begin()):
        assert snapshot.by_tag(TAG) is not None
        assert snapshot.revision is None
        assert not snapshot.informed


def test_an_answer_to_an_older_question_does_not_count(asked_anew: Snapshot) -> None:
    wipings_before = asked_anew.wipings
    asked_anew.request_all()
    assert asked_anew.wipings != wipings_before


def test_people_without_a_revision_are_forgotten_like_all(asked_anew: Snapshot, begin: Callable[[], Snapshot]) -> None:
    asked_anew.wipe()
    assert asked_anew.by_tag(TAG) is None
    assert begin().by_tag(TAG) is None


def test_the_new_list_takes_the_place_of_the_old(asked_anew: Snapshot) -> None:
    asked_anew.apply(PeopleChange("1", True, (), ()), 0, date(2026, 11, 20))
    assert asked_anew.by_tag(TAG) is None
    assert asked_anew.informed
