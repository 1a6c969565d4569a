"""Tables of the file store. All three are the company's; without its key nothing of its files can be read."""

from datetime import datetime

from sqlalchemy import Integer, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import NotShown, describe_table


@describe_table(NotShown("the key to its files"))
class CompanyKey(Base):
    """The key that wraps the keys of a company's files, sealed by the installation's own (`kit/security/vault.py`)."""

    __tablename__ = "company_keys"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(Instant)


@describe_table(NotShown("sick notes"))
class StoredFile(Base):
    """A file's description; `size` in bytes, before encryption. `wrapped` is its key, wrapped by the company's."""

    __tablename__ = "files"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    media_type: Mapped[str] = mapped_column(String(100))
    size: Mapped[int] = mapped_column(Integer)
    wrapped: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[datetime] = mapped_column(Instant)


@describe_table(NotShown("sick notes"))
class FileContent(Base):
    """The content of a file, encrypted with its key; a separate table, so that lists of files do not read it."""

    __tablename__ = "file_contents"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    file_id: Mapped[str] = mapped_column(Id, primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)
