"""Tables of sessions and tickets. Tokens are kept as SHA-256 only: a stolen database opens no session."""

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.db import Base, Id, Instant


class WebSession(Base):
    """A person who is logged in on one browser. Ending a session deletes its row."""

    __tablename__ = "web_sessions"
    __table_args__ = (ForeignKeyConstraint(["company_id", "user_id"], ["users.company_id", "users.id"]),)

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, index=True)
    token_hash: Mapped[bytes] = mapped_column(LargeBinary(32), index=True)
    created_at: Mapped[datetime] = mapped_column(Instant)
    last_seen_at: Mapped[datetime] = mapped_column(Instant)
    expires_at: Mapped[datetime] = mapped_column(Instant, index=True)
    user_agent: Mapped[str] = mapped_column(String(200))


class Ticket(Base):
    """A single use of a session in the query of one path, where no header can be sent."""

    __tablename__ = "tickets"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    session_id: Mapped[str] = mapped_column(Id)
    ticket_hash: Mapped[bytes] = mapped_column(LargeBinary(32), index=True)
    path: Mapped[str] = mapped_column(String(500))
    expires_at: Mapped[datetime] = mapped_column(Instant, index=True)
