"""Endpoints for held stamps."""

from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response

from stempelwerk_cloud.kit.database.transactions import ReadTx
from stempelwerk_cloud.kit.http.paging import Place, PlaceField, name_next
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import BeforeField, IdField
from stempelwerk_cloud.people.access.guards import AdminOnly, OfCompany, of_company_with
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Writing
from stempelwerk_cloud.timekeeping.stamps import held, waiting
from stempelwerk_cloud.timekeeping.stamps.schemas import (
    Booked,
    Decision,
    HeldStamp,
    HeldUnassigned,
    Released,
    ReleasePeriod,
    Resolved,
    TagChoice,
)
from stempelwerk_cloud.timekeeping.stamps.waiting import MOST

router = room_router("stamps")

GiverOfTags = Annotated[Caller, Depends(of_company_with("manage_employees"))]
"""Assigning a tag requires the right to manage employees, even if the tag was found on a held stamp."""


Limit = Annotated[int, Query(ge=1, le=MOST)]
Before = Annotated[BeforeField, Query(description="The id of the last row of the page before, while it waits.")]


@router.get("/api/companies/{id}/held-stamps")
def company_held_stamps(
    caller: Annotated[Caller, Depends(of_company_with().showing("held"))],
    tx: ReadTx,
    request: Request,
    response: Response,
    limit: Limit = MOST,
    after: PlaceField = None,
    before: Before = None,
) -> list[HeldStamp]:
    """The company's stamps that wait for an administrator, oldest first."""
    company_id = caller.subject_company_id
    place = Place.read(after) if before is None else waiting.place_in(tx, company_id, before)
    page = waiting.of_company(tx, company_id, limit, place)
    name_next(request, response, after=page.next_place)
    return [HeldStamp.model_validate(row) for row in page.rows]


@router.post("/api/companies/{id}/held-stamps/assign")
def assign_tag(_: GiverOfTags, work: Writing, body: TagChoice) -> Booked:
    """Assigns a tag to a person from an instant on, and books the held stamps with it since then."""
    return Booked(booked=held.give_tag(work, body.tag, body.user_id, body.from_))


@router.post("/api/companies/{id}/held-stamps/{stampId}/resolve")
def resolve_stamp(
    _: OfCompany,
    work: Writing,
    stamp_id: Annotated[IdField, Path(alias="stampId")],
    body: Decision,
) -> Resolved:
    """Books a held stamp, at its own time or at another, or discards it."""
    return Resolved(state=held.resolve(work, stamp_id, body.action, body.taken_at))


@router.get("/api/held-stamps")
def held_unassigned(
    _: AdminOnly,
    tx: ReadTx,
    request: Request,
    response: Response,
    limit: Limit = MOST,
    after: PlaceField = None,
    before: Before = None,
) -> list[HeldUnassigned]:
    """Stamps that no company can claim, and unreadable ones, in the order of their receipt."""
    place = Place.read(after) if before is None else waiting.place_without_company(tx, before)
    page = waiting.without_company(tx, limit, place)
    name_next(request, response, after=page.next_place)
    return [HeldUnassigned.model_validate(row) for row in page.rows]


@router.post("/api/held-stamps/release")
def release_stamps(_: AdminOnly, work: Writing, body: ReleasePeriod) -> Released:
    """Gives the stamps of a device and period that no assignment claims to a company, also those that arrive later."""
    return Released(released=held.release(work, body.device_id, body.from_, body.to, body.company_id))
