"""Request and response bodies of the device registry."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stempelwerk_cloud.fleet.devices.tables import NAME_LIMIT, NOTES_LIMIT, REASON_LIMIT, TEXT_LIMIT
from stempelwerk_cloud.kit.http.schemas import IdField, InstantField, Wire


class DeviceRow(Wire):
    """A device in lists. Address, version and MAC are those of its newest heartbeat. Name and notes are those of its
    current company; for an unassigned device they are its label.
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
    """A device that was just assigned. `released`: how many of its earlier stamps the company got."""

    released: int


class ScannerRow(Wire):
    """A portable scanner as its clock reported it last.

    `battery`: charge in percent; null without a battery. `overflow`: how many taps the scanner refused because its log
    was full. `connected`: the scanner was in its base.
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
    """A device in lists, with the other field names that the documents use."""

    online: bool
    owner_id: Annotated[str | None, Field(alias="company_id")]


class DeviceChange(Wire):
    name: Annotated[str, Field(max_length=NAME_LIMIT)] | None = None
    notes: Annotated[str, Field(max_length=NOTES_LIMIT)] | None = None


class ChannelChoice(Wire):
    channel: Literal["stable", "beta"]


class Changed(Wire):
    """`changed`: the number of clocks that had another channel before."""

    changed: int


class Reason(Wire):
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=REASON_LIMIT)]


class Spare(Wire):
    """The clock that replaces another, by its id, or by its serial and claim code while it belongs to no company.

    All given fields must match the same clock.
    """

    device_id: IdField | None = None
    serial: Annotated[str, Field(max_length=TEXT_LIMIT)] | None = None
    claim_code: Annotated[str, Field(max_length=TEXT_LIMIT)] | None = None


class MomentRow(Wire):
    """A clock's state since `at`, until the next row. Offline rows have no other fields."""

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
