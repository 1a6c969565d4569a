"""The call about a company's stored data."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Annotated

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.office.data_view import problems, service
from stempelwerk_cloud.office.data_view.schemas import DataDump
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory.service import Caller

router = room_router("data view")

LIMIT = 100
AT_ONCE = 3
"""Dumps of all companies that are made at once."""
_CHUNK = 64 * 1024

Reader = Annotated[Caller, Depends(of_company_with("data_view").at_most("30/minute").showing("times"))]


@router.get("/api/companies/{id}/data-dump", response_class=StreamingResponse, responses={200: {"model": DataDump}})
async def data_dump(
    caller: Reader, platform: PlatformDep, limit: Annotated[int, Query(ge=0, le=1_000_000)] = LIMIT
) -> StreamingResponse:
    """What is stored about the company, table by table; of each the newest `limit` rows, all with 0.

    Left out is what opens something (passwords, tokens, tags), sick notes, and what is somebody's own. One at a time
    for a company.
    """
    with ExitStack() as held:
        turn = [f"dump {caller.subject_company_id}"]
        held.enter_context(await places.take_one(platform, turn, problems.one_at_a_time))
        file = held.enter_context(tempfile.TemporaryFile(dir=platform.settings.data_dir))
        with await places.take_one(platform, [f"dumps {number}" for number in range(AT_ONCE)], problems.too_many):
            async with platform.limiter.permit():
                await run_in_threadpool(service.dump, platform, caller, limit, file)
        sent = held.pop_all()

    def chunks() -> Iterator[bytes]:
        with sent:
            yield from iter(lambda: file.read(_CHUNK), b"")

    return StreamingResponse(chunks(), media_type="application/json")
