"""Who was expected on a day, who came, and who came without a plan.

A day is that of shifts: who works through the night is there on the day on which the shift began. Somebody is missing
from the beginning of their duty on, and where it has no times, from the beginning of its day.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.days import PersonDay
from stempelwerk_cloud.domain.instants import day_start
from stempelwerk_cloud.domain.roster import Planned, span


class Seen(NamedTuple):
    """What clocks and corrections say of somebody's day: the first start and the last end, local minutes; None: open.

    `running`: whether the person is there at the moment.
    """

    start_minute: int | None
    end_minute: int | None
    running: bool
    clock_name: str | None


class Attending(NamedTuple):
    """Somebody of the day's list. `seen` None: they have not come, and `clocked_in` None: nor were they due by now."""

    user_id: str
    duty: Planned | None
    seen: Seen | None
    clocked_in: bool | None


class Attendance(NamedTuple):
    expected: list[Attending]
    unexpected: list[Attending]


def attendance(days: Mapping[str, PersonDay], seen: Mapping[str, Seen], zone: ZoneInfo, now: datetime) -> Attendance:
    """Everybody who is expected or came, in the order of `days`; nobody is expected who is away for all of it."""
    expected, unexpected = [], []
    for user_id, day in days.items():
        came = seen.get(user_id)
        if day.duty is not None and not day.away:
            clocked_in = True if came else False if _due(day.duty, zone) <= now else None
            expected.append(Attending(user_id, day.duty, came, clocked_in))
        elif came:
            unexpected.append(Attending(user_id, day.duty, came, True))
    return Attendance(expected, unexpected)


def _due(duty: Planned, zone: ZoneInfo) -> datetime:
    start, _ = span(duty, zone)
    return day_start(duty.date, zone) if start is None else start
