"""An exit date: plans after it prevent it, or end with it; and so does the login."""

from datetime import UTC, date, datetime
from typing import Any

from httpx2 import Response
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.planning.facts.tables import Absence, Duty, VacationRequest
from stempelwerk_cloud.planning.hand_overs.tables import HandOver

from cloud.tests.meeting import all_at_once
from cloud.tests.planning.leaving import allow, approved, asks, create_request, falls_ill, vacation_of
from cloud.tests.planning.rosters import assigned, offer
from cloud.tests.room import inbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import PASSWORD, Firm, Somebody, World

LAST = "2026-12-09"
BEHIND = "2026-12-10"


def _leaves(firm: Firm, last: str | None = LAST, actor: Somebody | None = None, **fields: Any) -> Response:
    return (actor or firm.boss).put(f"/api/users/{firm.anna.id}/employment", json={"exitDate": last} | fields)


def _plans(firm: Firm) -> dict[str, tuple[str, str]]:
    """Creates a plan of each kind after the exit; returns id and first day by kind."""
    allow(firm)
    request = create_request(firm.anna, "2026-12-14", "2026-12-15")
    vacation = approved(firm, firm.anna, "2026-12-07", "2026-12-11")
    duty = assigned(firm, firm.anna, "2026-12-21")["id"]
    assigned(firm, firm.ben, "2026-12-22")
    falls_ill(firm.anna, date(2026, 12, 17), date(2026, 12, 17))
    with firm.boss.world.platform.database.read(SYSTEM) as session:
        (ill,) = [absence.id for absence in session.query(Absence)]
    own_offer, theirs = offer(firm.anna, firm.ben, "2026-12-21"), offer(firm.ben, firm.anna, "2026-12-22")
    return {
        "vacation": (vacation, BEHIND),
        "request": (request, "2026-12-14"),
        "absence": (ill, "2026-12-17"),
        "duty": (duty, "2026-12-21"),
        "handOver": (own_offer, "2026-12-21"),
        "theirs": (theirs, "2026-12-22"),
    }


def _login(world: World, firm: Firm, password: str = PASSWORD) -> Response:
    body = {"company": firm.name, "username": "anna", "password": password}
    return world.client.post("/api/login", json=body)


# -- who


def test_only_administrators_of_the_company_end_plans(world: World, firm: Firm) -> None:
    for person, status in ((firm.anna, 403), (firm.ben, 403), (world.firm("Andere").boss, 404)):
        assert _leaves(firm, actor=person, endPlans=True).status_code == status
    assert _leaves(firm, endPlans="ja").status_code == 422


# -- plans


def test_plans_behind_an_exit_keep_it_from_being_set(platform: Platform, firm: Firm) -> None:
    plans = _plans(firm)
    refused = _leaves(firm)
    assert (refused.status_code, refused.json()["code"]) == (409, "plans_after_exit")
    expected = [["handOver" if kind == "theirs" else kind, *entry] for kind, entry in plans.items()]
    behind = refused.json()["plans"]
    assert sorted([plan["kind"], plan["id"], plan["date"]] for plan in behind) == sorted(expected)
    assert [plan["date"] for plan in behind] == sorted(plan["date"] for plan in behind)
    assert firm.boss.get(f"/api/users/{firm.anna.id}/employment").json()["exitDate"] is None
    with platform.database.read(SYSTEM) as session:
        assert session.get_one(User, (firm.id, firm.anna.id)).leaves_at is None
        assert session.query(Duty).count() == 2


def test_what_is_planned_up_to_the_day_of_exit_stays(firm: Firm) -> None:
    allow(firm)
    approved(firm, firm.anna, "2026-12-07", LAST)
    assigned(firm, firm.anna, "2026-12-04")
    assert _leaves(firm).status_code == 200
    assert vacation_of(firm.anna)["used"] == 3


def test_plans_end_with_the_exit_if_that_is_wished(platform: Platform, firm: Firm) -> None:
    plans = _plans(firm)
    assert vacation_of(firm.anna)["used"] == 5
    assert _leaves(firm, endPlans=True).status_code == 200
    with platform.database.read(SYSTEM) as session:
        vacation = session.get_one(VacationRequest, (firm.id, plans["vacation"][0]))
        assert (vacation.status, vacation.end_date.isoformat()) == ("approved", LAST)
        assert session.get_one(VacationRequest, (firm.id, plans["request"][0])).status == "declined"
        assert session.query(Absence).count() == 0
        assert [duty.user_id for duty in session.query(Duty)] == [firm.ben.id]
        assert {hand_over.status for hand_over in session.query(HandOver)} == {"void"}
        logged = {entry.action for entry in session.query(AuditEntry).filter_by(company_id=firm.id)}
    assert {"employment.changed", "vacation.ended", "absence.ended", "schedule.ended", "handoff.ended"} <= logged
    assert vacation_of(firm.anna)["used"] == 3
    bodies = [body for _, _, body, _ in inbox(firm.anna)]
    assert "Dein Urlaub vom 7. bis 11. Dezember 2026 endet mit dem Austritt am 9. Dezember 2026." in bodies
    assert "Dein Urlaub vom 14. bis 15. Dezember 2026 entfällt wegen des Austritts." in bodies
    assert "Deine Abwesenheit am 17. Dezember 2026 entfällt wegen des Austritts." in bodies
    assert any("22. Dezember 2026" in body for _, _, body, _ in inbox(firm.ben))
    assert _leaves(firm).status_code == 200  # no plan after it is left


