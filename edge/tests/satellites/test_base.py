"""The clock as its scanners' base: every tap becomes one stamp, whatever the line, the power and the disk do."""

import random
import sqlite3
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from stempelwerk_edge.errors import JournalError
from stempelwerk_edge.machine.clock import Quality
from stempelwerk_edge.machine.trusted_time import best_anchor, estimate
from stempelwerk_edge.ports import AnswerKind
from stempelwerk_edge.satellites.base import Satellites
from stempelwerk_edge.satellites.frames import NO_KEY, Kind, Session, pack
from stempelwerk_edge.storage import schema
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_tools.simulators.scanner import ModelScanner

from edge.tests.clockwork import MORNING, TAG, draft
from edge.tests.satellites.conftest import UID, Dock

STRANGER = b"\x04unknow"


def logged_taps(scanner: ModelScanner) -> list[tuple[str, int, str]]:
    return [(boot, tick, uid.hex().upper()) for boot, tick, uid in scanner.flash.taps.values()]


def kind_of(base: Dock) -> AnswerKind:
    """Hold the tag to the clock itself."""
    answer = base.tapper.on_tag(TAG)
    assert answer is not None
    return answer.kind


# ---- who is listened to


def test_a_scanner_that_is_nobodys_gets_nothing_but_a_welcome_until_somebody_adopts_it(base: Dock) -> None:
    base.adopting = False
    scanner = ModelScanner("NEW", random.Random(2))
    scanner.power_on(base.now_ms())
    base.dock(scanner)
    scanner.tap(UID, base.now_ms())
    base.run(5)
    assert (scanner.flash.key, base.taps(), base.base.for_heartbeat()) == (None, [], [])
    base.adopting = True
    base.run(5)
    assert scanner.flash.name == "Scanner 1"
    assert len(base.taps()) == 1
    assert base.log.codes.count("scanner_adopted") == 1


def test_a_scanner_of_another_clock_is_not_answered(base: Dock, scanner: ModelScanner) -> None:
    stranger = ModelScanner("OTHER", random.Random(3))
    stranger.flash.key = bytes(range(32))
    stranger.power_on(base.now_ms())
    stranger.tap(UID, base.now_ms())
    base.dock(stranger)
    base.run(5)
    assert (base.line.stranger, base.taps(), stranger.feedback) == ("OTHER", [], [])


def test_the_key_is_on_the_disk_before_the_scanner_is_told(base: Dock) -> None:
    scanner = ModelScanner("NEW", random.Random(2))
    scanner.power_on(base.now_ms())
    base.dock(scanner)
    lost = 0

    def loses_what_it_says_after_it_has_a_key(data: bytes) -> bytes:
        nonlocal lost
        lost += scanner.flash.key is not None
        return data if scanner.flash.key is None else b""

    base.spoil = loses_what_it_says_after_it_has_a_key
    base.run(2)
    assert scanner.flash.key is not None
    assert lost
    base.start()
    base.adopting, base.spoil = False, lambda data: data
    base.dock(scanner)
    scanner.tap(UID, base.now_ms())
    base.run(8)
    assert len(base.taps()) == 1


def test_a_wiped_scanner_is_adopted_again_and_counts_from_one(base: Dock, scanner: ModelScanner) -> None:
    scanner.tap(UID, base.now_ms())
    base.run(3)
    scanner.wipe(key_too=True)
    scanner.power_on(base.now_ms())
    scanner.tap(UID, base.now_ms())
    base.run(5)
    assert len(base.taps()) == 1
    base.adopting = True
    base.run(5)
    assert len(base.taps()) == 2
    assert scanner.flash.taps == {}


@pytest.mark.parametrize("key", [NO_KEY, bytes(range(32))])
def test_a_forged_tap_is_refused(base: Dock, scanner: ModelScanner, key: bytes) -> None:
    talk = base.line.talk
    assert talk is not None
    forger = Session(key, talk.session.scanner_nonce, talk.session.clock_nonce)
    tap = pack(Kind.TAP, talk.epoch, 1, boot=scanner.boot, tick=5, flags=0, uid=UID)
    assert base.base.received(base.line, forger.seal(b"S", tap)) == b""
    assert (base.taps(), base.line.dropped["mac"]) == ([], 1)


