"""The call about a company's stored data."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Annotated, BinaryIO

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
_WHOLE_S = 0.1
"""What is made within this is answered as a whole, and what fails as any other call; the rest while it is made."""
_LOOK_EVERY_S = 0.05

Reader = Annotated[Caller, Depends(of_company_with("data_view").at_most("30/minute").showing("times").in_turn())]


@router.get("/api/companies/{id}/data-dump", response_class=StreamingResponse, responses={200: {"model": DataDump}})
async def data_dump(
    caller: Reader, platform: PlatformDep, limit: Annotated[int, Query(ge=0, le=1_000_000)] = LIMIT
) -> StreamingResponse:
    """What is stored about the company, table by table; of each the newest `limit` rows, all with 0.

    Left out is what opens something (passwords, tokens, tags), sick notes, and what is somebody's own. One at a time
    for a company.
    """
    async with AsyncExitStack() as held:
        turn = [f"dump {caller.subject_company_id}"]
        held.enter_context(await places.take_one(platform, turn, problems.one_at_a_time))
        file = tempfile.TemporaryFile(dir=platform.settings.data_dir)  # noqa: SIM115 - by the stack
        held.callback(file.close)
        place = await places.take_one(platform, [f"dumps {number}" for number in range(AT_ONCE)], problems.too_many)

        async def write() -> None:
            with place:
                async with platform.page_turns.of("dumps"):
                    await run_in_threadpool(service.dump, platform, caller, limit, file)

        writing = asyncio.create_task(write())
        writing.add_done_callback(lambda made: made.cancelled() or made.exception())  # whoever is sent it hears of it
        held.push_async_callback(asyncio.wait, [writing])
        await asyncio.wait([writing], timeout=_WHOLE_S)
        if writing.done():
            writing.result()
        sent = held.pop_all()

    async def chunks() -> AsyncIterator[bytes]:
        async with sent:
            async for chunk in followed(file, writing):
                yield chunk

    return StreamingResponse(chunks(), media_type="application/json")


async def followed(file: BinaryIO, writing: asyncio.Task[None]) -> AsyncIterator[bytes]:
    """What is written into a file from its beginning, while it is; raises what the writing raises."""
    place, ended = 0, False
    while not ended:
        ended = writing.done()
        while chunk := os.pread(file.fileno(), _CHUNK, place):
            place += len(chunk)
            yield chunk
        if not ended:
            await asyncio.wait([writing], timeout=_LOOK_EVERY_S)
    writing.result()
