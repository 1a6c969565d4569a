"""The client's browser: its address and name, and the session and cookie that a login returns to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TypeVar

from fastapi import Request

from stempelwerk_cloud.kit.http.schemas import Wire
from stempelwerk_cloud.people.access import words
from stempelwerk_cloud.people.access.identity.remembered import Cookie
from stempelwerk_cloud.people.directory.tables import User

Answer = TypeVar("Answer", bound=Wire)


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """The client of a request: its IP address, its User-Agent header, and its cookies."""

    address: str
    user_agent: str
    cookies: Mapping[str, str] = field(default_factory=dict)

    @property
    def network(self) -> str:
        """The address without its last part, for the operator log; empty if unknown."""
        return shortened(self.address)


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """A newly opened session: its token, its user, and the cookie that the browser stores if the device is
    remembered.
    """

    token: str
    user: User
    cookie: Cookie | None = None

    def answer(self, schema: type[Answer], message: str) -> Answer:
        """Returns the answer with the session's members (token, role, username, company and user id); `worksCouncil`
        only for works council members.
        """
        council = self.user.works_council or None
        return schema.from_row(
            self.user, user_id=self.user.id, token=self.token, works_council=council, message=message
        )


def shortened(address: str) -> str:
    """Removes the part of an address that names one machine: `192.0.2.0/24`, `2001:db8:1::/48`. Empty if unreadable."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address):
        mapped = parsed.ipv4_mapped
        parsed = IPv6Address(int(parsed)) if mapped is None else mapped  # without a zone
    return str(ip_network((parsed, 24 if parsed.version == 4 else 48), strict=False))


def client_of(request: Request) -> ClientInfo:
    address = request.client.host if request.client else ""
    return ClientInfo(address, request.headers.get("user-agent", ""), request.cookies)


@lru_cache(maxsize=1000)
def device_name(user_agent: str) -> str:
    """Returns the device's common name ("Firefox auf Windows"). The client can forge both parts of the header."""
    from ua_parser import parse  # noqa: PLC0415 -- 25 ms that no start waits for

    agent = parse(user_agent)
    browser = agent.user_agent.family if agent.user_agent else None
    system = agent.os.family if agent.os else None
    if browser and system:
        return words.browser_on(browser, system)
    return browser or system or words.UNKNOWN_DEVICE
