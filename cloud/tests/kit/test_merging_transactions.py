"""A merge's transaction: several statements a message, on a separate connection; otherwise like any other.

Tests for both databases come first; the rest is about PostgreSQL, whose pipeline a fault could leave half way.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session
from stempelwerk_cloud.kit.database import pipeline, postgres
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.statements import RowBuffer, Sql, Statement
from stempelwerk_cloud.kit.database.transactions import Database, after_commit, savepoint

from cloud.tests.databases import ON_BOTH
from cloud.tests.kit import probes as table
from cloud.tests.waiting import until, waiting

pytestmark = ON_BOTH

GIVE = Statement("INSERT INTO probes VALUES (:n)")
ALL = Statement("SELECT n FROM probes ORDER BY n")
ONE = Statement("SELECT 1")


@pytest.fixture
def probes(database: Database, owner: Database) -> Database:
    table.make(owner)
    return database


@pytest.fixture
def alone(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Database]:
    """A database without other connections, which merges one transaction at a time."""
    monkeypatch.setattr("stempelwerk_cloud.kit.database.transactions.MERGING_CONNECTIONS", 1)
    with Database(postgres_url, as_owner=True) as as_owner:
        table.make(as_owner)
    with Database(postgres_url, pool_size=2) as database:
        yield database


@contextmanager
def _beside(url: str) -> Iterator[psycopg.Connection[Any]]:
    """Yields a connection of the owner."""
    with psycopg.connect(url.replace("postgresql+psycopg", "postgresql"), autocommit=True) as connection:
        yield connection


def _merge(database: Database, work: Callable[[Session, Sql], object]) -> None:
    with database.merge() as session:
        work(session, Sql(session))


def _pid(database: Database) -> int:
    with database.merge() as session:
        pid: int = Sql(session).rows(Statement("SELECT pg_backend_pid()"), {})[0][0]
    return pid


def test_what_fails_in_the_middle_leaves_nothing(probes: Database) -> None:
    def half_way(session: Session, sql: Sql) -> None:
        sql.several([(GIVE, {"n": 1}), (GIVE, {"n": 2})])
        session.execute(text("INSERT INTO probes VALUES (3)"))
        raise LookupError

    with pytest.raises(LookupError):
        _merge(probes, half_way)
    assert table.committed(probes) == []
    _merge(probes, lambda _, sql: sql.do(GIVE, {"n": 4}))
    assert table.committed(probes) == [4]


def test_statements_after_a_failed_one_are_not_executed(probes: Database) -> None:
    def clash(_: Session, sql: Sql) -> None:
        sql.several([(GIVE, {"n": 1}), (GIVE, {"n": 1}), (GIVE, {"n": 2})], commit=True)

    with pytest.raises(IntegrityError):
        _merge(probes, clash)
    assert table.committed(probes) == []
    _merge(probes, lambda _, sql: sql.do(GIVE, {"n": 3}))
    assert table.committed(probes) == [3]


def test_statements_and_session_share_one_transaction(probes: Database) -> None:
    def both(session: Session, sql: Sql) -> None:
        session.execute(text("INSERT INTO probes VALUES (1)"))
        assert sql.several([(ALL, {}), (GIVE, {"n": 2}), (ALL, {})]) == [[(1,)], [], [(1,), (2,)]]
        assert session.execute(text("SELECT n FROM probes ORDER BY n")).scalars().all() == [1, 2]
        step = savepoint(session)
        sql.do(GIVE, {"n": 3})
        step.rollback()
        if sql.postgresql:
            assert table.committed(probes) == []

    _merge(probes, both)
    assert table.committed(probes) == [1, 2]


def test_an_action_after_the_commit_finds_it_and_may_merge_itself(probes: Database) -> None:
    counts: list[list[int]] = []

    def merge_again() -> None:
        counts.append(table.committed(probes))
        _merge(probes, lambda _, sql: sql.do(GIVE, {"n": 2}))

    def work(session: Session, sql: Sql) -> None:
        after_commit(session, merge_again)
        writing = RowBuffer()
        writing.add(Statement("INSERT INTO probes SELECT n FROM @rows(r: n int)"), [{"n": 1}])
        writing.flush(sql, commit=True)

    _merge(probes, work)
    assert counts == [[1]]
    assert table.committed(probes) == [1, 2]


def test_the_last_message_commits(alone: Database) -> None:
    def work(_: Session, sql: Sql) -> None:
        sql.several([(GIVE, {"n": 1})])
        assert table.committed(alone) == []
        sql.several([(GIVE, {"n": 2})], commit=True)
        assert table.committed(alone) == [1, 2]

    _merge(alone, work)


def test_each_statement_sees_what_was_committed_while_the_one_before_it_waited(alone: Database) -> None:
    _merge(alone, lambda _, sql: sql.do(GIVE, {"n": 1}))
    rows_seen: list[list[tuple[Any, ...]]] = []

    def wait_and_look(_: Session, sql: Sql) -> None:
        rows_seen.extend(sql.several([(Statement("SELECT n FROM probes WHERE n = 1 FOR UPDATE"), {}), (ALL, {})]))

    with alone.write(SYSTEM) as session:
        session.execute(text("SELECT n FROM probes WHERE n = 1 FOR UPDATE"))
        waiter = threading.Thread(target=_merge, args=(alone, wait_and_look))
        waiter.start()
        until(lambda: waiting(alone) == 1)
        session.execute(text("INSERT INTO probes VALUES (2)"))
    waiter.join(60)
    assert rows_seen == [[(1,)], [(1,), (2,)]]


def test_locks_of_a_savepoint_are_released_with_its_rollback(alone: Database) -> None:
    _merge(alone, lambda _, sql: sql.do(GIVE, {"n": 1}))

    def work(session: Session, sql: Sql) -> None:
        sql.rows(ONE, {})
        step = savepoint(session)
        sql.rows(Statement("SELECT n FROM probes FOR UPDATE"), {})
        step.rollback()
        with alone.write(SYSTEM) as other_session:
            other_session.execute(text("SELECT n FROM probes FOR UPDATE NOWAIT"))

    _merge(alone, work)


def test_a_merge_runs_in_the_services_role_and_by_index(alone: Database) -> None:
    settings_query = Statement(
        "SELECT current_user::text, current_setting('enable_seqscan'), current_setting('plan_cache_mode'),"
        " current_setting(:bypass)"
    )
    rows: list[tuple[Any, ...]] = []
    _merge(alone, lambda _, sql: rows.extend(sql.rows(settings_query, {"bypass": postgres.BYPASS_SETTING})))
    _merge(alone, lambda session, _: rows.append(tuple(session.execute(text("SELECT current_user::text")).one())))
    assert rows == [("stempelwerk_service", "off", "force_generic_plan", "devices"), ("stempelwerk_service",)]


def test_a_connection_that_broke_while_idle_is_replaced_silently(
    alone: Database, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "TRUSTED_S", -1)
    first = _pid(alone)
    with _beside(postgres_url) as other_connection:
        other_connection.execute("SELECT pg_terminate_backend(%s)", (first,))
    assert _pid(alone) != first


def test_a_connection_that_breaks_in_use_is_an_outage_once(alone: Database, postgres_url: str) -> None:
    def work(_: Session, sql: Sql) -> None:
        sql.do(GIVE, {"n": 1})
        ((pid,),) = sql.rows(Statement("SELECT pg_backend_pid()"), {})
        with _beside(postgres_url) as other_connection:
            other_connection.execute("SELECT pg_terminate_backend(%s, 60000)", (pid,))
        sql.several([(GIVE, {"n": 2}), (GIVE, {"n": 3})], commit=True)

    with pytest.raises(OperationalError):
        _merge(alone, work)
    _merge(alone, lambda _, sql: sql.do(GIVE, {"n": 4}))
    assert table.committed(alone) == [4]


def test_a_statement_that_is_cancelled_takes_its_transaction_along_and_nothing_else(
    alone: Database, postgres_url: str
) -> None:
    pid_before = _pid(alone)

    def cancel() -> None:
        with _beside(postgres_url) as other_connection:
            sleeping = "SELECT count(*) FROM pg_stat_activity WHERE pid = %s AND wait_event = 'PgSleep'"
            until(lambda: other_connection.execute(sleeping, (pid_before,)).fetchone() == (1,))
            other_connection.execute("SELECT pg_cancel_backend(%s)", (pid_before,))

    def work(_: Session, sql: Sql) -> None:
        sql.several([(GIVE, {"n": 1}), (Statement("SELECT pg_sleep(60)::text"), {}), (GIVE, {"n": 2})], commit=True)

    canceller = threading.Thread(target=cancel)
    canceller.start()
    with pytest.raises(OperationalError):
        _merge(alone, work)
    canceller.join(60)
    assert table.committed(alone) == []
    assert _pid(alone) == pid_before


def test_a_connection_on_which_an_answer_is_still_to_come_is_never_used_again(
    alone: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid_before = _pid(alone)

    class BrokenOffError(BaseException):
        pass

    def broken_off(_: object, __: int) -> None:
        raise BrokenOffError

    with monkeypatch.context() as patched:
        patched.setattr(pipeline.Pipeline, "_receive", broken_off)
        with pytest.raises(BrokenOffError):
            _merge(alone, lambda _, sql: sql.do(GIVE, {"n": 1}))
    assert _pid(alone) != pid_before
    assert table.committed(alone) == []


def test_much_in_both_directions_does_not_block(alone: Database) -> None:
    much = "x" * 4_000_000
    echo = Statement("SELECT :much::text || '!'")
    rows: list[list[tuple[Any, ...]]] = []
    _merge(alone, lambda _, sql: rows.extend(sql.several([(echo, {"much": much})] * 4)))
    assert rows == [[(much + "!",)]] * 4


def test_a_connection_keeps_a_limited_number_of_statements_and_forgets_the_oldest(
    alone: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "PREPARED_LIMIT", 5)
    count_query = Statement("SELECT count(*) FROM pg_prepared_statements WHERE NOT from_sql")

    def work(_: Session, sql: Sql) -> None:
        for number in range(12):
            assert sql.rows(Statement(f"SELECT {number}"), {}) == [(number,)]
            sql.rows(count_query, {})
        assert sql.rows(count_query, {}) == [(5,)]
        assert sql.rows(Statement("SELECT 0"), {}) == [(0,)]

    _merge(alone, work)


def test_a_server_that_has_forgotten_its_statements_is_told_them_again(alone: Database) -> None:
    def forget(session: Session, sql: Sql) -> None:
        sql.rows(ONE, {})
        session.execute(text("DEALLOCATE ALL"))
        sql.rows(ONE, {})

    with pytest.raises(psycopg.errors.InvalidSqlStatementName):
        _merge(alone, forget)
    rows: list[tuple[Any, ...]] = []
    _merge(alone, lambda _, sql: rows.extend(sql.rows(ONE, {})))
    assert rows == [(1,)]


def test_a_rollback_makes_the_server_forget_nothing(alone: Database) -> None:
    """The driver forgets its own prepared statements whenever a transaction is rolled back."""

    def fail(session: Session, sql: Sql) -> None:
        sql.rows(ONE, {})
        for _ in range(10):
            session.execute(text("SELECT 2"))
        raise LookupError

    for _ in range(2):
        with pytest.raises(LookupError):
            _merge(alone, fail)
    _merge(alone, lambda _, sql: sql.rows(ONE, {}))


VALUES = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(st.characters(exclude_categories=["Cs"]))
)
FORMS = {type(None): "text", bool: "bool", int: "int8", str: "text"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(VALUES, max_size=4))
def test_parameters_come_back_as_they_were_given(alone: Database, values: list[Any]) -> None:
    parameters = {f"p{number}": value for number, value in enumerate(values)}
    columns = ", ".join(f":{name}::{FORMS[type(value)]}" for name, value in parameters.items())
    statement = Statement(f"SELECT 0, 5 % 3{', ' * bool(columns)}{columns}")
    rows: list[tuple[Any, ...]] = []
    if any("\0" in value for value in values if isinstance(value, str)):
        with pytest.raises(ValueError, match="parameter"):
            _merge(alone, lambda _, sql: sql.rows(statement, parameters))
        return
    _merge(alone, lambda _, sql: rows.extend(sql.rows(statement, parameters)))
    assert rows == [(0, 2, *values)]


@pytest.mark.parametrize("value", [1.5, b"bytes", ["a", "list"]])
def test_an_invalid_parameter_is_refused_before_anything_is_sent(alone: Database, value: object) -> None:
    def work(_: Session, sql: Sql) -> None:
        with pytest.raises(ValueError, match="parameter"):
            sql.several([(GIVE, {"n": 1}), (Statement("SELECT :value::text"), {"value": value})])

    _merge(alone, work)
    assert table.committed(alone) == []
