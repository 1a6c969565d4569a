"""Whom an address belongs to, as far as counting goes."""

import ipaddress


def network(address: str) -> str:
    """What counts as one: an address of IPv4, the /64 of one of IPv6, which belongs to one customer."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)
