"""Calls about the own inbox."""

from typing import Annotated

from fastapi import Query, Request, Response

from stempelwerk_cloud.kit.http.paging import name_next
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import BeforeField, PathId
from stempelwerk_cloud.people.access.guards import AnySession
from stempelwerk_cloud.people.messages import service
from stempelwerk_cloud.people.messages.schemas import MOST, MessageRow, ReadMessages
from stempelwerk_cloud.people.work import Reading, Writing

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
