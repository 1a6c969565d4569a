"""The call about a day's attendance. Times are local; the end of a night's shift lies on the day after."""

from typing import Annotated

from fastapi import Depends, Query

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, TimeField, Wire
from stempelwerk_cloud.office.attendance import service
from stempelwerk_cloud.people.access.guards import of_company_or_council
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.work import Reading


class UnexpectedPerson(Wire):
    """A person who came without a duty. `start` and `end` are the day's first and last; null: not known, or still to
    come.
    """

    user_id: str
    username: str
    start: TimeField | None
    end: TimeField | None


class ExpectedPerson(UnexpectedPerson):
    """A person with a duty. A person who has not come has the duty's times; `clockedIn` is null before it begins."""

    clocked_in: bool | None


class DayAttendance(Wire):
    expected: list[ExpectedPerson]
    unexpected: list[UnexpectedPerson]


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
    day = day or today_of(work.session, company_id, now)
    return DayAttendance.model_validate(service.on(work.session, company_id, day, now))
