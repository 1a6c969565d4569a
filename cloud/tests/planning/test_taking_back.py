"""Approved leave and absences that are taken back: from both sides, once, and as if they had never been."""

from datetime import date, timedelta
from typing import Any

import pytest
from httpx2 import Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL
from cloud.tests.meeting import all_at_once
from cloud.tests.planning.illness import decide, hand_in, listed, missed, report, reported, told
from cloud.tests.planning.leaving import allow, approved, asked, asks, employ
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody

SAID = {"comment": "Auf deinen Wunsch."}


def back(somebody: Somebody, request: str, how: str, **body: Any) -> Response:
    path = f"/api/vacation-requests/{request}"
    return somebody.put(path, json=body) if how == "move" else somebody.post(f"{path}/{how}", json=body)


def leave(firm: Firm, first: str = "2026-12-07", last: str = "2026-12-11", **more: Any) -> str:
    return approved(firm, firm.anna, first, last, **more)


def remaining(firm: Firm) -> float:
    found: float = firm.anna.get("/api/vacation-policy/mine").json()["remainingDays"]
    return found


def row(firm: Firm, request: str) -> dict[str, Any]:
    rows = firm.boss.get(f"/api/companies/{firm.id}/vacation-requests?status=all").json()
    return next(one for one in rows if one["id"] == request)


# -- refusals


@pytest.mark.parametrize("how", ["move", "cancel", "keep"])
def test_only_administrators_of_the_company_take_leave_back_and_say_why(firm: Firm, how: str) -> None:
    allow(firm)
    request = leave(firm)
    body = SAID | ({"startDate": "2026-12-14", "endDate": "2026-12-14"} if how == "move" else {})
    assert back(firm.anna, request, how, **body).status_code == 403
    assert back(firm.world.firm("Andere GmbH").boss, request, how, **body).status_code == 404
    if how != "keep":
        assert back(firm.boss, request, how, **body | {"comment": "  "}).status_code == 422
    assert row(firm, request)["status"] == "approved"


def test_a_wish_is_its_persons_and_about_approved_days_to_come(firm: Firm, clock: SettableClock) -> None:
    allow(firm)
    request = leave(firm)
    assert back(firm.ben, request, "cancel-request").status_code == 403
    waiting = asked(firm.anna, "2026-12-21")
    assert back(firm.anna, waiting, "cancel-request").json()["code"] == "not_approved"
    assert back(firm.boss, request, "keep").json()["code"] == "not_wished"
    assert back(firm.anna, request, "cancel-request").json()["cancelRequested"] is True
    assert back(firm.anna, request, "cancel-request").json()["code"] == "already_wished"
    past = leave(firm, "2026-11-16", "2026-11-17")
    assert back(firm.anna, past, "cancel-request").json()["code"] == "all_passed"
    assert back(firm.boss, past, "cancel", **SAID).json()["code"] == "all_passed"


def test_new_days_are_judged_as_a_new_request_without_the_old_ones(firm: Firm) -> None:
    allow(firm, 5)
    request, _ = leave(firm), asked(firm.anna, "2026-12-21")
    move = {"comment": "Inventur", "startDate": "2026-12-08", "endDate": "2026-12-14"}
    assert back(firm.boss, request, "move", **move).status_code == 200
    assert (remaining(firm), row(firm, request)["startDate"]) == (0, "2026-12-08")
    for days, code in (
        ({"startDate": "2026-12-21", "endDate": "2026-12-21"}, "overlap"),
        ({"startDate": "2026-12-07", "endDate": "2026-12-14"}, "over_allowance"),
        ({"startDate": "2026-12-12", "endDate": "2026-12-13"}, "invalid"),
        ({"startDate": "2026-12-14", "endDate": "2026-12-08"}, "invalid"),
    ):
        assert back(firm.boss, request, "move", **move | days).json()["code"] == code, days
    assert (row(firm, request)["startDate"], row(firm, request)["endDate"]) == ("2026-12-08", "2026-12-14")
    confirmed = move | {"startDate": "2026-12-07", "overAllowance": True}
    assert back(firm.boss, request, "move", **confirmed).status_code == 200
    assert remaining(firm) == -1


# -- leave


