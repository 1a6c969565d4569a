"""What tests of absences have in common: reporting sick, handing in notes, and a look at what is told."""

from typing import Any

from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import working
from stempelwerk_cloud.planning.absences import service as absences
from stempelwerk_cloud.planning.facts.tables import Absence

from cloud.tests.planning.plain_files import jpeg
from cloud.tests.room import inbox
from cloud.tests.world import Firm, Somebody

TODAY = "2026-11-20"


def report(somebody: Somebody, start: str = TODAY, end: str | None = None, **more: Any) -> Response:
    return somebody.post("/api/absences", json={"startDate": start, "endDate": end or start, **more})


def reported(somebody: Somebody, start: str = TODAY, end: str | None = None, **more: Any) -> list[dict[str, Any]]:
    answer = report(somebody, start, end, **more)
    assert answer.status_code == 201, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def hand_in(somebody: Somebody, absence_id: str, content: bytes | None = None, name: str = "foto.jpg") -> Response:
    file = (name, jpeg() if content is None else content, "image/jpeg")
    return somebody.post(f"/api/absences/{absence_id}/upload-sick-note", files={"file": file})


def note(somebody: Somebody, absence_id: str) -> Response:
    return somebody.get(f"/api/absences/{absence_id}/sick-note")


def decide(somebody: Somebody, absence_id: str, decision: str, **body: Any) -> Response:
    return somebody.post(f"/api/absences/{absence_id}/{decision}", json=body)


def listed(firm: Firm, status: str = "all", by: Somebody | None = None) -> list[dict[str, Any]]:
    answer = (by or firm.boss).get(f"/api/companies/{firm.id}/absences?status={status}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def own(somebody: Somebody, query: str = "") -> list[dict[str, Any]]:
    answer = somebody.get(f"/api/users/{somebody.id}/absences{query}")
    assert answer.status_code == 200, answer.text
    found: list[dict[str, Any]] = answer.json()
    return found


def told(somebody: Somebody) -> list[tuple[str, dict[str, Any]]]:
    """Type and payload of what somebody was told, oldest first."""
    return [(one.type, one.payload) for one in inbox(somebody)]


def read_all(somebody: Somebody) -> None:
    """They have read what lies in their inbox."""
    ids = [row["id"] for row in somebody.get("/api/messages").json()]
    assert somebody.post("/api/messages/read", json={"ids": ids}).status_code == 204


def missed(firm: Firm, somebody: Somebody, *days: Any) -> list[str]:
    """Writes down that somebody did not come; the ids of these days."""
    with working(firm.world.platform, SYSTEM) as work:
        absences.add_missing(work, firm.id, [absences.Missed(somebody.id, day) for day in days])
    with firm.world.platform.database.read(SYSTEM) as tx:
        found = select(Absence.id).where(Absence.user_id == somebody.id, Absence.date.in_(days))
        return list(tx.scalars(found.order_by(Absence.date)))