def test_what_was_recorded_changes_nothing(base: Dock, scanner: ModelScanner) -> None:
    scanner.tap(UID, base.now_ms())
    base.run(40)
    recorded, anchors = list(base.sent), base.stores.state.anchors({scanner.boot})
    base.clock.advance(hours=2)
    for recorded_bytes in recorded:
        base.base.received(base.line, recorded_bytes)
    assert len(base.taps()) == 1
    assert base.stores.state.anchors({scanner.boot}) == anchors
    scanner.tap(UID, base.now_ms())
    base.run(40)
    assert len(base.taps()) == 2


# ---- what a stamp keeps


def test_a_tap_is_kept_with_the_scanners_own_time_and_said_to_the_scanner_alone(
    base: Dock, scanner: ModelScanner
) -> None:
    now_ms = base.now_ms()
    scanner.tap(UID, now_ms)
    base.run(2)
    [draft] = base.stamps()
    reading = draft.reading
    assert (draft.via, draft.tag, draft.direction, draft.shown) == ("scanner:SW-BEACON-000042", TAG, "auto", "in")
    assert (reading.boot, reading.boottime_ms, reading.quality) == (scanner.boot, scanner.tick(now_ms), Quality.NTP)
    assert reading.wall == MORNING + timedelta(milliseconds=now_ms - 10_000)
    assert (scanner.feedback, scanner.flash.taps, base.signals.played, base.screen.answers) == ([0], {}, [], [])
    scanner.tap(UID, base.now_ms())
    scanner.tap(STRANGER, base.now_ms())
    base.run(2)
    assert scanner.feedback == [0, 1, 2]


def test_a_tap_of_earlier_is_said_to_nobody_and_stands_where_it_belongs(base: Dock, scanner: ModelScanner) -> None:
    scanner.tap(UID, base.now_ms())
    base.clock.advance(hours=3)
    assert kind_of(base) == "in"  # this clock does not know that they had come
    base.run(5)
    assert [(draft.via, draft.shown) for draft in base.stamps()] == [
        ("reader", "in"),
        ("scanner:" + scanner.serial, None),
    ]
    assert scanner.feedback == []
    base.clock.advance(hours=1)
    assert kind_of(base) == "out"


def test_many_taps_of_earlier_do_not_hide_the_ones_of_today(base: Dock, scanner: ModelScanner) -> None:
    for _ in range(20):
        scanner.tap(UID, base.now_ms())
        base.clock.advance(hours=2)
    assert kind_of(base) == "in"
    base.run(20)
    assert len(base.taps()) == 20
    base.clock.advance(hours=1)
    assert kind_of(base) == "out"


def test_the_true_time_comes_of_a_contact_also_where_the_cloud_is_met_much_later(
    base: Dock, scanner: ModelScanner
) -> None:
    base.clock.said = Quality.NONE
    tapped_ms = base.now_ms()
    scanner.tap(UID, tapped_ms)
    base.clock.advance(hours=5)
    base.run(40)
    scanner.power_on(base.now_ms())  # its start is over: nothing more can be learnt of it
    base.clock.advance(hours=20)
    assert base.stores.state.anchors({base.taps()[0][0]}) == []
    true_now = MORNING + timedelta(days=900)
    base.stores.state.store_anchor(base.time.contact(true_now, base.now_ms(), base.now_ms() + 40), None)
    [draft] = base.stamps()
    anchors = base.stores.state.anchors({draft.reading.boot})
    best_estimate, best = (
        estimate(draft.reading, anchors),
        best_anchor(draft.reading.boot, draft.reading.boottime_ms, anchors),
    )
    true = true_now - timedelta(milliseconds=base.now_ms() - tapped_ms)
    assert (best_estimate.certain, best_estimate.basis) == (True, "anchor")
    assert abs(best_estimate.time - true) <= timedelta(milliseconds=best_estimate.error_ms or 0)
    assert best is not None
    assert best.rtt_ms >= 500


def test_a_start_without_any_contact_leaves_its_taps_without_a_sure_time(base: Dock, scanner: ModelScanner) -> None:
    scanner.power_on(base.now_ms())
    scanner.tap(UID, base.now_ms())
    base.clock.advance(hours=3)
    scanner.power_on(base.now_ms())
    base.run(5)
    [draft] = base.stamps()
    assert (draft.reading.quality, draft.shown) == (Quality.NONE, None)
    assert draft.reading.boot != scanner.boot
    assert base.stores.state.anchors({draft.reading.boot}) == []


