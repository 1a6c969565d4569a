"""Helpers for tests of absences: reporting sick, handing in notes, and reading the messages."""

from typing import Any

from httpx2 import Response
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.people.work import unit_of_work
from stempelwerk_cloud.planning.absences import service as absences
from stempelwerk_cloud.planning.facts.tables import Absence

from cloud.tests.planning.plain_files import jpeg
from cloud.tests.room import inbox
from cloud.tests.world import Firm, Somebody

TODAY = "2026-11-20"


def report(person: Somebody, start: str = TODAY, end: str | None = None, **fields: Any) -> Response:
    return person.post("/api/absences", json={"startDate": start, "endDate": end or start, **fields})


def reported(person: Somebody, start: str = TODAY, end: str | None = None, **fields: Any) -> list[dict[str, Any]]:
    answer = report(person, start, end, **fields)
    assert answer.status_code == 201, answer.text
    rows: list[dict[str, Any]] = answer.json()
    return rows


def hand_in(person: Somebody, absence_id: str, content: bytes | None = None, name: str = "foto.jpg") -> Response:
    file = (name, jpeg() if content is None else content, "image/jpeg")
    return person.post(f"/api/absences/{absence_id}/upload-sick-note", files={"file": file})


def note(person: Somebody, absence_id: str) -> Response:
    return person.get(f"/api/absences/{absence_id}/sick-note")


def decide(person: Somebody, absence_id: str, decision: str, **body: Any) -> Response:
    return person.post(f"/api/absences/{absence_id}/{decision}", json=body)


def company_absences(firm: Firm, status: str = "all", reader: Somebody | None = None) -> list[dict[str, Any]]:
    answer = (reader or firm.boss).get(f"/api/companies/{firm.id}/absences?status={status}")
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()
    return rows


def own_absences(person: Somebody, query: str = "") -> list[dict[str, Any]]:
    answer = person.get(f"/api/users/{person.id}/absences{query}")
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()
    return rows


def messages_of(person: Somebody) -> list[tuple[str, dict[str, Any]]]:
    """Returns type and payload of a person's messages, oldest first."""
    return [(message.type, message.payload) for message in inbox(person)]


def read_all(person: Somebody) -> None:
    """They have read what lies in their inbox."""
    ids = [row["id"] for row in person.get("/api/messages").json()]
    assert person.post("/api/messages/read", json={"ids": ids}).status_code == 204


def missed(firm: Firm, person: Somebody, *days: Any) -> list[str]:
    """Records missed duties of a person; returns the ids of these days."""
    with unit_of_work(firm.world.platform, SYSTEM) as work:
        absences.add_missing(work, firm.id, [absences.Missed(person.id, day) for day in days])
    with firm.world.platform.database.read(SYSTEM) as tx:
        statement = select(Absence.id).where(Absence.user_id == person.id, Absence.date.in_(days))
        return list(tx.scalars(statement.order_by(Absence.date)))
