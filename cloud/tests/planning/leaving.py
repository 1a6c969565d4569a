"""What the tests of vacation begin with: employments, policies, sick days and bookings, and requests in a line."""

import json
from datetime import date
from typing import Any

from httpx2 import Response
from stempelwerk_cloud.domain.calendar import days
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.dated import Change
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.planning.facts.tables import Absence
from stempelwerk_cloud.planning.vacation import service as vacation

from cloud.tests.room import given
from cloud.tests.world import Firm, Somebody

MINE = "/api/vacation-requests/mine"


def allow(firm: Firm, yearly: float | None = 30, **more: Any) -> None:
    """Everybody has that many days a year."""
    body = {"mode": "uniform", "uniformDays": yearly, "perUser": {}} | more
    assert firm.boss.put(policy_path(firm), json=body).status_code == 200


def policy_path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/vacation-policy"


def employ(somebody: Somebody, **values: Any) -> None:
    """Says something of an employment, by the names of the API."""
    path = f"/api/users/{somebody.id}/employment"
    assert somebody.world.founder.put(path, json=values).status_code == 200


def was_employed(somebody: Somebody, **values: str | None) -> None:
    """The same by the names of the values, as an older release left it: plans behind an exit stay where they are."""
    platform = somebody.world.platform
    with platform.database.write(SYSTEM) as session:
        now = platform.clock.now()
        for name, value in values.items():
            new = Change(name, date.min, json.dumps(value))
            directory.set_person_value(session, somebody.company_id, somebody.id, new, now, None)


def keep_holidays(firm: Firm, region: str = "DE-BY") -> None:
    """From the beginning of the year on."""
    body = {"holidayRegion": region, "validFrom": "2025-01-01"}
    assert firm.boss.put(f"/api/companies/{firm.id}/settings", json=body).status_code == 200


def asks(somebody: Somebody, start: str, end: str | None = None, kind: str = "vacation", **more: Any) -> Response:
    body = {"kind": kind, "startDate": start, "endDate": end or start} | more
    return somebody.post("/api/vacation-requests", json=body)


def asked(somebody: Somebody, start: str, end: str | None = None, kind: str = "vacation", **more: Any) -> str:
    """The id of a request that was taken."""
    made = asks(somebody, start, end, kind, **more)
    assert made.status_code == 201, made.text
    request_id: str = made.json()["id"]
    return request_id


def approve(somebody: Somebody, request_id: str, **body: Any) -> Response:
    return somebody.post(f"/api/vacation-requests/{request_id}/approve", json=body)


def decline(somebody: Somebody, request_id: str, **body: Any) -> Response:
    return somebody.post(f"/api/vacation-requests/{request_id}/decline", json=body)


def approved(firm: Firm, somebody: Somebody, start: str, end: str | None = None, **more: Any) -> str:
    """The id of a request that the administrator entered."""
    return asked(firm.boss, start, end, userId=somebody.id, overAllowance=True, **more)


def mine(somebody: Somebody) -> dict[str, Any]:
    """Their vacation of the current year."""
    row: dict[str, Any] = somebody.get("/api/vacation-policy/mine").json()
    return row


def falls_ill(somebody: Somebody, first: date, last: date, *, status: str = "open", noted: bool = True) -> None:
    ids, now = somebody.world.platform.ids, somebody.world.platform.clock.now()
    note = {"file_id": ids.new(), "noted_at": now} if noted else {}
    report_id = ids.new()
    for day in days(first, last):
        given(somebody, Absence, date=day, kind="sick", status=status, report_id=report_id, **note)


def book(somebody: Somebody, day: str, amount: float) -> None:
    body = {"date": day, "vacationDays": amount, "reason": "Sonderurlaub"}
    assert somebody.world.founder.post(f"/api/users/{somebody.id}/bookings", json=body).status_code == 201


def of_company(firm: Firm, who: Somebody, query: str = "") -> Any:
    return who.get(f"/api/companies/{firm.id}/vacation-requests{query}").json()


def code_of(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def balance(somebody: Somebody, year: int, today: date = date(2026, 11, 20)) -> vacation.VacationBalance:
    with somebody.world.platform.database.read(SYSTEM) as session:
        return vacation.balance_of(session, somebody.company_id, somebody.id, year, today)
