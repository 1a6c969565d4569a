"""Addresses of the public internet: the hosts that strangers may have the service connect to.

Otherwise strangers would reach through it what only the service can reach: its own machine, its neighbours, a cloud's
metadata. By the IANA registries of special-purpose addresses; addresses that embed another one (mapped, NAT64, 6to4,
Teredo) are always refused.
"""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

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
