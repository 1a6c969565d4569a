"""Mail: to one address and nowhere else, encrypted where the server can, failing in one way."""

import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar
from urllib.parse import quote

import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.__main__ import main
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.domain.mail_addresses import address
from stempelwerk_cloud.kit import deadline, mail
from stempelwerk_cloud.kit.clock import SystemIds
from stempelwerk_cloud.kit.mail import Mailer, MailFailed, UnusableMailServer, mailer_of

from cloud.tests import mailbox as boxes
from cloud.tests.mailbox import Mailbox, Trickle
from cloud.tests.settable_clock import SettableClock

M = TypeVar("M", Mailbox, Trickle)
PATIENCE_S = 60
SENDER = "Stempelwerk <stempelwerk@example.org>"


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture(scope="module")
def plain() -> Iterator[Mailbox]:
    with _running(Mailbox()) as mailbox:
        yield mailbox


@pytest.fixture(scope="module")
def encrypted(authority: trustme.CA) -> Iterator[Mailbox]:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    with _running(Mailbox(tls)) as mailbox:
        yield mailbox


@contextmanager
def _running(server: M) -> Iterator[M]:
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _mailer(url: str, sender: str = SENDER, tls: ssl.SSLContext | None = None) -> Mailer:
    return Mailer(url, sender, SettableClock(), SystemIds(), tls=tls)


def test_a_mail_arrives_as_it_was_written(plain: Mailbox) -> None:
    plain.empty()
    _mailer(plain.url).send("anna@holzmann.de", "Grüße – dein Code", "Straße\n\nÄÖÜ € 123456\n")
    recipients, message = plain.mails[0]
    assert recipients == ["anna@holzmann.de"]
    assert (message["From"], message["To"]) == (SENDER, "anna@holzmann.de")
    assert message["Subject"] == "Grüße – dein Code"
    assert message["Date"].datetime == SettableClock().now()
    assert message["Message-ID"].endswith("@example.org>")
    assert message.get_content().splitlines() == ["Straße", "", "ÄÖÜ € 123456"]


@pytest.mark.parametrize(
    ("recipient", "subject"),
    [
        ("anna@holzmann.de\r\nBcc: x@example.org", "Code"),
        ("anna@holzmann.de, x@example.org", "Code"),
        ("anna@holzmann.de", "Code\r\nBcc: x@example.org"),
        ("anna@holzmann.de", "Code\nBcc: x@example.org"),
        ("", "Code"),
    ],
)
def test_no_header_can_be_smuggled_in(plain: Mailbox, recipient: str, subject: str) -> None:
    plain.empty()
    with pytest.raises(MailFailed):
        _mailer(plain.url).send(recipient, subject, "Text")
    assert plain.mails == []


def test_a_subject_that_looks_encoded_is_not_decoded_into_headers(plain: Mailbox) -> None:
    """The standard library would: a user may choose a name like `=?utf-8?q?x=0ABcc:_…?=`."""
    plain.empty()
    _mailer(plain.url).send("anna@holzmann.de", "Von =?utf-8?q?Ina=0ABcc:_b@x.example?=", "Text")
    ((_, message),) = plain.mails
    assert (message["Bcc"], message["Subject"]) == (None, "Von = ?utf-8?q?Ina=0ABcc:_b@x.example?=")


def test_an_encoded_looking_text_is_no_address() -> None:
    assert address("=?utf-8?q?a=0ABcc=3Ab=40x.de?=@holzmann.de") is None
    assert address("a=b?c@holzmann.de") == "a=b?c@holzmann.de"


@pytest.mark.parametrize("reply_to", ["", "anna", "anna@straße.de", "a@b.de, c@d.de", "a@b.de\r\nBcc: x@example.org"])
def test_an_invalid_reply_address_stops_the_mail(plain: Mailbox, reply_to: str) -> None:
    plain.empty()
    with pytest.raises(MailFailed):
        _mailer(plain.url).send("anna@holzmann.de", "Code", "Text", reply_to=reply_to)
    assert plain.mails == []
    _mailer(plain.url).send("anna@holzmann.de", "Code", "Text", reply_to="ben@holzmann.de")
    ((_, message),) = plain.mails
    assert message["Reply-To"] == "ben@holzmann.de"


def test_the_url_by_which_a_mail_is_declined_stands_on_one_line_as_it_is(plain: Mailbox) -> None:
    plain.empty()
    url = f"https://zeit.example.de/api/decline?token={'gAAAAA-_' * 60}"
    _mailer(plain.url).send("anna@holzmann.de", "Grüße " * 40, "Text", unsubscribe_url=url)
    lines = plain.envelopes[0].decode().split("\r\n")
    assert f"List-Unsubscribe: <{url}>" in lines
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in lines
    assert max(len(line) for line in lines if line.startswith(("Subject", " "))) <= 78
    with pytest.raises(MailFailed):
        _mailer(plain.url).send("anna@holzmann.de", "x", "Text", unsubscribe_url="https://x.de\r\nBcc: a@b.de")
    assert len(plain.mails) == 1


