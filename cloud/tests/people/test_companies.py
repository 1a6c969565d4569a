"""Companies and their modules."""

import json

import pytest
from fastapi.testclient import TestClient
from stempelwerk_cloud.kit.events import COMPANY_CLOSED
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.words import FEATURES

from cloud.tests.databases import ON_SQLITE
from cloud.tests.world import Firm, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


@pytest.mark.parametrize("name", ["", "   ", "\t\n"])
def test_a_company_needs_a_name(world: World, name: str) -> None:
    refused = world.founder.post("/api/companies", json={"name": name})
    assert refused.status_code == 422
    assert refused.json()["errors"] == [{"field": "name", "message": "Bitte einen Firmennamen eingeben."}]


@pytest.mark.parametrize("name", ["\ufdfa" * 100, "\u0958" * 150])
def test_a_name_that_grows_too_long_in_its_one_spelling_is_refused_at_its_field(world: World, name: str) -> None:
    refused = world.founder.post("/api/companies", json={"name": name})
    sentence = "Zu lang: höchstens 200 Zeichen, und manches Schriftzeichen zählt mehrfach."
    assert (refused.status_code, refused.json()["errors"]) == (422, [{"field": "name", "message": sentence}])


@pytest.mark.parametrize(
    "name",
    ["Tischlerei Holzmann", " tischlerei  HOLZMANN ", "Tischlerei\u200b Holzmann", "Tischlerei\t Holz\ufe0fmann\u3164"],
)
def test_two_companies_may_not_share_a_name(world: World, firm: Firm, name: str) -> None:
    refused = world.founder.post("/api/companies", json={"name": name})
    assert (refused.status_code, refused.json()["code"]) == (409, "company_exists")


def test_creating_answers_the_row_and_trims_the_name(world: World) -> None:
    answer = world.founder.post("/api/companies", json={"name": "  Bäckerei   Krume "})
    assert answer.status_code == 201
    assert answer.json()["name"] == "Bäckerei Krume"
    assert answer.json() in world.founder.get("/api/companies").json()


def test_companies_are_listed_by_name_with_the_operators_own(world: World, firm: Firm) -> None:
    world.founder.post("/api/companies", json={"name": "bäckerei"})
    companies = world.founder.get("/api/companies").json()
    assert [company["name"] for company in companies] == ["bäckerei", "Plattform", firm.name]
    assert all(set(company) == {"id", "name"} for company in companies)


def test_a_company_tells_its_people_and_system_administrators_its_name_and_zone(world: World, firm: Firm) -> None:
    path = f"/api/companies/{firm.id}"
    for person in (firm.anna, firm.boss, world.founder):
        answer = person.get(path)
        expected = {"id": firm.id, "name": firm.name, "timeZone": "Europe/Berlin"}
        assert (answer.status_code, answer.json()) == (200, expected)
    firm.boss.put(f"{path}/settings", json={"timeZone": "Europe/Lisbon"})
    assert firm.anna.get(path).json()["timeZone"] == "Europe/Lisbon"


def test_nobody_learns_another_companys_name(client: TestClient, world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    for company_id in (other_firm.id, world.operator_id, UNKNOWN, "nonsense"):
        for person in (firm.anna, firm.boss):
            refused = person.get(f"/api/companies/{company_id}")
            assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    assert client.get(f"/api/companies/{firm.id}").status_code == 401


def test_a_deleted_company_has_no_name_any_more(world: World, firm: Firm) -> None:
    world.founder.delete(f"/api/companies/{firm.id}")
    for company_id in (firm.id, UNKNOWN):
        assert world.founder.get(f"/api/companies/{company_id}").status_code == 404


def test_a_deleted_company_is_gone_and_its_name_free(world: World, firm: Firm) -> None:
    assert world.founder.delete(f"/api/companies/{firm.id}").status_code == 204
    assert world.founder.delete(f"/api/companies/{firm.id}").status_code == 404
    assert firm.name not in str(world.founder.get("/api/companies").json())
    answer = world.founder.post("/api/companies", json={"name": firm.name})
    assert answer.status_code == 201
    assert answer.json()["id"] != firm.id


def test_deleting_ends_the_sessions_of_its_people_and_of_nobody_else(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    world.founder.delete(f"/api/companies/{firm.id}")
    for person in (firm.boss, firm.anna, firm.ben):
        assert person.post("/api/tickets", json={"path": "/api/x"}).status_code == 401
    assert other_firm.anna.post("/api/tickets", json={"path": "/api/x"}).status_code == 200


def test_deleting_tells_the_other_rooms_in_the_same_step(world: World, firm: Firm, platform: Platform) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise LookupError

    platform.signals.on(COMPANY_CLOSED, refuse)
    assert world.founder.delete(f"/api/companies/{firm.id}").status_code == 500
    assert firm.anna.get(f"/api/companies/{firm.id}/features").status_code == 200


def test_the_operators_company_stays(world: World) -> None:
    refused = world.founder.delete(f"/api/companies/{world.operator_id}")
    assert (refused.status_code, refused.json()["code"]) == (409, "operator_company")


def test_there_are_eleven_modules_with_their_labels(world: World) -> None:
    features = world.founder.get("/api/features").json()
    assert [(feature["key"], feature["label"]) for feature in features] == [
        ("manage_employees", "Mitarbeiter verwalten"),
        ("schedule", "Dienstplan verwalten"),
        ("absences", "Abwesenheiten bestätigen"),
        ("costs", "Mitarbeiterkosten einsehen"),
        ("devices", "Geräte verwalten"),
        ("hours_config", "Arbeitszeiten konfigurieren"),
        ("monthly_mail", "Daten Export"),
        ("error_log", "Fehlerlog"),
        ("present", "Anwesende Mitarbeiter"),
        ("privacy", "Datenschutz zustimmen"),
        ("data_view", "Gespeicherte Firmendaten sehen"),
    ]
    assert len({feature["id"] for feature in features}) == 11


def test_the_ids_of_modules_never_change() -> None:
    assert FEATURES[0].id == "fd3eda06-3e20-5550-96e2-9ed547c7cc40"


def test_a_new_company_has_every_module(world: World, firm: Firm) -> None:
    assert len(firm.boss.get(f"/api/companies/{firm.id}/features").json()) == 11


def test_modules_are_set_by_id_or_key_and_seen_by_the_company(world: World, firm: Firm) -> None:
    all_features = world.founder.get("/api/features").json()
    path = f"/api/companies/{firm.id}/features"
    answer = world.founder.put(path, json={"featureIds": [all_features[4]["id"], "schedule", "schedule"]})
    assert answer.status_code == 200
    assert [feature["key"] for feature in answer.json()] == ["schedule", "devices"]
    assert firm.anna.get(path).json() == answer.json() == world.founder.get(path).json()
    assert world.founder.put(path, json={"featureIds": []}).json() == []


@ON_SQLITE
@pytest.mark.parametrize("unknown", ["login", "", "x" * 70_000])
def test_an_unknown_module_changes_nothing(world: World, firm: Firm, unknown: str) -> None:
    path = f"/api/companies/{firm.id}/features"
    body = json.dumps({"featureIds": ["schedule", unknown]})
    refused = world.founder.put(path, content=body, headers={"Content-Type": "application/json"})
    assert refused.status_code == 422
    assert refused.json()["message"] == "Unter den Modulen ist ein unbekanntes."
    assert len(firm.boss.get(path).json()) == 11