def test_meetings_are_forgotten_with_the_stamps_that_they_are_for(base: Dock, scanner: ModelScanner) -> None:
    base.run(3)
    base.stores.state.forget_delivered(MORNING, base.clock.boot_id)

    def meetings() -> int:
        return base.journal.read(lambda db: next(iter(db.execute("SELECT count(*) FROM contacts")))[0])

    assert meetings() == 1  # it may still bring taps of this start
    scanner.power_on(base.now_ms())
    base.run(8)
    base.stores.state.forget_delivered(MORNING, base.clock.boot_id)
    assert meetings() == 1


def test_the_meetings_of_a_scanner_that_nobody_taps_on_do_not_grow_for_ever(base: Dock, scanner: ModelScanner) -> None:
    def a_month() -> None:
        for _ in range(24 * 30):
            base.clock.advance(hours=1)
            begin_anew(base, scanner)
        while base.stores.state.forget_delivered(base.time.now(), base.clock.boot_id):
            pass

    a_month()
    contact_count = count(base, "contacts")
    assert contact_count <= 26
    a_month()
    assert count(base, "contacts") == contact_count
    scanner.tap(UID, base.now_ms())
    tick = scanner.tick(base.now_ms())
    a_month()
    [stamp] = base.stamps()
    meetings = base.journal.read(lambda db: list(db.execute("SELECT tick_ms FROM contacts ORDER BY tick_ms")))
    assert stamp.reading.boottime_ms == tick
    assert tick - 25 * 3_600_000 < meetings[0][0] <= tick
    assert len(meetings) > 700  # until it is delivered and forgotten, all since then


def test_a_tap_that_cannot_be_read_is_passed_over_and_reported(base: Dock, scanner: ModelScanner) -> None:
    scanner.flash.taps[1] = ("00000000-0000-0000-0000-000000000000", 0, b"")
    scanner.flash.next = 2
    scanner.tap(UID, base.now_ms())
    base.run(3)
    assert (len(base.taps()), scanner.flash.taps) == (1, {})
    assert "scanner_tap_lost" in base.log.codes


def test_what_a_full_log_refused_is_said_once_in_the_clocks_log(base: Dock, scanner: ModelScanner) -> None:
    """The count holds as long as the clock knows the scanner: also over a restart of the program."""
    base.run(3)
    assert "scanner_full" not in base.log.codes
    scanner.flash.lost = 3
    base.run(35)
    [log_entry] = [entry for entry in base.log.entries if entry[1] == "scanner_full"]
    assert (log_entry[0], log_entry[3]) == ("warn", {"serial": scanner.serial, "refused": 3})
    base.start()
    base.dock(scanner)
    base.run(65)
    assert base.log.codes.count("scanner_full") == 1
    scanner.flash.lost = 4
    base.run(35)
    assert [meta["refused"] for _, code, _, meta in base.log.entries if code == "scanner_full"] == [3, 1]
    scanner.wipe()
    scanner.power_on(base.now_ms())
    base.run(35)
    assert base.log.codes.count("scanner_full") == 2


# ---- what costs nothing


def count(base: Dock, table: str) -> int:
    row_count: int = base.journal.read(lambda db: next(iter(db.execute(f"SELECT count(*) FROM {table}")))[0])
    return row_count


def begin_anew(base: Dock, scanner: ModelScanner) -> None:
    """HELLO, WELCOME, STATUS, TIME, and nothing more."""
    scanner.dock()
    welcome = base.base.received(base.line, scanner.exchange(b"", base.now_ms()))
    assert base.base.received(base.line, scanner.exchange(welcome, base.now_ms()))
    base.clock.advance(milliseconds=100)


def test_a_scanner_that_begins_anew_all_the_time_writes_nothing(base: Dock, scanner: ModelScanner) -> None:
    base.disk.result = 13  # whoever writes is refused, and does not answer
    for _ in range(50):
        begin_anew(base, scanner)
    base.disk.result = None
    assert count(base, "contacts") == 1
    base.clock.advance(hours=1)
    begin_anew(base, scanner)
    assert count(base, "contacts") == 2


