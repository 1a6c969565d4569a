"""Tables of people's notices outside the inbox, with the kinds of messages and the channels that people choose."""

from datetime import datetime
from typing import Literal, get_args

from sqlalchemy import Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import PERSON, PERSONAL, Part, describe_table, described, hidden
from stempelwerk_cloud.kit.database.scopes import bypassed_by
from stempelwerk_cloud.kit.room import MessageType
from stempelwerk_cloud.people.directory.callers import USER, Role

Channel = Literal["push", "mail"]
Kind = Literal["handoff", "decisions", "schedule", "requests"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
KINDS: tuple[Kind, ...] = get_args(Kind)


def kind_of(type_: MessageType, role: Role) -> str:
    """Returns the kind of a message of this type for this role."""
    return type_.notification_kind if role == USER else type_.administrators_as or type_.notification_kind


@describe_table(PERSONAL, Part("Benachrichtigungen", PERSON, rank=230))
class NoticeChoice(Base):
    """A choice: the person wants notices of a kind of message by `channel` (push or mail). Without a row they do
    not.
    """

    __tablename__ = "notice_choices"
    __table_args__ = bypassed_by(devices="select")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    channel: Mapped[str] = mapped_column(String(10), primary_key=True, info=described("Weg"))
    kind: Mapped[str] = mapped_column(String(40), primary_key=True, info=described("Art"))


@describe_table(PERSONAL, Part("Browser für Push-Nachrichten", PERSON, rank=240))
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
    session_id: Mapped[str] = mapped_column(Id, info=hidden())
    mark: Mapped[bytes] = mapped_column(LargeBinary, info=hidden())
    endpoint: Mapped[bytes] = mapped_column(LargeBinary, info=hidden())
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    failing_since: Mapped[datetime | None] = mapped_column(Instant, info=described("Nicht erreichbar seit"))
    suspended_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Ausgesetzt seit"))
