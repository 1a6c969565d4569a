"""Tables of the login: how often which account was tried from where. They hold hashes, no names."""

from datetime import datetime

from sqlalchemy import LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.db import Base, Instant


class LoginCounter(Base):
    """Failures of one bucket (an address, an account, an account from an address), or that an address is known."""

    __tablename__ = "login_counters"

    bucket: Mapped[bytes] = mapped_column(LargeBinary(32), primary_key=True)
    failures: Mapped[int]
    last_at: Mapped[datetime] = mapped_column(Instant)
    blocked_until: Mapped[datetime] = mapped_column(Instant)
    expires_at: Mapped[datetime] = mapped_column(Instant, index=True)
