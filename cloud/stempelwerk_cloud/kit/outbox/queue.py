"""The rows of the outbox: added, claimed for a time, done, put off, given up. Claiming never waits for another process.
The rows of the outbox: added, claimed for a time, done, put off, given up. Claiming never waits for another process."""

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
"""How long a claim lasts; the process renews it while it lives (`renew`)."""
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
    coalesce_key: str | None = None,
    concurrency_key: str | None = None,
) -> str:
    """Adds a task for after the commit of the session's transaction, at once or when it is `due`; returns its id.

    All waiting rows of this kind and company with the same `coalesce_key` are done with the first that is due, by its
    payload. One task of a kind is done at a time for a company, and one for a `concurrency_key`. ValueError for a kind
    that no room declares.
    """
    if kind not in platform.outbox.tasks:
        raise ValueError(f"no room does {kind}")
    now = platform.clock.now()
    row = OutboxRow(
        company_id=company_id,
        id=platform.ids.new(),
        kind=kind,
        together=coalesce_key,
        lane=concurrency_key,
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
    """Returns when the first task of these kinds is due; None without tasks."""
    if not kinds:
        return None
    return session.scalar(
        select(OutboxRow.due_at)
        .where(OutboxRow.kind.in_(list(kinds)), OutboxRow.failed_at.is_(None))
        .order_by(OutboxRow.due_at)
        .limit(1)
    )


def claim(session: Session, now: datetime, kind: str, limit: int) -> tuple[list[Claimed], list[OutboxRow]]:
    """Claims at most `limit` due rows for this process; also returns the rows whose attempts are used up.

    Rows that wait together with a claimed row are deleted: they are visible, so the effects they stand for are
    committed too. A company has one place, and so has a lane: a task that hangs there delays no other company or lane.
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
    """Matches rows with an earlier due row of the same `together`."""
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
    """Matches rows whose company or lane has a running task."""
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
    """Makes rows due that wait longer than allowed: a server whose clock was ahead put them off."""
    late = OutboxRow.failed_at.is_(None), OutboxRow.due_at > now + WAITS_AT_MOST
    session.execute(update(OutboxRow).where(*late).values(due_at=now, leased_until=None))


def renew(session: Session, now: datetime, running: Iterable[Claimed]) -> None:
    """Takes the rows for longer, but for those that were put off just now."""
    new_times = {"leased_until": now + LEASE, "due_at": now + LEASE}
    for entry in running:
        session.execute(
            update(OutboxRow).where(*_lease_conditions(entry), OutboxRow.leased_until.is_not(None)).values(new_times)
        )


def is_pending(session: Session, company_id: str, kind: str, coalesce_key: str) -> bool:
    """Returns whether a row of this kind and `coalesce_key` is waiting or being done, and not given up."""
    alive = select(OutboxRow.id).where(
        OutboxRow.company_id == company_id,
        OutboxRow.kind == kind,
        OutboxRow.together == coalesce_key,
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
    """Matches the row, unless its lease has expired and another process has claimed it."""
    return (
        OutboxRow.company_id == entry.company_id,
        OutboxRow.id == entry.id,
        OutboxRow.attempts == entry.attempts,
        OutboxRow.failed_at.is_(None),
    )


def waiting(platform: "Platform") -> int:
    """Returns the number of waiting rows."""
    return _count(platform, OutboxRow.failed_at.is_(None))


def failed(platform: "Platform") -> int:
    """Returns the number of rows that were given up within the last 30 days."""
    return _count(platform, OutboxRow.failed_at.is_not(None))


def _count(platform: "Platform", which: ColumnElement[bool]) -> int:
    with platform.database.read(SYSTEM) as session:
        return session.scalar(select(func.count()).select_from(OutboxRow).where(which)) or 0
