"""The costs of people's work: access and configuration, dates of validity, and the sums of a month."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import update
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.costs import service as costs
from stempelwerk_cloud.people.directory.tables import User
from structlog.contextvars import bound_contextvars

from cloud.tests.databases import ON_SQLITE
from cloud.tests.meeting import all_at_once
from cloud.tests.office.people import employ, set_company, set_weekly, worked
from cloud.tests.room import logged
from cloud.tests.world import Firm, Somebody, World


def _path(firm: Firm, name: str = "config") -> str:
    return f"/api/companies/{firm.id}/compensation-{name}"


def _put(firm: Firm, **changes: Any) -> Any:
    answer = firm.boss.put(_path(firm), json=changes)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _config(firm: Firm, on: str = "") -> Any:
    return firm.boss.get(_path(firm) + (f"?on={on}" if on else "")).json()


def _month(firm: Firm, month: str = "2026-11") -> Any:
    answer = firm.boss.get(_path(firm, f"costs?month={month}"))
    assert answer.status_code == 200, answer.text
    return answer.json()


def _cents(firm: Firm, month: str = "2026-11") -> dict[str, int]:
    return {item["username"]: item["costCents"] for item in _month(firm, month)["items"]}


# -- refusals


def test_another_companys_rates_and_people_are_unknown(firm: Firm, world: World) -> None:
    other_firm = world.firm("Andere")
    assert other_firm.boss.get(_path(firm)).status_code == 404
    assert other_firm.boss.get(_path(firm, "costs")).status_code == 404
    assert firm.anna.get(_path(firm, "costs")).status_code == 403
    for field in ("userHourlyCents", "userMonthlyCents", "userDepartments"):
        value = "Lager" if field == "userDepartments" else 1500
        assert other_firm.boss.put(_path(other_firm), json={field: {firm.anna.id: value}}).status_code == 404
    assert _config(firm)["userHourlyCents"] == _config(other_firm)["userHourlyCents"] == {}
    assert logged(world, other_firm.id, "compensation") == []


@ON_SQLITE
@pytest.mark.parametrize("money", ["12,82", "1282", 12.82, -1, True, 100_000_001, [1282]])
@pytest.mark.parametrize("field", ["defaultHourlyCents", "departmentRates", "userHourlyCents", "userMonthlyCents"])
def test_what_is_no_money_is_refused_and_nothing_is_kept(firm: Firm, field: str, money: Any) -> None:
    subject = firm.anna.id if field.startswith("user") else "Lager"
    value = money if field == "defaultHourlyCents" else {subject: money}
    answer = firm.boss.put(_path(firm), json={"mode": "department", field: value})
    assert (answer.status_code, answer.json()["errors"][0]["field"].split(".")[0]) == (422, field)
    assert _config(firm)["mode"] == "uniform"


@ON_SQLITE
@pytest.mark.parametrize(
    "query", ["month=2026-13", "month=November", "year=26", "year=0000", "month=2026-11&year=2026", "year=2099"]
)
def test_a_month_and_a_year_must_be_one(firm: Firm, query: str) -> None:
    assert firm.boss.get(_path(firm, f"costs?{query}")).status_code == 422


# -- the configuration


def test_a_new_company_has_no_rates_and_knows_the_minimum_wage(firm: Firm) -> None:
    assert _config(firm) == {
        "mode": "uniform",
        "defaultHourlyCents": None,
        "departmentRates": {},
        "userDepartments": dict.fromkeys([firm.boss.id, firm.anna.id, firm.ben.id]),
        "userHourlyCents": {},
        "userMonthlyCents": {},
        "minimumWageCents": 1390,
    }
    assert _config(firm, "2027-01-01")["minimumWageCents"] == 1460


def test_what_is_set_is_answered_and_what_is_left_out_stays(firm: Firm) -> None:
    config = {
        "mode": "department",
        "defaultHourlyCents": 1500,
        "departmentRates": {"Lager": 1600},
        "userDepartments": {firm.anna.id: " Lager ", firm.ben.id: None, firm.boss.id: None},
        "userHourlyCents": {firm.anna.id: 2000},
        "userMonthlyCents": {firm.ben.id: 250000},
    }
    answered = _put(firm, **config)
    assert answered == _config(firm) | {"validFrom": None}
    assert answered == config | {"userDepartments": config["userDepartments"] | {firm.anna.id: "Lager"}} | {  # type: ignore[operator]
        "minimumWageCents": 1390,
        "validFrom": None,
    }
    assert _put(firm, mode="uniform")["departmentRates"] == {"Lager": 1600}
    assert _put(firm, userHourlyCents={firm.ben.id: 1700})["userHourlyCents"] == {firm.ben.id: 1700}


def test_a_department_is_the_one_of_the_employment(firm: Firm) -> None:
    path = f"/api/users/{firm.anna.id}/employment"
    assert firm.boss.put(path, json={"department": "Büro"}).status_code == 200
    assert _config(firm)["userDepartments"][firm.anna.id] == "Büro"
    assert _config(firm, "2026-11-01")["userDepartments"][firm.anna.id] is None
    _put(firm, userDepartments={firm.anna.id: "Lager"})
    assert firm.boss.get(path).json()["department"] == "Lager"
    assert firm.boss.get(f"{path}?on=2020-01-01").json()["department"] == "Lager"
    _put(firm, userDepartments={firm.anna.id: "Büro"}, validFrom="2026-12-01")
    assert [firm.boss.get(f"{path}?on={day}").json()["department"] for day in ("2026-11-30", "2026-12-01")] == [
        "Lager",
        "Büro",
    ]
    assert logged(firm.world, firm.id, "employment") == ["employment.changed"] * 3


def test_a_department_is_found_however_it_was_typed(firm: Firm) -> None:
    _put(
        firm, mode="department", departmentRates={"Ku\u0308che\u200b ": 1600}, userDepartments={firm.anna.id: "\u200b"}
    )
    assert _config(firm)["departmentRates"] == {"Küche": 1600}
    assert _config(firm)["userDepartments"][firm.anna.id] is None
    path = f"/api/users/{firm.anna.id}/employment"
    assert firm.boss.put(path, json={"department": " Ku\u0308che"}).json()["department"] == "Küche"
    assert firm.boss.put(_path(firm), json={"departmentRates": {"\u2060": 1600}}).status_code == 422


def test_rates_hold_for_all_time_or_from_their_day(firm: Firm) -> None:
    _put(firm, defaultHourlyCents=1500)
    _put(firm, defaultHourlyCents=1800, validFrom="2026-11-16")
    days = ("2020-01-01", "2026-11-15", "2026-11-16")
    assert [_config(firm, day)["defaultHourlyCents"] for day in days] == [1500, 1500, 1800]
    # A value that already applies keeps its history; a new one without a day removes the history.
    _put(firm, defaultHourlyCents=1800, mode="uniform")
    assert _config(firm, "2020-01-01")["defaultHourlyCents"] == 1500
    _put(firm, defaultHourlyCents=1700)
    assert [_config(firm, day)["defaultHourlyCents"] for day in days] == [1700, 1700, 1700]
    _put(firm, defaultHourlyCents=None)
    assert _config(firm)["defaultHourlyCents"] is None


def test_the_log_says_what_is_different_and_of_whom(firm: Firm) -> None:
    _put(firm, mode="perUserHourly", userHourlyCents={firm.anna.id: 2000})
    _put(firm, mode="perUserHourly", userHourlyCents={firm.anna.id: 2000})
    _put(firm, defaultHourlyCents=1500, userHourlyCents={}, validFrom="2026-12-01")
    assert logged(firm.world, firm.id, "compensation") == ["compensation.changed", "compensation.person"] * 2
    (last, *_) = firm.boss.get(f"/api/companies/{firm.id}/audit?subject={firm.anna.id}").json()
    assert (last["before"], last["after"]) == (
        {"hourlyRate": "20,00\N{NO-BREAK SPACE}€", "validFrom": "2026-12-01"},
        {"hourlyRate": None, "validFrom": "2026-12-01"},
    )


def test_of_two_who_set_rates_at_once_neither_is_lost(firm: Firm, platform: Platform) -> None:
    def set_by(cents: int, whom: Somebody) -> Any:
        return firm.boss.put(_path(firm), json={"defaultHourlyCents": cents, "userDepartments": {whom.id: "Lager"}})

    answers = all_at_once(platform, lambda: set_by(1500, firm.anna), lambda: set_by(1600, firm.ben))
    assert [answer.status_code for answer in answers] == [200, 200]
    config = _config(firm)
    assert config["defaultHourlyCents"] in {1500, 1600}
    assert [config["userDepartments"][person.id] for person in (firm.anna, firm.ben)] == ["Lager", "Lager"]


# -- months


def test_a_month_says_what_each_has_worked_and_what_it_costs(firm: Firm) -> None:
    set_company(firm, "holiday_region", '"DE-BY"')
    worked(firm.anna, "2026-11-01", "08:00", "12:00")
    worked(firm.anna, "2026-11-05", "14:00", "23:00")
    worked(firm.ben, "2026-11-08", "08:00", "08:01")
    _put(firm, mode="perUserHourly", userHourlyCents={firm.anna.id: 2000, firm.ben.id: 1389})
    month = _month(firm)
    anna, ben = month.pop("items")
    assert month == {"month": "2026-11", "mode": "perUserHourly", "draft": True, "totalCents": 25023}
    assert anna == {
        "userId": firm.anna.id,
        "username": "anna",
        "type": "hourly",
        "rawMinutes": 780,
        "breakMinutes": 30,
        "minutes": 750,
        "hours": 12.5,
        "rateCents": 2000,
        "costCents": 25000,
        "missingRate": False,
        "underMinimumWage": False,
        "partMonth": False,
        "nightHours": 2.5,
        "sundayHours": 0.0,
        "holidayHours": 4.0,
    }
    assert (ben["minutes"], ben["hours"], ben["costCents"], ben["underMinimumWage"]) == (1, 0.02, 23, True)
    assert ben["sundayHours"] == 0.02


def test_rates_and_departments_change_in_the_middle_of_a_month(firm: Firm) -> None:
    for day in ("2026-11-02", "2026-11-16", "2026-11-20"):
        worked(firm.anna, day, "08:00", "10:00")
    _put(
        firm, mode="department", departmentRates={"Lager": 1500, "Büro": 3000}, userDepartments={firm.anna.id: "Lager"}
    )
    _put(firm, userDepartments={firm.anna.id: "Büro"}, validFrom="2026-11-16")
    _put(firm, departmentRates={"Lager": 1500, "Büro": 4500}, validFrom="2026-11-20")
    assert _cents(firm)["anna"] == 2 * (1500 + 3000 + 4500)
    assert _month(firm)["items"][0]["rateCents"] == 4500


def test_who_is_there_is_listed_and_who_has_a_wage_is_paid_while_employed(firm: Firm, world: World) -> None:
    employ(firm.anna, entry_date="2026-10-15")
    employ(firm.ben, entry_date="2026-01-01", exit_date="2026-10-31")
    world.user(firm.id, "neu")
    _put(firm, mode="perUserMonthly", userMonthlyCents={firm.anna.id: 300000, firm.ben.id: 200000})
    assert _cents(firm, "2026-09") == {"ben": 200000}
    assert _cents(firm, "2026-10") == {"anna": 300000, "ben": 200000}
    assert _cents(firm) == {"anna": 300000, "neu": 0}
    worked(firm.boss, "2026-11-03", "08:00", "12:00")
    worked(firm.ben, "2026-11-03", "08:00", "12:00")
    wages = {item["username"]: (item["type"], item["missingRate"]) for item in _month(firm)["items"]}
    hourly = ("hourly", True)
    assert wages == {"anna": ("monthly", False), "ben": hourly, "chefin": hourly, "neu": hourly}


def test_a_missing_monthly_wage_is_not_priced_by_an_hourly_rate_of_another_mode(firm: Firm) -> None:
    for day in ("2026-11-02", "2026-11-03"):
        worked(firm.anna, day, "08:00", "10:00")
        worked(firm.ben, day, "08:00", "10:00")
    rates = {"defaultHourlyCents": 1500, "userHourlyCents": {firm.anna.id: 2000}, "departmentRates": {"Lager": 1700}}
    _put(firm, **rates, userDepartments={firm.anna.id: "Lager"})
    _put(firm, mode="perUserMonthly", userMonthlyCents={firm.ben.id: 200000})
    costs_by_name = {
        row["username"]: (row["costCents"], row["rateCents"], row["missingRate"]) for row in _month(firm)["items"]
    }
    assert costs_by_name == {"anna": (0, 0, True), "ben": (200000, 200000, False)}
    _put(firm, mode="uniform")
    assert _cents(firm) == {"anna": 6000, "ben": 6000}


def test_a_whole_wage_for_a_part_of_a_month_is_marked(firm: Firm, world: World) -> None:
    carla = world.user(firm.id, "carla")
    employ(firm.anna, entry_date="2026-10-15")
    employ(firm.ben, entry_date="2026-01-01", exit_date="2026-10-30")
    employ(carla, entry_date="2026-10-01", exit_date="2026-10-31")
    wages = {person.id: 300000 for person in (firm.anna, firm.ben, carla)}
    _put(firm, mode="perUserMonthly", userMonthlyCents=wages)
    marked = {row["username"]: (row["costCents"], row["partMonth"]) for row in _month(firm, "2026-10")["items"]}
    assert marked == {"anna": (300000, True), "ben": (300000, True), "carla": (300000, False)}
    assert [row["partMonth"] for row in _month(firm)["items"] if row["username"] == "anna"] == [False]
    _put(firm, mode="uniform", defaultHourlyCents=1500)
    assert not any(row["partMonth"] for row in _month(firm, "2026-10")["items"])


def test_who_was_deleted_stays_in_the_months_before(firm: Firm, platform: Platform) -> None:
    worked(firm.anna, "2026-10-05", "08:00", "12:00")
    _put(firm, defaultHourlyCents=1500)
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    assert _cents(firm, "2026-10") == {"anna": 6000}
    with platform.database.write(SYSTEM) as session:
        session.execute(update(User).where(User.id == firm.anna.id).values(deleted_at=platform.clock.now()))
    assert "anna" not in _cents(firm, "2026-12")
    assert firm.anna.id not in _config(firm)["userDepartments"]


def test_minutes_are_those_of_the_account_and_months_those_of_the_year(firm: Firm) -> None:
    set_weekly(firm, 2400)
    set_company(firm, "holiday_region", '"DE-BY"')
    employ(firm.anna, account_from="2026-10-06")
    for day in ("2026-10-05", "2026-10-06", "2026-10-30", "2026-11-02", "2026-11-30"):
        worked(firm.anna, day, "21:00", "06:07")
        worked(firm.ben, day, "07:01", "19:59", breaks=20)
    _put(firm, mode="perUserHourly", defaultHourlyCents=1500, userHourlyCents={firm.anna.id: 1801})
    _put(firm, userHourlyCents={firm.anna.id: 1901}, validFrom="2026-10-30")
    months = ("2026-09", "2026-10", "2026-11")
    for month in months:
        for item in _month(firm, month)["items"]:
            account = firm.boss.get(f"/api/users/{item['userId']}/account?month={month}").json()
            assert item["minutes"] == account["actualMinutes"] == item["rawMinutes"] - item["breakMinutes"]
            assert item["nightHours"] <= item["hours"]
    year = firm.boss.get(_path(firm, "costs?year=2026")).json()
    assert [row["month"] for row in year] == [f"2026-{number:02d}" for number in range(1, 13)]
    assert [row["draft"] for row in year] == [False] * 10 + [True] * 2
    totals = {row["month"]: row["totalCents"] for row in year}
    assert {month: totals[month] for month in months} == {month: _month(firm, month)["totalCents"] for month in months}


def test_a_year_of_two_hundred_is_read_by_as_many_statements_as_one_of_two(
    firm: Firm, platform: Platform, asked: list[str]
) -> None:
    counts = []
    for number in (0, 198):
        for index in range(number):
            firm.world.user(firm.id, f"person {index}")
        for read in (
            lambda session: costs.of_year(session, firm.id, date(2026, 1, 1), date(2026, 11, 20)),
            lambda session: costs.of_month(
                session, firm.id, date(2026, 11, 1), date(2026, 11, 20), platform.clock.now()
            ),
        ):
            with platform.database.read(SYSTEM) as session, bound_contextvars(request_id="direct"):
                asked.clear()
                read(session)
                counts.append(len(asked))
    assert counts[:2] == counts[2:]
    assert max(counts) <= 8
