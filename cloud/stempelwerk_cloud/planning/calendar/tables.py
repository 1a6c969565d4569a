"""The table of calendar addresses."""

from datetime import datetime

from sqlalchemy import Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import ACCESS, PERSON, Part, describe_table, described, hidden
from stempelwerk_cloud.kit.database.scopes import bypassed_by


@describe_table(ACCESS, Part("Kalenderadresse", PERSON, rank=250))
class CalendarAddress(Base):
    """A person's address, stored only as the hash of its secret. A new one replaces the old one."""

    __tablename__ = "calendar_addresses"
    __table_args__ = (Index("ix_calendar_addresses_secret_hash", "secret_hash"), bypassed_by(login="select"))

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    secret_hash: Mapped[bytes] = mapped_column(LargeBinary, info=hidden())
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
