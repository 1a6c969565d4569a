"""People: who may create, change and delete them, and which fields each reader sees."""

from datetime import UTC, datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.events import PEOPLE_CHANGED
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_cloud.people.directory.tables import User

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import FIRM, PASSWORD, Firm, Somebody, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


def _new(company_id: str | None = None, **changes: Any) -> dict[str, Any]:
    body = {"username": "carla", "password": "lang genug", "tagId": "04:11:22:33", "role": "user"} | changes
    return body if company_id is None else body | {"companyId": company_id}


def _names(person: Somebody, company_id: str) -> list[str]:
    return [user["username"] for user in person.get(f"/api/companies/{company_id}/users").json()]


def test_another_companys_people_are_unknown(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    assert firm.boss.post("/api/users", json=_new(other_firm.id)).status_code == 404
    for user_id in (other_firm.anna.id, UNKNOWN, "nonsense"):
        assert firm.boss.put(f"/api/users/{user_id}", json={"username": "x"}).status_code == 404
        assert firm.boss.delete(f"/api/users/{user_id}").status_code == 404
        assert firm.boss.get(f"/api/companies/{other_firm.id}/users").status_code == 404
    assert _names(other_firm.boss, other_firm.id) == ["anna", "ben", "chefin"]


def test_a_body_that_contradicts_the_path_is_refused_and_changes_nothing(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    path = f"/api/users/{firm.anna.id}"
    contradictions: list[tuple[str, Any]] = [
        ("id", firm.ben.id),
        ("userId", firm.ben.id),
        ("id", "nonsense"),
        ("id", 7),
        ("companyId", other_firm.id),
        ("companyId", "nonsense"),
    ]
    for person in (firm.boss, world.founder):
        for member, value in contradictions:
            answer = person.put(path, json={"username": "x", member: value})
            assert (answer.status_code, answer.json()["code"]) == (422, "contradiction"), (member, value)
            assert answer.json()["errors"][0]["field"] == member
    assert firm.anna.put(path, json={"id": firm.ben.id}).status_code == 403
    assert world.client.put(path, json={"id": firm.ben.id}).status_code == 401
    assert other_firm.boss.put(path, json={"companyId": other_firm.id}).status_code == 404
    assert _names(firm.boss, firm.id) == ["anna", "ben", "chefin"]
    repeated = {"id": firm.anna.id.upper(), "userId": firm.anna.id, "companyId": firm.id.upper()}
    assert firm.boss.put(path, json={"username": "anne", **repeated}).json()["username"] == "anne"
    nulls = dict.fromkeys(repeated)
    assert firm.boss.put(path, json={"username": "anna", **nulls}).json()["username"] == "anna"


def test_creating_answers_the_row_and_the_person_can_log_in(client: TestClient, firm: Firm) -> None:
    answer = firm.boss.post("/api/users", json=_new(firm.id))
    assert answer.status_code == 201
    assert answer.json() == {
        "id": answer.json()["id"],
        "username": "carla",
        "tagId": "04112233",
        "role": "user",
        "isLocked": False,
    }
    login = client.post("/api/login", json={"company": firm.name, "username": "carla", "password": "lang genug"})
    assert (login.status_code, login.json()["userId"]) == (200, answer.json()["id"])


def test_administrators_are_told_of_the_department_that_holds_today_and_colleagues_are_not(firm: Firm) -> None:
    path = f"/api/companies/{firm.id}/users"
    for valid_from, department in (("2026-01-01", "Werkstatt"), ("2027-01-01", "Büro")):
        body = {"department": department, "validFrom": valid_from}
        assert firm.boss.put(f"/api/users/{firm.anna.id}/employment", json=body).status_code == 200
    departments = {row["username"]: row.get("department", "") for row in firm.boss.get(path).json()}
    assert departments == {"anna": "Werkstatt", "ben": "", "chefin": ""}
    assert {tuple(row) for row in firm.ben.get(path).json()} == {("id", "username")}


def test_a_company_administrator_may_leave_the_company_out(firm: Firm) -> None:
    answer = firm.boss.post("/api/users", json=_new())
    assert answer.status_code == 201
    assert "carla" in _names(firm.boss, firm.id)


MALFORMED: list[tuple[dict[str, Any], str, str | None]] = [
    ({"username": "  "}, "username", "Bitte einen Benutzernamen eingeben."),
    ({"username": "x" * 101}, "username", "Zu lang (höchstens 100 Zeichen)."),
    ({"username": "a\0b"}, "username", "Ungültiger Wert."),
    ({"password": "kurz"}, "password", "Das Passwort muss mindestens 8 Zeichen haben."),
    ({"password": "x" * 257}, "password", "Das Passwort darf höchstens 256 Zeichen haben."),
    ({"password": None}, "password", "Text erwartet."),
    ({"tagId": " "}, "tagId", "Bitte eine Tag-ID eingeben."),
    ({"tagId": "04A1"}, "tagId", None),
    ({"tagId": "04A1/B2"}, "tagId", None),
    ({"tagId": "FOUNDER"}, "tagId", "Die Tag-ID FOUNDER ist reserviert."),
    ({"tagId": "i t"}, "tagId", "Die Tag-ID IT ist reserviert."),
    ({"tagId": "fo-und:er"}, "tagId", "Die Tag-ID FOUNDER ist reserviert."),
    ({"role": "boss"}, "role", "Unbekannter Wert."),
    ({"tagFrom": "gestern"}, "tagFrom", "Ungültiger Wert."),
]


@ON_BOTH
@pytest.mark.parametrize("password", ["12345678", "carla 2026", "stempelwerk!", f"{FIRM}-1"])
def test_a_person_gets_no_password_that_is_guessed_first(firm: Firm, password: str) -> None:
    for role in ("user", "companyAdmin"):
        refused = firm.boss.post("/api/users", json=_new(firm.id, password=password, role=role))
        assert (refused.status_code, refused.json()["code"]) == (422, "password_guessable")
        assert refused.json()["errors"] == [{"field": "password", "message": passwords.GUESSABLE.sentence}]
    assert _names(firm.boss, firm.id) == ["anna", "ben", "chefin"]


def test_the_name_of_another_company_is_not_found_by_trying_passwords(firm: Firm) -> None:
    other_firm = firm.world.firm("Bäckerei Krume")
    for password in ("drei nasse Hunde", "Bäckerei Krume"):
        refused = firm.boss.post("/api/users", json=_new(other_firm.id, password=password))
        assert refused.status_code == 404


def test_malformed_people_are_refused_in_german(firm: Firm) -> None:
    for changes, field, sentence in MALFORMED:
        refused = firm.boss.post("/api/users", json=_new(firm.id, **changes))
        assert refused.status_code == 422, changes
        (error,) = refused.json()["errors"]
        assert error["field"] == field
        assert error["message"] == sentence or (sentence is None and "Chip" in error["message"])
    assert _names(firm.boss, firm.id) == ["anna", "ben", "chefin"]


@pytest.mark.parametrize(
    ("tag", "code", "sentence"),
    [
        ("0x04A1B2C3", "tag_hex_prefix", "Das 0x gehört nicht zur Tag-ID. Bitte nur die Zeichen dahinter eingeben."),
        (
            "1,2345E+07",
            "tag_scientific",
            "Diese Tag-ID ist eine Zahl mit Exponent, wie Tabellenprogramme sie schreiben: Stellen des Chips fehlen. "
            "Bitte in der Tabelle die Spalte als Text formatieren und die Tag-ID neu eingeben.",
        ),
        (
            "12345678,00",
            "tag_number_format",
            "Diese Tag-ID ist eine Zahl mit Tausenderpunkten oder Nachkommastellen, wie Tabellenprogramme sie "
            "schreiben. Bitte in der Tabelle die Spalte als Text formatieren und die Tag-ID neu eingeben.",
        ),
        (
            "14112233445566700000",
            "tag_rounded",
            "Diese Tag-ID ist eine lange Zahl mit Nullen am Ende: Tabellenprogramme behalten nur 15 Stellen. Bitte in "
            "der Tabelle die Spalte als Text formatieren und die Tag-ID neu eingeben. Endet der Chip wirklich so, dann "
            "mit Doppelpunkten schreiben, zum Beispiel 14:11:22:33.",
        ),
    ],
)
def test_a_tag_that_a_spreadsheet_turned_into_a_number_is_refused_by_its_sentence(
    firm: Firm, tag: str, code: str, sentence: str
) -> None:
    for refused in (
        firm.boss.post("/api/users", json=_new(firm.id, tagId=tag)),
        firm.boss.put(f"/api/users/{firm.anna.id}", json={"tagId": tag}),
    ):
        assert (refused.status_code, refused.json()["code"]) == (422, code)
        assert refused.json()["errors"] == [{"field": "tagId", "message": sentence}]
    assert [row["tagId"] for row in _list(firm.boss, firm.id) if row["username"] == "anna"] == ["04A1B2C3"]


@pytest.mark.parametrize(("typed", "tag"), [("12345E03", "12345E03"), ("14:11:22:33:44:55:66:70:00:00", None)])
def test_a_chip_whose_number_only_resembles_a_damaged_one_is_given(firm: Firm, typed: str, tag: str | None) -> None:
    created = firm.boss.post("/api/users", json=_new(firm.id, tagId=typed))
    assert (created.status_code, created.json()["tagId"]) == (201, tag or typed.replace(":", ""))


@pytest.mark.parametrize("name", ["\ufdfa" * 50, "\u0958" * 100, "\ufb2c" * 40])
def test_a_name_that_grows_too_long_in_its_one_spelling_is_refused_at_its_field(firm: Firm, name: str) -> None:
    """A ligature is compared as its letters (NFKC), and some characters are stored as several (NFC)."""
    for refused in (
        firm.boss.post("/api/users", json=_new(firm.id, username=name)),
        firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": name}),
    ):
        sentence = "Zu lang: höchstens 100 Zeichen, und manches Schriftzeichen zählt mehrfach."
        assert (refused.status_code, refused.json()["errors"]) == (422, [{"field": "username", "message": sentence}])
    assert _names(firm.boss, firm.id) == ["anna", "ben", "chefin"]


def test_what_is_missing_is_named(firm: Firm) -> None:
    refused = firm.boss.post("/api/users", json={})
    assert {error["field"] for error in refused.json()["errors"]} == {"username", "password", "tagId", "role"}


def test_a_username_is_taken_once_in_a_company_and_free_in_another(world: World, firm: Firm) -> None:
    answer = firm.boss.post("/api/users", json=_new(firm.id, username=" ANNA "))
    assert (answer.status_code, answer.json()["code"]) == (409, "username_taken")
    renamed = firm.boss.put(f"/api/users/{firm.ben.id}", json={"username": "Anna"})
    assert (renamed.status_code, renamed.json()["code"]) == (409, "username_taken")
    assert firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": "Anna"}).json()["username"] == "Anna"
    other_firm = world.firm("Andere")
    assert other_firm.boss.post("/api/users", json=_new(other_firm.id)).status_code == 201
    assert firm.boss.post("/api/users", json=_new(firm.id)).status_code == 201


def test_the_name_of_a_deleted_person_is_free_again(firm: Firm) -> None:
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 404
    assert firm.boss.post("/api/users", json=_new(firm.id, username="anna")).status_code == 201


def test_administrators_are_told_of_the_deleted_until_they_are_erased(
    world: World, firm: Firm, clock: SettableClock
) -> None:
    path = f"/api/companies/{firm.id}/users?deleted=true"
    firm.boss.delete(f"/api/users/{firm.anna.id}")
    assert firm.ben.get(path).status_code == 403
    assert world.firm("Andere GmbH").boss.get(path).status_code == 404
    (row,) = firm.boss.get(path).json()
    assert (row["id"], row["username"], row["tagId"]) == (firm.anna.id, "anna", None)
    assert row["deletedAt"]
    clock.set(datetime(2029, 1, 1, 12, tzinfo=UTC))  # data that times refer to, such as a tag, may be deleted with them
    boss = world.again(firm.boss)
    assert boss.post(f"/api/users/{firm.anna.id}/erasure", json={"comment": "Auf Wunsch."}).status_code == 200
    assert boss.get(path).json() == []


def test_deleting_ends_the_login_at_once(firm: Firm) -> None:
    firm.boss.delete(f"/api/users/{firm.anna.id}")
    assert firm.anna.get(f"/api/companies/{firm.id}/features").status_code == 401
    assert _names(firm.boss, firm.id) == ["ben", "chefin"]


def test_nobody_deletes_or_demotes_themselves(firm: Firm) -> None:
    assert firm.boss.delete(f"/api/users/{firm.boss.id}").status_code == 409
    assert firm.boss.put(f"/api/users/{firm.boss.id}", json={"role": "user"}).status_code == 409
    assert (
        firm.boss.put(f"/api/users/{firm.boss.id}", json={"username": "Chefin", "role": "companyAdmin"}).status_code
        == 200
    )


def test_a_new_role_ends_the_sessions_and_the_same_role_does_not(world: World, firm: Firm) -> None:
    path = f"/api/companies/{firm.id}/features"
    assert firm.boss.put(f"/api/users/{firm.anna.id}", json={"role": "user"}).status_code == 200
    assert firm.anna.get(path).status_code == 200
    promoted = firm.boss.put(f"/api/users/{firm.anna.id}", json={"role": "companyAdmin"})
    assert promoted.json()["role"] == "companyAdmin"
    assert firm.anna.get(path).status_code == 401
    assert world.again(firm.anna).get(f"/api/companies/{firm.id}/settings").status_code == 200


def test_a_deleted_company_takes_no_people(world: World, firm: Firm) -> None:
    world.founder.delete(f"/api/companies/{firm.id}")
    assert world.founder.post("/api/users", json=_new(firm.id)).status_code == 404
    assert world.founder.put(f"/api/users/{firm.anna.id}", json={"username": "x"}).status_code == 404


# -- which fields each reader sees


def test_each_role_sees_its_fields_and_everybody_by_name(world: World, firm: Firm, platform: Platform) -> None:
    with platform.database.write(SYSTEM) as tx:
        tx.execute(update(User).where(User.id == firm.ben.id).values(is_locked=True, lock_token="t" * 64))
    path = f"/api/companies/{firm.id}/users"
    assert firm.anna.get(path).json() == [
        {"id": firm.anna.id, "username": "anna"},
        {"id": firm.ben.id, "username": "ben"},
        {"id": firm.boss.id, "username": "chefin"},
    ]
    for_boss = firm.boss.get(path).json()
    assert for_boss[1] == {
        "id": firm.ben.id,
        "username": "ben",
        "tagId": "04D4E5F6",
        "role": "user",
        "isLocked": True,
    }
    for_admin = world.admin().get(path).json()
    extra = {"lockToken": "t" * 64, "secondFactor": None, "resetExpiresAt": None}
    assert for_admin[1] == for_boss[1] | extra
    assert for_admin[0]["lockToken"] is None


def test_no_answer_ever_holds_a_password(world: World, firm: Firm) -> None:
    answers = [
        world.founder.post("/api/users", json=_new(firm.id)),
        world.founder.get(f"/api/companies/{firm.id}/users"),
        firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": "anna2"}),
    ]
    for answer in answers:
        assert "argon2" not in answer.text
        assert "lang genug" not in answer.text
        assert "assword" not in answer.text


# -- system administrators and protected users


def test_only_a_founder_makes_system_administrators(world: World, firm: Firm) -> None:
    sentence = "Nur Nutzer mit FOUNDER-Tag dürfen einen System-Admin anlegen."
    for person, company_id in ((firm.boss, firm.id), (world.admin(), world.operator_id)):
        refused = person.post("/api/users", json=_new(company_id, role="admin"))
        assert (refused.status_code, refused.json()["message"]) == (403, sentence)
    answer = world.founder.post("/api/users", json=_new(world.operator_id, role="admin"))
    assert (answer.status_code, answer.json()["role"]) == (201, "admin")


def test_a_system_administrator_says_for_which_company_a_login_is(world: World, firm: Firm) -> None:
    wish = {"username": "neu", "password": "ein gutes Passwort", "tagId": "04AABBCC", "role": "user"}
    for body in (wish, wish | {"companyId": None}):
        refused = world.founder.post("/api/users", json=body)
        assert refused.status_code == 422
        assert refused.json()["message"] == "Bitte Firma wählen und Username/Passwort/Tag-ID ausfüllen."
    assert firm.boss.post("/api/users", json=wish).status_code == 201


@pytest.mark.parametrize("field", ["companyId", "username", "password", "tagId"])
def test_a_login_that_a_system_administrator_leaves_incomplete_is_refused_in_the_forms_own_words(
    world: World, firm: Firm, field: str
) -> None:
    refused = world.founder.post("/api/users", json=_new(firm.id) | {field: ""})
    sentence = "Bitte Firma wählen und Username/Passwort/Tag-ID ausfüllen."
    assert (refused.status_code, refused.json()["errors"]) == (422, [{"field": field, "message": sentence}])
    assert refused.json()["message"] == sentence
    assert "carla" not in _names(firm.boss, firm.id)


def test_only_a_founder_assigns_the_role_of_a_system_administrator(world: World, firm: Firm) -> None:
    sentence = "Nur Nutzer mit FOUNDER-Tag dürfen die Rolle 'System-Admin' zuweisen."
    staff = world.user(world.operator_id, "staff", tag="04123456")
    for person, user in ((firm.boss, firm.anna), (world.admin(), staff), (world.admin("admin2"), firm.anna)):
        refused = person.put(f"/api/users/{user.id}", json={"role": "admin"})
        assert (refused.status_code, refused.json()["message"]) == (403, sentence)
    assert world.founder.put(f"/api/users/{staff.id}", json={"role": "admin"}).status_code == 200


def test_system_administrators_belong_to_the_operators_company(world: World, firm: Firm) -> None:
    answer = world.founder.post("/api/users", json=_new(firm.id, role="admin"))
    assert answer.status_code == 422
    assert world.founder.put(f"/api/users/{firm.anna.id}", json={"role": "admin"}).status_code == 422
    assert firm.anna.get(f"/api/companies/{firm.id}/features").status_code == 200


def test_only_founders_see_and_touch_system_administrators(world: World) -> None:
    admin, other_admin = world.admin("eins"), world.admin("zwei")
    staff = world.user(world.operator_id, "leitung", "companyAdmin", "04123456")
    assert _names(world.founder, world.operator_id) == ["eins", "gründer", "leitung", "zwei"]
    assert _names(admin, world.operator_id) == ["eins", "leitung"]
    assert _names(staff, world.operator_id) == ["leitung"]
    for person in (admin, staff):
        assert person.put(f"/api/users/{other_admin.id}", json={"username": "x"}).status_code == 404
        assert person.delete(f"/api/users/{other_admin.id}").status_code == 404
    assert world.founder.delete(f"/api/users/{other_admin.id}").status_code == 204


def test_a_protected_user_is_neither_edited_nor_deleted_by_anyone(world: World) -> None:
    with world.platform.database.write(SYSTEM) as tx:
        tx.execute(
            update(User)
            .where(User.id == world.user(world.operator_id, "technik", tag="04123456").id)
            .values(protected_as="IT")
        )
        technik = tx.scalars(select(User.id).where(User.username == "technik")).one()
    edit, remove = (
        world.founder.put(f"/api/users/{world.founder.id}", json={"username": "x"}),
        world.founder.delete(f"/api/users/{world.founder.id}"),
    )
    assert (edit.status_code, edit.json()["message"]) == (403, "Dieser Nutzer kann nicht bearbeitet werden (FOUNDER).")
    assert (remove.status_code, remove.json()["message"]) == (
        403,
        "Nutzer kann aus Sicherheitsgründen nicht gelöscht werden",
    )
    assert world.admin().put(f"/api/users/{technik}", json={"tagId": "04999999"}).status_code == 403
    assert world.admin("zwei").delete(f"/api/users/{technik}").status_code == 403
    tags = {user["username"]: user["tagId"] for user in _list(world.founder, world.operator_id)}
    assert (tags["gründer"], tags["technik"]) == ("FOUNDER", "IT")


def _list(person: Somebody, company_id: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = person.get(f"/api/companies/{company_id}/users").json()
    return rows


def test_two_companies_may_hold_the_same_tag(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    assert _list(other_firm.boss, other_firm.id)[0]["tagId"] == _list(firm.boss, firm.id)[0]["tagId"]


def test_who_comes_goes_or_is_renamed_is_told_to_the_rooms_above(firm: Firm, platform: Platform) -> None:
    emitted: list[list[str]] = []
    platform.signals.on(PEOPLE_CHANGED, lambda _work, company_id, user_ids: emitted.append(list(user_ids)))
    user_id = firm.boss.post("/api/users", json=_new(firm.id)).json()["id"]
    firm.boss.put(f"/api/users/{user_id}", json={"username": "carla"})
    assert emitted == [[user_id]]
    firm.boss.put(f"/api/users/{user_id}", json={"username": "Carla B."})
    firm.boss.delete(f"/api/users/{user_id}")
    assert emitted == [[user_id], [user_id], [user_id]]


def test_the_stored_password_is_an_argon2id_hash(firm: Firm, platform: Platform) -> None:
    firm.boss.post("/api/users", json=_new(firm.id, password=PASSWORD))
    with platform.database.read(SYSTEM) as tx:
        password_hash = tx.scalars(select(User.password_hash).where(User.username == "carla")).one()
    assert password_hash.startswith("$argon2id$v=19$")
