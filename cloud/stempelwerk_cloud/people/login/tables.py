"""Tables of the login: how often which account was tried from where, and logins that wait for a further step.

The counters hold hashes, no names.
"""

from datetime import datetime

from sqlalchemy import ForeignKeyConstraint, LargeBinary, String, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.scopes import bypassed_by
from stempelwerk_cloud.people.access.tables import EMAIL_LIMIT


class LoginCounter(Base):
    """Failures of one bucket (an address, an account, an account from an address), or that an address is known.

    `turn` is the bucket for which the place after an address's pause was drawn, among `knocks` that came in the pause.
    """

    __tablename__ = "login_counters"

    bucket: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    failures: Mapped[int]
    last_at: Mapped[datetime] = mapped_column(Instant)
    blocked_until: Mapped[datetime] = mapped_column(Instant)
    expires_at: Mapped[datetime] = mapped_column(Instant, index=True)
    knocks: Mapped[int] = mapped_column(server_default=text("0"))
    turn: Mapped[bytes | None] = mapped_column(LargeBinary(32))


class PendingLogin(Base):
    """A login whose password was right and that waits for its next step.

    `email` is the address that is being linked. `code_hash` is of the login's token and the code together, so that
    the six digits cannot be found from the row; it is null before a code was sent and once it is worth nothing.
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
