"""Tables of people's notices outside the inbox."""

from datetime import datetime

from sqlalchemy import Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by


class NoticeChoice(Base):
    """A choice: the person wants notices of a kind of message by `channel` (push or mail). Without a row they do
    not.
    """

    __tablename__ = "notice_choices"
    __table_args__ = bypassed_by(devices="select")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    channel: Mapped[str] = mapped_column(String(10), primary_key=True)
    kind: Mapped[str] = mapped_column(String(40), primary_key=True)


class PushSubscription(Base):
    """A browser that takes web push for a person.

    `endpoint` is encrypted, because it permits sending to the browser; `mark` is its keyed hash. `session_id`: the
    session that last registered it, at `created_at`; it ends with that session. `failing_since`: since when its push
    service has accepted no push; an accepted push resets it. After a day of failures it is suspended. It is tried again
    once the browser has registered it later than `suspended_at`.
    """

    __tablename__ = "push_subscriptions"
    __table_args__ = (
        UniqueConstraint("company_id", "mark"),
        Index("ix_push_subscriptions_mark", "mark"),
        Index("ix_push_subscriptions_company_id_user_id", "company_id", "user_id"),
        # A logout without a session, and choosing a password after a reset, have no company yet.
        bypassed_by(login="all", devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    session_id: Mapped[str] = mapped_column(Id)
    mark: Mapped[bytes] = mapped_column(LargeBinary)
    endpoint: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(Instant)
    failing_since: Mapped[datetime | None] = mapped_column(Instant)
    suspended_at: Mapped[datetime | None] = mapped_column(Instant)
