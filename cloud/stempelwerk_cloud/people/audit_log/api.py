"""Calls about the audit log."""

from typing import Annotated

from fastapi import Query, Request, Response

from stempelwerk_cloud.domain.instants import day_end, day_start
from stempelwerk_cloud.kit.http.paging import name_next
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import BeforeField, DayField, IdField
from stempelwerk_cloud.people.access.guards import OfCompany
from stempelwerk_cloud.people.audit.tables import ACTION_LIMIT
from stempelwerk_cloud.people.audit_log import service, words
from stempelwerk_cloud.people.audit_log.service import AuditRow
from stempelwerk_cloud.people.directory.companies import zone_of
from stempelwerk_cloud.people.work import Reading

router = room_router("audit")


@router.get("/api/companies/{id}/audit")
def audit_log(
    _: OfCompany,
    work: Reading,
    request: Request,
    response: Response,
    first: Annotated[DayField | None, Query(alias="from")] = None,
    last: Annotated[DayField | None, Query(alias="to")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: BeforeField = None,
    actor: IdField | None = None,
    action: Annotated[str | None, Query(max_length=ACTION_LIMIT, pattern=r"^[a-z_.]+$")] = None,
) -> list[AuditRow]:
    """Lists the company's decisions, newest first: of the local days `from` to `to`, by one actor, of one kind.

    An `action` that ends in a dot (`user.`) selects all that begin with it.
    """
    if first is not None and last is not None and first > last:
        raise words.days_reversed()
    zone = zone_of(work.session, work.caller.subject_company_id, work.now())
    rows, next_id = service.page(
        work,
        limit,
        before_id=before,
        start=None if first is None else day_start(first, zone),
        end=None if last is None else day_end(last, zone),
        actor=actor,
        action=action,
    )
    name_next(request, response, before=next_id)
    return rows


@router.get("/api/companies/{id}/audit/kinds")
def audit_kinds(_: OfCompany, work: Reading) -> list[str]:
    """Lists the actions that occur in the company's log."""
    return service.kinds(work)
