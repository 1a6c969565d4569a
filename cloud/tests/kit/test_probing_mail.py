"""`test-mail`: a mail arrives through the configured server, or one line gives the reason."""

from collections.abc import Iterator

import pytest
from stempelwerk_cloud.__main__ import main

from cloud.tests.mailbox import Mailbox, text_of

TO = "anna@holzmann.example"


@pytest.fixture
def mailbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mailbox]:
    """A mail server, set as the installation's."""
    box = Mailbox()
    box.start()
    monkeypatch.setenv("STEMPELWERK_SMTP_URL", box.url)
    yield box
    box.stop()


def test_without_a_mail_server_one_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test-mail", TO]) == 1
    assert capsys.readouterr().err == "STEMPELWERK_SMTP_URL is not set: there is no mail server.\n"


@pytest.mark.parametrize(
    "recipient", ["anna", "", "anna@", "anna@holzmann.example, ben@holzmann.example", "a\nb@c.example"]
)
def test_an_invalid_mail_address_is_refused(
    mailbox: Mailbox, capsys: pytest.CaptureFixture[str], recipient: str
) -> None:
    assert main(["test-mail", recipient]) == 1
    printed = capsys.readouterr()
    assert printed.err == f"{recipient!r} is no mail address.\n"
    assert (printed.out, mailbox.mails) == ("", [])


def test_an_address_that_is_no_utf_8_is_refused(mailbox: Mailbox, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test-mail", "a\udcfc@holzmann.example"]) == 1
    assert capsys.readouterr().err == "The address is not UTF-8.\n"


def test_a_server_that_refuses_is_said_with_its_reason_in_one_line(
    mailbox: Mailbox, capsys: pytest.CaptureFixture[str]
) -> None:
    mailbox.refusal = "554 nobody here"
    assert main(["test-mail", TO]) == 1
    printed = capsys.readouterr()
    assert printed.err == "The mail server did not take the mail: SMTPDataError 554.\n"
    assert printed.out == ""


def test_a_server_that_is_not_there_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STEMPELWERK_SMTP_URL", "smtp://anna:SECRET@127.0.0.1:1")
    assert main(["test-mail", TO]) == 1
    stderr = capsys.readouterr().err
    assert stderr == "The mail server did not take the mail: ConnectionRefusedError Connection refused.\n"


def test_a_wrong_mail_server_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STEMPELWERK_SMTP_URL", "mail.example.org")
    assert main(["test-mail", TO]) == 1
    assert capsys.readouterr().err == "STEMPELWERK_SMTP_URL must be smtp://host:port or smtps://host:port\n"


def test_a_german_mail_arrives_in_both_forms(
    mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STEMPELWERK_PUBLIC_URL", "https://zeit.example.de")
    assert main(["test-mail", TO]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (f"A mail to {TO} is with the mail server.\n", "")
    ((recipients, mail),) = mailbox.mails
    assert (recipients, mail["Subject"]) == ([TO], "Test von Stempelwerk")
    assert mail["From"] == "Stempelwerk <stempelwerk@zeit.example.de>"
    for form in ("plain", "html"):
        assert "Der Mailserver ist richtig eingestellt." in text_of(mail, form)
        assert "https://zeit.example.de" in text_of(mail, form)
