"""Endpoints for absences and sick notes."""

from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.files import checking
from stempelwerk_cloud.kit.files.checking import Checked
from stempelwerk_cloud.kit.http.paging import BoundsDep, PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import EMPTY_IS_ALL, DayField, IdField, PathId
from stempelwerk_cloud.kit.http.uploads import ROOM_FOR_FORM, uploaded_file
from stempelwerk_cloud.kit.limits.fair_semaphore import page_shares
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import (
    Employee,
    administrators_with,
    employee_or_administrator_with,
    file_reader_with,
    of_company_with,
    self_user_with,
    stamping,
)
from stempelwerk_cloud.people.directory.callers import Caller, admitted_caller, life_of
from stempelwerk_cloud.people.work import Reading, UnitOfWork, Writing
from stempelwerk_cloud.planning.absences import schemas, words
from stempelwerk_cloud.planning.absences.decisions import deciding, taking_back
from stempelwerk_cloud.planning.absences.schemas import (
    AbsenceDecision,
    AbsenceMessage,
    AbsenceRow,
    Cancellation,
    Reopening,
    SickReport,
    StatusWanted,
)
from stempelwerk_cloud.planning.absences.sick_notes import notes, reports

router = room_router("absences")

UPLOAD = "/api/absences/{id}/upload-sick-note"
UPLOAD_BYTES = checking.MOST_BYTES + ROOM_FOR_FORM
MODULE = "absences"

UserId = Annotated[IdField, Path(alias="userId")]
Decider = Annotated[Caller, Depends(administrators_with(MODULE))]

_FORM: dict[str, Any] = {
    "required": True,
    "content": {
        "multipart/form-data": {
            "schema": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {"type": "string", "format": "binary", "description": "An image or a PDF, at most 10 MB."}
                },
            }
        }
    },
}
_NOTE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The sick note",
        "content": {media_type: {"schema": {"type": "string", "format": "binary"}} for media_type in checking.ENDINGS},
    }
}
_SHOWN_ALONE = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
"""The content security policy of a sick note in the browser: the file may run, load and send nothing."""


@router.get("/api/users/{userId}/absences")
def absences_of_user(
    _: Annotated[Caller, Depends(self_user_with(MODULE).showing("absences"))],
    work: Reading,
    user_id: UserId,
    first: Annotated[DayField | None, Query(alias="from")] = None,
    last: Annotated[DayField | None, Query(alias="to")] = None,
) -> list[AbsenceRow]:
    """A person's absences from `from` to `to` (400 days at most; by default the current month), oldest first."""
    return schemas.of_user(work, user_id, first, last)


@router.get("/api/companies/{companyId}/absences")
def absences_of_company(
    _: Annotated[Caller, Depends(of_company_with(MODULE).showing("absences").in_turn())],
    work: Reading,
    paging: PagingDep,
    bounds: BoundsDep,
    status: Annotated[StatusWanted, EMPTY_IS_ALL] = "all",
) -> list[AbsenceRow]:
    """The company's absences, newest day first."""
    return schemas.of_company(work, None if status == "all" else status, bounds, paging)


@router.post("/api/absences", status_code=201)
def report_sick(
    _: Annotated[Caller, Depends(employee_or_administrator_with(MODULE))], work: Writing, body: SickReport
) -> list[AbsenceRow]:
    """Reports an illness: the caller's own, or entered by an administrator for `userId`. Returns one row for
    each day.
    """
    if body.kind == "special":
        absences = reports.special(
            work, body.start_date, body.end_date, body.user_id, body.reason or "", credited=body.credited
        )
    elif body.reason:
        raise words.no_reason_wanted()
    else:
        absences = reports.report(work, body.start_date, body.end_date, body.user_id)
    return schemas.rows(work.session, absences[0].company_id, absences)


