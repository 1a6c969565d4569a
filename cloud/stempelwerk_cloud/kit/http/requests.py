"""The outermost ASGI layer around every request: an id, a size limit, a log line, metrics, and headers that protect
browsers.

It is outside of everything else, so that failures have the same headers as successes.
"""

import asyncio
import gc
import hashlib
import re
import time
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import anyio
import structlog
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from stempelwerk_cloud.kit.http import addresses
from stempelwerk_cloud.kit.http.problems import BodyRefused, Problem, answer, incomplete, too_large, unavailable
from stempelwerk_cloud.kit.limits.connections import InUse
from stempelwerk_cloud.kit.platform import Platform

log = structlog.get_logger("requests")
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")


def content_security_policy(*scripts: str) -> str:
    """Returns the Content-Security-Policy header of a page. `scripts`: the text of its inline scripts, which it allows
    by hash (CSP Level 3, § 2.3.1).
    """
    hashes = "".join(f" 'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts)
    return "; ".join((*_POLICY[:1], _POLICY[1] + hashes, *_POLICY[2:]))


_POLICY = (
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)
CONTENT_SECURITY_POLICY = content_security_policy()
PERMISSIONS_POLICY = ", ".join(
    f"{name}=()"
    for name in (
        "accelerometer",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "publickey-credentials-get",
        "usb",
    )
)
"""The Permissions-Policy header: denies browser features that no page of ours uses."""
STRANGERS_LIMIT = 16 * 1024
"""The largest body in bytes of a web call without a session. The longest honest login needs a third of it."""
JSON_LIMIT = 1024 * 1024
"""The largest body in bytes, by default. Clocks' calls, and a few of the web, have limits of their own."""
BODY_S, LARGE_BODY_S = 60.0, 300.0
"""Seconds within which a body must have arrived; later it is refused. The second value is for calls whose own limit is
`LARGE` or more. A clock on a mobile line of 20 kbit/s sends its largest batch in 150 s.
"""
LARGE = 256 * 1024
"""A call whose body limit is this many bytes or more has `LARGE_BODY_S` seconds."""
MOST_IN_FLIGHT = 128 * 1024 * 1024
"""The most bytes of unfinished bodies that a process has in memory."""
MOST_OF_ONE = MOST_IN_FLIGHT // 4
"""The most of these bytes for one address: unfinished uploads of one client leave room for all others."""
COLLECT_AFTER = 64 * 1024 * 1024
"""Bytes of released bodies after which the garbage collector runs. It counts objects, not bytes: the traceback of a
refused body is few objects, but may hold 20 MB. A flood of refused bodies would otherwise take gigabytes.
"""
_TOO_MANY = 429
_PROTECTION = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", PERMISSIONS_POLICY.encode()),
    (b"content-security-policy", CONTENT_SECURITY_POLICY.encode()),
)
_SECURE = ((b"strict-transport-security", b"max-age=31536000"),)


_Value = TypeVar("_Value")


class ByPath(Generic[_Value]):
    """A lookup of a value by a call's path, which may have parameters (`/api/absences/{id}`)."""

    def __init__(self, values_by_path: Mapping[str, _Value]) -> None:
        self._plain = {path: value for path, value in values_by_path.items() if "{" not in path}
        self._shaped = [(compile_path(path)[0], value) for path, value in values_by_path.items() if "{" in path]

    def find(self, path: str) -> _Value | None:
        """Returns the value of the call with this path; None if it has no value."""
        exact = self._plain.get(path)
        if exact is not None:
            return exact
        return next((value for shape, value in self._shaped if shape.match(path)), None)


@dataclass(slots=True)
class _Body:
    """The state of a request's body. `deadline`: the time limit for its end, on the event loop's clock.
    `client_bucket`: the address that its bytes count for; None if they are not counted.
    """

    limit: int
    deadline: float
    client_bucket: str | None
    in_memory: bool = True
    received: int = 0
    complete: bool = False

    @property
    def bytes_in_memory(self) -> int:
        return self.received if self.in_memory else 0


