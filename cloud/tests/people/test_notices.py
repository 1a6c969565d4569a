"""Notices outside the inbox: a person's choices, and their browsers, until they end with the session or access."""

import asyncio
import hashlib
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from sqlalchemy import select
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.outbox import OutboxRow
from stempelwerk_cloud.kit.outward import Outward
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.notices import service
from stempelwerk_cloud.people.notices.push import pushing
from stempelwerk_cloud.people.notices.push.pushing import Pushing
from stempelwerk_cloud.people.notices.push.vapid import PushKey
from stempelwerk_cloud.people.notices.tables import NoticeChoice, PushSubscription
from structlog.testing import capture_logs

from cloud.tests.databases import ON_SQLITE
from cloud.tests.logging_in import LoginClient, link
from cloud.tests.mailbox import Mailbox
from cloud.tests.people.notices_calls import UNKNOWN, browser
from cloud.tests.people.noticing import (
    ALL,
    ANNA,
    CHOICES,
    NONE,
    SUBSCRIPTIONS,
    choose,
    is_deleted,
    is_locked,
    later,
    loses_the_company,
    send,
    subscribe,
    subscribed,
)
from cloud.tests.people.push_service import HOST, PushService
from cloud.tests.settable_clock import SettableClock
from cloud.tests.waiting import until
from cloud.tests.world import PASSWORD, Firm, World


def test_at_first_nobody_is_noticed_of_anything(firm: Firm, world: World, platform: Platform) -> None:
    for person in (firm.anna, firm.boss, world.founder):
        notices = person.get(CHOICES).json()
        assert notices == {
            "push": NONE,
            "mail": NONE,
            "publicKey": PushKey(platform.settings.data_dir).public,
            "mailAddress": None,
            "pushAvailable": True,
            "mailAvailable": False,
            "subscriptions": [],
        }


def test_what_is_chosen_is_kept_what_is_left_out_stays_and_nobody_else_is_concerned(firm: Firm, world: World) -> None:
    other_firm = world.firm("Andere")
    assert choose(firm.anna, push={"schedule": True, "handoff": True})["push"] == NONE | {
        "schedule": True,
        "handoff": True,
    }
    assert choose(firm.anna, push={"handoff": False, "decisions": None})["push"] == NONE | {"schedule": True}
    assert choose(firm.anna) == firm.anna.get(CHOICES).json()
    assert choose(firm.anna, push=None, mail={"schedule": False})["push"] == NONE | {"schedule": True}
    all_notices = firm.anna.get(CHOICES).json()
    assert choose(firm.anna, **all_notices) == all_notices
    for stranger in (firm.ben, firm.boss, other_firm.anna):
        assert stranger.get(CHOICES).json()["push"] == NONE


@ON_SQLITE
@pytest.mark.parametrize(
    "body",
    [
        {"push": {"gossip": True}},
        {"mail": {"gossip": False}},
        {"push": {"schedule": "yes"}},
        {"push": {"schedule": 1}},
        {"push": True},
        {"push": ["schedule"]},
        [],
    ],
    ids=str,
)
def test_what_is_no_choice_is_malformed(firm: Firm, body: Any) -> None:
    refused = firm.anna.put(CHOICES, json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert firm.anna.get(CHOICES).json()["push"] == NONE


def test_mail_needs_a_linked_address_and_shows_it_to_nobody_whole(
    firm: Firm, platform: Platform, mailbox: Mailbox
) -> None:
    refused = firm.anna.put(CHOICES, json={"push": {"handoff": True}, "mail": {"schedule": True}})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_mail_address")
    assert firm.anna.get(CHOICES).json()["push"] == NONE
    link(platform, firm.anna, ANNA)
    notices = choose(firm.anna, mail={"schedule": True})
    assert (notices["mail"], notices["mailAddress"]) == (NONE | {"schedule": True}, "a…@holzmann.de")
    assert (notices["mailAvailable"], ANNA in str(notices)) == (True, False)


@ON_SQLITE
@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "http://push.example.org/x",
        "https://user@push.example.org/x",
        "https://push.example.org:8443/x",
        "https://localhost/x",
        "https://127.0.0.1/x",
        "https://10.0.0.1/x",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://[64:ff9b::a00:1]/x",
        "https://[2002:a00:1::]/x",
        "https://[fe80::1]/x",
        "https://2130706433/x",
        f"https://push.example.org/{'x' * 1976}",
    ],
)
def test_a_browser_elsewhere_than_on_the_public_internet_is_refused(
    firm: Firm, platform: Platform, endpoint: str
) -> None:
    refused = firm.anna.post(SUBSCRIPTIONS, json=browser("x") | {"endpoint": endpoint})
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert refused.json()["errors"][0]["field"] == "endpoint"
    assert subscribed(platform) == {}


