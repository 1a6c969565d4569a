"""Endpoints of support: companies ask, system administrators read and answer."""

from typing import Annotated, Literal

from fastapi import Depends, Query

from stempelwerk_cloud.fleet.support import service
from stempelwerk_cloud.fleet.support.schemas import (
    NewReply,
    NewSupportMessage,
    OwnSupportMessage,
    ReplyRow,
    Status,
    StatusChange,
    SupportMessageRow,
)
from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import EMPTY_IS_ALL, PathId
from stempelwerk_cloud.people.access.guards import AdminOnly, OfCompany, administrators
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Reading, Writing

router = room_router("support")

Asking = Annotated[Caller, Depends(administrators.at_most(service.ASKING, shared=True))]
Answering = Annotated[Caller, Depends(administrators.at_most("120/minute", shared=True))]
"""Administrators who may answer in threads. The called service checks the company. The operator answers many companies,
so this limit is higher than the one for messages.
"""


@router.post("/api/support/messages", status_code=201)
def send(_: Asking, work: Writing, body: NewSupportMessage) -> OwnSupportMessage:
    """Sends a message to the operator's support."""
    message = service.send(work, body)
    return OwnSupportMessage.from_row(message, replies=[])


@router.get("/api/companies/{id}/support/messages")
def own_messages(caller: OfCompany, work: Reading, paging: PagingDep) -> list[OwnSupportMessage]:
    """Lists the company's messages, newest first, with the answers."""
    rows = service.of_company_page(work, caller.subject_company_id, paging.page_request)
    return list(paging.cut(rows))


@router.get("/api/support/messages")
def messages(
    _: AdminOnly,
    work: Reading,
    paging: PagingDep,
    status: Annotated[Literal[Status, "all"], EMPTY_IS_ALL] = "all",
    with_logs: Annotated[bool, Query(alias="withLogs")] = False,
    logs_limit: Annotated[int, Query(alias="logsLimit", ge=0, le=100)] = 100,
) -> list[SupportMessageRow]:
    """Lists the messages of all companies, newest first. `withLogs` adds to each the newest lines of the company's
    clocks from before the message.
    """
    status_filter = None if status == "all" else status
    rows = service.all_page(work, status_filter, paging.page_request, logs_limit if with_logs else 0)
    return list(paging.cut(rows))


@router.put("/api/support/messages/{id}")
def set_status(_: AdminOnly, work: Writing, message_id: PathId, body: StatusChange) -> SupportMessageRow:
    """Sets the status of a thread: open, in progress or closed."""
    return service.rows(work, [service.set_status(work, message_id, body.status)], 0)[0]


@router.post("/api/support/messages/{id}/replies", status_code=201)
def reply(_: Answering, work: Writing, message_id: PathId, body: NewReply) -> ReplyRow:
    """Adds an answer to the thread. An answer of the operator notifies the author."""
    return service.reply(work, message_id, body.message)
