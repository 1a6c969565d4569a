"""The works council: who appoints it, what it may read, and which administrator read whose times."""

from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from sqlalchemy import func, select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.routing import guards_of
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.tables import AccessLook

from cloud.tests.databases import ON_BOTH
from cloud.tests.matrix import promises
from cloud.tests.meeting import all_at_once
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

ON_SITE = {"times": "/api/users/{anna}/times", "account": "/api/users/{anna}/account"}
OF_COMPANY = {"users": "/api/companies/{firm}/users", "schedule": "/api/companies/{firm}/schedule"}
REVIEW = {"review": "/api/companies/{firm}/review"}


def _path(path: str, firm: Firm) -> str:
    return path.format(anna=firm.anna.id, firm=firm.id)


def _council(world: World, firm: Firm) -> Somebody:
    """Returns Ben, appointed to the works council by the company's administrator."""
    answer = world.again(firm.boss).put(f"/api/users/{firm.ben.id}", json={"worksCouncil": True})
    assert (answer.status_code, answer.json()["worksCouncil"]) == (200, True)
    return world.again(firm.ben)


def _log(person: Somebody, firm: Firm, **query: Any) -> list[dict[str, Any]]:
    answer = person.get(f"/api/companies/{firm.id}/access-log", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def _looks(world: World) -> int:
    with world.platform.database.read(SYSTEM) as tx:
        return tx.scalar(select(func.count()).select_from(AccessLook)) or 0


def test_only_administrators_of_the_company_and_of_the_system_give_it(world: World, firm: Firm) -> None:
    path, wish = f"/api/users/{firm.ben.id}", {"worksCouncil": True}
    assert firm.ben.put(path, json=wish).status_code == 403
    assert firm.anna.put(path, json=wish).status_code == 403
    assert world.firm("Andere").boss.put(path, json=wish).status_code == 404
    assert world.admin().put(path, json=wish).json()["worksCouncil"] is True


@pytest.mark.parametrize("wrong", ["true", 1, "ja", []])
def test_it_is_given_by_a_truth_and_nothing_like_one(firm: Firm, wrong: Any) -> None:
    assert firm.boss.put(f"/api/users/{firm.ben.id}", json={"worksCouncil": wrong}).status_code == 422


def test_nobody_but_an_employee_is_of_the_works_council(world: World, firm: Firm) -> None:
    path = f"/api/users/{firm.ben.id}"
    refused = firm.boss.put(path, json={"worksCouncil": True, "role": "companyAdmin"})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "worksCouncil")
    assert refused.json()["message"] == "Betriebsrat kann nur sein, wer die Rolle Mitarbeiter hat."
    deputy = world.user(firm.id, "zweite Chefin", "companyAdmin")
    assert firm.boss.put(f"/api/users/{deputy.id}", json={"worksCouncil": True}).status_code == 422


@ON_BOTH
def test_another_role_takes_it_away_and_the_audit_log_has_both(world: World, firm: Firm) -> None:
    _council(world, firm)
    changed = firm.boss.put(f"/api/users/{firm.ben.id}", json={"role": "companyAdmin"}).json()
    assert (changed["role"], "worksCouncil" in changed) == ("companyAdmin", False)
    assert "worksCouncil" not in firm.boss.put(f"/api/users/{firm.ben.id}", json={"role": "user"}).json()
    log = firm.boss.get(f"/api/companies/{firm.id}/audit", params={"action": "user.works_council"}).json()
    summaries = [(row["subject"], row["before"], row["after"]) for row in log]
    no, yes = {"worksCouncil": False}, {"worksCouncil": True}
    assert summaries == [(firm.ben.id, yes, no), (firm.ben.id, no, yes)]


def test_what_is_so_already_is_no_decision_and_ends_no_session(world: World, firm: Firm) -> None:
    council = _council(world, firm)
    assert firm.boss.put(f"/api/users/{council.id}", json={"worksCouncil": True}).status_code == 200
    assert council.get(f"/api/companies/{firm.id}/access-log").status_code == 200
    log = firm.boss.get(f"/api/companies/{firm.id}/audit", params={"action": "user.works_council"}).json()
    assert len(log) == 1


