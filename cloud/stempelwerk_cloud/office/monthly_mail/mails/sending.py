"""The monthly mail: plans it in a transaction, makes its file, sends it to each recipient, and finally gives up.

Plans are stored before anything is sent, and a mail's Message-ID is the id of its row. After a crash between two steps
the mail is sent again, and the mailbox can recognize the duplicate. Files are stored for 30 days, for recipients who
get a link.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode

import structlog
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import local_day
from stempelwerk_cloud.domain.mail_addresses import mailbox_key
from stempelwerk_cloud.domain.monthly_mail import due_since
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.files import store as files
from stempelwerk_cloud.kit.mail import Attached, MailFailed
from stempelwerk_cloud.kit.mail_templates import Letter
from stempelwerk_cloud.kit.outbox import PermanentFailure, RetryLater
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.subprocesses import subprocess_render
from stempelwerk_cloud.office.exports.files import making
from stempelwerk_cloud.office.monthly_mail import queries, words
from stempelwerk_cloud.office.monthly_mail.mails import declining
from stempelwerk_cloud.office.monthly_mail.mails.live import MODULE, notify_pages
from stempelwerk_cloud.office.monthly_mail.mails.packing import LockedFile
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail, ExportSettings, State
from stempelwerk_cloud.people.directory.companies import feature_keys, find_company, zone_of
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

MAKE, SEND = "monthly_mail.make", "monthly_mail.send"
GIVEN_UP_AFTER = timedelta(hours=36)
"""How long after its planned time a mail is given up. It is later than the outbox's last attempt, unless the service
was down; then one more attempt is made.
"""
FILE_KEPT = timedelta(days=30)
KEPT = timedelta(days=2 * 366)
"""How long mails are stored: two years, leap days included."""
PURGED_AT_ONCE = 100

log = structlog.get_logger(__name__)


def declined(session: Session, row: ExportSettings) -> list[str]:
    """Returns the recipients in the settings that have declined the mail, in the company's spelling."""
    mailboxes = {recipient: mailbox_key(recipient) for recipient in queries.recipients(row)}
    declined_mailboxes = queries.declined(session, row.company_id, mailboxes.values())
    return [recipient for recipient, mailbox in mailboxes.items() if mailbox in declined_mailboxes]


def accepting(session: Session, row: ExportSettings) -> list[str]:
    """Returns the recipients in the settings that have not declined the mail."""
    without = declined(session, row)
    return [recipient for recipient in queries.recipients(row) if recipient not in without]


def plan(work: UnitOfWork, row: ExportSettings, month: str, origin: str | None) -> list[ExportMail]:
    """Stores a mail about the month (`YYYY-MM`) for each recipient that has not declined, and orders the making of its
    file.

    Mails beyond the daily limit are planned for the next days. `origin`: the address at the beginning of the links in
    the mail. The caller holds the lock on the settings.
    """
    mailing_id, now = work.new_id(), work.now()
    recipients = accepting(work.session, row)
    if not recipients:
        return []
    mails = [
        ExportMail(
            company_id=row.company_id,
            id=work.new_id(),
            mailing_id=mailing_id,
            month=month,
            at=instant,
            recipient=recipient,
            delivery=row.delivery,
            state="waiting",
            detail=None if instant == now else words.put_off(local_day(instant, queries.ZONE)),
            draft=False,
        )
        for recipient, instant in zip(
            recipients, queries.instants(work.session, row.company_id, now, len(recipients)), strict=True
        )
    ]
    work.session.add_all(mails)
    work.session.flush()
    payload = {"mailingId": mailing_id, "origin": origin}
    outbox.add(work.session, work.platform, row.company_id, MAKE, payload, coalesce_key=mailing_id)
    notify_pages(work, row.company_id)
    return mails


