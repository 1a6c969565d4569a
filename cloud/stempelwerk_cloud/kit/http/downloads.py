"""Downloads: their headers, and the sending of zip files and others piece by piece while they are made.

Finished pieces wait in a spool. So a slow reader occupies only their own turn for downloads: no transaction, no thread,
and no turn of their company. Making a piece takes a turn and a database connection, and releases both once the piece is
made.
"""

import asyncio
import re
import unicodedata
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    aclosing,
    asynccontextmanager,
    closing,
    suppress,
)
from typing import Any, BinaryIO, TypeVar
from urllib.parse import quote

from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from stempelwerk_cloud.kit.files.packing.processes import AT_ONCE
from stempelwerk_cloud.kit.files.spool import Spool
from stempelwerk_cloud.kit.http.problems import OUTAGES
from stempelwerk_cloud.kit.limits.fair_semaphore import Share
from stempelwerk_cloud.kit.platform import Platform

_UNFIT = re.compile(r"[\W-]+")


def attachment(name: str, ending: str) -> dict[str, str]:
    """Returns the header that makes a browser save the file under that name (RFC 6266); old browsers use a name of
    plain letters.
    """
    fit = fitting(name)
    plain = fitting(unicodedata.normalize("NFKD", fit).encode("ascii", "ignore").decode())
    return {"Content-Disposition": f"attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{quote(fit)}.{ending}"}


def fitting(name: str) -> str:
    """Returns the name reduced to letters, digits and single hyphens."""
    return _UNFIT.sub("-", name).strip("-")


T = TypeVar("T")
MEDIA_TYPE = "application/zip"
DOWNLOADS = "downloads"
"""The name of the share that all downloads have together."""
DESCRIBED: dict[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}
"""The OpenAPI response of a call that sends a file."""

Pieces = AsyncGenerator[bytes]
Next = Callable[[], AbstractAsyncContextManager[T | None]]
"""() -> a context manager of the next item, None after the last; it holds its turns for the length of the block."""
Watch = Callable[[AsyncIterator[bytes]], AsyncIterator[bytes]]
GoesOn = Callable[[], Awaitable[bool]]
LOOK_EVERY_S = 10.0
"""Seconds between two checks whether the reader may still read."""


class Sending(StreamingResponse):
    """A streamed answer that holds its reader's own `turn` until it is sent. It ends early after `longest_s` seconds,
    or when `goes_on` returns False.
    """

    def __init__(
        self,
        platform: Platform,
        turn: AbstractContextManager[object],
        pieces: Pieces,
        longest_s: float,
        goes_on: GoesOn,
        headers: dict[str, str],
        media_type: str = MEDIA_TYPE,
        watch: Watch = lambda chunks: chunks,
    ) -> None:
        """Takes the `pieces` of the file. `goes_on` returns whether the reader may still read; `watch` wraps the chunks
        that are sent.
        """
        headers = headers | {"Cache-Control": "no-store"}
        super().__init__(watch(self._chunks()), media_type=media_type, headers=headers)
        self._platform, self._turn, self._pieces = platform, turn, pieces
        self._longest_s, self._goes_on = longest_s, goes_on

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._turn, closing(Spool(self._platform.settings.data_dir, self._platform.packing.disk)) as self._spool:
            async with aclosing(self._pieces):
                self._making = asyncio.create_task(self._make())
                looking = None
                try:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(self._longest_s) as limit:
                            looking = asyncio.create_task(self._end_early(limit))
                            await super().__call__(scope, receive, send)
                finally:
                    tasks = [task for task in (self._making, looking) if task is not None]
                    for task in tasks:
                        task.cancel()
                    await asyncio.wait(tasks)
                    self._making.cancelled() or self._making.exception()  # else asyncio logs it as unhandled

    async def _end_early(self, limit: asyncio.Timeout) -> None:
        """Ends the answer once its reader may no longer read. A failed check counts as allowed."""
        goes_on = True
        while goes_on:
            await asyncio.sleep(LOOK_EVERY_S)
            with suppress(*OUTAGES):
                goes_on = await self._goes_on()
        limit.reschedule(0)

    async def _chunks(self) -> AsyncIterator[bytes]:
        """Yields the bytes in the spool, while the rest is still being made."""
        while chunk := await self._spool.get():
            yield chunk
        await self._making

    async def _make(self) -> None:
        try:
            async for piece in self._pieces:
                await self._spool.put(piece)
        finally:
            self._spool.end()


async def packed(platform: Platform, place: BinaryIO, module: str, next_frames: Next[list[bytes]]) -> Pieces:
    """Yields the pieces of a file that a child process packs (`kit/files/packing`).

    The place is free as soon as the file is made, read or not. Raises NotPacked.
    """
    packing = platform.packing
    with place, packing.packer(module, place) as packer:
        while True:
            async with next_frames() as frames:
                if frames is None:
                    break
                packed_pieces = [await packing.threads.run(packer.pack, frame) for frame in frames]
            for piece in packed_pieces:
                yield piece
        yield await packing.threads.run(packer.close)


async def read(next_piece: Next[bytes]) -> Pieces:
    """Yields pieces that need no packing."""
    while True:
        async with next_piece() as piece:
            pass
        if piece is None:
            return
        yield piece


def in_turn(platform: Platform, company_id: str, source: Iterator[T]) -> Next[T]:
    """Returns a function that reads the source's next item, each time in a turn of the company and in a thread."""

    @asynccontextmanager
    async def read_next() -> AsyncIterator[T | None]:
        async with platform.packing.turns.slot(Share(company_id)):
            async with platform.page_turns.slot(share_of_downloads(company_id), Share(DOWNLOADS, AT_ONCE)):
                step = await run_in_threadpool(next, source, None)
            yield step

    return read_next


def share_of_downloads(company_id: str) -> Share:
    """Returns the share of a company's downloads. It pauses after much work, so a long download slows neither other
    companies nor pages of its own.
    """
    return Share(f"downloads of {company_id}", rests=True)
