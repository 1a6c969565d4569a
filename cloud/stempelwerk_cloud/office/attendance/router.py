"""The call about a day's attendance."""

from typing import Annotated

from fastapi import Depends, Query

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField
from stempelwerk_cloud.office.attendance import service
from stempelwerk_cloud.office.attendance.schemas import DayAttendance
from stempelwerk_cloud.people.access.guards import of_company_or_council
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Reading

router = room_router("attendance")

MODULE = "present"


@router.get("/api/companies/{id}/attendance")
def attendance(
    caller: Annotated[Caller, Depends(of_company_or_council(MODULE).showing("attendance").in_turn())],
    work: Reading,
    day: Annotated[DayField | None, Query(alias="date")] = None,
) -> DayAttendance:
    """Returns the people who were planned for the day and came or did not, and those who came without a plan. The
    default is today.
    """
    company_id, now = caller.subject_company_id, work.now()
    day = day or directory.today_of(work.session, company_id, now)
    return DayAttendance.model_validate(service.on(work.session, company_id, day, now))
