"""JSON bodies and answers of the endpoints for time entries."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from stempelwerk_cloud.kit.http.schemas import DayField, Wire

Flag = Literal[
    "missing_in",
    "missing_out",
    "long_entry",
    "uncertain_time",
    "over_10_h",
    "short_rest",
    "missing_break",
    "overlap",
    "shown_differs",
    "worked_on_leave",
    "late",
]


class TimeEntryRow(Wire):
    """A time entry. `start` and `end` are local times (HH:MM); the minutes are null while it runs or is incomplete."""

    id: str
    date: DayField
    start: str | None
    end: str | None
    running: bool
    break_minutes: int | None
    worked_minutes_raw: int | None
    worked_minutes_net: int | None
    source: Literal["clock", "correction"]
    flags: list[Flag]
    clock_name: str | None


class BreakStepRow(Wire):
    """A step of the rule about breaks: work of more than `overMinutes` requires `minutes` of break."""

    over_minutes: int
    minutes: int


class LimitsRow(Wire):
    """A person's limits of working time on a day, in minutes."""

    shift_minutes: int
    rest_minutes: int
    break_steps: list[BreakStepRow]


class ReviewRow(Wire):
    """An entry that an administrator should look at. `limits`: the person's limits of working time, if a flag is about
    one.
    """

    entry_id: str
    user_id: str
    username: str
    date: DayField
    flags: list[Flag]
    limits: LimitsRow | None = None


class Confirmation(Wire):
    """An administrator's confirmation of an entry's flags, and why."""

    flags: list[Flag] = Field(min_length=1, max_length=20)
    comment: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] = ""


class ConfirmedRow(Wire):
    """An entry whose flags were confirmed. `flags`: those that are still to be reviewed."""

    entry_id: str
    flags: list[Flag]
