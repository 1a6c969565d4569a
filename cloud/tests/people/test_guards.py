"""Access to calls: no session 401, another company's thing 404, a wrong role or a colleague's thing 403."""

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.guards import (
    Administrators,
    AdminOnly,
    Anyone,
    AnySession,
    DeviceOnly,
    MemberOf,
    OfCompany,
    SelfUser,
    StreamOfSelf,
)

from cloud.tests.databases import ON_SQLITE
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


@pytest.fixture
def probe(app: FastAPI) -> Iterator[FastAPI]:
    """Builds one endpoint per guard; those with a caller return the company of the call."""

    @app.get("/api/p/anyone")
    def anyone(_: Anyone) -> str:
        return "hello"

    @app.get("/api/p/device")
    def device(_: DeviceOnly) -> str:
        return "hello"

    @app.get("/api/p/session")
    def session(caller: AnySession) -> str:
        return caller.subject_company_id

    @app.get("/api/p/admin")
    def admin(caller: AdminOnly) -> str:
        return caller.subject_company_id

    @app.get("/api/p/administrators")
    def administrators(caller: Administrators) -> str:
        return caller.subject_company_id

    @app.get("/api/p/companies/{companyId}/member")
    def member(caller: MemberOf) -> str:
        return caller.subject_company_id

    @app.get("/api/p/companies/{id}/company")
    def company(caller: OfCompany) -> str:
        return caller.subject_company_id

    @app.get("/api/p/users/{userId}/self")
    def oneself(caller: SelfUser) -> str:
        return caller.subject_company_id

    @app.get("/api/p/users/{userId}/stream")
    def stream(caller: StreamOfSelf) -> str:
        return caller.subject_company_id

    return app


@pytest.fixture
def other_firm(world: World) -> Firm:
    return world.firm("Bäckerei Krume")


CLOSED = [
    "/api/p/session",
    "/api/p/admin",
    "/api/p/administrators",
    f"/api/p/companies/{UNKNOWN}/member",
    f"/api/p/companies/{UNKNOWN}/company",
    f"/api/p/users/{UNKNOWN}/self",
    f"/api/p/users/{UNKNOWN}/stream",
]


@ON_SQLITE
@pytest.mark.parametrize("header", ["", "Bearer", "Bearer ", "Bearer nonsense", "Basic YTpi", "bearer \u00e4"])
def test_without_a_session_everything_is_401(probe: FastAPI, client: TestClient, header: str) -> None:
    for path in CLOSED:
        answer = client.get(path, headers={"Authorization": header.encode()} if header else {})
        assert answer.status_code == 401, path
        assert answer.headers["www-authenticate"] == "Bearer"


def test_an_expired_session_is_401_everywhere(probe: FastAPI, firm: Firm, world: World, clock: SettableClock) -> None:
    clock.advance(hours=2)
    assert {world.founder.get(path).status_code for path in CLOSED} == {401}


def test_anyone_needs_nothing_and_a_clock_is_no_person(probe: FastAPI, client: TestClient, firm: Firm) -> None:
    assert client.get("/api/p/anyone").status_code == 200
    assert client.get("/api/p/device").status_code == 200
    for person in (firm.anna, firm.boss, firm.world.founder):
        assert person.get("/api/p/device").status_code == 401


def _statuses(path: str, *people: Somebody) -> list[int]:
    return [person.get(path).status_code for person in people]


def test_a_system_administrator_is_unknown_to_everybody_but_founders(
    probe: FastAPI, world: World, firm: Firm, other_firm: Firm
) -> None:
    admin, colleague = world.admin(), world.admin("zweiter")
    oneself = f"/api/p/users/{admin.id}/self"
    assert _statuses(oneself, admin, world.founder) == [200, 200]
    assert _statuses(oneself, colleague, firm.boss, firm.anna) == [404, 404, 404]
    assert colleague.get(f"/api/p/users/{world.founder.id}/self").status_code == 404
    assert colleague.get(f"/api/p/users/{firm.anna.id}/self").status_code == 200


def test_roles_open_what_is_theirs(probe: FastAPI, world: World, firm: Firm) -> None:
    everybody = (firm.anna, firm.boss, world.admin(), world.founder)
    assert _statuses("/api/p/session", *everybody) == [200, 200, 200, 200]
    assert _statuses("/api/p/administrators", *everybody) == [403, 200, 200, 200]
    assert _statuses("/api/p/admin", *everybody) == [403, 403, 200, 200]


def test_a_company_is_open_to_its_own_people_and_unknown_to_others(
    probe: FastAPI, world: World, firm: Firm, other_firm: Firm
) -> None:
    member, company = f"/api/p/companies/{firm.id}/member", f"/api/p/companies/{firm.id}/company"
    assert _statuses(member, firm.anna, firm.boss, other_firm.anna, other_firm.boss, world.admin()) == [
        200,
        200,
        404,
        404,
        200,
    ]
    assert _statuses(company, firm.anna, firm.boss, other_firm.anna, other_firm.boss, world.founder) == [
        403,
        200,
        404,
        404,
        200,
    ]
    assert world.founder.get(company).json() == firm.id


