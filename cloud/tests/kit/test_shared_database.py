"""The database that tests share: each test finds the state that it asks for."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import text
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_tools.postgres import PostgresServer

from cloud.tests.beginnings import Beginnings
from cloud.tests.shared_database import MOST_TESTS, SharedDatabase

NAME = "own"


@pytest.fixture
def own_database(postgres_server: PostgresServer, beginnings: Beginnings) -> Iterator[SharedDatabase]:
    own_database = SharedDatabase(postgres_server, lambda kind: beginnings.of("postgresql", kind).url, NAME)
    yield own_database
    own_database.close()
    postgres_server.drop_database(own_database.url)


def _count(database: Database) -> tuple[int, int, int]:
    with database.read(SYSTEM) as tx:
        counts_query = text(
            "SELECT (SELECT count(*) FROM companies), (SELECT count(*) FROM audit_entries), pg_backend_pid()"
        )
        companies, decisions, connection = tx.execute(counts_query).one()
    return companies, decisions, connection


def test_rows_that_were_written_or_deleted_are_as_they_were_and_the_connection_stays(
    own_database: SharedDatabase,
) -> None:
    own_database.filled("firm")
    database = own_database.opened("app")
    counts_before = _count(database)
    with database.write(SYSTEM) as tx:
        tx.execute(text("UPDATE companies SET name = 'anders'"))
        tx.execute(text("DELETE FROM tag_holdings"))
    own_database.filled("schema")
    assert _count(database) == (0, 0, counts_before[2])
    own_database.filled("firm")
    assert _count(database) == counts_before
    with database.read(SYSTEM) as tx:
        assert tx.execute(text("SELECT count(*) FROM companies WHERE name = 'anders'")).scalar_one() == 0
        assert tx.execute(text("SELECT count(*) FROM tag_holdings")).scalar_one() > 0


@pytest.mark.parametrize("change", ["CREATE TABLE more (a int)", "ALTER TABLE companies ADD COLUMN more int"])
def test_changes_other_than_rows_rebuild_the_shared_database(
    own_database: SharedDatabase, postgres_server: PostgresServer, change: str
) -> None:
    own_database.filled("firm")
    counts_before = _count(own_database.opened("app"))
    with psycopg.connect(postgres_server.dsn(NAME)) as owner:
        owner.execute(change)
    own_database.filled("firm")
    counts_after = _count(own_database.opened("app"))
    assert (counts_after[:2], counts_after[2] != counts_before[2]) == (counts_before[:2], True)
    with psycopg.connect(postgres_server.dsn(NAME)) as owner:
        owner.execute(change)


def test_a_transaction_that_was_left_open_delays_no_test(own_database: SharedDatabase) -> None:
    own_database.filled("firm")
    database = own_database.opened("app")
    counts_before = _count(database)
    open_connection = database.engine.connect()
    open_connection.execute(text("LOCK TABLE companies"))
    own_database.filled("firm")
    assert _count(database)[:2] == counts_before[:2]
    open_connection.invalidate()
    open_connection.close()


def test_connections_that_were_cut_off_are_replaced(
    own_database: SharedDatabase, postgres_server: PostgresServer
) -> None:
    own_database.filled("firm")
    counts_before = _count(own_database.opened("app"))
    with psycopg.connect(postgres_server.dsn()) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [NAME])
    own_database.filled("firm")
    assert _count(own_database.opened("app"))[:2] == counts_before[:2]


def test_the_shared_database_is_rebuilt_now_and_then(own_database: SharedDatabase) -> None:
    own_database.filled("schema")
    first = _count(own_database.opened("app"))[2]
    pids = set()
    for _ in range(MOST_TESTS):
        own_database.filled("schema")
        pids.add(_count(own_database.opened("app"))[2])
    assert len(pids) == 2
    assert first in pids
