"""The screen's state under threads: nothing is lost, nothing raises, only changes are notified."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest
from stempelwerk_edge.display.state import ScreenState
from stempelwerk_edge.ports import Answer, Question


def test_what_was_sent_marks_only_the_answer_about_it(screen: ScreenState, times: Any) -> None:
    screen.show(times.answer(stamp_id="s1"))
    screen.sent(["s0", "s2"])
    answer = screen.snapshot().answer
    assert answer is not None
    assert not answer.sent
    screen.sent(["s1"])
    answer = screen.snapshot().answer
    assert answer is not None
    assert answer.sent


def test_sent_without_an_answer_changes_nothing(screen: ScreenState) -> None:
    previous = screen.snapshot()
    screen.sent(["s1"])
    assert screen.snapshot() is previous


def test_a_dismissed_answer_is_gone(screen: ScreenState, times: Any) -> None:
    screen.show(times.answer())
    screen.dismiss()
    assert screen.snapshot().answer is None


def make_question(times: Any) -> Answer:
    answer: Answer = times.answer(
        for_s=60, stamp_id="s1", question=Question.GONE, question_date=date(2026, 11, 19), open_since=times.instant
    )
    return answer


@pytest.mark.parametrize(
    ("question", "end", "requested", "lasts_s"),
    [
        (Question.GONE, lambda screen: screen.answered("s1"), True, 4.0),
        (Question.GONE, lambda screen: screen.dismiss(), False, 2.5),
        (Question.DIRECTION, lambda screen: screen.answered("s1"), False, 2.5),
        (Question.DIRECTION, lambda screen: screen.dismiss(), False, 2.5),
    ],
)
def test_a_question_that_is_done_with_leaves_its_answer_for_a_moment(
    screen: ScreenState,
    times: Any,
    question: Question,
    end: Callable[[ScreenState], None],
    requested: bool,
    lasts_s: float,
) -> None:
    screen.show(replace(make_question(times), question=question))
    screen.sent(["s1"])
    times.pass_by(20)
    end(screen)
    state = screen.snapshot()
    assert state.answer is not None
    assert state.answer.sent
    assert (state.answer.question, state.answer.question_date, state.answer.open_since) == (None, None, None)
    assert state.answer.requested == requested
    assert state.answer.until == times.instant + timedelta(seconds=lasts_s)
    assert state.answer_ends == pytest.approx(times.seconds + lasts_s)


def test_an_answered_question_takes_nothing_off_that_came_since(screen: ScreenState, times: Any) -> None:
    screen.show(times.answer(stamp_id="s2", question=Question.DIRECTION))
    previous = screen.snapshot()
    screen.answered("s1")
    assert screen.snapshot() is previous
    screen.show(times.answer(stamp_id="s1"))
    previous = screen.snapshot()
    screen.answered("s1")
    assert screen.snapshot() is previous


def test_the_same_status_again_is_no_change(screen: ScreenState) -> None:
    notifications: list[int] = []
    screen.set_status(queued=1)
    screen.subscribe(lambda: notifications.append(screen.snapshot().version))
    screen.set_status(queued=1)
    assert notifications == []
    screen.set_status(queued=2)
    assert notifications == [2]


def test_who_no_longer_listens_is_not_told(screen: ScreenState) -> None:
    notifications: list[str] = []
    end = screen.subscribe(lambda: notifications.append("first"))
    screen.subscribe(lambda: notifications.append("second"))
    end()
    end()
    screen.set_status(queued=1)
    assert notifications == ["second"]


def test_a_broken_listener_costs_no_tap(screen: ScreenState, times: Any, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise RuntimeError("planted")

    screen.subscribe(broken)
    screen.show(times.answer())
    assert screen.snapshot().answer is not None
    assert "planted" in caplog.text


def test_many_threads_lose_no_change(screen: ScreenState) -> None:
    def work(reader: str) -> None:
        for count in range(200):
            screen.set_status(queued=count + 1000 * (reader == "ok"))

    threads = [threading.Thread(target=work, args=(state,)) for state in ("ok", "fault")]
    versions: list[int] = []
    screen.subscribe(lambda: versions.append(screen.snapshot().version))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert screen.snapshot().version == len(versions)
    assert len(versions) >= 399
