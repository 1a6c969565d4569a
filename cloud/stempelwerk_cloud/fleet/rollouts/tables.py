"""Tables of rollouts. They belong to the installation, not to a company."""

from datetime import date, datetime

from sqlalchemy import Date, ForeignKey, Index, Integer, SmallInteger, String, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant, Serial
from stempelwerk_cloud.kit.database.described import INSTALLATION, describe_table

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
