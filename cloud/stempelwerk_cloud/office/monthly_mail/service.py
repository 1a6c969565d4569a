"""Use cases of the monthly mail: its settings, sending at once, and the list of mails."""

import json
from collections.abc import Sequence

from stempelwerk_cloud.domain.calendar import month_bounds
from stempelwerk_cloud.domain.instants import DAY, day_end, local_day
from stempelwerk_cloud.domain.mail_addresses import mailbox_key
from stempelwerk_cloud.domain.monthly_mail import last_due
from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.files import store as files
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.mail import hint
from stempelwerk_cloud.office.monthly_mail import queries, words
from stempelwerk_cloud.office.monthly_mail.mails import declining, sending
from stempelwerk_cloud.office.monthly_mail.schemas import ExportSettingsBody, ExportSettingsChange
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail, ExportSettings
from stempelwerk_cloud.people.directory.companies import today_of, zone_of
from stempelwerk_cloud.people.work import UnitOfWork


def settings_of(work: UnitOfWork, company_id: str) -> ExportSettingsBody:
    """Returns the company's settings, or the defaults: then nothing is sent automatically."""
    return _settings_body(work, queries.settings(work.session, company_id) or _unset(work, company_id))


def change(work: UnitOfWork, company_id: str, requested: ExportSettingsChange) -> ExportSettingsBody:
    """Changes the settings. 422 for delivery as ZIP without a password. An activation does not send the past month."""
    work.company(company_id)
    queries.add_settings(work.session, _unset(work, company_id))
    row = queries.lock_settings(work.session, company_id)
    assert row is not None
    old_values = _logged(row)
    row.active, row.use_gmail = requested.active, requested.use_gmail
    row.delivery = requested.delivery or row.delivery
    row.recipients = json.dumps(_once([recipient.email for recipient in requested.recipients]))
    if requested.zip_password is not None:
        row.zip_password = work.platform.vault.encrypt(requested.zip_password)
    if row.delivery == "zip" and row.zip_password is None:
        raise words.no_password()
    new_values = _logged(row) | ({"newZipPassword": True} if requested.zip_password is not None else {})
    if new_values != old_values:
        work.audit(company_id, declining.CHANGED, None, old_values, new_values)
    return _settings_body(work, row)


def send_now(work: UnitOfWork, company_id: str, month_text: str, origin: str | None) -> list[ExportMail]:
    """Sends the month (`YYYY-MM`) to all recipients that have not declined, after the commit.

    `origin`: the address at the beginning of the links in the mails. 409 without a mail server, without recipients that
    accept it, or while the mail is not active. 422 for an invalid or future month. 429 for more mails than the daily
    limit permits; then no mail is sent.
    """
    work.company(company_id)
    month = _month(work, company_id, month_text)
    row = queries.lock_settings(work.session, company_id)
    if row is None or not row.active:
        raise words.not_active()
    if not queries.recipients(row):
        raise words.no_recipients()
    if work.platform.settings.smtp_url is None:
        raise words.no_mail_server()
    recipients = sending.accepting(work.session, row)
    if not recipients:
        raise words.all_declined()
    _ensure_room(work, company_id, len(recipients))
    mails = sending.plan(work, row, month, origin)
    work.audit(company_id, declining.SENT, None, None, {"month": month, "recipients": _hints(recipients)})
    return mails


def _ensure_room(work: UnitOfWork, company_id: str, count: int) -> None:
    now = work.now()
    today = local_day(now, queries.ZONE)
    remaining = queries.left_on(work.session, company_id, today)
    if count > remaining:
        wait = day_end(today, queries.ZONE) - now
        raise words.day_is_full(count, remaining, today + DAY, int(wait.total_seconds()) + 1)


def page(work: UnitOfWork, company_id: str, page_request: PageRequest) -> Sequence[ExportMail]:
    """Returns a page of the company's mails, newest first, and one more if more follow."""
    return queries.mails(work.session, company_id, page_request)


def file_of(work: UnitOfWork, company_id: str, mail_id: str) -> tuple[bytes, str, str]:
    """Returns content, name and media type of a mail's file. 404 for an unknown mail, or after the file was removed."""
    mail = queries.mail(work.session, company_id, mail_id)
    if mail is None:
        raise not_found()
    if mail.file_id is None or mail.file_name is None:
        raise words.file_gone()
    try:
        content, media_type = files.read(work.session, work.platform, company_id, mail.file_id)
    except (files.NoSuchFile, files.Unreadable):
        raise words.file_gone() from None
    return content, mail.file_name, media_type


def _month(work: UnitOfWork, company_id: str, month_text: str) -> str:
    try:
        first, _ = month_bounds(month_text)
    except ValueError:
        raise words.not_a_month() from None
    if first > today_of(work.session, company_id, work.now()):
        raise words.not_begun()
    return month_text


def _unset(work: UnitOfWork, company_id: str) -> ExportSettings:
    now = work.now()
    return queries.unset(company_id, last_due(now, zone_of(work.session, company_id, now)))


def _settings_body(work: UnitOfWork, row: ExportSettings) -> ExportSettingsBody:
    return ExportSettingsBody(
        active=row.active,
        use_gmail=row.use_gmail,
        recipients=queries.recipients(row),
        declined=sending.declined(work.session, row),
        delivery=row.delivery,
        has_zip_password=row.zip_password is not None,
        mail_available=work.platform.settings.smtp_url is not None,
    )


def _logged(row: ExportSettings) -> dict[str, object]:
    return {"active": row.active, "delivery": row.delivery, "recipients": _hints(queries.recipients(row))}


def _hints(recipients: Sequence[str]) -> list[str]:
    return [hint(recipient) for recipient in recipients]


def _once(recipients: Sequence[str]) -> list[str]:
    """Returns the recipients without repeated mailboxes, in their first spelling."""
    spellings: dict[str, str] = {}
    for recipient in recipients:
        spellings.setdefault(mailbox_key(recipient), recipient)
    return list(spellings.values())
