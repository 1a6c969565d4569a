"""Calls of the device registry."""

from collections.abc import Iterable
from typing import Annotated

from fastapi import Depends, Query, Request, Response

from stempelwerk_cloud.fleet.devices import assignments, listing, service
from stempelwerk_cloud.fleet.devices.listing import ListedDevice
from stempelwerk_cloud.fleet.devices.schemas import ClockRow, CompanyChoice, DeviceChange, DeviceRow
from stempelwerk_cloud.kit.database.transactions import ReadTx, WriteTx
from stempelwerk_cloud.kit.http.paging import name_next
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import IdField, PathId
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AdminOnly, administrators_with, of_company_with
from stempelwerk_cloud.people.directory.service import Caller

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
    tx: ReadTx,
    platform: PlatformDep,
    request: Request,
    limit: Limit = None,
    before: IdField | None = None,
    unassigned: Annotated[bool, Query()] = False,
) -> Response:
    """All devices, or those that are nobody's, by serial; behind the device `before`."""
    found, following = listing.page(tx, platform, limit, before, unassigned=unassigned)
    return _page(request, found, following)


@router.get("/api/clocks", response_model=list[ClockRow])
def list_clocks(
    _: AdminOnly,
    tx: ReadTx,
    platform: PlatformDep,
    request: Request,
    limit: Limit = None,
    before: IdField | None = None,
) -> Response:
    """All devices, with the names of the documents, by serial; behind the device `before`."""
    found, following = listing.page(tx, platform, limit, before)
    return _page(request, map(listing.as_clock, found), following)


@router.get("/api/companies/{companyId}/clocks", response_model=list[ClockRow])
def company_clocks(
    caller: OwnerOfClocks,
    tx: ReadTx,
    platform: PlatformDep,
    request: Request,
    limit: Limit = None,
    before: IdField | None = None,
) -> Response:
    """The devices that are the company's now, by serial; behind the device `before`."""
    company_id = caller.subject_company_id
    found, following = listing.page(tx, platform, limit, before, company_id=company_id)
    return _page(request, map(listing.as_clock, found), following)


@router.put("/api/devices/{id}")
def rename_device(
    caller: Manager, tx: WriteTx, platform: PlatformDep, device_id: PathId, body: DeviceChange
) -> DeviceRow:
    """Sets name or notes."""
    changes = body.model_dump(exclude_none=True)
    return _row(tx, platform, service.rename(tx, platform, caller, device_id, changes))


@router.post("/api/devices/{id}/assign-company")
def assign_device(
    caller: AdminOnly, tx: WriteTx, platform: PlatformDep, device_id: PathId, body: CompanyChoice
) -> DeviceRow:
    """Makes the device the company's, from now or from the given moment."""
    assigned = assignments.assign(tx, platform, device_id, body.company_id, body.from_, caller.user_id)
    return _row(tx, platform, assigned)


@router.post("/api/devices/{id}/unassign")
def unassign_device(caller: AdminOnly, tx: WriteTx, platform: PlatformDep, device_id: PathId) -> DeviceRow:
    """From now on the device is nobody's."""
    return _row(tx, platform, assignments.unassign(tx, platform, device_id, caller.user_id))


def _page(request: Request, found: Iterable[ListedDevice], following: str | None) -> Response:
    answer = Response(listing.encode(list(found)), media_type="application/json")
    name_next(request, answer, before=following)
    return answer


def _row(tx: WriteTx, platform: PlatformDep, device_no: int) -> DeviceRow:
    return DeviceRow.model_validate(listing.one(tx, platform, device_no))
