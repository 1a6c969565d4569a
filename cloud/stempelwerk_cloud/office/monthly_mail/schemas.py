"""Bodies of the calls about the monthly mail."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, Strict, StringConstraints

from stempelwerk_cloud.domain.mail_addresses import ADDRESS_LIMIT, address
from stempelwerk_cloud.kit.http.problems import sentence_error
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.office.monthly_mail.tables import Delivery, State

MOST_RECIPIENTS = 20
PASSWORD_LEAST, PASSWORD_MOST = 12, 100
TOKEN_LIMIT = 1000


def _check_address(text: str) -> str:
    parsed = address(text)
    if parsed is None:
        raise sentence_error("Keine gültige E-Mail-Adresse.")
    return parsed


def _typed(password: str) -> str:
    if not (password.isascii() and password.isprintable()):
        # The encodings of other characters differ between programs.
        raise sentence_error("Nur Buchstaben ohne Umlaute, Ziffern und Zeichen der Tastatur.")
    return password


Password = Annotated[
    str, StringConstraints(min_length=PASSWORD_LEAST, max_length=PASSWORD_MOST), AfterValidator(_typed)
]


class Recipient(Wire):
    email: Annotated[str, Field(max_length=ADDRESS_LIMIT), AfterValidator(_check_address)]


def _as_object(value: Any) -> Any:
    return value if isinstance(value, Mapping | Recipient) else {"email": value}


GivenRecipient = Annotated[Recipient, BeforeValidator(_as_object)]
"""`{email}`, or only the address; answers have only the address."""


class ExportSettingsBody(Wire):
    """A company's settings. `hasZipPassword`: one is stored; it is never returned.

    `declined`: the recipients who have unsubscribed and get no mails. `mailAvailable`: the installation has a mail
    server.
    """

    active: bool
    use_gmail: bool
    recipients: list[str]
    declined: list[str]
    delivery: Delivery
    has_zip_password: bool
    mail_available: bool


class ExportSettingsChange(Wire):
    """A change. `delivery` and `zipPassword` stay if they are missing."""

    active: Annotated[bool, Strict()]
    use_gmail: Annotated[bool, Strict()] = False
    recipients: list[GivenRecipient] = Field(max_length=MOST_RECIPIENTS)
    delivery: Delivery | None = None
    zip_password: Password | None = None


class SendNow(Wire):
    month: Annotated[str, Field(examples=["2026-10"])]


Token = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_=-]+$", max_length=TOKEN_LIMIT)]


class MailLink(Wire):
    """The token of a link in a mail."""

    token: Token


class SubscriptionChoice(MailLink):
    """Whether the recipient stops further mails, or resumes them."""

    declined: Annotated[bool, Strict()]


class SubscriptionBody(Wire):
    """`recipient` is a hint (`m…@holzmann.de`)."""

    company: str
    recipient: str
    declined: bool


class OneClick(Wire):
    """The form field of RFC 8058. A program that only follows links does not send it."""

    command: Literal["One-Click"] = Field(alias="List-Unsubscribe")


class ExportMailRow(Wire):
    """A mail. `detail`: why it has not been sent (yet). `draft`: its file was made before all of the month was known.

    `hasFile`: its file is still stored.
    """

    id: str
    month: str
    at: InstantField
    recipients: list[str]
    state: State
    detail: str | None
    draft: bool
    delivery: Delivery
    has_file: bool
