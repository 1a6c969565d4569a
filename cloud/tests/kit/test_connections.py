"""Connections to PostgreSQL: as many as are counted, with a warning at the start where the server allows fewer."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from stempelwerk_cloud.app import build_platform, relay_of
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.live.hub import Event
from stempelwerk_cloud.kit.operations import connections, in_use
from stempelwerk_tools.postgres import PostgresServer, temporary_server
from structlog.testing import capture_logs

from cloud.tests.waiting import until

DEBIANS = 100 - 3
"""Connections that PostgreSQL allows in Debian's configuration."""
FEW, RESERVED = 40, 5


def _warned(database: Database, pool: int, workers: int) -> list[Any]:
    with capture_logs() as lines:
        connections.warn_if_too_few(connections.limits_of(database), pool, workers)
    return lines


def test_four_workers_fit_into_postgresql_as_it_comes_and_leave_some_for_commands() -> None:
    assert connections.of_service(Settings().database_pool, workers=4) <= DEBIANS - 5


def test_a_process_opens_as_many_as_are_counted(unused_database: None, postgres_url: str, tmp_path: Path) -> None:
    settings = Settings(database_url=postgres_url, data_dir=tmp_path, web_dir=tmp_path, database_pool=2)
    platform = build_platform(settings)
    relay = relay_of(platform)
    assert relay is not None
    count = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()")

    def opened() -> int:
        with watching.engine.connect() as connection:
            return int(connection.execute(count).scalar_one())

    with ExitStack() as stack:
        watching = stack.enter_context(Database(postgres_url, pool_size=1))
        open_before = opened()
        stack.enter_context(platform.database)
        relay.start()
        stack.callback(relay.stop)
        relay.send(["topic"], Event("", {}))
        for engine in platform.database.engines:
            for _ in range(engine.pool.size()):  # type: ignore[attr-defined]
                stack.enter_context(engine.connect())
            assert engine.pool._max_overflow == 0  # type: ignore[attr-defined]
        until(lambda: opened() - open_before == connections.of_process(2))


def test_serve_holds_one_besides(unused_database: None, postgres_url: str) -> None:
    with Database(postgres_url, pool_size=1) as holding, in_use.serving(holding):
        assert holding.engine.pool.checkedout() == connections.OWN_CONNECTIONS  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def small() -> Iterator[PostgresServer]:
    limits = {"max_connections": str(FEW), "superuser_reserved_connections": str(RESERVED)}
    with temporary_server(settings=limits) as server:
        yield server


@pytest.fixture
def small_database(small: PostgresServer) -> Iterator[Database]:
    url = small.new_database()
    with Database(url, pool_size=1, as_owner=True) as database:
        yield database
    small.drop_database(url)


def test_an_exact_fit_causes_no_warning(small_database: Database) -> None:
    assert _warned(small_database, FEW - RESERVED - 13, 1) == []


@pytest.mark.parametrize(
    ("pool", "workers", "smaller"),
    [(23, 1, "STEMPELWERK_DATABASE_POOL=22"), (6, 2, "STEMPELWERK_DATABASE_POOL=5"), (2, 3, "fewer --workers")],
)
def test_one_too_many_is_warned_of_with_what_would_fit(
    small_database: Database, pool: int, workers: int, smaller: str
) -> None:
    need = workers * (pool + 12) + 1
    (line,) = _warned(small_database, pool, workers)
    assert line == {
        "event": "too_few_connections",
        "log_level": "warning",
        "need": need,
        "allowed": FEW - RESERVED,
        "set": f"{smaller}, or max_connections={need + RESERVED}",
    }


def test_the_limits_in_the_warning_fit(small_database: Database) -> None:
    assert _warned(small_database, 22, 1) == _warned(small_database, 5, 2) == []


def test_an_embedded_database_has_no_such_limit(sqlite_url: str) -> None:
    with Database(sqlite_url) as database:
        assert _warned(database, 10_000, 1) == []
