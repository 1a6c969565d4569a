"""The content of an old clock's card comes into its successor's journal, once and whole, whatever state it is in."""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stempelwerk_edge.__main__ import main
from stempelwerk_edge.cloud.wire import AnswerResult, AnswersTaken
from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.machine.instance import sole_instance
from stempelwerk_edge.machine.trusted_time import Anchor
from stempelwerk_edge.ports import Database
from stempelwerk_edge.satellites.registry import Registry
from stempelwerk_edge.storage import rescue, salvage
from stempelwerk_edge.storage.answers import Answers
from stempelwerk_edge.storage.clock_state import ClockState
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.outbox import Outbox
from stempelwerk_edge.storage.rescue import Taken
from stempelwerk_edge.storage.rows import GoneAnswer
from stempelwerk_tools.simulators.scanner import ModelScanner

from edge.tests.clockwork import MORNING, TestIds, TestLog, draft
from edge.tests.rig import Rig
from edge.tests.satellites.conftest import UID, Dock
from edge.tests.test_journal import Fault, stamps
from edge.tests.test_salvage import overwrite

PAGE = 4096
BOOT = draft("x").reading.boot


def old_card(folder: Path, taps_per_start: tuple[int, ...], ids: TestIds) -> list[str]:
    """Makes a card on which the program was started with these numbers of taps; returns the stamps in their order."""
    stamp_ids: list[str] = []
    for taps in taps_per_start:
        journal = Journal(folder, ids, TestLog(), reserve_bytes=PAGE)
        journal.open()
        stamp_ids += [journal.append(draft(ids.new())).draft.id for _ in range(taps)]
        journal.close()
    return stamp_ids


def taken_from(card: Path, journal: Journal, tmp_path: Path, ids: TestIds) -> Taken:
    file = rescue.journal_on(card)
    assert file is not None
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    contents = rescue.read_copy(file, scratch, connect_sqlite)
    shutil.rmtree(scratch)
    return journal.write(lambda database: rescue.take(database, contents, ids.new))


def queue(journal: Journal) -> list[tuple[str, int, str]]:
    """Returns what would be delivered, batch by batch: epoch, number, stamp."""
    outbox, sent = Outbox(journal), []
    while (cut := outbox.cut(3)) is not None:
        sent += [(cut.epoch.id, row.seq, row.draft.id) for row in cut.rows]
        journal.write(
            lambda db, rows=cut.rows: [
                db.execute("INSERT INTO marks VALUES (?, 'stored', NULL, 0)", (row.row,)) for row in rows
            ]
        )
    return sent


def clock(tmp_path: Path) -> Path:
    path = tmp_path / "clock.toml"
    path.write_text('data_dir = "new"\n[cloud]\nurl = "http://127.0.0.1:9"\n', "utf-8")
    return path


