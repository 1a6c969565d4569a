"""Advances: refused, asked for, decided once, told to the person, kept for ten years."""

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.advances.tables import Advance

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.meeting import all_at_once
from cloud.tests.planning.advances_calls import ADVANCE, asked, decided
from cloud.tests.room import inbox, logged
from cloud.tests.world import Firm, Somebody, World

NOW = "2026-11-20T08:00:00.000Z"
PENDING = "Du hast schon einen Vorschuss beantragt. Bitte warte, bis darüber entschieden ist."


def _path(person: Somebody) -> str:
    return f"/api/users/{person.id}/advances"


def _ask(person: Somebody, by: Somebody | None = None, **values: object) -> Any:
    return (by or person).post(_path(person), json=ADVANCE | values)


def _own(person: Somebody, query: str = "") -> Any:
    answer = person.get(_path(person) + query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _pending(firm: Firm) -> list[str]:
    answer = firm.boss.get(f"/api/companies/{firm.id}/advances")
    assert answer.status_code == 200, answer.text
    return [row["id"] for row in answer.json()]


def _decide(administrator: Somebody, advance_id: str, decision: str) -> Any:
    return administrator.post(f"/api/advances/{advance_id}/{decision}")


# -- what is refused


@ON_SQLITE
@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"cents": 99}, "cents"),
        ({"cents": 500_001}, "cents"),
        ({"cents": -100}, "cents"),
        ({"cents": 250.5}, "cents"),
        ({"cents": "250"}, "cents"),
        ({"cents": True}, "cents"),
        ({"reason": " \n"}, "reason"),
        ({"reason": "\u200b\u2060"}, "reason"),
        ({"reason": "x" * 201}, "reason"),
        ({"reason": None}, "reason"),
    ],
)
def test_a_malformed_advance_is_refused(firm: Firm, values: dict[str, Any], field: str) -> None:
    answer = _ask(firm.anna, **values)
    assert (answer.status_code, [error["field"] for error in answer.json()["errors"]]) == (422, [field])
    assert _own(firm.anna) == []


def test_the_refusal_of_an_amount_names_its_bounds(firm: Firm) -> None:
    sentence = "Ein Vorschuss beträgt 1,00\u00a0€ bis 5.000,00\u00a0€."
    assert _ask(firm.anna, cents=99).json()["errors"] == [{"field": "cents", "message": sentence}]


@pytest.mark.parametrize("values", [{"cents": 100, "reason": "x"}, {"cents": 500_000, "reason": "ß" * 200}])
def test_the_bounds_themselves_are_accepted(firm: Firm, values: dict[str, Any]) -> None:
    assert _ask(firm.anna, **values).status_code == 201


def test_a_second_pending_advance_is_refused_until_the_first_is_decided(firm: Firm) -> None:
    first = asked(firm.anna)
    answer = _ask(firm.anna)
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (409, "already_pending", PENDING)
    assert _ask(firm.ben).status_code == 201
    assert _decide(firm.boss, first, "decline").status_code == 200
    assert _ask(firm.anna).status_code == 201


def test_only_the_person_asks_and_reads(firm: Firm) -> None:
    for other in (firm.ben, firm.boss, firm.world.founder):
        assert _ask(firm.anna, other).status_code == other.get(_path(firm.anna)).status_code == 403
    assert _pending(firm) == []


def test_an_employee_neither_reads_all_nor_decides(firm: Firm) -> None:
    advance_id = asked(firm.anna)
    for employee in (firm.anna, firm.ben):
        assert employee.get(f"/api/companies/{firm.id}/advances").status_code == 403
        assert _decide(employee, advance_id, "approve").status_code == 403
    assert _pending(firm) == [advance_id]


def test_another_company_finds_nothing(firm: Firm, world: World) -> None:
    elsewhere, advance_id = world.firm("Nachbarin"), asked(firm.anna)
    assert elsewhere.boss.get(_path(firm.anna)).status_code == 404
    assert _ask(firm.anna, elsewhere.anna).status_code == 404
    assert elsewhere.boss.get(f"/api/companies/{firm.id}/advances").status_code == 404
    for decision in ("approve", "decline"):
        assert _decide(elsewhere.boss, advance_id, decision).status_code == 404
        assert _decide(firm.boss, firm.id, decision).status_code == 404
    assert (_pending(firm), _pending(elsewhere)) == ([advance_id], [])
    assert logged(world, firm.id, "advance.") == inbox(firm.anna) == []


