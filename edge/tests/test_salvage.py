"""A damaged journal is set aside and reported, what is legible goes on, and taps are saved all the while."""

import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from stempelwerk_edge.cloud.wire import AnswerResult, AnswersTaken
from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.ports import Cursor, Database
from stempelwerk_edge.storage.answers import Answers
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.outbox import Outbox
from stempelwerk_edge.storage.rows import Batch, GoneAnswer

from edge.tests.clockwork import MORNING, TestIds, TestLog, draft
from edge.tests.test_journal import Fault, stamps

Start = Callable[..., Journal]
PAGE = 4096


def filled(start: Start, ids: TestIds, taps: int) -> list[str]:
    """A journal with taps, closed so that everything is in its file."""
    journal = start()
    stamp_ids = [journal.append(draft(ids.new())).draft.id for _ in range(taps)]
    journal.close()
    return stamp_ids


def overwrite(path: Path, first: int, last: int) -> None:
    """Put nonsense over some pages."""
    content = bytearray(path.read_bytes())
    content[first * PAGE : last * PAGE] = b"\x55" * ((last - first) * PAGE)
    path.write_bytes(content)


def damaged(tmp_path: Path) -> list[str]:
    return sorted(path.name for path in tmp_path.glob("journal.damaged-*"))


def test_a_file_that_is_no_database_is_set_aside_and_reported(
    start: Start, ids: TestIds, log: TestLog, tmp_path: Path
) -> None:
    filled(start, ids, 3)
    path = tmp_path / "journal" / "journal.db"
    path.write_bytes(b"not a database " * 1000)
    journal = start()
    saved = journal.append(draft(ids.new())).draft.id
    assert stamps(journal) == [saved]
    assert damaged(tmp_path) == ["journal.damaged-1"]
    assert (tmp_path / "journal.damaged-1" / "journal.db").read_bytes().startswith(b"not a database")
    assert "journal_replaced" in log.codes


def test_what_is_legible_of_a_damaged_file_is_taken_over(
    start: Start, ids: TestIds, log: TestLog, tmp_path: Path
) -> None:
    stamp_ids = filled(start, ids, 400)
    path = tmp_path / "journal" / "journal.db"
    pages = path.stat().st_size // PAGE
    overwrite(path, pages - 6, pages - 4)
    journal = start()
    journal.open()
    rescued = stamps(journal)
    assert 200 < len(rescued) < 400
    assert set(rescued) < set(stamp_ids)
    [counts] = [meta for _, code, _, meta in log.entries if code == "journal_replaced"]
    assert counts["stamps"] == len(rescued)


def test_rows_lost_in_the_damage_are_named_as_gone(start: Start, ids: TestIds, tmp_path: Path) -> None:
    filled(start, ids, 400)
    path = tmp_path / "journal" / "journal.db"
    pages = path.stat().st_size // PAGE
    overwrite(path, pages - 6, pages - 4)
    outbox = Outbox(start())
    cut = outbox.cut(500)
    assert cut is not None
    present_seqs = {row.seq for row in cut.rows}
    lost_seqs = {seq for first, last in cut.lost_ranges for seq in range(first, last + 1)}
    assert lost_seqs
    assert present_seqs | lost_seqs == set(range(1, max(present_seqs) + 1))
    assert not present_seqs & lost_seqs


def test_damage_met_in_the_middle_of_a_tap_does_not_cost_the_tap(
    start: Start, ids: TestIds, log: TestLog, tmp_path: Path
) -> None:
    fault = Fault(words=("INSERT INTO stamps",))
    journal = start(fault.connect)
    ids_before = [journal.append(draft(ids.new())).draft.id for _ in range(3)]
    old = journal.epoch

    class Once(Fault):
        def code(self, sql: str) -> int | None:
            code = super().code(sql)
            if code is not None:
                self.result = None
            return code

    fault.__class__ = Once
    fault.result = sqlite3.SQLITE_CORRUPT
    row = journal.append(draft(ids.new()))
    assert stamps(journal) == [*ids_before, row.draft.id]
    assert old is not None
    assert journal.epoch is not None
    assert (journal.epoch.previous, journal.epoch.previous_last_seq, row.seq) == (old.id, 3, 1)
    assert "journal_damaged" in log.codes


