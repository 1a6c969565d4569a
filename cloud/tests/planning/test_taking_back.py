"""Approved leave and absences that are taken back: from both sides, once, and as if they had never been."""

from datetime import date, timedelta
from typing import Any

import pytest
from httpx2 import Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cloud.tests.databases import ON_BOTH, ON_POSTGRESQL
from cloud.tests.meeting import all_at_once
from cloud.tests.planning.illness import company_absences, decide, hand_in, messages_of, missed, report, reported
from cloud.tests.planning.leaving import allow, approved, asks, create_request, employ
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody

SAID = {"comment": "Auf deinen Wunsch."}


def back(person: Somebody, request: str, how: str, **body: Any) -> Response:
    path = f"/api/vacation-requests/{request}"
    return person.put(path, json=body) if how == "move" else person.post(f"{path}/{how}", json=body)


def leave(firm: Firm, first: str = "2026-12-07", last: str = "2026-12-11", **fields: Any) -> str:
    return approved(firm, firm.anna, first, last, **fields)


def remaining(firm: Firm) -> float:
    days_left: float = firm.anna.get("/api/vacation-policy/mine").json()["remainingDays"]
    return days_left


def row(firm: Firm, request: str) -> dict[str, Any]:
    rows = firm.boss.get(f"/api/companies/{firm.id}/vacation-requests?status=all").json()
    return next(request_row for request_row in rows if request_row["id"] == request)


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
    waiting = create_request(firm.anna, "2026-12-21")
    assert back(firm.anna, waiting, "cancel-request").json()["code"] == "not_approved"
    assert back(firm.boss, request, "keep").json()["code"] == "not_wished"
    assert back(firm.anna, request, "cancel-request").json()["cancelRequested"] is True
    assert back(firm.anna, request, "cancel-request").json()["code"] == "already_wished"
    past = leave(firm, "2026-11-16", "2026-11-17")
    assert back(firm.anna, past, "cancel-request").json()["code"] == "all_passed"
    assert back(firm.boss, past, "cancel", **SAID).json()["code"] == "all_passed"


def test_new_days_are_judged_as_a_new_request_without_the_old_ones(firm: Firm) -> None:
    allow(firm, 5)
    request, _ = leave(firm), create_request(firm.anna, "2026-12-21")
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
    assert [(row["id"], row["cancelReason"]) for row in firm.boss.get(path).json()] == [
        (request, "Die Reise fällt aus.")
    ]
    assert messages_of(firm.boss)[-1][1]["cancel"] == "true"
    assert firm.boss.get(f"/api/companies/{firm.id}/today").json()["waiting"]["requests"] == 1
    answer = back(firm.boss, request, "cancel", **SAID)
    assert (answer.json()["status"], answer.json()["cancelRequested"]) == ("cancelled", False)
    assert remaining(firm) == 30
    assert firm.boss.get(path).json() == []
    assert messages_of(firm.anna)[-1] == (
        "vacation_response",
        {"status": "cancelled", "kind": "vacation", "startDate": "2026-12-07", "endDate": "2026-12-11"},
    )
    assert back(firm.boss, request, "cancel", **SAID).json()["code"] == "not_approved"
    assert create_request(firm.anna, "2026-12-07")


@ON_BOTH
def test_a_refused_wish_leaves_everything(firm: Firm) -> None:
    allow(firm)
    request = leave(firm)
    back(firm.anna, request, "cancel-request")
    kept_request = back(firm.boss, request, "keep", comment="Da ist alles geplant.").json()
    assert (kept_request["status"], kept_request["cancelRequested"], remaining(firm)) == ("approved", False, 25)
    assert messages_of(firm.anna)[-1][1]["status"] == "approved"


@ON_BOTH
def test_a_wish_waits_no_longer_once_its_person_or_the_leave_is_gone(firm: Firm) -> None:
    allow(firm)
    of_anna, of_ben = leave(firm), approved(firm, firm.ben, "2026-12-07")
    assert back(firm.anna, of_anna, "cancel-request").status_code == 200
    assert back(firm.ben, of_ben, "cancel-request").status_code == 200
    exit_ = {"exitDate": "2026-12-01", "endPlans": True}
    assert firm.boss.put(f"/api/users/{firm.anna.id}/employment", json=exit_).status_code == 200
    assert firm.boss.delete(f"/api/users/{firm.ben.id}").status_code == 204
    assert [row(firm, request_id)["cancelRequested"] for request_id in (of_anna, of_ben)] == [False, False]
    assert firm.boss.get(f"/api/companies/{firm.id}/today").json()["waiting"]["requests"] == 0


