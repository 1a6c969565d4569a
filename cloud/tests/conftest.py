"""What every test of the service may ask for: both databases, a clock that stands still, a client, a company.

`database_url` runs a test on SQLite and on PostgreSQL. The schema is made once for each and copied for each test.
"""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import stempelwerk_tools.untimed  # noqa: F401 - loads the profile
import structlog
from fastapi import FastAPI
from fastapi.testclient import TestClient
from stempelwerk_cloud.app import build_platform, create_app
from stempelwerk_cloud.kit.clock import SystemIds
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.settings import Settings
from stempelwerk_tools.postgres import PostgresServer, temporary_server

from cloud.tests.stamping import Wall, hang_up
from cloud.tests.world import Firm, World, lay_out

# What is logged in tests goes nowhere, quickly; `kit/test_requests.py` looks at the real lines.
structlog.configure(
    processors=[structlog.processors.KeyValueRenderer()], logger_factory=structlog.ReturnLoggerFactory()
)

START = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)


class SettableClock:
    """Stands still until a test moves it."""

    def __init__(self, instant: datetime = START) -> None:
        self.instant = instant

    def now(self) -> datetime:
        return self.instant

    def set(self, instant: datetime) -> None:
        self.instant = instant

    def advance(self, **duration: float) -> None:
        """`advance(hours=2)`: the arguments of a timedelta."""
        self.instant += timedelta(**duration)


def _make_schema(url: str) -> None:
    database = Database(url, as_owner=True)
    schema.migrate(database)
    database.dispose()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    with temporary_server() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_template(postgres_server: PostgresServer) -> str:
    url = postgres_server.new_database()
    _make_schema(url)
    return url


@pytest.fixture(scope="session")
def postgres_peopled(postgres_server: PostgresServer, postgres_template: str) -> str:
    url = postgres_server.new_database(postgres_template)
    _lay_out(url)
    return url


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sqlite") / "template.db"
    _make_schema(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def sqlite_peopled(sqlite_template: Path) -> Path:
    path = sqlite_template.with_name("peopled.db")
    shutil.copyfile(sqlite_template, path)
    _lay_out(f"sqlite:///{path}")
    return path


def _lay_out(url: str) -> None:
    platform = build_platform(Settings(database_url=url), clock=SettableClock())
    lay_out(platform)
    platform.database.dispose()


def _kind(request: pytest.FixtureRequest) -> str:
    """Which database a test starts from: where it asks for the firm, it is there already.

    A clock's wall makes the firm itself, at a time of its own.
    """
    return "peopled" if "firm" in request.fixturenames and "wall" not in request.fixturenames else "template"


@pytest.fixture
def sqlite_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    path = tmp_path / "stempelwerk.db"
    shutil.copyfile(request.getfixturevalue(f"sqlite_{_kind(request)}"), path)
    return f"sqlite:///{path}"


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest, postgres_server: PostgresServer) -> Iterator[str]:
    url = postgres_server.new_database(request.getfixturevalue(f"postgres_{_kind(request)}"))
    yield url
    postgres_server.drop_database(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh database with the whole schema, once on each of the two."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database in which nothing has been made yet."""
    if request.param == "sqlite":
        database = Database(f"sqlite:///{tmp_path / 'new' / 'stempelwerk.db'}")
        yield database
        database.dispose()
        return
    server: PostgresServer = request.getfixturevalue("postgres_server")
    url = server.new_database()
    database = Database(url, as_owner=True)
    yield database
    database.dispose()
    server.drop_database(url)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """The database alone, without an application."""
    database = Database(database_url)
    yield database
    database.dispose()


@pytest.fixture
def owner(database_url: str) -> Iterator[Database]:
    """The same database as whom it belongs to: for making tables, and for restoring."""
    database = Database(database_url, as_owner=True)
    yield database
    database.dispose()


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def ids() -> SystemIds:
    return SystemIds()


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(database_url=database_url, data_dir=tmp_path / "data", web_dir=tmp_path / "web")


@pytest.fixture
def app(settings: Settings, clock: SettableClock, ids: SystemIds) -> Iterator[FastAPI]:
    app = create_app(settings, clock=clock, ids=ids)
    yield app
    app.state.platform.database.dispose()


@pytest.fixture
def platform(app: FastAPI) -> Platform:
    platform: Platform = app.state.platform
    return platform


@pytest.fixture
def client(app: FastAPI) -> Iterator[TestClient]:
    """Runs the application's lifespan. Errors of the service come as 500 and not as exceptions."""
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


@pytest.fixture
def world(client: TestClient, platform: Platform) -> World:
    """An installation with a founder, where companies and people are made in a line."""
    return World(client, platform)


@pytest.fixture
def firm(world: World) -> Firm:
    return world.firm()


@pytest.fixture
def wall(world: World, clock: SettableClock) -> Wall:
    """A firm with a clock on its wall."""
    return hang_up(world, clock)