@ON_SQLITE
@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.0.1", "::1", "fd00::1", "64:ff9b::a00:1"])
def test_a_name_that_means_a_private_address_is_refused(firm: Firm, platform: Platform, address: str) -> None:
    outward = Outward(lambda *_: [("9.9.9.9", 443), (address, 443)])
    pushing.PUSHING.set(platform, Pushing(PushKey(platform.settings.data_dir), outward, None))
    refused = firm.anna.post(SUBSCRIPTIONS, json=browser("x", "https://push.example.org"))
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert "öffentlicher Push-Dienste" in refused.json()["message"]
    assert subscribed(platform) == {}


def _unknown(*_: object) -> list[tuple[str, int]]:
    raise OSError("unknown")


def test_a_name_that_cannot_be_looked_up_just_now_is_taken(firm: Firm, platform: Platform) -> None:
    """Each push resolves the name before it is sent."""
    pushing.PUSHING.set(platform, Pushing(PushKey(platform.settings.data_dir), Outward(_unknown), None))
    assert subscribe(firm.anna, "x") in subscribed(platform)


def test_a_resolver_that_takes_its_time_holds_nobody_up(
    firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = asyncio.Event()

    def slow(*_: object) -> list[tuple[str, int]]:
        until(answered.is_set)
        return [("9.9.9.9", 443)]

    monkeypatch.setattr(service, "RESOLVER_S", 0.05)
    pushing.PUSHING.set(platform, Pushing(PushKey(platform.settings.data_dir), Outward(slow), None))
    assert subscribe(firm.anna, "x") in subscribed(platform)
    answered.set()


@ON_SQLITE
def test_who_asks_for_names_that_nobody_answers_keeps_nobody_elses_browser_out(
    firm: Firm, platform: Platform, push_service: PushService
) -> None:
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(platform.bulkheads.names.permit())
        assert subscribe(firm.anna, "x") in subscribed(platform)


@ON_SQLITE
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"endpoint": "https://9.9.9.9/x"},
        {"endpoint": None, "keys": {"p256dh": "x", "auth": "y"}},
        {"endpoint": "https://9.9.9.9/x", "keys": {"p256dh": "x"}},
        {"endpoint": "https://9.9.9.9/x", "keys": "x"},
        {"endpoint": "https://9.9.9.9/\0", "keys": {"p256dh": "x", "auth": "y"}},
    ],
    ids=str,
)
def test_what_is_no_browser_is_malformed(firm: Firm, body: Any) -> None:
    assert firm.anna.post(SUBSCRIPTIONS, json=body).status_code == 422


def test_a_colleagues_browser_is_refused_and_another_companys_is_not_there(
    firm: Firm, world: World, platform: Platform, push_service: PushService
) -> None:
    path = f"{SUBSCRIPTIONS}/{subscribe(firm.anna, 'x')}"
    for colleague in (firm.ben, firm.boss):
        refused = colleague.delete(path)
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    for stranger in (world.firm("Andere").anna, world.founder):
        assert stranger.delete(path).status_code == 404
    assert firm.anna.delete(f"{SUBSCRIPTIONS}/{UNKNOWN}").status_code == 404
    assert firm.anna.delete(path).status_code == 204
    assert firm.anna.delete(path).status_code == 404
    assert subscribed(platform) == {}


