"""Tables of companies and their people, and the keys that compare their names.

`companies` is the root: its `id` is every other table's `company_id`. Names are compared without case, outer white
space, and Unicode's different spellings. Another version of Unicode's data (`kit/invisible.py`) may change a name's
key; a migration then recomputes the keys.
"""

import unicodedata
from datetime import date, datetime
from typing import Final

from sqlalchemy import Date, ForeignKey, ForeignKeyConstraint, Index, LargeBinary, String, Text, false, text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import (
    COMPANY,
    INSTALLATION,
    ONLY_DECIDED,
    Part,
    Shown,
    describe_table,
    described,
    hidden,
    rows_by,
)
from stempelwerk_cloud.kit.database.scopes import bypassed_by
from stempelwerk_cloud.kit.invisible import display_form

__all__ = ["KEY_GROWTH", "display_form", "fits", "key"]

KEY_GROWTH = 2
"""The longest key of a name, as a multiple of the name's limit."""


def key(name: str) -> str:
    """Returns the key that equal names share."""
    return unicodedata.normalize("NFKC", display_form(name)).casefold()


def fits(name: str, limit: int) -> bool:
    """Returns whether the name can be stored: its normalized form may be longer than typed, and its key longer
    still.
    """
    return len(display_form(name)) <= limit and len(key(name)) <= KEY_GROWTH * limit


NAME_LIMIT = 200
USERNAME_LIMIT = 100
TAG_LIMIT = 64
FOUNDER = "FOUNDER"
PROTECTIONS = (FOUNDER, "IT")
"""The protections of a founder and of another system administrator. Lists show them instead of a tag."""
_VALUE_NAMES: Final = {
    "personnel_number": "Personalnummer",
    "department": "Abteilung",
    "entry_date": "Eintritt",
    "exit_date": "Austritt",
    "account_from": "Beginn des Zeitkontos",
    "workdays": "Arbeitstage (0 = Montag)",
    "limits": "Schutzvorschriften",
    "pay_type": "Vergütung",
    "opening_balance_minutes": "Anfangssaldo (Minuten)",
    "opening_vacation_days": "Anfangsbestand Urlaub (halbe Tage)",
    "weekly_target": "Wochenstunden (Minuten)",
    "vacation_halves": "Urlaubsanspruch (halbe Tage)",
}
"""German names of people's dated values. A value without one is shown with its stored name."""
_VALUE_WORDS: Final = {
    **{"adult": "Erwachsen", "youth": "Jugendlich", "maternity": "Mutterschutz"},
    **{"hourly": "Stundenlohn", "monthly": "Monatslohn"},
}


@describe_table(Shown(320, rows=lambda table, company_id, _: table.c.id == company_id))
class Company(Base):
    """A customer, or the operator's own company. `closed_at`: when it was deleted; its data stays as long as the law
    requires.
    """

    __tablename__ = "companies"
    __table_args__ = (
        Index(
            "uq_companies_name_key",
            "name_key",
            unique=True,
            sqlite_where=text("closed_at IS NULL"),
            postgresql_where=text("closed_at IS NULL"),
        ),
        bypassed_by(login="select", devices="select"),
    )

    id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(NAME_LIMIT))
    name_key: Mapped[str] = mapped_column(String(KEY_GROWTH * NAME_LIMIT), info=hidden())
    is_operator: Mapped[bool] = mapped_column(default=False, info=hidden())
    created_at: Mapped[datetime] = mapped_column(Instant)
    closed_at: Mapped[datetime | None] = mapped_column(Instant)


@describe_table(INSTALLATION)
class Tombstone(Base):
    """The remains of a purged company: `content` is the signed document, byte by byte (`office/closing`).

    Only a company with a tombstone may be removed from the audit log; a trigger checks it.
    """

    __tablename__ = "tombstones"
    __table_args__ = ({"info": {"append_only": True}},)

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    purged_at: Mapped[datetime] = mapped_column(Instant)
    content: Mapped[bytes] = mapped_column(LargeBinary)


@describe_table(Shown(330))
class CompanyFeature(Base):
    """A module that the company may use."""

    __tablename__ = "company_features"
    __table_args__ = bypassed_by(login="select")

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    feature: Mapped[str] = mapped_column(String(40), primary_key=True)


@describe_table(Shown(340), no_part=ONLY_DECIDED)
class CompanySetting(Base):
    """One setting's value (JSON) from a local day on. Before the first row of a setting its default holds."""

    __tablename__ = "company_settings"
    __table_args__ = bypassed_by(devices="select")

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    setting: Mapped[str] = mapped_column(String(40), primary_key=True)
    valid_from: Mapped[date] = mapped_column(Date, primary_key=True)
    value: Mapped[str] = mapped_column(Text)
    set_at: Mapped[datetime] = mapped_column(Instant)
    set_by: Mapped[str | None] = mapped_column(Id, info=described(person="actor"))