def test_who_leaves_it_reads_no_more_from_that_moment(world: World, firm: Firm) -> None:
    council = _council(world, firm)
    assert firm.boss.put(f"/api/users/{council.id}", json={"worksCouncil": False}).status_code == 200
    assert council.get(f"/api/users/{firm.anna.id}/times").status_code == 401
    other_session = world.again(council)
    assert other_session.get(f"/api/users/{firm.anna.id}/times").status_code == 403
    assert other_session.get(f"/api/companies/{firm.id}/access-log").status_code == 403


@pytest.mark.parametrize("path", [*ON_SITE.values(), *OF_COMPANY.values(), *REVIEW.values()])
def test_it_reads_its_own_company_and_no_other(world: World, firm: Firm, path: str) -> None:
    council = _council(world, firm)
    assert council.get(_path(path, firm)).status_code == 200
    assert council.get(_path(path, world.firm("Andere"))).status_code == 404


def test_it_reads_nothing_else_of_a_colleague(world: World, firm: Firm) -> None:
    council = _council(world, firm)
    for call in ("statement", "bookings", "absences", "vacation-requests", "employment", "corrections"):
        assert council.get(f"/api/users/{firm.anna.id}/{call}").status_code in {403, 404}, call
    assert council.get(f"/api/users/{firm.anna.id}/times/stream").status_code == 403
    assert council.get(f"/api/companies/{firm.id}/audit").status_code == 403


def test_no_call_but_those_of_the_list_lets_the_works_council_read_more_than_a_colleague(app: FastAPI) -> None:
    extra = {
        call.path
        for call in promises.calls(app)
        if promises.promised(call, promises.COUNCIL) != promises.promised(call, promises.COLLEAGUE)
    }
    assert extra == {
        "/api/users/{userId}/times",
        "/api/companies/{id}/attendance",
        "/api/users/{userId}/account",
        "/api/companies/{id}/review",
        "/api/companies/{id}/access-log",
    }


def test_it_reads_a_colleagues_balance_without_the_reasons_of_bookings(
    world: World, firm: Firm, clock: SettableClock
) -> None:
    today = clock.now().date().isoformat()
    for person, reason in ((firm.anna, "Nachtrag wegen Krankheit"), (firm.ben, "Mein Grund")):
        booking = {"date": today, "minutes": 60, "reason": reason}
        assert firm.boss.post(f"/api/users/{person.id}/bookings", json=booking).status_code == 201
    council = _council(world, firm)
    of_anna, of_ben = (council.get(f"/api/users/{person.id}/account") for person in (firm.anna, firm.ben))
    assert (of_anna.json()["bookingMinutes"], of_anna.json()["bookings"]) == (60, [])
    assert "Krankheit" not in of_anna.text
    assert of_ben.json()["bookings"][0]["reason"] == "Mein Grund"
    year = council.get(f"/api/users/{firm.anna.id}/account", params={"year": today[:4]}).json()
    assert [month["bookings"] for month in year["months"]] == [[]] * 12


def test_it_sees_everybodys_duties_and_of_colleagues_no_more_than_others_do(world: World, firm: Firm) -> None:
    duty = {"userId": firm.anna.id, "date": "2026-12-01"}
    assert firm.boss.post(f"/api/companies/{firm.id}/schedule", json=duty).status_code == 201
    council = _council(world, firm)
    assert [row["username"] for row in council.get(f"/api/companies/{firm.id}/schedule").json()] == ["anna"]
    assert {tuple(row) for row in council.get(f"/api/companies/{firm.id}/users").json()} == {("id", "username")}


def test_the_login_tells_the_page(world: World, firm: Firm) -> None:
    credentials = {"company": firm.name, "username": "ben", "password": "ein gutes Passwort"}
    assert world.client.post("/api/login", json=credentials).json().get("worksCouncil") is None
    _council(world, firm)
    assert world.client.post("/api/login", json=credentials).json()["worksCouncil"] is True
    rows = {row["username"]: row.get("worksCouncil") for row in firm.boss.get(f"/api/companies/{firm.id}/users").json()}
    assert rows == {"anna": None, "ben": True, "chefin": None}


