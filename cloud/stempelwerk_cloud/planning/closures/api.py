"""Endpoints for company holidays."""

from typing import Annotated, Literal

from fastapi import Depends, Path, Response
from pydantic import StringConstraints

from stempelwerk_cloud.domain.leave import LeaveSpan
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, IdField, Wire
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Reading, Writing
from stempelwerk_cloud.planning.closures import service


class NewClosure(Wire):
    """Company holidays to create, both days included."""

    start_date: DayField
    end_date: DayField
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100)]


class ClosureRow(Wire):
    id: str
    start_date: DayField
    end_date: DayField
    name: str


class Skipped(Wire):
    """An employee who got no days, or only some.

    `pending_request`: their pending days stay, the other days are given. Otherwise no day is given: too few remain
    (`too_few_days`), or vacation is switched off (`no_vacation`).
    """

    user_id: str
    reason: Literal["pending_request", "too_few_days", "no_vacation"]


class CreatedRow(ClosureRow):
    """Company holidays after their creation. `created`: the number of people who got vacation."""

    created: int
    skipped: list[Skipped]


router = room_router("closures")

Manager = Annotated[Caller, Depends(of_company_with("absences"))]
Reader = Annotated[Caller, Depends(of_company_with("absences", "schedule"))]
"""Administrators with the module for absences, or for the roster, which takes company holidays into account."""


@router.get("/api/companies/{companyId}/closures")
def closures(caller: Reader, work: Reading) -> list[ClosureRow]:
    """All company holidays, newest first."""
    return [
        ClosureRow.model_validate(closure) for closure in service.list_closures(work.session, caller.subject_company_id)
    ]


@router.post("/api/companies/{companyId}/closures", status_code=201)
def create_closure(caller: Manager, work: Writing, body: NewClosure) -> CreatedRow:
    """Creates company holidays and gives every employee vacation on these days; vacation that an employee already has
    stays.
    """
    span = LeaveSpan(body.start_date, body.end_date)
    done = service.create(work, caller.subject_company_id, span, body.name)
    skipped = [Skipped(user_id=user_id, reason=reason) for user_id, reason in done.skipped]
    return CreatedRow.from_row(done.closure, created=done.created, skipped=skipped)


@router.delete("/api/companies/{companyId}/closures/{closureId}", status_code=204)
def remove_closure(caller: Manager, work: Writing, closure_id: Annotated[IdField, Path(alias="closureId")]) -> Response:
    """Removes company holidays and the vacation that they gave, except days that have passed."""
    service.remove(work, caller.subject_company_id, closure_id)
    return Response(status_code=204)
