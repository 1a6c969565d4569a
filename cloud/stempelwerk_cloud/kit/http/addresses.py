"""Addresses of a request: of its client, also behind a proxy, as a key for counting, and of this installation.

`X-Forwarded-For`, `-Proto` and `-Host` count only if the connection comes from one of `STEMPELWERK_TRUSTED_PROXIES`.
Then client, scheme and Host of the request are replaced, so that inner layers need not know of proxies.
"""

import ipaddress
import re
from collections.abc import Sequence
from functools import lru_cache

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
REMEMBERED = 4096
parse = lru_cache(REMEMBERED)(ipaddress.ip_address)
"""An address that is asked about three times for each request. Raises ValueError."""
LOOPBACK: Sequence[Network] = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))


def network(address: str) -> str:
    """Returns the unit of counting: an IPv4 address, or the /64 of an IPv6 address, which belongs to one customer."""
    try:
        parsed = parse(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def client_bucket(host: str | None, uncounted: Sequence[Network]) -> str | None:
    """Returns the key of a client for limits; None if it is not counted, because many clients share loopback and these
    proxies.
    """
    try:
        address = parse(host or "")
    except ValueError:  # a socket of this machine
        return None
    address = getattr(address, "ipv4_mapped", None) or address
    return None if any(address in prefix for prefix in (*LOOPBACK, *uncounted)) else network(str(address))


_HOST = re.compile(r"([A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?", re.ASCII)


def origin_of(public_url: str | None, request: Request) -> str | None:
    """Returns scheme and host of the public address, or those of the request where no address is set.

    None if the Host header cannot be a host.
    """
    if public_url:
        return public_url.rstrip("/")
    scheme, host = request.scope["scheme"], request.headers.get("host", "")
    return f"{scheme}://{host}" if scheme in {"http", "https"} and _HOST.fullmatch(host) else None


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
