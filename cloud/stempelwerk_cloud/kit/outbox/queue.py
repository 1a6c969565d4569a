"""The queue of the outbox: its rows are added, claimed for a time, done, postponed or given up.

Claiming never waits for another process.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select, tuple_, update
from sqlalchemy.orm import Session, aliased

from stempelwerk_cloud.domain.steady_time import LONGEST_PAUSE
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import after_commit
from stempelwerk_cloud.kit.outbox.tables import OutboxRow
from stempelwerk_cloud.kit.outbox.tasks import MOST_ATTEMPTS
from stempelwerk_cloud.kit.platform import Platform

LEASE = timedelta(minutes=3)
"""How long a claim lasts; the process renews it as long as the task runs (`renew`)."""
WAITS_AT_MOST = LONGEST_PAUSE
"""The longest time until a row is due. A row that is due later was written by a server whose clock was ahead
(`domain/steady_time.py`).
"""
FAILED_RETENTION = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A row that this process has claimed; this is its `attempts`-th attempt."""

    company_id: str
    id: str
    kind: str
    payload: Mapping[str, Any]
    attempts: int


def add(
    session: Session,
    platform: Platform,
    company_id: str,
    kind: str,
    payload: Mapping[str, Any],
    due: datetime | None = None,
    *,
    coalesce_key: str | None = None,
    concurrency_key: str | None = None,
) -> str:
    """Adds a task, to be done after the commit of the session's transaction: at once, or when it is `due`. Returns its
    id.

    When a row is done, all waiting rows of the same kind, company and `coalesce_key` are dropped: its payload counts
    for them. Tasks of one kind run one at a time for a company, and for a `concurrency_key`. Raises ValueError for a
    kind that no room declares.
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
    """Claims at most `limit` due rows of a kind for this process. Returns them, and the rows whose attempts are used
    up.

    Waiting rows with the `coalesce_key` of a claimed row are deleted. They are visible, so the changes that added them
    are committed, and the claimed task covers them. A company has one running task of a kind, and so has a
    `concurrency_key` (`lane`): a task that hangs delays no other company or key.
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
        if row.attempts >= MOST_ATTEMPTS:  # the process died during the last attempt
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
    """Matches rows while an earlier row with the same `coalesce_key` (`together`) waits."""
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
    """Matches rows whose company or `concurrency_key` (`lane`) has a running task."""
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
    """Makes rows due now that would wait longer than `WAITS_AT_MOST`: a server whose clock was ahead postponed them."""
    late = OutboxRow.failed_at.is_(None), OutboxRow.due_at > now + WAITS_AT_MOST
    session.execute(update(OutboxRow).where(*late).values(due_at=now, leased_until=None))


def renew(session: Session, now: datetime, running: Iterable[Claimed]) -> None:
    """Extends the leases of running tasks, except those that were just postponed."""
    new_times = {"leased_until": now + LEASE, "due_at": now + LEASE}
    for entry in running:
        session.execute(
            update(OutboxRow).where(*_lease_conditions(entry), OutboxRow.leased_until.is_not(None)).values(new_times)
        )


def is_pending(session: Session, company_id: str, kind: str, coalesce_key: str) -> bool:
    """Returns whether a row of this kind and `coalesce_key` waits or is being done. Rows that were given up do not
    count.
    """
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
    """Matches the claimed row, unless its lease has expired and another process has claimed it since."""
    return (
        OutboxRow.company_id == entry.company_id,
        OutboxRow.id == entry.id,
        OutboxRow.attempts == entry.attempts,
        OutboxRow.failed_at.is_(None),
    )


def waiting(platform: Platform) -> int:
    """Returns the number of waiting rows."""
    return _count(platform, OutboxRow.failed_at.is_(None))


def failed(platform: Platform) -> int:
    """Returns the number of rows that were given up within the last 30 days."""
    return _count(platform, OutboxRow.failed_at.is_not(None))


def _count(platform: Platform, which: ColumnElement[bool]) -> int:
    with platform.database.read(SYSTEM) as session:
        return session.scalar(select(func.count()).select_from(OutboxRow).where(which)) or 0