async def _checked(request: Request, platform: PlatformDep, absence_id: PathId) -> Checked:
    """Reads the uploaded sick note and returns it checked and rebuilt, ready to be stored.

    The caller's access to the absence is checked before the file is read. Raises the `Problem` of a refused file.
    """
    caller = admitted_caller(request)

    def look() -> None:
        with platform.database.read(life_of(request).scope) as session:
            notes.look_for(UnitOfWork(session, platform, caller), absence_id)

    async with platform.page_turns.slot(*page_shares(caller.company_id, caller.user_id)):
        await run_in_threadpool(look)
    content = await uploaded_file(request, "file", checking.MOST_BYTES, checking.too_large())
    return await checking.checked_in_turn(platform, caller.company_id, caller.user_id, content)


@router.post(UPLOAD, openapi_extra={"requestBody": _FORM})
async def upload_sick_note(
    caller: Annotated[Caller, Depends(stamping.at_most("30/minute"))],
    note: Annotated[Checked, Depends(_checked)],
    work: Writing,
    absence_id: PathId,
) -> AbsenceRow:
    """Stores a sick note for all days of the report, replacing an older one. Images and PDFs are rebuilt before."""

    def add() -> AbsenceRow:
        return schemas.row(work.session, notes.add(work, absence_id, note))

    async with work.platform.page_turns.slot(*page_shares(caller.company_id, caller.user_id)):
        return await run_in_threadpool(add)


@router.get("/api/absences/{id}/sick-note", responses=_NOTE, response_class=Response)
def sick_note(_: Annotated[Caller, Depends(file_reader_with(MODULE))], work: Writing, absence_id: PathId) -> Response:
    """The sick note, for its employee and the company's administrators. Each reading is recorded in the audit log."""
    content, media_type, name = notes.read(work, absence_id)
    headers = {
        "Content-Disposition": f'inline; filename="{name}"',
        "Content-Security-Policy": _SHOWN_ALONE,
        "Cache-Control": "no-store",
    }
    return Response(content, media_type=media_type, headers=headers)


@router.post("/api/absences/{id}/message")
def say(_: Employee, work: Writing, absence_id: PathId, body: AbsenceMessage) -> AbsenceRow:
    """Stores the employee's message about an open absence, replacing an earlier one."""
    return schemas.row(work.session, deciding.add_message(work, absence_id, body.message))


@router.post("/api/absences/{id}/excuse")
def excuse(_: Decider, work: Writing, absence_id: PathId, body: AbsenceDecision | None = None) -> AbsenceRow:
    """Excuses the day, or all open days of its report."""
    return schemas.row(work.session, deciding.decide(work, absence_id, "excused", body or AbsenceDecision()))


@router.post("/api/absences/{id}/decline")
def decline(_: Decider, work: Writing, absence_id: PathId, body: AbsenceDecision | None = None) -> AbsenceRow:
    """Declines the day, or all open days of its report."""
    return schemas.row(work.session, deciding.decide(work, absence_id, "declined", body or AbsenceDecision()))


@router.delete("/api/absences/{id}", status_code=204)
def withdraw(_: Employee, work: Writing, absence_id: PathId, report: bool = False) -> Response:
    """Withdraws the caller's own report of illness while it is open: the day, or with `report` all open days of the
    report.
    """
    taking_back.withdraw(work, absence_id, whole_report=report)
    return Response(status_code=204)


@router.post("/api/absences/{id}/cancel")
def cancel(_: Decider, work: Writing, absence_id: PathId, body: Cancellation) -> AbsenceRow:
    """Cancels the day, or all days of its report."""
    return schemas.row(work.session, taking_back.cancel(work, absence_id, body.comment, whole_report=body.report))


@router.post("/api/absences/{id}/reopen")
def reopen(_: Decider, work: Writing, absence_id: PathId, body: Reopening) -> AbsenceRow:
    """Reopens a decided day, or all days of its report that were decided alike."""
    return schemas.row(work.session, taking_back.reopen(work, absence_id, body.comment, whole_report=body.report))
