"""The rows of the outbox: added, claimed for a time, done, put off, given up. Who claims never waits for another."""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, delete, func, select, tuple_, update
from sqlalchemy.orm import Session, aliased

from stempelwerk_cloud.domain.steady_time import LONGEST_PAUSE
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import after_commit
from stempelwerk_cloud.kit.outbox.tables import OutboxRow
from stempelwerk_cloud.kit.outbox.tasks import MOST_ATTEMPTS

if TYPE_CHECKING:
    from stempelwerk_cloud.kit.platform import Platform

LEASE = timedelta(minutes=3)
"""How long a process has a row for itself; while it lives it goes on taking it (`renew`)."""
WAITS_AT_MOST = LONGEST_PAUSE
"""Nothing is planned further ahead; a time that is further ahead is doubted (`domain/steady_time.py`)."""
FAILED_RETENTION = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A row that this process is at, in its `attempts`-th attempt."""

    company_id: str
    id: str
    kind: str
    payload: Mapping[str, Any]
    attempts: int


def add(
    session: Session,
    platform: "Platform",
    company_id: str,
    kind: str,
    payload: Mapping[str, Any],
    due: datetime | None = None,
    *,
    together: str | None = None,
    lane: str | None = None,
) -> str:
    """Something to do once the session's transaction is committed, at once or when it is `due`; its id.

    Whatever of this kind and company waits with the same `together` is done along with the first that is due, by its
    payload. Of a company one thing of a kind is done at a time, and one of a `lane`. ValueError for a kind that no room
    declares.
    """
    if kind not in platform.outbox.tasks:
        raise ValueError(f"no room does {kind}")
    now = platform.clock.now()
    row = OutboxRow(
        company_id=company_id,
        id=platform.ids.new(),
        kind=kind,
        together=together,
        lane=lane,
        payload=json.dumps(dict(payload), ensure_ascii=False),
        due_at=due or now,
        attempts=0,
        created_at=now,
    )
    session.add(row)
    session.flush()
    after_commit(session, platform.outbox.wake)
    return row.id


def next_due(session: Session, kinds: Collection[str]) -> datetime | None:
    """When the first of these kinds is due; None: nothing is to be done."""
    if not kinds:
        return None
    return session.scalar(
        select(OutboxRow.due_at)
        .where(OutboxRow.kind.in_(list(kinds)), OutboxRow.failed_at.is_(None))
        .order_by(OutboxRow.due_at)
        .limit(1)
    )


def claim(session: Session, now: datetime, kind: str, limit: int) -> tuple[list[Claimed], list[OutboxRow]]:
    """At most so many rows that are due, for this process alone, and those that no attempt is left for.

    What waits together with a claimed row is gone by it: it can be seen, so what it was to tell is committed too. A
    company has one place, and so has a lane: what hangs there is in nobody else's way.
    """
    due = (
        select(OutboxRow)
        .where(OutboxRow.kind == kind, OutboxRow.failed_at.is_(None), OutboxRow.due_at <= now)
        .where(~_waits_behind(now), ~_place_is_taken(now))
        .order_by(OutboxRow.due_at, OutboxRow.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    claimed: list[Claimed] = []
    spent: list[OutboxRow] = []
    while len(claimed) < limit:
        row = session.scalar(due)
        if row is None:
            break
        if row.attempts >= MOST_ATTEMPTS:  # the last one ended with its process
            row.failed_at, row.leased_until = now, None
            session.flush()
            spent.append(row)
            continue
        row.attempts += 1
        row.leased_until = row.due_at = now + LEASE
        _take_along(session, row, now)
        session.flush()
        claimed.append(Claimed(row.company_id, row.id, row.kind, json.loads(row.payload), row.attempts))
    return claimed, spent


def _waits_behind(now: datetime) -> ColumnElement[bool]:
    """Whether another that is done together with the row is due before it."""
    other_row = aliased(OutboxRow)
    return (
        select(other_row.id)
        .where(
            other_row.company_id == OutboxRow.company_id,
            other_row.kind == OutboxRow.kind,
            other_row.together == OutboxRow.together,
            other_row.failed_at.is_(None),
            other_row.leased_until.is_(None) | (other_row.leased_until <= now),
            tuple_(other_row.due_at, other_row.id) < tuple_(OutboxRow.due_at, OutboxRow.id),
        )
        .exists()
    )


def _place_is_taken(now: datetime) -> ColumnElement[bool]:
    """Whether something else of the row's company, or of its lane, is being done."""
    other_row = aliased(OutboxRow)
    return (
        select(other_row.id)
        .where(
            other_row.kind == OutboxRow.kind,
            other_row.failed_at.is_(None),
            other_row.leased_until > now,
            (other_row.company_id == OutboxRow.company_id) | (other_row.lane == OutboxRow.lane),
        )
        .exists()
    )


