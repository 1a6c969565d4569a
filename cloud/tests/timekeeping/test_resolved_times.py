"""A held stamp can be booked only at a possible time: within its assignment or release, before its receipt."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.tables import AuditEntry
from stempelwerk_cloud.timekeeping.ledger.tables import Resolution

from cloud.tests.device_client import Clock, iso
from cloud.tests.stamping import ANNA, MORNING, Site, enrolled, hours

MINUTE = timedelta(minutes=1)
RECEIVED = MORNING + hours(12)
ASSIGNED = MORNING - timedelta(days=1)
SENTENCE = (
    "Dieser Stempel kann frühestens am 19. November 2026 um 07:00 Uhr und spätestens am 20. November 2026 um 19:05 Uhr"
    " entstanden sein."
)


def uncertain(site: Site, device: Clock | None = None) -> dict[str, Any]:
    """A stamp of Anna's whose clock did not know the time."""
    (device or site.device).deliver((device or site.device).tap(ANNA, MORNING, quality="none"))
    (held_stamp,) = site.held()
    assert held_stamp["state"] == "held_clock"
    return dict(held_stamp)


def book(site: Site, stamp: str, taken_at: datetime | str, action: str = "book") -> Response:
    booked_at = taken_at if isinstance(taken_at, str) else iso(taken_at)
    path = f"/api/companies/{site.firm.id}/held-stamps/{stamp}/resolve"
    return site.boss.post(path, json={"action": action, "takenAt": booked_at})


def left_alone(site: Site, platform: Platform, stamp: dict[str, Any]) -> bool:
    with platform.database.read(SYSTEM) as tx:
        logged = tx.scalars(select(AuditEntry.id).where(AuditEntry.action == "stamps.resolved")).all()
        return site.held() == [stamp] and not tx.scalars(select(Resolution.id)).all() and not logged


@pytest.mark.parametrize("year", ["0001", "0026", "1926", "1970", "2025"])
def test_a_stamp_is_not_booked_in_a_year_before_its_assignment(site: Site, platform: Platform, year: str) -> None:
    held_stamp = uncertain(site)
    answer = book(site, held_stamp["id"], f"{year}-11-20T07:00:00.000Z")
    assert (answer.status_code, answer.json()["message"]) == (422, SENTENCE)
    assert answer.json()["errors"] == [{"field": "takenAt", "message": SENTENCE}]
    assert left_alone(site, platform, held_stamp)


@pytest.mark.parametrize("action", ["book", "discard"])
def test_a_time_outside_of_the_bounds_changes_nothing_whatever_is_decided(
    site: Site, platform: Platform, action: str
) -> None:
    held_stamp = uncertain(site)
    site.clock.advance(hours=24)
    for outside in (ASSIGNED - timedelta(milliseconds=1), RECEIVED + 5 * MINUTE + timedelta(milliseconds=1)):
        answer = book(site, held_stamp["id"], outside, action)
        assert (answer.status_code, answer.json()["message"]) == (422, SENTENCE)
    assert left_alone(site, platform, held_stamp)


@pytest.mark.parametrize("within", [ASSIGNED, MORNING, RECEIVED, RECEIVED + 5 * MINUTE])
def test_a_stamp_is_booked_at_any_time_between_the_bounds(site: Site, within: datetime) -> None:
    held_stamp = uncertain(site)
    site.clock.advance(hours=24)
    assert book(site, held_stamp["id"], within).json() == {"state": "booked"}
    assert [entry["date"] for entry in site.times()] == [f"{within:%Y-%m-%d}"]


def test_the_future_is_refused_as_the_future(site: Site, platform: Platform) -> None:
    held_stamp = uncertain(site)
    answer = book(site, held_stamp["id"], RECEIVED + MINUTE)
    assert (answer.status_code, answer.json()["message"]) == (422, "Die Zeit darf nicht in der Zukunft liegen.")
    assert left_alone(site, platform, held_stamp)


def test_the_bounds_are_told_in_the_companys_own_time(site: Site) -> None:
    held_stamp = uncertain(site)
    settings = {"timeZone": "Atlantic/Canary", "validFrom": "2026-01-01"}
    assert site.boss.put(f"/api/companies/{site.firm.id}/settings", json=settings).status_code == 200
    assert (
        "frühestens am 19. November 2026 um 06:00 Uhr"
        in book(site, held_stamp["id"], MORNING - hours(100)).json()["message"]
    )


def test_the_bounds_end_with_the_assignment(site: Site) -> None:
    held_stamp = uncertain(site)
    site.clock.advance(hours=1)
    site.assign(site.device, site.world.company("Andere GmbH"))
    site.clock.advance(hours=1)
    answer = book(site, held_stamp["id"], RECEIVED + hours(1))
    assert (answer.status_code, answer.json()["message"]) == (422, SENTENCE)


def test_a_released_stamp_is_booked_within_its_release(site: Site) -> None:
    stock = enrolled(site.world, site.clock, "SW-T-9", 9)
    stock.deliver(stock.tap(ANNA, MORNING, quality="none"))
    period = {"from": iso(MORNING - hours(2)), "to": iso(RECEIVED + hours(5)), "companyId": site.firm.id}
    released = site.founder.post("/api/held-stamps/release", json={"deviceId": stock.device_id} | period)
    assert released.json() == {"released": 1}
    (held_stamp,) = site.held()
    refused = book(site, held_stamp["id"], MORNING - hours(3)).json()["message"]
    assert "frühestens am 20. November 2026 um 05:00 Uhr und spätestens am 20. November 2026 um 19:05 Uhr" in refused
    assert book(site, held_stamp["id"], MORNING - hours(1)).json() == {"state": "booked"}
    assert site.spans() == [("2026-11-20", "06:00", None)]
