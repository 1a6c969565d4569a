"""Tags: one holder at a time, the first from the beginning of time, a change from its moment on."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from httpx2 import Response
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import update
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.events import TAGS_CHANGED
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory.people import find_user, people_of
from stempelwerk_cloud.people.directory.tables import TagHolding
from stempelwerk_cloud.people.users import service, tags
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.timekeeping.ledger.deriving import derivation_inputs
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import Held
from stempelwerk_tools.untimed import examples

from cloud.tests.settable_clock import START, SettableClock
from cloud.tests.world import Firm, World

NEW, OTHER = "04111111", "04222222"
MONDAY = datetime(2026, 11, 16, 6, 0, tzinfo=UTC)


@pytest.fixture
def emitted(platform: Platform) -> Iterator[list[dict[str, Any]]]:
    events: list[dict[str, Any]] = []
    platform.signals.on(TAGS_CHANGED, lambda _work, **data: events.append(data))
    return events


def _change(firm: Firm, user_id: str, **body: Any) -> Response:
    return firm.world.again(firm.boss).put(f"/api/users/{user_id}", json=body)


def _holds_at(holding: Held, instant: datetime) -> bool:
    return (holding.held_from is None or holding.held_from <= instant) and (
        holding.held_until is None or instant < holding.held_until
    )


def _history(firm: Firm, *tag_ids: str) -> list[Held]:
    with firm.world.platform.database.read(SYSTEM) as tx:
        return derivation_inputs.holders_of(tx, firm.id, tag_ids)


def test_a_tag_that_somebody_holds_is_refused(firm: Firm, emitted: list[dict[str, Any]]) -> None:
    answer = _change(firm, firm.ben.id, tagId="04:a1:b2:c3")
    assert (answer.status_code, answer.json()["code"]) == (409, "tag_taken")
    assert answer.json()["message"] == "Dieser Chip ist bereits einer anderen Person zugeordnet."
    body = {"companyId": firm.id, "username": "x", "password": "lang genug", "tagId": "04a1b2c3", "role": "user"}
    assert firm.boss.post("/api/users", json=body).status_code == 409
    assert emitted == []
    assert [user["username"] for user in firm.boss.get(f"/api/companies/{firm.id}/users").json()] == [
        "anna",
        "ben",
        "chefin",
    ]


def test_the_first_holder_holds_from_the_beginning_of_time(firm: Firm) -> None:
    assert _history(firm, "04A1B2C3") == [Held("04A1B2C3", firm.anna.id, None, None)]


def test_a_new_tag_replaces_the_old_one_from_now(
    firm: Firm, clock: SettableClock, emitted: list[dict[str, Any]]
) -> None:
    clock.advance(days=3)
    assert _change(firm, firm.anna.id, tagId=NEW).json()["tagId"] == NEW
    assert _history(firm, "04A1B2C3", NEW) == [
        Held(NEW, firm.anna.id, None, None),
        Held("04A1B2C3", firm.anna.id, None, clock.now()),
    ]
    assert {(tuple(change["user_ids"]), tuple(change["tags"])) for change in emitted} == {
        ((firm.anna.id,), ("04A1B2C3",)),
        ((firm.anna.id,), (NEW,)),
    }
    assert {change["company_id"] for change in emitted} == {firm.id}


def test_the_same_tag_again_changes_nothing(firm: Firm, emitted: list[dict[str, Any]]) -> None:
    history_before = _history(firm, "04A1B2C3")
    assert _change(firm, firm.anna.id, tagId="04 a1 b2 c3", username="anna", role="user").status_code == 200
    assert _history(firm, "04A1B2C3") == history_before
    assert emitted == []


def test_who_gets_a_tag_that_was_somebody_elses_holds_it_from_now(firm: Firm, clock: SettableClock) -> None:
    clock.advance(days=1)
    _change(firm, firm.anna.id, tagId=NEW)
    released = clock.now()
    clock.advance(days=1)
    assert _change(firm, firm.ben.id, tagId="04A1B2C3").status_code == 200
    assert _history(firm, "04A1B2C3") == [
        Held("04A1B2C3", firm.anna.id, None, released),
        Held("04A1B2C3", firm.ben.id, clock.now(), None),
    ]


def test_a_change_can_count_from_a_given_moment(firm: Firm) -> None:
    moment = format_instant(MONDAY)
    assert _change(firm, firm.anna.id, tagId=NEW, tagFrom=moment).status_code == 200
    assert _change(firm, firm.ben.id, tagId="04A1B2C3", tagFrom=moment).status_code == 200
    assert _history(firm, "04A1B2C3") == [
        Held("04A1B2C3", firm.anna.id, None, MONDAY),
        Held("04A1B2C3", firm.ben.id, MONDAY, None),
    ]


def test_nobody_gets_a_tag_for_a_time_when_another_held_it(firm: Firm) -> None:
    _change(firm, firm.anna.id, tagId=NEW, tagFrom=format_instant(MONDAY))
    early = format_instant(MONDAY - timedelta(seconds=1))
    refused = _change(firm, firm.ben.id, tagId="04A1B2C3", tagFrom=early)
    assert (refused.status_code, refused.json()["code"]) == (409, "tag_held_then")
    assert _history(firm, "04D4E5F6") == [Held("04D4E5F6", firm.ben.id, None, None)]


def test_the_moment_of_a_tag_can_be_moved(firm: Firm, emitted: list[dict[str, Any]]) -> None:
    moved = _change(firm, firm.anna.id, tagId="04A1B2C3", tagFrom=format_instant(MONDAY))
    assert moved.status_code == 200
    assert _history(firm, "04A1B2C3") == [Held("04A1B2C3", firm.anna.id, MONDAY, None)]
    assert len(emitted) == 1


def test_a_tag_counts_from_no_instant_to_come(firm: Firm, clock: SettableClock, emitted: list[dict[str, Any]]) -> None:
    late = format_instant(clock.now() + timedelta(minutes=1, seconds=1))
    sentence = "Der Zeitpunkt, ab dem der Chip gilt, darf nicht in der Zukunft liegen."
    for tag in (NEW, "04A1B2C3"):
        refused = _change(firm, firm.anna.id, tagId=tag, tagFrom=late)
        assert (refused.status_code, refused.json()["errors"]) == (422, [{"field": "tagFrom", "message": sentence}])
    body = {"username": "x", "password": "lang genug", "tagId": NEW, "role": "user", "tagFrom": late}
    assert firm.boss.post("/api/users", json=body).json()["errors"][0]["field"] == "tagFrom"
    assert (emitted, _history(firm, NEW)) == ([], [])


def test_a_clock_that_is_a_little_fast_says_now(firm: Firm, clock: SettableClock) -> None:
    ahead = format_instant(clock.now() + timedelta(minutes=1))
    assert _change(firm, firm.anna.id, tagId=NEW, tagFrom=ahead).status_code == 200
    assert _history(firm, "04A1B2C3") == [Held("04A1B2C3", firm.anna.id, None, clock.now())]


def test_while_stamps_with_a_tag_wait_its_first_holder_begins_now_or_at_the_moment(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    queries: list[tuple[str, str]] = []

    def waiting(_session: object, company_id: str, tag: str) -> bool:
        queries.append((company_id, tag))
        return tag in {NEW, OTHER}

    ports.TAG_WAITING.provide(platform, waiting)
    assert _change(firm, firm.anna.id, tagId=NEW).status_code == 200
    assert _change(firm, firm.ben.id, tagId=OTHER, tagFrom=format_instant(MONDAY)).status_code == 200
    assert _history(firm, NEW, OTHER) == [
        Held(NEW, firm.anna.id, clock.now(), None),
        Held(OTHER, firm.ben.id, MONDAY, None),
    ]
    assert queries == [(firm.id, NEW), (firm.id, OTHER)]


def test_deleting_a_person_frees_the_tag_from_now_on(
    firm: Firm, clock: SettableClock, emitted: list[dict[str, Any]]
) -> None:
    clock.advance(hours=1)
    firm.boss.delete(f"/api/users/{firm.anna.id}")
    assert _history(firm, "04A1B2C3") == [Held("04A1B2C3", firm.anna.id, None, clock.now())]
    assert [change["tags"] for change in emitted] == [["04A1B2C3"]]
    assert _change(firm, firm.ben.id, tagId="04A1B2C3").status_code == 200


def test_a_further_tag_from_an_exact_moment_is_held_beside_the_first(firm: Firm, platform: Platform) -> None:
    for moment in (MONDAY, MONDAY + timedelta(days=1)):
        with platform.database.write(SYSTEM) as tx:
            service.give_tag(UnitOfWork(tx, platform), find_user(tx, firm.id, firm.anna.id), NEW, moment)
    assert _history(firm, "04A1B2C3", NEW) == [
        Held(NEW, firm.anna.id, MONDAY, None),
        Held("04A1B2C3", firm.anna.id, None, None),
    ]
    with platform.database.write(SYSTEM) as tx:
        service.give_tag(
            UnitOfWork(tx, platform), find_user(tx, firm.id, firm.anna.id), NEW, MONDAY - timedelta(days=1)
        )
    assert _history(firm, NEW)[0].held_from == MONDAY - timedelta(days=1)


def test_a_new_tag_replaces_all_that_are_held(firm: Firm, platform: Platform, clock: SettableClock) -> None:
    with platform.database.write(SYSTEM) as tx:
        service.give_tag(UnitOfWork(tx, platform), find_user(tx, firm.id, firm.anna.id), NEW, MONDAY)
    _change(firm, firm.anna.id, tagId=OTHER)
    with platform.database.read(SYSTEM) as tx:
        ends_by_tag = {
            holding.tag: holding.held_until for holding in derivation_inputs.holdings_of(tx, firm.id, [firm.anna.id])
        }
    assert ends_by_tag == {"04A1B2C3": clock.now(), NEW: clock.now(), OTHER: None}


def test_the_field_set_back_to_a_tag_that_is_held_already_keeps_its_time_and_ends_the_others(
    firm: Firm, platform: Platform, clock: SettableClock
) -> None:
    with platform.database.write(SYSTEM) as tx:
        service.give_tag(UnitOfWork(tx, platform), find_user(tx, firm.id, firm.anna.id), NEW, MONDAY)
    clock.advance(hours=1)
    assert _change(firm, firm.anna.id, tagId="04A1B2C3").json()["tagId"] == "04A1B2C3"
    assert _history(firm, "04A1B2C3", NEW) == [
        Held(NEW, firm.anna.id, MONDAY, clock.now()),
        Held("04A1B2C3", firm.anna.id, None, None),
    ]


def test_a_held_tag_that_is_to_count_from_a_moment_replaces_the_others_from_then_on(
    firm: Firm, platform: Platform
) -> None:
    with platform.database.write(SYSTEM) as tx:
        service.give_tag(UnitOfWork(tx, platform), find_user(tx, firm.id, firm.anna.id), NEW, MONDAY)
    moment = MONDAY + timedelta(days=1)
    changed = _change(firm, firm.anna.id, tagId="04A1B2C3", tagFrom=format_instant(moment))
    assert changed.json()["tagId"] == "04A1B2C3"
    assert _history(firm, "04A1B2C3", NEW) == [
        Held(NEW, firm.anna.id, MONDAY, moment),
        Held("04A1B2C3", firm.anna.id, moment, None),
    ]


def test_a_refusal_of_a_room_above_undoes_the_change(firm: Firm, platform: Platform) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise LookupError

    platform.signals.on(TAGS_CHANGED, refuse)
    assert _change(firm, firm.anna.id, tagId=NEW).status_code == 500
    assert _history(firm, NEW) == []


def test_people_are_listed_with_the_tags_they_hold(firm: Firm, platform: Platform) -> None:
    with platform.database.write(SYSTEM) as tx:
        service.give_tag(UnitOfWork(tx, platform), find_user(tx, firm.id, firm.anna.id), NEW, MONDAY)
    with platform.database.read(SYSTEM) as tx:
        people = {person.username: person.tags for person in people_of(tx, firm.id, platform.clock.now())}
    assert people == {"anna": ("04A1B2C3", NEW), "ben": ("04D4E5F6",), "chefin": ("04B05500",)}


STEPS = st.lists(
    st.tuples(
        st.integers(0, 2),  # person
        st.sampled_from([NEW, OTHER, "04333333"]),
        st.one_of(st.none(), st.integers(-5, 5)),  # tagFrom, in hours around now
        st.integers(1, 3),  # hours until the next step
    ),
    max_size=8,
)


@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_at_every_instant_a_tag_has_at_most_one_holder(
    world: World, platform: Platform, clock: SettableClock, steps: list[tuple[int, str, int | None, int]]
) -> None:
    clock.set(START)
    company_id = world.company()
    people = [world.user(company_id, f"p{number}") for number in range(3)]
    for person, tag, offset, pause in steps:
        moment = None if offset is None else clock.now() + timedelta(hours=offset)
        with suppress(Problem), platform.database.write(SYSTEM) as tx:
            service.change_tag(UnitOfWork(tx, platform), find_user(tx, company_id, people[person].id), tag, moment)
        clock.advance(hours=pause)
    with platform.database.read(SYSTEM) as tx:
        periods = derivation_inputs.holders_of(tx, company_id, [NEW, OTHER, "04333333"])
    for hour in range(-8, 40):
        instant = START + timedelta(hours=hour, minutes=30)
        holders = [holding.tag for holding in periods if _holds_at(holding, instant)]
        assert len(holders) == len(set(holders))


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [("08:a1:b2:c3", "tag_random", "Chip mit fester Nummer"), ("88A1B2C3", "tag_cascade", "alle 7 oder 10 Bytes")],
)
def test_a_typed_tag_that_no_clock_takes_is_given_to_no_person(firm: Firm, text: str, code: str, words: str) -> None:
    body = {"companyId": firm.id, "username": "x", "password": "lang genug", "tagId": text, "role": "user"}
    for answer in (firm.boss.post("/api/users", json=body), _change(firm, firm.anna.id, tagId=text)):
        assert (answer.status_code, answer.json()["code"]) == (422, code)
        assert words in answer.json()["message"]
        assert answer.json()["errors"][0]["field"] == "tagId"
    assert _history(firm, "04A1B2C3") == [Held("04A1B2C3", firm.anna.id, None, None)]


def test_a_tag_that_no_clock_takes_and_a_person_has_stays_theirs(firm: Firm) -> None:
    with firm.world.platform.database.write(SYSTEM) as tx:
        tx.execute(update(TagHolding).where(TagHolding.user_id == firm.anna.id).values(tag="08A1B2C3"))
    answer = _change(firm, firm.anna.id, username="anna k.", tagId="08A1B2C3")
    assert (answer.status_code, answer.json()["tagId"]) == (200, "08A1B2C3")
    earlier = format_instant(START - timedelta(days=1))
    assert _change(firm, firm.anna.id, tagId="08A1B2C3", tagFrom=earlier).status_code == 200
    assert _change(firm, firm.ben.id, tagId="08A1B2C3").json()["code"] == "tag_random"


def test_a_tag_is_read_as_the_contract_spells_it() -> None:
    assert tags.read_tag(" 04:a1-b2 c3 d4 e5 f6 ") == "04A1B2C3D4E5F6"
