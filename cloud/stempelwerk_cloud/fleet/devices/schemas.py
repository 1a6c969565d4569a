"""JSON of the device registry."""

from typing import Annotated

from pydantic import Field

from stempelwerk_cloud.fleet.devices.tables import NAME_LIMIT, NOTES_LIMIT
from stempelwerk_cloud.kit.http.schemas import IdField, InstantField, Wire


class DeviceRow(Wire):
    """A device in lists. The address, version and MAC are those of its newest heartbeat.

    Name and notes are the words of the company whose it is now; of an unassigned device its label.
    """

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