def make(platform: Platform, company_id: str, payload: Mapping[str, Any], _id: str) -> None:
    """Makes the file of a mailing, once, and adds the tasks that send its mails to the outbox."""
    with platform.database.read(of_company(company_id)) as session:
        company = find_company(session, company_id)
        mails = queries.mailing(session, company_id, payload["mailingId"])
        if company is None or company.closed_at is not None or _is_made(mails):
            return
        month, settings = mails[0].month, queries.settings(session, company_id)
        sealed = settings.zip_password if settings is not None and mails[0].delivery == "zip" else None
        assert sealed is not None or mails[0].delivery != "zip", "what is to be locked goes nowhere without a password"
    name, media_type, content, draft = _make_file(platform, company_id, month, sealed)
    with unit_of_work(platform, of_company(company_id)) as work:
        mails = queries.mailing(work.session, company_id, payload["mailingId"], alone=True)
        if _is_made(mails):
            return
        file_id = files.store(work.session, platform, company_id, content, media_type)
        for mail in mails:
            mail.file_id, mail.file_name, mail.draft = file_id, name, draft
            order = {"mailId": mail.id, "origin": payload.get("origin")}
            outbox.add(work.session, platform, company_id, SEND, order, mail.at, coalesce_key=mail.id)
        notify_pages(work, company_id)


def _is_made(mails: Sequence[ExportMail]) -> bool:
    """Whether the mailing's file was made already, or its mails no longer exist."""
    return not mails or any(mail.file_id is not None for mail in mails)


def _make_file(platform: Platform, company_id: str, month: str, sealed: bytes | None) -> tuple[str, str, bytes, bool]:
    """Returns name, media type and content of the month's file, and whether it is a draft.

    With a password (`sealed`) the file is in a locked ZIP.
    """
    export_file = making.make(platform, company_id, month, "xlsx")
    if sealed is None:
        return export_file.name, export_file.media_type, export_file.content, export_file.draft
    order = LockedFile(export_file.name, export_file.content, platform.vault.decrypt(sealed))
    content = subprocess_render.render(platform, company_id, order, is_short=True)
    return f"{export_file.name.rpartition('.')[0]}.zip", "application/zip", content, export_file.draft


class _Outgoing(NamedTuple):
    """The content of a mail before it is sent. `is_old`: this is the last attempt."""

    recipient: str
    subject: str
    letter: Letter
    attached: Attached | None
    unsubscribe_url: str | None
    is_old: bool


def send(platform: Platform, company_id: str, payload: Mapping[str, Any], _id: str) -> None:
    """Sends one mail. Does nothing if it was sent or given up, its recipient has declined, or the company is closed.

    Raises RetryLater, or PermanentFailure at the last attempt, if it cannot be sent.
    """
    mail_id, mailer = payload["mailId"], platform.mailer
    origin = platform.settings.public_url or payload.get("origin")
    with platform.database.read(of_company(company_id)) as session:
        mail = queries.mail(session, company_id, mail_id)
        company = find_company(session, company_id)
        if mail is None or mail.state != "waiting" or mail.file_id is None:
            return
        if company is None or company.closed_at is not None:
            return
        outgoing = _outgoing(session, platform, origin, company.name, mail)
    if mailer is None:
        _note(platform, company_id, mail_id, "waiting", words.NO_MAIL_SERVER)
        raise _not_sent("there is no mail server", outgoing)
    if not _claimed(platform, company_id, mail_id):
        return
    try:
        mailer.send(
            outgoing.recipient,
            outgoing.subject,
            outgoing.letter.text,
            outgoing.letter.html,
            id=mail_id,
            attached=outgoing.attached,
            unsubscribe_url=outgoing.unsubscribe_url,
            only_encrypted=True,
        )
    except MailFailed as error:
        _note(platform, company_id, mail_id, "waiting", words.why(error))
        raise _not_sent(f"mail: {error}", outgoing) from error
    _note(platform, company_id, mail_id, "sent", None)


def _outgoing(session: Session, platform: Platform, origin: str | None, company: str, mail: ExportMail) -> _Outgoing:
    assert mail.file_id is not None
    month, draft = date.fromisoformat(f"{mail.month}-01"), mail.draft
    query = urlencode({"tab": MODULE, "monat": mail.month, "mail": mail.id})
    links = declining.links_of(platform, origin, mail.company_id, mail.recipient)
    page = None if origin is None else f"{origin}/company-dashboard?{query}"
    attached = None
    if mail.delivery != "link":
        content, media_type = files.read(session, platform, mail.company_id, mail.file_id)
        attached = Attached(str(mail.file_name), media_type, content)
    return _Outgoing(
        recipient=mail.recipient,
        subject=words.subject(company, month, draft=draft),
        letter=words.letter(company, month, mail.delivery, page, links.page, draft=draft),
        attached=attached,
        unsubscribe_url=links.one_click,
        is_old=mail.at <= platform.clock.now() - GIVEN_UP_AFTER,
    )


