"""Calls about notes."""

from typing import Annotated

from fastapi import Depends, Path, Response

from stempelwerk_cloud.kit.database.transactions import ReadTx, WriteTx
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import IdField
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.planning.notes import repository, service
from stempelwerk_cloud.planning.notes.schemas import NewNote, NoteRow

router = room_router("notes")

Planner = Annotated[Caller, Depends(of_company_with("schedule"))]


@router.get("/api/companies/{id}/notes")
def list_notes(caller: Planner, tx: ReadTx) -> list[NoteRow]:
    """By day."""
    return [NoteRow.model_validate(note) for note in repository.of_company(tx, caller.subject_company_id)]


@router.post("/api/companies/{id}/notes", status_code=201)
def write_note(caller: Planner, tx: WriteTx, platform: PlatformDep, body: NewNote) -> NoteRow:
    note = service.write(tx, platform, caller.subject_company_id, body.date, body.text, caller.user_id)
    return NoteRow.model_validate(note)


@router.delete("/api/companies/{id}/notes/{noteId}", status_code=204)
def remove_note(
    caller: Planner, tx: WriteTx, platform: PlatformDep, note_id: Annotated[IdField, Path(alias="noteId")]
) -> Response:
    service.remove(tx, platform, caller.subject_company_id, note_id, caller.user_id)
    return Response(status_code=204)
