"""The policy of vacation: who may set it, from when it holds, and what an employee sees of it."""

from datetime import date
from typing import Any

import pytest
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.planning.vacation import service as vacation

from cloud.tests.databases import ON_SQLITE
from cloud.tests.planning.leaving import allow, approved, asks, employ, policy_path, vacation_of
from cloud.tests.world import Firm, Somebody, World

UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"
NOTHING = {
    "mode": "uniform",
    "uniformDays": None,
    "perUser": {},
    "carryUntil": None,
    "scaleByWorkdays": False,
    "validFrom": None,
}


def allowance(person: Somebody, year: int) -> float:
    today = date(2026, 11, 20)
    with person.world.platform.database.read(SYSTEM) as session:
        return vacation.balance_of(session, person.company_id, person.id, year, today).allowance


def test_employees_and_strangers_set_nothing(world: World, firm: Firm) -> None:
    other_firm, path = world.firm("Andere"), policy_path(firm)
    body = {"mode": "uniform", "uniformDays": 30}
    for person, status in ((firm.anna, 403), (other_firm.anna, 404), (other_firm.boss, 404)):
        assert person.get(path).status_code == status
        assert person.put(path, json=body).status_code == status
    assert world.client.get(path).status_code == 401
    assert firm.boss.get(path).json() == NOTHING
    world.founder.put(f"/api/companies/{firm.id}/features", json={"featureIds": ["schedule"]})
    assert firm.boss.put(path, json=body).json()["code"] == "feature_off"
    assert world.founder.put(path, json=body).status_code == 200


def test_people_who_are_not_the_companys_are_unknown_and_nothing_is_set(world: World, firm: Firm) -> None:
    other_firm = world.firm("Andere")
    deleted = world.user(firm.id, "carla")
    firm.boss.delete(f"/api/users/{deleted.id}")
    for user_id in (other_firm.anna.id, deleted.id, UNKNOWN, "nonsense"):
        body = {"mode": "perUser", "uniformDays": 30, "perUser": {firm.anna.id: 24, user_id: 20}}
        assert firm.boss.put(policy_path(firm), json=body).status_code == 404
    assert firm.boss.get(policy_path(firm)).json() == NOTHING


@ON_SQLITE
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"mode": "perEmployee"}, "mode"),
        ({"mode": None}, "mode"),
        ({"uniformDays": -1}, "uniformDays"),
        ({"uniformDays": 366.5}, "uniformDays"),
        ({"uniformDays": 12.25}, "uniformDays"),
        ({"uniformDays": "30"}, "uniformDays"),
        ({"uniformDays": True}, "uniformDays"),
        ({"validFrom": "01.01.2027"}, "validFrom"),
        ({"perUser": [1]}, "perUser"),
        ({"carryUntil": "02-29"}, "carryUntil"),
        ({"carryUntil": "31.03."}, "carryUntil"),
        ({"carryUntil": "13-01"}, "carryUntil"),
        ({"scaleByWorkdays": 1}, "scaleByWorkdays"),
    ],
)
def test_what_is_no_policy_is_refused_at_its_field(firm: Firm, changes: dict[str, Any], field: str) -> None:
    refused = firm.boss.put(policy_path(firm), json={"mode": "uniform", "uniformDays": 30} | changes)
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, field)
    assert firm.boss.get(policy_path(firm)).json() == NOTHING


def test_days_that_no_number_is_are_refused(firm: Firm) -> None:
    for number in ("NaN", "Infinity", "1e999", "1e308", "1" + 400 * "0"):
        text = f'{{"mode": "uniform", "uniformDays": {number}}}'
        headers = {"Content-Type": "application/json"}
        assert firm.boss.put(policy_path(firm), content=text, headers=headers).status_code == 422
    for days in (-1, 367, "x"):
        body = {"mode": "perUser", "perUser": {firm.anna.id: days}}
        assert firm.boss.put(policy_path(firm), json=body).status_code == 422


def test_a_policy_is_answered_as_it_was_set(firm: Firm) -> None:
    for body in (
        {"mode": "perUser", "uniformDays": 30, "perUser": {firm.anna.id: 27.5, firm.ben.id: None}},
        {"mode": "uniform", "uniformDays": 366, "perUser": {firm.anna.id: 0, firm.ben.id: 20}},
        {"mode": "uniform", "uniformDays": None, "perUser": {firm.anna.id: 1, firm.ben.id: 0.5}},
    ):
        changed = firm.boss.put(policy_path(firm), json=body)
        assert changed.status_code == 200
        assert {name: changed.json()[name] for name in body} == body
        assert firm.boss.get(policy_path(firm)).json() == changed.json()


