"""Mail by SMTP: one text to one address, handed to the installation's mail server or not sent at all.

TLS where the server offers it. A connection is over at a deadline (`kit/deadline.py`). A mail that is refused, or a
server that is unreachable or too slow, is a `MailFailed`. The texts of mails are in `kit/mail_templates`. Deliberately
not here: a queue and later attempts, which are the outbox's (`kit/outbox`). `send` blocks; call it from there, or in a
separate bulkhead (`kit/limits/bulkheads.py`).
"""

import contextlib
import smtplib
import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from email.errors import MessageError
from email.headerregistry import Address, BaseHeader, HeaderRegistry, UniqueUnstructuredHeader
from email.message import EmailMessage
from email.policy import SMTP, Policy
from email.utils import format_datetime, parseaddr
from typing import ClassVar, Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.domain.mail_addresses import address
from stempelwerk_cloud.kit.clock import Clock, Ids
from stempelwerk_cloud.kit.deadline import Deadline, addresses_of


class Connection(smtplib.SMTP):
    """An SMTP connection with a deadline. `tls`: uses TLS from the beginning. `timeout`: seconds for each answer,
    within the deadline. Raises OSError, SMTPException.
    """

    def __init__(
        self, host: str, port: int, name: str, *, deadline: Deadline, timeout: float, tls: ssl.SSLContext | None
    ) -> None:
        self._deadline, self._tls = deadline, tls
        super().__init__(host, port, name, timeout=timeout)

    def _get_socket(self, host: str, port: int, timeout: float) -> socket.socket:
        # where smtplib.SMTP_SSL puts its TLS, too
        line = self._deadline.connected(addresses_of(host, port), timeout)
        return line if self._tls is None else self._tls.wrap_socket(line, server_hostname=host)


@contextlib.contextmanager
def connected(
    host: str, port: int, name: str, *, seconds: float, timeout: float, tls: ssl.SSLContext | None
) -> Iterator[Connection]:
    """Yields a connection that ends after `seconds`; `name` is the client's. Raises TimeoutError then."""
    deadline = Deadline(seconds)
    try:
        connection = Connection(host, port, name, deadline=deadline, timeout=timeout, tls=tls)
        try:
            yield connection
        finally:
            with contextlib.suppress(OSError, smtplib.SMTPException, ValueError):  # what was handed over stays so
                connection.quit()
            connection.close()
    except (OSError, smtplib.SMTPException, ValueError) as error:
        if deadline.remaining_s <= 0:
            raise TimeoutError(None, f"not done within {seconds:g} s") from error
        raise
    finally:
        deadline.close()


TIMEOUT_S = 10.0
"""Seconds that the mail server may take for one answer."""
DEADLINE_S = 30.0
"""Seconds for a whole mail, from connecting on."""


class _UnfoldedHeader(UniqueUnstructuredHeader, BaseHeader):
    """A mail header that is written on one line, however long.

    The standard library encodes a long URL that it cannot fold (RFC 2047), and mail programs do not read that.
    """

    max_count: ClassVar[Literal[1]] = 1

    def fold(self, *, policy: Policy) -> str:
        return f"{self.name}: {self}{policy.linesep}"


_HEADERS = HeaderRegistry()
_HEADERS.map_to_type("list-unsubscribe", _UnfoldedHeader)
_SEVEN_BITS = SMTP.clone(cte_type="7bit", header_factory=_HEADERS)
"""The policy that mails are written by: 7-bit content, which every mail server accepts without being asked. Not every
server accepts 8 bits (RFC 6152).
"""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PORTS = {("smtps", True): 465, ("smtps", False): 465, ("smtp", True): 587, ("smtp", False): 25}


class UnusableMailServer(ValueError):
    """The setting names no mail server; the message is one line for the operator."""


class MailFailed(Exception):
    """The mail was not handed over. The message is for the log and holds no address."""


class MailPutOff(MailFailed):
    """The mail server did not accept the mail now, but may later (RFC 5321, § 4.2.1; greylisting)."""


class MailUnencrypted(MailFailed):
    """The mail had to be sent encrypted, and the server offers no TLS."""


class _NoTLS(smtplib.SMTPException):
    pass


class Attached(NamedTuple):
    """An attachment of a mail."""

    name: str
    media_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class _Server:
    host: str
    port: int
    secure: bool
    user: str | None
    password: str


def hint(of: str) -> str:
    """Returns an address that only its owner recognises: "m…@holzmann.de"."""
    mailbox, _, domain = of.rpartition("@")
    return f"{mailbox[:1]}…@{domain}"


