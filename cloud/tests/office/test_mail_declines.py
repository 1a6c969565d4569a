"""An address declines the monthly mail of a company by the link in it, and only its owner can undo that."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import text
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.mail import Mailer, MailFailed
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.monthly_mail.mails import declining
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.meeting import all_at_once
from cloud.tests.office.mailing import ADVISER, OFFICE, change, comes_round, deliver, list_mails, mail_server, path
from cloud.tests.room import logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm

FIRST = datetime(2026, 12, 1, 2, tzinfo=UTC)
"""03:00 in Berlin, when November is due."""
SUBSCRIPTION = "/api/export-mails/subscription"
ONE_CLICK = {"List-Unsubscribe": "One-Click"}
UNKNOWN = (
    404,
    "Dieser Link ist unvollständig, oder die Firma gibt es hier nicht mehr."
    " Öffne den Link aus der neuesten E-Mail noch einmal; geändert wurde nichts.",
)


@pytest.fixture
def mailbox(platform: Platform) -> Iterator[Mailbox]:
    with mail_server(platform) as mailbox:
        platform.settings = platform.settings.model_copy(update={"public_url": "https://zeit.example.de"})
        yield mailbox


def send(firm: Firm) -> Response:
    answer = firm.boss.post(path(firm, "export-send-now"), json={"month": "2026-10"})
    deliver(firm.world.platform)
    return answer


def tokens(mailbox: Mailbox) -> dict[str, str]:
    """Maps each address to the token in its newest mail."""
    found_tokens = {}
    for (recipient,), mail in mailbox.mails:
        link = re.search(r"https://zeit\.example\.de/abmelden#([\w-]+)", text_of(mail))
        assert link is not None
        found_tokens[recipient] = link[1]
    return found_tokens


def mailed(firm: Firm, mailbox: Mailbox, *recipients: str) -> dict[str, str]:
    """Sends a mail to each recipient; returns their tokens."""
    change(firm, *recipients)
    assert send(firm).status_code == 202
    tokens_by_address = tokens(mailbox)
    mailbox.empty()
    return tokens_by_address


def choose(firm: Firm, token: str, *, declined: bool) -> Response:
    return firm.world.client.put(SUBSCRIPTION, json={"token": token, "declined": declined})


def click(firm: Firm, token: str, **form: Any) -> Response:
    return firm.world.client.post("/api/export-mails/decline", params={"token": token}, **(form or {"data": ONE_CLICK}))


def declined(firm: Firm) -> list[str]:
    body: list[str] = firm.world.again(firm.boss).get(path(firm, "export-settings")).json()["declined"]
    return body


def rows(firm: Firm) -> int:
    with firm.world.platform.database.read(SYSTEM) as session:
        return int(session.execute(text("SELECT count(*) FROM mail_declines")).scalar_one())


@ON_BOTH
def test_a_link_that_is_forged_cut_off_or_about_something_else_says_one_sentence_and_changes_nothing(
    firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    token = mailed(firm, mailbox, OFFICE)[OFFICE]
    nobodys = declining.token_of(platform, platform.ids.new(), OFFICE)
    sealed = platform.vault.encrypt(f"{firm.id}\n{OFFICE}").decode()
    other_purpose = platform.vault.encrypt(f"zip\n{firm.id}\n{OFFICE}").decode()
    altered = token[:40] + ("A" if token[40] != "A" else "B") + token[41:]
    for wrong in ("x", "nonsense", token[:-5], altered, nobodys, sealed, other_purpose):
        answers = [
            firm.world.client.post(SUBSCRIPTION, json={"token": wrong}),
            choose(firm, wrong, declined=True),
            choose(firm, wrong, declined=False),
            click(firm, wrong),
        ]
        assert [(answer.status_code, answer.json()["message"]) for answer in answers] == [UNKNOWN] * 4, wrong
    for malformed in ("", "a b", "x" * 1001, "a\nb"):
        assert choose(firm, malformed, declined=True).status_code == 422
    assert (rows(firm), declined(firm)) == (0, [])


@ON_SQLITE
def test_the_link_of_a_closed_company_says_the_same_and_changes_nothing(
    firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    token = mailed(firm, mailbox, OFFICE)[OFFICE]
    with platform.database.write(SYSTEM) as session:
        companies.close(UnitOfWork(session, platform), firm.id)
    for answer in (choose(firm, token, declined=True), click(firm, token)):
        assert (answer.status_code, answer.json()["message"]) == UNKNOWN
    assert rows(firm) == 0


@ON_BOTH
def test_an_address_declines_one_company_and_no_other_address_does(
    firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    other_firm = firm.world.firm("Nebenan")
    change(other_firm, OFFICE)
    token = mailed(firm, mailbox, OFFICE, ADVISER)[OFFICE]
    assert firm.world.client.post(SUBSCRIPTION, json={"token": token}).json() == {
        "company": "Tischlerei Holzmann",
        "recipient": "b…@holzmann.de",
        "declined": False,
    }
    for _ in range(2):  # the answer was lost, and the button is pressed again
        assert choose(firm, token, declined=True).json()["declined"] is True
    assert firm.world.client.post(SUBSCRIPTION, json={"token": token}).json()["declined"] is True
    settings = firm.boss.get(path(firm, "export-settings")).json()
    assert (settings["recipients"], settings["declined"]) == ([OFFICE, ADVISER], [OFFICE])
    assert declined(other_firm) == []
    for each in (firm, other_firm):
        assert send(each).status_code == 202
    assert sorted((recipient, mail["Subject"].rpartition(", ")[2]) for (recipient,), mail in mailbox.mails) == [
        (OFFICE, "Nebenan"),
        (ADVISER, "Tischlerei Holzmann"),
    ]
    assert logged(firm.world, firm.id, "monthly_mail.declined") == ["monthly_mail.declined"]
    assert logged(firm.world, other_firm.id, "monthly_mail.declined") == []
    with platform.database.read(SYSTEM) as session:
        assert OFFICE not in str(session.execute(text("SELECT * FROM audit_entries")).all())


@ON_SQLITE
def test_the_administrators_are_told_once_of_a_recipient_that_they_list(firm: Firm, mailbox: Mailbox) -> None:
    tokens = mailed(firm, mailbox, OFFICE, ADVISER)
    change(firm, OFFICE)
    for _ in range(3):
        choose(firm, tokens[OFFICE], declined=True)
        choose(firm, tokens[OFFICE], declined=False)
    choose(firm, tokens[ADVISER], declined=True)
    (message,) = firm.boss.get("/api/messages").json()
    assert message["title"] == "Ein Empfänger hat die E-Mails mit dem Export abbestellt"
    assert message["body"].startswith("b…@holzmann.de hat die E-Mails mit dem Export abbestellt.")
    assert message["body"].count("abbestellt") == 1
    alike = "b2@holzmann.de"
    token = mailed(firm, mailbox, alike)[alike]
    choose(firm, token, declined=True)
    assert len(firm.boss.get("/api/messages").json()) == 2


@ON_SQLITE
def test_a_mailing_to_addresses_that_have_all_declined_says_so(firm: Firm, mailbox: Mailbox) -> None:
    for token in mailed(firm, mailbox, OFFICE, ADVISER).values():
        choose(firm, token, declined=True)
    answer = send(firm)
    assert (answer.status_code, answer.json()["code"]) == (409, "all_declined")
    assert answer.json()["message"].startswith("Alle Empfänger haben diese E-Mails abbestellt")
    assert mailbox.mails == []


@ON_SQLITE
def test_the_first_of_the_month_passes_over_who_has_declined(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    choose(firm, mailed(firm, mailbox, OFFICE, ADVISER)[OFFICE], declined=True)
    comes_round(platform, clock, FIRST)
    assert [recipient for recipient, _ in mailbox.mails] == [[ADVISER]]


@ON_SQLITE
def test_the_company_cannot_undo_a_decline_by_spelling_or_by_adding_the_address_anew(
    firm: Firm, mailbox: Mailbox
) -> None:
    choose(firm, mailed(firm, mailbox, OFFICE)[OFFICE], declined=True)
    change(firm, ADVISER)
    assert declined(firm) == []
    assert change(firm, ADVISER, "Buero@HOLZMANN.de", declined=[])["declined"] == ["Buero@HOLZMANN.de"]
    assert send(firm).status_code == 202
    assert [recipient for recipient, _ in mailbox.mails] == [[ADVISER]]


@ON_SQLITE
def test_two_spellings_of_a_mailbox_are_one_recipient(firm: Firm, mailbox: Mailbox) -> None:
    assert change(firm, OFFICE, ADVISER, "Buero@Holzmann.DE")["recipients"] == [OFFICE, ADVISER]


@ON_SQLITE
def test_the_recipient_takes_a_decline_back_by_the_same_link(firm: Firm, mailbox: Mailbox) -> None:
    token = mailed(firm, mailbox, OFFICE)[OFFICE]
    choose(firm, token, declined=True)
    for _ in range(2):
        assert choose(firm, token, declined=False).json()["declined"] is False
    assert (declined(firm), rows(firm)) == ([], 0)
    assert send(firm).status_code == 202
    assert [recipient for recipient, _ in mailbox.mails] == [[OFFICE]]
    assert logged(firm.world, firm.id, "monthly_mail.resumed") == ["monthly_mail.resumed"]


@ON_SQLITE
def test_a_link_that_is_only_followed_declines_nothing(firm: Firm, mailbox: Mailbox) -> None:
    token = mailed(firm, mailbox, OFFICE)[OFFICE]
    for method in ("GET", "HEAD", "OPTIONS"):
        answer = firm.world.client.request(
            method, "/api/export-mails/decline", params={"token": token}, follow_redirects=False
        )
        assert answer.status_code in {303, 405}
    followed = firm.world.client.get("/api/export-mails/decline", params={"token": token}, follow_redirects=False)
    assert followed.headers["Location"] == f"/abmelden#{token}"
    assert declined(firm) == []


@ON_SQLITE
@pytest.mark.parametrize(
    "form", [{"data": {}}, {"data": {"List-Unsubscribe": "yes"}}, {"json": ONE_CLICK}, {"content": b""}]
)
def test_a_post_without_the_words_of_a_mail_program_declines_nothing(
    form: dict[str, Any], firm: Firm, mailbox: Mailbox
) -> None:
    token = mailed(firm, mailbox, OFFICE)[OFFICE]
    assert click(firm, token, **form).status_code == 422
    assert declined(firm) == []


@ON_SQLITE
@pytest.mark.parametrize("form", [{"data": ONE_CLICK}, {"files": {"List-Unsubscribe": (None, "One-Click")}}])
def test_a_mail_program_declines_by_one_post_without_a_cookie(
    form: dict[str, Any], firm: Firm, mailbox: Mailbox
) -> None:
    change(firm, OFFICE)
    send(firm)
    envelope = mailbox.envelopes[0].decode()
    (url,) = re.findall(r"^List-Unsubscribe: <(https://zeit\.example\.de/\S+)>\r$", envelope, re.MULTILINE)
    assert "\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n" in envelope
    firm.world.client.cookies.clear()
    for _ in range(2):
        answer = firm.world.client.post(url.removeprefix("https://zeit.example.de"), **form)
        assert (answer.status_code, answer.content) == (204, b"")
    assert declined(firm) == [OFFICE]
    assert logged(firm.world, firm.id, "monthly_mail.declined") == ["monthly_mail.declined"]


@ON_SQLITE
def test_each_mail_names_the_company_and_the_link_in_both_forms_and_knows_no_one_click_without_tls(
    firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    platform.settings = platform.settings.model_copy(update={"public_url": "http://zeit.holz.lan"})
    change(firm, OFFICE)
    send(firm)
    ((_, mail),) = mailbox.mails
    for form in ("plain", "html"):
        assert "Tischlerei Holzmann" in text_of(mail, form)
        assert "http://zeit.holz.lan/abmelden#" in text_of(mail, form)
    assert (mail["List-Unsubscribe"], mail["List-Unsubscribe-Post"]) == (None, None)


@ON_SQLITE
def test_without_a_public_address_the_links_of_send_now_begin_where_the_browser_called(
    firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    platform.settings = platform.settings.model_copy(update={"public_url": None})
    change(firm, OFFICE)
    assert send(firm).status_code == 202
    ((_, mail),) = mailbox.mails
    assert f"{firm.world.client.base_url}/abmelden#" in text_of(mail, "plain")


@ON_SQLITE
def test_without_a_public_address_the_mail_of_the_first_names_the_company_to_tell(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    platform.settings = platform.settings.model_copy(update={"public_url": None})
    change(firm, OFFICE)
    comes_round(platform, clock, FIRST)
    ((_, mail),) = mailbox.mails
    for form in ("plain", "html"):
        assert "Sag es Tischlerei Holzmann." in text_of(mail, form)
        assert "/abmelden" not in text_of(mail, form)
    assert (mail["List-Unsubscribe"], mail["List-Unsubscribe-Post"]) == (None, None)


@ON_BOTH
def test_a_mail_that_waits_is_stopped_by_a_decline(firm: Firm, mailbox: Mailbox, platform: Platform) -> None:
    token = mailed(firm, mailbox, OFFICE, ADVISER)[OFFICE]
    mailbox.refusal = "451 later"
    send(firm)
    mailbox.refusal = None
    choose(firm, token, declined=True)
    clock = platform.clock
    assert isinstance(clock, SettableClock)
    comes_round(platform, clock, clock.now().replace(hour=12))
    assert [recipient for recipient, _ in mailbox.mails] == [[ADVISER]]
    states = {row["recipients"][0]: (row["state"], row["detail"]) for row in list_mails(firm)[2:]}
    assert states == {OFFICE: ("failed", "Dieser Empfänger hat die E-Mails abbestellt."), ADVISER: ("sent", None)}


@ON_SQLITE
def test_a_mail_of_a_process_that_knows_no_declines_is_stopped_before_it_goes(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    """Two releases run side by side during an update."""
    token = mailed(firm, mailbox, OFFICE)[OFFICE]
    mailbox.refusal = "451 later"
    send(firm)
    mailbox.refusal = None
    choose(firm, token, declined=True)
    with platform.database.write(SYSTEM) as session:
        session.execute(text("UPDATE export_mails SET state = 'waiting', detail = NULL WHERE state = 'failed'"))
    comes_round(platform, clock, clock.now().replace(hour=12))
    assert mailbox.mails == []
    assert [row["state"] for row in list_mails(firm)] == ["sent", "failed"]


@ON_SQLITE
@pytest.mark.parametrize(("fails", "state"), [(False, "sent"), (True, "failed")])
def test_a_decline_while_a_mail_is_handed_over_is_kept_and_the_mail_says_what_became_of_it(
    fails: bool, state: str, firm: Firm, mailbox: Mailbox, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = mailed(firm, mailbox, OFFICE)[OFFICE]
    hand_over = Mailer.send

    def meanwhile(*args: Any, **kwargs: Any) -> None:
        choose(firm, token, declined=True)
        if fails:
            raise MailFailed("no answer")
        hand_over(*args, **kwargs)

    monkeypatch.setattr(Mailer, "send", meanwhile)
    send(firm)
    assert declined(firm) == [OFFICE]
    assert [row["state"] for row in list_mails(firm)] == ["sent", state]


def test_of_a_decline_and_a_mailing_at_once_the_address_gets_nothing(
    firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    token = mailed(firm, mailbox, OFFICE)[OFFICE]
    mailing = partial(firm.boss.post, path(firm, "export-send-now"), json={"month": "2026-10"})
    choice, sent = all_at_once(platform, partial(choose, firm, token, declined=True), mailing)
    assert (choice.status_code, sent.status_code) in {(200, 202), (200, 409)}
    deliver(platform)
    assert (mailbox.mails, declined(firm)) == ([], [OFFICE])


def test_of_two_declines_at_once_one_is_written_down(firm: Firm, mailbox: Mailbox, platform: Platform) -> None:
    token = mailed(firm, mailbox, OFFICE)[OFFICE]
    answers = all_at_once(platform, partial(choose, firm, token, declined=True), partial(click, firm, token))
    assert [answer.status_code for answer in answers] == [200, 204]
    assert rows(firm) == 1
    assert logged(firm.world, firm.id, "monthly_mail.declined") == ["monthly_mail.declined"]
