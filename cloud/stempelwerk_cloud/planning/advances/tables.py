"""The table of advances."""

from datetime import datetime

from sqlalchemy import Boolean, ColumnElement, Index, Integer, String, Table, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import COMPANY, Part, PersonRows, Shown, describe_table, described

REASON_LIMIT = 200


def _pending(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return (table.c.user_id == user_id) & table.c.decided_at.is_(None)


def _decided(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return (table.c.user_id == user_id) & table.c.decided_at.is_not(None)


@describe_table(
    Shown(),
    Part("Beantragte Vorschüsse", COMPANY, person_rows=PersonRows(_pending)),
    Part("Vorschüsse auf den Lohn", COMPANY, "stays", person_rows=PersonRows(_decided)),
)
class Advance(Base):
    """A request for an advance. `approved` is null until an administrator decides; a person has one such row at most.

    A decided row is a payroll record: it stays after its person is erased, without the reason. A pending one goes.
    """

    __tablename__ = "advances"
    __table_args__ = (
        Index(
            "uq_advances_company_id_user_id",
            "company_id",
            "user_id",
            unique=True,
            sqlite_where=text("decided_at IS NULL"),
            postgresql_where=text("decided_at IS NULL"),
        ),
        Index("ix_advances_company_id_user_id_asked_at", "company_id", "user_id", "asked_at"),
        Index("ix_advances_decided_at", "decided_at"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    cents: Mapped[int] = mapped_column(Integer, info=described("Betrag in Cent"))
    reason: Mapped[str | None] = mapped_column(String(REASON_LIMIT), info=described("Grund", free_text=True))
    asked_at: Mapped[datetime] = mapped_column(Instant, info=described("Beantragt"))
    decided_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Entschieden"))
    decided_by: Mapped[str | None] = mapped_column(Id, info=described("Entschieden von", person="actor"))
    approved: Mapped[bool | None] = mapped_column(Boolean, info=described("Genehmigt"))
