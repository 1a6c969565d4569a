"""The time zone of a company: a dated setting that every room with local days needs."""

import json
from collections.abc import Callable, Iterable
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import day_start
from stempelwerk_cloud.kit.dated import Change, InForce, Setting

ZONES = frozenset((files("tzdata") / "zones").read_text().split()) - {"Factory"}
"""The accepted time zones: the IANA names, which browsers know too. A machine may have other names, such as
`localtime`.
"""

TIME_ZONE = Setting("time_zone", str, "Europe/Berlin", among=ZONES, shapes_entries=True, label="Zeitzone")


def zone_at(changes: Iterable[Change], instant: datetime) -> ZoneInfo:
    """Returns the zone in force at an instant. A change holds from the midnight of its day in the new zone."""
    moves = [change for change in changes if change.setting == TIME_ZONE.name]
    for move in sorted(moves, key=lambda change: change.valid_from, reverse=True):
        zone = ZoneInfo(json.loads(move.value))
        if day_start(move.valid_from, zone) <= instant:
            return zone
    return ZoneInfo(TIME_ZONE.default)


def zones(changes: Iterable[Change]) -> Callable[[date], ZoneInfo]:
    """Returns a function that gives the zone of a local day."""
    moves = [change for change in changes if change.setting == TIME_ZONE.name]
    return cache(lambda day: ZoneInfo(InForce(moves, day)[TIME_ZONE]))
