"""The composition root: the only file that knows every room.

It puts the platform together, includes every room's router, and wires the ports between rooms that may not import
each other. It holds no rules of its own.
"""

import importlib
import importlib.util
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from sqlalchemy import MetaData

from stempelwerk_cloud.kit import problems
from stempelwerk_cloud.kit.clock import Clock, Ids, SystemClock, SystemIds
from stempelwerk_cloud.kit.db import Base, Database
from stempelwerk_cloud.kit.live import Live
from stempelwerk_cloud.kit.metrics import Metrics
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.relay import PostgresRelay
from stempelwerk_cloud.settings import Settings

ROOMS = (
    "stempelwerk_cloud.people.companies.router",
    "stempelwerk_cloud.people.users.router",
    "stempelwerk_cloud.people.login.router",
    "stempelwerk_cloud.fleet.devices.router",
    "stempelwerk_cloud.timekeeping.stamps.router",
    "stempelwerk_cloud.timekeeping.entries.router",
    "stempelwerk_cloud.device_api.router",
)


def _exists(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


ROUTERS = [importlib.import_module(name).router for name in ROOMS if _exists(name)]


def build_platform(settings: Settings | None = None, *, clock: Clock | None = None, ids: Ids | None = None) -> Platform:
    """Everything the rooms share. The caller disposes of `.database`."""
    settings = settings or Settings()
    ids = ids or SystemIds()
    return Platform(
        settings=settings,
        database=Database(settings.database_url, pool_size=settings.database_pool),
        clock=clock or SystemClock(),
        ids=ids,
        live=Live(ids),
        metrics=Metrics(),
    )


def create_app(settings: Settings | None = None, *, clock: Clock | None = None, ids: Ids | None = None) -> FastAPI:
    """The service as an ASGI application. Its lifespan owns the background threads and closes the database."""
    platform = build_platform(settings, clock=clock, ids=ids)
    app = FastAPI(title="Stempelwerk", lifespan=_lifespan, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.platform = platform
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router)
    return app


def metadata() -> MetaData:
    """All tables of all rooms."""
    return Base.metadata


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    platform: Platform = app.state.platform
    relay: PostgresRelay | None = None
    if platform.database.dialect == "postgresql":
        url = platform.database.engine.url.set(drivername="postgresql")
        relay = PostgresRelay(url.render_as_string(hide_password=False), platform.live, platform.ids.new())
        platform.live.relay = relay
        relay.start()
    try:
        yield
    finally:
        platform.live.close()
        if relay is not None:
            relay.stop()
        platform.database.dispose()
