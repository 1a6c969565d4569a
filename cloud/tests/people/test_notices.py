"""Notices beside the inbox: of what one has chosen, to one's own browsers and address, without content."""

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import trustme
from fastapi.testclient import TestClient
from sqlalchemy import delete, select
from stempelwerk_cloud.kit import outbox
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM
from stempelwerk_cloud.kit.outbox import OutboxRow
from stempelwerk_cloud.kit.outward import Outward
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.notices import pushing, service
from stempelwerk_cloud.people.notices.kinds import KINDS
from stempelwerk_cloud.people.notices.pushing import Pushing
from stempelwerk_cloud.people.notices.tables import NoticeChoice, PushSubscription
from stempelwerk_cloud.people.notices.vapid import PushKey
from stempelwerk_cloud.people.work import Work, working
from structlog.testing import capture_logs

from cloud.tests.knocking import Knocker, link
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.people.notices_calls import UNKNOWN, browser
from cloud.tests.people.push_service import HOST, PushService
from cloud.tests.settable_clock import SettableClock
from cloud.tests.waiting import until
from cloud.tests.world import PASSWORD, Firm, Somebody, World

CHOICES, SUBSCRIPTIONS = "/api/notifications", "/api/push/subscriptions"
NONE = dict.fromkeys(KINDS, False)
ALL = dict.fromkeys(KINDS, True)
ANNA = "anna@holzmann.de"


@pytest.fixture(scope="module")
def running() -> Iterator[PushService]:
    service = PushService(trustme.CA())
    service.start()
    yield service
    service.stop()


@pytest.fixture
def push_service(running: PushService, platform: Platform) -> PushService:
    """The push service that all notices of the test go to, wherever their endpoints are."""
    running.empty()
    key = PushKey(platform.settings.data_dir)
    platform.state[pushing.STATE] = Pushing(key, running.outward(), None)
    return running


def _choose(who: Somebody, **wanted: Any) -> dict[str, Any]:
    answer = who.put(CHOICES, json=wanted)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def _subscribe(who: Somebody, name: str, host: str = f"https://{HOST}") -> str:
    answer = who.post(SUBSCRIPTIONS, json=browser(name, host))
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def _send(platform: Platform, to: Somebody, type_: str = "schedule") -> None:
    with working(platform, SYSTEM) as work:
        messages.send(work, to.company_id, [to.id], type_, "Titel: geheim", "Inhalt: geheim")


def _later(platform: Platform, clock: SettableClock, **how_long: float) -> None:
    """Lets the time pass, and everything be done that is due by then."""
    clock.advance(**(how_long or {"minutes": 1}))
    outbox.once(platform)
    until(lambda: not _due(platform))


def _due(platform: Platform) -> list[str]:
    """What is to be done now, or is being done."""
    with platform.database.read(SYSTEM) as session:
        rows = session.scalars(select(OutboxRow).where(OutboxRow.failed_at.is_(None)))
        return [row.kind for row in rows if row.leased_until is not None or row.due_at <= platform.clock.now()]


def _planned(platform: Platform) -> list[str]:
    """The notices that wait."""
    with platform.database.read(SYSTEM) as session:
        kinds = session.scalars(select(OutboxRow.kind).where(OutboxRow.failed_at.is_(None)))
        return sorted(kind for kind in kinds if kind != "notices.moved")


def _subscribed(platform: Platform) -> dict[str, str]:
    """Whose each subscription is."""
    with platform.database.read(SYSTEM) as session:
        return {row.id: row.user_id for row in session.scalars(select(PushSubscription))}