def _take_along(session: Session, row: OutboxRow, now: datetime) -> None:
    if row.together is None:
        return
    coalescible = (
        select(OutboxRow.id)
        .where(
            OutboxRow.company_id == row.company_id,
            OutboxRow.kind == row.kind,
            OutboxRow.together == row.together,
            OutboxRow.id != row.id,
            OutboxRow.failed_at.is_(None),
            OutboxRow.leased_until.is_(None) | (OutboxRow.leased_until <= now),
        )
        .with_for_update(skip_locked=True)
    )
    coalesced_ids = list(session.scalars(coalescible))
    if coalesced_ids:
        session.execute(
            delete(OutboxRow).where(OutboxRow.company_id == row.company_id, OutboxRow.id.in_(coalesced_ids)),
            execution_options={"synchronize_session": False},
        )


def pull_in(session: Session, now: datetime) -> None:
    """Makes due whatever waits longer than anything may: a server whose clock was ahead put it off."""
    late = OutboxRow.failed_at.is_(None), OutboxRow.due_at > now + WAITS_AT_MOST
    session.execute(update(OutboxRow).where(*late).values(due_at=now, leased_until=None))


def renew(session: Session, now: datetime, running: Iterable[Claimed]) -> None:
    """Takes the rows for longer, but for those that were put off just now."""
    new_times = {"leased_until": now + LEASE, "due_at": now + LEASE}
    for entry in running:
        session.execute(
            update(OutboxRow).where(*_lease_conditions(entry), OutboxRow.leased_until.is_not(None)).values(new_times)
        )


def is_coming(session: Session, company_id: str, kind: str, together: str) -> bool:
    """Whether something of this kind, added under this `together`, is waiting or being done, and not given up."""
    alive = select(OutboxRow.id).where(
        OutboxRow.company_id == company_id,
        OutboxRow.kind == kind,
        OutboxRow.together == together,
        OutboxRow.failed_at.is_(None),
    )
    return session.scalar(alive.limit(1)) is not None


def done(session: Session, entry: Claimed) -> None:
    session.execute(delete(OutboxRow).where(*_lease_conditions(entry)))


def put_off(session: Session, entry: Claimed, due: datetime) -> None:
    session.execute(update(OutboxRow).where(*_lease_conditions(entry)).values(leased_until=None, due_at=due))


def give_up(session: Session, entry: Claimed, now: datetime) -> None:
    session.execute(update(OutboxRow).where(*_lease_conditions(entry)).values(leased_until=None, failed_at=now))


def _lease_conditions(entry: Claimed) -> tuple[ColumnElement[bool], ...]:
    """The row, unless its lease went by and another process is at it."""
    return (
        OutboxRow.company_id == entry.company_id,
        OutboxRow.id == entry.id,
        OutboxRow.attempts == entry.attempts,
        OutboxRow.failed_at.is_(None),
    )


def waiting(platform: "Platform") -> int:
    """How many rows are to be done."""
    return _count(platform, OutboxRow.failed_at.is_(None))


def failed(platform: "Platform") -> int:
    """How many rows were given up, within the last 30 days."""
    return _count(platform, OutboxRow.failed_at.is_not(None))


def _count(platform: "Platform", which: ColumnElement[bool]) -> int:
    with platform.database.read(SYSTEM) as session:
        return session.scalar(select(func.count()).select_from(OutboxRow).where(which)) or 0
