"""The content of a statement: the person's own entries, stamps, decisions and account of one month.

The days are computed from the entries in the same file, so a file never contradicts itself, whatever is written
meanwhile. Stamps belong to the month of their shift: those of a night over the end of the month are all in one file.
"""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain import statement
from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.entries.facts import Correction
from stempelwerk_cloud.kit.http.schemas import format_instant, format_minute
from stempelwerk_cloud.office.time_account import service as time_account
from stempelwerk_cloud.people.directory.tables import Company, User
from stempelwerk_cloud.people.employment.values import Employment
from stempelwerk_cloud.timekeeping.ledger import decisions
from stempelwerk_cloud.timekeeping.ledger.deriving.derivation_inputs import DerivationInputs
from stempelwerk_cloud.timekeeping.ledger.deriving.surroundings import filing_of
from stempelwerk_cloud.timekeeping.times.reading.own import of_person as own_stamps
from stempelwerk_cloud.timekeeping.times.reading.values import EntryValue, of_person
from stempelwerk_cloud.timekeeping.times.reading.worked import WorkedDay
from stempelwerk_cloud.timekeeping.tx import Tx

Content = dict[str, Any]


def content_of(
    tx: Tx, inputs: DerivationInputs, company: Company, person: User, first: date, zone: ZoneInfo, now: datetime
) -> Content:
    """Returns the content of a statement of the month that begins with `first`, without its time, signer and
    predecessor.
    """
    session, last = tx.session, month_of(first)[1]
    filing = filing_of(tx, inputs, person.id, first, last)
    entry_values = of_person(session, company.id, person.id, first, last, now)
    decided = decisions.decisions_of(session, company.id, person.id)
    corrections = sorted(decided.corrections, key=lambda correction: (correction.decided_at, correction.id))
    deleted = sorted(decided.voids, key=lambda void: (void.decided_at, void.id))
    month_account = time_account.day_by_day(session, company.id, person.id, first, _worked(entry_values))
    days = [
        {
            "date": day.date.isoformat(),
            "target": day.target,
            "actual": day.actual,
            "credits": [{"kind": credit.kind, "minutes": credit.minutes} for credit in day.credits],
            "entryIds": list(entry_ids),
        }
        for day, entry_ids in month_account.days
    ]
    bookings = [
        {"date": booking.date.isoformat(), "minutes": booking.minutes, "reason": booking.reason}
        for booking in month_account.bookings
    ]
    return {
        "format": statement.FORMAT,
        "attestedBy": "operator",
        "company": {"id": company.id, "name": company.name},
        "person": {"id": person.id, "username": person.username},
        "month": first.isoformat()[:7],
        "zone": zone.key,
        "entries": [_entry(entry, corrections, month_account.employment) for entry in entry_values],
        "stamps": [
            {
                "id": stamp.id,
                "at": format_instant(stamp.at),
                "direction": stamp.direction,
                "clock": stamp.clock,
                "counted": stamp.reason is None,
                "reason": stamp.reason,
            }
            for stamp in own_stamps(session, company.id, person.id, filing.start, filing.end)
            if first <= filing.day_of(stamp.id, stamp.at) <= last
        ],
        "corrections": [_correction(correction) for correction in corrections if first <= correction.date <= last],
        "deletions": [
            {
                "id": void.id,
                "start": format_instant(void.start),
                "end": format_instant(void.end),
                "decidedAt": format_instant(void.decided_at),
            }
            for void in deleted
            if first <= filing.day_at(void.start) <= last
        ],
        "bookings": bookings,
        "days": days,
        "sums": statement.sums_of(days, bookings, month_account.carried),
    }


def _worked(entry_values: Sequence[EntryValue]) -> dict[date, WorkedDay]:
    worked_days: dict[date, WorkedDay] = {}
    for entry in entry_values:
        worked_day = worked_days.get(entry.date, WorkedDay(0, ()))
        worked_days[entry.date] = WorkedDay(
            worked_day.minutes + (entry.net_minutes or 0), (*worked_day.entry_ids, entry.id)
        )
    return worked_days


def _entry(entry: EntryValue, corrections: Sequence[Correction], employed: Employment) -> Content:
    return {
        "id": entry.id,
        "date": entry.date.isoformat(),
        "start": None if entry.start is None else format_instant(entry.start),
        "end": None if entry.end is None else format_instant(entry.end),
        "startLocal": None if entry.start_minute is None else format_minute(entry.start_minute),
        "endLocal": None if entry.end_minute is None else format_minute(entry.end_minute),
        "raw": entry.raw_minutes,
        "break": entry.break_minutes,
        "net": entry.net_minutes,
        "source": entry.source,
        "flags": list(entry.flags),
        "reasons": _reasons(entry, corrections, employed),
    }


def _reasons(entry: EntryValue, corrections: Sequence[Correction], employed: Employment) -> list[str]:
    """Returns why minutes of the entry are deducted, in German: a correction with a break, or the law. Empty without a
    deduction.
    """
    if not entry.break_minutes:
        return []
    within = [
        correction
        for correction in corrections
        if entry.start is not None
        and entry.end is not None
        and correction.new_start <= entry.start
        and entry.end <= correction.new_end
    ]
    if entry.source == "correction" and within and within[-1].break_minutes is not None:
        reason = "Korrektur"
    else:
        reason = "§ 11 JArbSchG" if employed.limits_on(entry.date) == "youth" else "§ 4 ArbZG"
    return [f"{reason}: {entry.break_minutes} min Pause"]


def _correction(correction: Correction) -> Content:
    return {
        "id": correction.id,
        "date": correction.date.isoformat(),
        "start": format_instant(correction.new_start),
        "end": format_instant(correction.new_end),
        "breakMinutes": correction.break_minutes,
        "requestedAt": format_instant(correction.requested_at),
        "decidedAt": format_instant(correction.decided_at),
    }
