"""Calls about inquiries: any visitor sends one, system administrators read and delete them."""

from typing import Annotated

from fastapi import Depends, Query, Request, Response

from stempelwerk_cloud.kit.http.paging import name_next
from stempelwerk_cloud.kit.http.routing import SessionlessGuard, room_router
from stempelwerk_cloud.kit.http.schemas import BeforeField, PathId
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AdminOnly
from stempelwerk_cloud.people.inquiries import problems, service
from stempelwerk_cloud.people.inquiries.schemas import InquiryRow, NewInquiry
from stempelwerk_cloud.people.work import Reading, Writing

router = room_router("inquiries")
PATH = "/api/inquiries"
BODY_BYTES = 64 * 1024
"""A message of 5,000 characters has 20,000 bytes at most, and 30,000 if a client escapes them."""


async def _require_inquiries(platform: PlatformDep) -> None:
    """Raises 404 before the fields are validated if no inquiries are accepted. Invalid JSON is refused even earlier."""
    if platform.settings.inquiry_email is None:
        raise problems.not_taken()


@router.post(PATH, status_code=201)
def send(
    _: Annotated[None, Depends(SessionlessGuard("anyone", rate="10/minute; 100/day", shared=True))],
    _open: Annotated[None, Depends(_require_inquiries)],
    platform: PlatformDep,
    body: NewInquiry,
) -> InquiryRow:
    """Sends a request for an offer, or a message. 404 where the installation accepts no inquiries."""
    return InquiryRow.model_validate(service.take(platform, body.kind, body.submitted_fields()))


@router.get(PATH)
def inquiries(
    _: AdminOnly,
    work: Reading,
    request: Request,
    response: Response,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
    before: BeforeField = None,
) -> list[InquiryRow]:
    """Lists the inquiries, newest first."""
    rows, next_id = service.page(work, limit, before)
    name_next(request, response, before=next_id)
    return [InquiryRow.model_validate(row) for row in rows]


@router.delete("/api/inquiries/{id}", status_code=204)
def delete(_: AdminOnly, work: Writing, inquiry_id: PathId) -> Response:
    """Deletes an inquiry."""
    service.remove(work, inquiry_id)
    return Response(status_code=204)
