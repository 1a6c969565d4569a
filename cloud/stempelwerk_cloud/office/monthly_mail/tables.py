"""Tables of the monthly mail: what a company has set, every mail, and who has declined them."""

from datetime import date, datetime
from typing import Literal

from sqlalchemy import Boolean, Date, Index, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from stempelwerk_cloud.domain.mail_addresses import ADDRESS_LIMIT
from stempelwerk_cloud.kit.database.columns import Base, Id, Instant
from stempelwerk_cloud.kit.database.described import Shown, describe_table, hidden

Delivery = Literal["file", "link", "zip"]
State = Literal["waiting", "sent", "failed"]


@describe_table(Shown(280))
class ExportSettings(Base):
    """A company's settings. `recipients` is JSON, a list of addresses; `zip_password` is sealed (`Vault`).

    `planned_to`: the first day of the last month whose mail has been planned, or skipped because the mail was not
    active.
    """

    __tablename__ = "export_settings"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    active: Mapped[bool] = mapped_column(Boolean)
    use_gmail: Mapped[bool] = mapped_column(Boolean)
    delivery: Mapped[Delivery] = mapped_column(String(10))
    recipients: Mapped[str] = mapped_column(Text)
    zip_password: Mapped[bytes | None] = mapped_column(LargeBinary, info=hidden())
    planned_to: Mapped[date] = mapped_column(Date)


@describe_table(Shown(290))
class ExportMail(Base):
    """A mail to one recipient; its id is its Message-ID.

    `mailing_id`: the mails that were planned together and share one file. `month` is YYYY-MM. `at`: the earliest time
    of sending; its day is the one whose limit it counts for. `file_id`: its file, once it is made, and for 30 days;
    `draft`: the file was made before all of the month was known. `detail`: why it has not been sent, in German.
    """

    __tablename__ = "export_mails"
    __table_args__ = (
        Index("ix_export_mails_company_id_mailing_id", "company_id", "mailing_id"),
        Index("ix_export_mails_at", "at"),
        Index("ix_export_mails_company_id_at", "company_id", "at"),
    )

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    id: Mapped[str] = mapped_column(Id, primary_key=True)
    mailing_id: Mapped[str] = mapped_column(Id)
    month: Mapped[str] = mapped_column(String(7))
    at: Mapped[datetime] = mapped_column(Instant)
    recipient: Mapped[str] = mapped_column(String(ADDRESS_LIMIT))
    delivery: Mapped[Delivery] = mapped_column(String(10))
    state: Mapped[State] = mapped_column(String(10))
    detail: Mapped[str | None] = mapped_column(Text)
    draft: Mapped[bool] = mapped_column(Boolean)
    file_id: Mapped[str | None] = mapped_column(Id, info=hidden())
    file_name: Mapped[str | None] = mapped_column(String(100))


@describe_table(Shown(300))
class MailDecline(Base):
    """An address that has declined the monthly mail of a company; `mailbox` is its `mail_addresses.mailbox_key`.

    It stays as long as the company, or until the recipient undoes it: it is what prevents mails.
    """

    __tablename__ = "mail_declines"

    company_id: Mapped[str] = mapped_column(Id, primary_key=True)
    mailbox: Mapped[str] = mapped_column(String(ADDRESS_LIMIT), primary_key=True)
    declined_at: Mapped[datetime] = mapped_column(Instant)
