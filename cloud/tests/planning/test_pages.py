"""Lists that can grow are read by days, and a row that has left one keeps its place (pages as such: `matrix`)."""

from collections.abc import Callable
from typing import Any

import pytest

from cloud.tests.databases import ON_BOTH
from cloud.tests.planning.illness import reported
from cloud.tests.planning.leaving import allow, asked
from cloud.tests.planning.rosters import assigned
from cloud.tests.world import Firm, Somebody, World

Reads = tuple[Somebody, str]


def _correct(somebody: Somebody, day: str) -> None:
    said = {"date": day, "newStart": "08:00", "newEnd": "12:00"}
    assert somebody.post("/api/time-corrections", json=said).status_code == 201


def _book(firm: Firm, somebody: Somebody, day: str) -> None:
    said = {"date": day, "minutes": 60, "reason": "Fortbildung"}
    assert firm.boss.post(f"/api/users/{somebody.id}/bookings", json=said).status_code == 201


LISTS: dict[str, Callable[[Firm], Reads]] = {
    "schedule": lambda firm: (firm.boss, f"/api/companies/{firm.id}/schedule"),
    "own schedule": lambda firm: (firm.anna, f"/api/companies/{firm.id}/schedule"),
    "absences": lambda firm: (firm.boss, f"/api/companies/{firm.id}/absences"),
    "requests": lambda firm: (firm.boss, f"/api/companies/{firm.id}/vacation-requests"),
    "own requests": lambda firm: (firm.anna, "/api/vacation-requests/mine"),
    "corrections": lambda firm: (firm.boss, f"/api/companies/{firm.id}/time-corrections"),
    "own corrections": lambda firm: (firm.anna, "/api/time-corrections/mine"),
    "bookings": lambda firm: (firm.anna, f"/api/users/{firm.anna.id}/bookings"),
}


@pytest.fixture
def full(world: World, firm: Firm) -> Firm:
    """Three of everything for Anna, two for Ben, and as much in another company."""
    for one in (firm, world.firm("Andere")):
        allow(one)
        for somebody, days in ((one.anna, ("16", "17", "18")), (one.ben, ("17", "18"))):
            for day in days:
                assigned(one, somebody, f"2026-12-{day}")
                asked(somebody, f"2027-01-{day}", kind="wish")
                reported(somebody, f"2026-11-{day}")
                _correct(somebody, f"2026-11-{day}")
                _book(one, somebody, f"2026-11-{day}")
    return firm


@ON_BOTH
def test_from_and_to_leave_out_other_days(full: Firm) -> None:
    for name, reads in LISTS.items():
        asker, path = reads(full)
        month = {"schedule": "2026-12", "requests": "2027-01"}.get(name.removeprefix("own "), "2026-11")
        member = "startDate" if "requests" in name else "date"
        of_one_day = asker.get(f"{path}?from={month}-17&to={month}-17").json()
        assert {row[member] for row in of_one_day} == {f"{month}-17"}
        assert {row[member][-2:] for row in asker.get(f"{path}?from={month}-17&to={month}-30").json()} == {"17", "18"}
        refused = asker.get(f"{path}?from={month}-18&to={month}-17")
        assert (refused.status_code, refused.json()["errors"][0]["message"]) == (422, "Der Anfang liegt nach dem Ende.")


@ON_BOTH
def test_a_row_that_has_left_the_list_keeps_its_place(full: Firm) -> None:
    path = f"/api/companies/{full.id}/vacation-requests"
    whole: list[dict[str, Any]] = full.boss.get(f"{path}?status=pending").json()
    assert full.boss.post(f"/api/vacation-requests/{whole[1]['id']}/approve").status_code == 200
    assert full.boss.get(f"{path}?status=pending&before={whole[1]['id']}").json() == whole[2:]