def test_administrators_never_read_the_access_log(world: World, firm: Firm) -> None:
    path = f"/api/companies/{firm.id}/access-log"
    for person in (firm.boss, firm.anna, world.admin(), world.founder):
        assert person.get(path).status_code == 403
    assert world.client.get(path).status_code == 401
    assert _council(world, firm).get(f"/api/companies/{world.firm('Andere').id}/access-log").status_code == 404


def test_administrators_who_look_stand_in_it(world: World, firm: Firm) -> None:
    for kind in ("times", "account", "statement"):
        assert firm.boss.get(f"/api/users/{firm.anna.id}/{kind}").status_code == 200
    assert world.admin().get(f"/api/companies/{firm.id}/review").status_code == 200
    council = _council(world, firm)
    rows = [(row["actorName"], row["what"], row["subjects"]) for row in _log(council, firm)]
    anna = [{"userId": firm.anna.id, "username": "anna"}]
    by_boss = [("chefin", kind, anna) for kind in ("times", "account", "statement")]
    assert sorted(rows, key=str) == sorted([("System-Admin", "review", []), *by_boss], key=str)
    other_firm = world.firm("Andere")
    assert _log(_council(world, other_firm), other_firm) == []


TIMES = frozenset({"start", "end", "newStart", "newEnd", "takenAt", "clockedIn", "workedMinutesNet", "actualMinutes"})
"""Members of answers that hold an employee's working times."""
NO_LOOKS = {
    "/api/held-stamps": "stamps that belong to no company",
    "/api/time-corrections/mine": "the caller's own",
    "/api/time-corrections": "the decision stands in the audit log",
    "/api/time-corrections/{id}/approve": "the decision stands in the audit log",
    "/api/time-corrections/{id}/decline": "the decision stands in the audit log",
    "/api/companies/{companyId}/schedule": "the plan, and no times",
    "/api/schedule/swap-requests": "the caller's own",
    "/api/schedule/swap-requests/{id}/accept": "the caller's own",
    "/api/schedule/swap-requests/{id}/decline": "the caller's own",
}


def _members(schema: Any, models: dict[str, Any], visited: set[str]) -> set[str]:
    """Returns the names of all members of an answer, at every depth."""
    if isinstance(schema, list):
        return {name for each in schema for name in _members(each, models, visited)}
    if not isinstance(schema, dict):
        return set()
    if "$ref" in schema:
        model = schema["$ref"].rpartition("/")[2]
        return set() if model in visited else _members(models[model], models, visited | {model})
    nested = [value for key, value in schema.items() if key != "properties"]
    properties = schema.get("properties", {})
    return {*properties, *_members([*properties.values(), *nested], models, visited)}


def test_every_answer_with_somebodys_times_comes_from_a_guard_that_writes_the_look_down(app: FastAPI) -> None:
    described = app.openapi()
    silent = set()
    for route in app.routes:
        if not isinstance(route, APIRoute) or route.path not in described["paths"]:
            continue
        for method in route.methods:
            answers = described["paths"][route.path].get(method.lower(), {}).get("responses", {})
            successes = [answer for status, answer in answers.items() if status.startswith("2")]
            members = _members(successes, described["components"]["schemas"], set())
            if members & TIMES and getattr(guards_of(route.dependant)[0], "shows", None) is None:
                silent.add(route.path)
    assert silent == set(NO_LOOKS)