@describe_table(Shown(10), Part("Konto", COMPANY, "stays", rank=10, person_rows=rows_by("id")))
class User(Base):
    """A person of a company. A deleted one keeps the row: times refer to it as long as the law requires them.

    `reset_expires_at`: the password comes from a reset, good until then and only for choosing another. `protected_as`
    (one of `PROTECTIONS`) is set only by the installation's own command. `leaves_at`: when the day of exit ends; from
    then on the person cannot log in. `works_council`: an employee who reads for the works council. `erased_at`: since
    when this row is all that is stored of the person, without their name.
    """

    __tablename__ = "users"
    __table_args__ = (
        Index(
            "uq_users_company_id_username_key",
            "company_id",
            "username_key",
            unique=True,
            sqlite_where=text("deleted_at IS NULL"),
            postgresql_where=text("deleted_at IS NULL"),
        ),
        Index("ix_users_id", "id"),
        bypassed_by(login="all", devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, ForeignKey("companies.id"), primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True, info=described(is_key=True, person="subject"))
    username: Mapped[str] = mapped_column(String(USERNAME_LIMIT), info=described("Benutzername"))
    username_key: Mapped[str] = mapped_column(String(KEY_GROWTH * USERNAME_LIMIT), info=hidden())
    password_hash: Mapped[str] = mapped_column(String(200), info=hidden())
    reset_expires_at: Mapped[datetime | None] = mapped_column(
        Instant, info=described("Übergangspasswort bis", in_view=False)
    )
    role: Mapped[str] = mapped_column(
        String(20), info=described("Rolle", words={"user": "Mitarbeiter", "companyAdmin": "Verwaltung"})
    )
    protected_as: Mapped[str | None] = mapped_column(String(20), info=described("Geschützt als"))
    is_locked: Mapped[bool] = mapped_column(default=False, info=described("Gesperrt"))
    lock_token: Mapped[str | None] = mapped_column(String(64), info=hidden())
    created_at: Mapped[datetime] = mapped_column(Instant, info=described("Angelegt"))
    deleted_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Gelöscht"))
    leaves_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Zugang bis"))
    works_council: Mapped[bool] = mapped_column(default=False, server_default=false(), info=described("Betriebsrat"))
    erased_at: Mapped[datetime | None] = mapped_column(Instant, info=described("Daten gelöscht"))

    def has_left(self, now: datetime) -> bool:
        """Returns whether the day of exit is over."""
        return self.leaves_at is not None and self.leaves_at <= now


@describe_table(Shown(20), Part("Stammdaten und Vereinbarungen", "hours_config", "with times", rank=20))
class PersonValue(Base):
    """A value of one person (JSON) from a local day on; `date.min`: from the beginning.

    The rooms that use a value define its `name` and meaning (`kit/dated.py`).
    """

    __tablename__ = "person_values"
    __table_args__ = (
        ForeignKeyConstraint(["company_id", "user_id"], ["users.company_id", "users.id"]),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id, primary_key=True)
    name: Mapped[str] = mapped_column(String(40), primary_key=True, info=described("Angabe", words=_VALUE_NAMES))
    valid_from: Mapped[date] = mapped_column(Date, primary_key=True, info=described("Gilt ab"))
    value: Mapped[str] = mapped_column(Text, info=described("Wert", form="json", words=_VALUE_WORDS))
    set_at: Mapped[datetime] = mapped_column(Instant, info=described("Eingetragen"))
    set_by: Mapped[str | None] = mapped_column(Id, info=described("Eingetragen von", person="actor"))


@describe_table(Shown(30), Part("Chips", COMPANY, "with times", rank=100))
class TagHolding(Base):
    """A person's period with a tag. `held_from` null: from the beginning; `held_until` (exclusive) null: open."""

    __tablename__ = "tag_holdings"
    __table_args__ = (
        ForeignKeyConstraint(["company_id", "user_id"], ["users.company_id", "users.id"]),
        Index(
            "uq_tag_holdings_company_id_tag",
            "company_id",
            "tag",
            unique=True,
            sqlite_where=text("held_until IS NULL"),
            postgresql_where=text("held_until IS NULL"),
        ),
        Index("ix_tag_holdings_company_id_tag_held_from", "company_id", "tag", "held_from"),
        Index("ix_tag_holdings_company_id_user_id", "company_id", "user_id"),
        bypassed_by(devices="select"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    user_id: Mapped[str] = mapped_column(Id)
    tag: Mapped[str] = mapped_column(String(TAG_LIMIT), info=described("Chip", in_view=False))
    held_from: Mapped[datetime | None] = mapped_column(Instant, info=described("Ab"))
    held_until: Mapped[datetime | None] = mapped_column(Instant, info=described("Bis"))
