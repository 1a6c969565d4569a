"""Bodies of the calls about messages."""

import json
import uuid
from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints, field_validator

from stempelwerk_cloud.kit.http.schemas import InstantField, Wire

MOST = 500


class MessageRow(Wire):
    """An unread message. `payload` belongs to its type, such as `{"status": "approved", "date": "2026-11-20"}`."""

    id: str
    type: str
    title: str
    body: str
    created_at: InstantField
    payload: dict[str, Any]

    @field_validator("payload", mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        return json.loads(value) if isinstance(value, str) else value


def _valid_ids(ids: list[str]) -> list[str]:
    """Returns those that can be our ids, normalized; any other cannot name a message."""
    valid_ids = []
    for each in ids:
        try:
            valid_ids.append(str(uuid.UUID(each)))
        except ValueError:
            continue
    return valid_ids


class ReadMessages(Wire):
    """The messages that were read, at most 500 at once."""

    ids: Annotated[
        list[Annotated[str, StringConstraints(max_length=100)]], Field(max_length=MOST), AfterValidator(_valid_ids)
    ]