@ON_BOTH
def test_cancelled_leave_gives_its_days_back_and_tells_its_person(firm: Firm) -> None:
    allow(firm)
    request = leave(firm)
    assert remaining(firm) == 25
    assert back(firm.anna, request, "cancel-request", reason="Die Reise fällt aus.").status_code == 200
    path = f"/api/companies/{firm.id}/vacation-requests?status=cancel_requested"
    assert [(one["id"], one["cancelReason"]) for one in firm.boss.get(path).json()] == [
        (request, "Die Reise fällt aus.")
    ]
    assert told(firm.boss)[-1][1]["cancel"] == "true"
    assert firm.boss.get(f"/api/companies/{firm.id}/today").json()["waiting"]["requests"] == 1
    answer = back(firm.boss, request, "cancel", **SAID)
    assert (answer.json()["status"], answer.json()["cancelRequested"]) == ("cancelled", False)
    assert remaining(firm) == 30
    assert firm.boss.get(path).json() == []
    assert told(firm.anna)[-1] == (
        "vacation_response",
        {"status": "cancelled", "kind": "vacation", "startDate": "2026-12-07", "endDate": "2026-12-11"},
    )
    assert back(firm.boss, request, "cancel", **SAID).json()["code"] == "not_approved"
    assert asked(firm.anna, "2026-12-07")


@ON_BOTH
def test_a_refused_wish_leaves_everything(firm: Firm) -> None:
    allow(firm)
    request = leave(firm)
    back(firm.anna, request, "cancel-request")
    kept = back(firm.boss, request, "keep", comment="Da ist alles geplant.").json()
    assert (kept["status"], kept["cancelRequested"], remaining(firm)) == ("approved", False, 25)
    assert told(firm.anna)[-1][1]["status"] == "approved"


@ON_BOTH
def test_a_wish_waits_no_longer_once_its_person_or_the_leave_is_gone(firm: Firm) -> None:
    allow(firm)
    of_anna, of_ben = leave(firm), approved(firm, firm.ben, "2026-12-07")
    assert back(firm.anna, of_anna, "cancel-request").status_code == 200
    assert back(firm.ben, of_ben, "cancel-request").status_code == 200
    exit_ = {"exitDate": "2026-12-01", "endPlans": True}
    assert firm.boss.put(f"/api/users/{firm.anna.id}/employment", json=exit_).status_code == 200
    assert firm.boss.delete(f"/api/users/{firm.ben.id}").status_code == 204
    assert [row(firm, one)["cancelRequested"] for one in (of_anna, of_ben)] == [False, False]
    assert firm.boss.get(f"/api/companies/{firm.id}/today").json()["waiting"]["requests"] == 0


@ON_BOTH
def test_begun_leave_is_shortened_to_yesterday_or_taken_back_as_a_whole(firm: Firm) -> None:
    allow(firm)
    request = leave(firm, "2026-11-18", "2026-11-24")  # today is Friday, the 20th
    shorter = back(firm.boss, request, "cancel", **SAID).json()
    assert (shorter["status"], shorter["endDate"], shorter["days"]) == ("approved", "2026-11-19", 2)
    whole = back(firm.boss, request, "cancel", **SAID, passedDays=True).json()
    assert (whole["status"], remaining(firm)) == ("cancelled", 30)


DAYS = st.integers(0, 20).map(lambda offset: date(2026, 12, 1) + timedelta(days=offset))


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DAYS, st.integers(0, 9), DAYS, st.integers(0, 9))
def test_balances_before_and_after_agree_whatever_was_moved(
    firm: Firm, first: date, length: int, moved_to: date, then: int
) -> None:
    allow(firm)
    before = remaining(firm)
    last = first + timedelta(days=length)
    made = asks(firm.boss, str(first), str(last), userId=firm.anna.id)
    if made.status_code == 422:  # a weekend
        return
    request, days = made.json()["id"], {"startDate": str(moved_to), "endDate": str(moved_to + timedelta(days=then))}
    back(firm.boss, request, "move", **days, **SAID)
    assert before - remaining(firm) == sum(
        one["days"] for one in firm.anna.get("/api/vacation-requests/mine").json() if _counts(one)
    )
    assert back(firm.boss, request, "cancel", **SAID).status_code == 200
    assert remaining(firm) == before


