"""Calls of the device registry."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import Depends, Query, Request, Response

from stempelwerk_cloud.fleet.devices import assignments, listing, service
from stempelwerk_cloud.fleet.devices.listing import ListedDevice
from stempelwerk_cloud.fleet.devices.schemas import ClockRow, CompanyChoice, DeviceChange, DeviceRow
from stempelwerk_cloud.kit.http.paging import name_next
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import IdField, PathId
from stempelwerk_cloud.people.access.guards import AdminOnly, administrators_with, of_company_with
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Reading, Work, Writing

router = room_router("devices")

MODULE = "devices"
OwnerOfClocks = Annotated[Caller, Depends(of_company_with(MODULE))]
"""Administrators of the company in the path, if it may manage devices."""
Manager = Annotated[Caller, Depends(administrators_with(MODULE))]
"""Administrators who may manage devices; the service looks whose the device is."""
Limit = Annotated[int | None, Query(ge=1, le=1000)]
"""How many rows at most; without it, all."""


@router.get("/api/devices", response_model=list[DeviceRow])
def list_devices(
    _: AdminOnly,
    work: Reading,
    request: Request,
    limit: Limit = None,
    before: IdField | None = None,
    unassigned: Annotated[bool, Query()] = False,
) -> Response:
    """All devices, or those that are nobody's, by serial; behind the device `before`."""
    found, following = listing.page(work, limit, before, unassigned=unassigned)
    return _page(request, found, following)


@router.get("/api/clocks", response_model=list[ClockRow])
def list_clocks(
    _: AdminOnly,
    work: Reading,
    request: Request,
    limit: Limit = None,
    before: IdField | None = None,
) -> Response:
    """All devices, with the names of the documents, by serial; behind the device `before`."""
    found, following = listing.page(work, limit, before)
    return _page(request, map(listing.as_clock, found), following)


@router.get("/api/companies/{companyId}/clocks", response_model=list[ClockRow])
def company_clocks(
    _: OwnerOfClocks,
    work: Reading,
    request: Request,
    limit: Limit = None,
    before: IdField | None = None,
) -> Response:
    """The devices that are the company's now, by serial; behind the device `before`."""
    found, following = listing.page(work, limit, before, company_id=work.caller.subject_company_id)
    return _page(request, map(listing.as_clock, found), following)


@router.put("/api/devices/{id}")
def rename_device(_: Manager, work: Writing, device_id: PathId, body: DeviceChange) -> DeviceRow:
    """Sets name or notes."""
    changes = body.model_dump(exclude_none=True)
    return _row(work, service.rename(work, device_id, changes))


@router.post("/api/devices/{id}/assign-company")
def assign_device(_: AdminOnly, work: Writing, device_id: PathId, body: CompanyChoice) -> DeviceRow:
    """Makes the device the company's, from now or from the given moment."""
    return _row(work, assignments.assign(work, device_id, body.company_id, body.from_))


@router.post("/api/devices/{id}/unassign")
def unassign_device(_: AdminOnly, work: Writing, device_id: PathId) -> DeviceRow:
    """From now on the device is nobody's."""
    return _row(work, assignments.unassign(work, device_id))


def _page(request: Request, found: Iterable[ListedDevice], following: str | None) -> Response:
    answer = Response(listing.encode(list(found)), media_type="application/json")
    name_next(request, answer, before=following)
    return answer


def _row(work: Work, device_no: int) -> DeviceRow:
    return DeviceRow.model_validate(listing.one(work, device_no))
