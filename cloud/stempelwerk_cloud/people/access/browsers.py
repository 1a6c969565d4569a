"""The browser at the other end: where it calls from, what it is called, and what it is given when somebody is in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from fastapi import Request
from ua_parser import parse

from stempelwerk_cloud.people.access.remembered import Cookie
from stempelwerk_cloud.people.directory.tables import User

UNKNOWN = "Unbekanntes Gerät"


@dataclass(frozen=True, slots=True)
class ClientInfo:
    """The address it calls from, what the browser calls itself, the cookies it brings."""

    address: str
    user_agent: str
    cookies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SessionOpened:
    """A session: its token, whose it is, and what the browser is to keep if the device is remembered."""

    token: str
    user: User
    cookie: Cookie | None = None

    def members(self) -> dict[str, str | bool | None]:
        """The five members that an answer tells the browser of its session; and a sixth to the works council."""
        return {
            "token": self.token,
            "role": self.user.role,
            "username": self.user.username,
            "company_id": self.user.company_id,
            "user_id": self.user.id,
            "works_council": self.user.works_council or None,
        }


def client_of(request: Request) -> ClientInfo:
    address = request.client.host if request.client else ""
    return ClientInfo(address, request.headers.get("user-agent", ""), request.cookies)


@lru_cache(maxsize=1000)
def device_name(user_agent: str) -> str:
    """By the names that people know ("Firefox auf Windows"). Both can be made up by whoever sends the header."""
    found = parse(user_agent)
    browser = found.user_agent.family if found.user_agent else None
    system = found.os.family if found.os else None
    if browser and system:
        return f"{browser} auf {system}"
    return browser or system or UNKNOWN
