"""Limits that protect an inbox from one person's messages: narrow rates, updated messages, few open requests."""

from collections import Counter
from datetime import date, timedelta
from types import SimpleNamespace

import pytest
from sqlalchemy import func, select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.limits import rates
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.messages.tables import Message
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation.words import MOST_OPEN
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest

from cloud.tests.planning.illness import reported
from cloud.tests.planning.leaving import asks
from cloud.tests.planning.rosters import assigned
from cloud.tests.world import Firm, Somebody, World

FIRST = date(2027, 1, 4)
EMPLOYEES = 30


@pytest.fixture(autouse=True)
def _one_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sets the limits' clock to a fixed time in the middle of all their windows."""
    monkeypatch.setattr(rates, "time", SimpleNamespace(time_ns=lambda: 315 * 1_000_000_000))


def _write(person: Somebody, absence_id: str, count: int, text: str = "Fieber") -> Counter[int]:
    path = f"/api/absences/{absence_id}/message"
    return Counter(person.post(path, json={"message": f"{text} {n}"}).status_code for n in range(count))


def test_the_same_people_are_told_thirty_times_and_then_no_more(firm: Firm, world: World) -> None:
    """All administrators are one recipient; an employee's messages to them about different things count together."""
    world.user(firm.id, "vertretung", "companyAdmin")
    (row,) = reported(firm.anna)
    counts = _write(firm.anna, row["id"], EMPLOYEES)
    assert counts == {200: EMPLOYEES - 1, 429: 1}
    refused = asks(firm.anna, str(FIRST), kind="wish")
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    assert 0 < int(refused.headers["Retry-After"]) <= 600
    assert firm.anna.get("/api/vacation-requests/mine").json() == []
    assert asks(firm.ben, str(FIRST), kind="wish").status_code == 201
    duty = assigned(firm, firm.anna, str(FIRST))
    handed = firm.anna.post("/api/schedule/swap-request", json={"date": duty["date"], "to": firm.ben.id})
    assert handed.status_code == 201  # a colleague is another recipient


def test_who_is_asked_for_a_duty_again_and_again_is_asked_thirty_times(firm: Firm) -> None:
    """A withdrawn hand-over is still in the log."""
    duty = assigned(firm, firm.anna, str(FIRST))
    wish = {"date": duty["date"], "to": firm.ben.id}
    for _ in range(EMPLOYEES):
        answer = firm.anna.post("/api/schedule/swap-request", json=wish)
        assert answer.status_code == 201
        assert firm.anna.delete(f"/api/schedule/swap-requests/{answer.json()['id']}").status_code == 204
    refused = firm.anna.post("/api/schedule/swap-request", json=wish)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    assert firm.anna.get("/api/schedule/my-swap-requests").json() == []


def test_a_bulk_call_is_one_and_who_decides_has_many(firm: Firm, platform: Platform) -> None:
    add = [{"date": str(FIRST + timedelta(days=n)), "userId": firm.anna.id} for n in range(200)]
    assert firm.boss.post(f"/api/companies/{firm.id}/schedule/bulk", json={"add": add}).json()["added"] == 200
    period_body = {"from": str(FIRST), "to": str(FIRST + timedelta(days=200))}
    assert firm.boss.post(f"/api/companies/{firm.id}/schedule/publish", json=period_body).json() == {"told": 1}
    for n in range(EMPLOYEES + 10):
        booking_body = {"date": str(FIRST + timedelta(days=n)), "minutes": 5, "reason": "Umziehen"}
        assert firm.boss.post(f"/api/users/{firm.anna.id}/bookings", json=booking_body).status_code == 201
    limited = messages.DECIDERS, f"user {firm.boss.id}", "tells anybody"
    for _ in range(120 - EMPLOYEES - 13):
        platform.rates.spend_on(*limited)
    answers = [firm.boss.post(f"/api/users/{firm.ben.id}/bookings", json=booking_body).status_code for _ in range(3)]
    assert answers == [201, 201, 429]


def test_a_person_has_a_hundred_open_requests_at_most(firm: Firm, platform: Platform) -> None:
    now = platform.clock.now()
    with platform.database.write(SYSTEM) as session:
        for n in range(MOST_OPEN):
            day, ids = FIRST + timedelta(days=n), {"company_id": firm.id, "user_id": firm.anna.id}
            leave = {"kind": "wish", "start_date": day, "end_date": day, "start_half": False, "end_half": False}
            session.add(VacationRequest(id=platform.ids.new(), **ids, **leave, status="pending", created_at=now))
            worked = {"date": day - timedelta(days=365), "new_start": 480, "new_end": 720, "status": "pending"}
            session.add(CorrectionRequest(id=platform.ids.new(), **ids, **worked, created_at=now))
    correction_body = {"date": "2026-11-19", "newStart": "08:00", "newEnd": "12:00"}
    for refused in (
        asks(firm.anna, "2027-06-01", kind="wish"),
        firm.anna.post("/api/time-corrections", json=correction_body),
    ):
        assert (refused.status_code, refused.json()["code"]) == (409, "too_many_open")
    assert asks(firm.ben, "2027-06-01", kind="wish").status_code == 201
    with platform.database.read(SYSTEM) as session:
        assert session.scalar(select(func.count()).select_from(Message)) == 1
