"""Endpoints for notices of lapsing vacation. Days are numbers with halves."""

from typing import Annotated

from fastapi import Depends, Query
from pydantic import Field, Strict

from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, HalvesField, IdField, InstantField, Wire
from stempelwerk_cloud.people.access.guards import of_company_with
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.work import Reading, Writing
from stempelwerk_cloud.planning.vacation_notices import service
from stempelwerk_cloud.planning.vacation_notices.service import Left

FIRST_YEAR, LAST_YEAR = 2000, 2199

Year = Annotated[int, Field(ge=FIRST_YEAR, le=LAST_YEAR)]


class NoticeRow(Wire):
    """A person's vacation of a year: the remaining days (`days`), the last day for taking them, and the newest notice.

    `until` null: they do not lapse. `noticeDays`: the days that the notice names. `taken` is over, `planned` is
    approved and in the future; `remaining` = `allowance` + `carried` + `booked` − `taken` − `planned` − `lapsed`.
    """

    user_id: str
    username: str
    department: str | None
    days: HalvesField
    until: DayField | None
    sent_at: InstantField | None
    read_at: InstantField | None
    notice_days: HalvesField | None
    allowance: HalvesField
    carried: HalvesField
    booked: HalvesField
    taken: HalvesField
    planned: HalvesField
    reserved: HalvesField
    lapsed: HalvesField
    remaining: HalvesField


class Notices(Wire):
    """The year and the people to notify; without `userIds` all people with days that no notice names yet."""

    year: Annotated[Year, Strict()]
    user_ids: Annotated[list[IdField], Field(max_length=5000)] | None = None


class NoticesSent(Wire):
    """The number of people notified."""

    sent: int


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
    today = today_of(work.session, company_id, work.now())
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
