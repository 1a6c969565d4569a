"""Helpers for tests of vacation: employments, policies, sick days and bookings, and one-line requests."""

import json
from datetime import date
from typing import Any

from httpx2 import Response
from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.directory.people import set_person_value
from stempelwerk_cloud.planning.facts.tables import Absence
from stempelwerk_cloud.planning.vacation import service as vacation

from cloud.tests.room import given
from cloud.tests.world import Firm, Somebody

MINE = "/api/vacation-requests/mine"


def allow(firm: Firm, yearly: float | None = 30, **fields: Any) -> None:
    """Everybody has that many days a year."""
    body = {"mode": "uniform", "uniformDays": yearly, "perUser": {}} | fields
    assert firm.boss.put(policy_path(firm), json=body).status_code == 200


def policy_path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/vacation-policy"


def employ(person: Somebody, **values: Any) -> None:
    """Says something of an employment, by the names of the API."""
    path = f"/api/users/{person.id}/employment"
    assert person.world.founder.put(path, json=values).status_code == 200


def was_employed(person: Somebody, **values: str | None) -> None:
    """Stores the values by name, as an older release did: plans after an exit stay where they are."""
    platform = person.world.platform
    with platform.database.write(SYSTEM) as session:
        now = platform.clock.now()
        for name, value in values.items():
            new = Change(name, date.min, json.dumps(value))
            set_person_value(session, person.company_id, person.id, new, now, None)


def keep_holidays(firm: Firm, region: str = "DE-BY") -> None:
    """Sets the region for holidays, beginning with the year."""
    body = {"holidayRegion": region, "validFrom": "2025-01-01"}
    assert firm.boss.put(f"/api/companies/{firm.id}/settings", json=body).status_code == 200


def asks(person: Somebody, start: str, end: str | None = None, kind: str = "vacation", **fields: Any) -> Response:
    body = {"kind": kind, "startDate": start, "endDate": end or start} | fields
    return person.post("/api/vacation-requests", json=body)


def create_request(person: Somebody, start: str, end: str | None = None, kind: str = "vacation", **fields: Any) -> str:
    """The id of a request that was taken."""
    answer = asks(person, start, end, kind, **fields)
    assert answer.status_code == 201, answer.text
    request_id: str = answer.json()["id"]
    return request_id


def approve(person: Somebody, request_id: str, **body: Any) -> Response:
    return person.post(f"/api/vacation-requests/{request_id}/approve", json=body)


def decline(person: Somebody, request_id: str, **body: Any) -> Response:
    return person.post(f"/api/vacation-requests/{request_id}/decline", json=body)


def approved(firm: Firm, person: Somebody, start: str, end: str | None = None, **fields: Any) -> str:
    """The id of a request that the administrator entered."""
    return create_request(firm.boss, start, end, userId=person.id, overAllowance=True, **fields)


def vacation_of(person: Somebody) -> dict[str, Any]:
    """Their vacation of the current year."""
    row: dict[str, Any] = person.get("/api/vacation-policy/mine").json()
    return row


def falls_ill(person: Somebody, first: date, last: date, *, status: str = "open", noted: bool = True) -> None:
    ids, now = person.world.platform.ids, person.world.platform.clock.now()
    note = {"file_id": ids.new(), "noted_at": now} if noted else {}
    report_id = ids.new()
    for day in days(first, last):
        given(person, Absence, date=day, kind="sick", status=status, report_id=report_id, **note)


def book(person: Somebody, day: str, amount: float) -> None:
    body = {"date": day, "vacationDays": amount, "reason": "Sonderurlaub"}
    assert person.world.founder.post(f"/api/users/{person.id}/bookings", json=body).status_code == 201


def of_company(firm: Firm, reader: Somebody, query: str = "") -> Any:
    return reader.get(f"/api/companies/{firm.id}/vacation-requests{query}").json()


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def balance(person: Somebody, year: int, today: date = date(2026, 11, 20)) -> vacation.VacationBalance:
    with person.world.platform.database.read(SYSTEM) as session:
        return vacation.balance_of(session, person.company_id, person.id, year, today)
