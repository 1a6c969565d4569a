"""Whom an address belongs to, as far as counting goes."""

import ipaddress
from collections.abc import Sequence
from functools import lru_cache

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
REMEMBERED = 4096
parse = lru_cache(REMEMBERED)(ipaddress.ip_address)
"""An address that is asked about three times for each request. Raises ValueError."""
LOOPBACK: Sequence[Network] = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))


def network(address: str) -> str:
    """What counts as one: an address of IPv4, the /64 of one of IPv6, which belongs to one customer."""
    try:
        parsed = parse(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def client_bucket(host: str | None, uncounted: Sequence[Network]) -> str | None:
    """What a client counts as where each has a share; None where it does not count: behind loopback, and behind these
    proxies, stand many.
    """
    try:
        address = parse(host or "")
    except ValueError:  # a socket of this machine
        return None
    address = getattr(address, "ipv4_mapped", None) or address
    return None if any(address in prefix for prefix in (*LOOPBACK, *uncounted)) else network(str(address))
