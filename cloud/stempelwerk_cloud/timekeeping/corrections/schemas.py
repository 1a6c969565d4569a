"""Bodies of the calls for corrections."""

from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, Strict, StrictBool, StringConstraints, ValidationInfo, WithJsonSchema
from pydantic.alias_generators import to_camel

from stempelwerk_cloud.kit.http.schemas import (
    DayField,
    IdField,
    InstantField,
    TimeField,
    TimeInput,
    Wire,
    parse_day,
    parse_minute,
)
from stempelwerk_cloud.timekeeping.corrections import problems

REASON_LIMIT = 2000
DAY_MINUTES = 24 * 60

Status = Literal["pending", "approved", "rejected"]
StatusField = Annotated[str, WithJsonSchema({"type": "string", "enum": list(get_args(Status))})]
"""A status in an answer, as it is in its row."""


def _day(value: Any) -> Any:
    """Reads an empty field as None; a text that is no day gets its own message."""
    if value is None or value == "":
        return None
    try:
        return parse_day(value)
    except (TypeError, ValueError):
        raise problems.day_malformed() from None


def _time(value: Any, info: ValidationInfo) -> Any:
    if value is None or value == "":
        return None
    try:
        parse_minute(value)
    except ValueError:
        raise problems.time_malformed(to_camel(info.field_name or "")) from None
    return value


_Day = Annotated[DayField | None, BeforeValidator(_day)]
_Time = Annotated[TimeInput | None, BeforeValidator(_time)]
_Break = Annotated[int, Strict(), Field(ge=0, le=DAY_MINUTES)] | None
_Reason = Annotated[str, StringConstraints(strip_whitespace=True, max_length=REASON_LIMIT)] | None


class Times(Wire):
    """Local times; `start` and `end` are their names in older clients."""

    new_start: _Time = None
    new_end: _Time = None
    start: _Time = None
    end: _Time = None
    break_minutes: _Break = None

    def chosen_times(self) -> tuple[int | None, int | None]:
        """Returns start and end, by whichever name they came. 422 if the two names have different times."""
        return self._chosen_time("start"), self._chosen_time("end")

    def _chosen_time(self, name: str) -> int | None:
        new: int | None = getattr(self, f"new_{name}")
        older: int | None = getattr(self, name)
        if new is not None and older is not None and new != older:
            raise problems.contradiction(name, to_camel(f"new_{name}"))
        return older if new is None else new


class CorrectionRequestBody(Times):
    """A requested correction. `userId`: the employee on whose behalf an administrator enters it."""

    date: _Day = None
    reason: _Reason = None
    entry_id: IdField | None = None
    user_id: IdField | None = None


class CorrectionDecision(Times):
    """An administrator's decision, which is the path's; the body may repeat it. Times in the body win.

    `comment`: a remark for the person.
    """

    comment: _Reason = None
    decision: str | None = None
    approved: StrictBool | None = None
    status: str | None = None


class Stretch(Wire):
    """A current entry, in local times."""

    start: TimeField | None
    end: TimeField | None


class LeftOut(Wire):
    """A part of an entry that would no longer count, in local times."""

    start: TimeField
    end: TimeField
    minutes: int


class CorrectionRow(Wire):
    """A request. `before`: the current entries that it concerns, while it is undecided; null afterwards.

    `leavesOut`: what its bounds leave out of the shift that it concerns; null also while they are unknown.

    `decidedBy` is a username; null for an open request. `createdAt` is when it came.
    """

    id: str
    date: DayField
    new_start: TimeField | None
    new_end: TimeField | None
    reason: str | None
    status: StatusField
    entry_id: str | None
    break_minutes: int | None
    created_at: InstantField
    user_id: str
    username: str
    decided_by: str | None
    decided_at: InstantField | None
    before: list[Stretch] | None
    leaves_out: list[LeftOut] | None


class PreviewEntry(Wire):
    """An entry in local times; `minutes` is what counts, `breakMinutes` the deducted break."""

    start: str | None
    end: str | None
    break_minutes: int | None
    minutes: int | None


class PreviewLost(Wire):
    start: str
    end: str
    minutes: int


class CorrectionPreview(Wire):
    """`before` and `after`: the day's entries; `stamps`: local times; `leavesOut`: what would no longer count."""

    before: list[PreviewEntry]
    after: list[PreviewEntry]
    stamps: list[str]
    leaves_out: list[PreviewLost]
