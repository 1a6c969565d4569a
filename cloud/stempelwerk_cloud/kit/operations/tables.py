"""Tables of the installation itself."""

from datetime import datetime

from sqlalchemy import SmallInteger, String
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Instant
from stempelwerk_cloud.kit.database.described import INSTALLATION, describe_table

NAME_LIMIT, FINGERPRINT_LIMIT = 40, 64
THE_ONE = 1
"""The key of a table's only row."""


@describe_table(INSTALLATION)
class ServiceTime(Base):
    """The result of the last check of the server's time (`domain/steady_time.TimeWatch`), in a single row."""

    __tablename__ = "service_time"

    no: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False, default=THE_ONE)
    trusted_at: Mapped[datetime] = mapped_column(Instant)
    doubted_from: Mapped[datetime | None] = mapped_column(Instant)
    doubted_at: Mapped[datetime | None] = mapped_column(Instant)


@describe_table(INSTALLATION)
class KeyFingerprint(Base):
    """Fingerprint that identifies a key file of the data folder (`kit/operations/key_registry.py`)."""

    __tablename__ = "key_fingerprints"

    name: Mapped[str] = mapped_column(String(NAME_LIMIT), primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(FINGERPRINT_LIMIT))