def test_a_scanner_that_restarts_all_the_time_fills_no_memory(base: Dock, scanner: ModelScanner) -> None:
    for _ in range(600):
        scanner.power_on(base.now_ms())
        begin_anew(base, scanner)
    assert len(base.base._contacts) <= 256


def test_scanners_are_taken_up_once_a_disk_that_refused_at_the_start_is_back(base: Dock, scanner: ModelScanner) -> None:
    base.journal.close()
    base.disk.result = 13
    base.base = Satellites(base.journal, base.around, base.tapper, lambda: False)
    with pytest.raises(JournalError):
        base.base.load()
    base.dock(scanner)
    scanner.tap(UID, base.now_ms())
    with pytest.raises(JournalError):
        base.base.offer(base.line)
    base.disk.result = None
    base.run(8)
    assert (len(base.taps()), scanner.flash.taps) == (1, {})


# ---- nothing lost, nothing doubled


def send_frame(base: Dock, scanner: ModelScanner, kind: Kind, seq: int, **members: Any) -> bytes:
    """Sends a frame from the scanner at the line; returns the clock's answer."""
    talk = base.line.talk
    assert talk is not None
    return base.base.received(base.line, talk.session.seal(b"S", pack(kind, scanner.flash.epoch, seq, **members)))


def tapped(base: Dock, scanner: ModelScanner, seq: int) -> bytes:
    return send_frame(base, scanner, Kind.TAP, seq, boot=scanner.boot, tick=seq, flags=0, uid=UID)


def test_a_tap_before_which_one_was_lost_on_the_way_waits_for_that_one(base: Dock, scanner: ModelScanner) -> None:
    assert tapped(base, scanner, 2) == b""
    assert base.taps() == []
    for seq in (1, 3, 2, 2, 3):
        tapped(base, scanner, seq)
    assert [tick for _, tick, _ in base.taps()] == [1, 2, 3]


def test_no_tap_is_taken_before_the_scanner_has_said_where_its_time_stands(base: Dock, scanner: ModelScanner) -> None:
    scanner.power_on(base.now_ms())
    base.dock(scanner)
    base.base.received(base.line, scanner.exchange(b"", base.now_ms()))
    assert tapped(base, scanner, 1) == b""
    assert base.taps() == []
    send_frame(base, scanner, Kind.STATUS, 1, **scanner._status(base.now_ms()))
    tapped(base, scanner, 1)
    assert len(base.taps()) == 1


def test_nothing_is_acknowledged_that_is_not_on_the_disk(base: Dock, scanner: ModelScanner) -> None:
    scanner.tap(UID, base.now_ms())
    base.disk.result = 13
    base.run(20)
    assert len(scanner.flash.taps) == 1
    base.disk.result = None
    base.run(10)
    assert (len(base.taps()), scanner.flash.taps) == (1, {})


def test_a_full_log_refuses_and_what_it_refused_is_counted(base: Dock, scanner: ModelScanner) -> None:
    assert [scanner.tap(UID, base.now_ms()) for _ in range(43)].count(False) == 3
    base.run(60)
    assert len(base.taps()) == 40
    [report] = base.base.for_heartbeat()
    assert (report["overflow"], report["log"], report["connected"]) == (3, {"used": 0, "capacity": 40}, True)


def gone_for(base: Dock, seconds: int) -> None:
    """Takes the scanner from its line, which stays: a UART does not report that. Others are asked as before."""
    for _ in range(seconds):
        base.base.offer(base.line)
        base.clock.advance(seconds=1)


def connected(base: Dock) -> dict[str, bool]:
    return {report["serial"]: report["connected"] for report in base.base.for_heartbeat()}


def test_one_that_was_taken_out_of_a_base_over_uart_is_away_when_it_is_silent(
    base: Dock, scanner: ModelScanner
) -> None:
    gone_for(base, 60)
    assert connected(base) == {scanner.serial: True}
    gone_for(base, 40)
    assert connected(base) == {scanner.serial: False}
    scanner.tap(UID, base.now_ms())
    base.run(40)
    assert (connected(base), len(base.taps())) == ({scanner.serial: True}, 1)


