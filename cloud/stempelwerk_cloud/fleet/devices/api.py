"""Endpoints of the device registry."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Annotated

from fastapi import Depends, Query, Request, Response

from stempelwerk_cloud.domain.instants import EPOCH, day_end, day_start
from stempelwerk_cloud.fleet.devices import service, words
from stempelwerk_cloud.fleet.devices.changes import assignments, channels, withdrawal
from stempelwerk_cloud.fleet.devices.reported import listing
from stempelwerk_cloud.fleet.devices.reported.listing import ListedDevice
from stempelwerk_cloud.fleet.devices.schemas import (
    AssignedDevice,
    Changed,
    ChannelChoice,
    ClockRow,
    CompanyChoice,
    DeviceChange,
    DeviceRow,
    MomentRow,
    Reason,
    Spare,
)
from stempelwerk_cloud.fleet.devices.service import BeatsWritten
from stempelwerk_cloud.kit.http.paging import BoundsDep, name_next
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import BeforeField, PathId
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import AdminOnly, administrators_with, of_company_with
from stempelwerk_cloud.people.directory.callers import Caller, admitted_caller
from stempelwerk_cloud.people.directory.companies import zone_of
from stempelwerk_cloud.people.work import Reading, UnitOfWork, Writing

router = room_router("devices")

MODULE = "devices"
WEEK = timedelta(days=7)
OwnerOfClocks = Annotated[Caller, Depends(of_company_with(MODULE))]
"""Administrators of the company in the path, if it may manage devices."""


def _count_code_attempt(request: Request, platform: PlatformDep, body: Spare) -> None:
    withdrawal.count_code_attempt(platform, admitted_caller(request), body)


CodeAttempt = Annotated[None, Depends(_count_code_attempt)]
"""Counts an attempt to name a spare by its claim code, before the transaction begins. The guard must precede it."""
Manager = Annotated[Caller, Depends(administrators_with(MODULE))]
"""Administrators who may manage devices. The called service checks that the device belongs to their company."""
Limit = Annotated[int | None, Query(ge=1, le=1000)]
"""Query parameter: maximum number of rows; without it all rows are returned."""


@router.get("/api/devices", response_model=list[DeviceRow])
def list_devices(
    _: AdminOnly,
    work: Reading,
    request: Request,
    limit: Limit = None,
    before: BeforeField = None,
    unassigned: Annotated[bool, Query()] = False,
    withdrawn: Annotated[bool, Query()] = False,
    search: Annotated[str, Query(alias="q", max_length=100)] = "",
) -> Response:
    """Lists devices by serial, beginning after the device `before`: those in use, or with `withdrawn` only the
    withdrawn ones. `unassigned` limits the list to devices without a company.

    `q`: words, that must all occur in serial, code, name, company, address or version.
    """
    devices, next_id = listing.page(work, limit, before, unassigned=unassigned, withdrawn=withdrawn, words=search)
    return _page(request, devices, next_id)


@router.get("/api/clocks", response_model=list[ClockRow])
def list_clocks(
    _: AdminOnly,
    work: Reading,
    request: Request,
    limit: Limit = None,
    before: BeforeField = None,
) -> Response:
    """Lists all devices, with the field names of the documents, by serial, after the device `before`."""
    devices, next_id = listing.page(work, limit, before)
    return _page(request, map(listing.as_clock, devices), next_id)


@router.get("/api/companies/{companyId}/clocks", response_model=list[ClockRow])
def company_clocks(
    _: OwnerOfClocks,
    work: Reading,
    request: Request,
    limit: Limit = None,
    before: BeforeField = None,
) -> Response:
    """Lists the company's current devices, by serial, after the device `before`."""
    devices, next_id = listing.page(work, limit, before, company_id=work.caller.subject_company_id)
    return _page(request, map(listing.as_clock, devices), next_id)


@router.put("/api/devices/{id}")
def rename_device(_: Manager, work: Writing, device_id: PathId, body: DeviceChange) -> DeviceRow:
    """Sets the device's name, its notes, or both."""
    changes = body.model_dump(exclude_none=True)
    return _row(work, service.rename(work, device_id, changes))