class Requests:
    """The ASGI layer. `too_large`: the call's own refusal of a body that is too large, by path.

    `body_limits`: the maximum of a body's bytes, by path, where it is not `JSON_LIMIT`, whatever the content type;
    `streamed_bodies`: the same for calls that keep no part of a body in memory.
    """

    def __init__(
        self,
        app: ASGIApp,
        platform: Platform,
        too_large: Mapping[str, Problem],
        body_limits: Mapping[str, int],
        streamed_bodies: Mapping[str, int],
    ) -> None:
        self._app = app
        self._platform = platform
        self._too_large = ByPath(too_large)
        self._limits = ByPath({**body_limits, **streamed_bodies})
        self._streamed = ByPath(streamed_bodies)
        self._in_flight = 0
        self._let_go = 0
        self._of = InUse()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        requested_id = headers.get(b"x-request-id", b"")
        request_id = requested_id.decode() if _REQUEST_ID.fullmatch(requested_id) else self._platform.ids.new()
        with structlog.contextvars.bound_contextvars(request_id=request_id):
            await self._observed(scope, receive, send, request_id, headers)

    async def _observed(
        self, scope: Scope, receive: Receive, send: Send, request_id: str, headers: Mapping[bytes, bytes]
    ) -> None:
        own_limit, announced = self._limits.find(scope["path"]), headers.get(b"content-length", b"")
        limit = own_limit or JSON_LIMIT
        begun = time.perf_counter()
        status = 500
        extra = [*_PROTECTION, (b"x-request-id", request_id.encode())]
        if scope["scheme"] == "https":
            extra.extend(_SECURE)

        is_complete = False
        deadline = asyncio.get_running_loop().time() + (LARGE_BODY_S if (own_limit or 0) >= LARGE else BODY_S)
        host, _ = scope.get("client") or (None, None)
        bucket = addresses.client_bucket(host, self._platform.settings.trusted_proxies)
        body = _Body(limit, deadline, bucket, in_memory=self._streamed.find(scope["path"]) is None)

        async def send_on(message: Message) -> None:
            nonlocal status, is_complete
            if message["type"] == "http.response.start":
                status = message["status"]
                if status == _TOO_MANY:
                    await anyio.sleep(self._platform.refusal_pause_s)
                self._platform.metrics.request_seconds.observe(time.perf_counter() - begun)
                names = {name.lower() for name, _ in message["headers"]}
                added_headers = [header for header in extra if header[0] not in names]
                if b"cache-control" not in names:
                    added_headers.append((b"cache-control", b"no-store"))
                message = {**message, "headers": [*message["headers"], *added_headers]}
            await send(message)
            is_complete = message["type"] == "http.response.body" and not message.get("more_body", False)

        try:
            if announced.isdigit() and int(announced) > limit:
                await answer(self._refusal(scope))(scope, receive, send_on)
            else:
                await self._app(scope, self._limited(scope, receive, body), send_on)
        except Exception:
            # The application has logged it, also what failed after its answer; to the server it would be a reason to
            # tear the connection down.
            if not is_complete:
                raise
        finally:
            self._keep(body, -body.bytes_in_memory)
            self._collect(body.bytes_in_memory)
            self._note(scope, status, time.perf_counter() - begun)

    def _refusal(self, scope: Scope) -> Problem:
        return self._too_large.find(scope["path"]) or too_large()

    def _limited(self, scope: Scope, receive: Receive, body: "_Body") -> Receive:
        async def receive_on() -> Message:
            if body.complete:  # the next message is the client's disconnect
                return await receive()
            try:
                async with asyncio.timeout_at(body.deadline):
                    message = await receive()
            except TimeoutError:
                raise BodyRefused(incomplete()) from None
            came = len(message.get("body", b""))
            body.received += came
            self._keep(body, came if body.in_memory else 0)
            body.complete = not message.get("more_body", False)
            if body.received > body.limit:
                raise BodyRefused(self._refusal(scope))
            if self._in_flight > MOST_IN_FLIGHT or (body.client_bucket and self._of[body.client_bucket] > MOST_OF_ONE):
                raise BodyRefused(unavailable())
            return message

        return receive_on

    def _keep(self, body: "_Body", size_change: int) -> None:
        """Adds to the bytes in memory, in all and for the body's address; `size_change` may be negative."""
        self._in_flight += size_change
        self._of.add(body.client_bucket, size_change)

    def _collect(self, let_go: int) -> None:
        """Counts the bytes of released bodies; collects garbage when they are many."""
        self._let_go += let_go
        if self._let_go >= COLLECT_AFTER:
            self._let_go = 0
            gc.collect()

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "other")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._platform.metrics.requests.labels(method, route, str(status)).inc()
        log.info(
            "request",
            method=scope["method"],
            path=scope["path"],
            status=status,
            ms=round(seconds * 1000, 1),
            client=scope["client"][0] if scope.get("client") else None,
        )


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
