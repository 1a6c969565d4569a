"""The rules since `rulesFrom`: holidays pay lost time, unpaid days owe nothing, each month of leave counts singly."""

from datetime import date
from typing import Any

import pytest

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.office.people import employ, on_leave, set_company, set_weekly, worked
from cloud.tests.planning.leaving import allow, keep_holidays, vacation_of
from cloud.tests.world import Firm, Somebody

REPENTANCE = "2026-11-18"
"""Buß- und Bettag, a Wednesday that is a holiday in Sachsen."""


def settings(firm: Firm, body: dict[str, Any], query: str = "") -> Any:
    return firm.boss.put(f"/api/companies/{firm.id}/settings{query}", json=body)


def begin_rules(firm: Firm, day: str) -> None:
    set_company(firm, "rules_from", f'"{day}"')


def holiday_credit(person: Somebody, month: str = "2026-11") -> int:
    body = person.get(f"/api/users/{person.id}/account?month={month}").json()
    return sum(row["minutes"] for row in body["credits"] if row["kind"] == "holiday")


def month_of(person: Somebody, month: str) -> dict[str, Any]:
    body: dict[str, Any] = person.get(f"/api/users/{person.id}/account?month={month}").json()
    return body


@pytest.fixture
def busy(firm: Firm) -> Firm:
    """Anna worked three of eight hours on a holiday."""
    keep_holidays(firm, "DE-SN")
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-01-01")
    worked(firm.anna, REPENTANCE, "08:00", "11:00")
    return firm


def absent(firm: Firm, reason: str, start: str, end: str, **extra: Any) -> Any:
    body = {"userId": firm.anna.id, "startDate": start, "endDate": end, "kind": "special", "reason": reason}
    return firm.boss.post("/api/absences", json=body | extra)


# -- the setting


@ON_BOTH
def test_a_new_company_has_the_present_rules_from_the_beginning(firm: Firm) -> None:
    body = firm.boss.get(f"/api/companies/{firm.id}/settings").json()
    assert (body["rulesFrom"], body["validFrom"]) == (None, None)


@pytest.mark.parametrize("day", ["2027-01-01", "2026-12-02"])
def test_the_new_rules_never_begin_later_than_they_did(firm: Firm, day: str) -> None:
    begin_rules(firm, "2026-12-01")
    refused = settings(firm, {"rulesFrom": day})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "rulesFrom")
    assert refused.json()["message"].startswith("Hier ist nur ein früherer Tag möglich")
    assert firm.boss.get(f"/api/companies/{firm.id}/settings").json()["rulesFrom"] == "2026-12-01"


@pytest.mark.parametrize("day", ["2026-13-01", "gestern", 20261201])
def test_what_is_no_day_begins_no_rules(firm: Firm, day: Any) -> None:
    begin_rules(firm, "2026-12-01")
    assert settings(firm, {"rulesFrom": day}).status_code == 422


def test_employees_and_foreign_companies_do_not_move_the_rules(firm: Firm) -> None:
    begin_rules(firm, "2026-12-01")
    body, path = {"rulesFrom": "2026-11-01"}, f"/api/companies/{firm.id}/settings"
    assert firm.anna.put(path, json=body).status_code == 403
    assert firm.world.firm("Andere GmbH").boss.put(path, json=body).status_code == 404


@ON_BOTH
def test_an_earlier_day_changes_the_months_from_then_on_and_says_so_before(busy: Firm) -> None:
    begin_rules(busy, "2026-12-01")
    assert holiday_credit(busy.anna) == 480
    looked = settings(busy, {"rulesFrom": "2026-11-01"}, "?dryRun=true")
    assert [row["month"] for row in looked.json()["months"]] == ["2026-11"]
    assert holiday_credit(busy.anna) == 480
    moved = settings(busy, {"rulesFrom": "2026-11-01", "validFrom": "2026-12-24"})
    assert (moved.status_code, moved.json()["rulesFrom"]) == (200, "2026-11-01")
    assert holiday_credit(busy.anna) == 300
    assert settings(busy, {"rulesFrom": None}).json()["rulesFrom"] is None


# -- holidays


@ON_BOTH
def test_a_holiday_credits_an_hourly_person_with_the_time_that_was_lost(busy: Firm) -> None:
    assert holiday_credit(busy.anna) == 300
    assert month_of(busy.anna, "2026-11")["balanceMinutes"] == 480 - 21 * 480