@pytest.mark.parametrize("company_id", [UNKNOWN, "nonsense", "1", "%00"])
def test_an_unknown_company_is_404_for_everybody(probe: FastAPI, firm: Firm, company_id: str) -> None:
    for kind in ("member", "company"):
        path = f"/api/p/companies/{company_id}/{kind}"
        assert _statuses(path, firm.anna, firm.boss, firm.world.founder) == [404, 404, 404]


def test_a_deleted_company_is_404_also_for_a_system_administrator(probe: FastAPI, world: World, firm: Firm) -> None:
    assert world.founder.delete(f"/api/companies/{firm.id}").status_code == 204
    assert _statuses(f"/api/p/companies/{firm.id}/member", world.founder) == [404]
    assert _statuses(f"/api/p/users/{firm.anna.id}/self", world.founder) == [404]


@pytest.mark.parametrize("kind", ["self", "stream"])
def test_a_person_is_open_to_themselves_their_administrator_and_the_system(
    probe: FastAPI, world: World, firm: Firm, other_firm: Firm, kind: str
) -> None:
    path = f"/api/p/users/{firm.anna.id}/{kind}"
    assert _statuses(path, firm.anna, firm.boss, world.admin()) == [200, 200, 200]
    assert _statuses(path, firm.ben) == [403]
    assert _statuses(path, other_firm.anna, other_firm.boss) == [404, 404]
    assert world.founder.get(path).json() == firm.id
    assert _statuses(f"/api/p/users/{UNKNOWN}/{kind}", firm.anna, firm.boss, world.founder) == [404, 404, 404]
    assert _statuses(f"/api/p/users/nonsense/{kind}", firm.anna, world.founder) == [404, 404]


def test_an_id_has_one_spelling_and_any_other_is_unknown(probe: FastAPI, firm: Firm) -> None:
    assert _statuses(f"/api/p/users/{firm.anna.id.upper()}/self", firm.anna, firm.boss) == [404, 404]
    assert _statuses(f"/api/p/companies/{firm.id.upper()}/member", firm.anna) == [404]
    assert _statuses(f"/api/p/companies/{firm.id.replace('-', '')}/member", firm.anna) == [404]


def _ticket(person: Somebody, path: str) -> str:
    answer = person.post("/api/tickets", json={"path": path})
    assert answer.status_code == 200
    assert answer.json()["expiresIn"] == 30
    ticket: str = answer.json()["ticket"]
    return ticket


def test_a_ticket_opens_its_path_once(probe: FastAPI, client: TestClient, firm: Firm) -> None:
    path = f"/api/p/users/{firm.anna.id}/stream"
    ticket = _ticket(firm.anna, path)
    assert client.get(f"{path}?token={ticket}").status_code == 200
    assert client.get(f"{path}?token={ticket}").status_code == 401


def test_a_ticket_opens_no_other_path_and_is_spent_by_trying(probe: FastAPI, client: TestClient, firm: Firm) -> None:
    path = f"/api/p/users/{firm.anna.id}/stream"
    ticket = _ticket(firm.anna, "/api/p/elsewhere")
    assert client.get(f"{path}?token={ticket}").status_code == 401
    plain = _ticket(firm.anna, "/api/p/session")
    assert client.get(f"/api/p/session?token={plain}").status_code == 401


def test_a_ticket_gives_no_more_than_its_session(probe: FastAPI, client: TestClient, firm: Firm) -> None:
    path = f"/api/p/users/{firm.anna.id}/stream"
    assert client.get(f"{path}?token={_ticket(firm.ben, path)}").status_code == 403


def test_a_ticket_ends_after_30_seconds_and_with_its_session(
    probe: FastAPI, client: TestClient, firm: Firm, clock: SettableClock
) -> None:
    path = f"/api/p/users/{firm.anna.id}/stream"
    ticket = _ticket(firm.anna, path)
    clock.advance(seconds=30)
    assert client.get(f"{path}?token={ticket}").status_code == 401
    ticket = _ticket(firm.anna, path)
    firm.anna.post("/api/logout")
    assert client.get(f"{path}?token={ticket}").status_code == 401


@ON_SQLITE
@pytest.mark.parametrize("path", ["", "x", "http://evil.example/api/", "/", "/api/" + "x" * 500])
def test_a_ticket_is_for_a_path_of_the_api(firm: Firm, path: str) -> None:
    assert firm.anna.post("/api/tickets", json={"path": path}).status_code == 422


def test_a_session_token_in_the_query_opens_nothing_unless_the_installation_allows_it(
    probe: FastAPI, client: TestClient, firm: Firm, platform: Platform
) -> None:
    path = f"/api/p/users/{firm.anna.id}/stream"
    assert client.get(f"{path}?token={firm.anna.token}").status_code == 401
    platform.settings = platform.settings.model_copy(update={"query_sessions": True})
    assert client.get(f"{path}?token={firm.anna.token}").status_code == 200
    assert client.get(f"/api/p/session?token={firm.anna.token}").status_code == 401


def test_a_wrong_ticket_is_not_mended_by_a_header(probe: FastAPI, firm: Firm) -> None:
    path = f"/api/p/users/{firm.anna.id}/stream"
    assert firm.anna.get(f"{path}?token=nonsense").status_code == 401
