"""The call about a company's stored data."""

from typing import Annotated, Any

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http import downloads
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import Wire
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.office.data_view import service, words
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.access.identity.streams import session_goes_on
from stempelwerk_cloud.people.directory.callers import Caller


class DataDump(Wire):
    """Rows by table, and the total number of rows."""

    tables: dict[str, list[dict[str, Any]]]
    counts: dict[str, int]


router = room_router("data view")

LIMIT = 100
LONGEST_S = 600
"""A download ends after this time, whole or not."""

Reader = Annotated[Caller, Depends(of_company_with("data_view").at_most("30/minute").showing("times"))]


@router.get("/api/companies/{id}/data-dump", response_class=StreamingResponse, responses={200: {"model": DataDump}})
async def data_dump(
    caller: Reader, platform: PlatformDep, limit: Annotated[int, Query(ge=0, le=1_000_000)] = LIMIT
) -> StreamingResponse:
    """Returns the company's stored rows by table: the newest `limit` of each, or all with 0.

    Secrets (passwords, tokens, tags), sick notes and people's private data are left out. Each administrator reads one
    at a time.
    """
    turn = await places.take_own(platform, caller.user_id, "dump", words.STILL_READ)
    pieces = downloads.in_turn(platform, caller.subject_company_id, service.pieces(platform, caller, limit))
    return downloads.Sending(
        platform, turn, downloads.read(pieces), LONGEST_S, session_goes_on(caller, platform), {}, "application/json"
    )
