"""Tables of the update repository. They belong to the installation. The content of release files is in the data
folder.
"""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKeyConstraint, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Instant
from stempelwerk_cloud.kit.database.described import INSTALLATION, describe_table

REASON_LIMIT = 500


@describe_table(INSTALLATION)
class UpdateMetadata(Base):
    """A signed metadata file of the repository, byte for byte. The newest one of each role is in force. Clients can
    fetch every root ever published.
    """

    __tablename__ = "update_metadata"

    role: Mapped[str] = mapped_column(String(10), primary_key=True)
    version: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    content: Mapped[bytes] = mapped_column(LargeBinary)
    at: Mapped[datetime] = mapped_column(Instant)


@describe_table(INSTALLATION)
class UpdateRelease(Base):
    """A version in a channel. It is withdrawn by an administrator, with a `reason`, or because the channel's signed
    file no longer lists it; `reason` is then empty.
    """

    __tablename__ = "update_releases"

    channel: Mapped[str] = mapped_column(String(10), primary_key=True)
    version: Mapped[str] = mapped_column(String(40), primary_key=True)
    notes: Mapped[str] = mapped_column(Text)
    published_at: Mapped[datetime] = mapped_column(Instant)
    withdrawn_at: Mapped[datetime | None] = mapped_column(Instant)
    reason: Mapped[str] = mapped_column(String(REASON_LIMIT), default="")


@describe_table(INSTALLATION)
class UpdateTarget(Base):
    """A file of a release: a manifest, which has a `platform`, or a wheel. Several releases may have the same wheel."""

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
