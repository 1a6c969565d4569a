"""Reading requests: rows with the names that stand elsewhere, and with what stands where they are about."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries.corrections import Bounds, Refusal, bounds, left_out
from stempelwerk_cloud.domain.instants import DAY, local, local_day
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.timekeeping.corrections import answers
from stempelwerk_cloud.timekeeping.corrections.judging import time_of
from stempelwerk_cloud.timekeeping.corrections.repository import PENDING
from stempelwerk_cloud.timekeeping.corrections.schemas import CorrectionRow
from stempelwerk_cloud.timekeeping.corrections.tables import CorrectionRequest
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.entries.service import EntryValue


class Stretch(NamedTuple):
    """An entry, or a part of one, in local minutes since midnight."""

    start: int | None
    end: int | None
    minutes: int | None = None


class Standing(NamedTuple):
    """The entries that stand where a request is about, and what it leaves out of them; None: not known."""

    before: Sequence[Stretch] | None = None
    leaves_out: Sequence[Stretch] | None = None


def rows_of(
    session: Session, company_id: str, requests: Sequence[CorrectionRequest], now: datetime
) -> list[CorrectionRow]:
    """The requests as lists show them."""
    names = directory.names_of(session, company_id, [request.user_id for request in requests])
    deciders = directory.deciders_of(session, company_id, [request.decided_by for request in requests])
    standing = _standing(session, company_id, [one for one in requests if one.status == PENDING], now)
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
    """By request: the entries of the shift that it is about, as they stand, and what it would leave out of them.

    That is the shift of the entry that it names, else those that are dated on its day: which one of several is meant is
    seen by the eye, and what is left out by the bounds.
    """
    if not requests:
        return {}
    zone = directory.zone_of(session, company_id, now)
    rules = entries.settings.rules_of(session, company_id)
    days = {
        request.id: {request.date} | ({local_day(request.entry_at, zone)} if request.entry_at else set())
        for request in requests
    }
    wanted = {
        (request.user_id, day)
        for request in requests
        for about in days[request.id]
        for day in (about - DAY if about > date.min else about, about, about + DAY if about < date.max else about)
    }
    by_person: dict[str, list[EntryValue]] = {}
    for entry in entries.of_days(session, company_id, wanted, now):
        by_person.setdefault(entry.user_id, []).append(entry)
    found = {}
    for request in requests:
        about = _concerned(by_person.get(request.user_id, []), request)
        before = [Stretch(entry.start_minute, entry.end_minute) for shift in about for entry in shift]
        found[request.id] = Standing(before, _left_out(about, request, rules, now))
    return found


def _left_out(
    about: Sequence[Sequence[EntryValue]], request: CorrectionRequest, rules: DatedRules, now: datetime
) -> list[Stretch] | None:
    """What stamps after the request and its end make stands beside it, and is not left out."""
    start, end = request.new_start, request.new_end
    if len(about) == 1 and about[0][0].date == request.date:
        start = about[0][0].start_minute if start is None else start
        end = about[0][-1].end_minute if end is None else end
    meant = bounds(request.date, time_of(start), time_of(end), rules.on(request.date), now)
    if isinstance(meant, Refusal):
        return None
    if len(about) > 1:
        about = [max(about, key=lambda shift: _fills(shift, meant))]
        about = about if _fills(about[0], meant) > 0 else []
    limit = max(answers.asked_at(request) or meant.end, meant.end)
    spans = [(one.start, one.end) for shift in about for one in shift if one.start is not None and one.start < limit]
    return [Stretch(_minute(one.start, rules), _minute(one.end, rules), one.minutes) for one in left_out(spans, meant)]


def _fills(shift: Sequence[EntryValue], meant: Bounds) -> float:
    """How much of the bounds a shift fills, in seconds; not above 0: none."""
    known = [instant for entry in shift for instant in (entry.start, entry.end) if instant is not None]
    return (min(max(known), meant.end) - max(min(known), meant.start)).total_seconds()


def _minute(instant: datetime, rules: DatedRules) -> int:
    shown = local(instant, rules.at(instant).zone)
    return shown.hour * 60 + shown.minute


def _concerned(known: Sequence[EntryValue], request: CorrectionRequest) -> list[list[EntryValue]]:
    shifts = entries.shifts(known)
    named = [shift for shift in shifts if any(entry.id == request.entry_id for entry in shift)]
    return named or [shift for shift in shifts if entries.shift_day(shift) == request.date]
