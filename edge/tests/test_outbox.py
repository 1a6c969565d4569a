"""Waiting, travelling and delivered stamps: facts of their own, never a change of a stamp."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from stempelwerk_edge.cloud.delivery import Effects, Fate, Then
from stempelwerk_edge.cloud.wire import Replay
from stempelwerk_edge.machine.trusted_time import Anchor
from stempelwerk_edge.storage.clock_state import ClockState
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.outbox import Backlog, Outbox
from stempelwerk_edge.storage.rows import Batch, Mark, Row

from edge.tests.clockwork import MORNING, TestIds, draft

Start = Callable[..., Journal]
DONE = Effects(Fate.DONE, Then.GO_ON, lease=8)


@pytest.fixture
def outbox(journal: Journal) -> Outbox:
    return Outbox(journal)


def tap(journal: Journal, ids: TestIds, count: int, tapped_at: datetime = MORNING) -> list[Row]:
    return [
        journal.append(draft(ids.new(), tapped_at=tapped_at + timedelta(minutes=number))) for number in range(count)
    ]


def batch_of(rows: list[Row], lost_ranges: tuple[tuple[int, int], ...] = ()) -> Batch:
    return Batch("batch", "key", 7, tuple(row.row for row in rows), lost_ranges, b"{}")


def deliver(outbox: Outbox, rows: list[Row], delivered_at: datetime = MORNING, effects: Effects = DONE) -> None:
    batch = batch_of(rows)
    outbox.write_down(batch)
    outbox.settle(batch, effects, [Mark(row.row, "stored", "booked") for row in rows], delivered_at)


def waiting(outbox: Outbox) -> list[int]:
    cut = outbox.cut(500)
    return [] if cut is None else [row.seq for row in cut.rows]


def test_the_oldest_wait_first_and_one_epoch_at_a_time(start: Start, ids: TestIds) -> None:
    first = start()
    old = tap(first, ids, 3)
    second = start()
    new = tap(second, ids, 2)
    outbox = Outbox(second)
    cut = outbox.cut(50)
    assert cut is not None
    assert [row.draft.id for row in cut.rows] == [row.draft.id for row in old]
    assert (cut.epoch.id, cut.epoch.previous) == (old[0].epoch, None)
    deliver(outbox, old)
    cut = outbox.cut(1)
    assert cut is not None
    assert [row.draft.id for row in cut.rows] == [new[0].draft.id]
    assert (cut.epoch.previous, cut.epoch.previous_last_seq) == (old[0].epoch, 3)
    assert outbox.backlog().depth == 2
    assert outbox.backlog().oldest == new[0].draft.reading.wall


def test_rows_set_aside_are_passed_over(outbox: Outbox, journal: Journal, ids: TestIds) -> None:
    rows = tap(journal, ids, 3)
    cut = outbox.cut(2, {rows[0].row})
    assert cut is not None
    assert [row.seq for row in cut.rows] == [2, 3]
    assert outbox.backlog().depth == 3


def test_the_count_of_what_waits_stays_right_whatever_happens(outbox: Outbox, journal: Journal, ids: TestIds) -> None:
    def count_waiting() -> int:
        return Outbox(journal).backlog().depth

    rows = tap(journal, ids, 5)
    assert outbox.backlog().depth == 5
    deliver(outbox, rows[1:3])
    assert outbox.backlog().depth == count_waiting() == 3
    rows += tap(journal, ids, 2)
    assert outbox.backlog().depth == count_waiting() == 5
    deliver(outbox, [rows[0], rows[1]])  # one of them once more
    assert outbox.backlog().depth == count_waiting() == 4
    outbox.repeat_row(rows[1].row)
    assert outbox.backlog().depth == count_waiting() == 5
    outbox.replay([Replay(rows[0].epoch, 1, 3)])
    assert outbox.backlog().depth == count_waiting() == 7
    deliver(outbox, rows)
    assert outbox.backlog() == Backlog(0, None)


def test_a_batch_survives_a_crash_to_the_last_byte(start: Start, ids: TestIds) -> None:
    journal = start()
    rows = tap(journal, ids, 2)
    batch = Batch("b1", "key", None, tuple(row.row for row in rows), ((3, 4),), b'{"x": "\xc3\xbc"}')
    Outbox(journal).write_down(batch)
    assert Outbox(start()).open_batch() == batch


def test_settling_marks_drops_the_batch_and_takes_the_lease_at_once(
    outbox: Outbox, journal: Journal, ids: TestIds
) -> None:
    rows = tap(journal, ids, 3)
    deliver(outbox, rows[:2])
    assert waiting(outbox) == [3]
    assert outbox.open_batch() is None
    assert ClockState(journal).lease("key") == 8
    assert ClockState(journal).lease("another key") is None


def test_a_lease_names_the_batch_whose_answer_gave_it(outbox: Outbox, journal: Journal, ids: TestIds) -> None:
    state = ClockState(journal)
    rows = tap(journal, ids, 2)
    batch = batch_of(rows)
    outbox.write_down(batch)
    outbox.settle(batch, DONE, [], MORNING)
    assert state.lease_from("key") == batch.id
    assert state.lease_from("another key") is None
    unchecked = replace(batch, id="unchecked", lease=None)
    outbox.settle(unchecked, DONE, [], MORNING)
    assert state.lease_from("key") is None
    outbox.settle(batch, DONE, [], MORNING)
    state.doubt_lease("key")
    assert state.lease_from("key") is None
    state.take_lease("key", 9)
    assert state.lease_from("key") is None


def test_a_lease_in_doubt_is_none_and_the_next_is_no_lower_unless_the_server_is_another(journal: Journal) -> None:
    state = ClockState(journal)
    state.take_lease("key", 8)
    state.doubt_lease("key")
    assert state.lease("key") is None
    state.take_lease("key", 3)
    assert state.lease("key") == 8
    state.take_lease("key", 4)  # no longer in doubt: the cloud's lease
    assert state.lease("key") == 4
    state.doubt_lease("key")
    state.forget_lease()
    state.take_lease("key", 1)
    assert state.lease("key") == 1


def test_a_settling_that_fails_leaves_everything_as_it_was(outbox: Outbox, journal: Journal, ids: TestIds) -> None:
    rows = tap(journal, ids, 2)
    batch = batch_of(rows)
    outbox.write_down(batch)
    journal.write(
        lambda db: db.execute("CREATE TRIGGER no BEFORE DELETE ON batch BEGIN SELECT RAISE(ABORT, 'no'); END")
    )
    with pytest.raises(Exception, match="no"):
        outbox.settle(batch, DONE, [Mark(row.row, "stored", None) for row in rows], MORNING)
    assert waiting(outbox) == [1, 2]
    assert outbox.open_batch() == batch


def test_a_replay_of_a_range_sends_what_is_there_and_tells_what_is_gone(
    outbox: Outbox, journal: Journal, ids: TestIds
) -> None:
    rows = tap(journal, ids, 6)
    deliver(outbox, rows)
    journal.write(lambda db: db.execute("DELETE FROM stamps WHERE row IN (?, ?)", (rows[2].row, rows[3].row)))
    outbox.replay([Replay(rows[0].epoch, 2, 5)])
    cut = outbox.cut(50)
    assert cut is not None
    assert [row.seq for row in cut.rows] == [2, 5]
    assert cut.lost_ranges == ((3, 4),)


def test_what_is_gone_is_told_once_and_on_the_back_of_a_delivered_row_if_need_be(
    outbox: Outbox, journal: Journal, ids: TestIds
) -> None:
    rows = tap(journal, ids, 3)
    deliver(outbox, rows)
    journal.write(lambda db: db.execute("DELETE FROM stamps WHERE row = ?", (rows[1].row,)))
    outbox.replay([Replay(rows[0].epoch, 2, 2)])
    cut = outbox.cut(50)
    assert cut is not None
    assert cut.lost_ranges == ((2, 2),)
    assert [row.seq for row in cut.rows] == [3]
    outbox.settle(batch_of(list(cut.rows), cut.lost_ranges), DONE, [Mark(cut.rows[0].row, "duplicate", None)], MORNING)
    assert outbox.cut(50) is None


def test_a_replay_since_an_instant_is_carried_out_once(outbox: Outbox, journal: Journal, ids: TestIds) -> None:
    old = tap(journal, ids, 2, MORNING - timedelta(days=40))
    new = tap(journal, ids, 2)
    deliver(outbox, old, MORNING - timedelta(days=39))
    deliver(outbox, new)
    replay = Replay(since=MORNING - timedelta(days=30))
    outbox.replay([replay])
    assert waiting(outbox) == [3, 4]
    deliver(outbox, new, effects=Effects(Fate.DONE, Then.GO_ON, lease=9, replays=(replay,)))
    assert waiting(outbox) == []


def test_a_stamp_with_a_wrong_wall_time_is_replayed_by_the_time_of_its_delivery(
    outbox: Outbox, journal: Journal, ids: TestIds
) -> None:
    rows = tap(journal, ids, 1, datetime.fromisoformat("1970-01-01T00:10:00+00:00"))
    deliver(outbox, rows)
    outbox.replay([Replay(since=MORNING - timedelta(days=30))])
    assert waiting(outbox) == [1]


def test_another_server_gets_everything(outbox: Outbox, journal: Journal, ids: TestIds) -> None:
    rows = tap(journal, ids, 3)
    deliver(outbox, rows)
    outbox.replay((), everything=True)
    assert waiting(outbox) == [1, 2, 3]


def test_an_unknown_epoch_or_a_senseless_range_asks_for_nothing(outbox: Outbox, journal: Journal, ids: TestIds) -> None:
    rows = tap(journal, ids, 2)
    deliver(outbox, rows)
    outbox.replay([Replay("no such epoch", 1, 9), Replay(rows[0].epoch, 2, 1), Replay(rows[0].epoch, 7, 9)])
    assert outbox.cut(50) is None


# ---- retention


def test_only_what_was_delivered_long_ago_is_removed_and_from_the_front(
    outbox: Outbox, journal: Journal, ids: TestIds, start: Start
) -> None:
    rows = tap(journal, ids, 6)
    long_ago, state = MORNING - timedelta(days=31), ClockState(journal)
    deliver(outbox, rows[:2], long_ago)
    deliver(outbox, rows[3:5], long_ago)
    state.forget_delivered(MORNING, "boot")
    remaining = journal.read(lambda db: [row & 0xFF for (row,) in db.execute("SELECT row FROM stamps ORDER BY row")])
    assert remaining == [3, 4, 5, 6]
    assert waiting(outbox) == [3, 6]
    reopened = Outbox(start())
    cut = reopened.cut(50)
    assert cut is not None
    assert cut.lost_ranges == ()  # what was removed after delivery is not lost


def test_a_row_delivered_less_than_thirty_days_ago_stays(outbox: Outbox, journal: Journal, ids: TestIds) -> None:
    rows = tap(journal, ids, 3)
    deliver(outbox, rows, MORNING - timedelta(days=29, hours=23))
    assert ClockState(journal).forget_delivered(MORNING, "boot") is False
    outbox.replay((), everything=True)
    assert waiting(outbox) == [1, 2, 3]


def test_removing_goes_in_small_steps(outbox: Outbox, journal: Journal, ids: TestIds) -> None:
    rows = tap(journal, ids, 250)
    deliver(outbox, rows, MORNING - timedelta(days=31))
    state = ClockState(journal)
    assert state.forget_delivered(MORNING, "boot") is True
    assert state.forget_delivered(MORNING, "boot") is False
    [(remaining,)] = journal.read(lambda db: list(db.execute("SELECT count(*) FROM stamps")))
    assert remaining == 0


def test_numbers_go_on_after_everything_was_removed(
    outbox: Outbox, journal: Journal, ids: TestIds, start: Start
) -> None:
    deliver(outbox, tap(journal, ids, 3), MORNING - timedelta(days=31))
    ClockState(journal).forget_delivered(MORNING, "boot")
    reopened = start()
    reopened.open()
    assert journal.epoch is not None
    assert reopened.epoch is not None
    assert (reopened.epoch.previous, reopened.epoch.previous_last_seq) == (journal.epoch.id, 3)


def test_a_removed_row_that_is_asked_for_is_gone(outbox: Outbox, journal: Journal, ids: TestIds) -> None:
    rows = tap(journal, ids, 3)
    deliver(outbox, rows[:2], MORNING - timedelta(days=31))
    ClockState(journal).forget_delivered(MORNING, "boot")
    outbox.replay([Replay(rows[0].epoch, 1, 2)])
    cut = outbox.cut(50)
    assert cut is not None
    assert ([row.seq for row in cut.rows], cut.lost_ranges) == ([3], ((1, 2),))


def test_anchors_stay_as_long_as_their_boot_has_stamps_and_one_an_hour(
    outbox: Outbox, journal: Journal, ids: TestIds
) -> None:
    state = ClockState(journal)
    boot = draft("x").reading.boot
    hour = 3_600_000
    for boottime_ms, rtt_ms in ((10, 90), (20, 30), (30, 40), (hour + 1, 50), (hour + 2, 60)):
        state.store_anchor(Anchor(boot, boottime_ms, MORNING, rtt_ms), MORNING)
    state.store_anchor(Anchor("gone boot", 5, MORNING, 5), None)
    tap(journal, ids, 1)
    state.forget_delivered(MORNING, "this boot")
    kept_ms = [anchor.boottime_ms for anchor in state.anchors({boot, "gone boot"})]
    assert kept_ms == [20, hour + 1, hour + 2]


def test_the_highest_time_is_kept_with_anchors_and_with_stamps(journal: Journal, ids: TestIds) -> None:
    state = ClockState(journal)
    assert state.highest_time() is None
    tap(journal, ids, 1, MORNING)
    assert state.highest_time() == MORNING
    state.store_anchor(Anchor("boot", 1, MORNING, 1), MORNING - timedelta(days=1))
    assert state.highest_time() == MORNING - timedelta(days=1)  # it was found to be wrong
    tap(journal, ids, 1, MORNING + timedelta(hours=1))
    assert state.highest_time() == MORNING + timedelta(hours=1)
