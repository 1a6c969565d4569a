"""Declining the monthly mail of a company by the link in each mail, and resuming it with the same link.

- The link's token contains company and address and is encrypted (`Vault`). It gives no other access, never expires and
  is not stored. The company cannot undo a decline.
- The page's link has the token after `#`, where no server and no proxy sees it. The address for the automatic call of
  mail programs (RFC 8058) has it in the query, which the service does not log.
"""

import hashlib
from typing import NamedTuple
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.mail_addresses import mailbox_key
from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.mail import hint
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.vault import Sealed
from stempelwerk_cloud.office.monthly_mail import queries, words
from stempelwerk_cloud.office.monthly_mail.mails import live
from stempelwerk_cloud.office.monthly_mail.tables import ExportSettings, MailDecline
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.companies import find_company, lock_company
from stempelwerk_cloud.people.directory.tables import Company
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

CHANGED = Action("monthly_mail.changed")
SENT = Action("monthly_mail.sent")
DECLINED = Action("monthly_mail.declined")
RESUMED = Action("monthly_mail.resumed")


PAGE = "/abmelden"
ONE_CLICK = "/api/export-mails/decline"
_PURPOSE = "monthly_mail decline"


class Subscription(NamedTuple):
    """The company and recipient of a link. `recipient` is only a hint of the address, because people forward mails with
    their links.
    """

    company: str
    recipient: str
    declined: bool


class Links(NamedTuple):
    """The links in a mail. `one_click` is for mail programs, and needs TLS (RFC 8058). None if the service has no
    address.
    """

    page: str | None
    one_click: str | None


def links_of(platform: Platform, origin: str | None, company_id: str, recipient: str) -> Links:
    """Returns the links for declining, which begin with `origin`; both are None without an origin."""
    if origin is None:
        return Links(None, None)
    token = token_of(platform, company_id, recipient)
    one_click = f"{origin}{ONE_CLICK}?{urlencode({'token': token})}"
    return Links(f"{origin}{PAGE}#{token}", one_click if origin.startswith("https:") else None)


def token_of(platform: Platform, company_id: str, recipient: str) -> str:
    """Returns the token of a recipient, without padding: programs that detect links in a text may cut that off."""
    return platform.vault.encrypt(f"{_PURPOSE}\n{company_id}\n{recipient}").decode().rstrip("=")


def subscription(platform: Platform, token: str) -> Subscription:
    """Returns the company and the recipient of a declining link, and whether the recipient has declined its mails.

    404 for a forged token and for a closed company, with the same sentence.
    """
    company_id, recipient = _opened(platform, token)
    with platform.database.read(of_company(company_id)) as session:
        company = _open_company(session, company_id)
        declined = bool(queries.declined(session, company_id, [mailbox_key(recipient)]))
        return Subscription(company.name, hint(recipient), declined)


def decline(platform: Platform, token: str) -> Subscription:
    """Stops all mails to the address, including waiting ones; notifies the company's administrators if their settings
    list it.

    A repetition changes nothing. 404 as in `subscription`.
    """
    company_id, recipient = _opened(platform, token)
    with unit_of_work(platform, of_company(company_id)) as work:
        company, settings = _lock_company_and_settings(work, company_id)
        row = MailDecline(company_id=company_id, mailbox=mailbox_key(recipient), declined_at=work.now())
        if queries.add_decline(work.session, row):
            for mail in queries.waiting(work.session, company_id):
                if mailbox_key(mail.recipient) == row.mailbox:
                    mail.state, mail.detail = "failed", words.DECLINED
            work.audit(company_id, DECLINED, None, None, {"recipient": hint(recipient)})
            if settings is not None and row.mailbox in map(mailbox_key, queries.recipients(settings)):
                _notify_administrators(work, company_id, row.mailbox)
            live.notify_pages(work, company_id)
        return Subscription(company.name, hint(recipient), declined=True)


def resume(platform: Platform, token: str) -> Subscription:
    """Takes a decline back: the next mails go to the address again, if the company lists it. 404 as in
    `subscription`.
    """
    company_id, recipient = _opened(platform, token)
    with unit_of_work(platform, of_company(company_id)) as work:
        company, _ = _lock_company_and_settings(work, company_id)
        if queries.remove_decline(work.session, company_id, mailbox_key(recipient)):
            work.audit(company_id, RESUMED, None, None, {"recipient": hint(recipient)})
            live.notify_pages(work, company_id)
        return Subscription(company.name, hint(recipient), declined=False)


def _opened(platform: Platform, token: str) -> tuple[str, str]:
    padded = token + "=" * (-len(token) % 4)
    try:
        purpose, company_id, recipient = platform.vault.decrypt(padded.encode()).split("\n")
    except (Sealed, ValueError):
        raise words.unknown_link() from None
    if purpose != _PURPOSE:
        raise words.unknown_link()
    return company_id, recipient


def _notify_administrators(work: UnitOfWork, company_id: str, mailbox: str) -> None:
    """Notifies the administrators, with one message for each mailbox. A repetition is merged with an unread message."""
    payload = {"recipient": hint(mailbox), "mailboxDigest": hashlib.sha256(mailbox.encode()).hexdigest()[:16]}
    body = words.has_declined(hint(mailbox))
    messages.to_administrators(
        work, company_id, words.SOMEBODY_DECLINED, body, payload, type_=live.MODULE, key_member="mailboxDigest"
    )


def _lock_company_and_settings(work: UnitOfWork, company_id: str) -> tuple[Company, ExportSettings | None]:
    """Locks and returns the company and its settings, so that no other transaction plans or claims mails meanwhile."""
    lock_company(work.session, company_id, shared=True)
    company = _open_company(work.session, company_id)
    return company, queries.lock_settings(work.session, company_id)


def _open_company(session: Session, company_id: str) -> Company:
    company = find_company(session, company_id)
    if company is None or company.closed_at is not None:
        raise words.unknown_link()
    return company