def test_an_endpoint_stands_nowhere_in_the_open(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    push_service.answer(403)
    with capture_logs() as logs:
        subscribe(firm.anna, "very-secret")
        choose(firm.anna, push=ALL)
        send(platform, firm.anna)
        later(platform, clock)
    assert ("push_refused", HOST) in [(line["event"], line.get("host")) for line in logs]
    with platform.database.read(SYSTEM) as session:
        (row,) = session.scalars(select(PushSubscription))
        (task,) = session.scalars(select(OutboxRow))
    assert task.failed_at == clock.now()
    for text in (str(logs), str(row.endpoint), str(row.mark), task.payload):
        assert "secret" not in text


def test_the_same_browser_is_one_subscription_of_whoever_named_it_last(
    firm: Firm, world: World, platform: Platform, push_service: PushService
) -> None:
    first = subscribe(firm.anna, "shared")
    assert subscribe(firm.anna, "shared") == first
    assert subscribe(firm.ben, "shared") == first
    assert subscribed(platform) == {first: firm.ben.id}
    assert firm.anna.delete(f"{SUBSCRIPTIONS}/{first}").status_code == 403

    other_firm = world.firm("Andere")
    theirs = subscribe(other_firm.anna, "shared")
    until(lambda: subscribed(platform) == {theirs: other_firm.anna.id})
    ours = subscribe(firm.ben, "shared")
    until(lambda: len(subscribed(platform)) == 1)
    newest = max(theirs, ours)
    assert subscribed(platform) == {newest: firm.ben.id}


def test_of_more_than_twenty_browsers_the_one_that_was_named_longest_ago_goes(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    ids = []
    bens = subscribe(firm.ben, "ben")
    for number in range(20):
        ids.append(subscribe(firm.anna, str(number)))
        clock.advance(seconds=1)
    assert subscribe(firm.anna, "0") == ids[0]
    clock.advance(seconds=1)
    newest = subscribe(firm.anna, "one-more")
    assert subscribed(platform).keys() == {bens, newest, *ids} - {ids[1]}


def test_the_same_key_and_browser_give_the_same_answer(firm: Firm, push_service: PushService) -> None:
    keyed = {"headers": {"Idempotency-Key": "k"}}
    first = firm.anna.post(SUBSCRIPTIONS, json=browser("x"), **keyed)
    second_answer = firm.anna.post(SUBSCRIPTIONS, json=browser("x"), **keyed)
    assert (first.status_code, first.json()) == (second_answer.status_code, second_answer.json())
    assert firm.anna.post(SUBSCRIPTIONS, json=browser("y"), **keyed).status_code == 422


def _logs_out(world: World, firm: Firm) -> None:
    assert firm.anna.post("/api/logout").status_code == 204


def _logs_out_without_a_network(world: World, firm: Firm) -> None:
    body = {"sessions": [hashlib.sha256(firm.anna.token.encode()).hexdigest()]}
    assert world.client.post("/api/logout", json=body).status_code == 204


def _signs_out_everywhere(world: World, firm: Firm) -> None:
    assert firm.anna.delete("/api/auth/sessions").is_success


def _is_reset(world: World, firm: Firm) -> None:
    assert world.founder.put(f"/api/users/{firm.anna.id}/password-reset").status_code == 200


def _gets_another_role(world: World, firm: Firm) -> None:
    assert world.founder.put(f"/api/users/{firm.anna.id}", json={"role": "companyAdmin"}).status_code == 200


def _changes_the_password(world: World, firm: Firm) -> None:
    body = {"currentPassword": PASSWORD, "newPassword": "ein besseres Passwort"}
    assert firm.anna.put(f"/api/users/{firm.anna.id}/change-password", json=body).status_code == 200


Ending = Callable[[World, Firm], None]
OF_A_SESSION: list[Ending] = [_logs_out, _logs_out_without_a_network]
OF_ALL: list[Ending] = [
    _signs_out_everywhere,
    is_locked,
    _is_reset,
    is_deleted,
    _gets_another_role,
    _changes_the_password,
    loses_the_company,
]


@pytest.mark.parametrize("ending", OF_A_SESSION + OF_ALL)
def test_a_browser_ends_with_its_session(
    firm: Firm, world: World, platform: Platform, push_service: PushService, ending: Ending
) -> None:
    subscribe(firm.anna, "x")
    other_id = subscribe(world.firm("Andere").anna, "y")
    ending(world, firm)
    assert subscribed(platform).keys() == {other_id}


@pytest.mark.parametrize("ending", OF_A_SESSION)
def test_a_logout_ends_no_other_browser(
    firm: Firm, world: World, platform: Platform, push_service: PushService, ending: Ending
) -> None:
    subscribe(firm.anna, "desk")
    phone = subscribe(world.again(firm.anna), "phone")
    bens = subscribe(firm.ben, "ben")
    ending(world, firm)
    assert subscribed(platform).keys() == {phone, bens}


@pytest.mark.parametrize("ending", [is_locked, _is_reset, is_deleted, _gets_another_role, loses_the_company])
def test_the_end_of_all_access_ends_browsers_whose_session_is_over_too(
    firm: Firm, world: World, platform: Platform, push_service: PushService, clock: SettableClock, ending: Ending
) -> None:
    subscribe(firm.anna, "x")
    clock.advance(hours=3)
    assert len(subscribed(platform)) == 1, "a session's time does not end what was chosen"
    world.founder = world.again(world.founder)
    firm.boss = world.again(firm.boss)
    ending(world, firm)
    assert subscribed(platform) == {}


def test_a_password_chosen_after_a_reset_ends_what_was_subscribed(
    firm: Firm, world: World, platform: Platform, push_service: PushService, login: LoginClient
) -> None:
    """Choosing a password has no session, and no company yet."""
    password = world.founder.put(f"/api/users/{firm.anna.id}/password-reset").json()["password"]
    subscribe(world.again(firm.anna), "x")
    token = login.step(firm.anna, "password_change", password)
    assert login.choose(token, "ein neues Passwort").status_code == 200
    assert subscribed(platform) == {}


def test_who_is_deleted_has_chosen_nothing_any_more(firm: Firm, platform: Platform) -> None:
    choose(firm.anna, push=ALL)
    choose(firm.ben, push={"schedule": True})
    is_deleted(firm.world, firm)
    with platform.database.read(SYSTEM) as session:
        assert set(session.scalars(select(NoticeChoice.user_id))) == {firm.ben.id}