def test_without_a_session_nothing_is_chosen_and_nothing_subscribed(client: TestClient) -> None:
    for answer in (
        client.get(CHOICES),
        client.put(CHOICES, json={"push": ALL}),
        client.post(SUBSCRIPTIONS, json=browser("x")),
        client.delete(f"{SUBSCRIPTIONS}/{UNKNOWN}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")


def test_at_first_nobody_is_noticed_of_anything(firm: Firm, world: World, platform: Platform) -> None:
    for who in (firm.anna, firm.boss, world.founder):
        told = who.get(CHOICES).json()
        assert told == {
            "push": NONE,
            "mail": NONE,
            "publicKey": PushKey(platform.settings.data_dir).public,
            "mailAddress": None,
            "pushAvailable": True,
            "mailAvailable": False,
        }


def test_what_is_chosen_is_kept_what_is_left_out_stays_and_nobody_else_is_concerned(firm: Firm, world: World) -> None:
    other = world.firm("Andere")
    assert _choose(firm.anna, push={"schedule": True, "handoff": True})["push"] == NONE | {
        "schedule": True,
        "handoff": True,
    }
    assert _choose(firm.anna, push={"handoff": False, "decisions": None})["push"] == NONE | {"schedule": True}
    assert _choose(firm.anna) == firm.anna.get(CHOICES).json()
    assert _choose(firm.anna, push=None, mail={"schedule": False})["push"] == NONE | {"schedule": True}
    whole = firm.anna.get(CHOICES).json()
    assert _choose(firm.anna, **whole) == whole
    for stranger in (firm.ben, firm.boss, other.anna):
        assert stranger.get(CHOICES).json()["push"] == NONE


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
    told = _choose(firm.anna, mail={"schedule": True})
    assert (told["mail"], told["mailAddress"]) == (NONE | {"schedule": True}, "a…@holzmann.de")
    assert (told["mailAvailable"], ANNA in str(told)) == (True, False)


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
    assert _subscribed(platform) == {}


@pytest.mark.parametrize("address", ["127.0.0.1", "192.168.0.1", "::1", "fd00::1", "64:ff9b::a00:1"])
def test_a_name_that_means_a_private_address_is_refused(firm: Firm, platform: Platform, address: str) -> None:
    outward = Outward(lambda *_: [("9.9.9.9", 443), (address, 443)])
    platform.state[pushing.STATE] = Pushing(PushKey(platform.settings.data_dir), outward, None)
    refused = firm.anna.post(SUBSCRIPTIONS, json=browser("x", "https://push.example.org"))
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")
    assert "öffentlicher Push-Dienste" in refused.json()["message"]
    assert _subscribed(platform) == {}


def _unknown(*_: object) -> list[tuple[str, int]]:
    raise OSError("unknown")


def test_a_name_that_cannot_be_looked_up_just_now_is_taken(firm: Firm, platform: Platform) -> None:
    """Nothing is sent there before it was looked up."""
    platform.state[pushing.STATE] = Pushing(PushKey(platform.settings.data_dir), Outward(_unknown), None)
    assert _subscribe(firm.anna, "x") in _subscribed(platform)


def test_a_resolver_that_takes_its_time_holds_nobody_up(
    firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = asyncio.Event()

    def slow(*_: object) -> list[tuple[str, int]]:
        until(answered.is_set)
        return [("9.9.9.9", 443)]

    monkeypatch.setattr(service, "RESOLVER_S", 0.05)
    platform.state[pushing.STATE] = Pushing(PushKey(platform.settings.data_dir), Outward(slow), None)
    assert _subscribe(firm.anna, "x") in _subscribed(platform)
    answered.set()


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
    path = f"{SUBSCRIPTIONS}/{_subscribe(firm.anna, 'x')}"
    for colleague in (firm.ben, firm.boss):
        refused = colleague.delete(path)
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    for stranger in (world.firm("Andere").anna, world.founder):
        assert stranger.delete(path).status_code == 404
    assert firm.anna.delete(f"{SUBSCRIPTIONS}/{UNKNOWN}").status_code == 404
    assert firm.anna.delete(path).status_code == 204
    assert firm.anna.delete(path).status_code == 404
    assert _subscribed(platform) == {}


def test_an_endpoint_stands_nowhere_in_the_open(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    push_service.answer(403)
    with capture_logs() as logs:
        _subscribe(firm.anna, "very-secret")
        _choose(firm.anna, push=ALL)
        _send(platform, firm.anna)
        _later(platform, clock)
    assert ("push_refused", HOST) in [(line["event"], line.get("host")) for line in logs]
    with platform.database.read(SYSTEM) as session:
        (row,) = session.scalars(select(PushSubscription))
        (task,) = session.scalars(select(OutboxRow))
    assert task.failed_at == clock.now()
    for said in (str(logs), str(row.endpoint), str(row.mark), task.payload):
        assert "secret" not in said


def test_the_same_browser_is_one_subscription_of_whoever_named_it_last(
    firm: Firm, world: World, platform: Platform, push_service: PushService
) -> None:
    first = _subscribe(firm.anna, "shared")
    assert _subscribe(firm.anna, "shared") == first
    assert _subscribe(firm.ben, "shared") == first
    assert _subscribed(platform) == {first: firm.ben.id}
    assert firm.anna.delete(f"{SUBSCRIPTIONS}/{first}").status_code == 403

    other = world.firm("Andere")
    theirs = _subscribe(other.anna, "shared")
    until(lambda: _subscribed(platform) == {theirs: other.anna.id})
    ours = _subscribe(firm.ben, "shared")
    until(lambda: len(_subscribed(platform)) == 1)
    newest = max(theirs, ours)
    assert _subscribed(platform) == {newest: firm.ben.id}


def test_of_more_than_twenty_browsers_the_one_that_was_named_longest_ago_goes(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    ids = []
    bens = _subscribe(firm.ben, "ben")
    for number in range(20):
        ids.append(_subscribe(firm.anna, str(number)))
        clock.advance(seconds=1)
    assert _subscribe(firm.anna, "0") == ids[0]
    clock.advance(seconds=1)
    newest = _subscribe(firm.anna, "one-more")
    assert _subscribed(platform).keys() == {bens, newest, *ids} - {ids[1]}


def test_the_same_key_and_browser_give_the_same_answer(firm: Firm, push_service: PushService) -> None:
    keyed = {"headers": {"Idempotency-Key": "k"}}
    first = firm.anna.post(SUBSCRIPTIONS, json=browser("x"), **keyed)
    again = firm.anna.post(SUBSCRIPTIONS, json=browser("x"), **keyed)
    assert (first.status_code, first.json()) == (again.status_code, again.json())
    assert firm.anna.post(SUBSCRIPTIONS, json=browser("y"), **keyed).status_code == 422


def _logs_out(world: World, firm: Firm) -> None:
    assert firm.anna.post("/api/logout").status_code == 204


def _logs_out_without_a_network(world: World, firm: Firm) -> None:
    left = {"sessions": [hashlib.sha256(firm.anna.token.encode()).hexdigest()]}
    assert world.client.post("/api/logout", json=left).status_code == 204


def _signs_out_everywhere(world: World, firm: Firm) -> None:
    assert firm.anna.delete("/api/auth/sessions").is_success


def _is_locked(world: World, firm: Firm) -> None:
    assert world.founder.put(f"/api/users/{firm.anna.id}/lock").status_code == 200


def _is_reset(world: World, firm: Firm) -> None:
    assert world.founder.put(f"/api/users/{firm.anna.id}/password-reset").status_code == 200


def _is_deleted(world: World, firm: Firm) -> None:
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204


def _gets_another_role(world: World, firm: Firm) -> None:
    assert world.founder.put(f"/api/users/{firm.anna.id}", json={"role": "companyAdmin"}).status_code == 200


def _changes_the_password(world: World, firm: Firm) -> None:
    body = {"currentPassword": PASSWORD, "newPassword": "ein besseres Passwort"}
    assert firm.anna.put(f"/api/users/{firm.anna.id}/change-password", json=body).status_code == 200


def _loses_the_company(world: World, firm: Firm) -> None:
    assert world.founder.delete(f"/api/companies/{firm.id}").status_code == 204


Ending = Callable[[World, Firm], None]
OF_A_SESSION: list[Ending] = [_logs_out, _logs_out_without_a_network]
OF_ALL: list[Ending] = [
    _signs_out_everywhere,
    _is_locked,
    _is_reset,
    _is_deleted,
    _gets_another_role,
    _changes_the_password,
    _loses_the_company,
]


@pytest.mark.parametrize("ending", OF_A_SESSION + OF_ALL)
def test_a_browser_ends_with_its_session(
    firm: Firm, world: World, platform: Platform, push_service: PushService, ending: Ending
) -> None:
    _subscribe(firm.anna, "x")
    other = _subscribe(world.firm("Andere").anna, "y")
    ending(world, firm)
    assert _subscribed(platform).keys() == {other}


@pytest.mark.parametrize("ending", OF_A_SESSION)
def test_a_logout_ends_no_other_browser(
    firm: Firm, world: World, platform: Platform, push_service: PushService, ending: Ending
) -> None:
    _subscribe(firm.anna, "desk")
    phone = _subscribe(world.again(firm.anna), "phone")
    bens = _subscribe(firm.ben, "ben")
    ending(world, firm)
    assert _subscribed(platform).keys() == {phone, bens}


@pytest.mark.parametrize("ending", [_is_locked, _is_reset, _is_deleted, _gets_another_role, _loses_the_company])
def test_the_end_of_all_access_ends_browsers_whose_session_is_over_too(
    firm: Firm, world: World, platform: Platform, push_service: PushService, clock: SettableClock, ending: Ending
) -> None:
    _subscribe(firm.anna, "x")
    clock.advance(hours=3)
    assert len(_subscribed(platform)) == 1, "a session's time does not end what was chosen"
    world.founder = world.again(world.founder)
    firm.boss = world.again(firm.boss)
    ending(world, firm)
    assert _subscribed(platform) == {}


def test_a_password_chosen_after_a_reset_ends_what_was_subscribed(
    firm: Firm, world: World, platform: Platform, push_service: PushService, door: Knocker
) -> None:
    """Who chooses it has no session, and no company yet."""
    password = world.founder.put(f"/api/users/{firm.anna.id}/password-reset").json()["password"]
    _subscribe(world.again(firm.anna), "x")
    token = door.step(firm.anna, "password_change", password)
    assert door.choose(token, "ein neues Passwort").status_code == 200
    assert _subscribed(platform) == {}


def test_who_is_deleted_has_chosen_nothing_any_more(firm: Firm, platform: Platform) -> None:
    _choose(firm.anna, push=ALL)
    _choose(firm.ben, push={"schedule": True})
    _is_deleted(firm.world, firm)
    with platform.database.read(SYSTEM) as session:
        assert set(session.scalars(select(NoticeChoice.user_id))) == {firm.ben.id}


def test_a_push_says_that_there_is_a_message_a_minute_later(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    _subscribe(firm.anna, "desk")
    _subscribe(firm.anna, "phone")
    _subscribe(firm.ben, "ben")
    _choose(firm.anna, push={"schedule": True})
    _send(platform, firm.anna)
    _later(platform, clock, seconds=59)
    assert push_service.requests == []
    _later(platform, clock, seconds=1)
    assert sorted(path for path, _ in push_service.requests) == ["/push/desk", "/push/phone"]
    assert {said["body"] for _, said in push_service.requests} == {""}
    _later(platform, clock, hours=1)
    assert len(push_service.requests) == 2


def test_messages_within_a_minute_are_one_notice(
    firm: Firm, platform: Platform, push_service: PushService, mailbox: Mailbox, clock: SettableClock
) -> None:
    link(platform, firm.anna, ANNA)
    _subscribe(firm.anna, "desk")
    _choose(firm.anna, push=ALL, mail=ALL)
    for type_ in ("schedule", "handoff", "booking", "vacation_response"):
        _send(platform, firm.anna, type_)
        clock.advance(seconds=15)
    _later(platform, clock, seconds=0)
    assert (len(push_service.requests), len(mailbox.mails), _planned(platform)) == (1, 1, [])
    _send(platform, firm.anna)
    _later(platform, clock)
    assert (len(push_service.requests), len(mailbox.mails)) == (2, 2)


def test_a_mail_names_its_reader_and_how_to_end_it_and_nothing_of_the_message(
    firm: Firm, platform: Platform, mailbox: Mailbox, clock: SettableClock
) -> None:
    platform.settings = platform.settings.model_copy(update={"public_url": "https://zeit.example.org"})
    link(platform, firm.anna, ANNA)
    _choose(firm.anna, mail={"schedule": True})
    _send(platform, firm.anna)
    with platform.database.read(SYSTEM) as session:
        (planned,) = session.scalars(select(OutboxRow.id))
    _later(platform, clock)
    ((recipients, mail),) = mailbox.mails
    assert (recipients, mail["Subject"]) == ([ANNA], "Neue Nachricht in Stempelwerk")
    assert mail["Message-ID"] == f"<{planned}@example.org>"
    for form in ("plain", "html"):
        said = text_of(mail, form)
        assert "Hallo anna," in said
        assert "https://zeit.example.org" in said
        assert "schaltest du sie" in said
        assert "geheim" not in said


def test_a_mail_that_is_sent_again_is_recognised_by_its_id(
    firm: Firm, platform: Platform, mailbox: Mailbox, clock: SettableClock
) -> None:
    link(platform, firm.anna, ANNA)
    _choose(firm.anna, mail=ALL)
    mailbox.refusal = "451 not now"
    _send(platform, firm.anna)
    _later(platform, clock)
    assert (mailbox.mails, _planned(platform)) == ([], ["notices.mail"])
    with platform.database.read(SYSTEM) as session:
        (planned,) = session.scalars(select(OutboxRow.id))
    mailbox.refusal = None
    _later(platform, clock, minutes=2)
    assert [mail["Message-ID"] for _, mail in mailbox.mails] == [f"<{planned}@example.org>"]


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
    for who, theirs in ((firm.anna, kind), (firm.boss, administrators)):
        _subscribe(who, who.username)
        _choose(who, push=ALL | {theirs: False})
        _send(platform, who, type_)
        assert _planned(platform) == []
        _choose(who, push=NONE | {theirs: True})
        _send(platform, who, type_)
        assert _planned(platform) == ["notices.push"]
        with platform.database.write(SYSTEM) as session:
            session.execute(delete(OutboxRow))


def test_who_has_chosen_nothing_is_not_noticed_and_who_has_no_browser_neither(
    firm: Firm, platform: Platform, push_service: PushService
) -> None:
    _subscribe(firm.anna, "x")
    _choose(firm.ben, push=ALL)
    for who in (firm.anna, firm.ben):
        _send(platform, who)
    assert _planned(platform) == []


def _reads_it(firm: Firm) -> None:
    ids = [row["id"] for row in firm.anna.get("/api/messages").json()]
    assert firm.anna.post("/api/messages/read", json={"ids": ids}).status_code == 204


def _wants_it_no_more(firm: Firm) -> None:
    _choose(firm.anna, push=NONE, mail=NONE)


def _is_gone(firm: Firm) -> None:
    _is_deleted(firm.world, firm)


def _is_kept_out(firm: Firm) -> None:
    _is_locked(firm.world, firm)


def _is_closed(firm: Firm) -> None:
    _loses_the_company(firm.world, firm)


@pytest.mark.parametrize("meanwhile", [_reads_it, _wants_it_no_more, _is_gone, _is_kept_out, _is_closed])
def test_what_is_no_use_any_more_is_not_sent(
    firm: Firm,
    platform: Platform,
    push_service: PushService,
    mailbox: Mailbox,
    clock: SettableClock,
    meanwhile: Callable[[Firm], None],
) -> None:
    link(platform, firm.anna, ANNA)
    _subscribe(firm.anna, "x")
    _choose(firm.anna, push=ALL, mail=ALL)
    _send(platform, firm.anna)
    assert _planned(platform) == ["notices.mail", "notices.push"]
    meanwhile(firm)
    _later(platform, clock)
    assert (push_service.requests, mailbox.mails, _planned(platform)) == ([], [], [])


def test_a_browser_that_the_push_service_no_longer_knows_is_forgotten(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    _subscribe(firm.anna, "x")
    _choose(firm.anna, push=ALL)
    push_service.answer(410)
    _send(platform, firm.anna)
    _later(platform, clock)
    assert (_subscribed(platform), _planned(platform)) == ({}, [])


def test_one_push_service_that_is_down_holds_no_other_browser_up(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    def find(host: str, port: int) -> list[tuple[str, int]]:
        return [("127.0.0.1", 1)] if host == "down.example.org" else push_service.find(host, port)

    key = PushKey(platform.settings.data_dir)
    platform.state[pushing.STATE] = Pushing(key, push_service.outward(find=find), None)
    for number in range(3):
        _subscribe(firm.anna, f"down-{number}", "https://down.example.org")
    _subscribe(firm.anna, "up")
    _choose(firm.anna, push=ALL)
    _send(platform, firm.anna)
    _later(platform, clock)
    assert [path for path, _ in push_service.requests] == ["/push/up"]
    assert _planned(platform) == ["notices.push"] * 3


def test_a_busy_push_service_is_asked_again_when_it_says(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    _subscribe(firm.anna, "x")
    _choose(firm.anna, push=ALL)
    push_service.answer(429, {"Retry-After": "600"})
    _send(platform, firm.anna)
    _later(platform, clock)
    with platform.database.read(SYSTEM) as session:
        (due,) = session.scalars(select(OutboxRow.due_at))
    assert due == clock.now() + timedelta(seconds=600)
    push_service.answer(201)
    _later(platform, clock, seconds=600)
    assert (len(push_service.requests), _planned(platform)) == (2, [])


def test_a_name_that_has_come_to_mean_a_private_address_is_not_called(
    firm: Firm, platform: Platform, push_service: PushService, clock: SettableClock
) -> None:
    key = PushKey(platform.settings.data_dir)
    platform.state[pushing.STATE] = Pushing(key, Outward(lambda *_: [("9.9.9.9", 443)]), None)
    _subscribe(firm.anna, "x", "https://rebinding.example.org")
    _choose(firm.anna, push=ALL)
    platform.state[pushing.STATE] = Pushing(key, Outward(push_service.find), None)
    _send(platform, firm.anna)
    _later(platform, clock)
    with platform.database.read(SYSTEM) as session:
        (failed,) = session.scalars(select(OutboxRow.failed_at))
    assert (failed, push_service.requests, push_service.asked) == (clock.now(), [], ["rebinding.example.org"])


def test_a_clocks_message_is_noticed_too(
    firm: Firm, platform: Platform, push_service: PushService, mailbox: Mailbox, clock: SettableClock
) -> None:
    link(platform, firm.boss, "chefin@holzmann.de")
    _subscribe(firm.boss, "x")
    _choose(firm.boss, push={"requests": True}, mail={"requests": True})
    with platform.database.write(DEVICES) as session:
        messages.send(Work(session, platform), firm.id, [firm.boss.id], "request", "Korrektur", "Eine Korrektur.")
    _later(platform, clock)
    assert (len(push_service.requests), len(mailbox.mails)) == (1, 1)