def test_one_that_takes_the_place_of_another_at_a_uart_puts_that_away_at_once(
    base: Dock, scanner: ModelScanner
) -> None:
    base.adopting = True
    second_scanner = base.scanner = ModelScanner("SW-BEACON-000043", random.Random(2))
    second_scanner.power_on(base.now_ms())
    base.run(10)
    assert connected(base) == {scanner.serial: False, second_scanner.serial: True}


def test_one_that_was_forgotten_at_a_uart_can_be_adopted_again_once_it_was_away(
    base: Dock, scanner: ModelScanner
) -> None:
    base.adopting = True
    assert base.base.forget(scanner.serial)
    base.run(30)
    assert scanner.flash.key is None
    gone_for(base, 100)
    base.run(40)
    assert (scanner.flash.key is not None, connected(base)) == (True, {scanner.serial: True})


def test_another_scanner_in_its_place_is_another_one(base: Dock, scanner: ModelScanner) -> None:
    scanner.tap(UID, base.now_ms())
    base.run(3)
    base.adopting = True
    second_scanner = ModelScanner("SW-BEACON-000043", random.Random(9))
    second_scanner.flash.epoch = scanner.flash.epoch
    second_scanner.power_on(base.now_ms())
    second_scanner.tap(UID, base.now_ms())
    base.dock(second_scanner)
    base.run(5)
    assert len(base.taps()) == 2
    assert {report["serial"]: report["connected"] for report in base.base.for_heartbeat()} == {
        "SW-BEACON-000042": False,
        "SW-BEACON-000043": True,
    }


def test_what_a_scanner_said_is_known_after_a_start_of_the_clock(base: Dock, scanner: ModelScanner) -> None:
    [report] = base.base.for_heartbeat()
    base.dock(scanner)
    base.start()
    assert base.base.for_heartbeat() == [report | {"connected": False}]
    assert (report["battery"], report["board"], report["version"], report["reader"]) == (71, "model", "1.0.0", "ok")


