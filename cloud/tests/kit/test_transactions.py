"""A request is one transaction, committed before its answer leaves."""

from collections.abc import Iterator
from typing import Annotated

import psycopg
import pytest
from fastapi import Depends, FastAPI
from fastapi.testclient import TestClient
from msgspec import Struct
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError
from starlette.types import Message, Receive, Scope, Send
from stempelwerk_cloud.kit.database import postgres, transactions
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.statements import COPIED_FROM, RowBuffer, Sql, Statement, as_rows, read_list
from stempelwerk_cloud.kit.database.transactions import Database, after_commit
from stempelwerk_cloud.kit.http.request_life import ReadTx, WriteTx

from cloud.tests.databases import ON_BOTH
from cloud.tests.kit import probes as table

pytestmark = ON_BOTH


@pytest.fixture
def probes(database: Database, owner: Database) -> Database:
    table.make(owner)
    return database


def test_what_fails_in_the_middle_leaves_nothing(probes: Database) -> None:
    def half_way() -> None:
        with probes.write(SYSTEM) as session:
            session.execute(text("INSERT INTO probes VALUES (1)"))
            raise LookupError

    with pytest.raises(LookupError):
        half_way()
    assert table.committed(probes) == []


def test_a_reading_transaction_cannot_write(probes: Database) -> None:
    def write() -> None:
        with probes.read(SYSTEM) as session:
            session.execute(text("INSERT INTO probes VALUES (1)"))

    with pytest.raises(DBAPIError):
        write()
    with probes.write(SYSTEM) as session:  # on the same pooled connection
        session.execute(text("INSERT INTO probes VALUES (2)"))
    assert table.committed(probes) == [2]


def test_a_look_up_cannot_write_and_sees_committed_rows(probes: Database) -> None:
    with pytest.raises((DBAPIError, psycopg.Error)):
        probes.look_up(Statement("INSERT INTO probes VALUES (1)"), {})
    query = Statement("SELECT n FROM probes")
    assert probes.look_up(query, {}) == []
    with probes.write(SYSTEM) as session:
        session.execute(text("INSERT INTO probes VALUES (2)"))
        assert probes.look_up(query, {}) == []
    assert probes.look_up(query, {}) == [(2,)]


def test_after_commit_runs_after_the_commit_and_never_after_a_failure(probes: Database) -> None:
    counts_seen: list[list[int]] = []
    with probes.write(SYSTEM) as session:
        session.execute(text("INSERT INTO probes VALUES (1)"))
        after_commit(session, lambda: counts_seen.append(table.committed(probes)))
        assert counts_seen == []
    assert counts_seen == [[1]]

    def fail() -> None:
        with probes.write(SYSTEM) as session:
            after_commit(session, lambda: counts_seen.append([]))
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert counts_seen == [[1]]


def test_the_answer_leaves_only_after_the_commit(probes: Database, app: FastAPI) -> None:
    committed_at_start: list[list[int]] = []

    @app.post("/probe")
    def probe(tx: WriteTx) -> int:
        tx.execute(text("INSERT INTO probes VALUES (7)"))
        return 7

    async def watched(scope: Scope, receive: Receive, send: Send) -> None:
        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                committed_at_start.append(table.committed(probes))
            await send(message)

        await app(scope, receive, send_on)

    with TestClient(watched) as client:
        assert client.post("/probe").status_code == 200
    assert committed_at_start == [[7]]


def test_a_failing_commit_is_a_500_and_no_success(probes: Database, app: FastAPI, client: TestClient) -> None:
    def failing_commit(tx: WriteTx) -> WriteTx:
        def fail() -> None:
            raise OSError("the disk is gone")

        tx.commit = fail  # type: ignore[method-assign]
        tx.get_transaction().commit = lambda _to_root=False: fail()  # type: ignore[union-attr]
        return tx

    @app.post("/probe")
    def probe(tx: Annotated[WriteTx, Depends(failing_commit)]) -> int:
        tx.execute(text("INSERT INTO probes VALUES (8)"))
        return 8

    answer = client.post("/probe")
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal"
    assert table.committed(probes) == []


def test_a_read_endpoint_sees_what_is_committed(probes: Database, app: FastAPI, client: TestClient) -> None:
    @app.get("/probe")
    def probe(tx: ReadTx) -> list[int]:
        return list(tx.execute(text("SELECT n FROM probes")).scalars())

    with probes.write(SYSTEM) as session:
        session.execute(text("INSERT INTO probes VALUES (3)"))
    assert client.get("/probe").json() == [3]


@pytest.fixture
def single(postgres_url: str) -> Iterator[Database]:
    """A database with one connection of each purpose."""
    with Database(postgres_url, pool_size=1) as database:
        yield database


