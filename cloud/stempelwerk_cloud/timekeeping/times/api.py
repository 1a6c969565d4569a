"""Endpoints for time entries and their review."""

from datetime import date
from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Request, Response
from pydantic import Field, StringConstraints

from stempelwerk_cloud.domain.calendar import period
from stempelwerk_cloud.domain.entries.flags import MISSING_BREAK, OVER_10_H, SHORT_REST
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.working_time_act import DatedLimits
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.pages import NoSuchRow
from stempelwerk_cloud.kit.http.paging import Place, PlaceField, name_next
from stempelwerk_cloud.kit.http.request_life import ReadTx
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import BeforeField, DayField, IdField, InstantField, SentInstant, Wire
from stempelwerk_cloud.kit.live.hub import EventStream
from stempelwerk_cloud.kit.platform import PlatformDep
from stempelwerk_cloud.people.access.guards import (
    AdminOnly,
    OfCompany,
    StreamOfSelf,
    of_company_or_council,
    of_company_with,
    self_or_council,
)
from stempelwerk_cloud.people.access.identity.streams import stream_to
from stempelwerk_cloud.people.directory.callers import USER, Caller
from stempelwerk_cloud.people.directory.companies import today_of
from stempelwerk_cloud.people.employment import service as employment
from stempelwerk_cloud.people.work import Writing
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation import topic
from stempelwerk_cloud.timekeeping.times import words
from stempelwerk_cloud.timekeeping.times.held import held, waiting
from stempelwerk_cloud.timekeeping.times.held.waiting import MOST
from stempelwerk_cloud.timekeeping.times.reading.finding import find_entry
from stempelwerk_cloud.timekeeping.times.reading.times import times_json
from stempelwerk_cloud.timekeeping.times.review import confirming
from stempelwerk_cloud.timekeeping.times.review import review as reviews

Flag = Literal[
    "missing_in",
    "missing_out",
    "long_entry",
    "uncertain_time",
    "over_10_h",
    "short_rest",
    "missing_break",
    "overlap",
    "shown_differs",
    "worked_on_leave",
    "late",
]


class TimeEntryRow(Wire):
    """A time entry. `start` and `end` are local times (HH:MM); the minutes are null while it runs or is incomplete."""

    id: str
    date: DayField
    start: str | None
    end: str | None
    running: bool
    break_minutes: int | None
    worked_minutes_raw: int | None
    worked_minutes_net: int | None
    source: Literal["clock", "correction"]
    flags: list[Flag]
    clock_name: str | None


class BreakStepRow(Wire):
    """A step of the rule about breaks: work of more than `overMinutes` requires `minutes` of break."""

    over_minutes: int
    minutes: int


class LimitsRow(Wire):
    """A person's limits of working time on a day, in minutes."""

    shift_minutes: int
    rest_minutes: int
    break_steps: list[BreakStepRow]


class ReviewRow(Wire):
    """An entry that an administrator should look at. `limits`: the person's limits of working time, if a flag is about
    one.
    """

    entry_id: str
    user_id: str
    username: str
    date: DayField
    flags: list[Flag]
    limits: LimitsRow | None = None


class Confirmation(Wire):
    """An administrator's confirmation of an entry's flags, and why."""

    flags: list[Flag] = Field(min_length=1, max_length=20)
    comment: Annotated[str, StringConstraints(strip_whitespace=True, max_length=500)] = ""


class ConfirmedRow(Wire):
    """An entry whose flags were confirmed. `flags`: those that are still to be reviewed."""

    entry_id: str
    flags: list[Flag]


class HeldStamp(Wire):
    """A stamp of the company that waits for an administrator."""

    id: str
    tag: str
    taken_at: InstantField
    device_id: str
    device_name: str
    state: str


class HeldUnassigned(Wire):
    """A stamp without a company, or an unreadable one (state `quarantined`, without a tag and a time).

    `raw`: the unreadable bytes, truncated if long.
    """

    id: str
    tag: str | None
    taken_at: InstantField | None
    device_id: str
    device_name: str
    assignment: str | None
    state: str
    raw: str | None


class TagChoice(Wire):
    tag: Annotated[str, Field(min_length=1)]
    user_id: IdField
    from_: Annotated[SentInstant, Field(alias="from")]


class Booked(Wire):
    booked: int


class Decision(Wire):
    action: Literal["book", "discard"]
    taken_at: InstantField | None = None


class Resolved(Wire):
    state: str


class ReleasePeriod(Wire):
    device_id: IdField
    from_: Annotated[SentInstant, Field(alias="from")]
    to: SentInstant
    company_id: IdField


class Released(Wire):
    released: int


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
    first, last = period(first, last, today_of(tx, company_id, platform.clock.now()), words.DAYS_LIMIT)
    _check_days(first, last)
    answers = (ports.WORKED_ON_LEAVE.of(platform), ports.TOLD_ENTRIES.of(platform))
    body = times_json(tx, company_id, user_id, first, last, platform.clock.now(), *answers)
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
        ports.WORKED_ON_LEAVE.of(platform),
        ports.DAYS_OFF.of(platform),
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
        raise words.days_reversed()
    if (last - first) // DAY >= words.DAYS_LIMIT:
        raise words.too_many_days()


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
