"""The details of one clock for the operator: its data in the registry, and the state of its deliveries. Stamps are
counted, but not shown.
"""

import uuid
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import Field

from stempelwerk_cloud.device_api.delivery import gaps
from stempelwerk_cloud.domain.instants import MINUTE, from_ms
from stempelwerk_cloud.fleet.alarms import service as alarms
from stempelwerk_cloud.fleet.alarms.service import AlarmRow
from stempelwerk_cloud.fleet.device_logs import service as device_logs
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.schemas import DeviceRow, ScannerRow
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.people.work import UnitOfWork

EPOCHS_SHOWN = 20
LINES_SHOWN = 20
GAPS_SHOWN = 100
_UUID_OF_TIME, _UUID_TIME_SHIFT = 7, 80
_EARLIEST, _AHEAD = datetime(2026, 1, 1, tzinfo=UTC), 5 * MINUTE

# The starts of its program with the latest stamps; their streams show the order.
_NEWEST = Statement(
    "SELECT s.epoch::text FROM streams s WHERE s.device_no = :device GROUP BY s.epoch"
    " ORDER BY max(s.no) DESC LIMIT :most"
)
_EPOCHS = Statement(f"SELECT {gaps.EPOCHS} FROM @rows(d: device_no int)")  # noqa: S608 -- no values


class AssignmentRow(Wire):
    from_: Annotated[InstantField, Field(alias="from")]
    to: InstantField | None
    company_name: str
    name: str


class EpochRow(Wire):
    """One epoch of a clock, a run of its program: how many of its stamps were received, are lost for good, or are
    missing. `beganAt` is the clock's own time; null if that was not set.
    """

    epoch: str
    began_at: InstantField | None
    received: int
    gone: int
    missing: int


class GapRow(Wire):
    """A range of missing rows of one epoch; first and last row are included."""

    epoch: str
    from_: Annotated[int, Field(alias="from")]
    to: int


class ErrorRow(Wire):
    at: InstantField
    code: str
    message: str


class LineRow(ErrorRow):
    """A log line about the clock, written by the clock itself or by the service."""

    id: str
    level: str


class RelatedRow(Wire):
    """A clock that this one replaces, or one that replaces it."""

    id: str
    serial: str


class DeviceDetail(DeviceRow):
    profile: str
    disk_free_mb: int | None
    uptime_s: int | None
    scanners: list[ScannerRow]
    platform: str | None
    update_state: str | None
    update_version: str | None
    enrolled_at: InstantField
    withdrawn: str | None
    withdrawn_at: InstantField | None
    withdrawn_why: str
    assignments: list[AssignmentRow]
    replaces: list[RelatedRow]
    replaced_by: list[RelatedRow]
    epochs: list[EpochRow]
    gaps: list[GapRow]
    alarms: list[AlarmRow]
    last_error: ErrorRow | None
    logs: list[LineRow]


def read_detail(work: UnitOfWork, device_id: str) -> DeviceDetail:
    """Reads the details of a clock, also of a withdrawn one. Raises 404 for an unknown clock."""
    device_values = devices.describe_device(work, device_id)
    sql = Sql(work.session)
    newest = [row[0] for row in sql.rows(_NEWEST, {"device": device_values["no"], "most": EPOCHS_SHOWN})]
    parameters = {
        "d": as_rows([{"device_no": device_values["no"]}]),
        **gaps.epoch_parameters((device_values["no"], epoch) for epoch in newest),
    }
    ((column,),) = sql.rows(_EPOCHS, parameters)
    epochs = gaps.decode_epochs(column)
    ordered = sorted(epochs, key=lambda epoch: newest.index(epoch) if epoch in newest else len(newest))
    missing = [(epoch, *hole) for epoch in ordered for hole in epochs[epoch].missing()]
    error = device_logs.newest_error(work.session, device_values["no"])
    details: dict[str, Any] = {
        "epochs": [
            EpochRow(
                epoch=name,
                began_at=_began_at(name, work.now()),
                received=_count(e.received),
                gone=_count(e.given_up),
                missing=_count(e.missing()),
            )
            for name, e in ((name, epochs[name]) for name in ordered)
        ],
        "gaps": [GapRow(epoch=epoch, from_=first, to=last) for epoch, first, last in missing[:GAPS_SHOWN]],
        "alarms": alarms.open_of_device(work, device_values["no"]),
        "last_error": error and ErrorRow(at=error.at, code=error.code, message=error.message),
        "logs": [
            LineRow(id=line.id, at=line.at, level=line.level, code=line.code, message=line.message)
            for line in device_logs.newest_of(work.session, device_values["no"], LINES_SHOWN)
        ],
    }
    return DeviceDetail.model_validate(device_values | details)


def _began_at(epoch: str, now: datetime) -> datetime | None:
    """Returns the instant in an epoch's id, a UUIDv7 (RFC 9562) that the clock makes from its own time. None if that
    instant is implausible.
    """
    number = uuid.UUID(epoch)
    if number.version != _UUID_OF_TIME:
        return None
    try:
        began_at = from_ms(number.int >> _UUID_TIME_SHIFT)
    except OverflowError:
        return None
    return began_at if _EARLIEST < began_at <= now + _AHEAD else None


def _count(ranges: tuple[tuple[int, int], ...]) -> int:
    return sum(last - first + 1 for first, last in ranges)
