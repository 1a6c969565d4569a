"""Half days in JSON bodies: numbers such as 12 or 12.5 outside, whole numbers of halves inside. Shared parts of every
JSON body of the web API: camelCase names, instants, days, ids.

The contract with the clocks has its own names in `device_api/wire.py`.
"""

import re
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Annotated, Any, Self

from fastapi import Path, Query
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema
from pydantic.alias_generators import to_camel

from stempelwerk_cloud.domain.half_days import halves_of, number_of
from stempelwerk_cloud.kit.database.pages import NoSuchRow
from stempelwerk_cloud.kit.http.problems import not_found, sentence_error


def halves_input(most_days: int) -> Any:
    """Returns the type of a number of days in a request: a multiple of a half, at most `most_days` up or down."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= most_days:
            raise ValueError("not a number of half days")
        return halves_of(value)

    schema = {"type": "number", "multipleOf": 0.5, "minimum": -most_days, "maximum": most_days}
    return Annotated[int, BeforeValidator(read), WithJsonSchema(schema)]


HalvesField = Annotated[
    int, PlainSerializer(number_of, return_type=int | float), WithJsonSchema({"type": "number", "multipleOf": 0.5})
]
"""A number of days in an answer (12 or 12.5); the model's value is in half days."""


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
        """Builds the model from a row: the fields in `overrides`, and otherwise the row's attributes of the same
        names.
        """
        row_values = {
            name: getattr(row, name) for name in cls.model_fields if name not in overrides and hasattr(row, name)
        }
        return cls.model_validate(row_values | overrides)


def format_instant(instant: datetime) -> str:
    """Formats as ISO 8601 in UTC with milliseconds and Z."""
    text = instant.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def parse_instant(text: str) -> datetime:
    """Parses an ISO 8601 instant with a zone to UTC, truncated to milliseconds. Raises ValueError."""
    if not _INSTANT.fullmatch(text):
        raise ValueError("not an instant")
    try:
        instant = datetime.fromisoformat(text).astimezone(UTC)
    except OverflowError as error:
        raise ValueError("outside the calendar") from error
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def parse_day(text: str) -> date:
    """Parses a day written YYYY-MM-DD. Raises ValueError."""
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
        raise sentence_error("Das Jahr liegt nicht zwischen 1900 und 2200.")
    return instant


def _day(value: Any) -> date:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise ValueError("not a day")
    return parse_day(value)


def _is_id(text: str) -> bool:
    """Returns whether the text is a UUID in lower case with hyphens (RFC 9562, § 4)."""
    return _ID.fullmatch(text) is not None


def canonical_id(value: str) -> str:
    """Returns the id unchanged. Raises 404 for a text that is no UUID in lower case with hyphens.

    An id has one spelling, so counters and locks by the text of a path cannot be evaded.
    """
    if not _is_id(value):
        raise not_found()
    return value


def place_id(value: str | None) -> str | None:
    """Returns the id of the row that precedes a page, or None. Raises NoSuchRow if it is no UUID."""
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
"""An instant in a request, limited to the years from 1900 to 2200."""
WRITTEN_DAY = (
    BeforeValidator(_day),
    PlainSerializer(date.isoformat, return_type=str),
    WithJsonSchema({"type": "string", "format": "date", "examples": ["2026-11-20"]}),
)
"""Annotations that read and write a `date` in a body as YYYY-MM-DD. Bounds must precede them."""
DayField = Annotated[date, *WRITTEN_DAY]
FIRST_DAY, LAST_DAY = date(1900, 1, 1), date(2200, 12, 31)
"""Bounds for days in requests: they refuse a half-typed year (0026)."""
SentDay = Annotated[date, Field(ge=FIRST_DAY, le=LAST_DAY), *WRITTEN_DAY]
"""A day in a request, limited by `FIRST_DAY` and `LAST_DAY`."""


def parse_minute(value: Any) -> int:
    """Parses a local time `HH:MM` to the minute since midnight. Raises ValueError."""
    if not isinstance(value, str) or not _TIME.fullmatch(value):
        raise ValueError("not a time")
    return int(value[:2]) * 60 + int(value[3:])


@lru_cache(maxsize=24 * 60)
def format_minute(minute: int) -> str:
    """Formats a local minute since midnight as `HH:MM`."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


_TIME_SCHEMA = WithJsonSchema({"type": "string", "examples": ["07:30"], "pattern": f"^{_TIME.pattern}$"})
TimeInput = Annotated[int, BeforeValidator(parse_minute), _TIME_SCHEMA]
"""A local time `HH:MM` in a request; the model's value is minutes since midnight."""
TimeField = Annotated[int, PlainSerializer(format_minute, return_type=str), _TIME_SCHEMA]
"""A local time `HH:MM` in an answer; the model's value is minutes since midnight."""
EMPTY_IS_ALL = BeforeValidator(lambda word: word or "all")
"""A validator for a list's filter: an empty value in the query (`?status=&…`) means `all`."""
IdField = Annotated[str, AfterValidator(canonical_id)]
"""An id in a path or a body: answered with 404 where it cannot be one of ours."""
BeforeField = Annotated[
    str | None, AfterValidator(place_id), Query(description="The id of the last row of the page before.")
]
"""The id of the row that precedes a page: 422 if it cannot be an id."""
PathId = Annotated[IdField, Path(alias="id")]
"""The id in the path's `{id}`."""
