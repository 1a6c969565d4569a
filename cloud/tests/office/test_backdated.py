"""Changes dated before purged times or in locked months do exactly what their dry run announces."""

from datetime import UTC, datetime
from typing import Any

import pytest
from stempelwerk_cloud.office.records import years
from stempelwerk_cloud.office.time_account.cache import cache_refresh

from cloud.tests.office.people import away, employ, on_leave, set_weekly, worked
from cloud.tests.stamping import Site
from cloud.tests.world import Firm

NEW_YEAR = datetime(2027, 1, 1, 6, tzinfo=UTC)
"""Times of 2024 have gone on it."""
LONG_AGO, LOCKED = "2024-05-01", {"2025-06", "2026-05"}
CHANGES: dict[str, tuple[str, dict[str, Any]]] = {
    "a Bundesland": ("companies/{firm}/settings", {"holidayRegion": "DE-BY"}),
    "a zone": ("companies/{firm}/settings", {"timeZone": "Pacific/Auckland"}),
    "breaks": ("companies/{firm}/settings", {"breakPolicy": "none"}),
    "hours": ("companies/{firm}/working-hours-config", {"mode": "uniform", "uniformWeeklyTargetMinutes": 1800}),
    "workdays": ("users/{anna}/employment", {"workdays": [0, 1, 2]}),
    "allowance": ("companies/{firm}/vacation-policy", {"mode": "uniform", "uniformDays": 20, "perUser": {}}),
}


@pytest.fixture
def firm(site: Site) -> Firm:
    """Anna has worked since 2024, was on leave and ill; two months of 2025 and 2026 are locked, and 2024 has gone."""
    firm = site.firm
    employ(firm.anna, entry_date="2024-02-01", opening_balance_minutes=90)
    set_weekly(firm, 2400)
    for day in ("2024-03-04", "2024-12-31", "2025-06-02", "2025-06-20", "2026-05-05", "2026-12-01"):
        worked(firm.anna, day, "08:00", "17:30")
    for day in ("2024-08-05", "2025-06-10", "2026-05-12"):
        on_leave(firm.anna, day, day)
    away(firm.anna, "2025-06-11")
    firm.boss = site.somebody(firm.boss)
    assert firm.boss.put(
        f"/api/companies/{firm.id}/vacation-policy",
        json={"mode": "uniform", "uniformDays": 28, "perUser": {}, "validFrom": "2024-01-01"},
    ).is_success
    site.clock.set(NEW_YEAR)
    firm.boss, firm.anna = site.somebody(firm.boss), site.somebody(firm.anna)
    years.go_round(site.world.platform)
    cache_refresh.refresh(site.world.platform)
    for month in sorted(LOCKED):
        assert firm.boss.put(f"/api/companies/{firm.id}/months/{month}/lock", json={}).is_success
        assert firm.boss.get(f"/api/companies/{firm.id}/export?month={month}&format=csv").is_success
    return firm


def _account(firm: Firm) -> dict[str, Any]:
    return {
        month["month"]: {key: value for key, value in month.items() if key != "month"}
        for year in (2024, 2025, 2026, 2027)
        for month in firm.boss.get(f"/api/users/{firm.anna.id}/account?year={year}").json()["months"]
    }


def _locked(firm: Firm) -> dict[str, bytes]:
    return {
        month + form: firm.boss.get(f"/api/companies/{firm.id}/export?month={month}&format={form}").content
        for month in sorted(LOCKED)
        for form in ("csv", "lodas")
    }


def _minutes(month: dict[str, Any]) -> tuple[Any, ...]:
    return month["targetMinutes"], month["actualMinutes"], month["credits"]


@pytest.mark.parametrize("what", CHANGES)
def test_a_back_dated_change_does_what_its_question_says_and_locked_files_stay(firm: Firm, what: str) -> None:
    path, body = CHANGES[what]
    path, body = f"/api/{path.format(firm=firm.id, anna=firm.anna.id)}", body | {"validFrom": LONG_AGO}
    initial, files = _account(firm), _locked(firm)
    announced = firm.boss.put(f"{path}?dryRun=true", json=body).json()["months"]
    assert _account(firm) == initial
    assert firm.boss.put(path, json=body).status_code == 200
    final = _account(firm)
    differing = {
        month for month in initial if month <= "2027-01" and _minutes(initial[month]) != _minutes(final[month])
    }
    assert {row["month"] for row in announced} == differing
    assert all(month >= "2025-01" for month in differing), "what has gone has carried what it has carried"
    assert {row["month"] for row in announced if row["locked"] or row["exported"]} == differing & LOCKED
    cache_refresh.refresh(firm.world.platform)
    assert _account(firm) == final
    assert _locked(firm) == files
    exports = firm.boss.get(f"/api/companies/{firm.id}/exports").json()
    assert {export["month"] for export in exports if export["changed"]} == differing & LOCKED
    for export in exports:
        rows = firm.boss.get(f"/api/companies/{firm.id}/exports/{export['id']}/difference").json()
        assert bool(rows) == export["changed"]


def test_no_statement_is_signed_of_a_month_whose_times_have_gone(firm: Firm) -> None:
    path = f"/api/users/{firm.anna.id}/statement"
    for form in ("json", "pdf"):
        answer = firm.anna.get(f"{path}?month=2024-12&format={form}")
        assert (answer.status_code, answer.json()["message"]) == (409, "Zeiten nach Frist gelöscht.")
    assert firm.anna.get(f"{path}?month=2025-01").status_code == 200


def test_no_figures_are_told_of_everybodys_work_in_months_whose_times_have_gone(firm: Firm) -> None:
    accounts, costs = (f"/api/companies/{firm.id}/{name}" for name in ("accounts", "compensation-costs"))
    for path, periods in (
        (f"{accounts}?month=", ("2024-12", "2025-01")),
        (f"{costs}?month=", ("2024-12", "2025-01")),
        (f"{costs}?year=", ("2024", "2025")),
    ):
        purged, kept_answer = (firm.boss.get(path + when) for when in periods)
        assert (purged.status_code, purged.json()["message"]) == (409, "Zeiten nach Frist gelöscht."), path
        assert kept_answer.status_code == 200, path
