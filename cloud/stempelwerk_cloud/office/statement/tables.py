"""The table of statements, with its queries. Statements are facts: rows are added and never changed."""

from datetime import datetime

from sqlalchemy import Index, LargeBinary, String, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import COMPANY, Part, Shown, describe_table, described, hidden


@describe_table(Shown(240), Part("Zeitnachweise", COMPANY, "with times", rank=170))
class Statement(Base):
    """A statement as it was signed, byte by byte. `digest` is its SHA-256, `previous` that of the person's last one."""

    __tablename__ = "statements"
    __table_args__ = (Index("ix_statements_company_id_user_id", "company_id", "user_id", "month", "id"),)

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    month: Mapped[str] = mapped_column(String(7), info=described("Monat"))
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    content: Mapped[bytes] = mapped_column(LargeBinary, info=hidden())
    digest: Mapped[bytes] = mapped_column(LargeBinary, info=described(in_file=False))
    previous: Mapped[bytes | None] = mapped_column(LargeBinary, info=described(in_file=False))


def newest(session: Session, company_id: str, user_id: str, month: str | None = None) -> Statement | None:
    """Returns the person's newest statement, of one month or of any."""
    query = select(Statement).where(Statement.company_id == company_id, Statement.user_id == user_id)
    if month is not None:
        query = query.where(Statement.month == month)
    return session.scalar(query.order_by(Statement.created_at.desc(), Statement.id.desc()).limit(1))