def _end_connections(postgres_url: str) -> None:
    """Breaks off every connection to this database, as a restart of the server would."""
    with psycopg.connect(postgres_url.replace("postgresql+psycopg", "postgresql"), autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_connection_that_broke_while_idle_is_replaced_silently(single, postgres_url, monkeypatch):
    monkeypatch.setattr(postgres, "TRUSTED_S", -1)
    with single.read(SYSTEM) as session:
        first = session.execute(text("SELECT pg_backend_pid()")).scalar_one()
    _end_connections(postgres_url)
    with single.read(SYSTEM) as session:
        assert session.execute(text("SELECT pg_backend_pid()")).scalar_one() != first


def test_a_connection_that_breaks_in_use_is_an_outage_once(single, postgres_url):
    statement = Statement("SELECT 1")

    def work() -> None:
        with single.write(SYSTEM) as session:
            sql = Sql(session)
            assert sql.rows(statement, {}) == [(1,)]
            _end_connections(postgres_url)
            sql.rows(statement, {})

    with pytest.raises(OperationalError):
        work()
    with single.write(SYSTEM) as session:
        assert Sql(session).rows(statement, {}) == [(1,)]


def test_a_connection_that_breaks_while_looking_up_is_an_outage_once(single, postgres_url):
    statement = Statement("SELECT 1")
    assert single.look_up(statement, {}) == [(1,)]
    _end_connections(postgres_url)
    with pytest.raises(OperationalError):
        single.look_up(statement, {})
    assert single.look_up(statement, {}) == [(1,)]


def test_a_database_that_others_keep_locked_is_an_outage(sqlite_url, monkeypatch):
    monkeypatch.setattr(transactions, "BUSY_TIMEOUT_S", 0)

    def write(database: Database) -> None:
        with database.write(SYSTEM) as session:
            Sql(session).do(Statement("DELETE FROM receipts"), {})

    with Database(sqlite_url) as first, Database(sqlite_url) as second:
        with first.write(SYSTEM) as session:
            Sql(session).do(Statement("DELETE FROM receipts"), {})
            with pytest.raises(OperationalError):
                write(second)
        write(second)


def test_plain_rows_read_as_listed_ones_do_on_both_databases(probes: Database) -> None:
    days = [
        {"n": 3, "id": "01927a11-0000-7000-8000-000000000001", "day": "2026-11-20", "least": -(2**62)},
        {"n": 4, "id": "01927a11-0000-7000-8000-000000000002", "day": "0001-01-01", "least": None},
    ]
    rows = "FROM @rows(r: n int, id uuid, day date, least int8)"
    plain = Statement(f"SELECT (SELECT @plain(r.n, 'r.id', 'r.day', r.least, (r.n > 3)::int) {rows})")
    list_statement = Statement(f"SELECT (SELECT @list(r.n, r.id, r.day, r.least, (r.n > 3)::int) {rows})")
    for chosen_days in (days, days[:1], []):
        parameters = {"r": as_rows(chosen_days)}
        ((plain_list,),), ((expected,),) = (
            probes.look_up(statement, parameters) for statement in (plain, list_statement)
        )
        assert read_list(plain_list) == read_list(expected)
        assert (plain_list is None) == (not chosen_days)


class Row(Struct):
    n: int
    word: str | None
    yes: bool


def test_rows_that_are_copied_are_as_rows_that_are_inserted(single):
    words = ["plain", "", None, "back\\slash", "\\N", "tab\tbed", "two\r\nlines", "Öl \U0001f527", '"quoted"', "\\."]
    rows = [Row(n, word, n % 2 == 0) for n, word in enumerate(words)] * COPIED_FROM
    insert = "INSERT INTO {} (n, word, yes) SELECT n, word, yes FROM @rows(r: n int, word text, yes bool)"
    with single.write(SYSTEM) as session:
        sql, writing = Sql(session), RowBuffer()
        for table in ("inserted", "copied"):
            sql.do(Statement(f"CREATE TEMPORARY TABLE {table} (n int, word text, yes bool)"), {})
        writing.add(Statement(insert.format("inserted")), rows)
        writing.add(Statement(insert.format("copied"), copy="COPY copied (n, word, yes) FROM STDIN"), rows)
        writing.flush(sql)
        inserted, copied = (
            sql.rows(Statement(f"SELECT n, word, yes FROM {table} ORDER BY n"), {}) for table in ("inserted", "copied")
        )
    assert copied == inserted
    assert [row[1] for row in copied[::COPIED_FROM]] == words


def test_a_copy_that_breaks_a_rule_is_refused_as_an_insert_is(single):

    def work() -> None:
        with single.write(SYSTEM) as session:
            sql = Sql(session)
            sql.do(Statement("CREATE TEMPORARY TABLE copied (n int PRIMARY KEY, word text, yes bool)"), {})
            sql.copy("COPY copied (n, word, yes) FROM STDIN", [Row(1, None, True), Row(1, None, True)])

    with pytest.raises(IntegrityError):
        work()
