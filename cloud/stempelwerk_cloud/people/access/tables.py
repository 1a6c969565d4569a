"""Tables of sessions, tickets, remembered devices, second factors, unfinished logins and the access log.

Tokens are stored only as SHA-256, and secrets of authenticators encrypted: a stolen database opens no session.
"""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKeyConstraint, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import ACCESS, PERSON, NotShown, Part, describe_table, described, hidden
from stempelwerk_cloud.kit.database.scopes import bypassed_by

EMAIL_LIMIT = 254


@describe_table(ACCESS, Part("Sitzungen", PERSON, rank=280))
class WebSession(Base):
    """A person who is logged in on one browser. Ending a session deletes its row."""

    __tablename__ = "web_sessions"
    __table_args__ = (
        ForeignKeyConstraint(["company_id", "user_id"], ["users.company_id", "users.id"]),
        bypassed_by(login="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, index=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), index=True, info=hidden())
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    last_seen_at: Mapped[datetime] = mapped_column(Instant, info=described("Zuletzt benutzt"))
    expires_at: Mapped[datetime] = mapped_column(Instant, index=True, info=described("Gültig bis"))
    user_agent: Mapped[str] = mapped_column(String(200), info=described("Browser"))


@describe_table(ACCESS, no_part="holds for 30 seconds")
class Ticket(Base):
    """A ticket: authorizes one request to one path for a session, in the query of an address where no header can be
    sent.
    """

    __tablename__ = "tickets"
    __table_args__ = bypassed_by(login="all")

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    session_id: Mapped[str] = mapped_column(Id)
    ticket_hash: Mapped[bytes] = mapped_column(LargeBinary(32), index=True)
    path: Mapped[str] = mapped_column(String(500))
    expires_at: Mapped[datetime] = mapped_column(Instant, index=True)


@describe_table(ACCESS, Part("Gemerkte Geräte", PERSON, rank=290))
class RememberedDevice(Base):
    """A browser that needs no second factor of a person until `expires_at`, if it sends the token."""

    __tablename__ = "remembered_devices"
    __table_args__ = (
        ForeignKeyConstraint(["company_id", "user_id"], ["users.company_id", "users.id"]),
        bypassed_by(login="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, index=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), index=True, info=hidden())
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    expires_at: Mapped[datetime] = mapped_column(Instant, index=True, info=described("Gültig bis"))


@describe_table(ACCESS, Part("Zweiter Faktor", PERSON, rank=300))
class SecondFactor(Base):
    """A person's second factors: an address for codes, an authenticator's secret, or a secret that waits for its first
    code.

    `accepted_step` is the last accepted time step (30 s since 1970): each is accepted once.
    """

    __tablename__ = "second_factors"
    __table_args__ = (
        ForeignKeyConstraint(["company_id", "user_id"], ["users.company_id", "users.id"]),
        bypassed_by(login="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    email: Mapped[str | None] = mapped_column(String(EMAIL_LIMIT), info=described("E-Mail"))
    secret: Mapped[bytes | None] = mapped_column(LargeBinary, info=hidden())
    waiting_secret: Mapped[bytes | None] = mapped_column(LargeBinary, info=hidden())
    accepted_step: Mapped[int] = mapped_column(BigInteger, default=0, info=hidden())


@describe_table(
    ACCESS,
    Part("Wiederherstellungscodes", PERSON, rank=310, left_out="öffnen einen Zugang und sagen nichts über die Person"),
)
class RecoveryCode(Base):
    """A code that replaces the authenticator once; using it deletes the row."""

    __tablename__ = "recovery_codes"
    __table_args__ = (
        ForeignKeyConstraint(["company_id", "user_id"], ["users.company_id", "users.id"]),
        bypassed_by(login="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    code_hash: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)


@describe_table(
    ACCESS,
    Part("Angefangene Anmeldungen", PERSON, rank=320, left_out="gelten zehn Minuten, solange sich jemand anmeldet"),
)
class PendingLogin(Base):
    """A login whose password was right and that waits for its next step.

    `email` is the address that is being linked. `code_hash` is of the login's token and the code together, so that the
    six digits cannot be found from the row; it is null before a code was sent and once the code is no longer valid.
    """

    __tablename__ = "pending_logins"
    __table_args__ = (
        ForeignKeyConstraint(["company_id", "user_id"], ["users.company_id", "users.id"]),
        bypassed_by(login="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, index=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), index=True)
    step: Mapped[str] = mapped_column(String(20))
    expires_at: Mapped[datetime] = mapped_column(Instant, index=True)
    email: Mapped[str | None] = mapped_column(String(EMAIL_LIMIT))
    code_hash: Mapped[bytes | None] = mapped_column(LargeBinary(32))
    code_expires_at: Mapped[datetime | None] = mapped_column(Instant)
    attempts: Mapped[int] = mapped_column(default=0)
    mails: Mapped[int] = mapped_column(default=0)
    mailed_at: Mapped[datetime | None] = mapped_column(Instant)


@describe_table(
    NotShown("who looked at whose times: for the works council alone"),
    no_part="belongs to the works council alone (BetrVG § 78)",
)
class AccessLook(Base):
    """An entry of the access log: an administrator's read of a person's times. `subject` null: of the whole company's.
    Only the works council sees it.
    """

    __tablename__ = "access_looks"
    __table_args__ = (Index("ix_access_looks_company_id_at", "company_id", "at", "id"),)

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    at: Mapped[datetime] = mapped_column(Instant)
    actor: Mapped[str] = mapped_column(Id)
    what: Mapped[str] = mapped_column(String(20))
    subject: Mapped[str | None] = mapped_column(Id)
