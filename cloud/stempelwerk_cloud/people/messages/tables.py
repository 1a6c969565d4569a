"""The table of messages."""

from datetime import datetime

from sqlalchemy import ColumnElement, Index, String, Table, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import PERSON, PERSONAL, Part, PersonRows, describe_table, described
from stempelwerk_cloud.kit.database.scopes import bypassed_by

TYPE_LIMIT = 40
TITLE_LIMIT = 200


def _about_to_others(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return (table.c.user_id != user_id) & table.c.payload.contains(user_id)


@describe_table(
    PERSONAL,
    Part("Nachrichten", PERSON, rank=210),
    Part(
        "Nachrichten an die Verwaltung",
        PERSON,
        rank=220,
        person_rows=PersonRows(_about_to_others),
        left_out="stehen in den Postfächern anderer; worum es geht, steht in den anderen Tabellen",
    ),
)
class Message(Base):
    """A message to a person. `payload` is JSON. `read_at`: no longer in the inbox."""

    __tablename__ = "messages"
    __table_args__ = (
        Index(
            "ix_messages_unread",
            "company_id",
            "user_id",
            "id",
            sqlite_where=text("read_at IS NULL"),
            postgresql_where=text("read_at IS NULL"),
        ),
        Index("ix_messages_created_at", "created_at"),
        bypassed_by(devices="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    type: Mapped[str] = mapped_column(String(TYPE_LIMIT), info=described("Art"))
    title: Mapped[str] = mapped_column(String(TITLE_LIMIT), info=described("Betreff"))
    body: Mapped[str] = mapped_column(Text, info=described("Text"))
    payload: Mapped[str] = mapped_column(Text, info=described("Angaben"))
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    read_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Gelesen"))
