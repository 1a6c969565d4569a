"""The tables of the repository. They are the installation's own; the files themselves lie in the data folder."""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKeyConstraint, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Instant

REASON_LIMIT = 500


class UpdateMetadata(Base):
    """A signed file of the repository, byte for byte. The newest of each role is in force; every root is served."""

    __tablename__ = "update_metadata"

    role: Mapped[str] = mapped_column(String(10), primary_key=True)
    version: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    content: Mapped[bytes] = mapped_column(LargeBinary)
    at: Mapped[datetime] = mapped_column(Instant)


class UpdateRelease(Base):
    """A version in a channel. A release that has left the channel is withdrawn; an empty `reason`: by its signer."""

    __tablename__ = "update_releases"

    channel: Mapped[str] = mapped_column(String(10), primary_key=True)
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    notes: Mapped[str] = mapped_column(Text)
    published_at: Mapped[datetime] = mapped_column(Instant)
    withdrawn_at: Mapped[datetime | None] = mapped_column(Instant)
    reason: Mapped[str] = mapped_column(String(REASON_LIMIT), default="")


class UpdateTarget(Base):
    """A file of a release: a manifest, which has a `platform`, or a wheel, which several releases may have."""

    __tablename__ = "update_targets"
    __table_args__ = (
        ForeignKeyConstraint(
            ["channel", "version"], ["update_releases.channel", "update_releases.version"], ondelete="CASCADE"
        ),
    )

    path: Mapped[str] = mapped_column(String(250), primary_key=True)
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    channel: Mapped[str] = mapped_column(String(10))
    platform: Mapped[str | None] = mapped_column(String(40))
    sha256: Mapped[str] = mapped_column(String(64))
    length: Mapped[int] = mapped_column(BigInteger)