class Mailer:
    """The mail server of the installation. Raises UnusableMailServer for settings that name no valid one."""

    def __init__(self, url: str, sender: str, clock: Clock, ids: Ids, *, tls: ssl.SSLContext | None = None) -> None:
        self._server = _parsed(url)
        self._sender = _sender(sender)
        self._clock = clock
        self._ids = ids
        self._tls = tls

    def send(
        self,
        recipient: str,
        subject: str,
        text: str,
        html: str | None = None,
        *,
        id: str | None = None,  # noqa: A002 -- as of all that has one
        reply_to: str | None = None,
        attached: Attached | None = None,
        unsubscribe_url: str | None = None,
        only_encrypted: bool = False,
    ) -> None:
        """Sends the mail to the mail server within `DEADLINE_S` seconds. Raises MailFailed.

        `html`: the same text as HTML. `id`: for a mail that may be sent again, so that a mailbox can recognise it; by
        default a new one. `reply_to`: the address for answers, if not the sender's. `unsubscribe_url`: takes the POST
        with which a mail program declines further mails (RFC 8058); `https`. `only_encrypted`: sends by TLS or not at
        all, except to a server on this machine; raises MailUnencrypted.
        """
        try:
            message = self._message(recipient, subject, text, html, id or self._ids.new(), reply_to)
            if attached is not None:
                main, _, sub = attached.media_type.partition("/")
                message.add_attachment(attached.content, main, sub, filename=attached.name, cte="base64")
            if unsubscribe_url is not None:
                message["List-Unsubscribe"] = f"<{unsubscribe_url}>"
                message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
            with self._connected(only_encrypted=only_encrypted) as connection:
                connection.send_message(message, from_addr=self._sender.addr_spec, to_addrs=[recipient])
        except _NoTLS as error:
            raise MailUnencrypted(str(error)) from error
        except (OSError, smtplib.SMTPException, MessageError, ValueError) as error:
            raise (MailPutOff if _is_put_off(error) else MailFailed)(_reason(error)) from error

    def _message(
        self, recipient: str, subject: str, text: str, html: str | None, message_id: str, reply_to: str | None
    ) -> EmailMessage:
        if address(recipient) != recipient or (reply_to is not None and address(reply_to) != reply_to):
            raise ValueError("not an address")
        message = EmailMessage(policy=_SEVEN_BITS)
        message["From"] = self._sender
        message["To"] = Address(addr_spec=recipient)
        if reply_to is not None:
            message["Reply-To"] = Address(addr_spec=reply_to)
        # The library decodes text that looks encoded, with its line breaks, which would become additional headers.
        message["Subject"] = subject.replace("=?", "= ?")
        message["Date"] = format_datetime(self._clock.now())
        message["Message-ID"] = f"<{message_id}@{self._sender.domain}>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(text)
        if html is not None:
            message.add_alternative(html, subtype="html")
        return message

    @contextlib.contextmanager
    def _connected(self, *, only_encrypted: bool) -> Iterator[smtplib.SMTP]:
        server = self._server
        tls = self._tls or (_unasked() if server.host in _LOOPBACK else ssl.create_default_context())
        secure = tls if server.secure else None
        with connected(
            server.host, server.port, self._sender.domain, seconds=DEADLINE_S, timeout=TIMEOUT_S, tls=secure
        ) as connection:
            connection.ehlo_or_helo_if_needed()
            encrypted = server.secure
            if not encrypted and connection.has_extn("starttls"):
                connection.starttls(context=tls)
                connection.ehlo()
                encrypted = True
            private = only_encrypted or server.user is not None
            if private and not encrypted and server.host not in _LOOPBACK:
                raise _NoTLS("the server offers no TLS, and what is private does not travel without")
            if server.user is not None:
                connection.login(server.user, server.password)
            yield connection


def mailer_of(settings: Settings, clock: Clock, ids: Ids) -> Mailer | None:
    """Returns the mail server that the settings name; None if it is not set."""
    if settings.smtp_url is None:
        return None
    hostname = urlsplit(settings.public_url or "").hostname or "localhost"
    return Mailer(settings.smtp_url, settings.mail_from or f"Stempelwerk <stempelwerk@{hostname}>", clock, ids)


def _parsed(url: str) -> _Server:
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError:
        scheme, host, port = "", None, None
    if scheme not in {"smtp", "smtps"} or not host:
        raise UnusableMailServer("STEMPELWERK_SMTP_URL must be smtp://host:port or smtps://host:port")
    user = None if parts.username is None else unquote(parts.username)
    return _Server(
        host=host,
        port=port or _PORTS[scheme, user is not None],
        secure=scheme == "smtps",
        user=user,
        password=unquote(parts.password or ""),
    )


def _sender(text: str) -> Address:
    name, spec = parseaddr(text)
    addr_spec = address(spec)
    if addr_spec is None or any(ord(letter) < 32 for letter in text):
        raise UnusableMailServer("STEMPELWERK_MAIL_FROM must be an address, or a name and an <address>")
    return Address(display_name=name, addr_spec=addr_spec)


def _unasked() -> ssl.SSLContext:
    """Returns a TLS context without verification, for a mail server on this machine, whose certificate is
    self-signed.
    """
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _is_put_off(error: Exception) -> bool:
    refused = list(error.recipients.values()) if isinstance(error, smtplib.SMTPRecipientsRefused) else []
    codes = [code for code, _ in refused] or [getattr(error, "smtp_code", 0)]
    return all(400 <= code < 500 for code in codes) and not isinstance(error, smtplib.SMTPConnectError)


def _reason(error: Exception) -> str:
    """Returns the reason of a failure, without the address that a server may repeat in its answer."""
    code = getattr(error, "smtp_code", None)
    detail = error.strerror if isinstance(error, OSError) and not isinstance(error, smtplib.SMTPException) else None
    return " ".join(str(part) for part in (type(error).__name__, code, detail) if part)