def test_who_loses_a_duty_by_an_exit_is_told_of_it_though_it_was_never_published(firm: Firm) -> None:
    for day in ("2026-12-08", "2026-12-21", "2026-12-22"):
        assigned(firm, firm.anna, day)
    assert inbox(firm.anna) == []
    assert _leaves(firm, endPlans=True).status_code == 200
    ((_, title, body, payload),) = inbox(firm.anna)
    assert title == "Dein Dienstplan hat sich geändert"
    assert "Entfällt: 21.–22. Dezember 2026." in body
    assert payload == {"dates": ["2026-12-21", "2026-12-22"]}


def test_the_other_administrators_are_told(world: World, firm: Firm) -> None:
    second_admin = world.user(firm.id, "vertretung", "companyAdmin")
    _plans(firm)
    assert _leaves(firm, endPlans=True).status_code == 200
    bodies = [body for _, _, body, _ in inbox(second_admin)]
    assert "Urlaub von anna vom 7. bis 11. Dezember 2026 endet mit dem Austritt am 9. Dezember 2026." in bodies
    assert "Die Abwesenheit von anna am 17. Dezember 2026 entfällt wegen des Austritts." in bodies


def test_what_lies_outside_of_the_employment_is_refused(firm: Firm) -> None:
    allow(firm)
    assigned(firm, firm.ben, BEHIND)
    assert _leaves(firm).status_code == 200
    refused = [
        asks(firm.anna, BEHIND),
        asks(firm.anna, BEHIND, kind="wish"),
        asks(firm.boss, BEHIND, userId=firm.anna.id),
        firm.anna.post("/api/absences", json={"startDate": BEHIND, "endDate": BEHIND}),
        firm.boss.post(f"/api/companies/{firm.id}/schedule", json={"date": BEHIND, "userId": firm.anna.id}),
    ]
    assert [answer.status_code for answer in refused] == [422] * 5
    handed = firm.ben.post("/api/schedule/swap-request", json={"date": BEHIND, "to": firm.anna.id})
    assert handed.json()["code"] == "not_available"


def test_a_duty_that_is_given_at_the_same_time_is_seen_or_refused(platform: Platform, firm: Firm) -> None:
    body = {"date": BEHIND, "userId": firm.anna.id}
    answers = all_at_once(
        platform,
        lambda: _leaves(firm),
        lambda: firm.boss.post(f"/api/companies/{firm.id}/schedule", json=body),
    )
    assert sorted(answer.status_code for answer in answers) in ([200, 422], [201, 409])


# -- the login


def test_the_login_ends_with_the_day_of_exit_in_the_companys_zone(
    world: World, firm: Firm, clock: SettableClock
) -> None:
    assert _leaves(firm, "2026-11-20").status_code == 200
    clock.set(datetime(2026, 11, 20, 22, 30, tzinfo=UTC))
    anna = world.again(firm.anna)
    clock.set(datetime(2026, 11, 20, 22, 59, 59, tzinfo=UTC))
    assert anna.get("/api/auth/sessions").status_code == 200
    assert _login(world, firm).status_code == 200
    clock.set(datetime(2026, 11, 20, 23, 0, tzinfo=UTC))
    assert anna.get("/api/auth/sessions").status_code == 401
    refused, unknown = _login(world, firm), _login(world, firm, "falsch und lang genug")
    assert refused.status_code == unknown.status_code == 401
    assert refused.json() == unknown.json()


def test_an_exit_in_the_past_ends_it_at_once_and_taking_it_back_lets_in_again(
    platform: Platform, world: World, firm: Firm
) -> None:
    assert _leaves(firm, "2026-11-19").status_code == 200
    assert firm.anna.get("/api/auth/sessions").status_code == 401
    assert _login(world, firm).status_code == 401
    for back in ("2026-12-31", None):
        assert _leaves(firm, back).status_code == 200
        assert firm.anna.get("/api/auth/sessions").status_code == 401  # the old session does not come back
        assert _login(world, firm).status_code == 200
    with platform.database.read(SYSTEM) as session:
        assert session.get_one(User, (firm.id, firm.anna.id)).leaves_at is None


def test_the_end_of_the_day_follows_the_companys_zone(platform: Platform, firm: Firm) -> None:
    assert _leaves(firm, "2026-12-31").status_code == 200
    zone = {"timeZone": "America/New_York", "validFrom": "2026-12-01"}
    assert firm.boss.put(f"/api/companies/{firm.id}/settings", json=zone).status_code == 200
    with platform.database.read(SYSTEM) as session:
        leaves_at = session.get_one(User, (firm.id, firm.anna.id)).leaves_at
    assert leaves_at == datetime(2027, 1, 1, 5, tzinfo=UTC)
