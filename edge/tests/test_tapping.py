"""The way of a tap: on the disk, then the tone, then the screen; and what a finger may do."""

import tempfile
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.cloud.membership import Membership
from stempelwerk_edge.cloud.wire import Assignment, PeopleChange, PersonRow
from stempelwerk_edge.errors import JournalBroken, JournalFull
from stempelwerk_edge.ports import AnswerKind, Direction, Question, Signal
from stempelwerk_edge.storage.journal import Journal, connect_sqlite
from stempelwerk_edge.storage.rows import Draft, Row
from stempelwerk_edge.storage.snapshot import Snapshot
from stempelwerk_edge.tap.tapping import Tapper

from edge.tests.clockwork import (
    MORNING,
    TAG,
    TestClock,
    TestIds,
    TestLog,
    TestScreen,
    TestSignals,
    stores_on,
    surroundings,
)

TODAY = date(2026, 11, 20)


class Bench:
    """A tapper on a real journal, with everything around it to look at."""

    def __init__(self, directory: Path, journal: Journal, ids: TestIds, log: TestLog) -> None:
        self.journal, self.log = journal, log
        self.clock, self.screen, self.signals = TestClock(), TestScreen(), TestSignals()
        stores = stores_on(directory, journal, log)
        self.state, self.membership, self.people = stores.state, stores.membership, stores.people
        self.woken = 0
        around = surroundings(self.clock, ids=ids, screen=self.screen, report=log)
        self.tapper = Tapper(stores, around, self.signals, self._wake)

    def _wake(self) -> None:
        self.woken += 1

    def assign(self) -> None:
        """Give the clock to a company, with one person."""
        self.membership.change(Membership("key", "device", "server", "Tor 1", Assignment("a-1", "c-1", "Ahorn")))
        person = PersonRow("u-1", "M. Eiche", (TAG,), "out", None, 0, 0, -30)
        self.people.apply(PeopleChange("1", True, (person,), ()), 0, TODAY)

    def rows(self) -> list[Row]:
        """The journal's stamps."""
        return self.state.recent(100)


@pytest.fixture
def bench(tmp_path: Path, journal: Journal, ids: TestIds, log: TestLog) -> Bench:
    new_bench = Bench(tmp_path, journal, ids, log)
    new_bench.assign()
    return new_bench


def test_a_tap_is_kept_with_what_the_person_was_shown(bench: Bench) -> None:
    answer = bench.tapper.on_tag("04 a1-b2:c3 d4 e5 f6")
    assert answer is not None
    [row] = bench.rows()
    draft = row.draft
    assert (draft.tag, draft.assignment, draft.direction, draft.via, draft.shown) == (
        TAG,
        "a-1",
        "auto",
        "reader",
        "in",
    )
    assert (draft.reading.wall, draft.reading.boot) == (MORNING, bench.clock.boot_id)
    assert (answer.kind, answer.name, answer.sent, answer.stamp_id) == (AnswerKind.IN, "M. Eiche", False, draft.id)
    assert (bench.screen.answers, bench.signals.played, bench.woken) == ([answer], [Signal.OK_IN], 1)


