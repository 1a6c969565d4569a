"""Endpoints for calendar addresses and their files."""

import hashlib
from typing import Annotated, Any

from fastapi import Depends, Path, Request, Response

from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.http.addresses import origin_of
from stempelwerk_cloud.kit.http.routing import SessionlessGuard, room_router
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import Employee, employee
from stempelwerk_cloud.people.access.identity import sessions
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Reading, Writing, unit_of_work
from stempelwerk_cloud.planning.calendar import service
from stempelwerk_cloud.planning.calendar.service import Holder


class AddressRow(Wire):
    """A new calendar address. It is returned only in this answer, because only a hash of it is stored."""

    url: str


class AddressState(Wire):
    """Whether the caller has an address, and since when. The address itself is not stored."""

    active: bool
    created_at: InstantField | None


router = room_router("calendar")


@router.post("/api/calendar-address", status_code=201)
def give_address(
    caller: Annotated[Caller, Depends(employee.at_most("20/minute"))], request: Request, platform: PlatformDep
) -> AddressRow:
    """Creates a new calendar address for the caller's own duties; the earlier one ends.

    The address is shown only in this answer. So the answer is not stored for a repetition with the same
    Idempotency-Key.
    """
    with unit_of_work(platform, of_company(caller.company_id), caller) as work:
        secret = service.give(work, _holder(caller))
        sessions.recheck_session(work.session, caller)
    address = origin_of(platform.settings.public_url, request) or ""
    return AddressRow(url=f"{address}/api/calendar/{secret}.ics")


@router.get("/api/calendar-address")
def address(caller: Employee, work: Reading) -> AddressState:
    """Whether the caller has a calendar address, and since when."""
    row = service.find_address(work.session, _holder(caller))
    return AddressState(active=row is not None, created_at=None if row is None else row.created_at)


@router.delete("/api/calendar-address", status_code=204)
def end_address(caller: Employee, work: Writing) -> Response:
    """Ends the caller's calendar address, if there is one."""
    service.end(work, _holder(caller))
    return Response(status_code=204)


_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/calendar": {}}, "description": "The duties as an iCalendar file"},
    304: {"description": "The file is the one that `If-None-Match` names"},
}


@router.head("/api/calendar/{secret}.ics", response_class=Response, responses=_FILE)
@router.get("/api/calendar/{secret}.ics", response_class=Response, responses=_FILE)
def calendar(
    _: Annotated[None, Depends(SessionlessGuard("anyone", rate="300/minute"))],
    request: Request,
    platform: PlatformDep,
    secret: Annotated[str, Path()],
) -> Response:
    """The duties of the address's owner as an iCalendar file: the same bytes until one of them changes. No log contains
    this path.
    """
    content = service.file_at(platform, secret)
    tag = f'"{hashlib.sha256(content).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    known_tags = {part.strip().removeprefix("W/") for part in request.headers.get("if-none-match", "").split(",")}
    if known_tags & {tag, "*"}:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type="text/calendar", headers=headers)


def _holder(caller: Caller) -> Holder:
    return Holder(caller.company_id, caller.user_id)