def test_before_the_rules_began_a_holiday_that_was_worked_is_credited_whole(busy: Firm) -> None:
    begin_rules(busy, "2026-12-01")
    assert holiday_credit(busy.anna) == 480


def test_a_holiday_credits_a_monthly_person_whole(busy: Firm) -> None:
    employ(busy.anna, pay_type="monthly")
    assert holiday_credit(busy.anna) == 480


def test_the_pay_type_of_the_day_itself_counts(busy: Firm) -> None:
    employ(busy.anna, pay_type="monthly")
    employ(busy.anna, date(2026, 11, 18), pay_type="hourly")
    assert holiday_credit(busy.anna) == 300


@pytest.mark.parametrize(("half", "legal", "credit"), [(False, True, 300), (True, True, 240), (False, False, 480)])
def test_a_free_day_credits_lost_time_only_if_it_is_a_holiday_by_law(
    firm: Firm, half: bool, legal: bool, credit: int
) -> None:
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-01-01")
    worked(firm.anna, "2026-11-10", "08:00", "11:00")
    day = {"date": "2026-11-10", "name": "Friedensfest", "half": half, "legal": legal}
    answer = firm.boss.put(f"/api/companies/{firm.id}/free-days", json={"year": 2026, "days": [day]})
    assert answer.json() == [day]
    assert holiday_credit(firm.anna) == credit


@ON_BOTH
def test_what_was_carried_before_counts_lost_time_of_earlier_holidays_too(firm: Firm) -> None:
    """New Year's Day was worked; the account of November is read with and without what was kept."""
    keep_holidays(firm)
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-01-01")
    worked(firm.anna, "2026-01-01", "08:00", "11:00")
    january = month_of(firm.anna, "2026-01")
    assert january["balanceMinutes"] == 480 + 480 - 22 * 480  # Epiphany is a holiday too
    assert month_of(firm.anna, "2026-02")["carriedMinutes"] == january["balanceMinutes"]
    everybody = firm.boss.get(f"/api/companies/{firm.id}/accounts?month=2026-02").json()
    (row,) = [row for row in everybody if row["userId"] == firm.anna.id]
    assert row["balanceToDateMinutes"] == january["balanceMinutes"] + row["balanceMinutes"]


# -- unpaid days


@ON_BOTH
def test_elternzeit_owes_nothing_and_costs_no_leave(busy: Firm) -> None:
    assert absent(busy, "Elternzeit", "2026-11-01", "2026-11-30").status_code == 201
    on_leave(busy.anna, "2026-11-02", "2026-11-03")
    november = month_of(busy.anna, "2026-11")
    assert (november["targetMinutes"], november["credits"], november["balanceMinutes"]) == (0, [], 180)
    allow(busy)
    assert vacation_of(busy.anna)["used"] == 0


@pytest.mark.parametrize(
    ("reason", "more", "target"),
    [
        ("unbezahlt", {}, 19 * 480),
        ("Elternzeit", {}, 19 * 480),
        ("Elternzeit", {"credited": True}, 21 * 480),
        ("Sonderurlaub", {"credited": False}, 21 * 480),
        ("unbezahlter Sonderurlaub", {"credited": False}, 21 * 480),
    ],
)
def test_only_the_two_reasons_that_are_not_credited_let_the_contract_rest(
    busy: Firm, reason: str, more: dict[str, Any], target: int
) -> None:
    assert absent(busy, reason, "2026-11-02", "2026-11-03", **more).status_code == 201
    assert month_of(busy.anna, "2026-11")["targetMinutes"] == target


def test_before_the_rules_began_unpaid_days_owe_their_target(busy: Firm) -> None:
    begin_rules(busy, "2026-11-03")
    assert absent(busy, "unbezahlt", "2026-11-02", "2026-11-03").status_code == 201
    assert month_of(busy.anna, "2026-11")["targetMinutes"] == 20 * 480


@ON_SQLITE
@pytest.mark.parametrize("reason", ["Elternzeit", "Mutterschutz"])
def test_elternzeit_and_mutterschutz_last_years_and_may_lie_in_the_past(firm: Firm, reason: str) -> None:
    answer = absent(firm, reason, "2024-01-01", "2026-12-31")
    assert (answer.status_code, len(answer.json())) == (201, 1096)