def test_who_is_not_named_any_more_has_no_days_of_their_own(firm: Firm) -> None:
    body = {"mode": "perUser", "perUser": {firm.anna.id: 24, firm.ben.id: 20}}
    firm.boss.put(policy_path(firm), json=body)
    changed = firm.boss.put(policy_path(firm), json=body | {"perUser": {firm.ben.id: 22}}).json()
    assert changed["perUser"] == {firm.anna.id: None, firm.ben.id: 22}
    assert (vacation_of(firm.anna)["vacationEnabled"], vacation_of(firm.ben)["vacationEnabled"]) == (False, True)


# -- what an employee sees


def test_an_employee_sees_their_own_days_by_the_mode(firm: Firm) -> None:
    allow(firm, 30)
    own_policy = vacation_of(firm.anna)
    assert (own_policy["mode"], own_policy["uniformDays"], own_policy["myAllowance"], own_policy["remainingDays"]) == (
        "uniform",
        30,
        30,
        30,
    )
    assert (own_policy["vacationEnabled"], own_policy["year"]) == (True, 2026)


def test_in_the_mode_for_each_person_only_the_own_days_count(firm: Firm) -> None:
    body = {"mode": "perUser", "uniformDays": 30, "perUser": {firm.anna.id: 27.5}}
    firm.boss.put(policy_path(firm), json=body)
    assert (vacation_of(firm.anna)["myAllowance"], vacation_of(firm.anna)["vacationEnabled"]) == (27.5, True)
    assert (vacation_of(firm.ben)["myAllowance"], vacation_of(firm.ben)["vacationEnabled"]) == (0, False)
    assert asks(firm.ben, "2026-12-07").json()["code"] == "vacation_disabled"


def test_the_year_of_entry_is_worth_its_full_months(firm: Firm) -> None:
    allow(firm, 30)
    employ(firm.anna, entryDate="2026-08-01")
    assert (vacation_of(firm.anna)["myAllowance"], vacation_of(firm.anna)["remainingDays"]) == (13, 13)


# -- from when it holds


def test_the_first_days_ever_given_hold_from_the_beginning_and_later_ones_from_today(firm: Firm) -> None:
    first = firm.boss.put(policy_path(firm), json={"mode": "uniform", "uniformDays": 24}).json()
    assert (first["uniformDays"], first["validFrom"]) == (24, None)
    assert (allowance(firm.anna, 2020), allowance(firm.anna, 2026)) == (24, 24)
    later = firm.boss.put(policy_path(firm), json={"mode": "uniform", "uniformDays": 36}).json()
    assert (later["uniformDays"], later["validFrom"]) == (36, "2026-11-20")
    assert (allowance(firm.anna, 2025), allowance(firm.anna, 2026), allowance(firm.anna, 2027)) == (24, 25, 36)


@pytest.mark.parametrize("first_days", [None, 0])
def test_days_given_from_a_day_on_hold_from_it_also_if_they_are_the_first(firm: Firm, first_days: int | None) -> None:
    allow(firm, first_days)
    allow(firm, 30, validFrom="2027-01-01")
    assert [allowance(firm.anna, year) for year in (2020, 2026, 2027)] == [0, 0, 30]


def test_a_change_holds_from_its_day_and_leaves_a_later_one_in_force(firm: Firm) -> None:
    allow(firm, 24)
    allow(firm, 30, validFrom="2027-01-01")
    assert firm.boss.get(policy_path(firm)).json()["uniformDays"] == 24
    policy_row = firm.boss.get(policy_path(firm), params={"on": "2027-01-01"}).json()
    assert (policy_row["uniformDays"], policy_row["validFrom"]) == (30, "2027-01-01")
    allow(firm, 28, validFrom="2026-07-01")
    assert (allowance(firm.anna, 2026), allowance(firm.anna, 2027)) == (26, 30)


def test_none_is_not_the_first_and_0_is(firm: Firm) -> None:
    allow(firm, None)
    allow(firm, 30)
    assert allowance(firm.anna, 2020) == 30
    allow(firm, None, mode="perUser", perUser={firm.anna.id: 0})
    allow(firm, None, mode="perUser", perUser={firm.anna.id: 12})
    assert [allowance(firm.anna, year) for year in (2025, 2026, 2027)] == [30, 29, 12]


