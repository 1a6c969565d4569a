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


def _known(ids: list[str]) -> list[str]:
    """Those that can be ids of ours, as we write them; whatever else is named is nothing that could be read."""
    found = []
    for each in ids:
        try:
            found.append(str(uuid.UUID(each)))
        except ValueError:
            continue
    return found


class ReadMessages(Wire):
    """The messages that were read, at most 500 at once."""

    ids: Annotated[
        list[Annotated[str, StringConstraints(max_length=100)]], Field(max_length=MOST), AfterValidator(_known)
    ]
