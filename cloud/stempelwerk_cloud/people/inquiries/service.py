"""Use cases of inquiries: accepted up to a limit, mailed after the commit, read and deleted by administrators.

They belong to the installation, not to a company. Their outbox tasks have the id `INSTALLATION` instead of a company's.
"""

import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import delete

from stempelwerk_cloud.domain.mail_addresses import address
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.database.scopes import NOBODY, of_company
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.mail import MailFailed
from stempelwerk_cloud.kit.outbox import RetryLater
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.inquiries import tables, words
from stempelwerk_cloud.people.inquiries.tables import Inquiry
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

DELETED = Action("inquiry.deleted")


MAIL = "inquiries.mail"
RETENTION_MONTHS = 6
DAY = timedelta(days=1)
MOST_A_DAY = 1000
"""The most inquiries of all visitors together within 24 hours: a flood fills neither the disk nor a mailbox."""
INSTALLATION = str(uuid.UUID(int=0))
"""The id that outbox tasks of the installation have instead of a company's."""


def take(platform: Platform, kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Stores an inquiry and returns it; mails it after the commit, if there is a mail server. Raises 429 at the day's
    limit.
    """
    with unit_of_work(platform, of_company(INSTALLATION)) as work:
        locks.take(work.session, Lock.INQUIRIES)
        now = work.now()
        oldest = tables.sent_after(work.session, now - DAY, MOST_A_DAY - 1)
        if oldest is not None:
            raise words.full(int((oldest + DAY - now).total_seconds()) + 1)
        fields_json = json.dumps(dict(fields), ensure_ascii=False)
        inquiry = Inquiry(id=work.new_id(), kind=kind, created_at=now, fields=fields_json)
        work.session.add(inquiry)
        work.session.flush()
        if platform.mailer is not None:
            outbox.add(work.session, platform, INSTALLATION, MAIL, {"inquiryId": inquiry.id})
        return as_row(inquiry)


def as_row(inquiry: Inquiry) -> dict[str, Any]:
    """Returns an inquiry with its fields as they were sent."""
    return {
        "id": inquiry.id,
        "kind": inquiry.kind,
        "created_at": inquiry.created_at,
        "fields": json.loads(inquiry.fields),
    }


def page(work: UnitOfWork, limit: int, before_id: str | None) -> tuple[Sequence[dict[str, Any]], str | None]:
    """Returns up to `limit` inquiries, newest first, and the id to continue before, if any. Raises NoSuchRow."""
    inquiries = tables.newest(work.session, PageRequest(limit, before_id))
    page_rows = inquiries[:limit]
    return [as_row(inquiry) for inquiry in page_rows], page_rows[-1].id if len(inquiries) > limit else None


def remove(work: UnitOfWork, inquiry_id: str) -> None:
    """Deletes an inquiry. Raises 404 if it is unknown."""
    inquiry = tables.find(work.session, inquiry_id)
    if inquiry is None:
        raise not_found()
    work.session.execute(delete(Inquiry).where(Inquiry.id == inquiry_id))
    work.audit(work.caller.company_id, DELETED, inquiry_id)


def mail(platform: Platform, _company_id: str, payload: Mapping[str, Any], id: str) -> None:  # noqa: A002
    """Mails an inquiry to the operator, unless it was deleted meanwhile or no recipient is set any more. An outbox
    task.
    """
    with platform.database.read(NOBODY) as session:
        row = tables.find(session, payload["inquiryId"])
        inquiry = None if row is None else as_row(row)
    recipient = platform.settings.inquiry_email
    if inquiry is None or recipient is None or platform.mailer is None:
        return
    kind, fields = inquiry["kind"], inquiry["fields"]
    answer_to = address(fields.get("email", ""))
    letter = words.letter(kind, fields, answer_to)
    try:
        platform.mailer.send(
            recipient, words.subject(kind, fields), letter.text, letter.html, id=id, reply_to=answer_to
        )
    except MailFailed as error:
        raise RetryLater(reason=f"mail: {error}") from error
