"""Restores the client of a request that came through a proxy.

`X-Forwarded-For`, `-Proto` and `-Host` count only if the connection comes from one of `STEMPELWERK_TRUSTED_PROXIES`.
Then client, scheme and Host of the request are replaced, so that inner layers need not know of proxies.
"""

import ipaddress
import re
from collections.abc import Sequence

from starlette.types import ASGIApp, Receive, Scope, Send

from stempelwerk_cloud.kit.http.ip_prefix import Network, parse


class Forwarded:
    def __init__(self, app: ASGIApp, trusted: Sequence[Network]) -> None:
        self._app = app
        self._trusted = trusted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope.get("client") and self._trusts(scope["client"][0]):
            scope = self._rewritten(scope)
        await self._app(scope, receive, send)

    def _trusts(self, host: str) -> bool:
        try:
            address = parse(host)
        except ValueError:
            return False
        return any(address in network for network in self._trusted)

    def _rewritten(self, scope: Scope) -> Scope:
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        chain = _values(headers, b"x-forwarded-for")
        scope = dict(scope)
        # Read from the right: each trusted proxy vouches for the address to its left. Addresses that the client wrote
        # itself do not count. A proxy that gives no address counts as the client.
        for entry in reversed(chain):
            host = _address(entry)
            if host is None:
                break
            scope["client"] = (host, 0)
            if not self._trusts(host):
                break
        if schemes := _values(headers, b"x-forwarded-proto"):
            scope["scheme"] = schemes[-1].lower()
        if hosts := _values(headers, b"x-forwarded-host"):
            other_headers = [(name, value) for name, value in headers if name != b"host"]
            scope["headers"] = [*other_headers, (b"host", hosts[-1].encode("latin-1"))]
        return scope


_DRESSED = re.compile(r"\[(?P<v6>[^\]]+)\](?::\d+)?|(?P<v4>[^:]+):\d+")
"""An address with the port that some proxies add. One of IPv6 is in brackets then, for it has colons of its own."""


def _address(entry: str) -> str | None:
    """Returns the address without port and brackets; None if the entry is no address."""
    dressed = _DRESSED.fullmatch(entry)
    try:
        return str(ipaddress.ip_address((dressed["v6"] or dressed["v4"]) if dressed else entry))
    except ValueError:
        return None


def _values(headers: Sequence[tuple[bytes, bytes]], name: bytes) -> list[str]:
    lines = [value.decode("latin-1") for key, value in headers if key == name]
    return [part.strip() for line in lines for part in line.split(",") if part.strip()]
