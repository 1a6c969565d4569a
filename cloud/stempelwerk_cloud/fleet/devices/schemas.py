"""JSON of the device registry."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stempelwerk_cloud.fleet.devices.tables import NAME_LIMIT, NOTES_LIMIT, REASON_LIMIT, TEXT_LIMIT
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
    quality: str | None
    scanner_count: int


class AssignedDevice(DeviceRow):
    """A device that was assigned. `released`: how many stamps from before came to the company."""

    released: int


class ScannerRow(Wire):
    """A portable scanner of a clock, as the clock last told. `battery` in percent, null without one; `overflow`: taps
    that its full log refused; `connected`: it lay in its base then.
    """

    serial: str
    board: str
    version: str
    battery: int | None
    charging: bool
    used: int | None
    capacity: int | None
    overflow: int | None
    reader: str | None
    last_seen: InstantField | None
    connected: bool


class ClockRow(DeviceRow):
    """The same with the names of the documents."""

    online: bool
    owner_id: Annotated[str | None, Field(alias="company_id")]


class DeviceChange(Wire):
    name: Annotated[str, Field(max_length=NAME_LIMIT)] | None = None
    notes: Annotated[str, Field(max_length=NOTES_LIMIT)] | None = None


class ChannelChoice(Wire):
    channel: Literal["stable", "beta"]


class Changed(Wire):
    """How many clocks had another channel."""

    changed: int


class Reason(Wire):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=REASON_LIMIT)]


class Spare(Wire):
    """The clock that takes the place: named by its id, or by its serial and claim code while it belongs to no company.

    All that is given must be of the same clock.
    """

    device_id: IdField | None = None
    serial: Annotated[str, Field(max_length=TEXT_LIMIT)] | None = None
    claim_code: Annotated[str, Field(max_length=TEXT_LIMIT)] | None = None


class MomentRow(Wire):
    """How a clock was from `at` on until the next row. Offline rows know nothing else."""

    at: InstantField
    online: bool
    queue_depth: int | None
    quality: str | None
    reader: str | None
    version: str | None
    disk_free_mb: int | None


class CompanyChoice(Wire):
    company_id: IdField
    from_: Annotated[InstantField | None, Field(alias="from")] = None