@pytest.mark.parametrize("second", ["approve", "decline"])
def test_what_is_decided_is_not_decided_again(firm: Firm, second: str) -> None:
    advance_id = asked(firm.anna)
    assert _decide(firm.boss, advance_id, "approve").status_code == 200
    refused = _decide(firm.boss, advance_id, second)
    sentence = "Über diesen Vorschuss wurde bereits entschieden."
    assert (refused.status_code, refused.json()["detail"]) == (409, sentence)
    assert (refused.json()["decidedBy"], refused.json()["decidedAt"]) == (firm.boss.username, NOW)
    assert [row["approved"] for row in _own(firm.anna)] == [True]


# -- what is asked for, read and decided


def test_an_advance_is_read_by_its_person_and_the_company(firm: Firm) -> None:
    row = _ask(firm.anna, reason=" Waschmaschine\n").json()
    undecided = {"decidedAt": None, "decidedBy": None, "approved": None}
    person = {"userId": firm.anna.id, "username": "anna"}
    assert row == ADVANCE | person | undecided | {"id": row["id"], "askedAt": NOW}
    assert _own(firm.anna) == firm.boss.get(f"/api/companies/{firm.id}/advances").json() == [row]
    assert _own(firm.ben) == []


def test_a_person_s_are_sorted_and_paged_newest_first(firm: Firm) -> None:
    ids = [decided(firm.anna, asked_at=datetime(2026, month, 1, tzinfo=UTC)) for month in (3, 1, 2)]
    third, first, second = ids
    assert [row["id"] for row in _own(firm.anna)] == [third, second, first]
    assert [row["id"] for row in _own(firm.anna, f"?limit=1&before={third}")] == [second]


@pytest.mark.parametrize(
    ("decision", "approved", "status"), [("approve", True, "approved"), ("decline", False, "declined")]
)
def test_a_decision_is_told_and_logged(firm: Firm, decision: str, approved: bool, status: str) -> None:
    advance_id = _ask(firm.anna).json()["id"]
    row = _decide(firm.boss, advance_id, decision).json()
    assert (row["approved"], row["decidedBy"], row["decidedAt"]) == (approved, firm.boss.username, NOW)
    assert (_own(firm.anna), _pending(firm)) == ([row], [])
    verb = "genehmigt" if approved else "abgelehnt"
    ((type_, title, body, payload),) = inbox(firm.anna)
    assert (type_, title, payload) == ("advance_response", f"Vorschuss {verb}", {"status": status})
    assert body == f"Dein Vorschuss von 250,00\u00a0€ wurde {verb}."
    assert inbox(firm.ben) == []
    rows = firm.boss.get(f"/api/companies/{firm.id}/audit", params={"action": "advance."}).json()
    assert [entry["action"] for entry in rows] == [f"advance.{status}", "advance.requested"]
    assert [entry["after"] for entry in rows] == [{"userId": firm.anna.id, "cents": 25_000}] * 2


# -- two at once


@ON_BOTH
def test_of_two_asked_for_at_once_one_is_refused(firm: Firm, platform: Platform) -> None:
    answers = all_at_once(platform, lambda: _ask(firm.anna), lambda: _ask(firm.anna, cents=100))
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    assert len(_pending(firm)) == 1


@ON_BOTH
def test_of_two_decisions_at_once_one_holds(firm: Firm, world: World) -> None:
    advance_id = asked(firm.anna)
    calls = [lambda decision=decision: _decide(firm.boss, advance_id, decision) for decision in ("approve", "decline")]
    answers = all_at_once(world.platform, *calls)
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert len(logged(world, firm.id, "advance.")) == len(inbox(firm.anna)) == 1


# -- what goes


def test_an_advance_goes_ten_years_after_its_decision(firm: Firm, platform: Platform) -> None:
    long_ago = datetime(2016, 11, 1, tzinfo=UTC)
    decided(firm.anna, decided_at=long_ago)
    stays = {decided(firm.anna, asked_at=long_ago), asked(firm.anna, asked_at=long_ago)}
    jobs.run_once(platform, next(job for job in JOBS if job.name == "purge_advances"))
    with platform.database.read(SYSTEM) as tx:
        assert set(tx.scalars(select(Advance.id))) == stays


def test_of_an_erased_person_the_decided_one_stays_without_its_reason(firm: Firm, platform: Platform) -> None:
    stays, pending = decided(firm.anna), asked(firm.anna)
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    assert _pending(firm) == [pending]
    erasure = firm.boss.post(f"/api/users/{firm.anna.id}/erasure", json={"comment": "Auf Wunsch"})
    assert {"what": "Beantragte Vorschüsse", "count": 1} in erasure.json()["erased"]
    with platform.database.read(SYSTEM) as tx:
        assert tx.execute(select(Advance.id, Advance.cents, Advance.reason)).all() == [(stays, 25_000, None)]
