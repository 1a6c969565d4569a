"""The table of inquiries. It belongs to the installation: visitors who send inquiries belong to no company."""

from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import INSTALLATION, describe_table


@describe_table(INSTALLATION)
class Inquiry(Base):
    """An inquiry from a public form. `fields` is JSON, by the names of the form. Purged after six months."""

    __tablename__ = "inquiries"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    created_at: Mapped[datetime] = mapped_column(Instant, index=True)
    fields: Mapped[str] = mapped_column(Text)
