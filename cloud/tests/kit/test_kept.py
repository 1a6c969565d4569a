"""The database that tests share: whatever one of them leaves behind, the next one finds what it asks for."""

from collections.abc import Iterator

import psycopg
import pytest
from sqlalchemy import text
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_tools.postgres import PostgresServer

from cloud.tests.beginnings import Beginnings
from cloud.tests.kept import MOST_TESTS, Kept

NAME = "kept_apart"


@pytest.fixture
def kept(postgres_server: PostgresServer, beginnings: Beginnings) -> Iterator[Kept]:
    kept = Kept(postgres_server, lambda kind: beginnings.of("postgresql", kind).url, NAME)
    yield kept
    kept.close()
    postgres_server.drop_database(kept.url)


def _count(database: Database) -> tuple[int, int, int]:
    with database.read(SYSTEM) as tx:
        counted = text(
            "SELECT (SELECT count(*) FROM companies), (SELECT count(*) FROM audit_entries), pg_backend_pid()"
        )
        companies, decisions, connection = tx.execute(counted).one()
    return companies, decisions, connection


def test_rows_that_were_written_or_deleted_are_as_they_were_and_the_connection_stays(kept: Kept) -> None:
    kept.filled("firm")
    database = kept.opened("app")
    before = _count(database)
    with database.write(SYSTEM) as tx:
        tx.execute(text("UPDATE companies SET name = 'anders'"))
        tx.execute(text("DELETE FROM tag_holdings"))
    kept.filled("schema")
    assert _count(database) == (0, 0, before[2])
    kept.filled("firm")
    assert _count(database) == before
    with database.read(SYSTEM) as tx:
        assert tx.execute(text("SELECT count(*) FROM companies WHERE name = 'anders'")).scalar_one() == 0
        assert tx.execute(text("SELECT count(*) FROM tag_holdings")).scalar_one() > 0


@pytest.mark.parametrize("change", ["CREATE TABLE more (a int)", "ALTER TABLE companies ADD COLUMN more int"])
def test_what_is_more_than_rows_makes_it_anew(kept: Kept, postgres_server: PostgresServer, change: str) -> None:
    kept.filled("firm")
    before = _count(kept.opened("app"))
    with psycopg.connect(postgres_server.dsn(NAME)) as owner:
        owner.execute(change)
    kept.filled("firm")
    after = _count(kept.opened("app"))
    assert (after[:2], after[2] != before[2]) == (before[:2], True)
    with psycopg.connect(postgres_server.dsn(NAME)) as owner:
        owner.execute(change)


def test_a_transaction_that_was_left_open_holds_nobody_up(kept: Kept) -> None:
    kept.filled("firm")
    database = kept.opened("app")
    before = _count(database)
    left = database.engine.connect()
    left.execute(text("LOCK TABLE companies"))
    kept.filled("firm")
    assert _count(database)[:2] == before[:2]
    left.invalidate()
    left.close()


def test_connections_that_were_cut_off_are_replaced(kept: Kept, postgres_server: PostgresServer) -> None:
    kept.filled("firm")
    before = _count(kept.opened("app"))
    with psycopg.connect(postgres_server.dsn()) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [NAME])
    kept.filled("firm")
    assert _count(kept.opened("app"))[:2] == before[:2]


def test_now_and_then_it_is_made_anew(kept: Kept) -> None:
    kept.filled("schema")
    first = _count(kept.opened("app"))[2]
    found = set()
    for _ in range(MOST_TESTS):
        kept.filled("schema")
        found.add(_count(kept.opened("app"))[2])
    assert len(found) == 2
    assert first in found
