"""Lists of devices for the API. One SQL statement selects only the columns of a list, and its rows are encoded as
JSON.

A company may have a clock in every hall and an installation thousands of them. ORM objects would cost more than the
rest of the request, so they are avoided.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    BigInteger,
    Select,
    SQLColumnExpression,
    Text,
    cast,
    column,
    or_,
    select,
    table,
    text,
    tuple_,
    type_coerce,
)
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.fleet.devices.queries import ONLINE_FOR_MS
from stempelwerk_cloud.fleet.devices.reported import beats
from stempelwerk_cloud.fleet.devices.reported.beats import Heard, newest
from stempelwerk_cloud.fleet.devices.tables import Device, DeviceAssignment, DeviceBeat, DeviceLease
from stempelwerk_cloud.kit.database.alphabet import by_code_point
from stempelwerk_cloud.kit.database.columns import Id
from stempelwerk_cloud.kit.database.pages import NoSuchRow
from stempelwerk_cloud.kit.database.postgres import BY_INDEX
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.people.work import UnitOfWork

ONLINE_FOR = timedelta(milliseconds=ONLINE_FOR_MS)
_WHOLE_TABLES = {"enable_nestloop": "off", "jit": "off"}
"""Planner options for lists of all devices: PostgreSQL reads each table once and joins the results.
`BY_INDEX` does the opposite.
"""
_COMPANIES = table("companies", column("id", Id()), column("name"))
"""The table of the room of companies. It is named here instead of imported, as foreign keys do."""

_COLUMNS: tuple[SQLColumnExpression[Any], ...] = (
    # Ids as text and instants as numbers: converting them to objects would cost more than all the rest.
    Device.no,
    cast(Device.id, Text),
    Device.serial,
    Device.label,
    Device.label_notes,
    Device.version,
    Device.mac,
    Device.channel,
    Device.claim_code,
    Device.identity_conflict,
    DeviceLease.forked,
    # owner
    cast(DeviceAssignment.company_id, Text),
    _COMPANIES.c.name,
    DeviceAssignment.name,
    DeviceAssignment.notes,
    # `StoredBeat`
    cast(DeviceBeat.boot, Text),
    DeviceBeat.boottime_ms,
    type_coerce(DeviceBeat.seen_at, BigInteger),
    DeviceBeat.version,
    DeviceBeat.ip,
    DeviceBeat.mac,
    DeviceBeat.queue_depth,
    DeviceBeat.reader,
    DeviceBeat.quality,
    DeviceBeat.scanners,
)

_SEARCHED = (
    Device.serial,
    Device.claim_code,
    Device.label,
    DeviceAssignment.name,
    _COMPANIES.c.name,
    DeviceBeat.ip,
    Device.mac,
    Device.version,
)

encode = msgspec.json.Encoder().encode


class StoredBeat(NamedTuple):
    """The columns of a listed device's newest stored heartbeat; all None without a heartbeat.

    `boot` and `boottime_ms` are among them to compare it with a heartbeat that is not written yet.
    """

    boot: str | None
    boottime_ms: int | None
    seen_ms: int | None
    version: str | None
    ip: str | None
    mac: str | None
    queue_depth: int | None
    reader: str | None
    quality: str | None
    scanners: str | None


class ListedDevice(msgspec.Struct, rename="camel", gc=False):
    """A device in the JSON of the API, with the fields of `schemas.DeviceRow`. `company_id`: the current owner; None if
    the device is unassigned.
    """

    id: str
    serial: str
    name: str
    notes: str
    version: str
    ip: str | None
    mac: str
    last_seen: str | None
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


class ListedClock(ListedDevice, gc=False):
    """A device in the JSON of the API, with the other field names of `schemas.ClockRow`, which the documents use."""

    online: bool
    owner_id: str | None = msgspec.field(name="company_id")


def page(
    work: UnitOfWork,
    limit: int | None,
    cursor_id: str | None,
    *,
    company_id: str | None = None,
    unassigned: bool = False,
    withdrawn: bool = False,
    words: str = "",
) -> tuple[list[ListedDevice], str | None]:
    """Returns a page of devices ordered by serial, and the id of its last device if more follow (else None).

    The list contains the devices in use, or only the `withdrawn` ones. It can be limited to one company, to
    `unassigned` devices, and to devices where each of the `words` occurs. It begins after the device `cursor_id`.

    Raises NoSuchRow if that device is unknown or never belonged to `company_id`.
    """
    session, now, unwritten = work.session, work.now(), beats.BEATS.of(work.platform).unwritten()
    statement = _select_columns(now).where(Device.revoked_at.is_not(None) if withdrawn else Device.revoked_at.is_(None))
    for word in words.split():
        statement = statement.where(or_(*(field.icontains(word, autoescape=True) for field in _SEARCHED)))
    if company_id is not None:
        statement = statement.where(DeviceAssignment.company_id == company_id)
    if unassigned:
        statement = statement.where(DeviceAssignment.id.is_(None))
    if cursor_id is not None:
        statement = statement.where(
            tuple_(by_code_point(Device.serial), Device.no) > _page_key(session, cursor_id, company_id)
        )
    if limit is not None:
        statement = statement.limit(limit + 1)
    _set_planner_options(session, BY_INDEX if limit is not None or company_id is not None else _WHOLE_TABLES)
    rows = [_build_listed(row, unwritten, now) for row in session.execute(statement)]
    return rows[:limit], rows[limit - 1].id if limit is not None and len(rows) > limit else None


def find_listed(work: UnitOfWork, device_no: int, *, withdrawn: bool = False) -> ListedDevice:
    """Returns the list entry of one device. Raises 404 if it does not exist; a withdrawn one is found only with
    `withdrawn`.
    """
    now, unwritten = work.now(), beats.BEATS.of(work.platform).unwritten()
    _set_planner_options(work.session, BY_INDEX)
    statement = _select_columns(now).where(Device.no == device_no)
    row = work.session.execute(statement if withdrawn else statement.where(Device.revoked_at.is_(None))).first()
    if row is None:
        raise not_found()
    return _build_listed(row, unwritten, now)


def as_clock(device: ListedDevice) -> ListedClock:
    return ListedClock(**msgspec.structs.asdict(device), online=device.is_online, owner_id=device.company_id)


def _set_planner_options(session: Session, settings: Mapping[str, str]) -> None:
    """Sets options of the PostgreSQL planner for this transaction. Row-level security makes the planner take the tables
    for almost empty; it would then scan one table for each row of another.
    """
    if session.get_bind().dialect.name == "postgresql":
        config_calls = ", ".join(f"set_config('{name}', '{value}', true)" for name, value in settings.items())
        session.execute(text(f"SELECT {config_calls}"))


def _select_columns(now: datetime) -> Select[Any]:
    """Builds the statement with the columns that `_build_listed` expects, ordered by serial. `now` selects the
    assignments in force.
    """
    in_force = (
        (DeviceAssignment.device_no == Device.no)
        & (DeviceAssignment.starts_at <= now)
        & or_(DeviceAssignment.ends_at.is_(None), DeviceAssignment.ends_at > now)
    )
    return (
        select(*_COLUMNS)
        .select_from(Device)
        .join(DeviceLease, DeviceLease.device_no == Device.no)
        .outerjoin(DeviceBeat, DeviceBeat.device_no == Device.no)
        .outerjoin(DeviceAssignment, in_force)
        .outerjoin(_COMPANIES, _COMPANIES.c.id == DeviceAssignment.company_id)
        .order_by(by_code_point(Device.serial), Device.no)
    )


def _build_listed(row: Sequence[Any], unwritten: Mapping[int, Heard], now: datetime) -> ListedDevice:
    """Builds a list entry from a row of `_select_columns`. A heartbeat in memory that is newer than the stored one
    wins.
    """
    no, device_id, serial, label, label_notes, version, mac, channel, claim_code, conflict, forked = row[:11]
    company_id, company_name, name, notes = row[11:15]
    heard = newest(unwritten.get(no), StoredBeat(*row[15:]))
    return ListedDevice(
        device_id,
        serial,
        label if company_id is None else name,
        label_notes if company_id is None else notes,
        heard.version or version,
        heard.ip or None,
        heard.mac or mac,
        None if heard.seen_ms is None else format_instant(from_ms(heard.seen_ms)),
        heard.seen_ms is not None and abs(ms_of(now) - heard.seen_ms) < ONLINE_FOR_MS,
        company_id,
        company_name,
        channel,
        claim_code,
        conflict,
        forked,
        heard.queue_depth,
        heard.reader,
        heard.quality or None,
        0 if heard.scanners is None else len(msgspec.json.decode(heard.scanners)),
    )


def _page_key(session: Session, device_id: str, company_id: str | None) -> tuple[str, int]:
    """Returns the sort key (serial, number) of the device where a page begins. Raises NoSuchRow if the device is
    unknown, or never belonged to the company.
    """
    statement = select(Device.serial, Device.no).where(Device.id == device_id)
    if company_id is not None:
        is_own = DeviceAssignment.company_id == company_id
        statement = statement.where(
            select(DeviceAssignment.id).where(is_own, DeviceAssignment.device_no == Device.no).exists()
        )
    sort_key = session.execute(statement).first()
    if sort_key is None:
        raise NoSuchRow(device_id)
    return sort_key.serial, sort_key.no