@ON_BOTH
def test_begun_leave_is_shortened_to_yesterday_or_taken_back_as_a_whole(firm: Firm) -> None:
    allow(firm)
    request = leave(firm, "2026-11-18", "2026-11-24")  # today is Friday, the 20th
    shorter = back(firm.boss, request, "cancel", **SAID).json()
    assert (shorter["status"], shorter["endDate"], shorter["days"]) == ("approved", "2026-11-19", 2)
    cancelled = back(firm.boss, request, "cancel", **SAID, passedDays=True).json()
    assert (cancelled["status"], remaining(firm)) == ("cancelled", 30)


DAYS = st.integers(0, 20).map(lambda offset: date(2026, 12, 1) + timedelta(days=offset))


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DAYS, st.integers(0, 9), DAYS, st.integers(0, 9))
def test_balances_before_and_after_agree_whatever_was_moved(
    firm: Firm, first: date, length: int, moved_to: date, then: int
) -> None:
    allow(firm)
    remaining_before = remaining(firm)
    last = first + timedelta(days=length)
    answer = asks(firm.boss, str(first), str(last), userId=firm.anna.id)
    if answer.status_code == 422:  # a weekend
        return
    request, days = answer.json()["id"], {"startDate": str(moved_to), "endDate": str(moved_to + timedelta(days=then))}
    back(firm.boss, request, "move", **days, **SAID)
    assert remaining_before - remaining(firm) == sum(
        request_row["days"]
        for request_row in firm.anna.get("/api/vacation-requests/mine").json()
        if _counts(request_row)
    )
    assert back(firm.boss, request, "cancel", **SAID).status_code == 200
    assert remaining(firm) == remaining_before


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
    assert [(row["date"], row["status"], row["sickNotePath"] is None) for row in company_absences(firm)] == [
        ("2026-11-20", "cancelled", True),
        ("2026-11-19", "excused", False),
    ]
    assert report(firm.anna, "2026-11-20").status_code == 201


def test_a_day_that_nobody_came_to_becomes_that_again(firm: Firm) -> None:
    (day,) = missed(firm, firm.anna, date(2026, 11, 18))
    assert firm.anna.delete(f"/api/absences/{day}").json()["code"] == "not_reported"
    report_row, _ = reported(firm.anna, "2026-11-18", "2026-11-19")
    assert report_row["id"] == day
    assert firm.anna.delete(f"/api/absences/{day}?report=true").status_code == 204
    assert {row["date"]: (row["kind"], row["status"]) for row in company_absences(firm)} == {
        "2026-11-18": ("missing", "open"),
        "2026-11-19": ("sick", "cancelled"),
    }


