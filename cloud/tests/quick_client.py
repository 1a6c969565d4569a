"""The test client of FastAPI, which hands each request over whole.

As it comes it goes to the application's event loop and back eight times for each, so that an answer can be read while
it is being made. That costs more than most calls; so only event streams, and bodies that are sent bit by bit, go there.
"""

from typing import Any

import httpx2
from fastapi import FastAPI
from fastapi.testclient import TestClient


class QuickClient(TestClient):
    """Raises errors of the service, unless `raise_server_exceptions` turns them into 500."""

    def __init__(self, app: FastAPI, *, raise_server_exceptions: bool = True, **how: Any) -> None:
        super().__init__(app, raise_server_exceptions=raise_server_exceptions, **how)
        at = how.get("client", ("testclient", 50_000))
        self._transport = _Whole(self, self._transport, raises=raise_server_exceptions, at=at)


class _Whole(httpx2.BaseTransport):
    """`bit_by_bit` is how the client would do it; `at`: where the client calls from."""

    def __init__(
        self, client: TestClient, bit_by_bit: httpx2.BaseTransport, *, raises: bool, at: tuple[str, int]
    ) -> None:
        self._client = client
        self._bit_by_bit = bit_by_bit
        self._application = httpx2.ASGITransport(client.app, raise_app_exceptions=raises, client=at)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        portal = self._client.portal
        if portal is None or not self._is_whole(request):
            return self._bit_by_bit.handle_request(request)
        return portal.call(self._answer, request)

    def close(self) -> None:
        self._bit_by_bit.close()

    def _is_whole(self, request: httpx2.Request) -> bool:
        return isinstance(request.stream, httpx2.AsyncByteStream) and not request.url.path.endswith("/stream")

    async def _answer(self, request: httpx2.Request) -> httpx2.Response:
        answer = await self._application.handle_async_request(request)
        assert isinstance(answer.stream, httpx2.AsyncByteStream)
        body = b"".join([part async for part in answer.stream])
        return httpx2.Response(answer.status_code, headers=answer.headers, stream=httpx2.ByteStream(body))
