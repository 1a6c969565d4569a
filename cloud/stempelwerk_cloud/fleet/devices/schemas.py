"""JSON of the device registry."""

from typing import Annotated

from pydantic import Field

from stempelwerk_cloud.fleet.devices.service import ListedDevice
from stempelwerk_cloud.fleet.devices.tables import NAME_LIMIT, NOTES_LIMIT
from stempelwerk_cloud.kit.schemas import IdField, InstantField, Wire


class DeviceRow(Wire):
    """A device in lists. The address, version and MAC are those of its newest heartbeat."""

    id: str
    serial: str
    name: str
    notes: str
    version: str
    ip: str | None
    mac: str
    last_seen: InstantField | None
    is_online: bool
    company_id: str | None
    company_name: str | None
    channel: str
    claim_code: str
    identity_conflict: bool
    forked: bool
    queue_depth: int | None
    reader: str | None


class ClockRow(DeviceRow):
    """The same with the names of the documents."""

    online: bool
    owner_id: Annotated[str | None, Field(alias="company_id")]


class DeviceChange(Wire):
    name: Annotated[str, Field(max_length=NAME_LIMIT)] | None = None
    notes: Annotated[str, Field(max_length=NOTES_LIMIT)] | None = None


class CompanyChoice(Wire):
    company_id: IdField
    from_: Annotated[InstantField | None, Field(alias="from")] = None


def device_row(listed: ListedDevice) -> DeviceRow:
    return DeviceRow(**_members(listed))


def clock_row(listed: ListedDevice) -> ClockRow:
    return ClockRow(**_members(listed), online=listed.is_online, owner_id=listed.company_id)


def _members(listed: ListedDevice) -> dict[str, object]:
    device, beat = listed.device, listed.beat
    return {
        "id": device.id,
        "serial": device.serial,
        "name": device.name,
        "notes": device.notes,
        "version": beat.version if beat and beat.version else device.version,
        "ip": beat.ip or None if beat else None,
        "mac": beat.mac if beat and beat.mac else device.mac,
        "last_seen": beat.seen_at if beat else None,
        "is_online": listed.is_online,
        "company_id": listed.company_id,
        "company_name": listed.company_name,
        "channel": device.channel,
        "claim_code": device.claim_code,
        "identity_conflict": device.identity_conflict,
        "forked": listed.lease.forked,
        "queue_depth": beat.queue_depth if beat else None,
        "reader": beat.reader if beat else None,
    }
