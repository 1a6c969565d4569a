"""Held stamps that wait for a decision: lists for administrators, and their number for the operator.

They are resolved in `held.py`. Few stamps wait, and they have indexes of their own, in the order of these lists.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy import func, select, true, tuple_
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.kit.database.pages import NoSuchRow
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.paging import Place
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.timekeeping.ledger.placing.ownership import normalize_tag
from stempelwerk_cloud.timekeeping.ledger.placing.taps import read_content
from stempelwerk_cloud.timekeeping.ledger.tables import QuarantinedStamp, Stamp, Stream, TagNumber, UnassignedStamp
from stempelwerk_cloud.timekeeping.status_bits import REVOKED_TAG, UNKNOWN_TAG, state_of

MOST = 10_000
"""The largest page. More stamps wait only if something has been wrong for months."""


RAW_SHOWN = 2000
"""The number of bytes of an unreadable member that lists show; a clock may have sent very many."""
Unclaimed = TypeVar("Unclaimed", UnassignedStamp, QuarantinedStamp)


class Held(NamedTuple):
    """A waiting stamp, as lists show it."""

    id: str
    tag: str | None
    taken_at: datetime | None
    device_id: str
    device_name: str
    assignment: str | None
    state: str
    raw: str | None = None


class Page(NamedTuple):
    """A page of a list. `next_place`: the position to continue from; None: there are no more rows."""

    rows: list[Held]
    next_place: Place | None


def of_company(session: Session, company_id: str, limit: int = MOST, after_place: Place | None = None) -> Page:
    """Returns the company's waiting stamps, oldest first."""
    statement = (
        select(
            Stamp.id,
            TagNumber.tag,
            Stamp.at,
            Stream.device_no,
            Stamp.status,
            devices.name_at(Stamp.company_id, Stream.device_no, Stamp.at).label("device_name"),
        )
        .join(TagNumber, (TagNumber.company_id == Stamp.company_id) & (TagNumber.no == Stamp.tag_no))
        .join(Stream, Stream.no == Stamp.stream_no)
        .where(Stamp.company_id == company_id, Stamp.waits)
        .order_by(Stamp.at, Stamp.id)
        .limit(limit + 1)
    )
    if after_place is not None:
        statement = statement.where(tuple_(Stamp.at, Stamp.id) > (after_place.instant, after_place.id))
    rows = session.execute(statement).all()
    device_names = devices.identified(session, {row.device_no for row in rows})
    held_stamps = []
    for row in rows[:limit]:
        device_id, serial = device_names[row.device_no]
        name = row.device_name or serial
        held_stamps.append(Held(row.id, row.tag, row.at, device_id, name, None, state_of(row.status)))
    return Page(held_stamps, _end(rows, limit, "at"))


def without_company(session: Session, limit: int = MOST, after_place: Place | None = None) -> Page:
    """Returns stamps that no company can claim, and unreadable ones, in the order of their receipt.

    Clocks are named by their serials, because no company's name for them applies.
    """
    both: list[UnassignedStamp | QuarantinedStamp] = [*_received(session, UnassignedStamp, limit, after_place)]
    both += _received(session, QuarantinedStamp, limit, after_place)
    rows = sorted(both, key=lambda row: (row.received_at, row.id, row.device_no))
    device_names = devices.identified(session, {row.device_no for row in rows})
    return Page(
        [_unassigned(row, *device_names[row.device_no]) for row in rows[:limit]], _end(rows, limit, "received_at")
    )


def place_in(session: Session, company_id: str, stamp_id: str) -> Place:
    """Returns the position of a stamp in its company's list, even if it no longer waits. Raises NoSuchRow."""
    taken_at = session.scalar(select(Stamp.at).where(Stamp.company_id == company_id, Stamp.id == stamp_id))
    if taken_at is None:
        raise NoSuchRow(stamp_id)
    return Place(taken_at, stamp_id, 0)


def place_without_company(session: Session, stamp_id: str) -> Place:
    """Returns the position of a stamp in the list of those without a company. Raises NoSuchRow.

    If several clocks delivered the id, it is the last of their positions.
    """
    places = [
        Place(*row)
        for table in (UnassignedStamp, QuarantinedStamp)
        for row in session.execute(select(table.received_at, table.id, table.device_no).where(table.id == stamp_id))
    ]
    if not places:
        raise NoSuchRow(stamp_id)
    return max(places)


def count_of(session: Session, company_id: str) -> int:
    """Returns how many of a company's stamps wait for a decision."""
    waits = (Stamp.company_id == company_id) & Stamp.waits
    return session.scalar(select(func.count()).select_from(Stamp).where(waits)) or 0


def days_between(session: Session, company_id: str, first: datetime, end: datetime, zone: ZoneInfo) -> list[date]:
    """Returns the local days with waiting stamps, from `first` to before `end`, oldest first."""
    statement = select(Stamp.at).where(Stamp.company_id == company_id, Stamp.waits, Stamp.at >= first, Stamp.at < end)
    return sorted({local_day(taken_at, zone) for taken_at in session.scalars(statement)})


def count(session: Session) -> int:
    """Returns how many stamps of the whole installation wait for a decision."""
    counts = [
        session.scalar(select(func.count()).select_from(table).where(condition))
        for table, condition in ((Stamp, Stamp.waits), (UnassignedStamp, true()), (QuarantinedStamp, true()))
    ]
    return sum(count or 0 for count in counts)


def count_all(platform: Platform) -> int:
    """Calls `count` in a transaction of its own."""
    with platform.database.read(SYSTEM) as session:
        return count(session)


def tag_waits(session: Session, company_id: str, tag: str) -> bool:
    """Whether stamps with this tag wait because the tag had no holder (the port `TAG_WAITING`)."""
    return bool(waiting_with_tag(session, company_id, tag))


def waiting_with_tag(session: Session, company_id: str, tag: str) -> set[str]:
    """Returns the ids of the stamps with this tag that wait because the tag had no holder."""
    rows = session.execute(
        select(Stamp.id, Stamp.status)
        .join(TagNumber, (TagNumber.company_id == Stamp.company_id) & (TagNumber.no == Stamp.tag_no))
        .where(Stamp.company_id == company_id, Stamp.waits, TagNumber.tag == tag)
    )
    return {row.id for row in rows if row.status & (UNKNOWN_TAG | REVOKED_TAG)}


def _received(session: Session, table: type[Unclaimed], limit: int, after_place: Place | None) -> Sequence[Unclaimed]:
    statement = select(table).order_by(table.received_at, table.id, table.device_no).limit(limit + 1)
    if after_place is not None:
        statement = statement.where(tuple_(table.received_at, table.id, table.device_no) > tuple(after_place))
    return session.scalars(statement).all()


def _unassigned(row: UnassignedStamp | QuarantinedStamp, device_id: str, device_name: str) -> Held:
    if isinstance(row, QuarantinedStamp):
        raw = row.raw[:RAW_SHOWN].decode(errors="replace")
        return Held(row.id, None, None, device_id, device_name, None, "quarantined", raw)
    tap = read_content(row.content)
    return Held(row.id, normalize_tag(tap.tag), row.at, device_id, device_name, tap.assignment, "held_assignment")


def _end(rows: Sequence[Any], limit: int, sorted_by: str) -> Place | None:
    """Returns the position of a page's last row, where the next page continues; None for the last page."""
    if len(rows) <= limit:
        return None
    last = rows[limit - 1]
    return Place(getattr(last, sorted_by), last.id, last.device_no)
