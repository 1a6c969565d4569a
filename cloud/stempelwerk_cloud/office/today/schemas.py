"""JSON of an administrator's day. Parts of modules that the company does not have are left out."""

from stempelwerk_cloud.fleet.alarms.service import AnyKind
from stempelwerk_cloud.kit.http.schemas import InstantField, TimeField, Wire


class TodaysPerson(Wire):
    """A person of the day. `start` and `end`: of the work, else of the duty; `plannedEnd` is the duty's."""

    user_id: str
    username: str
    start: TimeField | None
    end: TimeField | None
    clock_name: str | None
    planned_end: TimeField | None


class Waiting(Wire):
    """Numbers of pending decisions; `review` up to 1,000."""

    requests: int | None = None
    absences: int | None = None
    corrections: int | None = None
    held_stamps: int
    review: int


class SilentClock(Wire):
    """A silent clock; `lastSeen` null: never."""

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
