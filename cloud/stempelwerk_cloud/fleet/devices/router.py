"""Calls of the device registry."""

from typing import Annotated

from fastapi import Depends, Query

from stempelwerk_cloud.fleet.devices import assignments, service
from stempelwerk_cloud.fleet.devices.schemas import (
    ClockRow,
    CompanyChoice,
    DeviceChange,
    DeviceRow,
    clock_row,
    device_row,
)
from stempelwerk_cloud.kit.db import ReadTx, WriteTx
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.kit.problems import not_found
from stempelwerk_cloud.kit.routing import room_router
from stempelwerk_cloud.kit.schemas import PathId
from stempelwerk_cloud.people.access.callers import Caller
from stempelwerk_cloud.people.access.guards import AdminOnly, administrators_with, of_company_with

router = room_router("devices")

MODULE = "devices"
OwnerOfClocks = Annotated[Caller, Depends(of_company_with(MODULE))]
"""Administrators of the company in the path, if it may manage devices."""
Manager = Annotated[Caller, Depends(administrators_with(MODULE))]
"""Administrators who may manage devices; the service looks whose the device is."""


@router.get("/api/devices")
def list_devices(
    _: AdminOnly, tx: ReadTx, platform: PlatformDep, unassigned: Annotated[bool, Query()] = False
) -> list[DeviceRow]:
    """All devices, or those that are nobody's."""
    found = service.listed(tx, platform)
    return [device_row(one) for one in found if not unassigned or one.company_id is None]


@router.get("/api/clocks")
def list_clocks(_: AdminOnly, tx: ReadTx, platform: PlatformDep) -> list[ClockRow]:
    """All devices, with the names of the documents."""
    return [clock_row(one) for one in service.listed(tx, platform)]


@router.get("/api/companies/{companyId}/clocks")
def company_clocks(caller: OwnerOfClocks, tx: ReadTx, platform: PlatformDep) -> list[ClockRow]:
    """The devices that are the company's now."""
    return [clock_row(one) for one in service.clocks_of(tx, platform, caller)]


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


def _row(tx: WriteTx, platform: PlatformDep, device_no: int) -> DeviceRow:
    found = service.listed(tx, platform, device_no=device_no)
    if not found:
        raise not_found()
    return device_row(found[0])
