"""Endpoints for the roster."""

from datetime import date, timedelta
from typing import Annotated, Literal

import msgspec
from fastapi import Depends, Query, Response
from pydantic import Field, StringConstraints

from stempelwerk_cloud.domain.calendar import period
from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import DayField, PathId, SentDay, TimeField, TimeInput, Wire, format_minute
from stempelwerk_cloud.people.access.guards import member_of_with, of_company_with
from stempelwerk_cloud.people.directory.callers import USER, Caller
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.directory.people import hidden_in, staff_in
from stempelwerk_cloud.people.work import Reading, UnitOfWork, Writing
from stempelwerk_cloud.planning.days.service import load
from stempelwerk_cloud.planning.schedule import queries, words
from stempelwerk_cloud.planning.schedule.editing import changes, publishing
from stempelwerk_cloud.planning.schedule.editing.availability import Found, Plan
from stempelwerk_cloud.planning.schedule.editing.changes import Wanted
from stempelwerk_cloud.planning.schedule.queries import Listed


class DutyRow(Wire):
    """A duty of a person on a local day. An end at or before the start is on the next day.

    `published`: the duty was announced to its person as it is.
    """

    id: str
    date: DayField
    user_id: str
    username: str
    start: TimeField | None
    end: TimeField | None
    published: bool


class DutyLine(msgspec.Struct, rename="camel"):
    """A `DutyRow` for fast encoding of thousands of rows, in a tenth of a model's time."""

    id: str
    date: date
    user_id: str
    username: str
    start: str | None
    end: str | None
    published: bool


class PlanWarning(Wire):
    """A problem of a person's plan on a day. Endpoints that change the plan return the new ones.

    - `on_leave`: leave that was approved later overlaps the duty.
    - `closure`: the duty is within company holidays, even if they gave the person no vacation.
    - `pending_leave`: leave was requested. `ill`: illness was reported.
    - `into_leave`: the duty ends on the next day, while the person is on leave, ill or excused.
    - `seventh_day`: a seventh duty in a row, or a later one.
    - `sunday`: a duty on a Sunday or a public holiday, without a free weekday for it afterwards.
    - `short_rest`: too soon after the duty before.
    - `over_10_h`, or for people with these limits `youth` or `maternity`: the shift is too long, or at night.
    """

    code: Literal[
        "on_leave",
        "closure",
        "pending_leave",
        "ill",
        "into_leave",
        "seventh_day",
        "sunday",
        "short_rest",
        "over_10_h",
        "youth",
        "maternity",
    ]
    user_id: str
    date: DayField


class AssignedRow(DutyRow):
    warnings: list[PlanWarning]


class NewDuty(Wire):
    """A duty to assign. An end needs a start. The service refuses an unknown or missing `userId`."""

    date: DayField
    user_id: str | None = None
    start: TimeInput | None = None
    end: TimeInput | None = None


class Changes(Wire):
    """Duties to remove, by their ids, and then duties to add: 1,000 in all."""

    add: list[NewDuty] = Field(default_factory=list)
    remove: list[str] = Field(default_factory=list)


class ChangesDone(Wire):
    """The numbers of duties that were added and removed, and the new warnings."""

    added: int
    removed: int
    warnings: list[PlanWarning]


class OffDay(Wire):
    """A day, or half of it, that is free for all employees."""

    date: DayField
    name: str
    half: bool


class UnpublishedChange(Wire):
    """A day of a person whose duty differs from the announced one: it is new, removed, or has other times."""

    user_id: str
    date: DayField
    kind: Literal["added", "removed", "times"]


class Publication(Wire):
    """The days to publish, both included. `message`: a text that is added to each notification."""

    first: SentDay = Field(alias="from")
    last: SentDay = Field(alias="to")
    message: Annotated[str, StringConstraints(strip_whitespace=True, max_length=1000)] | None = None


class Published(Wire):
    """The number of people notified."""

    told: int


router = room_router("schedule")

Planner = Annotated[Caller, Depends(of_company_with("schedule"))]
"""The company's administrators, if the company has the roster."""
Comparing = Annotated[Caller, Depends(of_company_with("schedule").in_turn())]
"""The same as `Planner`, with a concurrency limit for calls that read the plan of all people."""
From = Annotated[DayField | None, Query(alias="from")]
To = Annotated[DayField | None, Query(alias="to")]


@router.get("/api/companies/{companyId}/schedule", response_model=list[DutyRow])
def schedule(
    caller: Annotated[Caller, Depends(member_of_with("schedule"))],
    work: Reading,
    paging: PagingDep,
    first: From = None,
    last: To = None,
) -> Response:
    """The duties by day and username; employees outside the works council get only their own.

    Without `from` and `to` the list begins with the first day of last month. If one of them is missing, it is taken
    from the current month; 400 days at most.
    """
    company_id = caller.subject_company_id
    today = today_of(work.session, company_id, work.now())
    days = _days(first, last, today)
    only_user = caller.user_id if caller.role == USER and not caller.works_council else None
    rows = paging.cut(queries.list_duties(work.session, company_id, *days, today, only_user, paging.page_request))
    body = msgspec.json.encode([_line(row) for row in rows])
    return Response(body, media_type="application/json", headers=dict(paging.response.headers))


