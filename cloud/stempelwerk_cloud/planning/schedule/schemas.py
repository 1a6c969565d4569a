"""JSON bodies and answers of the endpoints for the roster."""

from datetime import date
from typing import Annotated, Literal

import msgspec
from pydantic import Field, StringConstraints

from stempelwerk_cloud.kit.http.schemas import DayField, SentDay, TimeField, TimeInput, Wire


class DutyRow(Wire):
    """A duty of a person on a local day. An end at or before the start is on the next day.

    `published`: the duty was announced to its person as it is.
    """

    id: str
    date: DayField
    user_id: str
    username: str
    start: TimeField | None
    end: TimeField | None
    published: bool


class DutyLine(msgspec.Struct, rename="camel"):
    """A `DutyRow` for fast encoding of thousands of rows, in a tenth of a model's time."""

    id: str
    date: date
    user_id: str
    username: str
    start: str | None
    end: str | None
    published: bool


class PlanWarning(Wire):
    """A problem of a person's plan on a day. Endpoints that change the plan return the new ones.

    - `on_leave`: leave that was approved later overlaps the duty.
    - `closure`: the duty is within company holidays, even if they gave the person no vacation.
    - `pending_leave`: leave was requested. `ill`: illness was reported.
    - `into_leave`: the duty ends on the next day, while the person is on leave, ill or excused.
    - `seventh_day`: a seventh duty in a row, or a later one.
    - `sunday`: a duty on a Sunday or a public holiday, without a free weekday for it afterwards.
    - `short_rest`: too soon after the duty before.
    - `over_10_h`, or for people with these limits `youth` or `maternity`: the shift is too long, or at night.
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
    """A duty to assign. An end needs a start. The service refuses an unknown or missing `userId`."""

    date: DayField
    user_id: str | None = None
    start: TimeInput | None = None
    end: TimeInput | None = None


class Changes(Wire):
    """Duties to remove, by their ids, and then duties to add: 1,000 in all."""

    add: list[NewDuty] = Field(default_factory=list)
    remove: list[str] = Field(default_factory=list)


class ChangesDone(Wire):
    """The numbers of duties that were added and removed, and the new warnings."""

    added: int
    removed: int
    warnings: list[PlanWarning]


class OffDay(Wire):
    """A day, or half of it, that is free for all employees."""

    date: DayField
    name: str
    half: bool


class UnpublishedChange(Wire):
    """A day of a person whose duty differs from the announced one: it is new, removed, or has other times."""

    user_id: str
    date: DayField
    kind: Literal["added", "removed", "times"]


class Publication(Wire):
    """The days to publish, both included. `message`: a text that is added to each notification."""

    first: SentDay = Field(alias="from")
    last: SentDay = Field(alias="to")
    message: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)] | None = None


class Published(Wire):
    """The number of people notified."""

    told: int
