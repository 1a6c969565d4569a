"""Streams are checked together with few statements, and each gets the result of its own session."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete, event, select, update
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.live import hub
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access.identity import sessions, streams
from stempelwerk_cloud.people.access.tables import WebSession
from stempelwerk_cloud.people.directory.tables import Company, CompanyFeature, User

from cloud.tests.databases import ON_BOTH
from cloud.tests.settable_clock import SettableClock
from cloud.tests.streams import PATIENCE_S, Listener, listening
from cloud.tests.world import Firm, Somebody, World

EVENTS = "/api/events"
CATCH_UP = {"type": "catch_up"}


@contextmanager
def _statements(platform: Platform) -> Iterator[list[str]]:
    """Yields the statements of the block."""
    statements: list[str] = []

    def note(*called: Any) -> None:
        statements.append(called[2])

    event.listen(platform.database.engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(platform.database.engine, "before_cursor_execute", note)


async def _check_streams(platform: Platform, listeners: Iterable[Listener]) -> list[bool]:
    """Checks every stream, as its beat does. Returns whether each goes on."""
    platform.live.missed()
    return await asyncio.gather(*map(_goes_on, listeners))


async def _goes_on(listener: Listener) -> bool:
    async with asyncio.timeout(PATIENCE_S):
        try:
            assert (await listener.next()).data == CATCH_UP
        except EOFError:
            return False
        return True


@ON_BOTH
@pytest.mark.parametrize(("maximum", "batches"), [(200, 1), (40, 3)])
def test_a_hundred_streams_of_several_companies_are_judged_with_two_statements_a_batch(
    app: FastAPI, world: World, platform: Platform, monkeypatch: pytest.MonkeyPatch, maximum: int, batches: int
) -> None:
    monkeypatch.setattr(streams, "CHECKED_AT_ONCE", maximum)
    firms = [world.firm(name) for name in ("Eins", "Zwei", "Drei", "Vier")]
    people = [person for firm in firms for person in (firm.boss, firm.anna, firm.ben)]

    async def story() -> list[str]:
        async with AsyncExitStack() as open_streams:
            listeners = [
                await open_streams.enter_async_context(listening(app, EVENTS, people[n % len(people)].headers))
                for n in range(100)
            ]
            assert await _check_streams(platform, listeners) == [True] * 100
            with _statements(platform) as statements:
                assert await _check_streams(platform, listeners) == [True] * 100
            return statements

    counts = Counter(
        "sessions" if "web_sessions" in statement else "modules"
        for statement in asyncio.run(story())
        if "FROM" in statement
    )
    assert counts == {"sessions": batches, "modules": batches}


@pytest.mark.parametrize("opened_s", [0.0, 0.3, 0.999, 1.0, 7.5, 123_456.789])
def test_a_beat_falls_on_a_tick_within_fifteen_seconds(opened_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "BEAT_S", 15.0)
    beat = hub._next_beat(opened_s)
    assert opened_s + 14 < beat <= opened_s + 15
    assert beat == int(beat)
    assert hub._next_beat(beat + 0.005) == beat + 15
    first = {hub._next_beat(opened_s, ticks) for ticks in range(1, hub.TICKS + 1)}
    assert len(first) == hub.TICKS
    assert opened_s < min(first)
    assert max(first) == beat


def _forgotten(session: Session, firm: Firm) -> None:
    session.execute(delete(WebSession).where(WebSession.user_id == firm.anna.id))


def _expired(session: Session, firm: Firm) -> None:
    session.execute(update(WebSession).where(WebSession.user_id == firm.anna.id).values(expires_at=_PAST))


def _of_person(**values: Any) -> Callable[[Session, Firm], None]:
    def change(session: Session, firm: Firm) -> None:
        session.execute(update(User).where(User.id == firm.anna.id).values(**values))

    return change


def _closed(session: Session, firm: Firm) -> None:
    session.execute(update(Company).where(Company.id == firm.id).values(closed_at=_PAST))


def _without_modules(session: Session, firm: Firm) -> None:
    session.execute(delete(CompanyFeature).where(CompanyFeature.company_id == firm.id))


_PAST = datetime(2020, 1, 1, tzinfo=UTC)
CHANGES: dict[str, tuple[Callable[[Session, Firm], None], set[str]]] = {
    "a session that is gone": (_forgotten, {"anna"}),
    "an expired session": (_expired, {"anna"}),
    "a deleted person": (_of_person(deleted_at=_PAST), {"anna"}),
    "a locked person": (_of_person(is_locked=True), {"anna"}),
    "a person who has left": (_of_person(leaves_at=_PAST), {"anna"}),
    "a closed company": (_closed, {"anna", "ben", "boss"}),
    "modules that are switched off": (_without_modules, {"boss"}),
}


@ON_BOTH
@pytest.mark.parametrize("change", CHANGES)
def test_what_nobody_told_ends_exactly_the_streams_that_it_concerns(
    app: FastAPI, world: World, firm: Firm, platform: Platform, change: str
) -> None:
    make, ended = CHANGES[change]
    other_firm = world.firm("Andere")
    people = {"anna": firm.anna, "ben": firm.ben, "boss": firm.boss} | {
        "other's anna": other_firm.anna,
        "other's boss": other_firm.boss,
        "founder": world.founder,
    }

    def write() -> None:
        with platform.database.write(SYSTEM) as session:
            make(session, firm)

    async def story() -> set[str]:
        async with AsyncExitStack() as open_streams:
            listeners = {
                name: await open_streams.enter_async_context(listening(app, EVENTS, person.headers))
                for name, person in people.items()
            }
            assert all(await _check_streams(platform, listeners.values()))
            await asyncio.to_thread(write)
            going_on = await _check_streams(platform, listeners.values())
            return {name for name, goes_on in zip(listeners, going_on, strict=True) if not goes_on}

    assert asyncio.run(story()) == ended


@ON_BOTH
def test_a_new_role_that_nobody_told_ends_that_persons_stream_at_its_beat(
    app: FastAPI, firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "BEAT_S", 0.01)
    monkeypatch.setattr(platform.live, "publish", lambda *_: None)

    async def story() -> None:
        async with (
            listening(app, EVENTS, firm.anna.headers) as anna,
            listening(app, EVENTS, firm.ben.headers) as ben,
        ):
            await anna.some_comments(2)
            promoted = await asyncio.to_thread(
                firm.boss.put, f"/api/users/{firm.anna.id}", json={"role": "companyAdmin"}
            )
            assert promoted.status_code == 200
            async with asyncio.timeout(PATIENCE_S):
                await anna.end()
            while not await ben.quiet():
                pass
            await ben.some_comments(2)

    asyncio.run(story())


@ON_BOTH
def test_streams_that_cannot_be_judged_end_and_the_next_ones_are_judged(
    app: FastAPI, world: World, firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [firm.anna, firm.ben, world.firm("Andere").anna]

    def out_of_reach(*_: object) -> set[sessions.SessionKey]:
        raise OperationalError("SELECT", None, Exception("gone"))

    async def story() -> None:
        async with AsyncExitStack() as open_streams:
            listeners = [
                await open_streams.enter_async_context(listening(app, EVENTS, person.headers)) for person in people
            ]
            with monkeypatch.context() as outage:
                outage.setattr(sessions, "live_among", out_of_reach)
                assert await _check_streams(platform, listeners) == [False] * 3
        async with listening(app, EVENTS, firm.anna.headers) as second_listener:
            assert await _check_streams(platform, [second_listener]) == [True]

    asyncio.run(story())


@ON_BOTH
def test_a_page_that_is_closed_while_it_is_judged_ends_no_other(
    app: FastAPI, firm: Firm, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_begun = asyncio.Event()
    real = sessions.live_among

    async def story() -> None:
        loop = asyncio.get_running_loop()

        def noted(*called: Any) -> set[sessions.SessionKey]:
            loop.call_soon_threadsafe(check_begun.set)
            return real(*called)

        async with listening(app, EVENTS, firm.ben.headers) as ben:
            async with listening(app, EVENTS, firm.anna.headers) as anna:
                assert await _check_streams(platform, [anna, ben]) == [True, True]
                monkeypatch.setattr(sessions, "live_among", noted)
                platform.live.missed()
                await check_begun.wait()
            assert await _goes_on(ben)

    asyncio.run(story())


class Undo(Exception):
    """Ends a transaction without a commit."""


_MOMENTS = st.sampled_from([-timedelta(hours=1), timedelta(0), timedelta(seconds=1), timedelta(hours=1)])
_SESSIONS = st.sampled_from(["there", "gone"]) | _MOMENTS
_PEOPLE = st.fixed_dictionaries(
    {"deleted": st.booleans(), "is_locked": st.booleans(), "leaves": st.none() | _MOMENTS, "session": _SESSIONS}
)


@ON_BOTH
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(people=st.lists(_PEOPLE, min_size=6, max_size=6), closed=st.sets(st.integers(0, 1)), draws=st.data())
def test_many_sessions_are_judged_as_each_one_is_alone(
    world: World,
    platform: Platform,
    clock: SettableClock,
    people: list[dict[str, Any]],
    closed: set[int],
    draws: st.DataObject,
) -> None:
    firms = [world.firm("Eins"), world.firm("Zwei")]
    members = [person for firm in firms for person in (firm.boss, firm.anna, firm.ben)]
    now = clock.now()

    def change(session: Session) -> None:
        for person, state in zip(members, people, strict=True):
            leaves = None if state["leaves"] is None else now + state["leaves"]
            values = {"deleted_at": now if state["deleted"] else None, "is_locked": state["is_locked"]}
            session.execute(update(User).where(User.id == person.id).values(leaves_at=leaves, **values))
            is_own = WebSession.user_id == person.id
            if state["session"] == "gone":
                session.execute(delete(WebSession).where(is_own))
            elif state["session"] != "there":
                session.execute(update(WebSession).where(is_own).values(expires_at=now + state["session"]))
        ids = [firms[number].id for number in closed]
        session.execute(update(Company).where(Company.id.in_(ids)).values(closed_at=now))

    def check_sessions() -> None:
        with platform.database.write(SYSTEM) as session:
            keys = [_key(session, person) for person in members]
            strangers = [(firms[0].id, keys[-1][1]), (firms[1].id, keys[0][1])]  # ids in another company
            change(session)
            chosen_keys = draws.draw(st.lists(st.sampled_from([*keys, *strangers]), min_size=1))
            alone = {
                key
                for person, key in zip(members, keys, strict=True)
                if key in chosen_keys and sessions.caller_of(session, person.token, now) is not None
            }
            assert sessions.live_among(session, chosen_keys, now) == alone
            raise Undo

    with pytest.raises(Undo):
        check_sessions()


def _key(session: Session, person: Somebody) -> sessions.SessionKey:
    row = session.execute(
        select(WebSession.company_id, WebSession.id).where(WebSession.token_hash == sessions.digest(person.token))
    ).one()
    return row.company_id, row.id
