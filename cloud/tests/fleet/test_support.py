"""Support: messages and answers of companies, the operator's view, and notifications."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select
from stempelwerk_cloud.fleet.support.room import ROOM
from stempelwerk_cloud.fleet.support.tables import SupportMessage, SupportReply
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.databases import ON_BOTH
from cloud.tests.fleet.support_calls import ASKED
from cloud.tests.mailbox import Mailbox, text_of
from cloud.tests.people.noticing import later
from cloud.tests.room import Told, inbox
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import listening
from cloud.tests.world import Firm, Somebody, World

PATH = "/api/support/messages"


@pytest.fixture
def root(world: World) -> Somebody:
    return world.admin()


def _own_messages(firm: Firm) -> list[dict[str, Any]]:
    return list(firm.boss.get(f"/api/companies/{firm.id}/support/messages").json())


def _ask(firm: Firm, **fields: Any) -> str:
    answer = firm.boss.post(PATH, json=ASKED | fields)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"subject": " "}, "subject", "Bitte Betreff und Nachricht ausfüllen."),
        ({"message": "\n"}, "message", "Bitte Betreff und Nachricht ausfüllen."),
        ({"subject": "x" * 201}, "subject", "Zu lang (höchstens 200 Zeichen)."),
        ({"category": "praise"}, "category", "Unbekannter Wert."),
        ({"priority": "now"}, "priority", "Unbekannter Wert."),
        ({"contactEmail": "ina@"}, "contactEmail", "Keine gültige E-Mail-Adresse."),
        ({"includeLogs": "yes"}, "includeLogs", "Wahrheitswert erwartet."),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_kept(
    firm: Firm, change: dict[str, Any], field: str, message: str
) -> None:
    answer = firm.boss.post(PATH, json=ASKED | change)
    assert answer.status_code == 422
    assert answer.json()["errors"] == [{"field": field, "message": message}]
    assert _own_messages(firm) == []


@pytest.mark.parametrize("change", [{"subject": " "}, {"message": ""}, {"subject": None}])
def test_a_message_without_subject_or_text_is_refused_with_the_form_s_sentence(
    firm: Firm, change: dict[str, Any]
) -> None:
    body = {name: value for name, value in (ASKED | change).items() if value is not None}
    refused = firm.boss.post(PATH, json=body)
    assert (refused.status_code, refused.json()["message"]) == (422, "Bitte Betreff und Nachricht ausfüllen.")
    assert _own_messages(firm) == []


def test_a_company_asks_and_answers_thirty_times_in_ten_minutes_and_the_operator_answers_on(
    firm: Firm, root: Somebody
) -> None:
    responses = [firm.boss.post(PATH, json=ASKED) for _ in range(31)]
    assert [answer.status_code for answer in responses] == [201] * 30 + [429]
    assert int(responses[-1].headers["retry-after"]) > 0
    thread = f"{PATH}/{responses[0].json()['id']}/replies"
    for caller, answers in ((firm.boss, [201] * 30 + [429]), (root, [201] * 31)):
        assert [caller.post(thread, json={"message": "Ja."}).status_code for _ in range(31)] == answers


@ON_BOTH
@pytest.mark.parametrize("status", ["", "all"])
def test_an_empty_filter_leaves_out_nothing(firm: Firm, root: Somebody, status: str) -> None:
    ids = [_ask(firm) for _ in range(2)]
    assert root.put(f"{PATH}/{ids[0]}", json={"status": "closed"}).status_code == 200
    answer = root.get(f"{PATH}?status={status}&withLogs=true&logsLimit=100")
    assert {row["id"] for row in answer.json()} >= set(ids)
    unknown = root.get(f"{PATH}?status=gone").json()
    assert unknown["errors"] == [{"field": "status", "message": "Unbekannter Wert."}]


def test_administrators_cannot_ask_read_or_answer_for_another_company(firm: Firm, world: World) -> None:
    theirs = _ask(firm)
    stranger = world.firm("Nachbar & Söhne").boss
    assert stranger.post(PATH, json=ASKED | {"companyId": firm.id}).status_code == 404
    assert stranger.get(f"/api/companies/{firm.id}/support/messages").status_code == 404
    assert stranger.post(f"{PATH}/{theirs}/replies", json={"message": "Ich auch"}).status_code == 404
    assert stranger.get(f"/api/companies/{stranger.company_id}/support/messages").json() == []
    assert firm.anna.post(PATH, json=ASKED).status_code == 403


def test_missing_fields_have_defaults_and_an_empty_address_counts_as_missing(firm: Firm, root: Somebody) -> None:
    _ask(firm, contactEmail=" ", companyId=firm.id)
    (row,) = root.get(PATH).json()
    assert {name: row[name] for name in ("category", "priority", "includeLogs", "contactEmail", "status")} == {
        "category": "question",
        "priority": "normal",
        "includeLogs": True,
        "contactEmail": None,
        "status": "open",
    }
    assert (row["companyName"], row["subject"]) == (firm.name, ASKED["subject"])


@ON_BOTH
def test_the_operator_sees_all_companies_newest_first_by_status(firm: Firm, world: World, root: Somebody) -> None:
    first = _ask(firm)
    second = _ask(world.firm("Nachbar & Söhne"))
    assert [row["id"] for row in root.get(PATH, params={"status": "open"}).json()] == [second, first]
    assert root.put(f"{PATH}/{first}", json={"status": "closed"}).json()["status"] == "closed"
    assert [row["id"] for row in root.get(PATH, params={"status": "open"}).json()] == [second]
    assert [row["id"] for row in root.get(PATH, params={"status": "closed"}).json()] == [first]
    assert root.get(PATH, params={"status": "lost"}).status_code == 422


def test_both_see_one_thread_and_the_operator_s_author_stays_unnamed(firm: Firm, root: Somebody) -> None:
    message_id = _ask(firm)
    root.post(f"{PATH}/{message_id}/replies", json={"message": "Ist der Stecker drin?"})
    firm.boss.post(f"{PATH}/{message_id}/replies", json={"message": "Ja."})
    thread = [(row["by"], row["message"]) for row in _own_messages(firm)[0]["replies"]]
    assert thread == [("Support", "Ist der Stecker drin?"), (firm.boss.username, "Ja.")]
    assert [(row["by"], row["message"]) for row in root.get(PATH).json()[0]["replies"]] == thread
    assert inbox(firm.boss, "support") == [
        Told("support", "Antwort vom Support", "Uhr ohne Ton: Ist der Stecker drin?", {"messageId": message_id})
    ]


def test_an_answer_of_the_company_reopens_the_thread(firm: Firm, root: Somebody) -> None:
    message_id = _ask(firm)
    root.put(f"{PATH}/{message_id}", json={"status": "closed"})
    firm.boss.post(f"{PATH}/{message_id}/replies", json={"message": "Doch nicht."})
    assert _own_messages(firm)[0]["status"] == "open"


@ON_BOTH
def test_threads_of_a_closed_company_are_closed(firm: Firm, root: Somebody) -> None:
    message_ids = {_ask(firm), _ask(firm)}
    assert root.put(f"{PATH}/{min(message_ids)}", json={"status": "in_progress"}).status_code == 200
    assert root.delete(f"/api/companies/{firm.id}").status_code == 204
    assert {(row["id"], row["status"]) for row in root.get(PATH).json()} == {
        (message_id, "closed") for message_id in message_ids
    }


@ON_BOTH
def test_changes_of_a_thread_are_published_to_its_company_and_the_operator_only(
    app: FastAPI, firm: Firm, world: World, root: Somebody
) -> None:
    stranger = world.firm("Nachbar & Söhne").boss

    async def story() -> None:
        async with AsyncExitStack() as stack:
            ours, operators, theirs = [
                await stack.enter_async_context(listening(app, "/api/events", caller.headers))
                for caller in (firm.boss, root, stranger)
            ]
            message_id = await asyncio.to_thread(_ask, firm)
            for stream in (ours, operators):
                assert (await stream.next()).data["type"] == "support_update"
            answered = await asyncio.to_thread(root.post, f"{PATH}/{message_id}/replies", json={"message": "Ja."})
            assert answered.status_code == 201
            assert (await operators.next()).data["type"] == "support_update"
            await asyncio.to_thread(_ask_of, stranger)
            assert (await theirs.next()).data["type"] == "support_update"
            assert (await operators.next()).data["type"] == "support_update"

    asyncio.run(story())


def _ask_of(caller: Somebody) -> None:
    assert caller.post(PATH, json=ASKED).status_code == 201


@ON_BOTH
def test_the_answer_goes_by_mail_to_the_address_that_was_given(
    platform: Platform, mailbox: Mailbox, firm: Firm, root: Somebody, clock: SettableClock
) -> None:
    _ask(firm)
    message_id = _ask(firm, contactEmail="chef@holm.example", subject="Uhr\nohne Ton")
    root.post(f"{PATH}/{message_id}/replies", json={"message": "Ist <der> Stecker drin?"})
    later(platform, clock, seconds=0)
    ((address, mail),) = mailbox.mails
    assert (address, mail["Subject"]) == (["chef@holm.example"], "Re: Uhr ohne Ton")
    assert "Ist <der> Stecker drin?" in text_of(mail)
    assert "Ist &lt;der&gt; Stecker drin?" in text_of(mail, "html")


def test_messages_go_after_two_years_with_their_answers(
    platform: Platform, firm: Firm, root: Somebody, clock: SettableClock
) -> None:
    message_id = _ask(firm)
    root.post(f"{PATH}/{message_id}/replies", json={"message": "Erledigt."})
    (keep,) = ROOM.retention_rules
    for days, expected_count in ((731, 1), (2, 0)):
        clock.advance(days=days)
        with platform.database.write(SYSTEM) as tx:
            keep.remove(tx, platform.clock.now())
        with platform.database.read(SYSTEM) as tx:
            counts = [tx.scalar(select(func.count()).select_from(table)) for table in (SupportMessage, SupportReply)]
            assert counts == [expected_count, expected_count]
