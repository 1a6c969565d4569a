"""A back-dated change lists exactly the months whose payroll or account figures would differ."""

from typing import Any

import msgspec
import pytest
from stempelwerk_cloud.office.exports.files import making

from cloud.tests.office.exporting import exports, file, lock, mapped, staffed
from cloud.tests.office.people import on_leave, worked
from cloud.tests.world import Firm, Somebody

APRIL, MAY, JUNE = MONTHS = ("2026-04", "2026-05", "2026-06")
FORMS = ("csv", "lodas", "lug", "pdf")


@pytest.fixture
def people(firm: Firm) -> dict[str, Somebody]:
    """A staff with three months of work: April is locked, May exported, June neither."""
    people = staffed(firm)
    mapped(firm)
    firm.boss.put(f"/api/companies/{firm.id}/compensation-config", json={"defaultHourlyCents": 2_000})
    for name in ("nacht", "sonntag", "monatlich", "wechsel"):
        for day in ("2026-04-06", "2026-04-12", "2026-06-04", "2026-06-14"):
            worked(people[name], day, "20:00", "06:30")
    on_leave(people["halb"], "2026-06-02", "2026-06-03")
    assert lock(firm.boss, APRIL).is_success
    for form in ("csv", "lodas"):
        file(firm.boss, form, APRIL)
        file(firm.boss, form, MAY)
    return people


CHANGES: dict[str, tuple[str, dict[str, Any]]] = {
    "pay type": ("users/{nacht}/employment", {"payType": "monthly"}),
    "pay type of nobody's hours": ("users/{krank}/employment", {"payType": "monthly"}),
    "department": ("users/{sonntag}/employment", {"department": "Büro"}),
    "department at the rates": ("companies/{firm}/compensation-config", {"userDepartments": {"{nacht}": "Büro"}}),
    "workdays": ("users/{urlaub}/employment", {"workdays": [0, 1]}),
    "limits": ("users/{nacht}/employment", {"limits": "youth"}),
    "entry": ("users/{nacht}/employment", {"entryDate": "2026-05-05"}),
    "exit": ("users/{schule}/employment", {"exitDate": "2026-05-29"}),
    "Bundesland": ("companies/{firm}/settings", {"holidayRegion": "DE-BY"}),
    "no Bundesland": ("companies/{firm}/settings", {"holidayRegion": None}),
    "zone": ("companies/{firm}/settings", {"timeZone": "America/New_York"}),
    "breaks": ("companies/{firm}/settings", {"breakPolicy": "none"}),
    "what no file says": ("companies/{firm}/settings", {"clockShowsBalance": False}),
    "rate": ("companies/{firm}/compensation-config", {"defaultHourlyCents": 2_100}),
    "wage": (
        "companies/{firm}/compensation-config",
        {"mode": "perUserMonthly", "userMonthlyCents": {"{monatlich}": 300_000}},
    ),
    "target": ("companies/{firm}/working-hours-config", {"mode": "uniform", "uniformWeeklyTargetMinutes": 2_100}),
    "own target": (
        "companies/{firm}/employee-weekly-targets",
        {"items": [{"userId": "{sonntag}", "weeklyTargetMinutes": 600}]},
    ),
    "vacation": ("companies/{firm}/vacation-policy", {"mode": "uniform", "uniformDays": 20, "perUser": {}}),
    "free days": ("companies/{firm}/free-days", {"year": 2026, "days": [{"date": "2026-05-15", "name": "Brücke"}]}),
}
DAYS = ("2026-06-10", "2026-05-20", "2026-05-06", "2026-04-10")
"""Each change is made from these days on, one after the other."""


def _filled(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {_filled(key, names): _filled(member, names) for key, member in value.items()}
    if isinstance(value, list):
        return [_filled(member, names) for member in value]
    return value.format(**names) if isinstance(value, str) else value


def _read_all(firm: Firm) -> dict[str, Any]:
    """Returns by month: current files, differences of locked months, costs, and accounts."""
    platform, by_month = firm.world.platform, {}
    changed = {export["month"] for export in exports(firm) if export["changed"]}
    for month in MONTHS:
        files: list[Any] = [month == APRIL and APRIL in changed]
        if month == MAY:
            with making.reading(platform, firm.id) as session:
                for form in FORMS:
                    basis = making.basis_of(session, platform, firm.id, month, form)
                    files.append(making.rendered(basis, form, _draw_plain))
        costs = firm.boss.get(f"/api/companies/{firm.id}/compensation-costs?month={month}").json()["items"]
        accounts = firm.boss.get(f"/api/companies/{firm.id}/accounts?month={month}").json()
        by_month[month] = [
            files,
            [(row["userId"], row["costCents"], row["missingRate"]) for row in costs if row["costCents"]],
            [(row["targetMinutes"], row["actualMinutes"], row["balanceMinutes"]) for row in accounts],
        ]
    return by_month


def _draw_plain(order: Any) -> bytes:
    """Returns the printed part of a paper's order."""
    people = [
        {name: value for name, value in person.items() if name not in ("overtime", "supplements")}
        for person in msgspec.to_builtins(order.month.people)
    ]
    for person in people:
        person["terms"] = person["terms"][-1]["department"]
    return msgspec.json.encode(people)


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_names_the_months_whose_files_or_figures_differ_and_no_other(
    firm: Firm, people: dict[str, Somebody], what: str
) -> None:
    names = {name: person.id for name, person in people.items()} | {"firm": firm.id}
    path, change = (_filled(part, names) for part in CHANGES[what])
    stands = _read_all(firm)
    for day in DAYS:
        body = change if "free-days" in path else change | {"validFrom": day}
        answer = firm.boss.put(f"/api/{path}?dryRun=true", json=body)
        assert answer.status_code == 200, answer.text
        initial, months = stands, {row["month"]: row for row in answer.json()["months"]}
        assert firm.boss.put(f"/api/{path}", json=body).status_code == 200
        stands = _read_all(firm)
        differing = [month for month in MONTHS if initial[month] != stands[month]]
        assert sorted(months.keys() & set(MONTHS)) == differing, day
        for month, flags in ((APRIL, (True, True)), (MAY, (True, False)), (JUNE, (False, False))):
            assert month not in months or (months[month]["exported"], months[month]["locked"]) == flags
    assert firm.boss.put(f"/api/{path}?dryRun=true", json=body).json() == {"months": []}