def test_an_administrator_cancels_and_opens_again_with_a_sentence(firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    path = f"/api/absences/{absence['id']}"
    for how in ("cancel", "reopen"):
        assert firm.anna.post(f"{path}/{how}", json=SAID).status_code == 403
        assert firm.boss.post(f"{path}/{how}", json={"comment": ""}).status_code == 422
    assert firm.boss.post(f"{path}/reopen", json=SAID).json()["code"] == "not_decided"
    decide(firm.boss, absence["id"], "decline", comment="Ohne Bescheinigung nicht.")
    assert firm.boss.post(f"{path}/reopen", json=SAID).json()["status"] == "open"
    assert firm.boss.post(f"{path}/cancel", json=SAID).json()["status"] == "cancelled"
    assert firm.boss.post(f"{path}/cancel", json=SAID).status_code == 409
    assert [kind for kind, _ in messages_of(firm.anna)] == ["absence_response"] * 3
    (reported_again,) = reported(firm.anna)
    declined = firm.boss.post(f"{path}/reopen", json=SAID)
    assert (declined.status_code, reported_again["status"]) == (409, "open")


def test_days_of_a_report_that_were_decided_alike_are_opened_again_together_and_told_once(firm: Firm) -> None:
    first, second, third = reported(firm.anna, "2026-11-18", "2026-11-20")
    decide(firm.boss, first["id"], "excuse")
    for absence in (second, third):
        decide(firm.boss, absence["id"], "decline")
    heard = len(messages_of(firm.anna))
    assert firm.boss.post(f"/api/absences/{second['id']}/reopen", json=SAID | {"report": True}).status_code == 200
    assert [absence["status"] for absence in sorted(company_absences(firm), key=lambda absence: absence["date"])] == [
        "excused",
        "open",
        "open",
    ]
    assert len(messages_of(firm.anna)) == heard + 1
    decide(firm.boss, second["id"], "decline", wholeReport=True)
    assert firm.anna.post("/api/absences", json={"startDate": "2026-11-20", "endDate": "2026-11-20"}).status_code == 201
    refused = firm.boss.post(f"/api/absences/{second['id']}/reopen", json=SAID | {"report": True})
    assert refused.json()["code"] == "already_reported"
    assert [row["status"] for row in company_absences(firm) if row["id"] == second["id"]] == ["declined"], (
        "all or nothing"
    )


# -- what the health insurance has confirmed, and other reasons


@ON_BOTH
def test_what_is_certified_counts_as_a_note_for_the_whole_report(firm: Firm) -> None:
    allow(firm)
    leave(firm, "2026-11-19", "2026-11-20")
    absence, _ = reported(firm.anna, "2026-11-19", "2026-11-20")
    assert remaining(firm) == 28
    excused = decide(firm.boss, absence["id"], "excuse", certified=True).json()
    assert (excused["certified"], excused["sickNotePath"]) == (True, None)
    assert remaining(firm) == 30


@pytest.mark.parametrize(
    ("fields", "credited"),
    [
        ({"reason": "Berufsschule"}, True),
        ({"reason": "unbezahlt"}, False),
        ({"reason": "Elternzeit", "credited": True}, True),
        ({"reason": "Umzug", "credited": False}, False),
    ],
)
def test_an_administrator_enters_other_absences_with_a_reason(
    firm: Firm, fields: dict[str, Any], credited: bool
) -> None:
    body = {"kind": "special", "userId": firm.anna.id} | fields
    employ(firm.anna, entryDate="2026-01-01")
    hours = {"mode": "uniform", "uniformWeeklyTargetMinutes": 2400}
    assert firm.boss.put(f"/api/companies/{firm.id}/working-hours-config", json=hours).status_code == 200
    assert report(firm.anna, **body | {"userId": None}).status_code == 403
    assert report(firm.boss, **body | {"reason": " "}).status_code == 422
    assert report(firm.boss, userId=firm.anna.id, reason="Grippe").status_code == 422
    (special,) = report(firm.boss, **body).json()
    assert (special["kind"], special["status"], special["reason"]) == ("special", "excused", fields["reason"])
    assert special["credited"] is credited
    account = firm.boss.get(f"/api/users/{firm.anna.id}/account?month=2026-11").json()
    assert [credit["minutes"] for credit in account["credits"]] == ([480] if credited else [])
    assert firm.boss.post(f"/api/absences/{special['id']}/reopen", json=SAID).status_code == 409
    assert firm.boss.post(f"/api/absences/{special['id']}/cancel", json=SAID).json()["status"] == "cancelled"


def test_a_missing_day_keeps_nothing_of_a_special_absence_that_was_cancelled(firm: Firm) -> None:
    """Unpaid leave that was entered by mistake does not make the illness of that day unpaid."""
    employ(firm.anna, entryDate="2026-01-01")
    hours = {"mode": "uniform", "uniformWeeklyTargetMinutes": 2400}
    assert firm.boss.put(f"/api/companies/{firm.id}/working-hours-config", json=hours).status_code == 200
    (day,) = missed(firm, firm.anna, date(2026, 11, 18))
    unpaid = report(firm.boss, "2026-11-18", kind="special", reason="unbezahlt", userId=firm.anna.id).json()
    assert [absence_row["id"] for absence_row in unpaid] == [day]
    assert firm.boss.post(f"/api/absences/{day}/cancel", json=SAID).status_code == 200
    (absence_row,) = company_absences(firm)
    assert (absence_row["kind"], absence_row["status"], absence_row["reason"], absence_row["credited"]) == (
        "missing",
        "open",
        None,
        True,
    )
    reported(firm.anna, "2026-11-18")
    assert decide(firm.boss, day, "excuse").json()["credited"] is True
    account = firm.boss.get(f"/api/users/{firm.anna.id}/account?month=2026-11").json()
    assert [credit["minutes"] for credit in account["credits"]] == [480]


def test_a_day_that_was_withdrawn_is_not_certified_with_its_report(firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-19", "2026-11-20")
    assert firm.anna.delete(f"/api/absences/{first['id']}").status_code == 204
    decide(firm.boss, second["id"], "excuse", certified=True)
    assert {row["date"]: (row["status"], row["certified"]) for row in company_absences(firm)} == {
        "2026-11-19": ("cancelled", False),
        "2026-11-20": ("excused", True),
    }
