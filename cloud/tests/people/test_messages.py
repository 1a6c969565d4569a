"""The inbox: each person's own, newest first, and read once."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import func, select
from stempelwerk_cloud.kit.database.scopes import DEVICES, SYSTEM, Scope, of_company
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.messages import service
from stempelwerk_cloud.people.messages.tables import Message
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

from cloud.tests.databases import ON_BOTH, ON_SQLITE
from cloud.tests.paging import pages
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import listening
from cloud.tests.world import Firm, Somebody, World

INBOX = "/api/messages"
UNKNOWN = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"


def _send(platform: Platform, *recipients: Somebody, title: str = "Dienstplan", **payload: Any) -> None:
    with unit_of_work(platform, SYSTEM) as work:
        service.send(
            work,
            recipients[0].company_id,
            [recipient.id for recipient in recipients],
            "schedule",
            title,
            "Neue Dienste.",
            payload,
        )


def _inbox(person: Somebody) -> list[dict[str, Any]]:
    answer = person.get(INBOX)
    assert answer.status_code == 200, answer.text
    rows: list[dict[str, Any]] = answer.json()
    return rows


def _titles(person: Somebody) -> list[str]:
    return [row["title"] for row in _inbox(person)]


def test_nobody_sees_what_others_were_told(firm: Firm, world: World, platform: Platform) -> None:
    other_firm = world.firm("Andere")
    _send(platform, firm.anna)
    for stranger in (firm.ben, firm.boss, other_firm.anna, other_firm.boss, world.founder):
        assert _inbox(stranger) == []
    assert len(_inbox(firm.anna)) == 1


def test_a_message_is_there_as_it_was_sent(firm: Firm, platform: Platform, clock: SettableClock) -> None:
    payload = {"status": "approved", "startDate": "2026-12-01", "endDate": "2026-12-04", "kind": "vacation"}
    with unit_of_work(platform, SYSTEM) as work:
        service.send(work, firm.id, [firm.anna.id], "vacation_response", "Urlaub", "Genehmigt: ÄÖÜ €", payload)
    (row,) = _inbox(firm.anna)
    assert row == {
        "id": row["id"],
        "type": "vacation_response",
        "title": "Urlaub",
        "body": "Genehmigt: ÄÖÜ €",
        "createdAt": "2026-11-20T08:00:00.000Z",
        "payload": payload,
    }


def test_an_unknown_type_is_a_mistake_and_nobody_at_all_is_none(firm: Firm, platform: Platform) -> None:
    with unit_of_work(platform, SYSTEM) as work:
        with pytest.raises(ValueError, match="greeting"):
            service.send(work, firm.id, [firm.anna.id], "greeting", "Hallo", "Hallo")
        service.send(work, firm.id, [], "schedule", "Dienstplan", "Neue Dienste.")
    assert _inbox(firm.anna) == []


def test_a_title_fits_a_line(firm: Firm, platform: Platform) -> None:
    _send(platform, firm.anna, title="ä" * 200)
    _send(platform, firm.anna, title="ä" * 201)
    assert _titles(firm.anna) == ["ä" * 199 + "…", "ä" * 200]


def test_who_is_named_twice_is_told_once(firm: Firm, platform: Platform) -> None:
    _send(platform, firm.anna, firm.ben, firm.anna)
    assert (len(_inbox(firm.anna)), len(_inbox(firm.ben))) == (1, 1)


def test_what_is_read_leaves_the_inbox_and_reading_it_again_changes_nothing(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    for title in "abc":
        _send(platform, firm.anna, title=title)
    middle = _inbox(firm.anna)[1]["id"]
    for _ in range(2):
        answer = firm.anna.post(f"{INBOX}/{middle}/read")
        assert (answer.status_code, answer.content) == (204, b"")
        assert _titles(firm.anna) == ["c", "a"]
        clock.advance(minutes=1)
    with platform.database.read(SYSTEM) as session:
        assert session.get_one(Message, (firm.id, middle)).read_at == clock.now() - timedelta(minutes=2)


def test_many_are_read_at_once_and_what_is_not_ones_own_is_passed_over(
    firm: Firm, world: World, platform: Platform
) -> None:
    other_firm = world.firm("Andere")
    for title in "abcd":
        _send(platform, firm.anna, title=title)
    _send(platform, firm.ben)
    _send(platform, other_firm.anna)
    foreign = [row["id"] for stranger in (firm.ben, other_firm.anna) for row in _inbox(stranger)]
    own_ids = [row["id"] for row in _inbox(firm.anna)][:3]
    for _ in range(2):
        body = {"ids": [*own_ids, own_ids[0], own_ids[1].upper(), *foreign, UNKNOWN, "nonsense", ""]}
        assert firm.anna.post(f"{INBOX}/read", json=body).status_code == 204
        assert _titles(firm.anna) == ["a"]
    assert (len(_inbox(firm.ben)), len(_inbox(other_firm.anna))) == (1, 1)
    assert firm.anna.post(f"{INBOX}/read", json={"ids": []}).status_code == 204


@ON_SQLITE
@pytest.mark.parametrize(
    "body", [{}, {"ids": None}, {"ids": "all"}, {"ids": [1]}, {"ids": [None]}, {"ids": [UNKNOWN] * 501}, []], ids=str
)
def test_what_names_no_messages_is_malformed(firm: Firm, body: Any) -> None:
    refused = firm.anna.post(f"{INBOX}/read", json=body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid")


@ON_BOTH
def test_a_long_inbox_comes_page_by_page_newest_first(firm: Firm, platform: Platform) -> None:
    titles = [str(number) for number in range(7)]
    for title in titles:
        _send(platform, firm.anna, title=title)
    got = [[row["title"] for row in page] for page in pages(firm.anna, f"{INBOX}?limit=3")]
    assert got == [["6", "5", "4"], ["3", "2", "1"], ["0"]]
    assert "Link" not in firm.anna.get(f"{INBOX}?limit=7").headers
    for wrong in ("limit=0", "limit=501", "limit=x"):
        assert firm.anna.get(f"{INBOX}?{wrong}").status_code == 422


@ON_BOTH
def test_a_page_of_the_inbox_begins_behind_an_own_message_alone_also_one_that_is_read(
    firm: Firm, platform: Platform
) -> None:
    other_firm = firm.world.firm("Bäckerei Krume")
    for person in (firm.anna, firm.anna, firm.ben, other_firm.anna):
        _send(platform, person)
    newest, oldest = (row["id"] for row in _inbox(firm.anna))
    for stranger in (firm.ben, other_firm.anna):
        answer = firm.anna.get(f"{INBOX}?before={_inbox(stranger)[0]['id']}")
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "before")
    firm.anna.post(f"{INBOX}/{newest}/read")
    assert [row["id"] for row in firm.anna.get(f"{INBOX}?before={newest}").json()] == [oldest]


@ON_BOTH
def test_an_inbox_answers_five_hundred_at_most(firm: Firm, platform: Platform) -> None:
    with unit_of_work(platform, SYSTEM) as work:
        for _ in range(501):
            service.send(work, firm.id, [firm.anna.id], "schedule", "Dienstplan", "Neue Dienste.")
    assert [len(page) for page in pages(firm.anna, INBOX)] == [500, 1]


def test_unread_messages_are_counted_for_everybody_asked_and_nobody_else(
    firm: Firm, world: World, platform: Platform
) -> None:
    other_firm = world.firm("Andere")
    _send(platform, firm.anna)
    _send(platform, firm.anna, firm.boss)
    _send(platform, other_firm.anna)
    firm.anna.post(f"{INBOX}/{_inbox(firm.anna)[0]['id']}/read")
    for scope in (DEVICES, of_company(firm.id)):
        with platform.database.read(scope) as session:
            user_ids = [firm.anna.id, firm.ben.id, other_firm.anna.id]
            counts = service.unread_counts(session, firm.id, user_ids)
        assert counts == {firm.anna.id: 1, firm.ben.id: 0, other_firm.anna.id: 0}


@pytest.mark.parametrize("clocks", [True, False])
def test_pages_and_clocks_send_in_their_own_transactions(firm: Firm, platform: Platform, *, clocks: bool) -> None:
    scope: Scope = DEVICES if clocks else of_company(firm.id)
    with platform.database.write(scope) as session:
        service.send(
            UnitOfWork(session, platform), firm.id, [firm.boss.id], "request", "Korrektur", "Eine Korrektur wartet."
        )
    assert _titles(firm.boss) == ["Korrektur"]


def test_an_open_page_hears_of_its_own_inbox_alone(app: FastAPI, firm: Firm, platform: Platform) -> None:
    async def story() -> None:
        async with listening(app, "/api/events", firm.anna.headers) as anna:
            await asyncio.to_thread(_send, platform, firm.ben)
            await asyncio.to_thread(_send, platform, firm.boss)
            await asyncio.to_thread(_send, platform, firm.anna)
            assert (await anna.next()).data == {"type": "messages_update"}
            first = (await asyncio.to_thread(_inbox, firm.anna))[0]["id"]
            await asyncio.to_thread(firm.anna.post, f"{INBOX}/{first}/read")
            assert (await anna.next()).data == {"type": "messages_update"}
            await asyncio.to_thread(firm.anna.post, f"{INBOX}/{first}/read")
            assert await anna.quiet()

    asyncio.run(story())


def test_who_is_deleted_reads_nothing_and_is_told_all_the_same(firm: Firm, platform: Platform) -> None:
    _send(platform, firm.anna)
    assert firm.boss.delete(f"/api/users/{firm.anna.id}").status_code == 204
    assert firm.anna.get(INBOX).status_code == 401
    _send(platform, firm.anna, firm.ben)
    assert len(_inbox(firm.ben)) == 1
    with platform.database.read(SYSTEM) as session:
        query = select(func.count()).select_from(Message).where(Message.user_id == firm.anna.id)
        assert session.scalar(query) == 2
