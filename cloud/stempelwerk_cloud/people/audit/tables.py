"""Tables of the audit log and of the operator log.

`audit_entries` is append-only: triggers on both databases refuse UPDATE, DELETE and TRUNCATE. It holds only ids;
personal words are in `audit_words` and can be erased there while the chain stays intact.
"""

from datetime import datetime

from sqlalchemy import BigInteger, ColumnElement, Index, LargeBinary, String, Table, Text, or_
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import (
    COMPANY,
    NotShown,
    Part,
    PersonRows,
    Shown,
    describe_table,
    described,
    hidden,
    rows_by,
)
from stempelwerk_cloud.kit.database.scopes import bypassed_by
from stempelwerk_cloud.people.directory.tables import NAME_LIMIT

ACTION_LIMIT = 60
SUBJECT_LIMIT = 100
NETWORK_LIMIT = 50


def _mentioning(table: Table, _company_id: str, user_id: str) -> ColumnElement[bool]:
    return or_(table.c.subject == user_id, table.c.before.contains(user_id), table.c.after.contains(user_id))


@describe_table(Shown(420), Part("Änderungsprotokoll", COMPANY, "stays", rank=350, person_rows=PersonRows(_mentioning)))
class AuditEntry(Base):
    """An entry of a company's audit log. `no` counts up from 1 in each company. `hash` covers all members and the
    previous entry's hash (`chain`).

    There are no foreign keys: the log outlives the rows that it is about. `before` and `after` are canonical JSON.
    """

    __tablename__ = "audit_entries"
    __table_args__ = (
        Index("uq_audit_entries_company_id_id", "company_id", "id", unique=True),
        Index("ix_audit_entries_company_id_at", "company_id", "at"),
        Index("ix_audit_entries_company_id_action", "company_id", "action"),
        {"info": bypassed_by(login="all")["info"] | {"append_only": True}},
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    no: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False, info=described(in_file=False))
    id: Mapped[str] = mapped_column(Id)
    at: Mapped[datetime] = mapped_column(Instant, info=described("Zeitpunkt", form="seconds"))
    actor: Mapped[str | None] = mapped_column(Id, info=described("Von", person="actor"))
    action: Mapped[str] = mapped_column(String(ACTION_LIMIT), info=described("Vorgang"))
    subject: Mapped[str | None] = mapped_column(String(SUBJECT_LIMIT), info=described(person="subject", in_file=False))
    before: Mapped[str | None] = mapped_column(Text, info=described("Vorher"))
    after: Mapped[str | None] = mapped_column(Text, info=described("Nachher"))
    hash: Mapped[bytes] = mapped_column(LargeBinary(32), info=hidden())


@describe_table(
    NotShown("what operators did: for system administrators alone"),
    no_part="belongs to the security of the installation, and expires after two years",
)
class OperatorEntry(Base):
    """A row of the operator log: an action of a system administrator or of a server command, or a security event about
    such a login.

    The names of actor and company are those of that moment. `actor` null: the server. `entry`: the id of the audit
    entry of the same decision. `words`: the text that a search compares. A trigger refuses UPDATE; only the retention
    rule deletes.
    """

    __tablename__ = "operator_log"
    __table_args__ = (Index("ix_operator_log_at", "at", "id"),)

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    at: Mapped[datetime] = mapped_column(Instant)
    actor: Mapped[str | None] = mapped_column(Id)
    actor_name: Mapped[str] = mapped_column(String(NAME_LIMIT))
    action: Mapped[str] = mapped_column(String(ACTION_LIMIT))
    company: Mapped[str | None] = mapped_column(Id)
    company_name: Mapped[str | None] = mapped_column(String(NAME_LIMIT))
    subject: Mapped[str | None] = mapped_column(String(SUBJECT_LIMIT))
    entry: Mapped[str | None] = mapped_column(Id)
    network: Mapped[str] = mapped_column(String(NETWORK_LIMIT))
    words: Mapped[str] = mapped_column(Text)


@describe_table(
    NotShown("names and tags of the log, which can be erased; the log itself shows them"),
    Part(
        "Namen und Wörter im Änderungsprotokoll",
        COMPANY,
        rank=340,
        person_rows=rows_by("about"),
        left_out="stehen bei den Einträgen des Änderungsprotokolls",
    ),
)
class AuditWord(Base):
    """A personal word of an audit entry. `id` is its seal: the SHA-256 of `salt` and `word`. `about`: the id of the
    person or thing that it names.
    """

    __tablename__ = "audit_words"
    __table_args__ = (
        Index("ix_audit_words_company_id_about", "company_id", "about"),
        bypassed_by(login="all"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(String(64), primary_key=True)
    about: Mapped[str | None] = mapped_column(String(SUBJECT_LIMIT))
    salt: Mapped[str] = mapped_column(String(64))
    word: Mapped[str] = mapped_column(Text)
