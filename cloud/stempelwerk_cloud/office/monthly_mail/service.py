"""Use cases of the monthly mail: what a company sets, what it sends at once, and what became of it."""

import json
from collections.abc import Sequence

from stempelwerk_cloud.domain.calendar import month_bounds
from stempelwerk_cloud.domain.instants import DAY, day_end, local_day
from stempelwerk_cloud.domain.mail_addresses import mailbox_key
from stempelwerk_cloud.domain.monthly_mail import last_due
from stempelwerk_cloud.kit.database.pages import Wanted
from stempelwerk_cloud.kit.files import store as files
from stempelwerk_cloud.kit.http.problems import invalid, not_found
from stempelwerk_cloud.kit.mail import hint
from stempelwerk_cloud.office.monthly_mail import actions, limits, problems, repository, sending
from stempelwerk_cloud.office.monthly_mail.schemas import ExportSettingsBody, ExportSettingsChange
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail, ExportSettings
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import Work


def settings_of(work: Work, company_id: str) -> ExportSettingsBody:
    """What the company has set; sends nothing by itself until it has."""
    return _told(work, repository.settings(work.session, company_id) or _unset(work, company_id))


def change(work: Work, company_id: str, wanted: ExportSettingsChange) -> ExportSettingsBody:
    """422 for a ZIP file without a password. The month that is over already is not sent for being switched on."""
    work.company(company_id)
    repository.add_settings(work.session, _unset(work, company_id))
    row = repository.settings_alone(work.session, company_id)
    assert row is not None
    before = _logged(row)
    row.active, row.use_gmail = wanted.active, wanted.use_gmail
    row.delivery = wanted.delivery or row.delivery
    row.recipients = json.dumps(_once([recipient.email for recipient in wanted.recipients]))
    if wanted.zip_password is not None:
        row.zip_password = work.platform.vault.encrypt(wanted.zip_password)
    if row.delivery == "zip" and row.zip_password is None:
        raise problems.no_password()
    after = _logged(row) | ({"newZipPassword": True} if wanted.zip_password is not None else {})
    if after != before:
        work.audit(company_id, actions.CHANGED, None, before, after)
    return _told(work, row)


def send_now(work: Work, company_id: str, asked: str, origin: str | None) -> list[ExportMail]:
    """Has the month (`YYYY-MM`) sent to all recipients that have not declined, once this is committed.

    `origin`: the address that the mails' links begin with. 409 without a mail server, without recipients that accept
    it, or while the mail is not active; 422 for no month, or one to come; 429 for more mails than the day has left:
    then none is sent.
    """
    work.company(company_id)
    month = _month(work, company_id, asked)
    row = repository.settings_alone(work.session, company_id)
    if row is None or not row.active:
        raise problems.not_active()
    if not repository.recipients(row):
        raise problems.no_recipients()
    if work.platform.settings.smtp_url is None:
        raise problems.no_mail_server()
    to = sending.accepting(work.session, row)
    if not to:
        raise problems.all_declined()
    _ensure_room(work, company_id, len(to))
    mails = sending.plan(work, row, month, origin)
    work.audit(company_id, actions.SENT, None, None, {"month": month, "recipients": _hints(to)})
    return mails


def _ensure_room(work: Work, company_id: str, count: int) -> None:
    now = work.now()
    today = local_day(now, limits.ZONE)
    left = limits.left_on(work.session, company_id, today)
    if count > left:
        wait = day_end(today, limits.ZONE) - now
        raise problems.day_is_full(count, left, today + DAY, int(wait.total_seconds()) + 1)


def page(work: Work, company_id: str, wanted: Wanted) -> Sequence[ExportMail]:
    """The company's mails, newest first, and one more where there are more."""
    return repository.mails(work.session, company_id, wanted)


def file_of(work: Work, company_id: str, mail_id: str) -> tuple[bytes, str, str]:
    """What a mail brings: content, name, media type. 404 once it is over."""
    found = repository.mail(work.session, company_id, mail_id)
    if found is None:
        raise not_found()
    if found.file_id is None or found.file_name is None:
        raise problems.file_gone()
    try:
        content, media_type = files.read(work.session, work.platform, company_id, found.file_id)
    except (files.NoSuchFile, files.Unreadable):
        raise problems.file_gone() from None
    return content, found.file_name, media_type


def _month(work: Work, company_id: str, asked: str) -> str:
    try:
        first, _ = month_bounds(asked)
    except ValueError:
        raise invalid("month", "Kein Monat (JJJJ-MM).") from None
    if first > directory.today_of(work.session, company_id, work.now()):
        raise problems.not_begun()
    return asked


def _unset(work: Work, company_id: str) -> ExportSettings:
    now = work.now()
    return repository.unset(company_id, last_due(now, directory.zone_of(work.session, company_id, now)))


def _told(work: Work, row: ExportSettings) -> ExportSettingsBody:
    return ExportSettingsBody(
        active=row.active,
        use_gmail=row.use_gmail,
        recipients=repository.recipients(row),
        declined=sending.declined(work.session, row),
        delivery=row.delivery,
        has_zip_password=row.zip_password is not None,
        mail_available=work.platform.settings.smtp_url is not None,
    )


def _logged(row: ExportSettings) -> dict[str, object]:
    return {"active": row.active, "delivery": row.delivery, "recipients": _hints(repository.recipients(row))}


def _hints(recipients: Sequence[str]) -> list[str]:
    return [hint(recipient) for recipient in recipients]


def _once(recipients: Sequence[str]) -> list[str]:
    """Each mailbox once, as it was spelled first."""
    spellings: dict[str, str] = {}
    for recipient in recipients:
        spellings.setdefault(mailbox_key(recipient), recipient)
    return list(spellings.values())