def test_corrections_held_stamps_and_absences_are_looks_too(world: World, firm: Firm) -> None:
    council = _council(world, firm)
    body = {"date": "2026-11-19", "newStart": "08:00", "newEnd": "16:00"}
    request_id = firm.anna.post("/api/time-corrections", json=body).json()["id"]
    operator = world.admin()
    preview = f"/api/time-corrections/{request_id}/preview"
    for person in (firm.boss, operator):
        for path in ("time-corrections", "held-stamps", "absences"):
            assert person.get(f"/api/companies/{firm.id}/{path}").status_code == 200
        assert person.get(preview).status_code == 200
        assert person.get(f"/api/users/{firm.anna.id}/absences").status_code == 200
    looks = {
        (row["actor"], row["what"], *(subject["userId"] for subject in row["subjects"])) for row in _log(council, firm)
    }
    kinds = [("corrections",), ("held",), ("absences",), ("corrections", firm.anna.id), ("absences", firm.anna.id)]
    assert looks == {(person.id, *kind) for person in (firm.boss, operator) for kind in kinds}


def test_another_companys_request_is_no_look(world: World, firm: Firm) -> None:
    body = {"date": "2026-11-19", "newStart": "08:00", "newEnd": "16:00"}
    request_id = firm.anna.post("/api/time-corrections", json=body).json()["id"]
    looks = _looks(world)
    for path in (f"/api/time-corrections/{request_id}/preview", f"/api/time-corrections/{firm.id}/preview"):
        assert world.firm("Andere").boss.get(path).status_code == 404
    assert _looks(world) == looks


def test_the_roster_is_no_time(world: World, firm: Firm) -> None:
    assert firm.boss.get(f"/api/companies/{firm.id}/schedule").status_code == 200
    assert firm.boss.get(f"/api/companies/{firm.id}/users").status_code == 200
    assert _log(_council(world, firm), firm) == []


def test_what_is_refused_is_no_look(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    assert other_firm.boss.get(f"/api/users/{firm.anna.id}/times").status_code == 404
    assert firm.anna.get(f"/api/users/{firm.ben.id}/times").status_code == 403
    assert _looks(world) == 0


def test_what_people_see_of_themselves_and_what_the_council_looks_at_is_not_written(world: World, firm: Firm) -> None:
    council = _council(world, firm)
    for path in (*ON_SITE.values(), *OF_COMPANY.values(), *REVIEW.values()):
        assert council.get(_path(path, firm)).status_code == 200
    assert firm.anna.get(f"/api/users/{firm.anna.id}/times").status_code == 200
    assert firm.boss.get(f"/api/users/{firm.boss.id}/times").status_code == 200
    assert _log(council, firm) == []
    assert _looks(world) == 0


def test_who_looks_again_within_the_hour_is_written_once(world: World, firm: Firm, clock: SettableClock) -> None:
    for _ in range(3):
        firm.boss.get(f"/api/users/{firm.anna.id}/times")
    clock.advance(hours=1)
    boss = world.again(firm.boss)
    boss.get(f"/api/users/{firm.anna.id}/times")
    boss.get(f"/api/users/{firm.ben.id}/times")
    assert [row["subjects"][0]["username"] for row in _log(_council(world, firm), firm)].count("anna") == 2
    assert _looks(world) == 3


def test_a_page_that_is_opened_four_times_at_once_is_one_look(platform: Platform, world: World, firm: Firm) -> None:
    calls = [lambda: firm.boss.get(f"/api/users/{firm.anna.id}/times").status_code] * 4
    answers = all_at_once(platform, *calls)
    assert answers == [200] * 4
    assert _looks(world) == 1


@ON_BOTH
def test_it_is_read_in_pages_and_by_days(world: World, firm: Firm, clock: SettableClock) -> None:
    today = clock.now().date()
    for _ in range(3):
        for person in (firm.anna, firm.ben):
            assert world.again(firm.boss).get(f"/api/users/{person.id}/times").status_code == 200
        clock.advance(days=1)
    council = _council(world, firm)
    rows = _log(council, firm)
    assert len(rows) == 6
    assert [row["at"] for row in rows] == sorted((row["at"] for row in rows), reverse=True)
    second = (today + timedelta(days=1)).isoformat()
    assert {row["at"][:10] for row in _log(council, firm, **{"from": second, "to": second})} == {second}
    wrong = council.get(f"/api/companies/{firm.id}/access-log", params={"from": second, "to": today.isoformat()})
    assert wrong.status_code == 422
