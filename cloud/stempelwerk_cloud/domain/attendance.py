"""Attendance on a day: expected employees, those who came, and those who came without a plan.

The day is that of shifts: an employee who works through the night is present on the day when the shift began. An
employee counts as missing from the beginning of their duty on; without times, from the beginning of the duty's day.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.days import PersonDay
from stempelwerk_cloud.domain.instants import day_start
from stempelwerk_cloud.domain.roster import Planned, span


class Seen(NamedTuple):
    """An employee's day according to clocks and corrections: the first start and the last end in local minutes. End
    None: an entry is open. `running`: the employee is present now.
    """

    start_minute: int | None
    end_minute: int | None
    running: bool
    clock_name: str | None


class Attending(NamedTuple):
    """An employee in the list of a day. `seen` None: they have not come. `clocked_in` None: they have not come and are
    not due yet.
    """

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
    """Returns all employees who are expected or came, in the order of `days`. Employees who are away all day are left
    out.
    """
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
