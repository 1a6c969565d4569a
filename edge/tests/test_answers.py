"""People's answers about a missing Gehen: kept before the screen confirms them, and with the cloud in the end, once."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.wire import AnswerResult, AnswersTaken, NotOurs, read_answer_results
from stempelwerk_edge.machine.housekeeping import Housekeeping
from stempelwerk_edge.ports import Question
from stempelwerk_edge.storage.answers import Answers
from stempelwerk_edge.storage.journal import Journal
from stempelwerk_edge.storage.rows import GoneAnswer
from stempelwerk_tools.simulation.machines.loop import simulated_loop

from edge.tests.clockwork import MORNING, TestClock, TestIds, draft, stores_on, surroundings
from edge.tests.model_cloud import ModelCloud
from edge.tests.rig import Rig


@pytest.fixture
def rig(memory: Path) -> Iterator[Rig]:
    """A clock that runs and has had a contact."""
    with simulated_loop() as loop:
        new_rig = Rig(loop, memory)
        new_rig.cloud.config = {"heartbeatS": 900}
        new_rig.start()
        new_rig.wait(seconds=2)
        yield new_rig
        new_rig.crash()


def sent(rig: Rig) -> Counter[str]:
    """How often each answer went out."""
    bodies = [json.loads(request.content) for request in rig.requests(wire.ANSWERS)]
    return Counter(answer["id"] for body in bodies for answer in body["answers"])


# ---- a whole clock


def test_what_somebody_answers_at_the_screen_reaches_the_cloud_as_the_contract_says(rig: Rig) -> None:
    opened = rig.tap()
    rig.wait(hours=20)
    question = rig.tap()
    assert (question.question, question.stamp_id is not None) == (Question.GONE, True)
    rig.wait(seconds=9)
    assert rig.agent.tapper.answer(question.stamp_id or "", new_end="16:30")
    rig.wait(minutes=1)
    [answer] = rig.cloud.answers.values()
    answered_at = wire.instant_text(MORNING + timedelta(hours=20, seconds=11))
    assert {name: answer[name] for name in ("stampId", "date", "newEnd", "at")} == {
        "stampId": opened.stamp_id,
        "date": "2026-11-20",
        "newEnd": "16:30",
        "at": answered_at,
    }
    rig.wait(hours=1)
    assert sent(rig) == {answer["id"]: 1}


def test_an_answer_waits_until_its_stamp_is_delivered(rig: Rig) -> None:
    rig.has_luck("500", wire.STAMPS)
    answer = rig.says_when_they_left()
    rig.wait(hours=1)
    assert not rig.requests(wire.ANSWERS)
    rig.has_luck("ok")
    rig.wait(minutes=20)
    assert set(rig.cloud.answers) == {answer}


def test_a_stamp_that_waits_holds_up_no_answer_about_another(rig: Rig) -> None:
    first = rig.says_when_they_left()
    rig.wait(seconds=5)
    rig.has_luck("500", wire.STAMPS)
    rig.says_when_they_left()
    rig.wait(minutes=1)
    assert set(rig.cloud.answers) == {first}


@pytest.mark.parametrize("luck", ["down", "lost answer", "portal", "500", "404", "418", "204"])
def test_whatever_a_server_answers_the_answer_is_kept_and_nothing_hammers(rig: Rig, luck: str) -> None:
    rig.has_luck(luck, wire.ANSWERS)
    answer = rig.says_when_they_left()
    rig.wait(hours=2)
    assert 5 < len(rig.requests(wire.ANSWERS)) < 30
    rig.restart()
    rig.has_luck("ok")
    rig.wait(minutes=2)
    assert set(rig.cloud.answers) == {answer}
    request_count = len(rig.requests(wire.ANSWERS))
    rig.wait(hours=1)
    assert len(rig.requests(wire.ANSWERS)) == request_count


def test_a_cloud_that_does_not_know_the_call_is_asked_again_after_a_day_and_is_no_worse_for_it(rig: Rig) -> None:
    rig.cloud.knows_answers = False
    answer = rig.says_when_they_left()
    rig.wait(minutes=5)
    assert len(rig.requests(wire.ANSWERS)) == 1
    assert rig.screen.status["connection"] == "online"
    rig.says_when_they_left()
    rig.wait(hours=23)
    assert len(rig.requests(wire.ANSWERS)) == 1
    rig.cloud.knows_answers = True
    rig.wait(hours=2)
    assert len(rig.cloud.answers) == 2
    assert answer in rig.cloud.answers
    assert "answers_not_served" in {entry["code"] for entry in rig.cloud.logs.values()}


def test_another_server_may_know_the_call_although_the_last_one_did_not(rig: Rig) -> None:
    rig.cloud.knows_answers = False
    answer = rig.says_when_they_left()
    rig.wait(minutes=1)
    new = ModelCloud(rig.cloud.now, "server-2")
    new.assignment, new.people = rig.cloud.assignment, rig.cloud.people
    rig.cloud = rig.net.cloud = new
    rig.wait(minutes=20)
    assert set(rig.cloud.answers) == {answer}


def test_what_cannot_become_a_correction_is_sent_no_more_and_said_in_the_log(rig: Rig) -> None:
    rig.cloud.rejects = {"23:59": "end_in_future"}
    answer = rig.says_when_they_left("23:59")
    rig.wait(hours=1)
    rig.restart()
    rig.wait(hours=1)
    assert sent(rig) == {answer: 1}
    assert rig.cloud.answers == {}
    [entry] = [entry for entry in rig.cloud.logs.values() if entry["code"] == "answer_rejected"]
    assert entry["message"] == "end_in_future"


def test_an_outcome_that_it_does_not_know_and_no_result_at_all_mean_keep(rig: Rig) -> None:
    def no_result(request: httpx.Request) -> httpx.Response:
        first, *_ = json.loads(request.content)["answers"]
        foreign_results = [{"id": "another", "outcome": "stored"}, {"outcome": "stored"}, "stored", None]
        return httpx.Response(200, json={"results": [{"id": first["id"], "outcome": "considered"}, *foreign_results]})

    rig.answers(no_result, wire.ANSWERS)
    for _ in range(2):
        rig.says_when_they_left()
    rig.wait(hours=2)
    assert 5 < len(rig.requests(wire.ANSWERS)) < 30
    rig.answers(None)
    rig.wait(minutes=20)
    assert len(rig.cloud.answers) == 2


def test_a_service_that_takes_few_at_a_time_gets_few(rig: Rig) -> None:
    rig.cloud.most_answers = 3
    rig.has_luck("500", wire.ANSWERS)
    answer_ids = {rig.says_when_they_left() for _ in range(20)}
    rig.wait(minutes=5)
    rig.has_luck("ok")
    rig.wait(minutes=20)
    assert set(rig.cloud.answers) == answer_ids
    assert max(len(ids) for ids in rig.cloud.answered) <= 3


@pytest.mark.parametrize("status", [413, 422])
def test_one_answer_that_is_refused_does_not_hold_up_the_others(rig: Rig, status: int) -> None:
    poison = rig.says_when_they_left()

    def refuse(request: httpx.Request) -> httpx.Response | None:
        if poison.encode() in request.content:
            return httpx.Response(status, json={"code": "unreadable_answers"})
        return None

    rig.net.instead = lambda request: refuse(request) if request.url.path == wire.ANSWERS else None
    other_ids = {rig.says_when_they_left() for _ in range(6)}
    rig.wait(hours=1)
    assert set(rig.cloud.answers) == other_ids
    assert "answer_set_aside" in {entry["code"] for entry in rig.cloud.logs.values()}
    tries = sent(rig)[poison]
    rig.net.instead = lambda _: None
    rig.wait(hours=20)
    assert sent(rig)[poison] == tries
    rig.wait(hours=5)
    assert set(rig.cloud.answers) == other_ids | {poison}


@pytest.mark.parametrize("after", [0.0, 0.001, 58.1, 70.0])
def test_killed_at_any_moment_it_sends_the_same_answer_under_the_same_id(rig: Rig, after: float) -> None:
    answer = rig.says_when_they_left()
    rig.wait(seconds=after)
    rig.restart()
    rig.wait(minutes=3)
    assert set(rig.cloud.answers) == {answer}
    assert len({json.dumps(body, sort_keys=True) for body in bodies(rig)}) == 1


def test_killed_between_the_clouds_commit_and_the_mark_it_hears_that_it_is_a_duplicate(rig: Rig) -> None:
    answer = rig.says_when_they_left()
    rig.wait(seconds=1)
    rig.has_luck("lost answer", wire.ANSWERS)
    rig.wait(minutes=2)
    assert set(rig.cloud.answers) == {answer}
    rig.crash()
    rig.has_luck("ok")
    rig.start()
    rig.wait(minutes=1)
    sent_before = sent(rig)[answer]
    rig.wait(hours=1)
    assert sent_before == sent(rig)[answer] >= 2
    assert len(rig.cloud.answers) == 1


def bodies(rig: Rig) -> list[Any]:
    return [answer for request in rig.requests(wire.ANSWERS) for answer in json.loads(request.content)["answers"]]


def test_another_server_is_sent_what_the_last_one_had(rig: Rig) -> None:
    rig.cloud.rejects = {"23:59": "too_long"}
    answer_ids = {rig.says_when_they_left(), rig.says_when_they_left("23:59")}
    rig.wait(minutes=2)
    new = ModelCloud(rig.cloud.now, "server-2")
    new.assignment, new.people = rig.cloud.assignment, rig.cloud.people
    rig.cloud = rig.net.cloud = new
    rig.wait(minutes=20)
    assert set(rig.cloud.answers) == answer_ids


def test_a_server_that_has_just_taken_the_place_of_another_is_sent_the_stamp_first(rig: Rig) -> None:
    answer = rig.says_when_they_left()
    rig.wait(seconds=30)  # nothing but the answer is left to be sent
    new = ModelCloud(rig.cloud.now, "server-2")
    new.assignment, new.people = rig.cloud.assignment, rig.cloud.people
    rig.cloud = rig.net.cloud = new
    rig.wait(minutes=2)
    assert (set(rig.cloud.answers), rig.cloud.refused) == ({answer}, {})
    assert rig.screen.status["connection"] == "online"


def test_a_cloud_set_back_to_a_backup_gets_the_answers_again(rig: Rig) -> None:
    rig.tap("04FFFFFFFFFFFF")
    rig.wait(minutes=1)
    backup = rig.cloud.backup()
    answer = rig.says_when_they_left()
    rig.wait(minutes=1)
    assert set(rig.cloud.answers) == {answer}
    rig.cloud.restore(backup)
    rig.tap("04FFFFFFFFFFFF")
    rig.wait(minutes=5)
    assert set(rig.cloud.answers) == {answer}


def lost_with_nothing_else(rig: Rig) -> str:
    """An answer that the cloud took and that a backup lacks which came back, although it has the last batch; its id."""
    rig.has_luck("500", wire.ANSWERS)
    answer = rig.says_when_they_left()
    rig.wait(minutes=1)
    backup = rig.cloud.backup()
    rig.has_luck("ok")
    rig.wait(minutes=20)
    assert set(rig.cloud.answers) == {answer}
    rig.cloud.restore(backup)
    return answer


def test_an_answer_that_a_backup_lacks_goes_again_although_it_has_every_stamp(rig: Rig) -> None:
    answer = lost_with_nothing_else(rig)
    rig.wait(minutes=20)
    assert set(rig.cloud.answers) == {answer}
    sent_before = sent(rig)
    rig.wait(hours=2)
    assert sent(rig) == sent_before


@pytest.mark.parametrize("luck", ["ok", "lost answer"])
def test_an_answer_that_a_backup_lacks_goes_again_with_the_next_whatever_becomes_of_that(rig: Rig, luck: str) -> None:
    first = lost_with_nothing_else(rig)
    lucks = iter([luck])
    rig.net.luck = lambda request: {wire.HEARTBEAT: "500", wire.ANSWERS: next(lucks, "ok")}.get(request.url.path, "ok")
    second = rig.says_when_they_left()
    rig.wait(minutes=10)
    assert set(rig.cloud.answers) == {first, second}


def test_an_answer_about_a_stamp_that_was_forgotten_long_ago_still_goes(rig: Rig) -> None:
    old = GoneAnswer(rig.ids.new(), "01a1f7c1-4180-7000-8000-0000000000aa", "2026-09-01", "16:30", MORNING)
    rig.agent.answers.add(old)
    rig.wait(minutes=1)
    assert sent(rig) == {old.id: 1}


def test_a_disk_that_fails_loses_no_answer(rig: Rig) -> None:
    answer = rig.says_when_they_left()
    rig.disk.result = 10
    rig.wait(minutes=5)
    rig.disk.result = None
    rig.wait(minutes=5)
    assert set(rig.cloud.answers) == {answer}
    sent_before = sent(rig)
    rig.wait(hours=1)
    assert sent(rig) == sent_before


# ---- reading


@pytest.mark.parametrize(
    ("results", "read"),
    [
        ([{"id": "a", "outcome": "stored"}], {"a": AnswerResult("stored")}),
        ([{"id": "A", "outcome": "duplicate", "code": 7}], {"a": AnswerResult("duplicate")}),
        ([{"id": "a", "outcome": "rejected", "code": "too_long"}], {"a": AnswerResult("rejected", "too_long")}),
        ([{"id": "a", "outcome": "rejected"}], {"a": AnswerResult("rejected")}),
        ([{"id": "a", "outcome": "retry"}, {"id": "b", "outcome": "Stored"}], {}),
        ([{"id": "a", "outcome": "stored"}, {"id": "a", "outcome": "later"}], {}),
        ([{"id": "a", "outcome": "later"}, {"id": "a", "outcome": "stored"}], {}),
        ([{"id": None, "outcome": "rejected"}, {"outcome": "stored"}, [], None, 7, "a"], {}),
    ],
)
def test_only_a_readable_result_settles_an_answer(results: list[Any], read: dict[str, AnswerResult]) -> None:
    assert read_answer_results(wire.encode({"results": results})).results == read


@pytest.mark.parametrize("nonsense", [None, 7, [], {}])
def test_a_mark_that_is_no_text_is_none(nonsense: Any) -> None:
    parsed = read_answer_results(wire.encode({"results": [], "markBefore": nonsense, "mark": nonsense}))
    assert (parsed.mark_before, parsed.mark) == (None, None)


def test_what_is_no_list_of_results_is_no_answer() -> None:
    for body in (b"", b"{}", b"[]", b'{"results": {}}', b"<html>"):
        with pytest.raises(NotOurs):
            read_answer_results(body)


# ---- keeping


def test_the_oldest_go_first_and_what_is_left_out_makes_room(journal: Journal, ids: TestIds) -> None:
    answers = Answers(journal)
    gone_answers = [
        GoneAnswer(ids.new(), "gone", "2026-11-19", "16:30", MORNING - timedelta(hours=n)) for n in range(5)
    ]
    for answer in gone_answers:
        answers.add(answer)
    oldest_first = gone_answers[::-1]
    assert answers.to_send(2) == oldest_first[:2]
    assert answers.to_send(2, {oldest_first[0].id}) == oldest_first[1:3]
    assert answers.to_send(10) == oldest_first


def test_what_was_answered_is_forgotten_after_thirty_days_and_what_was_not_never(
    journal: Journal, ids: TestIds, tmp_path: Path
) -> None:
    answers, clock = Answers(journal), TestClock()
    gone_answers = [GoneAnswer(ids.new(), "gone", "2026-11-19", "16:30", MORNING) for _ in range(2)]
    for answer in gone_answers:
        answers.add(answer)
    answers.settle(AnswersTaken({gone_answers[0].id: AnswerResult("rejected", "too_long")}), MORNING)
    around = surroundings(clock)
    around.time.contact(MORNING, clock.boottime_ms(), clock.boottime_ms())
    stores = stores_on(tmp_path, journal, around.report)
    housekeeping = Housekeeping(stores, around, lambda: None)
    for days, remaining in ((29, 2), (2, 1), (400, 1)):
        clock.advance(days=days)
        housekeeping.look()
        assert tables(journal) == (remaining, remaining - 1)
    assert answers.to_send(10) == gone_answers[1:]


def test_a_mark_that_was_asked_for_before_another_came_says_nothing(journal: Journal, ids: TestIds) -> None:
    answers = Answers(journal)
    gone_answer = GoneAnswer(ids.new(), "gone", "2026-11-19", "16:30", MORNING)
    answers.add(gone_answer)
    answers.settle(AnswersTaken({gone_answer.id: AnswerResult("stored")}, "0", "a"), MORNING)
    answers.send_again("0", "b")
    assert (answers.mark(), answers.to_send(10)) == ("a", [])
    answers.send_again("a", "b")
    assert (answers.mark(), answers.to_send(10)) == ("b", [gone_answer])


def test_what_an_older_cloud_settles_has_no_mark_and_goes_again_to_one_that_tells_it(
    journal: Journal, ids: TestIds
) -> None:
    answers = Answers(journal)
    gone_answer = GoneAnswer(ids.new(), "gone", "2026-11-19", "16:30", MORNING)
    answers.add(gone_answer)
    answers.send_again(None, "a")
    answers.settle(AnswersTaken({gone_answer.id: AnswerResult("stored")}), MORNING)
    assert (answers.mark(), answers.to_send(10)) == (None, [])


def tables(journal: Journal) -> tuple[int, int]:
    """How many answers are kept, and of how many it is known what became of them."""
    counts = "SELECT (SELECT count(*) FROM answers), (SELECT count(*) FROM answered)"
    [table_counts] = journal.read(lambda db: list(db.execute(counts)))
    return table_counts[0], table_counts[1]


def test_looking_for_a_stamp_costs_the_journal_one_search(journal: Journal, ids: TestIds) -> None:
    rows = [journal.append(draft(ids.new())) for _ in range(50)]
    answers = Answers(journal)
    answers.add(GoneAnswer(ids.new(), rows[0].draft.id, "2026-11-19", "16:30", MORNING))
    answers.add(GoneAnswer(ids.new(), "no longer here", "2026-11-19", "16:30", MORNING))
    searched: list[str] = []
    journal.read(lambda db: db.set_trace_callback(searched.append))  # type: ignore[attr-defined]  # sqlite3's own
    for _ in range(3):
        assert len(answers.to_send(10)) == 1
    assert sum("FROM stamps WHERE id" in sql for sql in searched) == 2


# ---- next to the other loops


def test_the_loop_ends_by_cancelling_alone(memory: Path) -> None:
    """It is one of those that the agent supervises."""
    with simulated_loop() as loop:
        rig = Rig(loop, memory)
        rig.start()
        rig.wait(seconds=1)
        names = {task.get_name() for task in asyncio.all_tasks(loop)}
        assert "answers" in names
        rig.crash()
