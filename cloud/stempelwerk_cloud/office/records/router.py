"""Calls about what is kept of a person."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from typing import Annotated, Any, BinaryIO

from fastapi import Depends, Path, Response
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from stempelwerk_cloud.kit.files import places
from stempelwerk_cloud.kit.http.downloads import attachment
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import IdField
from stempelwerk_cloud.kit.platform import Platform, PlatformDep
from stempelwerk_cloud.office.records import data, erasing, problems
from stempelwerk_cloud.office.records.schemas import Erasing, ErasureRow
from stempelwerk_cloud.people.access.guards import administrators_with, self_or_company_admin
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Writing

router = room_router("records")

UserId = Annotated[IdField, Path(alias="userId")]
_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}
}
_ZIP = "application/zip"
LONGEST_S = 600
"""Whoever takes longer to receive it begins anew."""


@router.get("/api/users/{userId}/data", response_class=Response, responses=_FILE)
async def data_of(
    caller: Annotated[Caller, Depends(self_or_company_admin.at_most("10/minute").showing("times"))],
    platform: PlatformDep,
    user_id: UserId,
) -> Response:
    """Everything that is kept about the person, as a zip: a page to read, each table as JSON, and files.

    One at a time for a company, so that others need not wait. It holds no secrets, and of others their usernames.
    """
    place = await places.take_turn(platform, caller.subject_company_id, problems.one_at_a_time)
    try:
        async with platform.limiter.permit():
            person = await run_in_threadpool(data.begin, platform, caller, user_id)
    except BaseException:
        place.close()
        raise
    headers = attachment(f"daten-{person.username}", "zip") | {"Cache-Control": "no-store"}
    return _Sending(place, _each(platform, data.pieces(platform, person)), media_type=_ZIP, headers=headers)


class _Sending(StreamingResponse):
    """An answer that holds its company's place until it is sent, or for as long as one may take at most."""

    def __init__(self, place: BinaryIO, content: AsyncIterator[bytes], **more: Any) -> None:
        super().__init__(content, **more)
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._place, suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_S):
                await super().__call__(scope, receive, send)


async def _each(platform: Platform, pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Each piece, made when it is asked for."""
    while True:
        async with platform.limiter.permit():
            piece = await run_in_threadpool(next, pieces, None)
        if piece is None:
            return
        yield piece


@router.post("/api/users/{userId}/erasure")
def erasure(
    _: Annotated[Caller, Depends(administrators_with("manage_employees"))],
    work: Writing,
    user_id: UserId,
    body: Erasing,
) -> ErasureRow:
    """Erases what may go of somebody who has left, and says what stays, until when and why. 409 while employed."""
    return ErasureRow.model_validate(erasing.erase(work, user_id, body.comment))
