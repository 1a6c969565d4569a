"""Sick reports, the employee's messages, and the administrator's decisions."""

from datetime import date

import pytest
from sqlalchemy import select
from stempelwerk_cloud.domain.days import AbsentDay
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.directory.callers import USER
from stempelwerk_cloud.people.directory.people import find_user
from stempelwerk_cloud.people.users import service as users
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.absences.decisions import rounds
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.facts.tables import Absence

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.planning.illness import (
    TODAY,
    company_absences,
    decide,
    hand_in,
    messages_of,
    missed,
    own_absences,
    read_all,
    report,
    reported,
)
from cloud.tests.room import inbox, logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import ANNA, MORNING, Site, hours
from cloud.tests.world import Firm, World

THURSDAY, FRIDAY = date(2026, 11, 19), date(2026, 11, 20)


# --- refusals -------------------------------------------------------------------------------------------------------


def test_nobody_reports_a_colleague_or_a_stranger_sick(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    assert report(firm.anna, userId=firm.ben.id).status_code == 403
    assert report(firm.anna, userId=other_firm.anna.id).status_code == 404
    assert report(firm.anna, userId=world.platform.ids.new()).status_code == 404
    assert report(firm.anna, userId="nobody").status_code == 404
    assert report(firm.boss, userId=other_firm.anna.id).status_code == 404
    assert company_absences(firm) == company_absences(other_firm) == []


@pytest.mark.parametrize(
    ("days", "field"),
    [
        (("2026-11-15", "2026-11-20"), "startDate"),
        (("2026-11-27", "2026-12-01"), "endDate"),
        (("2026-12-01", "2026-12-02"), "endDate"),
    ],
)
def test_nobody_is_ill_outside_of_their_employment(firm: Firm, days: tuple[str, str], field: str) -> None:
    employment = {"entryDate": "2026-11-16", "exitDate": "2026-11-30"}
    assert firm.boss.put(f"/api/users/{firm.anna.id}/employment", json=employment).status_code == 200
    for refused in (report(firm.anna, *days), report(firm.boss, *days, userId=firm.anna.id)):
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, field)
    assert company_absences(firm) == []
    reported(firm.anna, "2026-11-16", "2026-11-30")


def test_an_administrator_names_who_is_ill(world: World, firm: Firm) -> None:
    missing = report(firm.boss)
    assert (missing.status_code, missing.json()["errors"][0]["field"]) == (422, "userId")
    assert report(world.founder, userId=world.founder.id).status_code == 422
    deleted = world.user(firm.id, "weg")
    with world.platform.database.write(SYSTEM) as tx:
        work = UnitOfWork(tx, world.platform)
        users.remove(work, find_user(tx, firm.id, deleted.id))
    assert report(firm.boss, userId=deleted.id).status_code == 404


@ON_SQLITE
@pytest.mark.parametrize(
    ("start", "end", "field"),
    [
        ("2026-11-20", "2026-11-19", "endDate"),
        ("2026-11-20", "2027-05-22", "endDate"),
        ("2025-11-19", "2025-11-19", "startDate"),
        ("2027-05-23", "2027-05-23", "startDate"),
        ("0001-01-01", "0001-01-02", "startDate"),
        ("9999-12-31", "9999-12-31", "startDate"),
    ],
)
def test_days_that_cannot_be_reported_are_refused(firm: Firm, start: str, end: str, field: str) -> None:
    answer = report(firm.anna, start, end)
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)
    assert report(firm.anna, "2026-02-30").status_code == 422
    assert own_absences(firm.anna) == []


def test_the_furthest_days_that_can_be_reported(firm: Firm) -> None:
    assert len(reported(firm.anna, "2025-11-20", "2026-05-21")) == 183
    assert len(reported(firm.ben, "2027-05-22", "2027-05-22")) == 1


def test_a_day_is_reported_once(firm: Firm) -> None:
    reported(firm.anna, "2026-11-20", "2026-11-22")
    repeated = report(firm.anna, "2026-11-22", "2026-11-23")
    assert (repeated.status_code, repeated.json()["code"]) == (409, "already_reported")
    assert "22. November 2026" in repeated.json()["message"]
    assert report(firm.boss, "2026-11-20", userId=firm.anna.id).status_code == 409
    assert len(own_absences(firm.anna)) == 3
    assert len(reported(firm.ben)) == 1


