"""Single statements that the event loop sends on its own connection, and threads without one."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError, OperationalError
from stempelwerk_cloud.kit.database import looking, postgres
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.statements import Sql, Statement
from stempelwerk_cloud.kit.database.transactions import LOOKING_CONNECTIONS, Database

from cloud.tests.databases import ON_BOTH
from cloud.tests.kit import probes as table
from cloud.tests.waiting import until

pytestmark = ON_BOTH

FOUND = Statement("SELECT n FROM probes")
SLOW = Statement("SELECT pg_sleep(60)::text")
PID = Statement("SELECT pg_backend_pid()")
ECHO = Statement("SELECT :much::text || '!'")


class Threads:
    """Threads that read, and how often one was asked for."""

    def __init__(self) -> None:
        self.used = 0

    def __call__(self, read: Callable[..., Any], /, *asked: Any) -> Awaitable[Any]:
        self.used += 1
        return asyncio.to_thread(read, *asked)


@pytest.fixture
def threads() -> Threads:
    return Threads()


@pytest.fixture
def probes(database: Database, owner: Database) -> Database:
    table.make(owner)
    return database


@pytest.fixture
def lone(postgres_url: str) -> Iterator[Database]:
    with Database(postgres_url, pool_size=1) as database:
        yield database


def _soon(
    database: Database, threads: Threads, statement: Statement, **parameters: Any
) -> Coroutine[Any, Any, list[tuple[Any, ...]]]:
    return database.look_up_soon(threads, statement, parameters)


@contextmanager
def _server(postgres_url: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(postgres_url.replace("postgresql+psycopg", "postgresql"), autocommit=True) as other:
        yield other


def _end_connections(postgres_url: str) -> None:
    with _server(postgres_url) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_statement_from_the_event_loop_cannot_write_and_sees_what_is_committed(
    probes: Database, threads: Threads
) -> None:
    async def story() -> None:
        for number in range(3):
            assert await _soon(probes, threads, FOUND) == [(n,) for n in range(number)]
            with pytest.raises((DBAPIError, psycopg.Error)):
                await _soon(probes, threads, Statement("INSERT INTO probes VALUES (9)"))
            with probes.write(SYSTEM) as session:
                Sql(session).do(Statement(f"INSERT INTO probes VALUES ({number})"), {})

    asyncio.run(story())


def test_many_statements_at_once_are_each_answered(probes: Database, threads: Threads) -> None:
    async def story() -> None:
        await _soon(probes, threads, FOUND)
        asked = [_soon(probes, threads, Statement("SELECT :n::int"), n=number) for number in range(40)]
        assert await asyncio.gather(*asked) == [[(number,)] for number in range(40)]

    asyncio.run(story())


def test_a_connection_at_hand_needs_no_thread(lone: Database, threads: Threads) -> None:
    async def story() -> None:
        for _ in range(5):
            assert await _soon(lone, threads, Statement("SELECT 1")) == [(1,)]

    asyncio.run(story())
    asyncio.run(story())
    assert threads.used == 1


def test_statements_beside_a_slow_one_are_answered_by_threads(
    lone: Database, threads: Threads, postgres_url: str
) -> None:
    async def story() -> None:
        ((slow_pid,),) = await _soon(lone, threads, PID)
        slow = asyncio.create_task(_soon(lone, threads, SLOW))
        await asyncio.sleep(0)
        assert threads.used == 1
        for _ in range(3):
            assert await _soon(lone, threads, PID) != [(slow_pid,)]
        assert threads.used == 4
        with _server(postgres_url) as other:
            other.execute("SELECT pg_cancel_backend(%s)", (slow_pid,))
        with pytest.raises(OperationalError):
            await slow
        assert await _soon(lone, threads, PID) == [(slow_pid,)]

    asyncio.run(story())


def test_much_in_both_directions_is_sent_and_read(lone: Database, threads: Threads) -> None:
    async def story() -> None:
        for much in ("x", "x" * 8_000_000, "y" * 8_000_000):
            assert await _soon(lone, threads, ECHO, much=much) == [(much + "!",)]

    asyncio.run(story())
    assert threads.used == 1


def test_a_connection_that_broke_is_replaced_unseen(
    lone: Database, threads: Threads, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "TRUSTED_S", -1)

    async def story() -> None:
        for times in range(1, 4):
            ((pid,),) = await _soon(lone, threads, PID)
            assert await _soon(lone, threads, PID) == [(pid,)]
            assert threads.used == times
            _end_connections(postgres_url)

    asyncio.run(story())


def test_a_caller_who_leaves_takes_the_connection_along(lone: Database, threads: Threads) -> None:
    async def story() -> None:
        pids = set()
        for _ in range(2 * LOOKING_CONNECTIONS):
            pids |= set(await _soon(lone, threads, PID))
            slow = asyncio.create_task(_soon(lone, threads, SLOW))
            await asyncio.sleep(0)  # one turn of the loop: the statement is sent
            slow.cancel()
            with pytest.raises(asyncio.CancelledError):
                await slow
        assert len(pids) == 2 * LOOKING_CONNECTIONS

    asyncio.run(story())


def test_threads_find_their_connections_beside_the_one_at_hand(lone: Database, threads: Threads) -> None:
    asyncio.run(_soon(lone, threads, PID))
    pool: Any = lone.engines.looking.pool
    taken = [lone.engines.looking.connect() for _ in range(LOOKING_CONNECTIONS - looking.AT_HAND)]
    assert pool.checkedout() == LOOKING_CONNECTIONS
    for connection in taken:
        connection.close()


def test_a_disposed_database_leaves_no_connection(lone: Database, threads: Threads, postgres_url: str) -> None:
    ((pid,),) = asyncio.run(_soon(lone, threads, PID))
    lone.dispose()
    with _server(postgres_url) as other:
        count = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s"
        until(lambda: other.execute(count, (pid,)).fetchone() == (0,))


def test_a_refused_parameter_leaves_the_connection_usable(lone: Database, threads: Threads) -> None:
    async def story() -> None:
        one: Mapping[str, Any] = {"much": "a"}
        assert await _soon(lone, threads, ECHO, **one) == [("a!",)]
        with pytest.raises(ValueError, match="no parameter"):
            await _soon(lone, threads, ECHO, much="a\0")
        assert await _soon(lone, threads, ECHO, **one) == [("a!",)]

    asyncio.run(story())
    assert threads.used == 1
