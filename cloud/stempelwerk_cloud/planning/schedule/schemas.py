"""Bodies of the roster's calls."""

from datetime import date
from typing import Annotated, Literal

import msgspec
from pydantic import Field, StringConstraints

from stempelwerk_cloud.kit.http.schemas import DayField, SentDay, TimeField, TimeInput, Wire


class DutyRow(Wire):
    """A duty of a person on a local day; an end at or before the start lies on the next day.

    `published`: it was announced to its person as it is.
    """

    id: str
    date: DayField
    user_id: str
    username: str
    start: TimeField | None
    end: TimeField | None
    published: bool


class DutyLine(msgspec.Struct, rename="camel"):
    """The same for fast encoding of thousands of rows: a tenth of a model's time."""

    id: str
    date: date
    user_id: str
    username: str
    start: str | None
    end: str | None
    published: bool


class PlanWarning(Wire):
    """A problem of a person's plan, and its day; calls that change the plan return the new ones.

    `on_leave`: leave that was approved later takes time of the duty; `closure`: it lies in company holidays, also
    without vacation by them; `pending_leave`: leave was requested; `ill`: illness was reported; `into_leave`: the duty
    ends on the next day, on which the person is on leave, ill or excused; `seventh_day`: a seventh duty in a row, or a
    later one; `sunday`: on a Sunday or a public holiday, and no weekday is left free for it afterwards; `short_rest`:
    too soon after the duty before; `over_10_h`, or for people with these limits `youth` or `maternity`: the shift is
    too long, or lies at night.
    """

    code: Literal[
        "on_leave",
        "closure",
        "pending_leave",
        "ill",
        "into_leave",
        "seventh_day",
        "sunday",
        "short_rest",
        "over_10_h",
        "youth",
        "maternity",
    ]
    user_id: str
    date: DayField


class AssignedRow(DutyRow):
    warnings: list[PlanWarning]


class NewDuty(Wire):
    """An end needs a start. `userId` may be unknown or missing: the service refuses that."""

    date: DayField
    user_id: str | None = None
    start: TimeInput | None = None
    end: TimeInput | None = None


class Changes(Wire):
    """Duties to take away, by their ids, and, after that, duties to add: 1,000 in all."""

    add: list[NewDuty] = Field(default_factory=list)
    remove: list[str] = Field(default_factory=list)


class ChangesDone(Wire):
    """How many duties were added and taken away."""

    added: int
    removed: int
    warnings: list[PlanWarning]


class OffDay(Wire):
    """A day, or half of it, that is free for all employees."""

    date: DayField
    name: str
    half: bool


class UnpublishedChange(Wire):
    """A day whose plan differs from the announced one: a duty is new, gone, or has other times."""

    user_id: str
    date: DayField
    kind: Literal["added", "removed", "times"]


class Publication(Wire):
    """The days, both included; `message`: an addition to each notification."""

    first: SentDay = Field(alias="from")
    last: SentDay = Field(alias="to")
    message: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)] | None = None


class Published(Wire):
    """The number of people notified."""

    told: int
