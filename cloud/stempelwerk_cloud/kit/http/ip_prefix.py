"""Client addresses as keys for counting."""

import ipaddress
from collections.abc import Sequence
from functools import lru_cache

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
