"""Connection limits of a process: by address (of IPv6: the /64 network) where connections are opened, and amounts in
use by any key, which also count event streams and bodies. Unused connections are closed.

Loopback and trusted proxies are not counted: many clients share them, and only the proxy can limit each client. The
people of a company often share one address and so one limit, so it is generous.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Sequence

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from stempelwerk_cloud.kit.http import addresses
from stempelwerk_cloud.kit.http.addresses import Network

UNREAD_S = 300.0
"""A connection is closed and its unsent data dropped if the client has read nothing for so many seconds."""
_SAID = "Von dieser Adresse kommen gerade zu viele Verbindungen. Bitte versuche es gleich noch einmal."
_BODY = json.dumps(
    {
        **{"type": "about:blank", "title": "too_many_connections", "status": 429},
        **{"detail": _SAID, "code": "too_many_connections", "message": _SAID},
    }
).encode()
REFUSAL = (
    b"HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/problem+json\r\nRetry-After: 5\r\n"
    b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(_BODY), _BODY)
)


class InUse(Counter[str | None]):
    """Amounts that are in use, by key; a key without any is absent. The caller serializes the calls."""

    def add(self, key: str | None, amount: int = 1) -> int:
        """Adds the amount, which may be negative. Returns the key's new amount."""
        self[key] += amount
        return self[key] or self.pop(key)


class ConnectionLimiter:
    """A counter of open connections by client. `limit`: for one address, or one IPv6 network of a customer."""

    def __init__(self, limit: int, uncounted: Sequence[Network]) -> None:
        self._most = limit
        self._uncounted = uncounted
        self._open = InUse()

    def client_bucket(self, host: str | None) -> str | None:
        """Returns the key under which an address is counted; None if it is not counted."""
        return addresses.client_bucket(host, self._uncounted)

    def enter(self, bucket: str) -> bool:
        """Counts a new connection; returns whether it may stay.

        A refused connection is counted as well, until `leave`.
        """
        return self._open.add(bucket) <= self._most

    def leave(self, bucket: str) -> None:
        self._open.add(bucket, -1)


def protocol(limiter: ConnectionLimiter) -> type[asyncio.Protocol]:
    """Returns Uvicorn's HTTP protocol class, extended: it counts open connections, and closes those that make no more
    requests.

    Uvicorn itself only closes a connection that is idle between two requests. It waits for ever in four cases: before
    the first request, in the middle of a request's head, in the middle of a body that was answered before its end, and
    for a client that does not read its answer.
    """

    class Counted(HttpToolsProtocol):
        _bucket: str | None = None
        _close_at: float | None = None
        _look: asyncio.TimerHandle | None = None
        _resumed = 0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._bucket = limiter.client_bucket(self.client[0] if self.client else None)
            if self._bucket is not None and not limiter.enter(self._bucket):
                transport.write(REFUSAL)
                transport.close()
            self._close_in_time()
            self._look_again()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._close_in_time()

        def _close_in_time(self) -> None:
            if self.cycle is not None and not self.cycle.response_complete:
                self._close_at = None
                return
            self._close_at = self._close_at or self.loop.time() + self.timeout_keep_alive
            if self.timeout_keep_alive_task is None and not self.transport.is_closing():
                self.timeout_keep_alive_task = self.loop.call_at(self._close_at, self.timeout_keep_alive_handler)

        def resume_writing(self) -> None:
            super().resume_writing()
            self._resumed += 1

        def _look_again(self) -> None:
            """Checks after `UNREAD_S` seconds whether the client has read any of the unsent data."""
            waits = self.transport.get_write_buffer_size(), self._resumed
            self._look = self.loop.call_later(UNREAD_S, self._give_up_unread, waits)

        def _give_up_unread(self, waited: tuple[int, int]) -> None:
            if waited[0] and waited == (self.transport.get_write_buffer_size(), self._resumed):
                self.transport.abort()
            else:
                self._look_again()

        def connection_lost(self, exc: Exception | None) -> None:
            if self._bucket is not None:
                limiter.leave(self._bucket)
            if self._look is not None:
                self._look.cancel()
            super().connection_lost(exc)
            self._unset_keepalive_if_required()  # else the timer keeps data in memory

    return Counted
