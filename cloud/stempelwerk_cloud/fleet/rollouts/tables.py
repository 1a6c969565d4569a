"""Tables of rollouts, with their queries and the lock of all rollouts. They belong to the installation, not to a
company.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, Index, Integer, Select, SmallInteger, String, Text, false, func, select, text
from sqlalchemy.orm import Mapped, Session, mapped_column

from stempelwerk_cloud.domain.rollouts import FAILED, OPEN
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.columns import Base, Id, Instant, Serial
from stempelwerk_cloud.kit.database.described import INSTALLATION, describe_table
from stempelwerk_cloud.kit.database.locks import Lock

VERSION_LIMIT = 40
REASON_LIMIT = 500
_OPEN = text("state IN ('running', 'paused')")


@describe_table(INSTALLATION)
class Rollout(Base):
    """A version that is brought to a channel's clocks in stages (`stages`, JSON: `[{"clocks": 5}, {"percent": 25}]`).

    `stage`: index of the open stage, from 0. `settled_at`: the instant since when enough clocks of that stage have the
    version. `days`: how many whole days were judged since then, of the `stage_days` that each stage takes. `looked`:
    the last hour since the start whose heartbeats were judged. `judged_on`: the last judged day.

    `at_once`: clocks switch to the version as soon as they have it, regardless of opening hours. `platforms`: JSON list
    of the platforms that the version had at the start.
    """

    __tablename__ = "rollouts"
    __table_args__ = (
        Index("uq_rollouts_open_channel", "channel", unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    channel: Mapped[str] = mapped_column(String(10))
    version: Mapped[str] = mapped_column(String(VERSION_LIMIT))
    state: Mapped[str] = mapped_column(String(15))
    stages: Mapped[str] = mapped_column(Text)
    stage_days: Mapped[int] = mapped_column(SmallInteger)
    stage: Mapped[int] = mapped_column(SmallInteger, default=0)
    days: Mapped[int] = mapped_column(SmallInteger, default=0)
    started_at: Mapped[datetime] = mapped_column(Instant)
    settled_at: Mapped[datetime | None] = mapped_column(Instant)
    looked: Mapped[int] = mapped_column(Integer, default=0)
    judged_on: Mapped[date | None] = mapped_column(Date)
    reason: Mapped[str | None] = mapped_column(String(REASON_LIMIT))
    at_once: Mapped[bool] = mapped_column(default=False, server_default=false())
    platforms: Mapped[str] = mapped_column(Text, default="[]", server_default="[]")


@describe_table(INSTALLATION)
class RolloutClock(Base):
    """A clock in a rollout. `state`: `waiting` for its stage, `told` (its stage is open, the version is offered),
    `updated`, or `failed` (the clock reverted the update).

    `at`: since when it has this state. `back_to`: the version that it returns to after a rollback; null: unknown.
    """

    __tablename__ = "rollout_clocks"

    rollout_id: Mapped[str] = mapped_column(Id, ForeignKey("rollouts.id", ondelete="CASCADE"), primary_key=True)
    device_no: Mapped[int] = mapped_column(Serial, ForeignKey("devices.no"), primary_key=True, autoincrement=False)
    stage: Mapped[int] = mapped_column(SmallInteger)
    from_version: Mapped[str] = mapped_column(String(100))
    state: Mapped[str] = mapped_column(String(10))
    told_at: Mapped[datetime | None] = mapped_column(Instant)
    at: Mapped[datetime] = mapped_column(Instant)
    back_to: Mapped[str | None] = mapped_column(String(VERSION_LIMIT))


LISTED_ROLLOUTS = 50


def newest(session: Session) -> Sequence[Rollout]:
    return session.scalars(_newest_first().limit(LISTED_ROLLOUTS)).all()


def _newest_first() -> Select[Rollout]:
    return select(Rollout).order_by(Rollout.started_at.desc(), Rollout.id.desc())


def find(session: Session, rollout_id: str) -> Rollout | None:
    return session.get(Rollout, rollout_id, populate_existing=True)


def lock_rollouts(session: Session) -> None:
    """Locks all rollouts until the transaction ends. Meanwhile no other transaction starts, changes or advances one."""
    locks.take(session, Lock.ROLLOUTS)


def open_in(session: Session, channel: str) -> Rollout | None:
    return session.scalar(select(Rollout).where(Rollout.channel == channel, Rollout.state.in_(OPEN)))


def platforms_of(rollout: Rollout) -> frozenset[str]:
    return frozenset(json.loads(rollout.platforms))


def effective_rollouts(session: Session) -> list[tuple[Rollout, frozenset[str]]]:
    """Returns all rollouts, newest first, each with those of its platforms that no newer rollout of the same channel
    has. Only for these platforms the rollout is still in effect.
    """
    covered: dict[str, frozenset[str]] = defaultdict(frozenset)
    rollouts = []
    for rollout in session.scalars(_newest_first()):
        platforms = platforms_of(rollout)
        rollouts.append((rollout, platforms - covered[rollout.channel]))
        covered[rollout.channel] |= platforms
    return rollouts


def followed(session: Session, started_after: datetime) -> list[str]:
    """Returns the ids of the rollouts to advance: the open ones, and the finished ones that started after
    `started_after` and have clocks without the version.
    """
    unfinished = select(RolloutClock).where(
        RolloutClock.rollout_id == Rollout.id, RolloutClock.state.in_(["waiting", "told"])
    )
    late = (Rollout.state == "done") & (Rollout.started_at > started_after) & unfinished.exists()
    return list(session.scalars(select(Rollout.id).where(Rollout.state.in_(OPEN) | late).order_by(Rollout.id)))


def clocks(session: Session, rollout_id: str, device_no: int | None = None) -> dict[int, RolloutClock]:
    """Returns the rollout's clocks by device number; all, or only the one with this number."""
    statement = select(RolloutClock).where(RolloutClock.rollout_id == rollout_id)
    if device_no is not None:
        statement = statement.where(RolloutClock.device_no == device_no)
    return {clock.device_no: clock for clock in session.scalars(statement.order_by(RolloutClock.device_no))}


def refused(session: Session) -> set[tuple[int, str]]:
    """Returns (device number, version) of the updates that clocks have reverted, in open and finished rollouts."""
    statement = (
        select(RolloutClock.device_no, Rollout.version)
        .join(Rollout, Rollout.id == RolloutClock.rollout_id)
        .where(RolloutClock.state == FAILED, Rollout.state.in_([*OPEN, "done"]))
    )
    return {(device_no, version) for device_no, version in session.execute(statement)}


def counts(session: Session, ids: Sequence[str]) -> dict[tuple[str, int, str], int]:
    """Counts the clocks of these rollouts by (rollout id, stage, state)."""
    key = (RolloutClock.rollout_id, RolloutClock.stage, RolloutClock.state)
    rows = session.execute(select(*key, func.count()).where(RolloutClock.rollout_id.in_(ids)).group_by(*key))
    return {(rollout_id, stage, state): count for rollout_id, stage, state, count in rows}
