"""Duties, hand-overs and leave that are simply there, and what tests ask of a roster."""

from datetime import date
from typing import Any

from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.messages.tables import Message
from stempelwerk_cloud.planning.facts.tables import Duty, VacationRequest
from stempelwerk_cloud.planning.swaps.tables import SwapRequest

from cloud.tests.world import Firm, Somebody

TODAY = date(2026, 11, 20)
"""A Friday; the tests' clock stands at 9 in the morning in Berlin."""


def kept(
    platform: Platform, company_id: str, user_id: str, day: str, start: int | None = None, end: int | None = None
) -> str:
    """A duty; its id."""
    duty_id = platform.ids.new()
    with platform.database.write(SYSTEM) as tx:
        tx.add(
            Duty(
                company_id=company_id,
                id=duty_id,
                user_id=user_id,
                date=date.fromisoformat(day),
                start_minute=start,
                end_minute=end,
                created_at=platform.clock.now(),
                changed_at=platform.clock.now(),
            )
        )
    return duty_id


def asked(platform: Platform, company_id: str, duty_id: str, day: str, giver: str, taker: str) -> str:
    """A request that waits; its id."""
    request_id = platform.ids.new()
    with platform.database.write(SYSTEM) as tx:
        tx.add(
            SwapRequest(
                company_id=company_id,
                id=request_id,
                duty_id=duty_id,
                date=date.fromisoformat(day),
                from_id=giver,
                to_id=taker,
                status="pending",
                created_at=platform.clock.now(),
            )
        )
    return request_id


def on_leave(platform: Platform, somebody: Somebody, first: str, last: str, **more: Any) -> None:
    """Approved vacation, unless `more` says otherwise."""
    said = {"kind": "vacation", "status": "approved"} | more
    with platform.database.write(SYSTEM) as tx:
        tx.add(
            VacationRequest(
                company_id=somebody.company_id,
                id=platform.ids.new(),
                user_id=somebody.id,
                start_date=date.fromisoformat(first),
                end_date=date.fromisoformat(last),
                created_at=platform.clock.now(),
                **said,
            )
        )


def path(firm: Firm) -> str:
    return f"/api/companies/{firm.id}/schedule"


def assigned(firm: Firm, somebody: Somebody, day: str, **times: str) -> dict[str, Any]:
    """The row of a duty that the administrator gives."""
    made = firm.boss.post(path(firm), json={"date": day, "userId": somebody.id, **times})
    assert made.status_code == 201, made.text
    row: dict[str, Any] = made.json()
    return row


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


def inbox(platform: Platform, somebody: Somebody) -> list[Message]:
    """What somebody was told, oldest first."""
    with platform.database.read(SYSTEM) as tx:
        return list(tx.scalars(select(Message).where(Message.user_id == somebody.id).order_by(Message.id)))
