"""Readiness: the database answers and can be written to, and its schema is the one this program was written for."""

from importlib.metadata import version
from typing import Literal

import structlog
from fastapi import Response
from sqlalchemy.exc import SQLAlchemyError

from stempelwerk_cloud.kit.database import schema
from stempelwerk_cloud.kit.database.postgres import RoleMissing
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.http.routing import Anyone, room_router
from stempelwerk_cloud.kit.http.schemas import Wire
from stempelwerk_cloud.kit.platform import PlatformDep

log = structlog.get_logger(__name__)
router = room_router("health")

DatabaseState = Literal["ok", "unreachable", "read_only", "outdated"]


class Health(Wire):
    """`status` is `ok` exactly if `database` is; otherwise the answer is a 503."""

    status: Literal["ok", "unavailable"]
    version: str
    database: DatabaseState


@router.get("/api/health", responses={503: {"model": Health}})
def health(_: Anyone, platform: PlatformDep, response: Response) -> Health:
    """Whether the service can do its work."""
    database = state_of(platform.database)
    if database != "ok":
        response.status_code = 503
    return Health(
        status="ok" if database == "ok" else "unavailable", version=version("stempelwerk-cloud"), database=database
    )


def state_of(database: Database) -> DatabaseState:
    try:
        current = schema.current(database)
        if not database.can_be_written():
            return "read_only"
    except RoleMissing:
        return "outdated"
    except SQLAlchemyError as error:
        log.error("database_unreachable", error=type(error).__name__)
        return "unreachable"
    return "ok" if current == schema.head() else "outdated"
