"""People's own stamps, as employees see them: each with whether it counts, and if not, why."""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries.stamps import Direction
from stempelwerk_cloud.domain.instants import from_ms, ms_of
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.timekeeping.status_bits import DISCARDED, REASON, REASONS, direction_of

_OF_PEOPLE = Statement(
    "SELECT w.user_id::text, s.id::text, s.at, s.reported_bits, s.status, s.received_at,"
    " coalesce(nullif((SELECT a.name FROM device_assignments a WHERE a.company_id = s.company_id"
    " AND a.device_no = st.device_no AND a.starts_at <= s.at AND (a.ends_at IS NULL OR a.ends_at > s.at)"
    " ORDER BY a.starts_at DESC LIMIT 1), ''), d.serial)"
    " FROM @rows(w: user_id uuid)"
    " @lookup(h: tag_holdings WHERE h.company_id = :company::uuid AND h.user_id = w.user_id)"
    " JOIN tag_numbers t ON t.company_id = h.company_id AND t.tag = h.tag"
    " JOIN stamps s ON s.company_id = t.company_id AND s.tag_no = t.no AND s.at >= :first AND s.at < :until"
    " AND s.at >= coalesce(h.held_from, :first) AND s.at < coalesce(h.held_until, :until)"
    " JOIN streams st ON st.no = s.stream_no JOIN devices d ON d.no = st.device_no"
    " ORDER BY s.at, s.id"
)


class OwnStamp(NamedTuple):
    """A stamp of a person at its true time. `clock` is the company's name for the clock at that time.

    `reason`: why it does not count (`status_bits.REASONS`, or `discarded` by an administrator); None: it counts.
    """

    id: str
    at: datetime
    direction: Direction
    clock: str
    reason: str | None
    received_at: datetime


def of_person(session: Session, company_id: str, user_id: str, first: datetime, end: datetime) -> list[OwnStamp]:
    """Returns a person's stamps from `first` to before `end`, in order: those of tags that they held at the time."""
    return of_people(session, company_id, [user_id], first, end)[user_id]


def of_people(
    session: Session, company_id: str, user_ids: Collection[str], first: datetime, end: datetime
) -> dict[str, list[OwnStamp]]:
    """Returns the stamps of each of these people, as `of_person`."""
    people = as_rows([{"user_id": user_id} for user_id in user_ids])
    parameters = {"company": company_id, "w": people, "first": ms_of(first), "until": ms_of(end)}
    stamps_by_user: dict[str, list[OwnStamp]] = {user_id: [] for user_id in user_ids}
    for user_id, id_, at_ms, bits, status, received_ms, clock in Sql(session).rows(_OF_PEOPLE, parameters):
        stamp = OwnStamp(id_, from_ms(at_ms), direction_of(bits), clock, _reason(status), from_ms(received_ms))
        stamps_by_user[user_id].append(stamp)
    return stamps_by_user


def _reason(status: int) -> str | None:
    return "discarded" if status & DISCARDED else REASONS[status & REASON]
