"""Endpoints of the log lines of a company's clocks."""

from typing import Annotated, Literal

from fastapi import Depends, Query, Request, Response

from stempelwerk_cloud.fleet.device_logs import listing
from stempelwerk_cloud.fleet.device_logs.listing import MODULE, Level, LogRow
from stempelwerk_cloud.kit.database.pages import PageRequest
from stempelwerk_cloud.kit.http.paging import Paging
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import EMPTY_IS_ALL, BeforeField
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.people.access.guards import of_company_with, stream_of_company_with
from stempelwerk_cloud.people.access.identity.streams import stream_to
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Reading

router = room_router("device logs")


@router.get("/api/companies/{id}/device-logs")
def device_logs(
    caller: Annotated[Caller, Depends(of_company_with(MODULE))],
    work: Reading,
    request: Request,
    response: Response,
    level: Annotated[Literal[Level, "all"], EMPTY_IS_ALL] = "all",
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
    before: BeforeField = None,
    text: Annotated[str, Query(alias="q", max_length=100)] = "",
) -> list[LogRow]:
    """Lists the newest lines of the company's clocks, newest first."""
    paging = Paging(request, response, PageRequest(limit, before))
    level_filter = None if level == "all" else level
    rows = listing.page_of(work.session, caller.subject_company_id, paging.page_request, level_filter, text.strip())
    return list(paging.cut(rows))


@router.get("/api/companies/{id}/device-logs/stream", status_code=200, response_class=EventStream)
async def device_log_stream(
    caller: Annotated[Caller, Depends(stream_of_company_with(MODULE))], request: Request
) -> EventStream:
    """Streams each new line, as `{type: log, log}`. An event without `log` asks the client to reload the list."""
    topic = listing.topic_of(caller.subject_company_id)
    return stream_to(caller, request, topic, catch_up=listing.RELOAD_EVENT, module=MODULE)