@router.post("/api/companies/{companyId}/schedule", status_code=201)
def assign(caller: Planner, work: Writing, body: NewDuty) -> AssignedRow:
    """Assigns a duty to an employee, and notifies the people concerned."""
    row, warnings = changes.assign(work, caller.subject_company_id, _duty_request(body))
    return AssignedRow.from_row(row, start=row.start_minute, end=row.end_minute, warnings=_warnings(warnings))


@router.post("/api/companies/{companyId}/schedule/bulk", status_code=200)
def change(caller: Planner, work: Writing, body: Changes) -> ChangesDone:
    """Removes duties and then adds others, all or nothing. A refusal names its items (`add.3`)."""
    draft = changes.change(work, caller.subject_company_id, [_duty_request(item) for item in body.add], body.remove)
    return ChangesDone(added=len(draft.added), removed=len(draft.removed), warnings=_warnings(draft.warnings))


@router.get("/api/companies/{companyId}/schedule/warnings")
def warnings(caller: Comparing, work: Reading, first: From = None, last: To = None) -> list[PlanWarning]:
    """The warnings about the plan from `from` to `to` (by default the current month), with the same codes as on
    assigning.
    """
    company_id, days = caller.subject_company_id, _asked_period(caller, work, first, last)
    people = [user.id for user in staff_in(work.session, company_id)]
    return _warnings(Plan(work.session, company_id, people, days).warnings_between(*days))


@router.get("/api/companies/{companyId}/schedule/changes")
def unpublished(caller: Comparing, work: Reading, first: From = None, last: To = None) -> list[UnpublishedChange]:
    """The changes from `from` to `to` (by default the current month) that publishing would announce."""
    company_id, (first_day, last_day) = caller.subject_company_id, _asked_period(caller, work, first, last)
    first_day = max(first_day, today_of(work.session, company_id, work.now()))
    pending_changes = publishing.changes(work.session, company_id, first_day, last_day)
    hidden = hidden_in(work.session, company_id)
    return [
        UnpublishedChange(user_id=change.user_id, date=change.date, kind=change.kind)
        for change in pending_changes
        if change.user_id not in hidden
    ]


@router.get("/api/companies/{companyId}/schedule/days-off")
def off_days(caller: Planner, work: Reading, first: From = None, last: To = None) -> list[OffDay]:
    """Public holidays and the company's free days from `from` to `to`, by default of the current month."""
    days = _asked_period(caller, work, first, last)
    days_off = load(work.session, caller.subject_company_id, (), *days, ()).holidays.off_between(*days)
    return [OffDay(date=day, name=off.name, half=off.halves == 1) for day, off in days_off.items()]


@router.post("/api/companies/{companyId}/schedule/publish", status_code=200)
def publish(caller: Planner, work: Writing, body: Publication) -> Published:
    """Notifies people whose duties have changed since the last announcement, each in one message."""
    days = _asked_period(caller, work, body.first, body.last)
    return Published(told=publishing.publish(work, caller.subject_company_id, *days, body.message or None))


@router.delete("/api/companies/{companyId}/schedule/{id}", status_code=204)
def remove(caller: Planner, work: Writing, duty_id: PathId) -> Response:
    """Removes a duty and notifies the people concerned; a pending hand-over of it becomes void."""
    changes.remove(work, caller.subject_company_id, duty_id)
    return Response(status_code=204)


def _asked_period(caller: Caller, work: UnitOfWork, first: date | None, last: date | None) -> tuple[date, date]:
    return _period(first, last, today_of(work.session, caller.subject_company_id, work.now()))


def _days(first: date | None, last: date | None, today: date) -> tuple[date, date | None]:
    if first is None and last is None:
        return (today.replace(day=1) - timedelta(days=1)).replace(day=1), None
    return _period(first, last, today)


def _period(first: date | None, last: date | None, today: date) -> tuple[date, date]:
    first, last = period(first, last, today, words.DAYS_LIMIT)
    if first > last:
        raise words.days_reversed()
    if (last - first).days >= words.DAYS_LIMIT:
        raise words.too_many_days()
    return first, last


def _duty_request(body: NewDuty) -> Wanted:
    return Wanted(body.date, body.user_id, body.start, body.end)


def _line(row: Listed) -> DutyLine:
    start, end = (None if minute is None else format_minute(minute) for minute in (row.start_minute, row.end_minute))
    return DutyLine(row.id, row.date, row.user_id, row.username, start, end, row.published)


def _warnings(found_warnings: list[Found]) -> list[PlanWarning]:
    return [PlanWarning(code=code, user_id=user_id, date=day) for user_id, day, code in found_warnings]
