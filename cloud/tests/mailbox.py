"""A mail server of the test's own: what the service sends arrives here, or is refused if the test wants that."""

import email.policy
import re
import socket
import ssl
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

USER, PASSWORD = "stempel", "p@ss/w:ort"


class Mailbox:
    """`tls`: offers STARTTLS and wants USER and PASSWORD. Call `start` and `stop`."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.mails: list[tuple[list[str], EmailMessage]] = []
        self.envelopes: list[bytes] = []
        self.refusal: str | None = None
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = int(probe.getsockname()[1])
        more: dict[str, Any] = {}
        if tls is not None:
            more = {"tls_context": tls, "auth_required": True, "authenticator": self._known}
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port, **more)

    def start(self) -> None:
        self._controller.start()

    def stop(self) -> None:
        self._controller.stop()

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def empty(self) -> None:
        self.mails.clear()
        self.envelopes.clear()
        self.refusal = None

    def codes(self, to: str) -> list[str]:
        """The codes in the mails to this address, oldest first."""
        texts = [cast("str", mail.get_content()) for recipients, mail in self.mails if to in recipients]
        return [found.group() for text in texts if (found := re.search(r"\b\d{6}\b", text)) is not None]

    async def handle_DATA(self, _server: SMTP, _session: Any, envelope: Any) -> str:  # noqa: N802 -- aiosmtpd names it so
        if self.refusal is not None:
            return self.refusal
        self.envelopes.append(bytes(envelope.content))
        parsed = message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append((list(envelope.rcpt_tos), cast("EmailMessage", parsed)))
        return "250 kept"

    def _known(self, _server: SMTP, _session: Any, _envelope: Any, _mechanism: str, data: LoginPassword) -> AuthResult:
        known = data.login == USER.encode() and data.password == PASSWORD.encode()
        return AuthResult(success=known, handled=False)  # the refusal is then said by the server
