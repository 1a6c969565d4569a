"""Codes by mail: linked addresses, five tries, one use, and the state after a failing mail server."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi import FastAPI
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity import second_factor
from stempelwerk_cloud.people.access.tables import PendingLogin, WebSession

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.logging_in import LoginClient, link, wrong
from cloud.tests.mailbox import Mailbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, World

ANNA = "anna@holzmann.de"
EXPIRED = (401, "login_expired", "Die Anmeldung ist abgelaufen. Bitte neu einloggen.", False)
WRONG = (401, "wrong_code", "Code ungültig oder abgelaufen", False)


def _refusal(answer: object) -> tuple[int, str, str, bool]:
    body = answer.json()  # type: ignore[attr-defined]
    assert "token" not in body
    return answer.status_code, body["code"], body["message"], body["ok"]  # type: ignore[attr-defined]


def test_nobodys_token_opens_no_step(login: LoginClient, mailbox: Mailbox) -> None:
    for token in ("", "nonsense", "x" * 43):
        assert _refusal(login.start(token, ANNA)) == EXPIRED
        assert _refusal(login.mail_code(token, "123456")) == EXPIRED
        assert _refusal(login.app_code(token, "123456")) == EXPIRED
        assert _refusal(login.choose(token, "ein neues Passwort")) == EXPIRED
    assert mailbox.mails == []


def test_a_step_that_is_not_due_is_refused(login: LoginClient, firm: Firm, mailbox: Mailbox) -> None:
    token = login.step(firm.anna, "email_input")
    assert _refusal(login.mail_code(token, "123456")) == EXPIRED
    assert _refusal(login.app_code(token, "123456")) == EXPIRED
    assert _refusal(login.choose(token, "ein neues Passwort")) == EXPIRED
    assert login.start(token, ANNA).status_code == 200


def test_a_step_gives_no_part_of_a_session(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    body = login.log_in(firm.anna).json()
    assert set(body) == {"success", "message", "next", "temp_token"}
    link(platform, firm.anna, ANNA)
    body = login.log_in(firm.anna).json()
    assert body["emailHint"] == "a…@holzmann.de"
    assert set(body) == {"success", "message", "next", "temp_token", "emailHint"}
    assert "set-cookie" not in login.log_in(firm.anna).headers


def test_an_address_is_linked_by_the_code_that_was_sent_there(
    login: LoginClient, firm: Firm, mailbox: Mailbox, world: World
) -> None:
    token = login.step(firm.anna, "email_input")
    assert login.start(token, f" {ANNA} ").json() == {
        "ok": True,
        "message": "Der Code ist unterwegs.",
        "resendIn": 30,
    }
    recipients, mail = mailbox.mails[0]
    assert recipients == [ANNA]
    assert (mail["To"], mail["Auto-Submitted"]) == (ANNA, "auto-generated")
    assert mailbox.codes(ANNA)[0] not in mail["Subject"], "a locked phone shows subjects"
    done = login.mail_code(token, mailbox.codes(ANNA)[0])
    assert done.status_code == 200
    assert {**done.json(), "token": ""} == {
        "ok": True,
        "message": "Angemeldet.",
        "token": "",
        "role": "user",
        "username": "anna",
        "companyId": firm.id,
        "userId": firm.anna.id,
    }
    session = {"Authorization": f"Bearer {done.json()['token']}"}
    assert world.client.get(f"/api/companies/{firm.id}/features", headers=session).status_code == 200
    newest = firm.boss.get(f"/api/companies/{firm.id}/audit?limit=1").json()[0]
    assert (newest["action"], newest["actorName"], newest["after"]) == ("user.address_linked", "anna", None)
    assert login.log_in(firm.anna).json()["next"] == "email_otp"


@ON_BOTH
def test_an_address_whose_code_never_came_back_is_not_linked(
    login: LoginClient, firm: Firm, mailbox: Mailbox, clock: SettableClock
) -> None:
    token = login.step(firm.anna, "email_input")
    login.start(token, ANNA)
    clock.advance(seconds=30)
    assert login.start(token, "anna@example.org").status_code == 200
    assert _refusal(login.mail_code(token, mailbox.codes(ANNA)[0])) == WRONG
    clock.advance(seconds=30)
    assert login.start(token).status_code == 200, "the same address again"
    assert _refusal(login.mail_code(token, mailbox.codes("anna@example.org")[0])) == WRONG
    assert login.mail_code(token, mailbox.codes("anna@example.org")[1]).status_code == 200
    assert login.log_in(firm.anna).json()["emailHint"] == "a…@example.org"


@ON_SQLITE
@pytest.mark.parametrize(
    "address",
    [None, "", "anna", "anna@", "a b@c.de", "a@b.de\r\nBcc: x@y.de", "a@b.de, x@y.de", "<a@b.de>", "ä@b.de"]
    + [f"mia@{domain}" for domain in ("\u2603.example", "-ä.example", "\u0301a.example", f"{'ä' * 60}.example")],
)
def test_what_is_no_address_gets_no_mail(login: LoginClient, firm: Firm, mailbox: Mailbox, address: str | None) -> None:
    token = login.step(firm.anna, "email_input")
    answer = login.start(token, address)
    assert (answer.status_code, answer.json()["ok"]) == (422, False)
    assert answer.json()["errors"][0]["field"] == "email"
    assert mailbox.mails == []
    assert login.log_in(firm.anna).json()["next"] == "email_input"
    assert login.start(token, ANNA).status_code == 200


@pytest.mark.parametrize(
    ("typed", "registered"),
    [
        ("mia@straße.example", "mia@xn--strae-oqa.example"),
        ("Mia.Muster+Uhr@Straße.Example", "Mia.Muster+Uhr@xn--strae-oqa.Example"),
        ("MIA@Holzmann.Example", "MIA@Holzmann.Example"),
        ("mia@STRAẞE.example", "mia@xn--strae-oqa.example"),
        ("mia@a\u0308rzte.example", "mia@xn--rzte-koa.example"),
        ("mia@xn--strae-oqa.example", "mia@xn--strae-oqa.example"),
    ],
)
def test_a_code_goes_to_the_very_address_that_was_entered(
    login: LoginClient, firm: Firm, mailbox: Mailbox, clock: SettableClock, typed: str, registered: str
) -> None:
    """`strasse.example` belongs to another owner."""
    token = login.step(firm.anna, "email_input")
    assert login.start(token, typed).status_code == 200
    assert login.mail_code(token, mailbox.codes(registered)[0]).status_code == 200
    clock.advance(seconds=30)
    assert login.start(login.step(firm.anna, "email_otp")).status_code == 200
    assert [(recipients, mail["To"]) for recipients, mail in mailbox.mails] == [([registered], registered)] * 2


def test_a_thief_with_the_password_cannot_turn_the_mail_elsewhere(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    link(platform, firm.anna, ANNA)
    token = login.step(firm.anna, "email_otp")
    assert login.start(token, "thief@example.org").status_code == 200
    assert [recipients for recipients, _ in mailbox.mails] == [[ANNA]]


def test_a_first_linked_address_ends_every_other_unfinished_login(
    login: LoginClient, app: FastAPI, firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    thief = LoginClient(app, firm, "198.51.100.7")
    early = thief.step(firm.anna, "email_input")
    assert thief.start(early, "thief@example.org").status_code == 200
    token = login.step(firm.anna, "email_input")
    login.start(token, ANNA)
    assert login.mail_code(token, mailbox.codes(ANNA)[0]).status_code == 200
    assert _refusal(thief.mail_code(early, mailbox.codes("thief@example.org")[0])) == EXPIRED
    with platform.database.read(SYSTEM) as tx:
        assert second_factor.address_of(tx, firm.id, firm.anna.id) == ANNA
        assert tx.scalars(select(PendingLogin)).all() == []


def test_a_login_that_would_link_an_address_is_over_once_there_is_one(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform, clock: SettableClock
) -> None:
    token = login.step(firm.anna, "email_input")
    login.start(token, "thief@example.org")
    link(platform, firm.anna, ANNA)
    assert _refusal(login.mail_code(token, mailbox.codes("thief@example.org")[0])) == EXPIRED
    clock.advance(seconds=30)
    assert _refusal(login.start(token, "thief@example.org")) == EXPIRED
    assert len(mailbox.mails) == 1


def test_a_code_is_good_once(login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform) -> None:
    link(platform, firm.anna, ANNA)
    token = login.step(firm.anna, "email_otp")
    login.start(token)
    code = mailbox.codes(ANNA)[0]
    assert login.mail_code(token, f" {code[:3]} {code[3:]} ").status_code == 200
    assert _refusal(login.mail_code(token, code)) == EXPIRED
    second_token = login.step(firm.anna, "email_otp")
    assert _refusal(login.mail_code(second_token, code)) == WRONG, "nor in another login"


def test_a_code_belongs_to_its_login(login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform) -> None:
    link(platform, firm.anna, ANNA)
    link(platform, firm.ben, "ben@holzmann.de")
    hers, his = login.step(firm.anna, "email_otp"), login.step(firm.ben, "email_otp")
    login.start(hers)
    login.start(his)
    assert _refusal(login.mail_code(his, mailbox.codes(ANNA)[0])) == WRONG
    assert login.mail_code(his, mailbox.codes("ben@holzmann.de")[0]).status_code == 200


def test_fifty_parallel_uses_of_one_code_open_one_session(
    login: LoginClient, app: FastAPI, firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    link(platform, firm.anna, ANNA)
    token = login.step(firm.anna, "email_otp")
    login.start(token)
    code = mailbox.codes(ANNA)[0]
    logins = [LoginClient(app, firm, f"198.51.100.{number}") for number in range(50)]
    gate = threading.Barrier(50)

    def use(browser: LoginClient) -> int:
        gate.wait(60)
        return browser.mail_code(token, code).status_code

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(use, logins))
    assert answers.count(200) == 1
    assert set(answers) <= {200, 401, 429}
    with platform.database.read(SYSTEM) as tx:
        opened = tx.scalars(select(WebSession).where(WebSession.user_id == firm.anna.id)).all()
    assert len(opened) == 2, "the one that the world began with, and this"


@ON_BOTH
def test_the_fifth_wrong_code_makes_the_mail_worthless_and_another_may_be_sent(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform, clock: SettableClock
) -> None:
    link(platform, firm.anna, ANNA)
    token = login.step(firm.anna, "email_otp")
    login.start(token)
    code = mailbox.codes(ANNA)[0]
    for _ in range(5):
        assert _refusal(login.mail_code(token, wrong(code))) == WRONG
    assert _refusal(login.mail_code(token, code)) == WRONG
    clock.advance(seconds=30)
    assert login.start(token).status_code == 200
    assert login.mail_code(token, mailbox.codes(ANNA)[1]).status_code == 200


def test_the_fourth_wrong_code_leaves_one_try(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    link(platform, firm.anna, ANNA)
    token = login.step(firm.anna, "email_otp")
    login.start(token)
    code = mailbox.codes(ANNA)[0]
    for nonsense in (wrong(code), "", "abc", "1" * 100):
        assert _refusal(login.mail_code(token, nonsense)) == WRONG
    assert login.mail_code(token, code).status_code == 200


def test_code_and_login_live_ten_minutes(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform, clock: SettableClock
) -> None:
    link(platform, firm.anna, ANNA)
    token = login.step(firm.anna, "email_otp")
    clock.advance(minutes=9, seconds=59)
    assert login.start(token).status_code == 200
    clock.advance(minutes=9, seconds=59)
    late = login.step(firm.anna, "email_otp")
    assert login.mail_code(token, mailbox.codes(ANNA)[0]).status_code == 200
    login.start(late)
    clock.advance(minutes=10)
    assert _refusal(login.mail_code(late, mailbox.codes(ANNA)[-1])) == EXPIRED
    assert _refusal(login.start(late)) == EXPIRED


def test_one_mail_in_thirty_seconds_and_five_a_login(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform, clock: SettableClock
) -> None:
    link(platform, firm.anna, ANNA)
    token = login.step(firm.anna, "email_otp")
    for sent in range(1, 6):
        assert login.start(token).status_code == 200
        soon = login.start(token)
        assert (soon.status_code, soon.json()["ok"]) == (429, False)
        assert int(soon.headers["retry-after"]) >= 30
        assert len(mailbox.mails) == sent
        clock.advance(seconds=30)
    assert login.start(token).status_code == 429
    assert login.mail_code(token, mailbox.codes(ANNA)[-1]).status_code == 200


@ON_SQLITE
def test_new_logins_do_not_fill_a_mailbox(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform, clock: SettableClock
) -> None:
    link(platform, firm.anna, ANNA)
    answers = [login.start(login.step(firm.anna, "email_otp")).status_code for _ in range(30)]
    assert answers == [200] * 15 + [429] * 15
    assert len(mailbox.mails) == 15
    clock.advance(minutes=1)
    assert login.start(login.step(firm.anna, "email_otp")).status_code == 200, "slowed, not shut"


@ON_SQLITE
def test_mails_to_an_address_that_others_only_claim_cost_its_owner_none(
    login: LoginClient, app: FastAPI, firm: Firm, mailbox: Mailbox, platform: Platform, world: World
) -> None:
    stranger = LoginClient(app, world.firm("Fremde GmbH"), "198.51.100.7")
    claims = [stranger.start(stranger.step(stranger.firm.ben, "email_input"), ANNA).status_code for _ in range(16)]
    assert claims == [200] * 15 + [429]
    link(platform, firm.anna, ANNA)
    assert login.start(login.step(firm.anna, "email_otp")).status_code == 200


@ON_SQLITE
def test_several_who_claim_one_address_do_not_fill_its_mailbox(app: FastAPI, mailbox: Mailbox, world: World) -> None:
    strangers = LoginClient(app, world.firm("Fremde GmbH"), "198.51.100.7")
    people = [strangers.firm.anna, strangers.firm.ben] * 10
    answers = [strangers.start(strangers.step(person, "email_input"), ANNA).status_code for person in people]
    assert answers == [200] * 15 + [429] * 5
    assert len(mailbox.mails) == 15


def test_a_mail_server_that_refuses_is_told_and_costs_no_pause(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    link(platform, firm.anna, ANNA)
    token = login.step(firm.anna, "email_otp")
    mailbox.refusal = "550 never"
    failed = login.start(token)
    assert _refusal(failed) == (503, "mail_failed", "Fehler beim Senden des Codes", False)
    mailbox.refusal = "451 not now"
    put_off = login.start(token)
    assert (put_off.status_code, put_off.headers["Retry-After"]) == (503, "300")
    assert "in fünf Minuten noch einmal" in put_off.json()["message"]
    mailbox.refusal = None
    assert login.start(token).status_code == 200
    assert login.mail_code(token, mailbox.codes(ANNA)[0]).status_code == 200


@ON_SQLITE
def test_mails_that_never_left_use_nothing_up_and_give_nothing_back(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    link(platform, firm.anna, ANNA)

    def sent(count: int) -> list[int]:
        return [login.start(login.step(firm.anna, "email_otp")).status_code for _ in range(count)]

    assert sent(3) == [200] * 3
    token = login.step(firm.anna, "email_otp")
    mailbox.refusal = "451 not now"
    assert [login.start(token).status_code for _ in range(20)] == [503] * 20
    mailbox.refusal = None
    assert sent(13) == [200] * 12 + [429]


def test_without_a_mail_server_the_steps_are_skipped(login: LoginClient, firm: Firm, platform: Platform) -> None:
    link(platform, firm.anna, ANNA)
    assert platform.mailer is None
    assert "token" in login.log_in(firm.anna).json()


def test_the_database_yields_no_code(login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform) -> None:
    link(platform, firm.anna, ANNA)
    token = login.step(firm.anna, "email_otp")
    login.start(token)
    with platform.database.read(SYSTEM) as tx:
        row = str(tx.execute(select(PendingLogin.__table__)).all())
    assert mailbox.codes(ANNA)[0] not in row
    assert token not in row


def test_whoever_is_gone_in_the_meantime_does_not_get_in(
    login: LoginClient, firm: Firm, mailbox: Mailbox, platform: Platform, world: World
) -> None:
    link(platform, firm.anna, ANNA)
    link(platform, firm.ben, ANNA)
    hers, his = login.step(firm.anna, "email_otp"), login.step(firm.ben, "email_otp")
    login.start(hers)
    login.start(his)
    firm.boss.delete(f"/api/users/{firm.ben.id}")
    world.founder.delete(f"/api/companies/{firm.id}")
    for token, code in zip((hers, his), mailbox.codes(ANNA), strict=True):
        assert _refusal(login.mail_code(token, code)) == EXPIRED
    with platform.database.read(SYSTEM) as tx:
        assert second_factor.address_of(tx, firm.id, firm.ben.id) is None, "an address is no fact that must be kept"