@given(st.text())
def test_whatever_is_taken_for_an_address_holds_no_second_one(text: str) -> None:
    parsed = address(text)
    if parsed is not None:
        assert address(parsed) == parsed
        assert parsed.isascii()
        assert not set(parsed) & set(' ,;:<>"()[]\\\r\n\t')
        assert parsed.count("@") == 1


@given(st.from_regex(r"[a-z]{1,8}@[a-z]{1,8}\.de", fullmatch=True))
def test_a_hint_shows_no_more_than_the_first_letter(address: str) -> None:
    mailbox, _, domain = address.partition("@")
    assert mail.hint(address) == f"{mailbox[0]}…@{domain}"


def test_a_server_that_refuses_or_is_not_there_is_one_kind_of_failure(plain: Mailbox) -> None:
    plain.empty()
    plain.refusal = "550 no such user anna@holzmann.de"
    with pytest.raises(MailFailed) as refused:
        _mailer(plain.url).send("anna@holzmann.de", "Code", "Text")
    assert "anna" not in str(refused.value)
    with pytest.raises(MailFailed):
        _mailer("smtp://127.0.0.1:1").send("anna@holzmann.de", "Code", "Text")


class Stopwatch:
    """The clock of deadlines: it stops until `all_over`, when 30 s pass at once."""

    def __init__(self) -> None:
        self._now, self._lock = 0.0, threading.Lock()
        self._timers: list[tuple[float, Callable[[], object]]] = []

    def monotonic(self) -> float:
        return self._now

    def timer(self, seconds: float, action: Callable[..., object], args: Sequence[object]) -> Any:
        def start() -> None:
            with self._lock:
                self._timers.append((self._now + seconds, lambda: action(*args)))
                self._strike()

        return SimpleNamespace(start=start, cancel=lambda: None, join=lambda: None)

    def all_over(self) -> None:
        with self._lock:
            self._now = mail.DEADLINE_S
            self._strike()

    def _strike(self) -> None:
        for end, action in self._timers:
            if end <= self._now:
                action()


@pytest.fixture
def stopwatch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stopwatch]:
    """A mail must end before the test's patience, which ends before the timeout of a server's answer."""
    stopwatch = Stopwatch()
    monkeypatch.setattr(deadline, "time", stopwatch)
    monkeypatch.setattr(deadline, "threading", SimpleNamespace(Timer=stopwatch.timer))
    monkeypatch.setattr(mail, "TIMEOUT_S", 10 * PATIENCE_S)
    began = time.monotonic()
    yield stopwatch
    assert time.monotonic() - began < PATIENCE_S


@pytest.fixture
def trickle(stopwatch: Stopwatch) -> Iterator[Callable[[str], Trickle]]:
    with ExitStack() as stack:
        yield lambda phase: stack.enter_context(_running(Trickle(phase, stopwatch.all_over)))


@pytest.mark.parametrize("phase", ["", "TLS", "EHLO", "MAIL", "."])
def test_a_server_that_says_byte_after_byte_holds_a_mail_no_longer_than_the_deadline(
    trickle: Callable[[str], Trickle], phase: str
) -> None:
    scheme = "smtps" if phase == "TLS" else "smtp"
    with pytest.raises(MailFailed, match="not done within 30 s"):
        _mailer(f"{scheme}://127.0.0.1:{trickle(phase).port}").send("anna@holzmann.de", "Code", "Text")


def test_a_mail_that_was_taken_is_sent_however_slow_the_goodbye(trickle: Callable[[str], Trickle]) -> None:
    _mailer(f"smtp://127.0.0.1:{trickle('QUIT').port}").send("anna@holzmann.de", "Code", "Text")


def test_the_deadline_is_one_of_real_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "DEADLINE_S", 0.5)
    began = time.monotonic()
    with (
        _running(Trickle("", lambda: None)) as server,
        pytest.raises(MailFailed, match=r"not done within 0\.5 s"),
    ):
        _mailer(f"smtp://127.0.0.1:{server.port}").send("anna@holzmann.de", "Code", "Text")
    assert 0.5 <= time.monotonic() - began < PATIENCE_S


def test_the_deadline_holds_behind_tls_too(encrypted: Mailbox, authority: trustme.CA, stopwatch: Stopwatch) -> None:
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    server_url = f"smtp://{quote(boxes.USER)}:{quote(boxes.PASSWORD, safe='')}@127.0.0.1:{encrypted.port}"
    encrypted.empty()
    encrypted.meanwhile = stopwatch.all_over
    with pytest.raises(MailFailed, match="not done within 30 s"):
        _mailer(server_url, tls=trusting).send("anna@holzmann.de", "Code", "Text")


