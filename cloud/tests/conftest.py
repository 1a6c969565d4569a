"""Fixtures for every test of the service: both databases, a fixed clock, a client, a company.

`database_url` selects SQLite or PostgreSQL (`databases.py`). Each test has its own database with the requested content
(`beginnings.py`); on PostgreSQL it is emptied and filled again (`shared_database.py`).
"""

import gc
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import anyio
import pytest
import stempelwerk_cloud.command_line  # noqa: F401 - before anything that it names is patched
import stempelwerk_tools.untimed  # noqa: F401 - loads the profile
import structlog
from argon2 import PasswordHasher
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource
from sqlalchemy import event
from stempelwerk_cloud import app as application
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import create_app, relay_of
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.clock import SystemIds
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import WrongOrder
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.files.packing.processes import Packing
from stempelwerk_cloud.kit.limits.fair_semaphore import FairLimiter, Share
from stempelwerk_cloud.kit.live import hub
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import passwords
from stempelwerk_tools.postgres import PostgresServer, in_memory, temporary_server

from cloud.tests import forked
from cloud.tests.beginnings import MOST_FIRST, Beginning, Beginnings, Kind, file_of
from cloud.tests.databases import DATABASES, is_the_others_turn
from cloud.tests.forked_children import ForkingPool
from cloud.tests.quick_client import QuickClient
from cloud.tests.settable_clock import SettableClock
from cloud.tests.shared_database import SharedDatabase
from cloud.tests.stamping import Site
from cloud.tests.world import Firm, World

# Logs of tests are discarded quickly; `kit/test_requests.py` checks the real lines.
structlog.configure(
    processors=[structlog.processors.KeyValueRenderer()], logger_factory=structlog.ReturnLoggerFactory()
)


class _Meeting(FairLimiter):
    """A limiter without shares: a test brings more requests of one company together than a service would serve."""

    def slot(self, *_: Share) -> AbstractAsyncContextManager[None]:
        return super().slot()


@pytest.fixture(autouse=True)
def wrong_orders() -> Iterator[list[WrongOrder]]:
    """Locks that came in the wrong order, whatever became of the error. A test that means it to happen clears them."""
    found: list[WrongOrder] = []
    locks.enable_order_check(found.append)
    yield found
    locks.enable_order_check(None)
    assert found == []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests alternate: one that runs on one database at each commit runs on the other at a release."""
    for item in filter(is_the_others_turn, items):
        item.add_marker("prove")


def pytest_collection_finish() -> None:
    """Freezes the collected tests, so that the garbage collector does not visit them thousands of times."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hashes passwords as in production at a lower cost; `kit/test_secrets.py` tests the real cost."""
    with pytest.MonkeyPatch.context() as patch:
        quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
        patch.setattr(passwords, "_HASHER", quick)
        patch.setattr(passwords, "_NOBODYS", quick.hash("a password that nobody has"))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_stream_heartbeats() -> Iterator[None]:
    """A stream only receives published events; otherwise tests would not notice a missing one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hub, "BEAT_S", 3600)
        yield


@pytest.fixture(scope="session", autouse=True)
def no_recurring_jobs() -> Iterator[None]:
    """Recurring work runs when a test calls `jobs.run_once`, never in the middle of a slow test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(application, "JOBS", ())
        yield


@pytest.fixture(scope="session", autouse=True)
def no_measuring() -> Iterator[None]:
    """Metrics of the database are read when a test calls `jobs.measure`, not at each start."""

    async def never(*_: object) -> None:
        await anyio.sleep_forever()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "_measure", never)
        yield


@pytest.fixture(scope="session", autouse=True)
def forks() -> None:
    forked.make_folder()


@pytest.fixture(scope="session", autouse=True)
def nothing_relayed() -> Iterator[None]:
    """Sends no events to other processes: the two connections for it cost more than a call (`relayed`)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(application, "relay_of", lambda _: None)
        yield


@pytest.fixture
def relayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Applications of this test send each other their events, as processes on one PostgreSQL do."""
    monkeypatch.setattr(application, "relay_of", relay_of)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    with temporary_server() as server:
        yield server


@pytest.fixture(scope="session")
def beginnings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Beginnings:
    return Beginnings(tmp_path_factory.mktemp("beginnings"), lambda: request.getfixturevalue("postgres_server"))


@pytest.fixture(scope="session")
def postgres_template(beginnings: Beginnings) -> str:
    return beginnings.of("postgresql", "schema").url


@pytest.fixture(scope="session")
def sqlite_template(beginnings: Beginnings) -> Path:
    return file_of(beginnings.of("sqlite", "schema").url)


@pytest.fixture
def initial_content(request: pytest.FixtureRequest) -> Kind:
    """Returns the initial content that the test's fixtures ask for."""
    return next((kind for kind in MOST_FIRST if kind in request.fixturenames), "schema")


MEETING = 8
"""As many calls run at once as in production, also of one person, so that they meet in the middle."""