def test_elternzeit_that_a_slip_made_endless_is_refused(firm: Firm) -> None:
    refused = absent(firm, "Elternzeit", "2026-01-01", "2062-01-01")
    assert refused.json()["message"] == "Das sind mehr als zehn Jahre. Bitte prüfe die beiden Tage."


def test_other_absences_end_after_half_a_year_and_the_refusal_does_not_speak_of_illness(firm: Firm) -> None:
    refused = absent(firm, "unbezahlt", "2026-01-01", "2026-12-31")
    assert refused.json()["message"] == (
        "Eine Abwesenheit umfasst höchstens 183 Tage. Nur Elternzeit und Mutterschutz dauern länger."
    )


# -- leave


def steps(firm: Firm) -> None:
    """Eight days a year, and twenty from July on."""
    policy = {"mode": "uniform", "perUser": {}}
    for days, valid_from in ((8, None), (20, "2026-07-01")):
        body = policy | {"uniformDays": days} | ({} if valid_from is None else {"validFrom": valid_from})
        assert firm.boss.put(f"/api/companies/{firm.id}/vacation-policy", json=body).status_code == 200


@ON_BOTH
def test_an_allowance_that_changes_within_the_year_counts_each_month(firm: Firm) -> None:
    steps(firm)
    assert vacation_of(firm.anna)["myAllowance"] == 14


@pytest.mark.parametrize(("day", "allowance"), [("2026-01-02", 8), ("2026-01-01", 14)])
def test_a_year_that_began_before_the_rules_keeps_its_allowance(firm: Firm, day: str, allowance: int) -> None:
    begin_rules(firm, day)
    steps(firm)
    assert vacation_of(firm.anna)["myAllowance"] == allowance


@pytest.mark.parametrize(("scaled", "allowance"), [(False, 30), (True, 24)])
def test_workdays_that_change_scale_the_uniform_days_only_where_the_company_says_so(
    firm: Firm, scaled: bool, allowance: int
) -> None:
    employ(firm.anna, workdays=[0, 1, 2, 3, 4])
    employ(firm.anna, date(2026, 7, 1), workdays=[0, 1, 2])
    body = {"mode": "uniform", "uniformDays": 30, "perUser": {}, "scaleByWorkdays": scaled}
    answer = firm.boss.put(f"/api/companies/{firm.id}/vacation-policy", json=body)
    assert answer.json()["scaleByWorkdays"] is scaled
    assert vacation_of(firm.anna)["myAllowance"] == allowance


def test_days_of_one_s_own_are_never_scaled(firm: Firm) -> None:
    employ(firm.anna, workdays=[0, 1, 2])
    body = {"mode": "perUser", "perUser": {firm.anna.id: 30}, "scaleByWorkdays": True}
    assert firm.boss.put(f"/api/companies/{firm.id}/vacation-policy", json=body).status_code == 200
    assert vacation_of(firm.anna)["myAllowance"] == 30


def test_scaling_that_is_switched_on_later_leaves_the_months_before(firm: Firm) -> None:
    employ(firm.anna, workdays=[0, 1, 2])
    allow(firm)
    body = {"mode": "uniform", "uniformDays": 30, "perUser": {}, "scaleByWorkdays": True, "validFrom": "2026-07-01"}
    assert firm.boss.put(f"/api/companies/{firm.id}/vacation-policy", json=body).status_code == 200
    assert vacation_of(firm.anna)["myAllowance"] == 24
    monthly_config = {"mode": "uniform", "uniformDays": 30, "perUser": {}}
    assert (
        firm.boss.put(f"/api/companies/{firm.id}/vacation-policy", json=monthly_config).json()["scaleByWorkdays"]
        is True
    )


# -- who has no account yet


@ON_BOTH
def test_somebody_without_an_entry_date_who_never_stamped_owes_nothing(firm: Firm) -> None:
    set_weekly(firm, 2400)
    for month in ("2020-01", "2026-11"):
        month_row = month_of(firm.anna, month)
        assert (month_row["targetMinutes"], month_row["carriedMinutes"], month_row["balanceMinutes"]) == (0, 0, 0)
    everybody = firm.boss.get(f"/api/companies/{firm.id}/accounts?month=2026-11").json()
    assert {(row["targetMinutes"], row["balanceToDateMinutes"]) for row in everybody} == {(0, 0)}
    worked(firm.anna, "2026-11-18", "08:00", "16:00")
    assert month_of(firm.anna, "2026-11")["targetMinutes"] == 21 * 480
