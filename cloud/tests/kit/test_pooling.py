"""The start detects a pooler that hands each transaction another session."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import psycopg
import pytest
from sqlalchemy import make_url
from stempelwerk_cloud.kit.database import postgres
from stempelwerk_cloud.kit.database.postgres import conninfo_of

SESSIONS = 3


class _Pool:
    """PgBouncer in its mode "transaction": a free session of the server for each transaction."""

    def __init__(self, free: list[Any], *, takes_last: bool) -> None:
        self.free = free
        self._at = -1 if takes_last else 0

    def take(self) -> Any:
        return self.free.pop(self._at)


class _Client:
    """A connection of such a pool, as the driver shows it."""

    closed = False

    def __init__(self, pool: _Pool) -> None:
        self._pool, self._session = pool, None
        self.info = type("info", (), {"backend_pid": -1})

    def execute(self, statement: str) -> Any:
        self._session = self._session or self._pool.take()
        return self._session.execute(statement)

    def commit(self) -> None:
        if self._session is not None:
            self._session.commit()
            self._pool.free.append(self._session)
            self._session = None

    rollback = commit


@pytest.fixture
def sessions(postgres_url: str) -> Iterator[list[Any]]:
    with ExitStack() as stack:
        conninfo = conninfo_of(make_url(postgres_url))
        yield [stack.enter_context(psycopg.connect(conninfo)) for _ in range(SESSIONS)]


@pytest.mark.parametrize("takes_last", [True, False], ids=["the last one freed", "by turns"])
def test_a_pooler_that_changes_sessions_is_detected(sessions: list[Any], takes_last: bool) -> None:
    pool = _Pool(sessions, takes_last=takes_last)
    first, second = _Client(pool), _Client(pool)
    assert postgres.is_pooled(first)
    assert not postgres.keeps_sessions(first, second)


def test_a_pooler_that_keeps_sessions_is_no_reason_to_refuse(sessions: list[Any]) -> None:
    assert postgres.keeps_sessions(sessions[0], sessions[1])


def test_postgresql_itself_is_served(postgres_url: str, sessions: list[Any]) -> None:
    assert not postgres.is_pooled(sessions[0])
    postgres.refuse_pooler(make_url(postgres_url))