def test_tls_is_used_where_it_is_offered_and_the_password_is_given(encrypted: Mailbox, authority: trustme.CA) -> None:
    encrypted.empty()
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    server_url = f"smtp://{quote(boxes.USER)}:{quote(boxes.PASSWORD, safe='')}@127.0.0.1:{encrypted.port}"
    _mailer(server_url, tls=trusting).send("anna@holzmann.de", "Code", "Text")
    assert len(encrypted.mails) == 1
    with pytest.raises(MailFailed):
        _mailer(server_url.replace(boxes.USER, "nobody"), tls=trusting).send("anna@holzmann.de", "Code", "Text")


def test_private_mails_go_by_tls_or_not_at_all_except_to_this_machine(
    plain: Mailbox, encrypted: Mailbox, authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain.empty()
    file = mail.Attached("times.zip", "application/zip", b"PK\r\n\xff")
    _mailer(plain.url).send("anna@holzmann.de", "Zeiten", "Text", "<p>Text</p>", attached=file, only_encrypted=True)
    ((_, message),) = plain.mails
    (part,) = message.iter_attachments()
    assert (part.get_filename(), part.get_content_type(), part.get_content()) == (
        "times.zip",
        "application/zip",
        b"PK\r\n\xff",
    )
    monkeypatch.setattr(mail, "_LOOPBACK", frozenset())
    with pytest.raises(mail.MailUnencrypted):
        _mailer(plain.url).send("anna@holzmann.de", "Zeiten", "Text", attached=file, only_encrypted=True)
    assert len(plain.mails) == 1
    encrypted.empty()
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    server_url = f"smtp://{quote(boxes.USER)}:{quote(boxes.PASSWORD, safe='')}@127.0.0.1:{encrypted.port}"
    _mailer(server_url, tls=trusting).send("anna@holzmann.de", "Zeiten", "Text", only_encrypted=True)
    assert len(encrypted.mails) == 1


def test_tls_is_spoken_from_the_beginning_where_the_address_says_so(
    authority: trustme.CA, monkeypatch: pytest.MonkeyPatch
) -> None:
    tls, trusting = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH), ssl.create_default_context()
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    authority.configure_trust(trusting)
    with _running(Mailbox(tls, at_once=True)) as mailbox:
        url = f"smtps://127.0.0.1:{mailbox.port}"
        _mailer(url, tls=trusting).send("anna@holzmann.de", "Code", "Text")
        _mailer(url).send("anna@holzmann.de", "Code", "Text")  # the certificate of one's own machine is not verified
        monkeypatch.setattr(mail, "_LOOPBACK", frozenset())
        with pytest.raises(MailFailed, match="SSLCertVerificationError"):
            _mailer(url).send("anna@holzmann.de", "Code", "Text")
        assert len(mailbox.mails) == 2


def test_a_mail_needs_no_server_that_takes_eight_bits() -> None:
    text = "Grüße aus Łódź: ☕"
    with _running(Mailbox()) as mailbox:
        _mailer(mailbox.url).send("anna@holzmann.de", "Müller", text, f"<p>{text}</p>")
        assert mailbox.envelopes[0].isascii()
        assert boxes.text_of(mailbox.mails[0][1]).strip() == text


def test_a_server_that_cannot_prove_who_it_is_gets_nothing(encrypted: Mailbox) -> None:
    encrypted.empty()
    with pytest.raises(MailFailed):
        _mailer(f"smtp://u:p@127.0.0.1:{encrypted.port}").send("anna@holzmann.de", "Code", "Text")
    assert encrypted.mails == []


@pytest.mark.parametrize("url", ["", "mail.example.org", "http://mail.example.org", "smtp://", "smtp://host:port"])
def test_an_address_that_names_no_server_is_refused(url: str) -> None:
    with pytest.raises(UnusableMailServer, match="STEMPELWERK_SMTP_URL"):
        _mailer(url)


@pytest.mark.parametrize("sender", ["", "Stempelwerk", "a@b.de\nBcc: c@d.de", "Stempelwerk <a b@c.de>"])
def test_a_sender_that_is_no_address_is_refused(sender: str) -> None:
    with pytest.raises(UnusableMailServer, match="STEMPELWERK_MAIL_FROM"):
        _mailer("smtp://mail.example.org", sender)


def test_the_sender_comes_from_the_public_address(plain: Mailbox) -> None:
    plain.empty()
    settings = Settings(smtp_url=plain.url, public_url="https://zeit.example.de/")
    mailer = mailer_of(settings, SettableClock(), SystemIds())
    assert mailer is not None
    mailer.send("anna@holzmann.de", "Code", "Text")
    assert plain.mails[0][1]["From"] == "Stempelwerk <stempelwerk@zeit.example.de>"
    assert mailer_of(Settings(smtp_url=None), SettableClock(), SystemIds()) is None


def test_serve_refuses_an_address_without_a_server_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STEMPELWERK_DATABASE_URL", f"sqlite:///{tmp_path / 'x.db'}")
    monkeypatch.setenv("STEMPELWERK_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("STEMPELWERK_SMTP_URL", "mail.example.org")
    assert main(["serve"]) == 1
    assert capsys.readouterr().err == "STEMPELWERK_SMTP_URL must be smtp://host:port or smtps://host:port\n"
