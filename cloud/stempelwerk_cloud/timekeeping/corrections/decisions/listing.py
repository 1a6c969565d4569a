"""Rows of correction requests for lists, with people's names, and with the current entries that each
request concerns.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries.corrections import Bounds, Refusal, bounds, left_out
from stempelwerk_cloud.domain.instants import DAY, local, local_day
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.people.directory.companies import zone_of
from stempelwerk_cloud.people.directory.people import deciders_of, names_of
from stempelwerk_cloud.timekeeping.corrections.decisions import answers
from stempelwerk_cloud.timekeeping.corrections.decisions.judging import time_of
from stempelwerk_cloud.timekeeping.corrections.queries import PENDING
from stempelwerk_cloud.timekeeping.corrections.schemas import CorrectionRow
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest
from stempelwerk_cloud.timekeeping.ledger import settings
from stempelwerk_cloud.timekeeping.times.reading import values
from stempelwerk_cloud.timekeeping.times.reading.values import EntryValue, of_days, shift_day


class Stretch(NamedTuple):
    """An entry or a part of one: start and end in local minutes since midnight, and the length in minutes."""

    start: int | None
    end: int | None
    minutes: int | None = None


class Standing(NamedTuple):
    """The current entries that an open request concerns, and their parts that it leaves out. None: unknown, or not
    open.
    """

    before: Sequence[Stretch] | None = None
    leaves_out: Sequence[Stretch] | None = None


def rows_of(
    session: Session, company_id: str, requests: Sequence[CorrectionRequest], now: datetime
) -> list[CorrectionRow]:
    """Builds the rows of these requests, in their order."""
    names = names_of(session, company_id, [request.user_id for request in requests])
    deciders = deciders_of(session, company_id, [request.decided_by for request in requests])
    standing = _standing(session, company_id, [request for request in requests if request.status == PENDING], now)
    return [
        CorrectionRow.from_row(
            request,
            username=names.get(request.user_id, ""),
            decided_by=deciders.get(request.decided_by),
            **standing.get(request.id, Standing())._asdict(),
        )
        for request in requests
    ]


def _standing(
    session: Session, company_id: str, requests: Sequence[CorrectionRequest], now: datetime
) -> dict[str, Standing]:
    """Returns, for each open request, the current entries of the shift that it concerns, and what it would leave out of
    them.

    That is the shift of the entry that the request names, else the shifts that are dated on its day. If there are
    several, all are returned, and `leaves_out` refers to the one that the request overlaps most.
    """
    if not requests:
        return {}
    zone = zone_of(session, company_id, now)
    rules = settings.rules_of(session, company_id)
    days = {
        request.id: {request.date} | ({local_day(request.entry_at, zone)} if request.entry_at else set())
        for request in requests
    }
    person_days = {
        (request.user_id, day)
        for request in requests
        for about_day in days[request.id]
        for day in (
            about_day - DAY if about_day > date.min else about_day,
            about_day,
            about_day + DAY if about_day < date.max else about_day,
        )
    }
    by_person: dict[str, list[EntryValue]] = {}
    for entry in of_days(session, company_id, person_days, now):
        by_person.setdefault(entry.user_id, []).append(entry)
    standing_by_request = {}
    for request in requests:
        concerned_shifts = _concerned(by_person.get(request.user_id, []), request)
        stretches = [Stretch(entry.start_minute, entry.end_minute) for shift in concerned_shifts for entry in shift]
        standing_by_request[request.id] = Standing(stretches, _left_out(concerned_shifts, request, rules, now))
    return standing_by_request


def _left_out(
    concerned_shifts: Sequence[Sequence[EntryValue]], request: CorrectionRequest, rules: DatedRules, now: datetime
) -> list[Stretch] | None:
    """Returns the parts of the entries that the request does not cover; None if its times are not valid.

    Entries of stamps after the end of the request, which it does not cover, stay next to it, so they are not included.
    """
    start, end = request.new_start, request.new_end
    if len(concerned_shifts) == 1 and concerned_shifts[0][0].date == request.date:
        start = concerned_shifts[0][0].start_minute if start is None else start
        end = concerned_shifts[0][-1].end_minute if end is None else end
    request_bounds = bounds(request.date, time_of(start), time_of(end), rules.on(request.date), now)
    if isinstance(request_bounds, Refusal):
        return None
    if len(concerned_shifts) > 1:
        concerned_shifts = [max(concerned_shifts, key=lambda shift: _fills(shift, request_bounds))]
        concerned_shifts = concerned_shifts if _fills(concerned_shifts[0], request_bounds) > 0 else []
    limit = max(answers.covers_until(request) or request_bounds.end, request_bounds.end)
    spans = [
        (entry.start, entry.end)
        for shift in concerned_shifts
        for entry in shift
        if entry.start is not None and entry.start < limit
    ]
    return [
        Stretch(_minute(lost.start, rules), _minute(lost.end, rules), lost.minutes)
        for lost in left_out(spans, request_bounds)
    ]


def _fills(shift: Sequence[EntryValue], request_bounds: Bounds) -> float:
    """Returns for how many seconds a shift overlaps the bounds; 0 or less if it does not."""
    instants = [instant for entry in shift for instant in (entry.start, entry.end) if instant is not None]
    return (min(max(instants), request_bounds.end) - max(min(instants), request_bounds.start)).total_seconds()


def _minute(instant: datetime, rules: DatedRules) -> int:
    local_time = local(instant, rules.at(instant).zone)
    return local_time.hour * 60 + local_time.minute


def _concerned(person_entries: Sequence[EntryValue], request: CorrectionRequest) -> list[list[EntryValue]]:
    shifts = values.shifts(person_entries)
    named_shifts = [shift for shift in shifts if any(entry.id == request.entry_id for entry in shift)]
    return named_shifts or [shift for shift in shifts if shift_day(shift) == request.date]
