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
from stempelwerk_cloud.kit.operations import faults
from stempelwerk_cloud.kit.platform import PlatformDep

log = structlog.get_logger(__name__)
router = room_router("health")

DatabaseState = Literal["ok", "unreachable", "read_only", "outdated"]


class FaultRow(Wire):
    """Something that is wrong with the installation. `subject`: what it concerns; `text`: what an operator does."""

    kind: faults.Kind
    subject: str
    text: str


class Health(Wire):
    """`unavailable`, a 503: the database is not `ok`. `degraded`, a 200: clocks deliver, and `faults` names what is
    wrong. Without faults the member is left out."""

    status: Literal["ok", "degraded", "unavailable"]
    version: str
    database: DatabaseState
    faults: list[FaultRow] | None = None


@router.get("/api/health", responses={503: {"model": Health}}, response_model_exclude_none=True)
def health(_: Anyone, platform: PlatformDep, response: Response) -> Health:
    """Whether the service can do its work."""
    service_version = version("stempelwerk-cloud")
    database = state_of(platform.database)
    if database != "ok":
        response.status_code = 503
        return Health(status="unavailable", version=service_version, database=database)
    fault_rows = [FaultRow(kind=kind, subject=subject, text=text) for kind, subject, text in faults.find(platform)]
    return Health(
        status="degraded" if fault_rows else "ok", version=service_version, database=database, faults=fault_rows or None
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
