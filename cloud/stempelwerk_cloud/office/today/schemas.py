"""JSON of an administrator's day. What a module would show that the company does not have is left out."""

from stempelwerk_cloud.fleet.alarms.service import AnyKind
from stempelwerk_cloud.kit.http.schemas import InstantField, TimeField, Wire


class TodaysPerson(Wire):
    """Somebody of the day. `start` and `end`: of what they worked, else of their duty; `plannedEnd` is their duty's."""

    user_id: str
    username: str
    start: TimeField | None
    end: TimeField | None
    clock_name: str | None
    planned_end: TimeField | None


class Waiting(Wire):
    """How much waits for a decision; `review` up to 1,000."""

    requests: int | None = None
    absences: int | None = None
    corrections: int | None = None
    held_stamps: int
    review: int


class SilentClock(Wire):
    """A clock that is not heard; `lastSeen` null: never."""

    device_id: str
    name: str
    last_seen: InstantField | None


class TodaysAlarm(Wire):
    """An open alarm that no administrator has acknowledged, and its hint. `deviceName` is null for one that concerns
    several clocks.
    """

    id: str
    kind: AnyKind
    device_name: str | None
    since: InstantField
    hint: str | None


class Today(Wire):
    """`alarms`: the open ones. Silent clocks are in `silentClocks` instead."""

    present: list[TodaysPerson] | None = None
    missing: list[TodaysPerson] | None = None
    unexpected: list[TodaysPerson] | None = None
    waiting: Waiting
    silent_clocks: list[SilentClock] | None = None
    alarms: list[TodaysAlarm] | None = None
