"""Endpoints for correction requests, and for deleting entries."""

from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Response

from stempelwerk_cloud.kit.http.paging import Bounds, BoundsDep, Paging, PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import EMPTY_IS_ALL, PathId, TimeInput
from stempelwerk_cloud.people.access.guards import (
    Employee,
    Stamping,
    administrators_with,
    employee_or_administrator_with,
    of_company_with,
)
from stempelwerk_cloud.people.directory.callers import USER, Caller
from stempelwerk_cloud.people.work import Reading, UnitOfWork, Writing
from stempelwerk_cloud.timekeeping.corrections import queries, service, words
from stempelwerk_cloud.timekeeping.corrections.decisions import deletions, listing, seeing
from stempelwerk_cloud.timekeeping.corrections.decisions.judging import Wish
from stempelwerk_cloud.timekeeping.corrections.schemas import (
    CorrectionDecision,
    CorrectionPreview,
    CorrectionRequestBody,
    CorrectionRow,
    PreviewEntry,
    PreviewLost,
    Status,
)
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest

router = room_router("corrections")

MODULE = "absences"

Asking = Annotated[Caller, Depends(employee_or_administrator_with(MODULE))]
"""An employee for their own times, or an administrator for an employee's. The service checks whose times they are."""
Deciding = Annotated[Caller, Depends(administrators_with(MODULE))]
Previewing = Annotated[Caller, Depends(administrators_with(MODULE).showing("corrections", queries.owner_of))]
Looking = Annotated[Caller, Depends(of_company_with(MODULE).showing("corrections"))]
Which = Annotated[Literal[Status, "all"], EMPTY_IS_ALL]


@router.post("/api/time-corrections", status_code=201)
def ask(caller: Asking, work: Writing, body: CorrectionRequestBody) -> CorrectionRow:
    """Creates an employee's request, or an administrator's correction for an employee (`userId`), which is approved at
    once.

    Refused (409) while another request of the person for that day is open.
    """
    start, end = body.chosen_times()
    if body.date is None or (start is None and end is None):
        raise words.times_missing("date" if body.date is None else "newStart")
    if caller.role != USER and body.user_id is not None and (start is None or end is None):
        raise words.time_missing(start=start is None)
    wish = Wish(body.date, start, end, body.break_minutes, body.entry_id)
    return _row(work, service.ask(work, wish, body.reason or None, body.user_id))


@router.get("/api/time-corrections/mine")
def mine(
    caller: Stamping, work: Reading, paging: PagingDep, bounds: BoundsDep, status: Which = "all"
) -> list[CorrectionRow]:
    """The caller's own requests, newest first."""
    return _list_requests(work, caller.company_id, caller.user_id, status, bounds, paging)


@router.get("/api/companies/{companyId}/time-corrections")
def of_company(
    caller: Looking, work: Reading, paging: PagingDep, bounds: BoundsDep, status: Which = "all"
) -> list[CorrectionRow]:
    """The company's requests, newest first. The list of open ones omits requests of people who were deleted."""
    return _list_requests(work, caller.subject_company_id, None, status, bounds, paging)


@router.get("/api/time-corrections/{id}/preview")
def preview(
    _: Previewing,
    work: Reading,
    request_id: PathId,
    start: Annotated[TimeInput | None, Query(alias="newStart")] = None,
    end: Annotated[TimeInput | None, Query(alias="newEnd")] = None,
) -> CorrectionPreview:
    """Returns the entries of the day as they are and as approval would make them, optionally with other times.

    Refused for the same reasons as an approval.
    """
    day_preview = seeing.preview(work, request_id, service.Change(start, end, None))
    return CorrectionPreview(
        before=[PreviewEntry.model_validate(entry) for entry in day_preview.entries_before],
        after=[PreviewEntry.model_validate(entry) for entry in day_preview.entries_after],
        stamps=list(day_preview.stamps),
        leaves_out=[PreviewLost.model_validate(lost) for lost in day_preview.leaves_out],
    )


@router.post("/api/time-corrections/{id}/approve")
def approve(_: Deciding, work: Writing, request_id: PathId, body: CorrectionDecision | None = None) -> CorrectionRow:
    """Approves the request: its times, or those in the body, become part of the person's times."""
    decision = body or CorrectionDecision()
    start, end = decision.chosen_times()
    change = service.Change(start, end, decision.break_minutes)
    return _row(work, service.decide(work, request_id, change, decision.comment or None))


@router.post("/api/time-corrections/{id}/decline")
def decline(_: Deciding, work: Writing, request_id: PathId, body: CorrectionDecision | None = None) -> CorrectionRow:
    """Declines the request; the times stay as they are."""
    return _row(work, service.decide(work, request_id, None, (body or CorrectionDecision()).comment or None))


@router.delete("/api/time-corrections/{id}", status_code=204)
def withdraw(_: Employee, work: Writing, request_id: PathId) -> Response:
    """Withdraws the caller's own open request."""
    service.withdraw(work, request_id)
    return Response(status_code=204)


@router.delete("/api/work-times/{id}", status_code=204)
def delete_entry(_: Asking, work: Writing, entry_id: PathId) -> Response:
    """Deletes an entry: it no longer counts, nor do stamps of its time that arrive later. 409 for a running entry."""
    deletions.delete(work, entry_id)
    return Response(status_code=204)


def _list_requests(
    work: UnitOfWork, company_id: str, user_id: str | None, status: str, bounds: Bounds, paging: Paging
) -> list[CorrectionRow]:
    wanted_status = None if status == "all" else status
    requests = queries.list_page(work.session, company_id, user_id, wanted_status, bounds, paging.page_request)
    return _rows(work, company_id, paging.cut(requests))


def _row(work: UnitOfWork, request: CorrectionRequest) -> CorrectionRow:
    return _rows(work, request.company_id, [request])[0]


def _rows(work: UnitOfWork, company_id: str, requests: Any) -> list[CorrectionRow]:
    return listing.rows_of(work.session, company_id, requests, work.now())
