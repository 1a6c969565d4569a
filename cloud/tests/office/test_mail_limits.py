"""A company sends at most 60 monthly mails on a German day, whoever sends them; what is planned beyond goes later."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from httpx2 import Response
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.office.monthly_mail import queries
from stempelwerk_cloud.office.monthly_mail.tables import ExportMail
from stempelwerk_cloud.people.directory.callers import COMPANY_ADMIN

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.mailbox import Mailbox
from cloud.tests.meeting import all_at_once
from cloud.tests.office.mailing import change, comes_round, deliver, list_mails, mail_server
from cloud.tests.room import given, logged
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody

THREE = ["a@holzmann.de", "b@holzmann.de", "c@holzmann.de"]
MIDNIGHT = datetime(2026, 11, 20, 23, tzinfo=UTC)
"""The end of 20 November in Berlin."""
FIRST = datetime(2026, 12, 1, 2, tzinfo=UTC)
"""03:00 in Berlin, when November is due."""


@pytest.fixture
def mailbox(platform: Platform) -> Iterator[Mailbox]:
    with mail_server(platform) as mailbox:
        yield mailbox


def ask(person: Somebody) -> Response:
    return person.post(f"/api/companies/{person.company_id}/export-send-now", json={"month": "2026-10"})


def sent(firm: Firm, count: int) -> None:
    """Stores `count` mails of the company that were sent today."""
    extra = {"month": "2026-09", "delivery": "file", "state": "sent", "draft": False}
    for _ in range(count):
        given(firm.boss, ExportMail, recipient="vorher@holzmann.de", **extra)


def log_in_again(firm: Firm) -> None:
    """Renews the session, because it has expired in the meantime."""
    firm.boss = firm.world.again(firm.boss)


def recipients(mailbox: Mailbox) -> list[str]:
    return sorted(recipient for (recipient,), _ in mailbox.mails)


@ON_BOTH
def test_a_mailing_beyond_the_sixtieth_mail_is_refused_and_says_when_it_goes_on(firm: Firm, mailbox: Mailbox) -> None:
    change(firm, *THREE)
    sent(firm, 57)
    assert ask(firm.boss).status_code == 202
    answer = ask(firm.boss)
    assert (answer.status_code, answer.json()["code"]) == (429, "day_is_full")
    assert answer.json()["message"] == (
        "Heute gingen schon 60 E-Mails mit dem Export raus oder stehen an. Mehr sind es am Tag nicht."
        " Jetzt wurde nichts gesendet. Ab 21. November 2026, 00:00 Uhr, geht es weiter."
    )
    assert answer.headers["Retry-After"] == str(15 * 60 * 60 + 1)
    deliver(firm.world.platform)
    assert recipients(mailbox) == THREE
    assert logged(firm.world, firm.id, "monthly_mail.sent") == ["monthly_mail.sent"]


@ON_SQLITE
@pytest.mark.parametrize(("before", "left"), [(58, "sind heute noch 2"), (59, "ist heute noch eine")])
def test_a_mailing_that_fits_only_in_part_is_refused_whole_and_says_what_is_left(
    before: int, left: str, firm: Firm, mailbox: Mailbox
) -> None:
    change(firm, *THREE)
    sent(firm, before)
    answer = ask(firm.boss)
    assert answer.status_code == 429
    assert f"Übrig {left}, hier wären es 3. Jetzt wurde nichts gesendet." in answer.json()["message"]
    deliver(firm.world.platform)
    assert (mailbox.mails, len(list_mails(firm))) == ([], before)
    change(firm, *THREE[: 60 - before])
    assert ask(firm.boss).status_code == 202


def test_of_two_administrators_who_send_at_once_one_has_the_last_place(
    firm: Firm, mailbox: Mailbox, platform: Platform
) -> None:
    colleague = firm.world.user(firm.id, "chef", COMPANY_ADMIN)
    change(firm, THREE[0])
    sent(firm, 59)
    answers = all_at_once(platform, lambda: ask(firm.boss), lambda: ask(colleague))
    assert sorted(answer.status_code for answer in answers) == [202, 429]
    deliver(platform)
    assert (len(mailbox.mails), len(list_mails(firm))) == (1, 60)


@ON_SQLITE
def test_the_day_turns_at_midnight_in_berlin(firm: Firm, mailbox: Mailbox, clock: SettableClock) -> None:
    change(firm, THREE[0])
    clock.set(MIDNIGHT - timedelta(milliseconds=1))
    log_in_again(firm)
    sent(firm, 60)
    assert ask(firm.boss).status_code == 429
    clock.set(MIDNIGHT)
    sent(firm, 59)
    assert [ask(firm.boss).status_code for _ in range(2)] == [202, 429]


@ON_SQLITE
def test_another_company_has_its_own_sixty(firm: Firm, mailbox: Mailbox) -> None:
    other_firm = firm.world.firm("Nebenan")
    change(other_firm, THREE[0])
    sent(firm, 60)
    assert ask(other_firm.boss).status_code == 202


@ON_SQLITE
def test_a_mail_that_is_tried_again_on_another_day_counts_on_its_own_and_goes_once(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    change(firm, *THREE)
    sent(firm, 57)
    mailbox.refusal = "451 later"
    assert ask(firm.boss).status_code == 202
    deliver(platform)
    mailbox.refusal = None
    comes_round(platform, clock, MIDNIGHT)
    comes_round(platform, clock, MIDNIGHT + timedelta(hours=1))
    assert recipients(mailbox) == THREE
    log_in_again(firm)
    sent(firm, 57)
    assert [ask(firm.boss).status_code for _ in range(2)] == [202, 429]


@ON_BOTH
def test_what_the_first_of_the_month_has_no_room_for_goes_on_the_second_and_once(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    clock.set(FIRST)
    log_in_again(firm)
    sent(firm, 59)
    clock.set(FIRST - timedelta(hours=4))  # in November, which is not due yet
    change(firm, *THREE)
    comes_round(platform, clock, FIRST)
    assert recipients(mailbox) == THREE[:1]
    waiting = [row for row in list_mails(firm) if row["state"] == "waiting"]
    assert [row["at"] for row in waiting] == ["2026-12-01T23:00:00.000Z"] * 2
    assert {row["detail"] for row in waiting} == {
        "Am Tag gehen höchstens 60 E-Mails raus. Diese folgt am 2. Dezember 2026."
    }
    comes_round(platform, clock, FIRST + timedelta(hours=20, minutes=59))
    assert recipients(mailbox) == THREE[:1]
    for hours in (21, 22, 50):
        comes_round(platform, clock, FIRST + timedelta(hours=hours))
    assert recipients(mailbox) == THREE
    assert {(row["state"], row["detail"]) for row in list_mails(firm)} == {("sent", None)}


@ON_SQLITE
def test_what_was_put_off_takes_the_places_of_its_own_day(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform
) -> None:
    change(firm, *THREE)
    clock.set(FIRST)
    log_in_again(firm)
    sent(firm, 60)
    comes_round(platform, clock, FIRST)
    clock.set(FIRST + timedelta(hours=21))
    log_in_again(firm)
    sent(firm, 56)
    change(firm, THREE[0])
    assert [ask(firm.boss).status_code for _ in range(2)] == [202, 429]


@ON_SQLITE
def test_after_an_outage_each_month_reaches_everybody_once_within_the_limit_of_each_day(
    firm: Firm, mailbox: Mailbox, clock: SettableClock, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "MOST_A_DAY", 4)
    change(firm, *THREE)
    counts = []
    for days in range(4):
        comes_round(platform, clock, datetime(2027, 2, 15 + days, 10, tzinfo=UTC))
        counts.append(len(mailbox.mails))
    assert counts == [4, 8, 9, 9]
    mails = Counter((recipient, mail["Subject"]) for (recipient,), mail in mailbox.mails)
    assert (len(mails), set(mails.values())) == (9, {1})
