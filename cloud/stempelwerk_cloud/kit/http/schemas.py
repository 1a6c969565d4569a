"""What every JSON body of the web API has in common: camelCase names, instants, days, ids.

The contract with the clocks has its own names in `device_api/wire.py`.
"""

import re
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Annotated, Any, Self

from fastapi import Path, Query
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
)
from pydantic.alias_generators import to_camel

from stempelwerk_cloud.kit.database.pages import NoSuchRow
from stempelwerk_cloud.kit.http.problems import not_found, said

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_TIME = re.compile(r"([01]\d|2[0-3]):[0-5]\d", re.ASCII)
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})", re.ASCII)


class Wire(BaseModel):
    """Base of request and response models: Python names inside, camelCase outside, unknown members ignored."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="ignore", serialize_by_alias=True, from_attributes=True
    )

    @classmethod
    def from_row(cls, row: object, **overrides: object) -> Self:
        """What is answered of a row: the members that `overrides` names, and else what the row calls by their names."""
        row_values = {
            name: getattr(row, name) for name in cls.model_fields if name not in overrides and hasattr(row, name)
        }
        return cls.model_validate(row_values | overrides)


def format_instant(instant: datetime) -> str:
    """ISO 8601 in UTC with milliseconds and Z."""
    text = instant.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def parse_instant(text: str) -> datetime:
    """An aware UTC instant, cut to milliseconds. Raises ValueError, also for one without a zone."""
    if not _INSTANT.fullmatch(text):
        raise ValueError("not an instant")
    try:
        instant = datetime.fromisoformat(text).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("outside the calendar") from error
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def parse_day(text: str) -> date:
    """A day written YYYY-MM-DD. Raises ValueError."""
    if not _DAY.fullmatch(text):
        raise ValueError("not a day")
    return date.fromisoformat(text)


def _instant(value: Any) -> datetime:
    if isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise ValueError("not an instant")
    return parse_instant(value)


def _of_our_time(instant: datetime) -> datetime:
    if not FIRST_DAY < instant.date() < LAST_DAY:
        raise said("Das Jahr liegt nicht zwischen 1900 und 2200.")
    return instant


def _day(value: Any) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise ValueError("not a day")
    return parse_day(value)


def _is_id(text: str) -> bool:
    """Whether the text is a UUID in lower case with hyphens (RFC 9562, § 4)."""
    return _ID.fullmatch(text) is not None


def canonical_id(value: str) -> str:
    """Returns the id. Raises 404 for text that is no id of ours, and for an id in another spelling.

    An id has one spelling, so whatever is counted or locked by the text of a path is counted once.
    """
    if not _is_id(value):
        raise not_found()
    return value


def place_id(value: str | None) -> str | None:
    """The id of a row behind which a page begins. Raises NoSuchRow."""
    if value is not None and not _is_id(value):
        raise NoSuchRow(value)
    return value


InstantField = Annotated[
    datetime,
    BeforeValidator(_instant),
    PlainSerializer(format_instant, return_type=str),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-11-20T07:58:03.214Z"]}),
]
SentInstant = Annotated[InstantField, AfterValidator(_of_our_time)]
"""An instant that somebody sends: between the same days."""
WRITTEN_DAY = (
    BeforeValidator(_day),
    PlainSerializer(date.isoformat, return_type=str),
    WithJsonSchema({"type": "string", "format": "date", "examples": ["2026-11-20"]}),
)
"""What makes a `date` one of a body. Bounds stand before it."""
DayField = Annotated[date, *WRITTEN_DAY]
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2200, 12, 31)
"""Between them lies what somebody says of their work: a year that is half typed (0026) is none that anybody means."""
SentDay = Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY), *WRITTEN_DAY]
"""A day that somebody sends."""


def parse_minute(value: Any) -> int:
    """The minute since midnight of a local time `HH:MM`. Raises ValueError."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise ValueError("not a time")
    return int(value[:2]) * 60 + int(value[3:])


@lru_cache(maxsize=24 * 60)
def format_minute(minute: int) -> str:
    """`HH:MM` of a local minute since midnight."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


_TIME_SCHEMA = WithJsonSchema({"type": "string", "examples": ["07:30"], "pattern": f"^{_TIME.pattern}$"})
TimeInput = Annotated[int, BeforeValidator(parse_minute), _TIME_SCHEMA]
"""A local time `HH:MM` that somebody sends; inside, minutes since midnight."""
TimeField = Annotated[int, PlainSerializer(format_minute, return_type=str), _TIME_SCHEMA]
"""A local time in an answer, made of minutes since midnight."""
EMPTY_IS_ALL = BeforeValidator(lambda word: word or "all")
"""Before the filter of a list: behind its `=` an address may have nothing (`?status=&…`)."""
IdField = Annotated[str, AfterValidator(canonical_id)]
"""An id in a path or a body: answered with 404 where it cannot be one of ours."""
BeforeField = Annotated[
    str | None, AfterValidator(place_id), Query(description="The id of the last row of the page before.")
]
"""Behind which row of a list a page begins: 422 where it cannot be the id of one."""
PathId = Annotated[IdField, Path(alias="id")]
"""`{id}` of the path."""
