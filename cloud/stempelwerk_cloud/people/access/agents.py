"""Browsers by the names that people know: "Firefox auf Windows"."""

from functools import lru_cache

from ua_parser import parse

UNKNOWN = "Unbekanntes Gerät"


@lru_cache(maxsize=1000)
def device_name(user_agent: str) -> str:
    """What the header says of the browser and its system; both can be made up by whoever sends it."""
    found = parse(user_agent)
    browser = found.user_agent.family if found.user_agent else None
    system = found.os.family if found.os else None
    if browser and system:
        return f"{browser} auf {system}"
    return browser or system or UNKNOWN
