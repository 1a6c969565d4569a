"""Endpoints for notes for a day."""

from typing import Annotated

from fastapi import Query, Response
from pydantic import StringConstraints

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, InstantField, PathId, SentDay, Wire
from stempelwerk_cloud.people.access.guards import Administrators, MemberOf, OfCompany
from stempelwerk_cloud.people.work import Reading, Writing
from stempelwerk_cloud.planning.site_notes import service
from stempelwerk_cloud.planning.site_notes.tables import TEXT_LIMIT


class NewDayNote(Wire):
    """A note to write."""

    day: SentDay
    text: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=TEXT_LIMIT)]


class DayNoteRow(Wire):
    id: str
    day: DayField
    text: str
    written_at: InstantField


router = room_router("day notes")


@router.get("/api/companies/{id}/day-notes")
def day_notes(
    caller: MemberOf, work: Reading, month: Annotated[str | None, Query(examples=["2026-11"])] = None
) -> list[DayNoteRow]:
    """The company's notes of a month, the current one by default, by day."""
    notes = service.of_month(work, caller.subject_company_id, month)
    return [DayNoteRow.model_validate(note) for note in notes]


@router.post("/api/companies/{id}/day-notes", status_code=201)
def write_day_note(caller: OfCompany, work: Writing, body: NewDayNote) -> DayNoteRow:
    """Writes a note for a day, at most a year from today; a day has 20 notes at most."""
    return DayNoteRow.model_validate(service.write(work, caller.subject_company_id, body.day, body.text))


@router.delete("/api/day-notes/{id}", status_code=204)
def delete_day_note(_: Administrators, work: Writing, note_id: PathId) -> Response:
    """Deletes a note."""
    service.delete(work, note_id)
    return Response(status_code=204)
