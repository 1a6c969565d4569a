"""A test mail: an operator sees that the mail server takes the installation's mails, and that they arrive."""

from stempelwerk_cloud.configuration import PREFIX, Settings
from stempelwerk_cloud.domain.mail_addresses import address
from stempelwerk_cloud.kit import mail_templates
from stempelwerk_cloud.kit.clock import SystemClock, SystemIds
from stempelwerk_cloud.kit.mail import MailFailed, mailer_of

SUBJECT = "Test von Stempelwerk"


class NotSent(Exception):
    """The test mail was not sent. The message is one line for the operator."""


def send(settings: Settings, to_address: str) -> None:
    """Hands a mail to the server that the settings name. NotSent, UnusableMailServer."""
    recipient = address(to_address)
    if recipient is None:
        raise NotSent(f"{to_address!r} is no mail address.")
    mailer = mailer_of(settings, SystemClock(), SystemIds())
    if mailer is None:
        raise NotSent(f"{PREFIX}SMTP_URL is not set: there is no mail server.")
    letter = mail_templates.render("test", link=settings.public_url)
    try:
        mailer.send(recipient, SUBJECT, letter.text, letter.html)
    except MailFailed as error:
        raise NotSent(f"The mail server did not take the mail: {error}.") from error