def test_the_tone_comes_after_the_disk_and_before_the_screen(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    append = bench.journal.append

    def appending(draft: Draft) -> Row:
        row = append(draft)
        order.append("disk")
        return row

    monkeypatch.setattr(bench.journal, "append", appending)
    monkeypatch.setattr(bench.signals, "play", lambda _: order.append("tone"))
    monkeypatch.setattr(bench.screen, "show", lambda _: order.append("screen"))
    bench.tapper.on_tag(TAG)
    assert order == ["disk", "tone", "screen"]


@pytest.mark.parametrize("fault", [JournalFull("full"), JournalBroken("read-only")])
def test_what_cannot_be_saved_gets_no_good_tone_and_says_so(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def fail(_: Draft) -> Row:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(bench.journal, "append", fail)
        answer = bench.tapper.on_tag(TAG)
    assert answer is not None
    assert answer.kind is AnswerKind.NOT_SAVED
    assert bench.signals.played == [Signal.NOT_SAVED]
    assert bench.screen.status["storage"] == "failed"
    assert bench.rows() == []
    second_answer = bench.tapper.on_tag(TAG)
    assert second_answer is not None
    assert second_answer.kind is AnswerKind.IN
    assert bench.screen.status["storage"] == "ok"


def test_a_mistake_in_deciding_does_not_cost_the_stamp(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(bench.people, "by_tag", fail)
    bench.tapper.on_tag(TAG)
    assert [row.draft.shown for row in bench.rows()] == [None]
    assert "decision_failed" in bench.log.codes


def test_a_text_that_is_no_tag_is_not_kept(bench: Bench) -> None:
    assert bench.tapper.on_tag("04A1") is None
    assert bench.rows() == []
    assert bench.signals.played == [Signal.ERROR]


def test_an_unknown_tag_is_kept_and_its_number_shown(bench: Bench) -> None:
    answer = bench.tapper.on_tag("04FFFFFFFFFFFF")
    assert answer is not None
    assert (answer.kind, answer.tag, answer.name) == (AnswerKind.UNKNOWN, "04FFFFFFFFFFFF", None)
    assert bench.rows()[0].draft.shown == "unknown"


def test_a_clock_of_nobody_keeps_taps_without_assignment(
    tmp_path: Path, journal: Journal, ids: TestIds, log: TestLog
) -> None:
    bench = Bench(tmp_path, journal, ids, log)
    bench.tapper.on_tag(TAG)
    assert [(row.draft.assignment, row.draft.shown) for row in bench.rows()] == [(None, None)]


def test_after_a_restart_the_clock_still_knows_its_own_last_taps(
    bench: Bench, tmp_path: Path, start: Callable[..., Journal], ids: TestIds, log: TestLog
) -> None:
    bench.tapper.on_tag(TAG)
    restarted = Bench(tmp_path, start(), ids, log)
    restarted.membership.load("key")
    restarted.people.load()
    restarted.tapper.load()
    restarted.clock.advance(hours=4)
    answer = restarted.tapper.on_tag(TAG)
    assert answer is not None
    assert (answer.kind, answer.name, answer.today_minutes) == (AnswerKind.OUT, "M. Eiche", 240)
    assert restarted.rows()[-1].draft.assignment == "a-1"


# ---- the finger


def test_a_choice_holds_for_the_next_tap_only(bench: Bench) -> None:
    bench.tapper.choose(Direction.OUT)
    assert bench.screen.status["chosen"] == "out"
    assert bench.screen.status["chosen_until"] == MORNING + timedelta(seconds=30)
    bench.clock.advance(seconds=30)
    bench.tapper.on_tag(TAG)
    assert bench.screen.status["chosen"] is None
    bench.clock.advance(hours=1)
    bench.tapper.on_tag(TAG)
    assert [row.draft.direction for row in bench.rows()] == ["out", "auto"]


def test_a_choice_ends_after_thirty_seconds_or_when_taken_back(bench: Bench) -> None:
    bench.tapper.choose(Direction.OUT)
    bench.clock.advance(seconds=31)
    bench.tapper.on_tag(TAG)
    bench.clock.advance(hours=1)
    bench.tapper.choose(Direction.IN)
    bench.tapper.choose(None)
    bench.tapper.on_tag(TAG)
    assert [row.draft.direction for row in bench.rows()] == ["auto", "auto"]


def long_day(bench: Bench) -> str:
    """Come, and go after eleven hours; answers the id that the question was asked with."""
    bench.tapper.on_tag(TAG)
    bench.clock.advance(hours=11)
    answer = bench.tapper.on_tag(TAG)
    assert answer is not None
    assert answer.question is Question.DIRECTION
    assert answer.stamp_id is not None
    return answer.stamp_id


def test_the_answer_to_kommen_oder_gehen_is_a_stamp_from_the_screen(bench: Bench) -> None:
    question = long_day(bench)
    bench.clock.advance(seconds=20)
    assert bench.tapper.answer(question, Direction.IN)
    draft = bench.rows()[-1].draft
    assert (draft.tag, draft.direction, draft.via, draft.shown) == (TAG, "in", "screen", "in")
    assert bench.screen.answers[-1].kind is AnswerKind.IN


def test_a_question_is_answered_once_in_time_and_by_its_own_stamp(bench: Bench) -> None:
    question = long_day(bench)
    assert not bench.tapper.answer("another stamp", Direction.OUT)
    assert not bench.tapper.answer(question, None, "17:00")
    assert bench.tapper.answer(question, Direction.OUT)
    assert not bench.tapper.answer(question, Direction.OUT)
    bench.clock.advance(days=1)
    question = long_day(bench)
    bench.clock.advance(seconds=31)
    assert not bench.tapper.answer(question, Direction.OUT)


def test_the_answer_about_a_missing_gehen_is_kept_with_the_stamp_that_opened_the_entry(bench: Bench) -> None:
    bench.tapper.on_tag(TAG)
    bench.clock.advance(hours=20)
    answer = bench.tapper.on_tag(TAG)
    assert answer is not None
    assert (answer.question, answer.question_date) == (Question.GONE, TODAY)
    assert answer.open_since == answer.at - timedelta(hours=20)
    assert answer.stamp_id is not None
    assert not bench.tapper.answer(answer.stamp_id, new_end="25:00")
    assert bench.tapper.answer(answer.stamp_id, new_end="16:30")
    [(stamp_id, day, new_end)] = bench.journal.read(
        lambda db: list(db.execute("SELECT stamp_id, date, new_end FROM answers"))
    )
    assert (stamp_id, day, new_end) == (bench.rows()[0].draft.id, "2026-11-20", "16:30")


OTHER = "04B1B2B3B4B5B6"


def key(bench: Bench) -> str:
    """Returns the key of the screen's last answer."""
    return bench.screen.answers[-1].key if bench.screen.answers else ""


def test_a_choice_that_comes_after_the_next_tag_counts_for_nobody(bench: Bench) -> None:
    pressed_after = key(bench)
    bench.tapper.on_tag(TAG)
    assert not bench.tapper.choose(Direction.OUT, pressed_after)
    assert bench.screen.notices == ["too_late"]
    bench.tapper.on_tag(OTHER)
    assert [row.draft.direction for row in bench.rows()] == ["auto", "auto"]
    assert "press_too_late" in bench.log.codes
    assert bench.tapper.choose(Direction.OUT, key(bench))


def test_taking_back_that_comes_after_the_next_tag_takes_nothing_from_the_next_person(bench: Bench) -> None:
    pressed_after = key(bench)
    bench.tapper.on_tag(TAG)
    assert bench.tapper.choose(Direction.OUT, key(bench))
    assert not bench.tapper.choose(None, pressed_after)
    bench.tapper.on_tag(OTHER)
    assert [row.draft.direction for row in bench.rows()] == ["auto", "out"]


def test_a_tap_that_was_not_saved_is_a_tap_too(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Draft) -> Row:
        raise JournalFull

    pressed_after = key(bench)
    monkeypatch.setattr(bench.journal, "append", refuse)
    bench.tapper.on_tag(TAG)
    assert not bench.tapper.choose(Direction.OUT, pressed_after)


def test_a_choice_lasts_thirty_seconds_from_its_press(bench: Bench) -> None:
    assert bench.tapper.choose(Direction.OUT, "", late_ms=12_000)
    assert bench.screen.status["chosen_until"] == MORNING + timedelta(seconds=18)
    bench.clock.advance(seconds=19)
    bench.tapper.on_tag(TAG)
    assert [row.draft.direction for row in bench.rows()] == ["auto"]
    assert not bench.tapper.choose(Direction.OUT, key(bench), late_ms=30_001)


def test_an_answer_that_comes_after_the_next_tag_counts_for_nobody(bench: Bench) -> None:
    question = long_day(bench)
    bench.tapper.on_tag(OTHER)
    stamps = len(bench.rows())
    assert not bench.tapper.answer(question, Direction.IN)
    assert len(bench.rows()) == stamps
    assert bench.screen.notices == ["too_late"]


def test_an_answer_counts_from_its_press_and_is_shown_from_now(bench: Bench) -> None:
    question = long_day(bench)
    shown_at = bench.screen.answers[-1].at
    bench.clock.advance(seconds=40)
    assert bench.tapper.answer(question, Direction.IN, late_ms=12_000)
    stamp, answer = bench.rows()[-1].draft, bench.screen.answers[-1]
    assert stamp.reading.wall == shown_at + timedelta(seconds=28)
    assert answer.at == stamp.reading.wall
    assert answer.question is Question.GONE
    assert answer.until - (shown_at + timedelta(seconds=40)) == timedelta(seconds=60)
    bench.clock.advance(seconds=60)
    assert answer.stamp_id is not None
    assert bench.tapper.answer(answer.stamp_id, new_end="16:30"), "it is open for as long as it is shown"
    assert bench.screen.notices == []


def test_an_answer_that_was_pressed_when_the_question_was_over_is_refused(bench: Bench) -> None:
    question = long_day(bench)
    bench.clock.advance(seconds=43)
    assert not bench.tapper.answer(question, Direction.IN, late_ms=12_000)
    assert bench.screen.notices == ["too_late"]


def test_no_answer_is_older_than_its_question(bench: Bench) -> None:
    question = long_day(bench)
    bench.clock.advance(seconds=5)
    assert bench.tapper.answer(question, Direction.IN, late_ms=10**12)
    first, second = bench.rows()[-2:]
    assert second.draft.reading == first.draft.reading


def test_a_second_press_of_the_same_answer_is_no_complaint(bench: Bench) -> None:
    question = long_day(bench)
    assert bench.tapper.answer(question, Direction.OUT)
    assert not bench.tapper.answer(question, Direction.OUT)
    assert bench.screen.notices == []


@given(st.lists(st.sampled_from(["tap", "other", "look", "press"]), max_size=30))
def test_in_whatever_order_a_choice_is_the_next_tap_s_after_what_the_screen_showed(acts: list[str]) -> None:
    in_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=in_memory if in_memory.is_dir() else None) as folder:
        ids, log = TestIds(), TestLog()
        journal = Journal(Path(folder), ids, log, connect_sqlite, 65_536)
        bench = Bench(Path(folder), journal, ids, log)
        bench.assign()
        last_shown, choice, expected = "", False, []
        for act in acts:
            if act == "look":
                last_shown = key(bench)
            elif act == "press":
                counts = bench.tapper.choose(Direction.OUT, last_shown)
                assert counts == (last_shown == key(bench))
                choice = choice or counts
            else:
                bench.tapper.on_tag(TAG if act == "tap" else OTHER)
                expected.append("out" if choice else "auto")
                choice = False
        directions = [row.draft.direction for row in bench.rows()]
        journal.close()
        bench.people.close()
        assert directions == expected


def test_people_are_forgotten_on_disk_too(bench: Bench, tmp_path: Path) -> None:
    bench.people.wipe()
    assert not bench.people.informed
    bench.people.close()
    reloaded = Snapshot(tmp_path, connect_sqlite, bench.log)
    reloaded.load()
    assert reloaded.by_tag(TAG) is None
    reloaded.close()
    content = b"".join(path.read_bytes() for path in tmp_path.glob("people.db*"))
    assert b"M. Eiche" not in content
