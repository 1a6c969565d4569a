"""The audit log: which decisions are in it, who may read it, and how it is read."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.audit import service
from stempelwerk_cloud.people.audit_log import service as audit_log
from stempelwerk_cloud.people.directory import people
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import MORNING, NOBODY, Site, hours
from cloud.tests.world import Firm, Somebody, World


def _log(reader: Somebody, company_id: str, query: str = "") -> list[dict[str, Any]]:
    answer = reader.get(f"/api/companies/{company_id}/audit{query}")
    assert answer.status_code == 200, answer.text
    entries: list[dict[str, Any]] = answer.json()
    return entries


def _summary(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    return entry["action"], entry["actorName"], entry["subjectName"], entry["before"], entry["after"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?limit=0", 422),
        ("?limit=201", 422),
        ("?from=2026-11-02&to=2026-11-01", 422),
        ("?from=gestern", 422),
        ("?action=%25", 422),
        ("?before=nonsense", 422),
        ("?before=0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", 422),
    ],
)
def test_a_malformed_question_is_refused(firm: Firm, query: str, status: int) -> None:
    assert firm.boss.get(f"/api/companies/{firm.id}/audit{query}").status_code == status


@ON_BOTH
def test_who_is_no_founder_reads_nothing_about_other_system_administrators(world: World) -> None:
    body = {"companyId": world.operator_id, "username": "zweite", "password": "lang genug!", "tagId": "04AA00CC"}
    other_id = world.founder.post("/api/users", json=body | {"role": "admin"}).json()["id"]
    admin, manager = world.admin(), world.user(world.operator_id, "büro", COMPANY_ADMIN)
    assert other_id in {entry["subject"] for entry in _log(world.founder, world.operator_id)}
    for reader in (admin, manager):
        entries = _log(reader, world.operator_id)
        assert not {other_id, world.founder.id} & {entry["subject"] for entry in entries}
        assert "gründer" not in str(entries)
        assert "zweite" not in str(entries)


def test_the_operators_log_outlives_a_deleted_company(world: World) -> None:
    company = world.founder.post("/api/companies", json={"name": "Kurz & Klein"}).json()["id"]
    assert world.founder.delete(f"/api/companies/{company}").status_code == 204
    entries = [entry for entry in _log(world.founder, world.operator_id) if entry["subject"] == company]
    assert [(entry["action"], entry["actorName"], entry["subjectName"]) for entry in entries] == [
        ("company.deleted", "gründer", "Kurz & Klein"),
        ("company.created", "gründer", "Kurz & Klein"),
    ]


def test_what_is_decided_about_people_is_in_the_log(firm: Firm) -> None:
    new = {"username": "clara", "password": "lang genug!", "tagId": "04:AA:BB:CC", "role": "user"}
    clara = firm.boss.post("/api/users", json=new).json()["id"]
    firm.boss.put(f"/api/users/{clara}", json={"username": "Clara K.", "role": "companyAdmin", "tagId": "04AABBDD"})
    firm.boss.put(f"/api/users/{clara}", json={"username": "Clara K.", "role": "companyAdmin"})
    firm.boss.delete(f"/api/users/{clara}")
    entries = [entry for entry in _log(firm.boss, firm.id) if entry["subject"] == clara]
    assert [_summary(entry) for entry in reversed(entries)] == [
        ("user.created", "chefin", "Clara K.", None, {"username": "clara", "role": "user", "tag": "04AABBCC"}),
        ("user.role", "chefin", "Clara K.", {"role": "user"}, {"role": "companyAdmin"}),
        ("user.changed", "chefin", "Clara K.", {"username": "clara"}, {"username": "Clara K."}),
        ("user.tag", "chefin", "Clara K.", {"tag": "04AABBCC"}, {"tag": "04AABBDD"}),
        (
            "user.deleted",
            "chefin",
            "Clara K.",
            {"username": "Clara K.", "role": "companyAdmin", "tags": ["04AABBDD"]},
            None,
        ),
    ]
    assert {entry["actor"] for entry in entries} == {firm.boss.id}


def test_a_refused_decision_is_not_in_the_log(firm: Firm) -> None:
    entries_before = _log(firm.boss, firm.id)
    body = {"username": "ANNA", "password": "lang genug!", "tagId": "04AABBCC", "role": "user"}
    assert firm.boss.post("/api/users", json=body).status_code == 409
    assert firm.boss.delete(f"/api/users/{firm.boss.id}").status_code == 409
    assert _log(firm.boss, firm.id) == entries_before


def test_a_companys_life_is_in_its_own_log(world: World) -> None:
    created = world.founder.post("/api/companies", json={"name": "Bäckerei Krume"}).json()
    company = f"/api/companies/{created['id']}"
    world.founder.put(f"{company}/features", json={"featureIds": ["devices", "costs"]})
    world.founder.put(f"{company}/features", json={"featureIds": ["costs", "devices"]})
    world.founder.put(f"{company}/settings", json={"maxShiftHours": 12, "validFrom": "2026-11-01"})
    world.founder.put(f"{company}/settings", json={"maxShiftHours": 12, "validFrom": "2026-11-01"})
    entries = _log(world.founder, created["id"])
    assert [entry["action"] for entry in entries] == ["company.settings", "company.features", "company.created"]
    assert {entry["actorName"] for entry in entries} == {"gründer"}
    assert {entry["subjectName"] for entry in entries} == {"Bäckerei Krume"}
    assert entries[0]["before"] == {"maxShiftHours": 16, "validFrom": "2026-11-01"}
    assert entries[0]["after"] == {"maxShiftHours": 12, "validFrom": "2026-11-01"}
    assert entries[1]["after"] == {"features": ["costs", "devices"]}
    assert world.founder.delete(company).status_code == 204
    with world.platform.database.read(SYSTEM) as tx:
        assert service.verify(tx).heads[created["id"]][0] == 4


@ON_BOTH
def test_the_installations_own_command_has_no_actor(world: World) -> None:
    (entry,) = _log(world.founder, world.operator_id, "?action=user.created")
    assert (entry["actor"], entry["actorName"], entry["subjectName"]) == (None, None, "gründer")
    assert entry["after"] == {"username": "gründer", "role": "admin", "protectedAs": "FOUNDER"}


def test_only_founders_are_shown_which_system_administrator_it_was(firm: Firm, world: World) -> None:
    path = f"/api/users/{firm.anna.id}"
    admin = world.admin("root")
    assert admin.put(path, json={"username": "Anna B."}).status_code == 200
    names = [_log(reader, firm.id)[0]["actorName"] for reader in (firm.boss, admin, world.founder)]
    assert names == ["System-Admin", "System-Admin", "root"]


@ON_BOTH
def test_what_is_decided_about_clocks_is_in_the_log(site: Site) -> None:
    device = f"/api/devices/{site.device.device_id}"
    site.boss.put(device, json={"name": "Werkstatt"})
    other_firm = site.world.firm("Bäckerei Krume")
    site.founder.post(f"{device}/assign-company", json={"companyId": other_firm.id})
    site.founder.post(f"{device}/unassign")
    site.founder.put(device, json={"notes": "im Lager"})
    entries = _log(site.boss, site.firm.id, "?action=device.")
    assert [entry["action"] for entry in entries] == ["device.unassigned", "device.changed", "device.assigned"]
    assert {entry["subjectName"] for entry in entries} == {"Werkstatt"}
    assert entries[1]["after"] == {"name": "Werkstatt", "notes": ""}
    theirs = _log(site.founder, other_firm.id, "?action=device.")
    assert [entry["action"] for entry in theirs] == ["device.unassigned", "device.assigned"]
    (nobodys,) = _log(site.founder, site.world.operator_id, "?action=device.")
    assert (nobodys["action"], nobodys["after"]["notes"]) == ("device.changed", "im Lager")


def test_what_is_decided_about_held_stamps_is_in_the_log(site: Site) -> None:
    site.device.deliver(site.device.tap(NOBODY, MORNING), site.device.tap("04EEEEEE", MORNING + hours(1)))
    ids_by_tag = {stamp["tag"]: stamp["id"] for stamp in site.held()}
    body = {"tag": NOBODY, "userId": site.firm.anna.id, "from": "2026-11-20T00:00:00Z"}
    path = f"/api/companies/{site.firm.id}/held-stamps"
    assert site.boss.post(f"{path}/assign", json=body).json() == {"booked": 1}
    assert site.boss.post(f"{path}/{ids_by_tag['04EEEEEE']}/resolve", json={"action": "discard"}).status_code == 200
    resolved, assigned = _log(site.boss, site.firm.id, "?action=stamps.")
    assert _summary(assigned) == (
        "stamps.tag_given",
        "chefin",
        "anna",
        None,
        {"tag": NOBODY, "from": "2026-11-20T00:00:00.000Z", "booked": 1},
    )
    assert (resolved["action"], resolved["subject"], resolved["after"]) == (
        "stamps.resolved",
        ids_by_tag["04EEEEEE"],
        {"action": "discard"},
    )
    assert _log(site.boss, site.firm.id, "?action=stamps.res") == []


def test_erasing_words_shows_null_and_breaks_nothing(firm: Firm) -> None:
    firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": "Anna B."})
    platform = firm.world.platform
    with platform.database.write(SYSTEM) as tx:
        service.erase_words(tx, firm.id, firm.anna.id)
    (changed,) = _log(firm.boss, firm.id, "?action=user.changed")
    assert (changed["before"], changed["after"]) == ({"username": None}, {"username": None})
    with platform.database.read(SYSTEM) as tx:
        assert service.verify(tx).broken is None


def test_only_who_is_named_on_a_page_is_looked_up(firm: Firm, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[set[str]] = []
    names_of = people.names_of

    def noted(session: Session, company_id: str, user_ids: Iterable[str]) -> dict[str, str]:
        names = names_of(session, company_id, user_ids)
        looked_up.append(set(names.values()))
        return names

    monkeypatch.setattr(audit_log, "names_of", noted)
    with firm.world.platform.database.write(SYSTEM) as tx:  # a subject need not be an id
        service.append(tx, firm.world.platform, firm.id, None, "month.closed", "2026-11")
    firm.boss.delete(f"/api/users/{firm.anna.id}")
    deletion, month, _ = _log(firm.boss, firm.id)
    assert (deletion["actorName"], deletion["subjectName"]) == ("chefin", "anna")
    assert (month["subject"], month["subjectName"]) == ("2026-11", None)
    assert looked_up == [{"chefin", "anna"}]


@ON_BOTH
def test_pages_follow_each_other_by_link(firm: Firm) -> None:
    for number in range(5):
        firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": f"anna {number}"})
    path: str | None = f"/api/companies/{firm.id}/audit?limit=2&action=user."
    names = []
    while path is not None:
        answer = firm.boss.get(path)
        names += [entry["after"]["username"] for entry in answer.json()]
        link = answer.headers.get("link")
        path = None if link is None else link.removeprefix("<").removesuffix('>; rel="next"')
    assert names == ["anna 4", "anna 3", "anna 2", "anna 1", "anna 0"]


@ON_BOTH
def test_the_log_is_searched_by_actor_kind_and_local_day(firm: Firm, world: World, clock: SettableClock) -> None:
    firm.boss.put(f"/api/users/{firm.anna.id}", json={"username": "Anna B."})
    clock.advance(hours=15, minutes=30)  # 23:30 UTC of the 20th is the 21st in Berlin
    boss = world.again(firm.boss)
    boss.put(f"/api/users/{firm.ben.id}", json={"username": "Ben B."})
    world.again(world.founder).put(f"/api/users/{firm.ben.id}", json={"username": "Ben C."})
    names = [
        [entry["after"]["username"] for entry in _log(boss, firm.id, f"?action=user.changed&{query}")]
        for query in (
            "from=2026-11-21",
            "to=2026-11-20",
            "from=2026-11-20&to=2026-11-21",
            f"actor={boss.id}",
            f"actor={world.founder.id}",
        )
    ]
    assert names == [
        ["Ben C.", "Ben B."],
        ["Anna B."],
        ["Ben C.", "Ben B.", "Anna B."],
        ["Ben B.", "Anna B."],
        ["Ben C."],
    ]
    assert boss.get(f"/api/companies/{firm.id}/audit/kinds").json() == ["company.created", "user.changed"]


@ON_BOTH
def test_only_system_administrators_read_about_other_companies(world: World) -> None:
    staff = world.user(world.operator_id, "personal", "companyAdmin")
    customer = world.founder.post("/api/companies", json={"name": "Kurz & Klein"}).json()["id"]
    world.founder.delete(f"/api/companies/{customer}")
    staff.put(f"/api/companies/{world.operator_id}/settings", json={"maxShiftHours": 12})
    kinds = f"/api/companies/{world.operator_id}/audit/kinds"
    for reader in (world.founder, world.admin()):
        subjects = [entry["subject"] for entry in _log(reader, world.operator_id, "?action=company.")]
        assert subjects == [world.operator_id, customer, customer, world.operator_id]
        assert "company.deleted" in reader.get(kinds).json()
    entries = _log(staff, world.operator_id)
    assert [entry["action"] for entry in entries] == ["company.settings", "company.created"]
    assert {entry["subject"] for entry in entries} == {world.operator_id}
    assert "company.deleted" not in staff.get(kinds).json()


@ON_BOTH
def test_the_first_and_the_last_day_of_the_calendar_are_days(firm: Firm) -> None:
    assert _log(firm.boss, firm.id, "?from=0001-01-01&to=9999-12-31") == _log(firm.boss, firm.id)
