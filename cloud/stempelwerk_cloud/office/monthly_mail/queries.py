"""SQL queries on settings, mails and declines of the monthly mail, and on the daily limit of a company's mails.

It limits how many are sent on a German day, and delays the others. A mail counts on the day that it is planned for
(`ExportMail.at`), and not again when it is retried. Callers hold the lock on the company's settings (`lock_settings`),
so concurrent planners count each other's mails.
"""

import json
from collections.abc import Collection, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import DAY, day_end, day_start, local_day
from stempelwerk_cloud.kit.database import locks, pages
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail, ExportSettings, MailDecline


def unset(company_id: str, planned_to: date) -> ExportSettings:
    """Returns the default settings of a company."""
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
    addresses: list[str] = json.loads(row.recipients)
    return addresses


def settings(session: Session, company_id: str) -> ExportSettings | None:
    return session.get(ExportSettings, company_id)


def lock_settings(session: Session, company_id: str) -> ExportSettings | None:
    """Reads the current settings and locks their row until the end of the transaction."""
    locks.record_row_lock(session, Lock.MONTHLY_MAIL, [company_id])
    query = select(ExportSettings).where(ExportSettings.company_id == company_id).with_for_update()
    return session.scalar(query.execution_options(populate_existing=True))


def add_settings(session: Session, row: ExportSettings) -> None:
    """Inserts the settings, unless the company already has some."""
    values = {column.key: getattr(row, column.key) for column in ExportSettings.__table__.columns}
    session.execute(upsert(session, ExportSettings).values(values).on_conflict_do_nothing())


def with_settings(session: Session) -> Sequence[str]:
    """Returns the companies that have settings."""
    return session.scalars(select(ExportSettings.company_id).order_by(ExportSettings.company_id)).all()


def mail(session: Session, company_id: str, mail_id: str) -> ExportMail | None:
    return session.get(ExportMail, (company_id, mail_id))


def mailing(session: Session, company_id: str, mailing_id: str, *, alone: bool = False) -> Sequence[ExportMail]:
    """Returns the mails of a mailing; `alone` locks them until the end of the transaction."""
    query = select(ExportMail).where(ExportMail.company_id == company_id, ExportMail.mailing_id == mailing_id)
    query = query.order_by(ExportMail.id)
    if not alone:
        return session.scalars(query).all()
    locks.record_row_lock(session, Lock.MONTHLY_MAIL, [company_id])
    return session.scalars(query.with_for_update()).all()


def mails(session: Session, company_id: str, page_request: PageRequest) -> list[ExportMail]:
    """Returns mails, newest first; one more than the page size, if there are more."""
    query = select(ExportMail).where(ExportMail.company_id == company_id)
    rows = pages.page(session, query, [], [ExportMail.id], page_request, descending=True)
    return [row[0] for row in rows]


def waiting_since(session: Session, company_id: str, instant: datetime) -> Sequence[ExportMail]:
    """Returns the mails that have waited since that instant or longer."""
    query = select(ExportMail).where(
        ExportMail.company_id == company_id, ExportMail.state == "waiting", ExportMail.at <= instant
    )
    return session.scalars(query.order_by(ExportMail.id)).all()


def count_between(session: Session, company_id: str, start: datetime, end: datetime) -> int:
    """Returns the number of mails from `start` on and before `end`."""
    query = select(func.count()).where(ExportMail.company_id == company_id, ExportMail.at >= start, ExportMail.at < end)
    return session.scalar(query) or 0


def waiting(session: Session, company_id: str) -> Sequence[ExportMail]:
    query = select(ExportMail).where(ExportMail.company_id == company_id, ExportMail.state == "waiting")
    return session.scalars(query.order_by(ExportMail.id)).all()


def declined(session: Session, company_id: str, mailboxes: Collection[str]) -> set[str]:
    """Returns the mailboxes among these that have declined."""
    query = select(MailDecline.mailbox).where(
        MailDecline.company_id == company_id, MailDecline.mailbox.in_(list(mailboxes))
    )
    return set(session.scalars(query))


def add_decline(session: Session, row: MailDecline) -> bool:
    """Inserts a decline; returns whether it is new."""
    values = {"company_id": row.company_id, "mailbox": row.mailbox, "declined_at": row.declined_at}
    insert = upsert(session, MailDecline).values(values).on_conflict_do_nothing()
    return session.execute(insert.returning(MailDecline.mailbox)).first() is not None


def remove_decline(session: Session, company_id: str, mailbox: str) -> bool:
    """Deletes a decline; returns whether there was one."""
    deletion = delete(MailDecline).where(MailDecline.company_id == company_id, MailDecline.mailbox == mailbox)
    return session.execute(deletion.returning(MailDecline.mailbox)).first() is not None


def with_old_files(session: Session, instant: datetime, limit: int) -> Sequence[ExportMail]:
    """Returns up to `limit` mails of all companies from before or at that instant whose file is still stored."""
    query = select(ExportMail).where(ExportMail.file_id.is_not(None), ExportMail.at <= instant)
    return session.scalars(query.order_by(ExportMail.at).limit(limit)).all()


MOST_A_DAY = 60
ZONE = ZoneInfo("Europe/Berlin")
"""One time zone for all companies, so that no company gets a second day by another zone."""


def left_on(session: Session, company_id: str, day: date) -> int:
    """Returns how many more mails of the company may be sent on the day."""
    count = count_between(session, company_id, day_start(day, ZONE), day_end(day, ZONE))
    return max(0, MOST_A_DAY - count)


def instants(session: Session, company_id: str, now: datetime, count: int) -> list[datetime]:
    """Returns the planned time of each mail: now while the day has room, then the beginnings of the next days."""
    day, instant, planned = local_day(now, ZONE), now, list[datetime]()
    while len(planned) < count:
        planned += [instant] * min(left_on(session, company_id, day), count - len(planned))
        day += DAY
        instant = day_start(day, ZONE)
    return planned
