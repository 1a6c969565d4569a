"""Administrators who stamp: their leave, illness and corrections are entered by one of them, themselves included."""

from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN

from cloud.tests.planning.illness import TODAY, company_absences, hand_in, note, report, reported
from cloud.tests.planning.leaving import allow, asks
from cloud.tests.room import inbox
from cloud.tests.world import Firm, Somebody, World

CORRECTION = {"date": "2026-11-19", "newStart": "08:00", "newEnd": "12:00"}


def _corrected(actor: Somebody, person: Somebody) -> Response:
    return actor.post("/api/time-corrections", json=CORRECTION | {"userId": person.id})


def test_nobody_else_enters_anything_for_an_administrator(world: World, firm: Firm) -> None:
    allow(firm)
    for person, status in ((firm.anna, 403), (world.firm("Andere").boss, 404), (world.firm("Dritte").anna, 404)):
        refused = [
            asks(person, "2026-12-07", userId=firm.boss.id),
            report(person, userId=firm.boss.id),
            _corrected(person, firm.boss),
        ]
        assert [answer.status_code for answer in refused] == [status] * 3


def test_an_administrator_enters_their_own_and_nobody_is_told_what_they_did_themselves(
    platform: Platform, firm: Firm
) -> None:
    allow(firm)
    assert asks(firm.boss, "2026-12-07", userId=firm.boss.id).json()["status"] == "approved"
    assert report(firm.boss, userId=firm.boss.id).status_code == 201
    corrected = _corrected(firm.boss, firm.boss)
    assert (corrected.status_code, corrected.json()["status"]) == (201, "approved")
    assert [row["userId"] for row in company_absences(firm)] == [firm.boss.id]
    assert inbox(firm.boss) == []
    with platform.database.read(SYSTEM) as session:
        rows = session.scalars(
            select(AuditEntry).where(AuditEntry.company_id == firm.id, AuditEntry.actor == firm.boss.id)
        )
        by_action = {row.action: row.after for row in rows}
    for action in ("vacation.approved", "absence.reported", "correction.approved"):
        assert firm.boss.id in str(by_action[action])


def test_an_administrator_hands_in_their_own_note_and_nobody_elses(world: World, firm: Firm) -> None:
    (own_absence,) = reported(firm.boss, userId=firm.boss.id)
    (annas,) = reported(firm.anna)
    second_admin = world.user(firm.id, "vertretung", COMPANY_ADMIN)
    refused = [
        hand_in(firm.boss, annas["id"]),
        hand_in(second_admin, own_absence["id"]),
        hand_in(firm.anna, own_absence["id"]),
        hand_in(world.firm("Andere").boss, own_absence["id"]),
    ]
    assert [answer.status_code for answer in refused] == [403, 403, 403, 404]
    assert note(firm.boss, own_absence["id"]).status_code == 404
    assert hand_in(firm.boss, own_absence["id"]).status_code == 200
    assert note(second_admin, own_absence["id"]).headers["content-type"] == "image/jpeg"


def test_another_administrator_enters_it_and_they_are_told(world: World, firm: Firm) -> None:
    allow(firm)
    second_admin = world.user(firm.id, "vertretung", COMPANY_ADMIN)
    assert asks(second_admin, "2026-12-07", userId=firm.boss.id).status_code == 201
    assert report(second_admin, userId=firm.boss.id).status_code == 201
    assert _corrected(second_admin, firm.boss).status_code == 201
    assert {type_ for type_, *_ in inbox(firm.boss)} == {"vacation_response", "absence", "correction_response"}


def test_an_administrator_reads_their_own_times_account_and_corrections(world: World, firm: Firm) -> None:
    assert _corrected(firm.boss, firm.boss).status_code == 201
    own_path = f"/api/users/{firm.boss.id}"
    (entry,) = firm.boss.get(f"{own_path}/times?from=2026-11-19&to=2026-11-19").json()
    assert (entry["start"], entry["end"]) == ("08:00", "12:00")
    assert firm.boss.get(f"{own_path}/account?month=2026-11").status_code == 200
    assert [row["userId"] for row in firm.boss.get("/api/time-corrections/mine").json()] == [firm.boss.id]
    assert world.founder.get("/api/time-corrections/mine").status_code == 403


# -- illness over duties


def _sick_messages(firm: Firm) -> list[str]:
    return [body for _, title, body, _ in inbox(firm.boss) if title == "Krankmeldung"]


def test_a_sick_report_over_duties_names_them_to_the_administrators(firm: Firm) -> None:
    for duty in ({"date": TODAY}, {"date": "2026-11-21", "start": "22:00", "end": "06:00"}, {"date": "2026-11-23"}):
        answer = firm.boss.post(f"/api/companies/{firm.id}/schedule", json=duty | {"userId": firm.anna.id})
        assert answer.status_code == 201
    firm.boss.post(f"/api/companies/{firm.id}/schedule", json={"date": TODAY, "userId": firm.ben.id})
    reported(firm.anna, TODAY, "2026-11-22")
    duties = "Dienste in dieser Zeit: 20. November 2026; 21. November 2026 22:00–06:00."
    assert _sick_messages(firm) == [f"anna hat sich vom 20. bis 22. November 2026 krankgemeldet. {duties}"]
    reported(firm.boss, TODAY, userId=firm.ben.id)
    assert _sick_messages(firm)[1:] == [
        "Für ben wurde eine Krankmeldung eingetragen: am 20. November 2026. Dienste in dieser Zeit: 20. November 2026."
    ]


def test_a_sick_report_over_no_duty_names_none(firm: Firm) -> None:
    reported(firm.anna)
    assert _sick_messages(firm) == ["anna hat sich am 20. November 2026 krankgemeldet."]
    reported(firm.boss, userId=firm.ben.id)
    assert len(_sick_messages(firm)) == 1
