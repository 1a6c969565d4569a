"""The table of hand-overs."""

from datetime import date, datetime

from sqlalchemy import ColumnElement, Date, Index, String, Table, or_, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import Part, PersonRows, Shown, describe_table, described
from stempelwerk_cloud.kit.database.scopes import bypassed_by


def _of_both(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return or_(table.c.from_id == user_id, table.c.to_id == user_id)


@describe_table(Shown(160), Part("Übergabeanfragen", "schedule", rank=200, person_rows=PersonRows(_of_both)))
class HandOver(Base):
    """A request to take over a duty, from its holder (`from_id`) to a colleague (`to_id`).

    `status` is `pending`, then `accepted`, `declined`, `withdrawn`, or `void`: the duty or one of the two was removed.
    """

    __tablename__ = "swap_requests"
    __table_args__ = (
        Index(
            "uq_swap_requests_company_id_duty_id",
            "company_id",
            "duty_id",
            unique=True,
            sqlite_where=text("status = 'pending'"),
            postgresql_where=text("status = 'pending'"),
        ),
        Index("ix_swap_requests_company_id_from_id", "company_id", "from_id", "date"),
        Index("ix_swap_requests_company_id_to_id", "company_id", "to_id", "date"),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    duty_id: Mapped[str] = mapped_column(Id, info=described(is_key=True))
    date: Mapped[date] = mapped_column(Date, info=described("Tag"))
    from_id: Mapped[str] = mapped_column(Id, info=described("Von", person="party"))
    to_id: Mapped[str] = mapped_column(Id, info=described("An", person="party"))
    status: Mapped[str] = mapped_column(
        String(10),
        info=described(
            "Stand",
            words={
                "pending": "offen",
                "accepted": "angenommen",
                "declined": "abgelehnt",
                "withdrawn": "zurückgezogen",
                "void": "hinfällig",
            },
        ),
    )
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    decided_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Entschieden"))