@router.post("/api/devices/{id}/assign-company")
def assign_device(_: AdminOnly, work: Writing, device_id: PathId, body: CompanyChoice) -> AssignedDevice:
    """Assigns the device to the company, from now or from the given moment. The company also gets the stamps that the
    device has taken since that moment while it was unassigned.
    """
    device_no, released = assignments.assign(work, device_id, body.company_id, body.from_)
    return AssignedDevice(**_row(work, device_no).model_dump(), released=released)


@router.post("/api/devices/{id}/unassign")
def unassign_device(_: AdminOnly, work: Writing, device_id: PathId) -> DeviceRow:
    """Ends the device's assignment now. This works for a withdrawn device as well."""
    return DeviceRow.model_validate(listing.find_listed(work, assignments.unassign(work, device_id), withdrawn=True))


@router.put("/api/clocks/channel")
def set_all_channels(_: AdminOnly, work: Writing, body: ChannelChoice) -> Changed:
    """Sets the update channel of every clock in use."""
    return Changed(changed=channels.of_all(work, body.channel))


@router.put("/api/clocks/{id}/channel")
def set_channel(_: AdminOnly, work: Writing, clock_id: PathId, body: ChannelChoice) -> ClockRow:
    """Sets the update channel of one clock."""
    device = listing.find_listed(work, channels.of_device(work, clock_id, body.channel))
    return ClockRow.model_validate(listing.as_clock(device))


@router.post("/api/companies/{id}/update-channel")
def set_company_channel(_: AdminOnly, work: Writing, company_id: PathId, body: ChannelChoice) -> Changed:
    """Sets the update channel of all clocks of the company."""
    return Changed(changed=channels.of_company(work, company_id, body.channel))


@router.get("/api/devices/{id}/history")
def history(_: AdminOnly, _beats: BeatsWritten, work: Reading, device_id: PathId, bounds: BoundsDep) -> list[MomentRow]:
    """Lists the states of the clock, oldest first: for the given days, 400 at most, or else for the last week.

    Days are local days of the operator's time zone. If there are more than 5,000 rows, the newest 5,000 are returned.
    """
    if bounds.first and bounds.last and (bounds.last - bounds.first).days >= words.DAYS_LIMIT:
        raise words.too_many_days()
    zone = zone_of(work.session, work.caller.company_id, work.now())
    ends_at = work.now() if bounds.last is None else day_end(bounds.last, zone)
    starts_at = max(ends_at, EPOCH) - WEEK if bounds.first is None else day_start(bounds.first, zone)
    rows = service.history(work, device_id, starts_at, ends_at)
    return [MomentRow.model_validate(row) for row in rows]


@router.post("/api/devices/{id}/revoke", status_code=204)
def revoke(_: AdminOnly, work: Writing, device_id: PathId, body: Reason) -> Response:
    """Refuses the clock's key from now on."""
    withdrawal.revoke(work, device_id, body.reason)
    return Response(status_code=204)


@router.post("/api/devices/{id}/reset-key")
def reset_key(_: AdminOnly, work: Writing, device_id: PathId, body: Reason) -> DeviceRow:
    """Clears the conflict and the fork of the clock's key. The clock's hardware is recorded again at its next
    enrolment.
    """
    return _row(work, withdrawal.reset_key(work, device_id, body.reason))


@router.post("/api/devices/{id}/replace")
def replace(_: AdminOnly, _attempt: CodeAttempt, work: Writing, replaced_id: PathId, body: Spare) -> DeviceRow:
    """Replaces the clock by a spare, which takes over its company, name, notes and channel. Returns the spare."""
    return _row(work, withdrawal.replace(work, replaced_id, body))


@router.delete("/api/devices/{id}", status_code=204)
def decommission(_: AdminOnly, work: Writing, device_id: PathId) -> Response:
    """Takes the clock out of use: ends its assignment and refuses its key. Its stamps are kept."""
    withdrawal.decommission(work, device_id)
    return Response(status_code=204)


def _page(request: Request, devices: Iterable[ListedDevice], next_id: str | None) -> Response:
    answer = Response(listing.encode(list(devices)), media_type="application/json")
    name_next(request, answer, before=next_id)
    return answer


def _row(work: UnitOfWork, device_no: int) -> DeviceRow:
    return DeviceRow.model_validate(listing.find_listed(work, device_no))
