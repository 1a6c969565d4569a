"""The table of inquiries, with its queries.

It belongs to the installation: visitors who send inquiries belong to no company.
"""

from datetime import datetime

from sqlalchemy import String, Text, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import INSTALLATION, describe_table
from stempelwerk_cloud.kit.database.pages import PageRequest, page


@describe_table(INSTALLATION)
class Inquiry(Base):
    """An inquiry from a public form. `fields` is JSON, by the names of the form. Purged after six months."""

    __tablename__ = "inquiries"

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    kind: Mapped[str] = mapped_column(String(10))
    created_at: Mapped[datetime] = mapped_column(Instant, index=True)
    fields: Mapped[str] = mapped_column(Text)


def find(session: Session, inquiry_id: str) -> Inquiry | None:
    return session.get(Inquiry, inquiry_id)


def newest(session: Session, page_request: PageRequest) -> list[Inquiry]:
    """Returns a page, newest first, and one more row where more follow. Raises NoSuchRow."""
    return [row.Inquiry for row in page(session, select(Inquiry), [], [Inquiry.id], page_request, descending=True)]


def sent_after(session: Session, cutoff: datetime, newer: int) -> datetime | None:
    """Returns the time of the inquiry after `cutoff` that has exactly `newer` newer ones; None if there are fewer."""
    query = select(Inquiry.created_at).where(Inquiry.created_at > cutoff)
    return session.scalar(query.order_by(Inquiry.created_at.desc()).offset(newer).limit(1))