def test_an_excused_day_is_not_reported_and_a_declined_one_is(firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    assert decide(firm.boss, absence["id"], "excuse").status_code == 200
    assert report(firm.anna).status_code == 409
    (declined,) = reported(firm.ben)
    assert decide(firm.boss, declined["id"], "decline").status_code == 200
    (reported_again,) = reported(firm.ben)
    assert reported_again["id"] != declined["id"]
    assert [row["status"] for row in own_absences(firm.ben)] == ["declined", "open"]


def test_lists_are_the_companys_own(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    reported(firm.anna)
    assert company_absences(other_firm) == []
    assert other_firm.boss.get(f"/api/companies/{firm.id}/absences").status_code == 404
    assert firm.anna.get(f"/api/companies/{firm.id}/absences").status_code == 403
    assert firm.ben.get(f"/api/users/{firm.anna.id}/absences").status_code == 403
    assert other_firm.boss.get(f"/api/users/{firm.anna.id}/absences").status_code == 404
    assert firm.boss.get(f"/api/companies/{firm.id}/absences?status=late").status_code == 422


def test_a_period_that_is_none_is_refused(firm: Firm) -> None:
    path = f"/api/users/{firm.anna.id}/absences"
    for query in ("from=2026-11-20&to=2026-11-19", "from=2026-01-01&to=2027-02-05", "from=gestern"):
        assert firm.anna.get(f"{path}?{query}").status_code == 422
    assert firm.anna.get(f"{path}?from=2026-01-01&to=2027-02-04").status_code == 200


# --- reporting ------------------------------------------------------------------------------------------------------


def test_a_report_has_a_row_for_each_day(world: World, firm: Firm) -> None:
    rows = reported(firm.anna, "2026-11-20", "2026-11-22")
    assert [row["date"] for row in rows] == ["2026-11-20", "2026-11-21", "2026-11-22"]
    assert len({row["reportId"] for row in rows}) == 1
    expected = {
        "kind": "sick",
        "status": "open",
        "sickNotePath": None,
        "userMessage": None,
        "userId": firm.anna.id,
        "username": "anna",
    }
    assert all(expected.items() <= row.items() for row in rows)
    assert own_absences(firm.anna) == rows
    assert company_absences(firm) == rows[::-1]
    payload = {"what": "sick", "startDate": "2026-11-20", "endDate": "2026-11-22", "userId": firm.anna.id}
    assert messages_of(firm.boss) == [("request", payload | {"reportId": rows[0]["reportId"]})]
    assert messages_of(firm.anna) == []
    assert logged(world, firm.id, "absence.") == ["absence.reported"]


def test_what_an_administrator_enters_stays_open_and_the_employee_is_told(world: World, firm: Firm) -> None:
    assert [row["status"] for row in reported(firm.boss, userId=firm.anna.id)] == ["open"]
    assert [row["status"] for row in reported(world.admin(), "2026-11-21", userId=firm.anna.id)] == ["open"]
    assert [type_ for type_, _ in messages_of(firm.anna)] == ["absence", "absence"]
    assert messages_of(firm.boss) == []


def test_who_reports_a_day_on_which_they_were_missing_is_sick_on_it(world: World, firm: Firm) -> None:
    (thursday,) = missed(firm, firm.anna, THURSDAY)
    firm.anna.post(f"/api/absences/{thursday}/message", json={"message": "Ich war beim Arzt."})
    rows = reported(firm.anna, "2026-11-18", "2026-11-20")
    assert rows[1]["id"] == thursday
    assert len({row["reportId"] for row in rows}) == 1
    assert [row["kind"] for row in rows] == ["sick"] * 3
    assert rows[1]["userMessage"] == "Ich war beim Arzt."
    (excused,) = missed(firm, firm.ben, THURSDAY)
    decide(firm.boss, excused, "excuse")
    assert report(firm.ben, "2026-11-19").status_code == 409


def test_lists_are_asked_by_status_and_by_day(firm: Firm) -> None:
    first, second, third = reported(firm.anna, "2026-11-29", "2026-12-01")
    decide(firm.boss, first["id"], "excuse")
    decide(firm.boss, second["id"], "decline")
    assert [row["id"] for row in company_absences(firm, "open")] == [third["id"]]
    assert [row["id"] for row in company_absences(firm, "excused")] == [first["id"]]
    assert [row["id"] for row in company_absences(firm, "declined")] == [second["id"]]
    assert [row["id"] for row in company_absences(firm)] == [third["id"], second["id"], first["id"]]
    assert [row["id"] for row in own_absences(firm.anna)] == [first["id"], second["id"]]
    assert [row["id"] for row in own_absences(firm.anna, "?from=2026-11-30&to=2026-12-31")] == [
        second["id"],
        third["id"],
    ]
    path = f"/api/users/{firm.anna.id}/absences?from=2026-12-01"
    assert [row["id"] for row in firm.boss.get(path).json()] == [third["id"]]


# --- messages ---


@ON_SQLITE
@pytest.mark.parametrize("text", ["", "   \n", "x" * 2001, "a\0b", 7, None])
def test_a_message_that_is_none_is_refused(firm: Firm, text: object) -> None:
    (absence,) = reported(firm.anna)
    answer = firm.anna.post(f"/api/absences/{absence['id']}/message", json={"message": text})
    assert answer.status_code == 422
    assert own_absences(firm.anna)[0]["userMessage"] is None


def test_a_message_stands_at_the_absence_and_the_administrators_are_told(world: World, firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    path = f"/api/absences/{absence['id']}/message"
    answer = firm.anna.post(path, json={"message": "  Die Krankmeldung kommt morgen. \n"})
    assert (answer.status_code, answer.json()["userMessage"]) == (200, "Die Krankmeldung kommt morgen.")
    assert firm.anna.post(path, json={"message": "x" * 2000}).status_code == 200
    assert company_absences(firm)[0]["userMessage"] == "x" * 2000
    ((type_, payload),) = messages_of(firm.boss)
    expected = {"what": "absence_message", "date": TODAY, "userId": firm.anna.id, "reportId": absence["reportId"]}
    assert (type_, {name: payload[name] for name in expected}) == ("request", expected)
    (body,) = (body for _, _, body, _ in inbox(firm.boss))
    sick = "anna hat sich am 20. November 2026 krankgemeldet."
    assert body == f"{sick}\nanna hat zur Abwesenheit vom 20. November 2026 eine Nachricht geschrieben."


def test_what_was_read_of_an_illness_is_not_told_again(world: World, firm: Firm) -> None:
    first, second = reported(firm.anna, "2026-11-20", "2026-11-21")
    read_all(firm.boss)
    path = f"/api/absences/{first['id']}/message"
    assert firm.anna.post(path, json={"message": "Fieber."}).status_code == 200
    bodies = [body for _, _, body, _ in inbox(firm.boss)]
    assert bodies[1:] == ["anna hat zur Abwesenheit vom 20. November 2026 eine Nachricht geschrieben."]
    reported(firm.anna, "2026-11-27")
    assert len(inbox(firm.boss)) == 3
    decide(firm.boss, first["id"], "excuse")
    decide(firm.boss, second["id"], "decline")
    ((_, title, body, payload),) = inbox(firm.anna)
    assert (title, payload["status"]) == ("Abwesenheit abgelehnt", "declined")
    excused, declined = body.split(".\nDeine")
    assert (excused, declined) == (
        "Deine Abwesenheit am 20. November 2026 wurde entschuldigt",
        " Abwesenheit am 21. November 2026 wurde abgelehnt.",
    )


@pytest.mark.parametrize("decision", ["excuse", "decline"])
def test_nobody_writes_to_a_decided_absence(firm: Firm, decision: str) -> None:
    (absence,) = reported(firm.anna)
    decide(firm.boss, absence["id"], decision)
    answer = firm.anna.post(f"/api/absences/{absence['id']}/message", json={"message": "Doch!"})
    assert (answer.status_code, answer.json()["code"]) == (409, "not_open")


# --- decisions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("decision", "status"), [("excuse", "excused"), ("decline", "declined")])
def test_a_day_is_decided_once_and_the_employee_is_told(world: World, firm: Firm, decision: str, status: str) -> None:
    first, second = reported(firm.anna, "2026-11-20", "2026-11-21")
    answer = decide(firm.boss, first["id"], decision)
    assert (answer.status_code, answer.json()) == (200, first | {"status": status})
    for word in ("excuse", "decline"):
        refused = decide(firm.boss, first["id"], word)
        assert (refused.status_code, refused.json()["code"]) == (409, "already_decided")
        assert refused.json()["decidedBy"] == "chefin"
        assert refused.json()["decidedAt"].startswith(TODAY)
    assert [row["status"] for row in own_absences(firm.anna)] == [status, "open"]
    payload = {"status": status, "date": TODAY, "reportId": first["reportId"]}
    assert messages_of(firm.anna) == [("absence_response", payload)]
    assert logged(world, firm.id, "absence.") == ["absence.reported", f"absence.{status}"]
    assert firm.boss.post(f"/api/absences/{second['id']}/{decision}").status_code == 200


def test_a_whole_report_is_decided_at_once(world: World, firm: Firm) -> None:
    first, second, third = reported(firm.anna, "2026-11-20", "2026-11-22")
    decide(firm.boss, second["id"], "decline")
    assert decide(firm.boss, third["id"], "excuse", wholeReport=True).json()["status"] == "excused"
    assert [row["status"] for row in own_absences(firm.anna)] == ["excused", "declined", "excused"]
    payload = {"status": "excused", "date": "2026-11-20", "startDate": "2026-11-20", "endDate": "2026-11-22"}
    assert messages_of(firm.anna) == [("absence_response", payload | {"reportId": first["reportId"]})]
    assert decide(firm.boss, first["id"], "decline", wholeReport=True).status_code == 409
    assert decide(firm.boss, first["id"], "decline", wholeReport="all").status_code == 422


def test_several_days_of_a_report_are_decided_in_one_step(world: World, firm: Firm) -> None:
    first, _, third, fourth = reported(firm.anna, "2026-11-20", "2026-11-23")
    days = [third["id"], fourth["id"], third["id"]]
    assert decide(firm.boss, first["id"], "decline", days=days).json()["status"] == "declined"
    assert [row["status"] for row in own_absences(firm.anna)] == ["declined", "open", "declined", "declined"]
    (message,) = inbox(firm.anna, "absence_response")
    gap = "am 20. November 2026 und vom 22. bis 23. November 2026"
    assert message.body == f"Deine Abwesenheit {gap} wurde abgelehnt."
    assert logged(world, firm.id, "absence.") == ["absence.reported", *["absence.declined"] * 3]


def test_of_several_days_all_are_decided_or_none(world: World, firm: Firm) -> None:
    first, second, third = reported(firm.anna, "2026-11-20", "2026-11-22")
    (of_ben,) = reported(firm.ben)
    decide(firm.boss, third["id"], "decline")
    for named_ids, status in (
        ([second["id"], third["id"]], 409),
        ([second["id"], of_ben["id"]], 404),
        ([second["id"], "00000000-0000-0000-0000-000000000000"], 404),
        (["x" * 500], 404),
        ([second["id"]] * 1000, 422),
        (second["id"], 422),
    ):
        assert decide(firm.boss, first["id"], "excuse", days=named_ids).status_code == status, named_ids
    assert [row["status"] for row in own_absences(firm.anna)] == ["open", "open", "declined"]
    assert [row["status"] for row in own_absences(firm.ben)] == ["open"]
    assert decide(firm.boss, first["id"], "excuse", days=[third["id"]]).json()["decidedBy"] == "chefin"


def test_a_system_administrator_decides_and_is_not_named(world: World, firm: Firm) -> None:
    (absence,) = reported(firm.anna)
    assert decide(world.admin(), absence["id"], "excuse").status_code == 200
    assert decide(firm.boss, absence["id"], "excuse").json()["decidedBy"] == "System-Admin"


# --- who came after all ---------------------------------------------------------------------------------------------


@ON_BOTH
def test_who_has_stamped_after_all_is_not_missing(site: Site) -> None:
    """The day is neither visible nor can it be decided, even before the job runs."""
    firm, anna = site.firm, site.somebody(site.firm.anna)
    gone_id, stays = missed(firm, anna, FRIDAY, THURSDAY)[::-1]
    assert len(own_absences(anna)) == 2
    site.device.deliver(site.device.tap(ANNA, MORNING))
    boss = site.boss
    assert (
        [row["id"] for row in own_absences(anna)]
        == [row["id"] for row in company_absences(firm, reader=boss)]
        == [stays]
    )
    for decision in ("excuse", "decline"):
        assert decide(boss, gone_id, decision).status_code == 404
        assert decide(site.founder, gone_id, decision).status_code == 404
    assert anna.post(f"/api/absences/{gone_id}/message", json={"message": "Ich war da!"}).status_code == 404
    assert hand_in(anna, gone_id).status_code == 404
    assert boss.get(f"/api/absences/{gone_id}/sick-note").status_code == 404
    platform = site.world.platform
    with platform.database.read(SYSTEM) as tx:
        person_days = days.load(tx, firm.id, [anna.id], THURSDAY, FRIDAY).people[anna.id]
        assert person_days.absences == {THURSDAY: AbsentDay("missing", "open", noted=False)}
    rounds.remove_gone(platform)
    rounds.remove_gone(platform)
    with platform.database.read(SYSTEM) as tx:
        assert list(tx.scalars(select(Absence.id))) == [stays]
    assert logged(site.world, firm.id, "absence.")[-1] == "absence.came"
    assert decide(boss, stays, "excuse").status_code == 200


def test_what_is_decided_stays_whatever_arrives(site: Site) -> None:
    firm, anna = site.firm, site.somebody(site.firm.anna)
    (decided,) = missed(firm, anna, FRIDAY)
    assert decide(site.boss, decided, "decline").status_code == 200
    (sick,) = reported(anna)
    site.device.deliver(site.device.tap(ANNA, MORNING), site.device.tap(ANNA, MORNING + hours(2)))
    rounds.remove_gone(site.world.platform)
    assert {row["id"] for row in own_absences(anna)} == {decided, sick["id"]}


def test_who_was_missing_and_came_may_still_be_ill_from_noon(site: Site) -> None:
    anna = site.somebody(site.firm.anna)
    missed(site.firm, anna, FRIDAY)
    site.device.deliver(site.device.tap(ANNA, MORNING))
    assert [row["kind"] for row in reported(anna)] == ["sick"]
    assert [row["kind"] for row in own_absences(anna)] == ["sick"]


# --- what is written down ---------------------------------------------------------------------------------------


def test_who_is_missing_is_written_down_once_and_told(world: World, firm: Firm) -> None:
    missed(firm, firm.anna, THURSDAY)
    missed(firm, firm.anna, THURSDAY)
    reported(firm.ben, "2026-11-19")
    missed(firm, firm.ben, THURSDAY)
    assert [(row["username"], row["kind"]) for row in company_absences(firm)] == [("ben", "sick"), ("anna", "missing")]
    assert messages_of(firm.anna) == [("absence", {"what": "missing", "date": "2026-11-19"})]
    payload = {"what": "missing", "date": "2026-11-19", "userId": firm.anna.id}
    assert messages_of(firm.boss)[0] == ("request", payload)
    (declined,) = missed(firm, firm.anna, THURSDAY)
    decide(firm.boss, declined, "decline")
    missed(firm, firm.anna, THURSDAY)
    assert len(company_absences(firm)) == 2


def test_absences_of_who_has_left_keep_their_name(world: World, firm: Firm) -> None:
    reported(firm.anna)
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    assert [row["username"] for row in company_absences(firm)] == ["anna"]


def test_the_day_is_the_companys(world: World, firm: Firm, clock: SettableClock) -> None:
    """A year ago and half a year ahead are counted from its own today."""
    firm.boss.put(
        f"/api/companies/{firm.id}/settings", json={"timeZone": "Pacific/Auckland", "validFrom": "2026-01-01"}
    )
    clock.advance(hours=5)  # it is the 21st there
    anna = world.again(firm.anna)
    assert report(anna, "2025-11-20").status_code == 422
    assert report(anna, "2027-05-23").status_code == 201


def test_roles_are_those_of_the_moment(world: World, firm: Firm) -> None:
    assert report(firm.boss, userId=firm.ben.id).status_code == 201
    second_admin = world.user(firm.id, "zweite", "companyAdmin")
    assert report(second_admin, "2026-11-21", userId=firm.ben.id).status_code == 201
    assert report(firm.boss, userId=second_admin.id).status_code == 201
    assert USER == "user"
