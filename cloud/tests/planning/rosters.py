"""Duties, hand-overs and leave that are simply there, and what tests ask of a roster."""

from datetime import date
from typing import Any

from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.planning.facts.tables import Duty, VacationRequest
from stempelwerk_cloud.planning.hand_overs.tables import HandOver

from cloud.tests.room import given
from cloud.tests.world import Firm, Somebody

TODAY = date(2026, 11, 20)
"""A Friday; the tests' clock stands at 9 in the morning in Berlin."""


def kept(somebody: Somebody, day: str, start: int | None = None, end: int | None = None) -> str:
    """A duty; its id."""
    return given(somebody, Duty, date=day, start_minute=start, end_minute=end)


def asked(giver: Somebody, taker: Somebody, duty_id: str, day: str) -> str:
    """A request that waits; its id."""
    row = {"from_id": giver.id, "to_id": taker.id, "status": "pending"}
    return given(giver, HandOver, duty_id=duty_id, date=day, **row)


def on_leave(somebody: Somebody, first: str, last: str, **more: Any) -> None:
    """Approved vacation, unless `more` says otherwise."""
    row = {"kind": "vacation", "status": "approved", "start_date": first, "end_date": last}
    given(somebody, VacationRequest, **(row | more))


def path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/schedule"


def assigned(firm: Firm, somebody: Somebody, day: str, **times: str) -> dict[str, Any]:
    """The row of a duty that the administrator gives."""
    made = firm.boss.post(path(firm), json={"date": day, "userId": somebody.id, **times})
    assert made.status_code == 201, made.text
    row: dict[str, Any] = made.json()
    return row


def published(firm: Firm, first: str, last: str | None = None, **more: str) -> int:
    """Publishes these days; how many were told."""
    done = firm.boss.post(f"{path(firm)}/publish", json={"from": first, "to": last or first, **more})
    assert done.status_code == 200, done.text
    return int(done.json()["told"])


def offer(giver: Somebody, taker: Somebody, day: str) -> str:
    """A request to take over a duty; its id."""
    made = giver.post("/api/schedule/swap-request", json={"date": day, "from": giver.id, "to": taker.id})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


def holders(platform: Platform, company_id: str) -> dict[tuple[str, str], str]:
    """By person and day, the duty."""
    with platform.database.read(SYSTEM) as tx:
        rows = tx.scalars(select(Duty).where(Duty.company_id == company_id)).all()
        found = {(row.user_id, row.date.isoformat()): row.id for row in rows}
    assert len(found) == len(rows)
    return found
