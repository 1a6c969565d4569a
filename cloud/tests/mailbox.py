"""A mail server of the test's own: what the service sends arrives here, or is refused if the test wants that."""

import asyncio
import contextlib
import email.policy
import itertools
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from email import message_from_bytes
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword
from stempelwerk_tools.ports import reserved_port

USER, PASSWORD = "stempel", "p@ss/w:ort"


def text_of(mail: EmailMessage, form: str = "plain") -> str:
    """Returns a mail's text in one of its forms."""
    part = mail.get_body((form,))
    assert part is not None, form
    return cast("str", part.get_content())


class Mailbox:
    """`tls`: offers STARTTLS and wants USER and PASSWORD, or speaks TLS `at_once`. Call `start` and `stop`.

    `meanwhile`: runs after a mail was received; then the server never answers.
    """

    def __init__(self, tls: ssl.SSLContext | None = None, *, at_once: bool = False) -> None:
        self.mails: list[tuple[list[str], EmailMessage]] = []
        self.envelopes: list[bytes] = []
        self.refusal: str | None = None
        self.meanwhile: Callable[[], object] | None = None
        self.port = reserved_port()
        more: dict[str, Any] = {}
        if at_once:
            more = {"ssl_context": tls}
        elif tls is not None:
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
        self.meanwhile = None

    def codes(self, to: str) -> list[str]:
        """The codes in the mails to this address, oldest first."""
        texts = [text_of(mail) for recipients, mail in self.mails if to in recipients]
        return [found.group() for text in texts if (found := re.search(r"\b\d{6}\b", text)) is not None]

    async def handle_DATA(self, _server: SMTP, _session: Any, envelope: Any) -> str:  # noqa: N802 -- aiosmtpd names it so
        if self.meanwhile is not None:
            self.meanwhile()
            await asyncio.Event().wait()  # until who sent it hangs up
        if self.refusal is not None:
            return self.refusal
        self.envelopes.append(bytes(envelope.content))
        parsed = message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append((list(envelope.rcpt_tos), cast("EmailMessage", parsed)))
        return "250 kept"

    def _known(self, _server: SMTP, _session: Any, _envelope: Any, _mechanism: str, data: LoginPassword) -> AuthResult:
        known = data.login == USER.encode() and data.password == PASSWORD.encode()
        return AuthResult(success=known, handled=False)  # the server refuses


class Trickle:
    """A mail server that answers correctly up to the word `at`, and then sends byte after byte without an end.

    `at`: "" the greeting, "TLS" the preceding handshake, else a command such as "MAIL", or "." for the mail itself.
    `meanwhile`: runs after the third byte. Call `start` and `stop`.
    """

    def __init__(self, at: str, meanwhile: Callable[[], object], *, every_s: float = 0.02) -> None:
        self._at, self._meanwhile, self._every_s = at, meanwhile, every_s
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self.port = int(self._listener.getsockname()[1])

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        connection, _ = self._listener.accept()
        with connection, contextlib.suppress(OSError), connection.makefile("rb") as heard:
            if self._at == "TLS":
                connection.sendall(b"\x16\x03\x03\x40\x00")  # a record of 16 kB
            else:
                self._answer(connection, heard)
            for said in itertools.count(1):
                connection.sendall(b"2")
                if said == 3:
                    self._meanwhile()
                if self._stopped.wait(self._every_s):
                    return

    def _answer(self, connection: socket.socket, heard: Iterable[bytes]) -> None:
        if not self._at:
            return
        connection.sendall(b"220 here\r\n")
        in_mail = False
        for line in heard:
            word = line.decode().strip().upper()
            if word.startswith(self._at) and in_mail == (self._at == "."):
                return
            if word == "." or not in_mail:
                in_mail = word == "DATA"
                connection.sendall(b"354 go on\r\n" if in_mail else b"250 good\r\n")
