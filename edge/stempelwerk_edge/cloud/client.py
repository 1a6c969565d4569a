"""One signed request to the cloud: it returns the body of a 200 or 204, or raises one of the CloudErrors.

The client repeats nothing, does not enrol and keeps no state but its connection; that is the task of `session.py`.
While the machine's time is not trusted, the chain of the server's certificate is checked, but not its validity dates: a
clock that thinks it is 1970 must be able to deliver. A wrong authority or name is always refused.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import httpx

from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.delivery import retry_after
from stempelwerk_edge.cloud.identity import Identity
from stempelwerk_edge.cloud.signing import sign
from stempelwerk_edge.cloud.tls import TlsTransport, Validity
from stempelwerk_edge.errors import (
    Busy,
    ClockSkew,
    CloudError,
    NoSuchCall,
    NotConnected,
    NotNow,
    Refused,
    Revoked,
    TooLarge,
    UnknownDevice,
)
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.ports import Ids

_TIMEOUTS = httpx.Timeout(30.0, connect=10.0)
_PATIENCE_S = 60.0
_PATIENCE_WITH_FILES_S = 900.0  # megabytes over a thin line
_LARGEST_ANSWER = 8 << 20

TransportFactory = Callable[[bool], httpx.AsyncBaseTransport]
"""Makes a transport; the argument is whether to check a certificate's validity dates."""


def http_transport(ca_file: Path | None = None, proxy: str | None = None) -> TransportFactory:
    """Returns a factory of transports over the network, by way of a proxy if one is given."""
    return lambda check_dates: TlsTransport(ca_file, proxy, check_dates=check_dates)


@dataclass(frozen=True, slots=True)
class Response:
    """The body of a 200 (empty for a 204), and the boot times in ms of sending the request and receiving the answer."""

    body: bytes
    sent_ms: int
    received_ms: int


class CloudClient:
    """Signed requests under one identity to one address.

    `certificate`: the validity of the cloud's certificate as the last request found it; None before, and without TLS.
    """

    def __init__(
        self,
        url: str,
        identity: Identity,
        time: TrustedTime,
        ids: Ids,
        transport: TransportFactory,
        version: str,
    ) -> None:
        self._url, self._identity, self._time, self._ids = url, identity, time, ids
        self._transport = transport
        self._agent = f"stempelwerk-edge/{version}"
        self._clients: dict[bool, httpx.AsyncClient] = {}
        self.certificate: Validity | None = None

    async def close(self) -> None:
        """Closes the connections."""
        while self._clients:
            _, client = self._clients.popitem()
            await client.aclose()

    async def send(
        self, method: str, path: str, body: bytes | None = None, created: datetime | None = None
    ) -> Response:
        """Makes one request; `path` includes its query. `created` is the time in the signature, by default the clock's
        best.
        """
        uri = f"{self._url}{path}"
        parameters: list[tuple[str, str | int]] = [
            ("created", int((created or self._time.now()).timestamp())),
            ("nonce", self._ids.nonce()),
            ("keyid", self._identity.keyid),
            ("alg", "ed25519"),
        ]
        headers = sign(self._identity.key, method, uri, body, parameters).headers
        headers["User-Agent"] = self._agent
        if body is not None:
            headers["Content-Type"] = "application/json"
        sent_ms = self._time.boottime_ms()
        files = path.startswith(wire.UPDATES)
        max_bytes = wire.LARGEST_FILE if files else _LARGEST_ANSWER
        try:
            async with asyncio.timeout(_PATIENCE_WITH_FILES_S if files else _PATIENCE_S):
                status, answered, content = await self._exchange(self._ready(), method, uri, body, headers, max_bytes)
        except TimeoutError as fault:
            raise NotNow("timed out") from fault
        except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError, ValueError) as fault:
            raise NotNow(f"{type(fault).__name__}: {fault}") from fault
        received_ms = self._time.boottime_ms()
        if status in (httpx.codes.OK, httpx.codes.NO_CONTENT):
            return Response(content, sent_ms, received_ms)
        error = refusal(status, answered, content, self._time.now())
        if isinstance(error, ClockSkew):
            error.flight = (sent_ms, received_ms)
        raise error

    async def _exchange(
        self,
        client: httpx.AsyncClient,
        method: str,
        uri: str,
        body: bytes | None,
        headers: dict[str, str],
        max_bytes: int,
    ) -> tuple[int, httpx.Headers, bytes]:
        async with client.stream(method, uri, content=body, headers=headers) as response:
            self.certificate = Validity.from_response(response)
            parts, size = [], 0
            async for part in response.aiter_bytes():
                size += len(part)
                if size > max_bytes:
                    raise NotNow("an answer without end")
                parts.append(part)
            return response.status_code, response.headers, b"".join(parts)

    def _ready(self) -> httpx.AsyncClient:
        """Returns the HTTP client; it checks the validity dates of certificates only while the machine's time is
        trusted.
        """
        check_dates = self._time.may_check_dates()
        if check_dates not in self._clients:
            transport = self._transport(check_dates)
            self._clients[check_dates] = httpx.AsyncClient(
                transport=transport, timeout=_TIMEOUTS, follow_redirects=False
            )
        return self._clients[check_dates]


def refusal(status: int, headers: httpx.Headers, body: bytes, now: datetime) -> CloudError:
    """Returns the error for an answer with another status than 200."""
    details, text = wire.read_refusal(body), f"status {status}"
    if details.code is not None:
        text = f"{text} {details.code}"
    if status == httpx.codes.UNAUTHORIZED:
        return _unauthorized(details, text)
    if status == httpx.codes.FORBIDDEN:
        return Revoked(text, details.code) if details.code == "revoked" else NotConnected(text, details.code)
    if status in (httpx.codes.TOO_MANY_REQUESTS, httpx.codes.SERVICE_UNAVAILABLE):
        wait = retry_after(headers.get("Retry-After"), headers.get("Date"), now)
        return Busy(text, wait, reached=status == httpx.codes.TOO_MANY_REQUESTS)
    if status == httpx.codes.REQUEST_ENTITY_TOO_LARGE:
        return TooLarge(text)
    if status == httpx.codes.UNPROCESSABLE_ENTITY and details.code is not None:
        return Refused(text, status, details.code)
    unserved = status == httpx.codes.NOT_FOUND and details.code == "not_found"
    return NoSuchCall(text) if unserved else NotNow(text)


def _unauthorized(details: wire.Refusal, text: str) -> CloudError:
    if details.code == "unknown_device":
        return UnknownDevice(text, details.code)
    if details.code == "clock_skew":
        return ClockSkew(text, details.code, details.server_time)
    return NotConnected(text, details.code)
