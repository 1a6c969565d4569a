"""Lists that can grow are read by days, and a row that has left one keeps its place (pages as such: `matrix`)."""

from collections.abc import Callable
from typing import Any

import pytest

from cloud.tests.databases import ON_BOTH
from cloud.tests.planning.illness import reported
from cloud.tests.planning.leaving import allow, create_request
from cloud.tests.planning.rosters import assigned
from cloud.tests.world import Firm, Somebody, World

Reads = tuple[Somebody, str]


def _correct(person: Somebody, day: str) -> None:
    correction_body = {"date": day, "newStart": "08:00", "newEnd": "12:00"}
    assert person.post("/api/time-corrections", json=correction_body).status_code == 201


def _book(firm: Firm, person: Somebody, day: str) -> None:
    booking_body = {"date": day, "minutes": 60, "reason": "Fortbildung"}
    assert firm.boss.post(f"/api/users/{person.id}/bookings", json=booking_body).status_code == 201


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
    for company in (firm, world.firm("Andere")):
        allow(company)
        for person, days in ((company.anna, ("16", "17", "18")), (company.ben, ("17", "18"))):
            for day in days:
                assigned(company, person, f"2026-12-{day}")
                create_request(person, f"2027-01-{day}", kind="wish")
                reported(person, f"2026-11-{day}")
                _correct(person, f"2026-11-{day}")
                _book(company, person, f"2026-11-{day}")
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
    all_rows: list[dict[str, Any]] = full.boss.get(f"{path}?status=pending").json()
    assert full.boss.post(f"/api/vacation-requests/{all_rows[1]['id']}/approve").status_code == 200
    assert full.boss.get(f"{path}?status=pending&before={all_rows[1]['id']}").json() == all_rows[2:]
