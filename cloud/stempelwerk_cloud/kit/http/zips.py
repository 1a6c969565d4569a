"""A file, a zip as a rule, that is given out while it is made: it lies on no disk, and who takes it slowly holds no
transaction.
"""

import asyncio
import io
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any

from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import Receive, Scope, Send

from stempelwerk_cloud.kit.bulkheads import Bulkhead
from stempelwerk_cloud.kit.platform import Platform

MEDIA_TYPE = "application/zip"
DOWNLOADS = "downloads"
"""Whose turn it is, whoever takes them."""
DESCRIBED: dict[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}}
}
"""What a call answers that gives one out."""


class Sink(io.RawIOBase):
    """Where the archive is written to: it goes on, and never back."""

    def __init__(self) -> None:
        super().__init__()
        self._written: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, content: Any) -> int:
        self._written.append(bytes(content))
        return len(content)

    def taken(self) -> bytes:
        """What was written since the last time."""
        whole = b"".join(self._written)
        self._written.clear()
        return whole


class Sending(StreamingResponse):
    """An answer that holds its company's place until it is sent, or for as long as one may take at most."""

    def __init__(
        self,
        platform: Platform,
        place: AbstractContextManager[object],
        pieces: Iterator[bytes],
        longest_s: float,
        headers: dict[str, str],
        media_type: str = MEDIA_TYPE,
        bulkhead: Bulkhead | None = None,
    ) -> None:
        """`bulkhead`: where its pieces are made, of which the place holds a permit; else on the pages' threads."""
        headers = headers | {"Cache-Control": "no-store"}
        super().__init__(_each(platform, pieces, bulkhead), media_type=media_type, headers=headers)
        self._place, self._longest_s = place, longest_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._place, suppress(TimeoutError):
            async with asyncio.timeout(self._longest_s):
                await super().__call__(scope, receive, send)


async def _each(platform: Platform, pieces: Iterator[bytes], bulkhead: Bulkhead | None) -> AsyncIterator[bytes]:
    """Each piece, made when it is asked for."""
    while True:
        if bulkhead is not None:
            piece = await bulkhead.run(next, pieces, None)
        else:
            async with platform.page_turns.of(DOWNLOADS):
                piece = await run_in_threadpool(next, pieces, None)
        if piece is None:
            return
        yield piece
