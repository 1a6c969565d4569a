"""The call about an administrator's day."""

from typing import Annotated

from fastapi import Depends

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.office.today import service
from stempelwerk_cloud.office.today.service import Today
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.work import Reading

router = room_router("today")


@router.get("/api/companies/{id}/today", response_model_exclude_unset=True)
def today(_: Annotated[Caller, Depends(of_company_with().showing("attendance").in_turn())], work: Reading) -> Today:
    """Returns the present and missing people, the pending decisions, and the silent clocks."""
    return service.of_company(work)
