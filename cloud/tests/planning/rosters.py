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
"""A Friday; the tests' clock shows 9 in the morning in Berlin."""


def add_duty(person: Somebody, day: str, start: int | None = None, end: int | None = None) -> str:
    """A duty; its id."""
    return given(person, Duty, date=day, start_minute=start, end_minute=end)


def add_hand_over(giver: Somebody, taker: Somebody, duty_id: str, day: str) -> str:
    """A request that waits; its id."""
    row = {"from_id": giver.id, "to_id": taker.id, "status": "pending"}
    return given(giver, HandOver, duty_id=duty_id, date=day, **row)


def on_leave(person: Somebody, first: str, last: str, **fields: Any) -> None:
    """Adds approved vacation, unless `fields` overrides it."""
    row = {"kind": "vacation", "status": "approved", "start_date": first, "end_date": last}
    given(person, VacationRequest, **(row | fields))


def path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/schedule"


def assigned(firm: Firm, person: Somebody, day: str, **times: str) -> dict[str, Any]:
    """The row of a duty that the administrator gives."""
    answer = firm.boss.post(path(firm), json={"date": day, "userId": person.id, **times})
    assert answer.status_code == 201, answer.text
    row: dict[str, Any] = answer.json()
    return row


def published(firm: Firm, first: str, last: str | None = None, **fields: str) -> int:
    """Publishes these days; returns how many people were notified."""
    done = firm.boss.post(f"{path(firm)}/publish", json={"from": first, "to": last or first, **fields})
    assert done.status_code == 200, done.text
    return int(done.json()["told"])


def offer(giver: Somebody, taker: Somebody, day: str) -> str:
    """A request to take over a duty; its id."""
    answer = giver.post("/api/schedule/swap-request", json={"date": day, "from": giver.id, "to": taker.id})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def holders(platform: Platform, company_id: str) -> dict[tuple[str, str], str]:
    """Returns the duty by person and day."""
    with platform.database.read(SYSTEM) as tx:
        rows = tx.scalars(select(Duty).where(Duty.company_id == company_id)).all()
        holder_of = {(row.user_id, row.date.isoformat()): row.id for row in rows}
    assert len(holder_of) == len(rows)
    return holder_of
