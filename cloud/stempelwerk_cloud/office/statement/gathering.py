"""What stands in a statement: the person's own entries, stamps, decisions and account of one month.

Days come of the entries that stand beside them, so that a file never contradicts itself, whatever happens meanwhile.
Stamps stand where their shift does: of a night over the month's end all of them in one file, and none in two.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain import statement
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.kit.http.schemas import format_instant, format_minute
from stempelwerk_cloud.office.account import service as account
from stempelwerk_cloud.people.directory.tables import Company, User
from stempelwerk_cloud.people.employment.service import Employment
from stempelwerk_cloud.timekeeping.decisions import service as decisions
from stempelwerk_cloud.timekeeping.entries import service as entries
from stempelwerk_cloud.timekeeping.entries.service import DerivationInputs, EntryValue, WorkedDay
from stempelwerk_cloud.timekeeping.stamps import service as stamps
from stempelwerk_cloud.timekeeping.tx import Tx

Content = dict[str, Any]


def content_of(
    tx: Tx, inputs: DerivationInputs, company: Company, person: User, first: date, zone: ZoneInfo, now: datetime
) -> Content:
    """Everything that a statement says of the month that begins with `first`; not when, by whom and after which."""
    session, last = tx.session, month_of(first)[1]
    filing = entries.filing_of(tx, inputs, person.id, first, last)
    own = entries.of_person(session, company.id, person.id, first, last, now)
    decided = decisions.decisions_of(session, company.id, person.id)
    corrections = sorted(decided.corrections, key=lambda one: (one.decided_at, one.id))
    deleted = sorted(decided.voids, key=lambda one: (one.decided_at, one.id))
    told = account.day_by_day(session, company.id, person.id, first, _worked(own))
    days = [
        {
            "date": day.date.isoformat(),
            "target": day.target,
            "actual": day.actual,
            "credits": [{"kind": credit.kind, "minutes": credit.minutes} for credit in day.credits],
            "entryIds": list(entry_ids),
        }
        for day, entry_ids in told.days
    ]
    bookings = [{"date": one.date.isoformat(), "minutes": one.minutes, "reason": one.reason} for one in told.bookings]
    return {
        "format": statement.FORMAT,
        "attestedBy": "operator",
        "company": {"id": company.id, "name": company.name},
        "person": {"id": person.id, "username": person.username},
        "month": first.isoformat()[:7],
        "zone": zone.key,
        "entries": [_entry(one, corrections, told.employment) for one in own],
        "stamps": [
            {
                "id": one.id,
                "at": format_instant(one.at),
                "direction": one.direction,
                "clock": one.clock,
                "counted": one.reason is None,
                "reason": one.reason,
            }
            for one in stamps.own_stamps(session, company.id, person.id, filing.start, filing.end)
            if first <= filing.day_of(one.id, one.at) <= last
        ],
        "corrections": [_correction(one) for one in corrections if first <= one.date <= last],
        "deletions": [
            {
                "id": one.id,
                "start": format_instant(one.start),
                "end": format_instant(one.end),
                "decidedAt": format_instant(one.decided_at),
            }
            for one in deleted
            if first <= filing.day_at(one.start) <= last
        ],
        "bookings": bookings,
        "days": days,
        "sums": statement.sums_of(days, bookings, told.carried),
    }


def _worked(own: Sequence[EntryValue]) -> dict[date, WorkedDay]:
    found: dict[date, WorkedDay] = {}
    for one in own:
        known = found.get(one.date, WorkedDay(0, ()))
        found[one.date] = WorkedDay(known.minutes + (one.net_minutes or 0), (*known.entry_ids, one.id))
    return found


def _entry(one: EntryValue, corrections: Sequence[Correction], employed: Employment) -> Content:
    return {
        "id": one.id,
        "date": one.date.isoformat(),
        "start": None if one.start is None else format_instant(one.start),
        "end": None if one.end is None else format_instant(one.end),
        "startLocal": None if one.start_minute is None else format_minute(one.start_minute),
        "endLocal": None if one.end_minute is None else format_minute(one.end_minute),
        "raw": one.raw_minutes,
        "break": one.break_minutes,
        "net": one.net_minutes,
        "source": one.source,
        "flags": list(one.flags),
        "reasons": _reasons(one, corrections, employed),
    }


def _reasons(one: EntryValue, corrections: Sequence[Correction], employed: Employment) -> list[str]:
    """Why minutes are deducted: by an approved correction that says so, or by law."""
    if not one.break_minutes:
        return []
    within = [
        correction
        for correction in corrections
        if one.start is not None
        and one.end is not None
        and correction.new_start <= one.start
        and one.end <= correction.new_end
    ]
    if one.source == "correction" and within and within[-1].break_minutes is not None:
        reason = "Korrektur"
    else:
        reason = "§ 11 JArbSchG" if employed.limits_on(one.date) == "youth" else "§ 4 ArbZG"
    return [f"{reason}: {one.break_minutes} min Pause"]


def _correction(one: Correction) -> Content:
    return {
        "id": one.id,
        "date": one.date.isoformat(),
        "start": format_instant(one.new_start),
        "end": format_instant(one.new_end),
        "breakMinutes": one.break_minutes,
        "requestedAt": format_instant(one.requested_at),
        "decidedAt": format_instant(one.decided_at),
    }
