"""Queries for the alarms about clocks: which clocks miss stamps or have held ones, and how many stamps each had on a
day. The number of taps by clock, for judging a version that clocks have installed.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import pairwise
from zoneinfo import ZoneInfo

from sqlalchemy import BigInteger, case, column, func, literal, select, table, type_coerce
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import MILLISECOND, MINUTE, day_end, day_start, from_ms, local_day
from stempelwerk_cloud.domain.rollouts import Taps
from stempelwerk_cloud.kit.database.columns import Id
from stempelwerk_cloud.timekeeping import status_bits
from stempelwerk_cloud.timekeeping.ledger.tables import Epoch, Stamp, Stream, TagNumber

_ASSIGNMENTS = table("device_assignments", column("id", Id()), column("company_id", Id()))
_PIECE_MS = 15 * MINUTE // MILLISECOND
"""Stamps are counted in pieces of this length (ms). Days of every zone begin at a whole quarter of an hour."""


def open_gaps(session: Session) -> set[tuple[int, str | None]]:
    """Returns (device number, company) of the devices with missing stamps.

    The company is one that other stamps of the same epoch name, or None.
    """
    same_epoch = (Stream.device_no == Epoch.device_no) & (Stream.epoch == Epoch.epoch)
    named_by = (
        select(Epoch.device_no, Epoch.epoch, _ASSIGNMENTS.c.company_id)
        .outerjoin(Stream, same_epoch)
        .outerjoin(_ASSIGNMENTS, _ASSIGNMENTS.c.id == Stream.assignment_id)
        .where(Epoch.gaps)
        .distinct()
    )
    owners: dict[tuple[int, str], set[str | None]] = defaultdict(set)
    for device_no, epoch, company_id in session.execute(named_by):
        owners[device_no, epoch].add(company_id)
    return {
        (device_no, company_id)
        for (device_no, _), company_ids in owners.items()
        for company_id in company_ids - {None} or company_ids
    }


def times_held(session: Session, company_id: str | None = None) -> dict[tuple[int, str], datetime]:
    """Returns when the newest stamp that waits for a decision about its time was received, by (device number, company).

    `company_id` limits the result to one company.
    """
    waiting = (
        select(Stream.device_no, Stamp.company_id, func.max(Stamp.received_at))
        .join(Stamp, Stamp.stream_no == Stream.no)
        .where(Stamp.waits, Stamp.status.bitwise_and(status_bits.CLOCK) != 0)
        .group_by(Stream.device_no, Stamp.company_id)
    )
    if company_id is not None:
        waiting = waiting.where(Stamp.company_id == company_id)
    return {(device_no, owner): received_at for device_no, owner, received_at in session.execute(waiting)}


def by_day(
    session: Session, company_id: str, zone: ZoneInfo, first: date, last: date
) -> Mapping[int, Mapping[date, int]]:
    """Returns the number of the company's stamps by device number and local day, from `first` to `last`,
    both included.
    """
    piece = (type_coerce(Stamp.at, BigInteger) // literal(_PIECE_MS, BigInteger)).label("piece")
    statement = (
        select(Stream.device_no, piece, func.count())
        .select_from(TagNumber)  # reads only these days of each tag
        .join(Stamp, (Stamp.company_id == TagNumber.company_id) & (Stamp.tag_no == TagNumber.no))
        .join(Stream, Stream.no == Stamp.stream_no)
        .where(TagNumber.company_id == company_id)
        .where(Stamp.at >= day_start(first, zone), Stamp.at < day_end(last, zone))
        .group_by(Stream.device_no, piece)
    )
    counts: dict[int, dict[date, int]] = defaultdict(lambda: defaultdict(int))
    for device_no, number, count in session.execute(statement):
        counts[device_no][local_day(from_ms(number * _PIECE_MS), zone)] += count
    return counts


def taps(session: Session, instants: Sequence[datetime]) -> list[Mapping[int, Taps]]:
    """Returns the taps by device number, one mapping for each span between two successive instants.

    Only people who tapped at a single device during the span are counted. One statement, which scans all stamps: meant
    for one call a day.
    """
    spans = case(*((Stamp.at < ends_at, number) for number, (_, ends_at) in enumerate(pairwise(instants))))
    person = (
        select(
            func.min(Stream.device_no).label("device_no"),
            spans.label("span"),
            func.count().label("taps"),
        )
        .join(Stream, Stream.no == Stamp.stream_no)
        .where(Stamp.at >= instants[0], Stamp.at < instants[-1])
        .group_by(Stamp.company_id, Stamp.tag_no, spans)
        .having(func.min(Stream.device_no) == func.max(Stream.device_no))
        .subquery()
    )
    rows = session.execute(
        select(
            person.c.span, person.c.device_no, func.sum(person.c.taps), func.count(), func.sum(person.c.taps % 2)
        ).group_by(person.c.span, person.c.device_no)
    )
    taps_by_device: list[dict[int, Taps]] = [{} for _ in instants[1:]]
    for span, device_no, *counts in rows:
        taps_by_device[span][device_no] = Taps(*map(int, counts))
    return list(taps_by_device)
