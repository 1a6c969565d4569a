"""A dry run lists the months that a back-dated change would alter, and stores nothing."""

from typing import Any

import pytest

from cloud.tests.office.people import employ, set_weekly, worked
from cloud.tests.world import Firm, Somebody

MONTHS = ("2026-09", "2026-10", "2026-11")


@pytest.fixture
def busy(firm: Firm) -> Firm:
    """Anna has worked nine hours on a day of each month."""
    set_weekly(firm, 2400)
    employ(firm.anna, entry_date="2026-09-01")
    for month in MONTHS:
        worked(firm.anna, f"{month}-03", "08:00", "17:00")
    return firm


CHANGES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("companies/{firm}/settings", {"breakPolicy": "none", "validFrom": "2026-10-01"}, ["2026-10", "2026-11"]),
    ("companies/{firm}/settings", {"clockShowsBalance": False, "validFrom": "2026-10-01"}, []),
    (
        "companies/{firm}/working-hours-config",
        {"mode": "uniform", "uniformWeeklyTargetMinutes": 1800, "validFrom": "2026-11-01"},
        ["2026-11"],
    ),
    ("companies/{firm}/free-days", {"year": 2026, "days": [{"date": "2026-10-02", "name": "Jubiläum"}]}, ["2026-10"]),
    ("users/{anna}/employment", {"workdays": [0, 1, 2, 3], "validFrom": "2026-11-01"}, ["2026-11"]),
    (
        "companies/{firm}/vacation-policy",
        {"mode": "uniform", "uniformDays": 30, "perUser": {}, "validFrom": "2026-01-01"},
        [],
    ),
]


def _put(firm: Firm, caller: Somebody, path: str, body: dict[str, Any], query: str = "?dryRun=true") -> Any:
    return caller.put(f"/api/{path.format(firm=firm.id, anna=firm.anna.id)}{query}", json=body)


def _all_told(firm: Firm) -> list[Any]:
    paths = ["audit", "settings", "working-hours-config", "free-days?year=2026", "vacation-policy", "accounts"]
    body = [firm.boss.get(f"/api/companies/{firm.id}/{path}").json() for path in paths]
    return [*body, firm.boss.get(f"/api/users/{firm.anna.id}/employment").json()]


@pytest.mark.parametrize(("path", "body", "months"), CHANGES)
def test_the_months_that_would_differ_are_named_and_nothing_is_kept(
    busy: Firm, path: str, body: dict[str, Any], months: list[str]
) -> None:
    initial = _all_told(busy)
    answer = _put(busy, busy.boss, path, body)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {"months": [{"month": month, "exported": False, "locked": False} for month in months]}
    assert _all_told(busy) == initial
    assert _put(busy, busy.boss, path, body, "").status_code == 200
    assert _all_told(busy) != initial
    assert _put(busy, busy.boss, path, body).json() == {"months": []}


@pytest.mark.parametrize(("path", "body", "months"), CHANGES[:1] + CHANGES[4:5])
def test_a_question_is_refused_as_the_change_is(busy: Firm, path: str, body: dict[str, Any], months: list[str]) -> None:
    stranger = busy.world.firm("Andere GmbH").boss
    assert _put(busy, stranger, path, body).status_code == 404
    assert _put(busy, busy.anna, path, body).status_code == 403
    assert _put(busy, busy.boss, path, body | {"validFrom": "gestern"}).status_code == 422
    founder = _put(busy, busy.world.founder, path, body)
    assert [row["month"] for row in founder.json()["months"]] == months
