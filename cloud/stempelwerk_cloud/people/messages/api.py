"""Calls about the own inbox."""

import json
import uuid
from typing import Annotated, Any

from fastapi import Query, Request, Response
from pydantic import AfterValidator, Field, StringConstraints, field_validator

from stempelwerk_cloud.kit.http.paging import name_next
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import BeforeField, InstantField, PathId, Wire
from stempelwerk_cloud.people.access.guards import AnySession
from stempelwerk_cloud.people.messages import service
from stempelwerk_cloud.people.work import Reading, Writing

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


router = room_router("messages")


@router.get("/api/messages")
def messages(
    _: AnySession,
    work: Reading,
    request: Request,
    response: Response,
    limit: Annotated[int, Query(ge=1, le=MOST)] = MOST,
    before: BeforeField = None,
) -> list[MessageRow]:
    """Lists the caller's unread messages, newest first."""
    rows, next_id = service.page(work, limit, before)
    name_next(request, response, before=next_id)
    return [MessageRow.model_validate(row) for row in rows]


@router.post("/api/messages/read", status_code=204)
def read_messages(_: AnySession, work: Writing, body: ReadMessages) -> Response:
    """Marks several messages as read. Skips unknown ids and those of other people's messages."""
    service.mark_all_read(work, body.ids)
    return Response(status_code=204)


@router.post("/api/messages/{id}/read", status_code=204)
def read_message(_: AnySession, message_id: PathId, work: Writing) -> Response:
    """Marks the message as read, which removes it from the inbox. Reading it again changes nothing."""
    service.mark_read(work, message_id)
    return Response(status_code=204)
