"""Endpoints for notices of lapsing vacation."""

from typing import Annotated

from fastapi import Depends, Query

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller
from stempelwerk_cloud.people.work import Reading, Writing
from stempelwerk_cloud.planning.vacation_notices import service
from stempelwerk_cloud.planning.vacation_notices.schemas import (
    FIRST_YEAR,
    LAST_YEAR,
    NoticeRow,
    Notices,
    NoticesSent,
)
from stempelwerk_cloud.planning.vacation_notices.service import Left

router = room_router("vacation notices")

Manager = Annotated[Caller, Depends(of_company_with("absences"))]


@router.get("/api/companies/{companyId}/vacation-notices")
def vacation_notices(
    caller: Annotated[Caller, Depends(of_company_with("absences").in_turn())],
    work: Reading,
    year: Annotated[int | None, Query(ge=FIRST_YEAR, le=LAST_YEAR)] = None,
) -> list[NoticeRow]:
    """Every employee's vacation of a year (by default the current one), by username, with the newest notice
    about it.
    """
    company_id = caller.subject_company_id
    today = directory.today_of(work.session, company_id, work.now())
    return [_row(person_left) for person_left in service.of_year(work.session, company_id, year or today.year, today)]


@router.post("/api/companies/{companyId}/vacation-notices", status_code=200)
def send_vacation_notices(caller: Manager, work: Writing, body: Notices) -> NoticesSent:
    """Sends people notices of the days of a year's vacation that lapse, with the last day for taking them."""
    return NoticesSent(sent=service.send(work, caller.subject_company_id, body.year, body.user_ids))


def _row(person_left: Left) -> NoticeRow:
    notice, balance = person_left.notice, person_left.balance
    return NoticeRow(
        user_id=person_left.user.id,
        username=person_left.user.username,
        department=person_left.department,
        days=person_left.days,
        until=person_left.lapses_on,
        sent_at=None if notice is None else notice.sent_at,
        read_at=None if notice is None else notice.read_at,
        notice_days=None if notice is None else notice.halves,
        allowance=balance.allowance,
        carried=balance.carried,
        booked=balance.booked,
        taken=person_left.taken_halves,
        planned=balance.used - person_left.taken_halves,
        reserved=balance.reserved,
        lapsed=balance.lapsed,
        remaining=balance.remaining,
    )
