"""Endpoints for advances. Money is in whole cents."""

from typing import Annotated

from fastapi import Path
from pydantic import Strict, StringConstraints

from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import IdField, InstantField, PathId, Wire
from stempelwerk_cloud.people.access.guards import Administrators, OfCompany, ThatUser
from stempelwerk_cloud.people.work import Reading, Writing
from stempelwerk_cloud.planning.advances import service
from stempelwerk_cloud.planning.advances.tables import REASON_LIMIT

UserId = Annotated[IdField, Path(alias="userId")]


class NewAdvance(Wire):
    """An advance to ask for: from 1,00 € to 5.000,00 €."""

    cents: Annotated[int, Strict()]
    reason: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=REASON_LIMIT)]


class AdvanceRow(Wire):
    """An advance. `approved` is null until it is decided; `reason` is null after the person is erased."""

    id: str
    user_id: str
    username: str
    cents: int
    reason: str | None
    asked_at: InstantField
    decided_at: InstantField | None
    decided_by: str | None
    approved: bool | None


router = room_router("advances")


@router.get("/api/users/{userId}/advances")
def own_advances(_: ThatUser, work: Reading, user_id: UserId, paging: PagingDep) -> list[AdvanceRow]:
    """The caller's advances, newest first."""
    views = paging.cut(service.of_person(work, user_id, paging.page_request))
    return [AdvanceRow.model_validate(view) for view in views]


@router.post("/api/users/{userId}/advances", status_code=201)
def ask_for_advance(_: ThatUser, work: Writing, user_id: UserId, body: NewAdvance) -> AdvanceRow:
    """Asks for an advance; a person has one pending advance at most."""
    return AdvanceRow.model_validate(service.ask(work, user_id, body.cents, body.reason))


@router.get("/api/companies/{id}/advances")
def pending_advances(caller: OfCompany, work: Reading) -> list[AdvanceRow]:
    """The company's pending advances, oldest first."""
    return [AdvanceRow.model_validate(view) for view in service.pending(work, caller.subject_company_id)]


@router.post("/api/advances/{id}/approve", status_code=200)
def approve_advance(_: Administrators, work: Writing, advance_id: PathId) -> AdvanceRow:
    """Approves an advance, and notifies its person."""
    return AdvanceRow.model_validate(service.decide(work, advance_id, approved=True))


@router.post("/api/advances/{id}/decline", status_code=200)
def decline_advance(_: Administrators, work: Writing, advance_id: PathId) -> AdvanceRow:
    """Declines an advance, and notifies its person."""
    return AdvanceRow.model_validate(service.decide(work, advance_id, approved=False))
