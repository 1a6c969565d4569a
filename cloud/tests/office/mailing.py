"""Helpers of the tests of the monthly mail: settings, passing time, and the mailbox."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from email.message import EmailMessage
from typing import Any

from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.mail import Mailer
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.monthly_mail.mails import sending

from cloud.tests.device_client import HOST
from cloud.tests.mailbox import Mailbox
from cloud.tests.people.noticing import due
from cloud.tests.settable_clock import SettableClock
from cloud.tests.waiting import until
from cloud.tests.world import Firm

OFFICE, ADVISER = "buero@holzmann.de", "lohn@steuer.example"
SENDER = "Stempelwerk <stempelwerk@example.org>"
PASSWORD = "eine-lange-Kette-9"


@contextmanager
def mail_server(platform: Platform) -> Iterator[Mailbox]:
    """Configures the installation's mail server."""
    mailbox = Mailbox()
    mailbox.start()
    platform.settings = platform.settings.model_copy(update={"smtp_url": mailbox.url, "public_url": HOST})
    platform.mailer = Mailer(mailbox.url, SENDER, platform.clock, platform.ids)
    yield mailbox
    mailbox.stop()


def path(firm: Firm, name: str) -> str:
    return f"/api/companies/{firm.id}/{name}"


def change(firm: Firm, *recipients: str, **extra: Any) -> dict[str, Any]:
    body = {"active": True, "useGmail": False, "recipients": [{"email": recipient} for recipient in recipients]} | extra
    answer = firm.boss.put(path(firm, "export-settings"), json=body)
    assert answer.status_code == 200, answer.text
    answered: dict[str, Any] = answer.json()
    return answered


def comes_round(platform: Platform, clock: SettableClock, instant: datetime) -> None:
    """Sets the clock to that instant, runs the job and performs all due tasks."""
    clock.set(instant)
    sending.come_round(platform)
    deliver(platform)


def deliver(platform: Platform) -> None:
    outbox.once(platform)
    until(lambda: not due(platform))


def list_mails(firm: Firm) -> list[dict[str, Any]]:
    """Returns the company's mails, oldest first."""
    rows: list[dict[str, Any]] = firm.world.again(firm.boss).get(path(firm, "export-mails")).json()
    return rows[::-1]


def attached(mail: EmailMessage) -> tuple[str, bytes]:
    """Returns name and content of the only file."""
    (part,) = mail.iter_attachments()
    content = part.get_content()
    assert isinstance(content, bytes)
    return str(part.get_filename()), content