def command(tmp_path: Path, card: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = main(["rescue", str(card), "--config", str(clock(tmp_path))])
    return status, capsys.readouterr().out


# ---- refusals


@pytest.mark.parametrize("what", ["nothing", "empty folder", "no database", "own folder", "own journal", "unreadable"])
def test_what_is_no_other_clocks_card_is_refused_and_changes_nothing(
    tmp_path: Path, ids: TestIds, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    own_ids = old_card(tmp_path / "new", (2,), ids)
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_bytes(b"no database " * 500)
    (tmp_path / "folder" / "journal" / "journal.db").mkdir(parents=True)
    card, sentence = {
        "nothing": ("gone", "kein Journal einer Stempeluhr. Ist die Karte eingehängt (sudo mount -o ro"),
        "empty folder": ("empty", "kein Journal"),
        "no database": ("text", "kein Stempel zu lesen. Ist es die Karte der alten Uhr?"),
        "own folder": ("new", "dieser Stempeluhr selbst"),
        "own journal": ("new/journal/journal.db", "dieser Stempeluhr selbst"),
        "unreadable": ("folder", "kein Journal"),
    }[what]
    status, output = command(tmp_path, tmp_path / card, capsys)
    assert (status, sentence in output) == (1, True), output
    assert stamps(Journal(tmp_path / "new", ids, TestLog())) == own_ids


def test_beside_a_running_clock_it_is_refused(tmp_path: Path, ids: TestIds, capsys: pytest.CaptureFixture[str]) -> None:
    old_card(tmp_path / "old", (2,), ids)
    with sole_instance(tmp_path / "new"):
        status, output = command(tmp_path, tmp_path / "old", capsys)
    assert (status, "systemctl stop" in output) == (1, True)
    assert not (tmp_path / "new" / "journal").exists()


def test_a_disk_that_refuses_takes_nothing_and_the_next_try_takes_all(
    tmp_path: Path, journal: Journal, start: Callable[..., Journal], ids: TestIds
) -> None:
    stamp_ids = old_card(tmp_path / "old", (3, 2), ids)
    for words in (("INSERT INTO stamps",), ("INSERT INTO epochs",), ("COMMIT",)):
        broken = start(Fault(10, words).connect)
        with pytest.raises(JournalError):
            taken_from(tmp_path / "old", broken, tmp_path, ids)
        broken.close()
        assert stamps(journal) == []
    assert taken_from(tmp_path / "old", journal, tmp_path, ids).stamps == len(stamp_ids)
    assert stamps(journal) == stamp_ids


# ---- what is taken


def test_the_command_says_how_much_it_took_and_a_second_time_that_all_is_there(
    tmp_path: Path, ids: TestIds, capsys: pytest.CaptureFixture[str]
) -> None:
    stamp_ids = old_card(tmp_path / "card" / "var/lib/stempelwerk-edge", (2, 3), ids)
    bytes_before = {path: path.read_bytes() for path in (tmp_path / "card").rglob("*") if path.is_file()}
    status, output = command(tmp_path, tmp_path / "card", capsys)
    assert (status, output.splitlines()[0]) == (0, "5 Stempel übernommen, 0 waren schon da, 0 sind nicht lesbar.")
    assert "held_assignment" in output
    status, output = command(tmp_path, tmp_path / "card", capsys)
    assert (status, output.splitlines()[0]) == (0, "0 Stempel übernommen, 5 waren schon da, 0 sind nicht lesbar.")
    assert stamps(Journal(tmp_path / "new", ids, TestLog())) == stamp_ids
    assert {path: path.read_bytes() for path in (tmp_path / "card").rglob("*") if path.is_file()} == bytes_before


def test_rows_keep_epoch_number_and_anchors_and_go_before_this_clocks_own(
    tmp_path: Path, start: Callable[..., Journal], ids: TestIds
) -> None:
    stamp_ids = old_card(tmp_path / "old", (2, 1), ids)
    old = Journal(tmp_path / "old", ids, TestLog())
    ClockState(old).store_anchor(anchor := Anchor(BOOT, 9_000, MORNING, 30), None)
    old_epochs = old.read(
        lambda db: list(db.execute("SELECT id, previous, previous_last_seq FROM epochs ORDER BY number"))
    )
    old.close()
    first = start()
    own_id = first.append(draft(ids.new())).draft.id
    taken_from(tmp_path / "old", first, tmp_path, ids)
    second = start()
    later = second.append(draft(ids.new())).draft.id
    assert ClockState(second).anchors([BOOT]) == [anchor]
    assert second.epoch is not None
    assert first.epoch is not None
    assert (second.epoch.previous, second.epoch.previous_last_seq) == (first.epoch.id, 1)
    new_epochs = second.read(
        lambda db: list(db.execute("SELECT id, previous, previous_last_seq FROM epochs WHERE number < 1"))
    )
    assert new_epochs[: len(old_epochs)] == old_epochs
    assert queue(second) == [
        (old_epochs[0][0], 1, stamp_ids[0]),
        (old_epochs[0][0], 2, stamp_ids[1]),
        (old_epochs[1][0], 1, stamp_ids[2]),
        (first.epoch.id, 1, own_id),
        (second.epoch.id, 1, later),
    ]


def test_what_was_delivered_there_goes_again_and_what_was_removed_there_is_not_called_lost(
    tmp_path: Path, start: Callable[..., Journal], ids: TestIds
) -> None:
    stamp_ids = old_card(tmp_path / "old", (4,), ids)
    with sqlite3.connect(tmp_path / "old/journal/journal.db") as old:
        [first, second, *_] = [row for (row,) in old.execute("SELECT row FROM stamps ORDER BY row")]
        old.execute("DELETE FROM stamps WHERE row = ?", (first,))
        old.execute("UPDATE epochs SET removed_to = 1")
        old.execute("INSERT INTO marks VALUES (?, 'stored', NULL, 0)", (second,))
    old.close()
    journal = start()
    assert taken_from(tmp_path / "old", journal, tmp_path, ids) == Taken(3, 0, 0, 0)
    assert start().read(lambda db: list(db.execute("SELECT * FROM gone"))) == []
    assert [stamp for _, _, stamp in queue(journal)] == stamp_ids[1:]


def test_answers_come_along_and_those_that_the_cloud_has_judged_are_not_asked_again(
    tmp_path: Path, journal: Journal, ids: TestIds
) -> None:
    stamp_ids = old_card(tmp_path / "old", (1,), ids)
    old = Journal(tmp_path / "old", ids, TestLog())
    for name in ("waits", "judged"):
        Answers(old).add(GoneAnswer(name, stamp_ids[0], "2026-11-19", "16:30", MORNING))
    Answers(old).settle(AnswersTaken({"judged": AnswerResult("rejected", "overlap")}), MORNING)
    old.close()
    assert taken_from(tmp_path / "old", journal, tmp_path, ids).answers == 2
    assert taken_from(tmp_path / "old", journal, tmp_path, ids).answers == 0
    assert Answers(journal).to_send(9) == []  # its stamp goes first
    queue(journal)
    assert [answer.id for answer in Answers(journal).to_send(9)] == ["waits"]


def test_of_a_damaged_card_what_is_legible_comes_and_the_rest_is_told_as_lost(
    tmp_path: Path, start: Callable[..., Journal], ids: TestIds
) -> None:
    stamp_ids = old_card(tmp_path / "old", (400,), ids)
    file = tmp_path / "old/journal/journal.db"
    pages = file.stat().st_size // PAGE
    overwrite(file, pages - 6, pages - 4)
    bytes_before = file.read_bytes()
    journal = start()
    outcome = taken_from(tmp_path / "old", journal, tmp_path, ids)
    assert outcome.stamps + outcome.illegible == len(stamp_ids)
    assert outcome.illegible > 0
    assert taken_from(tmp_path / "old", journal, tmp_path, ids) == Taken(0, outcome.stamps, outcome.illegible, 0)
    lost = start().read(lambda db: list(db.execute("SELECT sum(last - first + 1) FROM gone")))
    assert lost == [(outcome.illegible,)]
    assert file.read_bytes() == bytes_before


def test_two_stamps_in_one_place_are_two_stamps(tmp_path: Path, journal: Journal, ids: TestIds) -> None:
    stamp_ids = old_card(tmp_path / "old", (2,), ids)
    taken_from(tmp_path / "old", journal, tmp_path, ids)
    other_id = ids.new()
    with sqlite3.connect(tmp_path / "old/journal/journal.db") as old:
        old.execute("DROP TRIGGER stamps_are_facts")
        old.execute("UPDATE stamps SET id = ? WHERE id = ?", (other_id, stamp_ids[1]))
    old.close()
    assert taken_from(tmp_path / "old", journal, tmp_path, ids).stamps == 1
    assert sorted(stamp for _, _, stamp in queue(journal)) == sorted([*stamp_ids, other_id])


def test_a_journal_that_was_set_aside_over_damage_is_found(tmp_path: Path, journal: Journal, ids: TestIds) -> None:
    stamp_ids = old_card(tmp_path / "old", (2,), ids)
    salvage.set_aside(tmp_path / "old/journal")
    assert taken_from(tmp_path / "old", journal, tmp_path, ids).stamps == len(stamp_ids)


@settings(max_examples=20)
@given(cards=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=1, max_size=6))
def test_whatever_is_rescued_in_whatever_order_and_however_often_each_stamp_waits_once(
    tmp_path_factory: pytest.TempPathFactory, cards: list[tuple[int, int]]
) -> None:
    """Three cards take turns: one is used for some taps and then rescued, with restarts of the successor."""
    folder, ids, made_ids = tmp_path_factory.mktemp("cards"), TestIds(), set()
    for number, taps in cards:
        made_ids |= set(old_card(folder / f"card-{number}", (taps,), ids))
        successor = Journal(folder / "new", ids, TestLog(), reserve_bytes=PAGE)
        successor.open()
        taken_from(folder / f"card-{number}", successor, folder, ids)
        made_ids.add(successor.append(draft(ids.new())).draft.id)
        successor.close()
    successor = Journal(folder / "new", ids, TestLog(), reserve_bytes=PAGE)
    assert Outbox(successor).backlog().depth == len(made_ids)
    waiting = queue(successor)
    assert sorted(stamp for _, _, stamp in waiting) == sorted(made_ids)
    assert len({(epoch, seq) for epoch, seq, _ in waiting}) == len(made_ids)
    assert successor.read(lambda db: list(db.execute("SELECT * FROM gone"))) == []
    successor.close()


# ---- the old clock's scanners


def a_base_of_a_scanner(folder: Path) -> tuple[Dock, ModelScanner]:
    """A clock with an adopted scanner in its base, whose first tap it has taken."""
    base, scanner = Dock(folder), ModelScanner("SW-1", random.Random(1), capacity=40)
    scanner.power_on(base.now_ms())
    base.dock(scanner)
    base.run(3)
    scanner.tap(UID, base.now_ms())
    base.run(3)
    assert (len(base.taps()), scanner.flash.taps) == (1, {})
    return base, scanner


def successor_of(old: Dock, tmp_path: Path) -> Dock:
    """The clock into which the old one's card was rescued, twice."""
    old.close()
    new = Dock(tmp_path / "new")
    new.adopting = False
    for _ in range(2):
        taken_from(old.folder, new.journal, tmp_path, new.ids)
    new.close()
    new.clock = old.clock
    new.start()
    return new


def test_a_scanner_of_the_old_clock_is_the_new_ones_and_brings_what_it_still_holds(
    tmp_path: Path, memory: Path
) -> None:
    old, scanner = a_base_of_a_scanner(memory / "old")
    scanner.tap(UID, old.now_ms())
    new = successor_of(old, tmp_path)
    assert [report["connected"] for report in new.base.for_heartbeat()] == [False]
    new.dock(scanner)
    new.run(8)
    assert (len(new.taps()), scanner.flash.taps) == (2, {})
    new.close()


def test_a_tap_that_the_old_clock_took_and_never_acknowledged_is_not_taken_again(tmp_path: Path, memory: Path) -> None:
    old, scanner = a_base_of_a_scanner(memory / "old")
    scanner.tap(UID, old.now_ms())
    heard = old.base.received(old.line, scanner.exchange(b"", old.now_ms()))
    assert heard  # and then the clock's power fails
    assert (len(old.taps()), len(scanner.flash.taps)) == (2, 1)
    new = successor_of(old, tmp_path)
    new.dock(scanner)
    new.run(8)
    assert (len(new.taps()), scanner.flash.taps) == (2, {})
    new.close()


def test_a_tap_whose_stamp_is_illegible_on_the_old_card_comes_from_the_scanner(tmp_path: Path, memory: Path) -> None:
    old, scanner = a_base_of_a_scanner(memory / "old")
    scanner.tap(UID, old.now_ms())
    old.base.received(old.line, scanner.exchange(b"", old.now_ms()))
    [_, made_tap] = old.taps()
    old.journal.write(lambda db: db.execute("DELETE FROM stamps WHERE row = (SELECT max(row) FROM stamps)"))
    new = successor_of(old, tmp_path)
    new.dock(scanner)
    new.run(8)
    assert (len(new.taps()), new.taps()[-1], scanner.flash.taps) == (2, made_tap, {})
    new.close()


def test_what_the_new_clock_has_taken_of_a_log_by_then_stays_taken(tmp_path: Path, memory: Path) -> None:
    old, scanner = a_base_of_a_scanner(memory / "old")
    new = successor_of(old, tmp_path)
    new.dock(scanner)
    new.run(3)
    scanner.tap(UID, new.now_ms())
    new.run(8)
    assert len(new.taps()) == 2
    taken_from(old.folder, new.journal, tmp_path, new.ids)
    new.start()
    new.dock(scanner)
    scanner.tap(UID, new.now_ms())
    new.run(8)
    assert (len(new.taps()), scanner.flash.taps) == (3, {})
    new.close()


def test_a_scanner_that_the_old_clock_was_to_forget_is_forgotten_by_the_new_one_once_it_has_its_taps(
    tmp_path: Path, memory: Path
) -> None:
    old, scanner = a_base_of_a_scanner(memory / "old")
    scanner.tap(UID, old.now_ms())  # and is away when it is forgotten
    assert old.base.forget("SW-1")
    new = successor_of(old, tmp_path)
    assert new.base.for_heartbeat() == []
    new.dock(scanner)
    new.run(20)
    assert (len(new.taps()), scanner.flash.taps, scanner.flash.key) == (2, {}, None)
    assert new.base.for_heartbeat() == []
    new.close()


def test_a_scanner_that_was_adopted_anew_here_stays_so_though_the_old_card_forgets_it(
    tmp_path: Path, memory: Path
) -> None:
    old, scanner = a_base_of_a_scanner(memory / "old")
    old.base.forget("SW-1")
    new = successor_of(old, tmp_path)
    new.dock(scanner)
    new.run(20)
    new.adopting = True
    new.base.unplugged(new.line)
    new.dock(scanner)
    new.run(8)
    new.adopting = False
    assert scanner.flash.key is not None
    taken_from(old.folder, new.journal, tmp_path, new.ids)
    new.start()
    new.dock(scanner)
    new.run(20)
    assert scanner.flash.key is not None
    assert [report["serial"] for report in new.base.for_heartbeat()] == ["SW-1"]
    new.close()


def test_the_scanners_meetings_with_the_old_clock_still_tell_when_its_taps_were(tmp_path: Path, memory: Path) -> None:
    old, _ = a_base_of_a_scanner(memory / "old")
    now = old.now_ms()
    old.stores.state.store_anchor(old.time.contact(MORNING + timedelta(days=9), now, now + 40), None)
    boot = old.taps()[0][0]
    anchors = old.stores.state.anchors({boot})
    assert anchors
    new = successor_of(old, tmp_path)
    assert new.stores.state.anchors({boot}) == anchors
    new.close()


def test_a_card_that_holds_nothing_but_scanners_is_taken_too(
    tmp_path: Path, memory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, _ = a_base_of_a_scanner(memory / "old")
    old.journal.write(lambda db: db.execute("DELETE FROM stamps"))
    old.close()
    status, output = command(tmp_path, memory / "old", capsys)
    assert (status, "Scanner übernommen: 1." in output) == (0, True), output
    status, output = command(tmp_path, memory / "old", capsys)
    assert (status, "Scanner" in output) == (0, False), output


def test_scanners_whose_rows_are_spoilt_are_left_and_hinder_nothing(tmp_path: Path, memory: Path) -> None:
    old, _ = a_base_of_a_scanner(memory / "old")

    def spoil(db: Database) -> None:
        db.execute("UPDATE scanners SET said = '{', name = 5")
        db.execute("INSERT INTO scanners VALUES ('SW-2', 'Two', 'text', 7, NULL)")
        db.execute("INSERT INTO scanners VALUES ('SW-3', 'Three', x'00', 7, '[]')")
        db.execute("INSERT INTO scanned VALUES ('SW-2', 'x', 'y')")
        db.execute("INSERT INTO contacts VALUES ('boot', 'x', 'y', 'z')")

    old.journal.write(spoil)
    old.start()  # nor the clock itself
    assert old.base.for_heartbeat() == []
    new = successor_of(old, tmp_path)
    assert len(new.taps()) == 1
    assert new.base.for_heartbeat() == []
    assert Registry(new.journal).store_key("SW-2", "Two", bytes(32)) == bytes(32)
    assert new.stores.state.anchors({"boot"}) == []
    new.close()


# ---- as another user


@pytest.fixture
def disk() -> Iterator[Path]:
    """A folder that every user reaches, on a disk: a clock takes nothing onto one that forgets everything."""
    with tempfile.TemporaryDirectory(prefix="stempelwerk-", dir="/var/tmp") as folder:
        yield Path(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another user")
def test_root_reads_any_card_and_what_is_written_is_the_clocks_users(disk: Path, ids: TestIds) -> None:
    """A card's files are only for its own clock's user, who is another one here."""
    nobody_uid = 65534
    disk.chmod(0o755)
    stamp_ids = old_card(disk / "old", (3,), ids)
    old_card(disk / "new", (1,), ids)
    for path in (disk / "new", *(disk / "new").rglob("*")):
        os.chown(path, nobody_uid, nobody_uid)
    done = subprocess.run(
        [sys.executable, "-m", "stempelwerk_edge", "rescue", disk / "old", "--config", clock(disk)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout.partition(" ")[0]) == (0, str(len(stamp_ids))), done
    assert {path.stat().st_uid for path in (disk / "new").rglob("*")} == {nobody_uid}


# ---- and is delivered


def test_a_successor_delivers_it_all_and_forgets_it_after_thirty_days(card: Rig) -> None:
    old = card.directory.parent / f"{card.directory.name}-old"
    try:
        other_ids = TestIds(10_000)
        stamp_ids = old_card(old, (2, 3), other_ids)
        card.start()
        own_id = card.tap().stamp_id
        card.wait(minutes=2)
        card.crash()
        journal = Journal(card.directory, other_ids, TestLog())
        taken_from(old, journal, card.directory, other_ids)
        journal.close()
        card.start()
        card.wait(minutes=2)
        assert sorted(card.delivered()) == sorted([*stamp_ids, own_id])
        assert card.agent.outbox.backlog().depth == 0
        late = MORNING + timedelta(days=32)
        card.agent.state.forget_delivered(late, BOOT)
        card.agent.state.forget_delivered(late, BOOT)
        assert stamps(card.agent._stores.journal) == []
        assert (
            card.agent._stores.journal.read(lambda db: list(db.execute("SELECT * FROM epochs WHERE number < 1"))) == []
        )
    finally:
        shutil.rmtree(old, ignore_errors=True)
