"""Initial contents of a test's database: the schema, a founder, the firm, or the firm with a clock.

The service creates each once, and every test copies it: creating costs more than most tests.
"""

import copy
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from fastapi.testclient import TestClient
from sqlalchemy import make_url
from stempelwerk_cloud.app import create_app
from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_tools.postgres import PostgresServer

from cloud.tests.device_client import Clock, SetNow
from cloud.tests.quick_client import QuickClient
from cloud.tests.settable_clock import SettableClock
from cloud.tests.stamping import EVENING, Site, add_clock
from cloud.tests.world import FIRM, Firm, World

Kind = Literal["schema", "world", "firm", "site"]
MOST_FIRST: tuple[Kind, ...] = ("site", "firm", "world")
"""Fixture names that select an initial content."""


@dataclass(frozen=True)
class Beginning:
    """A database that waits to be copied, and who is in it: the handles of those who made it."""

    url: str
    world: World | None = None
    firm: Firm | None = None
    device: Clock | None = None

    def enter(self, client: TestClient, platform: Platform) -> World:
        """The world of a test whose database is a copy."""
        if self.world is None:
            return World(client, platform)
        world = World(client, platform, self.world.founder)
        if self.firm is not None:
            world.firms[FIRM] = self.firm.seen_from(world)
        return world

    def with_clock(self, world: World, clock: SetNow) -> Site:
        """Returns the firm with its clock."""
        if self.device is None:
            return add_clock(world, clock)
        clock.set(EVENING)
        device = copy.copy(self.device)
        device.client, device.now, device.rng = world.client, clock, copy.deepcopy(self.device.rng)
        return Site(world, world.firm(), clock, device)


class Beginnings:
    """All of them, on both databases. `folder` is for files; `server` is asked for when it is needed."""

    def __init__(self, folder: Path, server: Callable[[], PostgresServer]) -> None:
        self._folder = folder
        self._server = server
        self.of = cache(self._make)

    def _make(self, dialect: Literal["sqlite", "postgresql"], kind: Kind) -> Beginning:
        if kind == "schema":
            url = f"sqlite:///{self._folder / 'schema.db'}" if dialect == "sqlite" else self._server().new_database()
            with Database(url, as_owner=True) as database:
                schema.migrate(database)
            return Beginning(url)
        url = self._copy(dialect, kind)
        clock = SettableClock()
        app = create_app(Settings(database_url=url, data_dir=self._folder, web_dir=self._folder), clock=clock)
        with QuickClient(app) as client:
            world = World(client, app.state.platform)
            if kind == "world":
                return Beginning(url, world)
            if kind == "firm":
                return Beginning(url, world, world.firm())
            site = add_clock(world, clock)
            return Beginning(url, world, site.firm, site.device)

    def _copy(self, dialect: str, kind: Kind) -> str:
        bare = self.of(dialect, "schema").url
        if dialect == "postgresql":
            return self._server().new_database(bare)
        path = self._folder / f"{kind}.db"
        shutil.copyfile(file_of(bare), path)
        return f"sqlite:///{path}"


def file_of(url: str) -> Path:
    """The file that a URL of SQLite names."""
    name = make_url(url).database
    assert name, url
    return Path(name)
