"""A client for HTTPS requests to URLs that strangers name: only to public hosts, on port 443, without following
redirects.

Otherwise strangers would reach through the service what only it can reach: its own machine, its neighbours, a cloud's
metadata. Public is what the IANA registries of special-purpose addresses do not except; addresses that embed another
one (mapped, NAT64, 6to4, Teredo) are always refused. The host's addresses are resolved once, all of them must be
public, and the connection goes to one of those: a name that resolves differently a moment later (DNS rebinding) has no
effect. TLS is verified against the name. The request ends at a deadline, and at most 8 kB of an answer are read.
Deliberately absent: redirects, proxies, cookies, HTTP/2.
"""

import contextlib
import re
import ssl
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

import httpcore

from stempelwerk_cloud.kit.deadline import Address, Deadline, addresses_of

_PRIVATE = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",  # this host
        "10.0.0.0/8",
        "100.64.0.0/10",  # carriers' own
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local, and clouds' metadata
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",  # for documents
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",  # for benchmarks
        "198.51.100.0/24",  # for documents
        "203.0.113.0/24",  # for documents
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
        "2001::/23",  # protocols, Teredo among them
        "2001:db8::/32",  # for documents
        "2002::/16",  # 6to4
        "3fff::/20",  # for documents
    )
)
_UNICAST = IPv6Network("2000::/3")
"""All that was ever given out of IPv6; mapped addresses, NAT64, local and link-local ones lie outside of it."""

_HOME = frozenset(
    {"localhost", "local", "localdomain", "internal", "intranet", "private", "lan", "home", "corp", "arpa", "onion"}
)
"""Last labels of names that only have a meaning in a private network."""


def is_public(address: str) -> bool:
    """Returns whether this is an IP address of the public internet."""
    try:
        return _is_public(ip_address(address))
    except ValueError:
        return False


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if isinstance(address, IPv6Address) and (address.scope_id is not None or address not in _UNICAST):
        return False
    return not any(address in network for network in _PRIVATE if network.version == address.version)


def may_be_public(host: str) -> bool:
    """Returns whether the host is worth resolving: a public address, or a name as the public internet has them."""
    if ":" in host or host.rpartition(".")[2][:1].isdigit():  # no name: a resolver may read other notations there
        return is_public(host)
    return "." in host and host.rpartition(".")[2] not in _HOME


DEADLINE_S = 10.0
CONNECT_S = 3.0
TIMEOUT_S = 5.0
URL_LIMIT = 2000
ANSWER_LIMIT = 8192
PORT = 443
_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*", re.ASCII)
_VISIBLE = re.compile(r"[!-\[\]-~]+", re.ASCII)


class NoTarget(ValueError):
    """The URL must not be called: it is malformed, not https, or its host is not public."""


class NotPublic(Exception):
    """The host resolves to an address that is not public. No connection was made."""


class NotReached(Exception):
    """The host did not answer. The message contains no address."""


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed URL: `host` in lower case, an IPv6 address without brackets; `path` with its query."""

    host: str
    path: str

    @property
    def origin(self) -> str:
        return f"https://{_bracketed(self.host)}"


@dataclass(frozen=True, slots=True)
class Answer:
    """An HTTP answer without its body. `headers` by their names in lower case."""

    status: int
    headers: Mapping[str, str]


def target_of(url: str) -> Target:
    """Parses a URL. Raises NoTarget unless it is https, on port 443, of a host that may be public, without credentials
    or fragment.
    """
    if len(url) > URL_LIMIT or not _VISIBLE.fullmatch(url):
        raise NoTarget("too long, or with characters that no address has")
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError as error:
        raise NoTarget("no address") from error
    bracketed_host = _bracketed(host)
    if parts.scheme != "https" or "#" in url:
        raise NoTarget("not https, or with a fragment")
    if parts.netloc.lower() not in {bracketed_host, f"{bracketed_host}:{PORT}"}:
        raise NoTarget("another port, credentials, or what can be read in two ways")
    if not (":" in host or _NAME.fullmatch(host)) or not may_be_public(host):
        raise NoTarget("no public host")
    return Target(host, (parts.path or "/") + (f"?{parts.query}" if parts.query else ""))


def _bracketed(host: str) -> str:
    """Returns the host as written in a URL."""
    return f"[{host}]" if ":" in host else host


Find = Callable[[str, int], Sequence[Address]]


class Outward:
    """The client for outgoing requests. `find` resolves a host, and `allowed` checks which of its addresses may be
    connected to.
    """

    def __init__(
        self,
        find: Find = addresses_of,
        allowed: Callable[[str], bool] = is_public,
        tls: ssl.SSLContext | None = None,
        seconds: float = DEADLINE_S,
    ) -> None:
        self._find, self._allowed = find, allowed
        self._tls = tls or ssl.create_default_context()
        self._seconds = seconds

    def addresses(self, host: str, port: int = PORT) -> list[Address]:
        """Resolves the host. NotPublic if one of its addresses is not allowed; OSError if it has no address."""
        candidates = list(self._find(host, port))
        if not candidates or not all(self._allowed(address) for address, _ in candidates):
            raise NotPublic("not on the public internet")
        return candidates

    def post(self, target: Target, headers: Mapping[str, str]) -> Answer:
        """Sends a POST with these headers and an empty body; the caller handles the status. Raises NotPublic,
        NotReached.
        """
        with contextlib.closing(Deadline(self._seconds)) as deadline:
            try:
                return self._posted(target, headers, deadline)
            except (OSError, httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
                raise NotReached(type(error).__name__) from error

    def _posted(self, target: Target, headers: Mapping[str, str], deadline: Deadline) -> Answer:
        url = httpcore.URL(scheme=b"https", host=target.host.encode(), port=PORT, target=target.path.encode())
        timeouts = dict.fromkeys(("read", "write", "pool"), TIMEOUT_S) | {"connect": CONNECT_S}
        with (
            httpcore.ConnectionPool(self._tls, network_backend=_Lines(self, deadline), max_connections=1) as pool,
            pool.stream(
                "POST",
                url,
                headers=[("Host", _bracketed(target.host)), *headers.items()],
                content=b"",
                extensions={"timeout": timeouts},
            ) as response,
        ):
            read = 0
            for chunk in response.iter_stream():
                read += len(chunk)
                if read >= ANSWER_LIMIT:
                    break
            response_headers = {
                name.decode("ascii").lower(): value.decode("latin-1") for name, value in response.headers
            }
            return Answer(response.status, response_headers)


class _Lines(httpcore.NetworkBackend):
    """A network backend that connects only to addresses that were checked, whatever the name resolves to later."""

    def __init__(self, outward: Outward, deadline: Deadline) -> None:
        self._outward, self._deadline = outward, deadline

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        refused: Exception = httpcore.ConnectError()
        for address, its_port in self._outward.addresses(host, port):
            remaining_s = min(timeout or TIMEOUT_S, self._deadline.remaining_s)
            if remaining_s <= 0:
                break
            try:
                stream = httpcore.SyncBackend().connect_tcp(address, its_port, remaining_s)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                refused = error
                continue
            self._deadline.watch(stream.get_extra_info("socket"))
            return stream
        raise refused