def test_an_older_program_goes_on_with_the_journal_and_this_one_after_it(
    base: Dock, scanner: ModelScanner, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanner.tap(UID, base.now_ms())
    base.run(3)
    base.journal.close()
    with monkeypatch.context() as patch:
        patch.setattr(schema, "NEWEST", 2)
        older = Journal(base.folder, base.ids, base.log, base.disk.connect, 65_536)
        older.append(draft("01927b5e-8c41-7e2a-9d55-6f1f2a3b4c5d"))
        older.close()
    base.start()
    base.dock(scanner)
    scanner.tap(UID, base.now_ms())
    base.run(8)
    assert [stamp.via[:7] for stamp in base.stamps()] == ["scanner", "reader", "scanner"]


def test_a_damaged_journal_leaves_what_is_known_of_scanners(base: Dock, scanner: ModelScanner) -> None:
    scanner.tap(UID, base.now_ms())
    base.run(3)
    base.journal.checkpoint(0)
    base.journal.close()
    file = base.folder / "journal" / "journal.db"
    content = bytearray(file.read_bytes())
    [(page,)] = sqlite3.connect(file).execute("SELECT rootpage FROM sqlite_schema WHERE name = 'epochs'")
    content[(page - 1) * 4096 : (page - 1) * 4096 + 64] = b"\xff" * 64
    file.write_bytes(bytes(content))
    base.start()
    assert "journal_replaced" in base.log.codes
    base.dock(scanner)
    scanner.tap(UID, base.now_ms())
    base.run(8)
    assert len(base.taps()) == 2


def deafened(base: Dock, scanner: ModelScanner, taps: int) -> list[tuple[str, int, str]]:
    """Makes taps that the clock takes, without an acknowledgement that reaches the scanner; returns them as in the
    journal.
    """
    for _ in range(taps):
        scanner.tap(UID, base.now_ms())
        base.clock.advance(minutes=3)
    base.base.received(base.line, scanner.exchange(b"", base.now_ms()))
    assert (len(base.taps()), len(scanner.flash.taps)) == (taps, taps)
    return base.taps()


def lose(base: Dock, *rows: int) -> None:
    """Damage costs the journal these of its stamps, counted from 0, and nothing else."""
    numbers = base.journal.read(lambda db: [row for (row,) in db.execute("SELECT row FROM stamps ORDER BY row")])
    for row in rows:
        base.journal.write(lambda db, row=numbers[row]: db.execute("DELETE FROM stamps WHERE row = ?", (row,)))  # type: ignore[misc]
    base.journal.close()
    (base.folder / "journal").rename(base.folder / "journal.damaged-1")


@pytest.mark.parametrize("lost", [(7,), (0,), (2, 5), tuple(range(8))])
def test_a_tap_that_damage_cost_the_clock_is_not_acknowledged_and_comes_again(
    base: Dock, scanner: ModelScanner, lost: tuple[int, ...]
) -> None:
    made_taps = deafened(base, scanner, 8)
    lose(base, *lost)
    base.start()
    assert len(base.taps()) == 8 - len(lost)
    base.dock(scanner)
    base.run(12)
    assert sorted(base.taps()) == sorted(made_taps)
    assert scanner.flash.taps == {}
    scanner.tap(UID, base.now_ms())
    base.run(4)
    assert len(base.taps()) == 9
    assert len({stamp.id for stamp in base.stamps()}) == 9


def test_what_a_scanner_no_longer_has_is_not_waited_for(base: Dock, scanner: ModelScanner) -> None:
    scanner.tap(UID, base.now_ms())
    base.run(4)
    assert scanner.flash.taps == {}
    lose(base, 0)
    base.start()
    base.dock(scanner)
    scanner.tap(UID, base.now_ms())
    base.run(8)
    assert (len(base.taps()), scanner.flash.taps) == (1, {})


def test_damage_after_damage_forgets_nothing_that_was_to_come_again(base: Dock, scanner: ModelScanner) -> None:
    made_taps = deafened(base, scanner, 8)
    lose(base, 1, 2)
    base.start()
    base.journal.open()
    base.journal.close()
    (base.folder / "journal").rename(base.folder / "journal.damaged-2")
    base.start()
    base.dock(scanner)
    base.run(12)
    assert sorted(base.taps()) == sorted(made_taps)


EVENTS = ["tap"] * 4 + ["talk"] * 3
EVENTS += ["scanner restarts", "clock restarts", "docked anew", "log wiped"]
EVENTS += ["lossy", "flipping", "replaying", "disk fails", "quiet"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(EVENTS), min_size=5, max_size=30), st.integers(0, 2**32))
def test_every_tap_becomes_one_stamp_whatever_happens(memory: Path, events: list[str], seed: int) -> None:
    rng = random.Random(seed)
    base = Dock(memory / f"{random.SystemRandom().getrandbits(60):x}")
    scanner = ModelScanner("S", rng, capacity=12)
    scanner.power_on(base.now_ms())
    base.dock(scanner)
    base.run(3)
    made_taps: list[tuple[str, int, str]] = []
    luck = "quiet"

    def spoil(data: bytes) -> bytes:
        if luck == "lossy" and rng.random() < 0.4:
            return b""
        if luck == "flipping" and data and rng.random() < 0.4:
            position = rng.randrange(len(data))
            return data[:position] + bytes([data[position] ^ 1 << rng.randrange(8)]) + data[position + 1 :]
        return rng.choice(base.sent) + data if luck == "replaying" else data

    base.spoil = spoil
    for event in events:
        base.clock.advance(seconds=rng.uniform(0.2, 90))
        if event == "tap":
            uid, tapped_ms = rng.randbytes(7), base.now_ms()
            if scanner.tap(uid, tapped_ms):
                made_taps.append((scanner.boot, scanner.tick(tapped_ms), uid.hex().upper()))
        elif event == "talk":
            base.run(rng.uniform(0.3, 4))
        elif event == "scanner restarts":
            scanner.power_on(base.now_ms())
        elif event == "clock restarts":
            base.start()
        elif event == "docked anew":
            base.dock(scanner)
        elif event == "log wiped":
            stored_taps = base.taps() if base.disk.result is None else []
            if base.disk.result is None:
                made_taps = [tap for tap in made_taps if tap in stored_taps or tap not in logged_taps(scanner)]
                scanner.wipe()
                scanner.power_on(base.now_ms())
        elif event == "disk fails":
            base.disk.result = rng.choice((10, 13))
        else:
            luck, base.disk.result = event, None
    luck, base.disk.result = "quiet", None
    base.run(25)
    assert base.taps() == made_taps
    assert scanner.flash.taps == {}
    base.close()
