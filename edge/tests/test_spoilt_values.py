"""A spoilt value in a sound database, which SQLite takes for a value: the clock starts, takes taps, and delivers."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from stempelwerk_edge.storage.journal import FOLDER_NAME
from stempelwerk_edge.storage.salvage import FILE_NAME

from edge.tests.rig import Rig

JOURNAL = f"{FOLDER_NAME}/{FILE_NAME}"
NEWEST = "WHERE row = (SELECT max(row) FROM stamps)"
STAMPS = {
    "the source of a stamp's time": f"UPDATE stamps SET quality = 'nt0' {NEWEST}",
    "the time of a stamp": f"UPDATE stamps SET wall = -99999999999999 {NEWEST}",
    "the start of a stamp": f"UPDATE stamps SET boottime_ms = 'x' {NEWEST}",
    "the name of a stamp": f"UPDATE stamps SET id = substr(id, 2) {NEWEST}",
}
REST = {
    "the lease": (JOURNAL, "UPDATE meta SET value = '{\"keyid' WHERE name = 'lease'"),
    "the kind of the lease": (JOURNAL, "UPDATE meta SET value = '[1]' WHERE name = 'lease'"),
    "the highest time": (JOURNAL, "UPDATE meta SET value = '[-99999999999999, 1]' WHERE name = 'highest'"),
    "the form of the highest time": (JOURNAL, "UPDATE meta SET value = '17_' WHERE name = 'highest'"),
    "the membership": (JOURNAL, "UPDATE meta SET value = substr(value, 3) WHERE name = 'standing'"),
    "the time of an anchor": (JOURNAL, "UPDATE anchors SET server_time = -99999999999999"),
    "the round trip of an anchor": (JOURNAL, "UPDATE anchors SET rtt_ms = 'x'"),
    "the rows of a batch": (JOURNAL, "UPDATE batch SET rows = substr(rows, 2)"),
    "the losses of a batch": (JOURNAL, "UPDATE batch SET gone = '5'"),
    "the end of an epoch": (JOURNAL, "UPDATE epochs SET previous_last_seq = 'x'"),
    "what an epoch has delivered": (JOURNAL, "UPDATE epochs SET removed_to = 'x'"),
    "the time of an answer": (JOURNAL, "UPDATE answers SET at = -99999999999999"),
    "a person's tags": ("people.db", "UPDATE people SET tags = substr(tags, 2)"),
    "the day of a person's figures": ("people.db", "UPDATE people SET as_of = '2026-13-19'"),
    "the time of a person's state": ("people.db", "UPDATE people SET since = 'x'"),
    "an entry of the log": ("logbook.db", "UPDATE entries SET meta = substr(meta, 2)"),
    "the time of an entry of the log": ("logbook.db", "UPDATE entries SET at = -99999999999999"),
}


def spoil(file: Path, statement: str) -> None:
    """Changes a value past the journal's own guard, as a worn card does."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        guards = list(database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
        for name, _ in guards:
            database.execute(f"DROP TRIGGER {name}")
        assert database.execute(statement).rowcount > 0
        for _, sql in guards:
            database.execute(sql)
        assert list(database.execute("PRAGMA quick_check")) == [("ok",)]


def with_a_queue(rig: Rig) -> None:
    """Ends a clock that has delivered, and has a batch, an answer and entries of its log on the way."""
    rig.wait(minutes=10)
    rig.tap()
    rig.wait(minutes=5)
    rig.has_luck("down")
    rig.says_when_they_left()
    rig.wait(minutes=5)
    rig.tap("04FFFFFFFFFF01")
    rig.tap("04FFFFFFFFFF02")
    rig.crash()


def goes_on(rig: Rig) -> None:
    rig.start()
    assert rig.tap("04FFFFFFFFFF03").stamp_id
    rig.has_luck("ok")
    rig.wait(hours=1)
    entries = rig.cloud.logs.values()
    assert [entry for entry in entries if entry["code"] in ("loop_failed", "journal_not_read")] == []
    assert len(list(rig.directory.glob(f"{FOLDER_NAME}.damaged-*"))) <= 1


@pytest.mark.parametrize("what", STAMPS)
def test_a_clock_goes_on_and_delivers_all_other_stamps_where_a_spoilt_value_is(what: str, rig: Rig) -> None:
    with_a_queue(rig)
    spoil(rig.directory / JOURNAL, STAMPS[what])
    spoilt = rig.toned[-1]
    goes_on(rig)
    assert sorted(rig.delivered()) == sorted(stamp for stamp in rig.toned if stamp != spoilt)
    assert "journal_replaced" in [entry["code"] for entry in rig.cloud.logs.values()]


@pytest.mark.parametrize("what", REST)
def test_a_clock_goes_on_and_delivers_every_stamp_where_a_spoilt_value_is(what: str, rig: Rig) -> None:
    with_a_queue(rig)
    file, statement = REST[what]
    spoil(rig.directory / file, statement)
    goes_on(rig)
    assert sorted(rig.delivered()) == sorted(rig.toned)
