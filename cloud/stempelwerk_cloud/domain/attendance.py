"""Attendance of a day: expected employees, present ones, and present ones without a plan.

The day is that of shifts: an employee who works through the night is present on the day on which the shift began. An
employee is missing from the beginning of their duty on, or without times from the beginning of its day.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.days import PersonDay
from stempelwerk_cloud.domain.instants import day_start
from stempelwerk_cloud.domain.roster import Planned, span


class Seen(NamedTuple):
    """A person's day by clocks and corrections: the first start and the last end in local minutes; None: open.

    `running`: whether the person is present at the moment.
    """

    start_minute: int | None
    end_minute: int | None
    running: bool
    clock_name: str | None


class Attending(NamedTuple):
    """An employee on the day's list. `seen` None: they have not come. `clocked_in` None: nor were they due yet."""

    user_id: str
    duty: Planned | None
    seen: Seen | None
    clocked_in: bool | None


class Attendance(NamedTuple):
    expected: list[Attending]
    unexpected: list[Attending]


def attendance(
    days: Mapping[str, PersonDay], seen_by_user: Mapping[str, Seen], zone: ZoneInfo, now: datetime
) -> Attendance:
    """Returns everyone who is expected or came, in the order of `days`. People who are away all day are not."""
    expected, unexpected = [], []
    for user_id, day in days.items():
        came = seen_by_user.get(user_id)
        if day.duty is not None and not day.away:
            clocked_in = True if came else False if _due(day.duty, zone) <= now else None
            expected.append(Attending(user_id, day.duty, came, clocked_in))
        elif came:
            unexpected.append(Attending(user_id, day.duty, came, True))
    return Attendance(expected, unexpected)


def _due(duty: Planned, zone: ZoneInfo) -> datetime:
    start, _ = span(duty, zone)
    return day_start(duty.date, zone) if start is None else start