class Engines:
    """The databases of one process, by address and purpose: each is opened once.

    A test finds its database at the address where the test before had its own, and what the engines have compiled for
    that one they need not compile again.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Database] = {}
        self.shared: SharedDatabase | None = None

    def of(self, purpose: str, url: str, **how: Any) -> Database:
        if self.shared is not None and url == self.shared.url:
            return self.shared.opened(purpose, **how)
        known = self._known.get((purpose, url))
        if known is None:
            known = self._known[purpose, url] = Database(url, **how)
        return known


@pytest.fixture(scope="session")
def engines() -> Engines:
    return Engines()


@pytest.fixture(scope="session")
def sqlite_file() -> Iterator[Path]:
    """In memory where there is some: every commit waits for the disk, and nothing here need last."""
    with tempfile.TemporaryDirectory(prefix="stempelwerk-db-", dir=in_memory()) as folder:
        yield Path(folder) / "database" / "stempelwerk.db"


@pytest.fixture
def sqlite_url(beginnings: Beginnings, initial_content: Kind, sqlite_file: Path) -> Iterator[str]:
    sqlite_file.parent.mkdir()
    shutil.copyfile(file_of(beginnings.of("sqlite", initial_content).url), sqlite_file)
    yield f"sqlite:///{sqlite_file}"
    shutil.rmtree(sqlite_file.parent)


@pytest.fixture(scope="session")
def shared_database(
    beginnings: Beginnings, postgres_server: PostgresServer, engines: "Engines"
) -> Iterator[SharedDatabase]:
    engines.shared = SharedDatabase(postgres_server, lambda kind: beginnings.of("postgresql", kind).url)
    yield engines.shared
    engines.shared.close()


@pytest.fixture
def unused_database() -> None:
    """Gives the test a PostgreSQL database that no test before it has used (`shared_database.py`)."""


@pytest.fixture
def postgres_url(
    request: pytest.FixtureRequest,
    beginnings: Beginnings,
    initial_content: Kind,
    postgres_server: PostgresServer,
    shared_database: SharedDatabase,
) -> Iterator[str]:
    if "unused_database" not in request.fixturenames:
        yield shared_database.filled(initial_content)
        return
    url = postgres_server.new_database(beginnings.of("postgresql", initial_content).url, name="unused_database")
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(params=DATABASES)
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh database with the whole schema, by turns one of the two (`databases.py`)."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url


@pytest.fixture(params=DATABASES)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty database."""
    if request.param == "sqlite":
        with Database(f"sqlite:///{tmp_path / 'new' / 'stempelwerk.db'}") as database:
            yield database
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    url = server.new_database()
    with Database(url, as_owner=True) as database:
        yield database
    server.drop_database(url)


@pytest.fixture
def database(database_url: str, engines: Engines) -> Iterator[Database]:
    """The database without an application."""
    database = engines.of("alone", database_url)
    yield database
    database.dispose()


@pytest.fixture
def owner(database_url: str, engines: Engines) -> Iterator[Database]:
    """The same database as its owner, for creating tables and for restoring."""
    database = engines.of("owner", database_url, as_owner=True)
    yield database
    database.dispose()


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def ids() -> SystemIds:
    return SystemIds()


class _Settings(Settings):
    """Settings without the environment, whose search for each name takes several times as long as the rest."""

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource, *_: Any, **__: Any
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return _Settings(database_url=database_url, data_dir=tmp_path / "data", web_dir=tmp_path / "web")


@pytest.fixture
def app(settings: Settings, clock: SettableClock, ids: SystemIds, engines: Engines) -> Iterator[FastAPI]:
    database = engines.of("app", settings.database_url, pool_size=settings.database_pool)
    app = create_app(settings, clock=clock, ids=ids, database=database)
    app.state.platform.page_turns = _Meeting(MEETING)
    app.state.platform.refusal_pause_s = 0
    app.state.platform.subprocesses = ForkingPool()
    app.state.platform.packing = Packing(app.state.platform.subprocesses)
    yield app
    app.state.platform.database.dispose()


@pytest.fixture
def platform(app: FastAPI) -> Platform:
    platform: Platform = app.state.platform
    return platform


@pytest.fixture
def asked(platform: Platform) -> Iterator[list[str]]:
    """The statements that requests have asked the application's database, oldest first."""
    statements: list[str] = []

    def note(*called: Any) -> None:
        if "request_id" in structlog.contextvars.get_contextvars():
            statements.append(called[2])

    for engine in platform.database.engines:
        event.listen(engine, "before_cursor_execute", note)
    yield statements
    for engine in platform.database.engines:
        event.remove(engine, "before_cursor_execute", note)


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    """Runs the application's lifespan. Errors of the service come as 500 and not as exceptions."""
    with QuickClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def beginning(beginnings: Beginnings, platform: Platform, initial_content: Kind) -> Beginning:
    """Returns the people who are already in the test's database."""
    return beginnings.of(platform.database.dialect, initial_content)


@pytest.fixture
def world(beginning: Beginning, client: TestClient, platform: Platform) -> World:
    """An installation with a founder, where companies and people are made in a line."""
    return beginning.enter(client, platform)


@pytest.fixture
def firm(world: World) -> Firm:
    return world.firm()


@pytest.fixture
def site(beginning: Beginning, world: World, clock: SettableClock) -> Site:
    """A firm and its clock."""
    return beginning.with_clock(world, clock)
