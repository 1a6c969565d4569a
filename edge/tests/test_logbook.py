"""The clock's log: kept while there is no network, sent later, bounded, and never in the way of other work."""

import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from stempelwerk_edge.logbook import Logbook
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.ports import Connect
from stempelwerk_edge.storage.journal import connect_sqlite

from edge.tests.clockwork import TestClock, TestIds
from edge.tests.test_journal import Fault

Open = Callable[..., Logbook]


@pytest.fixture
def clock() -> TestClock:
    return TestClock()


@pytest.fixture
def open_book(tmp_path: Path, clock: TestClock, ids: TestIds) -> Open:
    def open_one(connect: Connect = connect_sqlite) -> Logbook:
        return Logbook(tmp_path, TrustedTime(clock), ids, connect)

    return open_one


def codes(logbook: Logbook, limit: int = 1000) -> list[str]:
    return [entry["code"] for entry in logbook.waiting(limit)]


def test_entries_wait_over_a_restart_until_they_are_done(open_book: Open) -> None:
    first = open_book()
    first.report("warn", "reader_absent", "unplugged", {"attempt": 3})
    first.report("error", "journal_full", "full", {})
    first.close()
    reopened = open_book()
    entries = reopened.waiting(10)
    assert [entry["code"] for entry in entries] == ["reader_absent", "journal_full"]
    assert (entries[0]["meta"], entries[0]["level"]) == ({"attempt": 3}, "warn")
    reopened.done(frozenset({entries[0]["id"]}))
    assert codes(reopened) == ["journal_full"]
    reopened.close()


def test_the_same_is_said_once_in_five_minutes(open_book: Open, clock: TestClock) -> None:
    logbook = open_book()
    for _ in range(3):
        logbook.report("warn", "not_connected", "401", {})
    clock.advance(minutes=6)
    logbook.report("warn", "not_connected", "401", {})
    assert codes(logbook) == ["not_connected"] * 2
    logbook.close()


def test_a_recovery_is_an_entry_whenever_its_fault_was_one(open_book: Open, clock: TestClock) -> None:
    logbook = open_book()
    for fault in ("journal_full", "journal_broken", "journal_damaged"):
        logbook.report("error", fault, "disk", {})
        clock.advance(seconds=20)
        logbook.report("info", "journal_recovered", "the disk takes stamps again", {})
        clock.advance(seconds=20)
    recovered = "journal_recovered"
    assert codes(logbook) == ["journal_full", recovered, "journal_broken", recovered, "journal_damaged", recovered]
    logbook.close()


def test_a_recovery_from_a_fault_that_was_left_out_is_left_out_with_it_and_both_come_later(
    open_book: Open, clock: TestClock
) -> None:
    logbook = open_book()
    for _ in range(3):
        logbook.report("warn", "reader_fault", "the reader is fault", {})
        clock.advance(seconds=20)
        logbook.report("info", "reader_ok", "the reader is ok", {})
        clock.advance(seconds=20)
    assert codes(logbook) == ["reader_fault", "reader_ok"]
    clock.advance(minutes=6)
    logbook.report_overdue()
    assert codes(logbook) == ["reader_fault", "reader_ok"] * 2
    logbook.close()


def test_the_last_report_of_many_is_an_entry_as_of_when_it_came(open_book: Open, clock: TestClock) -> None:
    logbook = open_book()
    for _ in range(3):
        logbook.report("warn", "not_connected", "401", {"attempt": 1})
        clock.advance(minutes=1)
    logbook.report_overdue()
    assert codes(logbook) == ["not_connected"]
    clock.advance(minutes=9)
    for _ in range(2):
        logbook.report_overdue()
    first, last = logbook.waiting(10)
    assert last["at"] - first["at"] == timedelta(minutes=2)
    assert (last["level"], last["message"], last["meta"]) == ("warn", "401", {"repeated": 1})
    logbook.close()


def test_the_oldest_go_when_there_are_too_many(open_book: Open) -> None:
    logbook = open_book()
    for number in range(2300):
        logbook.report("info", f"code_{number}", "x", {})
        if number % 400 == 0:
            logbook.waiting(1)
    kept_codes = codes(logbook, 5000)
    assert len(kept_codes) <= 2000
    assert kept_codes[-1] == "code_2299"
    logbook.close()


def test_on_a_disk_that_fails_entries_live_on_in_memory(open_book: Open) -> None:
    fault = Fault(sqlite3.SQLITE_READONLY, ("",))
    logbook = open_book(fault.connect)
    logbook.report("error", "journal_broken", "read-only", {})
    assert "journal_broken" in codes(logbook)
    fault.result = None
    assert "journal_broken" in codes(logbook)
    assert codes(logbook).count("journal_broken") == 1
    logbook.close()


def test_a_damaged_logbook_is_thrown_away(open_book: Open, tmp_path: Path) -> None:
    (tmp_path / "logbook.db").write_bytes(b"nonsense" * 2000)
    logbook = open_book()
    logbook.report("info", "started", "x", {})
    assert "started" in codes(logbook)
    logbook.close()
    assert (tmp_path / "logbook.db").read_bytes().startswith(b"SQLite format 3")
