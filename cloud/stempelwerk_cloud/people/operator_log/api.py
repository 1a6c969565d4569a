"""The call about the operator log."""

from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import StringConstraints

from stempelwerk_cloud.domain.instants import day_end, day_start
from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.http.paging import BoundsDep, name_next
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import BeforeField
from stempelwerk_cloud.people.access.guards import AdminOnly
from stempelwerk_cloud.people.access.identity.browsers import shortened
from stempelwerk_cloud.people.audit.tables import ACTION_LIMIT
from stempelwerk_cloud.people.directory.companies import zone_of
from stempelwerk_cloud.people.operator_log import queries, service
from stempelwerk_cloud.people.operator_log.service import OperatorLogRow
from stempelwerk_cloud.people.work import Reading

router = room_router("operator log")

MOST_ACTIONS = 200

_Action = Annotated[str, StringConstraints(max_length=ACTION_LIMIT, pattern=r"^[a-z_.]+$")]


@router.get("/api/operator-log")
def operator_log(
    caller: AdminOnly,
    work: Reading,
    request: Request,
    response: Response,
    bounds: BoundsDep,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: BeforeField = None,
    q: Annotated[str, Query(max_length=100)] = "",
    action: Annotated[list[_Action] | None, Query(max_length=MOST_ACTIONS)] = None,
) -> list[OperatorLogRow]:
    """Lists actions of system administrators and of server commands, and security events of their logins, newest first.

    `from` and `to` are days of the operator's company. With `q`, `action` or both: rows that name `q` (operator,
    company, subject, network), or whose action is one of these. An address in `q` is shortened as in the rows.
    """
    zone = zone_of(work.session, caller.company_id, work.now())
    rows = queries.page(
        work.session,
        PageRequest(limit, before),
        start=None if bounds.first is None else day_start(bounds.first, zone),
        end=None if bounds.last is None else day_end(bounds.last, zone),
        text=shortened(q.strip()) or q.strip(),
        actions=action or (),
    )
    name_next(request, response, before=rows[limit - 1].id if len(rows) > limit else None)
    return service.describe_rows(work, rows[:limit])