def _claimed(platform: Platform, company_id: str, mail_id: str) -> bool:
    """Whether the mail must still be sent. A decline that is committed before this call stops it; a later one is too
    late.
    """
    with unit_of_work(platform, of_company(company_id)) as work:
        queries.lock_settings(work.session, company_id)
        mail = queries.mail(work.session, company_id, mail_id)
        if mail is None or mail.state != "waiting":
            return False
        if not queries.declined(work.session, company_id, [mailbox_key(mail.recipient)]):
            return True
        mail.state, mail.detail = "failed", words.DECLINED
        notify_pages(work, company_id)
        return False


def _not_sent(reason: str, outgoing: _Outgoing) -> Exception:
    return PermanentFailure(reason) if outgoing.is_old else RetryLater(reason=reason)


def _note(platform: Platform, company_id: str, mail_id: str, state: State, detail: str | None) -> None:
    with unit_of_work(platform, of_company(company_id)) as work:
        queries.lock_settings(work.session, company_id)
        mail = queries.mail(work.session, company_id, mail_id)
        # A mail that was declined while being sent no longer waits.
        if mail is not None and (state == "sent" or mail.state == "waiting"):
            mail.state, mail.detail = state, detail
            notify_pages(work, company_id)


def come_round(platform: Platform) -> None:
    """Plans due mails and gives up overdue ones, in every company with settings for the monthly mail."""
    with platform.database.read(SYSTEM) as session:
        company_ids = queries.with_settings(session)
    for company_id in company_ids:
        try:
            come_to(platform, company_id)
        except Exception as error:
            log.error("job_failed", job="monthly_mail", company_id=company_id, exc_info=error)


def come_to(platform: Platform, company_id: str) -> None:
    """Plans due mails and gives up overdue ones in one company. `planned_to` ensures that only one process plans a
    month.
    """
    with platform.database.read(of_company(company_id)) as session:
        company = find_company(session, company_id)
        row = queries.settings(session, company_id)
        if company is None or company.closed_at is not None or row is None:
            return
        now = platform.clock.now()
        if not _due(session, row, now) and not _lapsed(session, company_id, now):
            return
    with unit_of_work(platform, of_company(company_id)) as work:
        work.company(company_id)
        alone = queries.lock_settings(work.session, company_id)
        assert alone is not None
        now = work.now()
        is_wanted = alone.active and MODULE in feature_keys(work.session, company_id)
        for month in _due(work.session, alone, now):
            if is_wanted:
                plan(work, alone, month.isoformat()[:7], work.platform.settings.public_url)
            alone.planned_to = month
        _give_up(work, company_id, _lapsed(work.session, company_id, now))


def _due(session: Session, row: ExportSettings, now: datetime) -> list[date]:
    return due_since(row.planned_to, now, zone_of(session, row.company_id, now))


def _lapsed(session: Session, company_id: str, now: datetime) -> list[ExportMail]:
    """Returns the overdue mails that no task in the outbox will send."""
    old = queries.waiting_since(session, company_id, now - GIVEN_UP_AFTER)
    coming = partial(outbox.is_pending, session, company_id)
    return [mail for mail in old if not (coming(MAKE, mail.mailing_id) or coming(SEND, mail.id))]


def _give_up(work: UnitOfWork, company_id: str, lapsed: list[ExportMail]) -> None:
    for mail in lapsed:
        mail.state, mail.detail = "failed", mail.detail or words.NOT_MADE
    for month in sorted({mail.month for mail in lapsed}):
        count = sum(mail.month == month for mail in lapsed)
        body = words.given_up(date.fromisoformat(f"{month}-01"), count)
        messages.to_administrators(work, company_id, words.NOT_SENT, body, {"month": month}, type_="monthly_mail")
    if lapsed:
        notify_pages(work, company_id)


def purge_files(session: Session, now: datetime) -> bool:
    """Removes the files of mails that are older than 30 days; returns whether there are more."""
    old = queries.with_old_files(session, now - FILE_KEPT, PURGED_AT_ONCE)
    for mail in old:
        files.remove(session, mail.company_id, [str(mail.file_id)])
        mail.file_id = None
    return len(old) == PURGED_AT_ONCE