def test_the_first_days_given_hold_from_the_beginning_with_the_mode_that_lets_them(firm: Firm) -> None:
    allow(firm, None)
    allow(firm, None, mode="perUser", perUser={firm.anna.id: None, firm.ben.id: None})
    allow(firm, None, mode="perUser", perUser={firm.anna.id: 30})
    assert (vacation_of(firm.anna)["myAllowance"], allowance(firm.anna, 2020), allowance(firm.ben, 2026)) == (30, 30, 0)
    allow(firm, None, mode="perUser", perUser={firm.anna.id: 18, firm.ben.id: 20})
    assert [allowance(firm.anna, year) for year in (2025, 2026, 2027)] == [30, 29, 18]
    assert allowance(firm.ben, 2020) == 20
    allow(firm, 6)
    assert [allowance(firm.anna, year) for year in (2025, 2026, 2027)] == [30, 28, 6]


def test_no_vacation_from_a_day_on_stays_so_until_days_are_given_from_another(firm: Firm) -> None:
    allow(firm, 0)
    allow(firm, None, validFrom="2026-06-01")
    allow(firm, 12, validFrom="2026-12-01")
    assert (allowance(firm.anna, 2025), allowance(firm.anna, 2026), allowance(firm.anna, 2027)) == (0, 1, 12)


def test_a_new_mode_holds_from_its_day(firm: Firm) -> None:
    allow(firm, 24)
    body = {"mode": "perUser", "uniformDays": 24, "perUser": {firm.anna.id: 36}, "validFrom": "2026-07-01"}
    assert firm.boss.put(policy_path(firm), json=body).json()["validFrom"] == "2026-07-01"
    assert (allowance(firm.anna, 2025), allowance(firm.anna, 2026), allowance(firm.anna, 2027)) == (24, 30, 36)
    assert (allowance(firm.ben, 2026), allowance(firm.ben, 2027)) == (12, 0)


def test_vacation_is_switched_off_from_a_day_on(firm: Firm) -> None:
    allow(firm, 24)
    allow(firm, 0, validFrom="2027-01-01")
    assert asks(firm.anna, "2026-12-07").status_code == 201
    approved(firm, firm.anna, "2026-11-02", "2026-12-04")  # with nothing left to carry
    assert asks(firm.anna, "2027-01-04").json()["code"] == "vacation_disabled"


def test_until_when_days_are_carried_stays_until_it_is_said_anew_and_nothing_lapses_by_it(firm: Firm) -> None:
    employ(firm.anna, entryDate="2025-01-01")
    allow(firm, 30)
    for fields, current in (({"carryUntil": "03-31"}, "03-31"), ({}, "03-31"), ({"carryUntil": None}, None)):
        allow(firm, 30, **fields)
        assert firm.boss.get(policy_path(firm)).json()["carryUntil"] == current
        assert vacation_of(firm.anna)["carried"] == 30
    last, _, _ = _log(firm)
    assert last["before"]["carryUntil"] == "03-31"
    assert "carryUntil" not in last["after"]


# -- written down


def _log(firm: Firm) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = firm.boss.get(f"/api/companies/{firm.id}/audit?action=vacation.").json()
    return rows


def test_the_log_says_what_changed_and_for_whom(firm: Firm) -> None:
    body = {"mode": "perUser", "uniformDays": 30, "perUser": {firm.anna.id: 27.5, firm.ben.id: 20}}
    firm.boss.put(policy_path(firm), json=body)
    assert {(row["action"], row["subjectName"]) for row in _log(firm)} == {
        ("vacation.policy", None),
        ("vacation.days", "anna"),
        ("vacation.days", "ben"),
    }
    firm.boss.put(policy_path(firm), json=body)
    assert len(_log(firm)) == 3
    firm.boss.put(policy_path(firm), json=body | {"perUser": {firm.anna.id: 27.5, firm.ben.id: 25}})
    newest = _log(firm)[0]
    assert (newest["action"], newest["subjectName"], len(_log(firm))) == ("vacation.days", "ben", 4)
    assert newest["before"] == {"yearlyDays": "20"}
    assert newest["after"] == {"yearlyDays": "25", "validFrom": "2026-11-20"}
    policy = next(row for row in _log(firm) if row["action"] == "vacation.policy")
    assert policy["before"] == {"vacationMode": "uniform", "uniformDays": None}
    assert policy["after"] == {"vacationMode": "perUser", "uniformDays": "30", "validFrom": "2026-11-20"}


def test_the_policy_is_no_setting_of_the_companys_other_ones(firm: Firm) -> None:
    settings_before = firm.boss.get(f"/api/companies/{firm.id}/settings").json()
    allow(firm, 24)
    allow(firm, 30)
    assert firm.boss.get(f"/api/companies/{firm.id}/settings").json() == settings_before
