"""The view model of the page, member by member, and its changes."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from stempelwerk_edge.display.state import ScreenState
from stempelwerk_edge.display.view import view
from stempelwerk_edge.ports import AnswerKind, Limits, Question

MEMBERS = {
    "screen", "now", "zone", "clockName", "companyName", "claimCode", "connection", "queued", "reader", "storage",
    "timeTrusted", "update", "chosen", "chosenUntil", "notice", "adopting", "answer", "moment", "after",
}  # fmt: skip
ANSWER_MEMBERS = {
    "key", "kind", "name", "time", "todayMinutes", "balanceMinutes", "openHandovers", "unreadMessages", "sent", "tag",
    "since", "stampId", "question", "questionDate", "openSince", "warnings", "limits", "requested", "steward",
    "until",
}  # fmt: skip


def page_view(screen: ScreenState, times: Any) -> dict[str, Any]:
    return view(screen.snapshot(), times.seconds, times.instant)


def test_a_clock_that_belongs_to_nobody_shows_its_claim_code(screen: ScreenState, times: Any) -> None:
    screen.set_status(claim_code="7K3M9QXA", assigned=False)
    model = page_view(screen, times)
    assert model.keys() == MEMBERS
    assert (model["screen"], model["claimCode"], model["answer"]) == ("unassigned", "7K3M9QXA", None)


def test_an_idle_clock_says_who_it_is_and_how_it_is(screen: ScreenState, times: Any) -> None:
    screen.set_status(
        assigned=True, clock_name="Werkstatt", company_name="Tischlerei Holm", connection="not_connected", queued=3,
        reader="fault", storage="failed", time_trusted=True,
    )  # fmt: skip
    model = page_view(screen, times)
    assert model == {
        "screen": "idle", "now": "2026-11-20T06:58:03.214Z", "zone": "Europe/Berlin", "clockName": "Werkstatt",
        "companyName": "Tischlerei Holm", "claimCode": None, "connection": "not_connected", "queued": 3,
        "reader": "fault", "storage": "failed", "timeTrusted": True, "update": None, "chosen": None,
        "chosenUntil": None,
        "notice": None, "adopting": None, "answer": None, "moment": 1_000_000, "after": "",
    }  # fmt: skip


def test_an_answer_carries_everything_in_the_clocks_local_time(screen: ScreenState, times: Any) -> None:
    screen.set_status(assigned=True)
    screen.show(
        times.answer(
            kind=AnswerKind.DOUBLE_TAP, name="Jana", today_minutes=125, balance_minutes=-30, open_handovers=2,
            unread_messages=1, tag="04A224B1C2D380",
            since=times.instant - timedelta(seconds=40), stamp_id="s1", question=Question.GONE,
            question_date=date(2026, 11, 19), open_since=datetime(2026, 11, 19, 6, tzinfo=UTC), warnings=("over_10_h",),
        )
    )  # fmt: skip
    answer = page_view(screen, times)["answer"]
    assert answer.keys() == ANSWER_MEMBERS
    assert answer == {
        "key": "k1", "kind": "double_tap", "name": "Jana", "time": "07:58", "todayMinutes": 125, "balanceMinutes": -30,
        "openHandovers": 2, "unreadMessages": 1, "sent": False,
        "tag": "04A224B1C2D380", "since": "07:57", "stampId": "s1", "question": "gone",
        "questionDate": "2026-11-19", "openSince": "2026-11-19T06:00:00.000Z", "warnings": ["over_10_h"],
        "limits": {"shiftMinutes": 600, "restMinutes": 660, "night": None},
        "requested": False, "steward": False, "until": "2026-11-20T06:58:05.714Z",
    }  # fmt: skip


def test_the_page_is_told_limits_only_beside_a_warning(screen: ScreenState, times: Any) -> None:
    own_limits = Limits(480, 720, ((270, 30),), (time(20), time(6)))
    screen.set_status(assigned=True)
    screen.show(times.answer(limits=own_limits))
    assert page_view(screen, times)["answer"]["limits"] is None
    screen.show(times.answer(limits=own_limits, warnings=("night",)))
    limits = {"shiftMinutes": 480, "restMinutes": 720, "night": ["20:00", "06:00"]}
    assert page_view(screen, times)["answer"]["limits"] == limits


def test_who_said_when_they_left_is_told_what_becomes_of_it(screen: ScreenState, times: Any) -> None:
    screen.set_status(assigned=True)
    screen.show(times.answer(for_s=60, stamp_id="s1", question=Question.GONE))
    assert page_view(screen, times)["answer"]["requested"] is False
    screen.answered("s1")
    answer = page_view(screen, times)["answer"]
    assert (answer["requested"], answer["question"]) == (True, None)
    times.pass_by(3.99)
    assert page_view(screen, times)["answer"] is not None
    times.pass_by(0.01)
    assert page_view(screen, times)["answer"] is None


def test_a_tap_is_answered_even_on_a_clock_that_belongs_to_nobody(screen: ScreenState, times: Any) -> None:
    screen.show(times.answer(kind=AnswerKind.UNKNOWN, tag="A1B2C3D4"))
    assert page_view(screen, times)["screen"] == "answer"


def test_an_answer_goes_after_its_time_and_not_before(screen: ScreenState, times: Any) -> None:
    screen.set_status(assigned=True)
    screen.show(times.answer(for_s=2.5))
    times.pass_by(2.49)
    assert page_view(screen, times)["screen"] == "answer"
    assert screen.snapshot().next_change(times.seconds) == pytest.approx(1002.5)
    times.pass_by(0.01)
    assert page_view(screen, times)["screen"] == "idle"
    assert screen.snapshot().next_change(times.seconds) is None


@pytest.mark.parametrize("correction", [timedelta(hours=-3), timedelta(days=9000)])
def test_a_corrected_clock_neither_keeps_an_answer_nor_hides_it(
    screen: ScreenState, times: Any, correction: timedelta
) -> None:
    screen.show(times.answer(for_s=2.5))
    times.instant += correction
    times.pass_by(2.0)
    assert page_view(screen, times)["answer"] is not None
    times.pass_by(1.0)
    assert page_view(screen, times)["answer"] is None


def test_a_chosen_direction_expires(screen: ScreenState, times: Any) -> None:
    screen.set_status(chosen="out", chosen_until=times.instant + timedelta(seconds=30))
    times.pass_by(29.9)
    model = page_view(screen, times)
    assert (model["chosen"], model["chosenUntil"]) == ("out", "2026-11-20T06:58:33.214Z")
    times.pass_by(0.2)
    model = page_view(screen, times)
    assert (model["chosen"], model["chosenUntil"]) == (None, None)


def test_a_choice_taken_back_is_gone_at_once(screen: ScreenState, times: Any) -> None:
    screen.set_status(chosen="in", chosen_until=times.instant + timedelta(seconds=30))
    screen.set_status(chosen=None, chosen_until=None)
    assert page_view(screen, times)["chosen"] is None
    assert screen.snapshot().next_change(times.seconds) is None


def test_a_notice_shows_for_a_while_and_gives_way_to_an_answer(screen: ScreenState, times: Any) -> None:
    screen.notice("unreadable_tag")
    assert page_view(screen, times)["notice"] == "unreadable_tag"
    screen.show(times.answer())
    assert page_view(screen, times)["notice"] is None
    screen.notice("unreadable_tag")
    times.pass_by(10)
    assert page_view(screen, times)["notice"] is None


def test_the_zone_decides_the_shown_time_and_an_unknown_one_is_borne(screen: ScreenState, times: Any) -> None:
    screen.show(times.answer())
    times_by_zone = {}
    for zone in ("Europe/Berlin", "America/New_York", "Nowhere/Land", "../../etc/passwd"):
        screen.set_status(zone=zone)
        times_by_zone[zone] = page_view(screen, times)["answer"]["time"]
    assert times_by_zone == {
        "Europe/Berlin": "07:58",
        "America/New_York": "01:58",
        "Nowhere/Land": "06:58",
        "../../etc/passwd": "06:58",
    }


def test_what_is_pressed_is_pressed_after_the_last_answer_also_when_that_is_gone(
    screen: ScreenState, times: Any
) -> None:
    screen.show(times.answer(for_s=2.5, key="k7"))
    times.pass_by(60)
    model = page_view(screen, times)
    assert (model["answer"], model["after"], model["moment"]) == (None, "k7", 1_060_000)
    screen.dismiss()
    assert page_view(screen, times)["after"] == "k7"


def test_nobody_puts_away_what_is_another_s(screen: ScreenState, times: Any) -> None:
    screen.show(times.answer(for_s=60, key="k2", question=Question.GONE))
    screen.dismiss("k1")
    assert page_view(screen, times)["answer"]["question"] == "gone"
    screen.dismiss("k2")
    assert page_view(screen, times)["answer"]["question"] is None


def test_the_page_of_the_scanners_shows_them_as_long_as_it_is_open(screen: ScreenState, times: Any) -> None:
    scanners = ({"serial": "SW-1", "connected": True}, {"serial": "SW-2", "connected": False})
    screen.set_status(adopting_until=times.instant + timedelta(seconds=300), adopted=("SW-1",), scanners=scanners)
    assert page_view(screen, times)["adopting"] == {
        "until": "2026-11-20T07:03:03.214Z", "adopted": ["SW-1"], "scanners": list(scanners),
    }  # fmt: skip
    times.pass_by(300)
    assert page_view(screen, times)["adopting"] is None
