"""The maximum of connections to PostgreSQL that a service opens, and whether its server allows them.

A service with too few works until load is high, and then some connections are refused: so the start warns about it.
Deliberately not here: the needs of other programs, commands and installations on the same server.
"""

from typing import NamedTuple

import structlog
from sqlalchemy import text

from stempelwerk_cloud.configuration import PREFIX, SMALLEST_POOL
from stempelwerk_cloud.kit.database.transactions import (
    CLOCKS_CONNECTIONS,
    LOOKING_CONNECTIONS,
    MERGING_CONNECTIONS,
    Database,
)
from stempelwerk_cloud.kit.live.relay import RELAY_CONNECTIONS

OWN_CONNECTIONS = 1
"""The connection of `serve` itself, for any number of processes: it holds the lock that marks the database as in use.
"""
_BESIDES = CLOCKS_CONNECTIONS + LOOKING_CONNECTIONS + MERGING_CONNECTIONS + RELAY_CONNECTIONS
_LIMITS = text(
    "SELECT current_setting('max_connections')::int, current_setting('superuser_reserved_connections')::int"
    " + coalesce(current_setting('reserved_connections', true), '0')::int"  # from PostgreSQL 16 on
)

log = structlog.get_logger(__name__)


class Limits(NamedTuple):
    """The maximum of connections of a server, and how many of these it reserves for superusers and the like."""

    maximum: int
    reserved: int

    @property
    def allowed(self) -> int:
        return self.maximum - self.reserved


def of_process(pool: int) -> int:
    """Returns the maximum for one serving process. `pool`: STEMPELWERK_DATABASE_POOL, for pages."""
    return pool + _BESIDES


def of_service(pool: int, workers: int) -> int:
    """Returns the maximum for `serve` with all its processes."""
    return workers * of_process(pool) + OWN_CONNECTIONS


def limits_of(database: Database) -> Limits | None:
    """Returns the limits of the database's server; None for an embedded one."""
    if database.dialect != "postgresql":
        return None
    with database.engine.connect() as connection:
        return Limits(*connection.execute(_LIMITS).one())


def warn_if_too_few(limits: Limits | None, pool: int, workers: int) -> None:
    """Logs one line if the server does not allow as many as the service may need."""
    need = of_service(pool, workers)
    if limits is None or need <= limits.allowed:
        return
    fits = (limits.allowed - OWN_CONNECTIONS) // workers - _BESIDES
    smaller = f"{PREFIX}DATABASE_POOL={fits}" if fits >= SMALLEST_POOL else "fewer --workers"
    setting = f"max_connections={need + limits.reserved}"
    log.warning("too_few_connections", need=need, allowed=limits.allowed, set=f"{smaller}, or {setting}")
