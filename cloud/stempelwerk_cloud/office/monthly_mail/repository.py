"""Queries on what companies have set, on mails, and on who has declined them."""

import json
from collections.abc import Collection, Sequence
from datetime import date, datetime

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import locks, pages
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.pages import Wanted
from stempelwerk_cloud.kit.database.upsert import upsert
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail, ExportSettings, MailDecline


def unset(company_id: str, planned_to: date) -> ExportSettings:
    """What holds in a company that has set nothing."""
    return ExportSettings(
        company_id=company_id,
        active=False,
        use_gmail=False,
        delivery="file",
        recipients="[]",
        zip_password=None,
        planned_to=planned_to,
    )


def recipients(row: ExportSettings) -> list[str]:
    found: list[str] = json.loads(row.recipients)
    return found


def settings(session: Session, company_id: str) -> ExportSettings | None:
    return session.get(ExportSettings, company_id)


def settings_alone(session: Session, company_id: str) -> ExportSettings | None:
    """As they are now, and nobody else's until this transaction ends."""
    locks.noted(session, Lock.MONTHLY_MAIL, [company_id])
    found = select(ExportSettings).where(ExportSettings.company_id == company_id).with_for_update()
    return session.scalar(found.execution_options(populate_existing=True))


def add_settings(session: Session, row: ExportSettings) -> None:
    """Unless there are some."""
    values = {column.key: getattr(row, column.key) for column in ExportSettings.__table__.columns}
    session.execute(upsert(session, ExportSettings).values(values).on_conflict_do_nothing())


def with_settings(session: Session) -> Sequence[str]:
    """The companies that have set something."""
    return session.scalars(select(ExportSettings.company_id).order_by(ExportSettings.company_id)).all()


def mail(session: Session, company_id: str, mail_id: str) -> ExportMail | None:
    return session.get(ExportMail, (company_id, mail_id))


def mailing(session: Session, company_id: str, mailing_id: str, *, alone: bool = False) -> Sequence[ExportMail]:
    """The mails of a mailing; `alone`: nobody else's until this transaction ends."""
    found = select(ExportMail).where(ExportMail.company_id == company_id, ExportMail.mailing_id == mailing_id)
    found = found.order_by(ExportMail.id)
    if not alone:
        return session.scalars(found).all()
    locks.noted(session, Lock.MONTHLY_MAIL, [company_id])
    return session.scalars(found.with_for_update()).all()


def mails(session: Session, company_id: str, wanted: Wanted) -> list[ExportMail]:
    """Newest first; one more than wanted, if there are more."""
    every = select(ExportMail).where(ExportMail.company_id == company_id)
    rows = pages.page(session, every, [], [ExportMail.id], wanted, descending=True)
    return [row[0] for row in rows]


def waiting_since(session: Session, company_id: str, at: datetime) -> Sequence[ExportMail]:
    """The mails that have waited from that instant or longer."""
    found = select(ExportMail).where(
        ExportMail.company_id == company_id, ExportMail.state == "waiting", ExportMail.at <= at
    )
    return session.scalars(found.order_by(ExportMail.id)).all()


def count_between(session: Session, company_id: str, start: datetime, end: datetime) -> int:
    """How many mails go from `start` on and before `end`."""
    found = select(func.count()).where(ExportMail.company_id == company_id, ExportMail.at >= start, ExportMail.at < end)
    return session.scalar(found) or 0


def waiting(session: Session, company_id: str) -> Sequence[ExportMail]:
    found = select(ExportMail).where(ExportMail.company_id == company_id, ExportMail.state == "waiting")
    return session.scalars(found.order_by(ExportMail.id)).all()


def declined(session: Session, company_id: str, mailboxes: Collection[str]) -> set[str]:
    """Those of the mailboxes that have declined."""
    found = select(MailDecline.mailbox).where(
        MailDecline.company_id == company_id, MailDecline.mailbox.in_(list(mailboxes))
    )
    return set(session.scalars(found))


def add_decline(session: Session, row: MailDecline) -> bool:
    """Whether it is new."""
    values = {"company_id": row.company_id, "mailbox": row.mailbox, "declined_at": row.declined_at}
    insert = upsert(session, MailDecline).values(values).on_conflict_do_nothing()
    return session.execute(insert.returning(MailDecline.mailbox)).first() is not None


def remove_decline(session: Session, company_id: str, mailbox: str) -> bool:
    """Whether there was one."""
    gone = delete(MailDecline).where(MailDecline.company_id == company_id, MailDecline.mailbox == mailbox)
    return session.execute(gone.returning(MailDecline.mailbox)).first() is not None


def with_old_files(session: Session, at: datetime, most: int) -> Sequence[ExportMail]:
    """Mails from that instant or before whose file is still here, of all companies."""
    found = select(ExportMail).where(ExportMail.file_id.is_not(None), ExportMail.at <= at)
    return session.scalars(found.order_by(ExportMail.at).limit(most)).all()