def test_rows_lost_at_the_end_of_a_running_epoch_are_known(start: Start, ids: TestIds, tmp_path: Path) -> None:
    """The file loses its newest rows while the agent runs; it remembers which numbers it gave out."""

    class Forgetful:
        """Reads the damaged file as if its last two stamps were illegible."""

        def __init__(self, path: Path) -> None:
            self._inner = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._aside = "damaged" in str(path)
            self.broken = False

        def execute(self, sql: str, parameters: Sequence[object] = (), /) -> Cursor:
            if self.broken and sql.startswith("INSERT INTO stamps"):
                error = sqlite3.DatabaseError("malformed")
                error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
                raise error
            rows = self._inner.execute(sql, parameters)
            if self._aside and "FROM stamps" in sql:
                return list(rows)[:-2]
            return rows

        def close(self) -> None:
            self._inner.close()

    opened: list[Forgetful] = []

    def connect(path: Path) -> Database:
        opened.append(Forgetful(path))
        return opened[-1]

    journal = start(connect)
    for _ in range(5):
        journal.append(draft(ids.new()))
    old = journal.epoch
    opened[-1].broken = True
    journal.append(draft(ids.new()))
    assert old is not None
    assert journal.epoch is not None
    assert (journal.epoch.previous, journal.epoch.previous_last_seq) == (old.id, 5)
    cut = Outbox(journal).cut(500)
    assert cut is not None
    assert [row.seq for row in cut.rows] == [1, 2, 3]
    assert cut.lost_ranges == ((4, 5),)


def test_a_crash_between_setting_aside_and_rebuilding_loses_nothing(start: Start, ids: TestIds, tmp_path: Path) -> None:
    stamp_ids = filled(start, ids, 20)
    (tmp_path / "journal").rename(tmp_path / "journal.damaged-1")
    (tmp_path / "journal.new").mkdir()
    (tmp_path / "journal.new" / "journal.db").write_bytes(b"half of it")
    journal = start()
    journal.open()
    assert stamps(journal) == stamp_ids
    assert not (tmp_path / "journal.new").exists()


def test_a_second_damage_gets_a_second_name(start: Start, ids: TestIds, tmp_path: Path) -> None:
    for _ in range(2):
        filled(start, ids, 2)
        (tmp_path / "journal" / "journal.db").write_bytes(b"nonsense" * 900)
    start().open()
    assert damaged(tmp_path) == ["journal.damaged-1", "journal.damaged-2"]


def test_marks_survive_and_lease_and_batch_do_not(start: Start, ids: TestIds, tmp_path: Path) -> None:
    journal = start()
    rows = [journal.append(draft(ids.new())) for _ in range(3)]
    outbox = Outbox(journal)
    outbox.write_down(Batch("b", "key", 7, tuple(row.row for row in rows), (), b"{}"))
    journal.write(lambda db: db.execute("INSERT INTO marks VALUES (?, 'stored', 'booked', 0)", (rows[0].row,)))
    journal.write(lambda db: db.execute("INSERT INTO meta VALUES ('lease', '{}')"))
    journal.write(lambda db: db.execute("INSERT INTO meta VALUES ('standing', '{}')"))
    journal.close()
    (tmp_path / "journal").rename(tmp_path / "journal.damaged-1")
    reopened = start()
    outbox = Outbox(reopened)
    assert outbox.backlog().depth == 2
    assert outbox.open_batch() is None
    names = reopened.read(lambda db: [name for (name,) in db.execute("SELECT name FROM meta ORDER BY name")])
    assert "standing" in names
    assert "lease" not in names


def test_what_people_answered_survives_and_what_became_of_it(start: Start, ids: TestIds, tmp_path: Path) -> None:
    journal = start()
    answers = Answers(journal)
    gone_answers = [GoneAnswer(ids.new(), "gone-stamp", "2026-11-20", "16:30", MORNING) for _ in range(3)]
    for answer in gone_answers:
        answers.add(answer)
    answers.settle(AnswersTaken({gone_answers[0].id: AnswerResult("rejected", "too_long")}), MORNING)
    journal.close()
    (tmp_path / "journal").rename(tmp_path / "journal.damaged-1")
    assert Answers(start()).to_send(10) == gone_answers[1:]


def test_a_damaged_journal_of_an_earlier_program_gives_up_its_answers_too(
    start: Start, ids: TestIds, tmp_path: Path
) -> None:
    journal = start()
    gone_answer = GoneAnswer(ids.new(), "gone-stamp", "2026-11-20", "16:30", MORNING)
    Answers(journal).add(gone_answer)
    journal.write(lambda db: db.execute("DROP TABLE answered"))
    journal.close()
    (tmp_path / "journal").rename(tmp_path / "journal.damaged-1")
    assert Answers(start()).to_send(10) == [gone_answer]


def test_a_disk_that_cannot_even_be_set_aside_says_so(start: Start, ids: TestIds, tmp_path: Path) -> None:
    filled(start, ids, 2)
    (tmp_path / "journal" / "journal.db").write_bytes(b"nonsense" * 900)
    fault = Fault(sqlite3.SQLITE_READONLY, ("BEGIN",))
    journal = start(fault.connect)
    with pytest.raises(JournalError):
        journal.append(draft(ids.new()))
    fault.result = None
    assert journal.append(draft(ids.new())).seq == 1