def _counts(row: dict[str, Any]) -> bool:
    return bool(row["status"] == "approved")


@ON_POSTGRESQL
def test_of_two_who_cancel_at_once_one_is_told_that_it_is_done(firm: Firm) -> None:
    allow(firm)
    request = leave(firm)
    answers = all_at_once(firm.world.platform, *[lambda: back(firm.boss, request, "cancel", **SAID)] * 2)
    assert sorted(answer.status_code for answer in answers) == [200, 409]


# -- absences


def test_a_report_is_withdrawn_by_its_person_while_it_is_open(firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-19", "2026-11-20")
    hand_in(firm.anna, first["id"])
    assert firm.ben.delete(f"/api/absences/{first['id']}").status_code == 403
    assert firm.world.firm("Andere GmbH").anna.delete(f"/api/absences/{first['id']}").status_code == 404
    decide(firm.boss, first["id"], "excuse")
    assert firm.anna.delete(f"/api/absences/{first['id']}").json()["code"] == "already_decided"
    assert firm.anna.delete(f"/api/absences/{second['id']}?report=true").status_code == 204
    assert [(one["date"], one["status"], one["sickNotePath"] is None) for one in listed(firm)] == [
        ("2026-11-20", "cancelled", True),
        ("2026-11-19", "excused", False),
    ]
    assert report(firm.anna, "2026-11-20").status_code == 201


def test_a_day_that_nobody_came_to_becomes_that_again(firm: Firm) -> None:
    (day,) = missed(firm, firm.anna, date(2026, 11, 18))
    assert firm.anna.delete(f"/api/absences/{day}").json()["code"] == "not_reported"
    made, _ = reported(firm.anna, "2026-11-18", "2026-11-19")
    assert made["id"] == day
    assert firm.anna.delete(f"/api/absences/{day}?report=true").status_code == 204
    assert {one["date"]: (one["kind"], one["status"]) for one in listed(firm)} == {
        "2026-11-18": ("missing", "open"),
        "2026-11-19": ("sick", "cancelled"),
    }


def test_an_administrator_cancels_and_opens_again_with_a_sentence(firm: Firm) -> None:
    (one,) = reported(firm.anna)
    path = f"/api/absences/{one['id']}"
    for how in ("cancel", "reopen"):
        assert firm.anna.post(f"{path}/{how}", json=SAID).status_code == 403
        assert firm.boss.post(f"{path}/{how}", json={"comment": ""}).status_code == 422
    assert firm.boss.post(f"{path}/reopen", json=SAID).json()["code"] == "not_decided"
    decide(firm.boss, one["id"], "decline", comment="Ohne Bescheinigung nicht.")
    assert firm.boss.post(f"{path}/reopen", json=SAID).json()["status"] == "open"
    assert firm.boss.post(f"{path}/cancel", json=SAID).json()["status"] == "cancelled"
    assert firm.boss.post(f"{path}/cancel", json=SAID).status_code == 409
    assert [kind for kind, _ in told(firm.anna)] == ["absence_response"] * 3
    (again,) = reported(firm.anna)
    declined = firm.boss.post(f"{path}/reopen", json=SAID)
    assert (declined.status_code, again["status"]) == (409, "open")


def test_days_of_a_report_that_were_decided_alike_are_opened_again_together_and_told_once(firm: Firm) -> None:
    first, second, third = reported(firm.anna, "2026-11-18", "2026-11-20")
    decide(firm.boss, first["id"], "excuse")
    for one in (second, third):
        decide(firm.boss, one["id"], "decline")
    heard = len(told(firm.anna))
    assert firm.boss.post(f"/api/absences/{second['id']}/reopen", json=SAID | {"report": True}).status_code == 200
    assert [one["status"] for one in sorted(listed(firm), key=lambda one: one["date"])] == ["excused", "open", "open"]
    assert len(told(firm.anna)) == heard + 1
    decide(firm.boss, second["id"], "decline", wholeReport=True)
    assert firm.anna.post("/api/absences", json={"startDate": "2026-11-20", "endDate": "2026-11-20"}).status_code == 201
    refused = firm.boss.post(f"/api/absences/{second['id']}/reopen", json=SAID | {"report": True})
    assert refused.json()["code"] == "already_reported"
    assert [one["status"] for one in listed(firm) if one["id"] == second["id"]] == ["declined"], "all or nothing"


# -- what the health insurance has confirmed, and other reasons


@ON_BOTH
def test_what_is_certified_counts_as_a_note_for_the_whole_report(firm: Firm) -> None:
    allow(firm)
    leave(firm, "2026-11-19", "2026-11-20")
    one, _ = reported(firm.anna, "2026-11-19", "2026-11-20")
    assert remaining(firm) == 28
    excused = decide(firm.boss, one["id"], "excuse", certified=True).json()
    assert (excused["certified"], excused["sickNotePath"]) == (True, None)
    assert remaining(firm) == 30


@pytest.mark.parametrize(
    ("said", "credited"),
    [
        ({"reason": "Berufsschule"}, True),
        ({"reason": "unbezahlt"}, False),
        ({"reason": "Elternzeit", "credited": True}, True),
        ({"reason": "Umzug", "credited": False}, False),
    ],
)
def test_an_administrator_enters_other_absences_with_a_reason(firm: Firm, said: dict[str, Any], credited: bool) -> None:
    body = {"kind": "special", "userId": firm.anna.id} | said
    employ(firm.anna, entryDate="2026-01-01")
    hours = {"mode": "uniform", "uniformWeeklyTargetMinutes": 2400}
    assert firm.boss.put(f"/api/companies/{firm.id}/working-hours-config", json=hours).status_code == 200
    assert report(firm.anna, **body | {"userId": None}).status_code == 403
    assert report(firm.boss, **body | {"reason": " "}).status_code == 422
    assert report(firm.boss, userId=firm.anna.id, reason="Grippe").status_code == 422
    (made,) = report(firm.boss, **body).json()
    assert (made["kind"], made["status"], made["reason"]) == ("special", "excused", said["reason"])
    assert made["credited"] is credited
    account = firm.boss.get(f"/api/users/{firm.anna.id}/account?month=2026-11").json()
    assert [one["minutes"] for one in account["credits"]] == ([480] if credited else [])
    assert firm.boss.post(f"/api/absences/{made['id']}/reopen", json=SAID).status_code == 409
    assert firm.boss.post(f"/api/absences/{made['id']}/cancel", json=SAID).json()["status"] == "cancelled"


def test_a_missing_day_keeps_nothing_of_a_special_absence_that_was_cancelled(firm: Firm) -> None:
    """Unpaid leave that was entered by mistake does not make the illness of that day unpaid."""
    employ(firm.anna, entryDate="2026-01-01")
    hours = {"mode": "uniform", "uniformWeeklyTargetMinutes": 2400}
    assert firm.boss.put(f"/api/companies/{firm.id}/working-hours-config", json=hours).status_code == 200
    (day,) = missed(firm, firm.anna, date(2026, 11, 18))
    unpaid = report(firm.boss, "2026-11-18", kind="special", reason="unbezahlt", userId=firm.anna.id).json()
    assert [one["id"] for one in unpaid] == [day]
    assert firm.boss.post(f"/api/absences/{day}/cancel", json=SAID).status_code == 200
    (one,) = listed(firm)
    assert (one["kind"], one["status"], one["reason"], one["credited"]) == ("missing", "open", None, True)
    reported(firm.anna, "2026-11-18")
    assert decide(firm.boss, day, "excuse").json()["credited"] is True
    account = firm.boss.get(f"/api/users/{firm.anna.id}/account?month=2026-11").json()
    assert [credit["minutes"] for credit in account["credits"]] == [480]


def test_a_day_that_was_withdrawn_is_not_certified_with_its_report(firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-19", "2026-11-20")
    assert firm.anna.delete(f"/api/absences/{first['id']}").status_code == 204
    decide(firm.boss, second["id"], "excuse", certified=True)
    assert {one["date"]: (one["status"], one["certified"]) for one in listed(firm)} == {
        "2026-11-19": ("cancelled", False),
        "2026-11-20": ("excused", True),
    }
