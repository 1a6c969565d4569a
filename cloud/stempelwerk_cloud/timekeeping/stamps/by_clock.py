"""The number of taps by clock, for judging a version that clocks have installed."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.rollouts import Taps
from stempelwerk_cloud.timekeeping.stamps.tables import Stamp, Stream


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
