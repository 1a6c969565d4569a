"""JSON bodies and answers of the endpoints for corrections."""

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
from stempelwerk_cloud.timekeeping.corrections import words

REASON_LIMIT = 2000
DAY_MINUTES = 24 * 60

Status = Literal["pending", "approved", "rejected"]
StatusField = Annotated[str, WithJsonSchema({"type": "string", "enum": list(get_args(Status))})]
"""The status of a request in an answer. Not validated: it is copied from its row."""


def _day(value: Any) -> Any:
    """Reads an empty field as None; raises the problem with its own message for a text that is no day."""
    if value is None or value == "":
        return None
    try:
        return parse_day(value)
    except (TypeError, ValueError):
        raise words.day_malformed() from None


def _time(value: Any, info: ValidationInfo) -> Any:
    if value is None or value == "":
        return None
    try:
        parse_minute(value)
    except ValueError:
        raise words.time_malformed(to_camel(info.field_name or "")) from None
    return value


_Day = Annotated[DayField | None, BeforeValidator(_day)]
_Time = Annotated[TimeInput | None, BeforeValidator(_time)]
_Break = Annotated[int, Strict(), Field(ge=0, le=DAY_MINUTES)] | None
_Reason = Annotated[str, StringConstraints(strip_whitespace=True, max_length=REASON_LIMIT)] | None


class Times(Wire):
    """Local times (HH:MM). Older clients send `start` and `end` instead of `newStart` and `newEnd`."""

    new_start: _Time = None
    new_end: _Time = None
    start: _Time = None
    end: _Time = None
    break_minutes: _Break = None

    def chosen_times(self) -> tuple[int | None, int | None]:
        """Returns start and end in minutes since midnight, by whichever name they came. 422 if both names came with
        different times.
        """
        return self._chosen_time("start"), self._chosen_time("end")

    def _chosen_time(self, name: str) -> int | None:
        new: int | None = getattr(self, f"new_{name}")
        older: int | None = getattr(self, name)
        if new is not None and older is not None and new != older:
            raise words.contradiction(name, to_camel(f"new_{name}"))
        return older if new is None else new


class CorrectionRequestBody(Times):
    """A requested correction. `userId`: the employee concerned, if an administrator enters it."""

    date: _Day = None
    reason: _Reason = None
    entry_id: IdField | None = None
    user_id: IdField | None = None


class CorrectionDecision(Times):
    """An administrator's decision. The path decides between approval and refusal; older members of the body that repeat
    it are ignored.

    Times in the body replace the requested ones. `comment`: a remark for the person.
    """

    comment: _Reason = None
    decision: str | None = None
    approved: StrictBool | None = None
    status: str | None = None


class Stretch(Wire):
    """A current entry that a request concerns, in local times."""

    start: TimeField | None
    end: TimeField | None


class LeftOut(Wire):
    """A part of an entry that would no longer count, in local times."""

    start: TimeField
    end: TimeField
    minutes: int


class CorrectionRow(Wire):
    """A correction request.

    `before`: while it is undecided, the current entries that it concerns; null afterwards. `leavesOut`: the parts of
    them outside its times; null also if that is unknown. `decidedBy` is the administrator's username; null for an open
    request. `createdAt` is the instant of the request.
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
    """An entry in local times; `minutes` is the net time, `breakMinutes` the deducted break."""

    start: str | None
    end: str | None
    break_minutes: int | None
    minutes: int | None


class PreviewLost(Wire):
    start: str
    end: str
    minutes: int


class CorrectionPreview(Wire):
    """A day before and after approval of a request: its entries, the local times of their stamps, and the parts that
    would no longer count (`leavesOut`).
    """

    before: list[PreviewEntry]
    after: list[PreviewEntry]
    stamps: list[str]
    leaves_out: list[PreviewLost]
