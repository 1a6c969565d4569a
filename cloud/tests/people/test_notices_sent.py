"""Sent notices: a minute later, once, without content, and only to people who can still use them."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import delete, select, update
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM
from stempelwerk_cloud.kit.outbox import OutboxRow
from stempelwerk_cloud.kit.outward import Outward
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.notices.push import pushing
from stempelwerk_cloud.people.notices.push.pushing import Pushing
from stempelwerk_cloud.people.notices.push.vapid import PushKey
from stempelwerk_cloud.people.notices.tables import PushSubscription
from stempelwerk_cloud.people.work import UnitOfWork

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.logging_in import link
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.people.noticing import (
    ALL,
    ANNA,
    CHOICES,
    NONE,
    choose,
    is_deleted,
    is_locked,
    later,
    loses_the_company,
    planned,
    send,
    subscribe,
    subscribed,
)
from cloud.tests.people.push_service import PushService
from cloud.tests.settable_clock import SettableClock
from cloud.tests.world import Firm, Somebody, World


def test_a_push_says_that_there_is_a_message_a_minute_later(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    subscribe(firm.anna, "desk")
    subscribe(firm.anna, "phone")
    subscribe(firm.ben, "ben")
    choose(firm.anna, push={"schedule": True})
    send(platform, firm.anna)
    later(platform, clock, seconds=59)
    assert push_service.requests == []
    later(platform, clock, seconds=1)
    assert sorted(path for path, _ in push_service.requests) == ["/push/desk", "/push/phone"]
    assert {request["body"] for _, request in push_service.requests} == {""}
    later(platform, clock, hours=1)
    assert len(push_service.requests) == 2


@ON_BOTH
def test_messages_within_a_minute_are_one_notice(
    firm: Firm, platform: Platform, push_service: PushService, mailbox: Mailbox, clock: SettableClock
) -> None:
    link(platform, firm.anna, ANNA)
    subscribe(firm.anna, "desk")
    choose(firm.anna, push=ALL, mail=ALL)
    for type_ in ("schedule", "handoff", "booking", "vacation_response"):
        send(platform, firm.anna, type_)
        clock.advance(seconds=15)
    later(platform, clock, seconds=0)
    assert (len(push_service.requests), len(mailbox.mails), planned(platform)) == (1, 1, [])
    send(platform, firm.anna)
    later(platform, clock)
    assert (len(push_service.requests), len(mailbox.mails)) == (2, 2)


def test_a_mail_names_its_reader_and_how_to_end_it_and_nothing_of_the_message(
    firm: Firm, platform: Platform, mailbox: Mailbox, clock: SettableClock
) -> None:
    platform.settings = platform.settings.model_copy(update={"public_url": "https://zeit.example.org"})
    link(platform, firm.anna, ANNA)
    choose(firm.anna, mail={"schedule": True})
    send(platform, firm.anna)
    with platform.database.read(SYSTEM) as session:
        (notice,) = session.scalars(select(OutboxRow.id))
    later(platform, clock)
    ((recipients, mail),) = mailbox.mails
    assert (recipients, mail["Subject"]) == ([ANNA], "Neue Nachricht in Stempelwerk")
    assert mail["Message-ID"] == f"<{notice}@example.org>"
    for form in ("plain", "html"):
        text = text_of(mail, form)
        assert "Hallo anna," in text
        assert "https://zeit.example.org" in text
        assert "schaltest du sie" in text
        assert "geheim" not in text


def test_a_mail_that_is_sent_again_is_recognised_by_its_id(
    firm: Firm, platform: Platform, mailbox: Mailbox, clock: SettableClock
) -> None:
    link(platform, firm.anna, ANNA)
    choose(firm.anna, mail=ALL)
    mailbox.refusal = "451 not now"
    send(platform, firm.anna)
    later(platform, clock)
    assert (mailbox.mails, planned(platform)) == ([], ["notices.mail"])
    with platform.database.read(SYSTEM) as session:
        (notice,) = session.scalars(select(OutboxRow.id))
    mailbox.refusal = None
    later(platform, clock, minutes=2)
    assert [mail["Message-ID"] for _, mail in mailbox.mails] == [f"<{notice}@example.org>"]


@ON_SQLITE
@pytest.mark.parametrize(
    ("type_", "kind", "administrators"),
    [
        ("handoff", "handoff", "requests"),
        ("handoff_response", "handoff", "handoff"),
        ("vacation_response", "decisions", "decisions"),
        ("absence", "decisions", "decisions"),
        ("absence_response", "decisions", "decisions"),
        ("correction_response", "decisions", "decisions"),
        ("booking", "decisions", "decisions"),
        ("schedule", "schedule", "schedule"),
        ("request", "requests", "requests"),
    ],
)
def test_each_message_is_of_the_kind_that_its_reader_chose(
    firm: Firm, platform: Platform, push_service: PushService, type_: str, kind: str, administrators: str
) -> None:
    for person, theirs in ((firm.anna, kind), (firm.boss, administrators)):
        subscribe(person, person.username)
        choose(person, push=ALL | {theirs: False})
        send(platform, person, type_)
        assert planned(platform) == []
        choose(person, push=NONE | {theirs: True})
        send(platform, person, type_)
        assert planned(platform) == ["notices.push"]
        with platform.database.write(SYSTEM) as session:
            session.execute(delete(OutboxRow))


def test_who_has_chosen_nothing_is_not_noticed_and_who_has_no_browser_neither(
    firm: Firm, platform: Platform, push_service: PushService
) -> None:
    subscribe(firm.anna, "x")
    choose(firm.ben, push=ALL)
    for person in (firm.anna, firm.ben):
        send(platform, person)
    assert planned(platform) == []


def _reads_it(firm: Firm) -> None:
    ids = [row["id"] for row in firm.anna.get("/api/messages").json()]
    assert firm.anna.post("/api/messages/read", json={"ids": ids}).status_code == 204


def _wants_it_no_more(firm: Firm) -> None:
    choose(firm.anna, push=NONE, mail=NONE)


def _is_gone(firm: Firm) -> None:
    is_deleted(firm.world, firm)


def _is_kept_out(firm: Firm) -> None:
    is_locked(firm.world, firm)


def _has_left(firm: Firm) -> None:
    answer = firm.boss.put(f"/api/users/{firm.anna.id}/employment", json={"exitDate": "2026-11-19"})
    assert answer.status_code == 200


def _is_closed(firm: Firm) -> None:
    loses_the_company(firm.world, firm)


@pytest.mark.parametrize("meanwhile", [_reads_it, _wants_it_no_more, _is_gone, _is_kept_out, _has_left, _is_closed])
def test_what_is_no_use_any_more_is_not_sent(
    firm: Firm,
    platform: Platform,
    push_service: PushService,
    mailbox: Mailbox,
    clock: SettableClock,
    meanwhile: Callable[[Firm], None],
) -> None:
    link(platform, firm.anna, ANNA)
    subscribe(firm.anna, "x")
    choose(firm.anna, push=ALL, mail=ALL)
    send(platform, firm.anna)
    assert planned(platform) == ["notices.mail", "notices.push"]
    meanwhile(firm)
    later(platform, clock)
    assert (push_service.requests, mailbox.mails, planned(platform)) == ([], [], [])


def test_a_browser_that_the_push_service_no_longer_knows_is_forgotten(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    subscribe(firm.anna, "x")
    choose(firm.anna, push=ALL)
    push_service.answer(410)
    send(platform, firm.anna)
    later(platform, clock)
    assert (subscribed(platform), planned(platform)) == ({}, [])


def test_one_push_service_that_is_down_holds_no_other_browser_up(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    def find(host: str, port: int) -> list[tuple[str, int]]:
        return [("127.0.0.1", 1)] if host == "down.example.org" else push_service.find(host, port)

    key = PushKey(platform.settings.data_dir)
    pushing.PUSHING.set(platform, Pushing(key, push_service.outward(find=find), None))
    for number in range(3):
        subscribe(firm.anna, f"down-{number}", "https://down.example.org")
    subscribe(firm.anna, "up")
    choose(firm.anna, push=ALL)
    send(platform, firm.anna)
    later(platform, clock)
    assert [path for path, _ in push_service.requests] == ["/push/up"]
    assert planned(platform) == ["notices.push"] * 3


@ON_BOTH
def test_a_browser_that_is_not_reached_for_a_day_is_left_alone_until_it_is_named_again(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    subscribe(firm.anna, "x")
    choose(firm.anna, push=ALL)
    push_service.answer(503)
    send(platform, firm.anna)
    later(platform, clock)
    later(platform, clock, hours=23)
    assert planned(platform) == ["notices.push"]
    assert [row["type"] for row in firm.world.again(firm.anna).get("/api/messages").json()] == ["schedule"]
    later(platform, clock, hours=7)
    later(platform, clock)  # no suspended browser gets a notice of this message
    request_count = len(push_service.requests)
    anna = firm.world.again(firm.anna)
    titles = [row["title"] for row in anna.get("/api/messages").json()]
    assert titles == ["Ein Gerät wird nicht erreicht", "Titel: geheim"]
    send(platform, anna)
    later(platform, clock)
    assert (len(push_service.requests), planned(platform)) == (request_count, [])
    push_service.answer(201)
    subscribe(anna, "x")
    send(platform, anna)
    later(platform, clock)
    assert len(push_service.requests) == request_count + 1


def test_a_browser_whose_push_service_keeps_refusing_is_left_alone_after_a_day_and_its_person_is_told(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    """A refusal is not retried, so only a second message shows that refusals continue."""
    subscribe(firm.anna, "x")
    choose(firm.anna, push=ALL)
    push_service.answer(403)
    for hours in (1, 20):
        send(platform, firm.anna)
        later(platform, clock, hours=hours)
    assert [row["type"] for row in firm.world.again(firm.anna).get("/api/messages").json()] == ["schedule"] * 2
    send(platform, firm.anna)
    later(platform, clock, hours=5)
    anna = firm.world.again(firm.anna)
    request_count = len(push_service.requests)
    assert anna.get("/api/messages").json()[0]["title"] == "Ein Gerät wird nicht erreicht"
    send(platform, anna)
    later(platform, clock)
    assert (request_count, len(push_service.requests)) == (3, 3)


def _inbox(firm: Firm) -> list[str]:
    return [row["type"] for row in firm.world.again(firm.anna).get("/api/messages").json()]


def _states(firm: Firm, person: Somebody) -> list[dict[str, Any]]:
    states: list[dict[str, Any]] = firm.world.again(person).get(CHOICES).json()["subscriptions"]
    return states


@ON_BOTH
@pytest.mark.parametrize("status", [401, 403, 503])
def test_a_login_keeps_since_when_a_browser_is_not_reached_and_its_person_is_told_once(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock, status: int
) -> None:
    subscription_id = subscribe(firm.anna, "x")
    choose(firm.anna, push=ALL)
    push_service.answer(status)
    send(platform, firm.anna)
    later(platform, clock)
    failing_since = clock.now()
    for _ in range(8):
        anna = firm.world.again(firm.anna)
        assert subscribe(anna, "x") == subscription_id
        (state,) = _states(firm, anna)
        assert (state["id"], datetime.fromisoformat(state["failingSince"])) == (subscription_id, failing_since)
        send(platform, anna)
        later(platform, clock, hours=7)
    assert _inbox(firm).count("notices") == 1


@ON_BOTH
def test_a_browser_that_is_named_after_its_suspension_is_tried_once_more_and_a_push_that_arrives_ends_it(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    subscribe(firm.anna, "x")
    choose(firm.anna, push=ALL)
    push_service.answer(403)
    for _ in range(2):
        send(platform, firm.anna)
        later(platform, clock, hours=25)
    request_count = len(push_service.requests)
    clock.advance(seconds=1)
    anna = firm.world.again(firm.anna)
    subscribe(anna, "x")
    for _ in range(2):
        send(platform, anna)
        later(platform, clock)
    assert len(push_service.requests) == request_count + 1
    push_service.answer(201)
    clock.advance(seconds=1)
    subscribe(anna, "x")
    for _ in range(2):
        send(platform, anna)
        later(platform, clock)
    assert len(push_service.requests) == request_count + 3
    assert [state["failingSince"] for state in _states(firm, anna)] == [None]
    assert _inbox(firm).count("notices") == 1


@ON_BOTH
def test_a_browser_that_passes_to_a_colleague_is_not_reported_as_failing_to_them(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    subscription_id = subscribe(firm.anna, "x")
    choose(firm.anna, push=ALL)
    push_service.answer(403)
    send(platform, firm.anna)
    later(platform, clock)
    assert subscribe(firm.ben, "x") == subscription_id
    assert _states(firm, firm.ben) == [{"id": subscription_id, "failingSince": None}]
    assert _states(firm, firm.anna) == []


@ON_SQLITE
def test_states_of_subscriptions_are_the_callers_alone(
    firm: Firm, world: World, platform: Platform, push_service: PushService
) -> None:
    subscription_id = subscribe(firm.anna, "x")
    strangers = (firm.ben, firm.boss, world.firm("Andere").anna, world.founder)
    assert [_states(firm, person) for person in strangers] == [[]] * 4
    assert _states(firm, firm.anna) == [{"id": subscription_id, "failingSince": None}]


@ON_SQLITE
def test_a_subscription_of_another_secrets_key_is_marked_as_failing(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    subscribe(firm.anna, "x")
    choose(firm.anna, push=ALL)
    with platform.database.write(SYSTEM) as session:
        session.execute(update(PushSubscription).values(endpoint=b"of another key"))
    for _ in range(2):
        send(platform, firm.anna)
        later(platform, clock, hours=25)
    assert (push_service.requests, _inbox(firm).count("notices")) == ([], 1)


@ON_BOTH
def test_a_browser_that_is_reached_again_within_a_day_is_as_before(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    subscribe(firm.anna, "x")
    choose(firm.anna, push=ALL)
    push_service.answer(503)
    send(platform, firm.anna)
    later(platform, clock)
    push_service.answer(201)
    later(platform, clock, hours=7)
    assert planned(platform) == []
    push_service.answer(503)
    for _ in range(2):
        send(platform, firm.anna)
        later(platform, clock, hours=20)
    with platform.database.read(SYSTEM) as session:
        (row,) = session.scalars(select(PushSubscription))
    assert (row.failing_since is None, row.suspended_at) == (False, None)


def test_a_busy_push_service_is_asked_again_when_it_says(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    subscribe(firm.anna, "x")
    choose(firm.anna, push=ALL)
    push_service.answer(429, {"Retry-After": "600"})
    send(platform, firm.anna)
    later(platform, clock)
    with platform.database.read(SYSTEM) as session:
        (due,) = session.scalars(select(OutboxRow.due_at))
    assert due == clock.now() + timedelta(seconds=600)
    push_service.answer(201)
    later(platform, clock, seconds=600)
    assert (len(push_service.requests), planned(platform)) == (2, [])


def test_a_name_that_has_come_to_mean_a_private_address_is_not_called(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    key = PushKey(platform.settings.data_dir)
    pushing.PUSHING.set(platform, Pushing(key, Outward(lambda *_: [("9.9.9.9", 443)]), None))
    subscribe(firm.anna, "x", "https://rebinding.example.org")
    choose(firm.anna, push=ALL)
    pushing.PUSHING.set(platform, Pushing(key, Outward(push_service.find), None))
    send(platform, firm.anna)
    later(platform, clock)
    with platform.database.read(SYSTEM) as session:
        (failed,) = session.scalars(select(OutboxRow.failed_at))
    assert (failed, push_service.requests, push_service.asked) == (clock.now(), [], ["rebinding.example.org"])


def test_a_clocks_message_is_noticed_too(
    firm: Firm, platform: Platform, push_service: PushService, mailbox: Mailbox, clock: SettableClock
) -> None:
    link(platform, firm.boss, "chefin@holzmann.de")
    subscribe(firm.boss, "x")
    choose(firm.boss, push={"requests": True}, mail={"requests": True})
    with platform.database.write(DEVICES) as session:
        messages.send(UnitOfWork(session, platform), firm.id, [firm.boss.id], "request", "Korrektur", "Eine Korrektur.")
    later(platform, clock)
    assert (len(push_service.requests), len(mailbox.mails)) == (1, 1)
