"""Endpoints for time entries and their review."""

from datetime import date
from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response

from stempelwerk_cloud.domain.calendar import period
from stempelwerk_cloud.domain.entries.flags import MISSING_BREAK, OVER_10_H, SHORT_REST
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.working_time_act import DatedLimits
from stempelwerk_cloud.kit.database.pages import NoSuchRow
from stempelwerk_cloud.kit.database.transactions import ReadTx
from stempelwerk_cloud.kit.http.paging import name_next
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import BeforeField, DayField, IdField
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import OfCompany, StreamOfSelf, of_company_or_council, self_or_council
from stempelwerk_cloud.people.access.service import stream_to
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import USER, Caller
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.work import Writing
from stempelwerk_cloud.timekeeping.entries import confirming, problems
from stempelwerk_cloud.timekeeping.entries import review as reviews
from stempelwerk_cloud.timekeeping.entries.deriving.derivation import topic
from stempelwerk_cloud.timekeeping.entries.finding import find_entry
from stempelwerk_cloud.timekeeping.entries.schemas import Confirmation, ConfirmedRow, LimitsRow, ReviewRow, TimeEntryRow
from stempelwerk_cloud.timekeeping.entries.times import times_json

router = room_router("times")

OF_LIMITS = {OVER_10_H, SHORT_REST, MISSING_BREAK}
"""The flags about limits of working time."""

UserId = Annotated[IdField, Path(alias="userId")]
EntryId = Annotated[IdField, Path(alias="entryId")]


@router.get("/api/users/{userId}/times", response_model=list[TimeEntryRow])
def times(
    caller: Annotated[Caller, Depends(self_or_council.showing("times"))],
    tx: ReadTx,
    platform: PlatformDep,
    user_id: UserId,
    first: Annotated[DayField | None, Query(alias="from")] = None,
    last: Annotated[DayField | None, Query(alias="to")] = None,
) -> Response:
    """Returns a person's entries dated from `from` to `to`, both included, 400 days at most; by default the current
    month.

    Without `to` the period reaches to the end of the current month, without `from` back to its beginning. If that is no
    period, or too long, it is cut at the end or the beginning of the given day's own month.
    """
    company_id = caller.subject_company_id
    first, last = period(first, last, directory.today_of(tx, company_id, platform.clock.now()), problems.DAYS_LIMIT)
    _check_days(first, last)
    ports = (platform.worked_on_leave, platform.told_entries)
    body = times_json(tx, company_id, user_id, first, last, platform.clock.now(), *ports)
    return Response(body, media_type="application/json")


@router.get("/api/users/{userId}/times/stream", status_code=200, response_class=EventStream)
async def times_stream(caller: StreamOfSelf, request: Request, user_id: UserId) -> EventStream:
    """An event stream: a page reloads at each event, because the person's entries have changed."""
    times_topic = topic(caller.subject_company_id, user_id)
    return stream_to(caller, request, times_topic, catch_up={"type": "times_update"})


@router.get("/api/companies/{id}/review", response_model_exclude_unset=True)
def review(
    caller: Annotated[Caller, Depends(of_company_or_council().showing("review").in_turn())],
    tx: ReadTx,
    platform: PlatformDep,
    request: Request,
    response: Response,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    before: BeforeField = None,
) -> list[ReviewRow]:
    """Entries that an administrator should look at, newest first.

    The works council reads them too, but without the limits of working time, because those reveal pregnancies.
    """
    if before is not None and find_entry(tx, before, caller.subject_company_id) is None:
        raise NoSuchRow(before)
    rows, next_id = reviews.page(
        tx,
        caller.subject_company_id,
        platform.clock.now(),
        limit,
        before,
        platform.worked_on_leave,
        platform.days_off,
    )
    name_next(request, response, before=next_id)
    review_rows = [ReviewRow.model_validate(row) for row in rows]
    limit_rows = [row for row in review_rows if row.flags and not OF_LIMITS.isdisjoint(row.flags)]
    if limit_rows and caller.role != USER:
        limits = employment.limits_of(tx, caller.subject_company_id)
        for row in limit_rows:
            row.limits = LimitsRow.model_validate(limits.get(row.user_id, DatedLimits()).on(row.date))
    return review_rows


@router.post("/api/companies/{id}/review/{entryId}/confirm")
def confirm(caller: OfCompany, work: Writing, entry_id: EntryId, body: Confirmation) -> ConfirmedRow:
    """Confirms flags of an entry; the review no longer shows them."""
    open_flags = confirming.confirm(work, caller.subject_company_id, entry_id, body.flags, body.comment)
    return ConfirmedRow(entry_id=entry_id, flags=open_flags)


@router.post("/api/companies/{id}/review/{entryId}/remind", status_code=204)
def remind(caller: OfCompany, work: Writing, entry_id: EntryId) -> None:
    """Sends the entry's person a reminder that names what is wrong with it."""
    confirming.remind(work, caller.subject_company_id, entry_id)


def _check_days(first: date, last: date) -> None:
    if first > last:
        raise problems.days_reversed()
    if (last - first) // DAY >= problems.DAYS_LIMIT:
        raise problems.too_many_days()
