"""A person's times as the API returns them: rows are encoded as JSON without ORM objects, because there are many."""

from collections.abc import Callable
from datetime import date, datetime
from functools import cache
from typing import Any

import msgspec
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.entries.flags import LATE, WORKED_ON_LEAVE, in_order
from stempelwerk_cloud.domain.instants import DAY, from_ms, ms_of
from stempelwerk_cloud.domain.settings import DatedRules
from stempelwerk_cloud.kit.database.statements import Sql, Statement
from stempelwerk_cloud.kit.ports import Told, WorkedOnLeave, no_leave, nothing_told
from stempelwerk_cloud.timekeeping.ledger.settings import MAX_SHIFT_HOURS, rules_of
from stempelwerk_cloud.timekeeping.status_bits import FLAGS, LEFT_OPEN, flag_words

CLOCK_NAME = (
    "coalesce(nullif((SELECT a.name FROM device_assignments a WHERE a.company_id = e.company_id"
    " AND a.device_no = e.device_no AND a.starts_at <= coalesce(e.start_at, e.end_at)"
    " AND (a.ends_at IS NULL OR a.ends_at > coalesce(e.start_at, e.end_at))"
    " ORDER BY a.starts_at DESC LIMIT 1), ''), d.serial)"
)
"""SQL expression for the name of the clock of entry `e`: the company's name for it at that time, else the serial of
device `d`.

A device has one company at a time. So the newest assignment that has begun is the only one, and the index has it first.
"""
_TIMES = Statement(
    "SELECT e.id::text, e.date::text, e.start_minute, e.end_minute, e.start_at, e.end_at, e.raw_minutes,"  # noqa: S608 -- no values
    f" e.break_minutes, e.flags, e.is_correction, {CLOCK_NAME}"
    " FROM person_numbers p JOIN entries e ON e.company_id = p.company_id AND e.person_no = p.no"
    " LEFT JOIN devices d ON d.no = e.device_no"
    " WHERE p.company_id = :company::uuid AND p.user_id = :user::uuid AND e.date BETWEEN :first AND :last"
    " ORDER BY coalesce(e.start_at, e.end_at), e.id"
)
MISSING_OUT_BIT = 1 << FLAGS.index("missing_out")
_CLOCKS = tuple(f"{minute // 60:02d}:{minute % 60:02d}" for minute in range(24 * 60))
WORDS = tuple(tuple(flag_words(bits)) for bits in range(1 << len(FLAGS)))

HOUR_MS = 3_600_000

encode = msgspec.json.Encoder().encode


class TimeEntry(msgspec.Struct, rename="camel"):
    """A time entry as the API returns it; `schemas.TimeEntryRow` is the description of the same in the API's schema."""

    id: str
    date: str
    start: str | None
    end: str | None
    running: bool
    break_minutes: int | None
    worked_minutes_raw: int | None
    worked_minutes_net: int | None
    source: str
    flags: tuple[str, ...]
    clock_name: str | None


def times_json(
    session: Session,
    company_id: str,
    user_id: str,
    first: date,
    last: date,
    now: datetime,
    worked_on_leave: WorkedOnLeave = no_leave,
    told_entries: Told = nothing_told,
) -> bytes:
    """Returns a person's entries dated from `first` to `last`, both included, as a JSON list sorted by start."""
    rows = Sql(session).rows(
        _TIMES,
        {"company": company_id, "user": user_id, "first": first.isoformat(), "last": last.isoformat()},
    )
    on_leave = worked_on_leave(session, company_id, {(user_id, date.fromisoformat(row[1])) for row in rows})
    off = {day.isoformat() for _, day in on_leave}
    runs = open_shifts(session, company_id, now)
    # Payroll knows nothing of a month that has not ended anywhere on Earth, so this month's times need no query.
    payroll_by_month = told_entries(
        session, company_id, {row[1][:7] for row in rows} - {(now + DAY).date().isoformat()[:7]}
    )
    time_entries = []
    for row in rows:
        flags, running = row[8] & ~LEFT_OPEN, False
        if row[5] is None and not flags & MISSING_OUT_BIT:
            running = runs(row[4])
            flags |= 0 if running else MISSING_OUT_BIT
        payroll_entries = payroll_by_month.get(row[1][:7])
        late = payroll_entries is not None and payroll_entries.get(row[0]) != (row[2], row[3], row[6], row[7])
        time_entries.append(_entry(row, beside(WORDS[flags], worked_on_leave=row[1] in off, late=late), running))
    return encode(time_entries)


def beside(flags: tuple[str, ...], *, worked_on_leave: bool, late: bool = False) -> tuple[str, ...]:
    """Returns an entry's flags together with those that are not stored: `worked_on_leave` and `late`."""
    extra_flags = ((WORKED_ON_LEAVE, worked_on_leave), (LATE, late))
    return in_order((*flags, *(flag for flag, holds in extra_flags if holds))) if worked_on_leave or late else flags


def open_shifts(session: Session, company_id: str, now: datetime) -> Callable[[int], bool]:
    """Returns a function that decides, by the start of an entry without an end (Unix milliseconds), whether it is still
    running.

    The company's rules are read only if the entry's age lies between the smallest and the largest possible limit.
    """
    rules = cache(lambda: rules_of(session, company_id))
    surely, perhaps = ((hours or 0) * HOUR_MS for hours in (MAX_SHIFT_HOURS.minimum, MAX_SHIFT_HOURS.maximum))

    def runs(start_ms: int) -> bool:
        age_ms = ms_of(now) - start_ms
        return age_ms <= surely or (age_ms <= perhaps and is_running(start_ms, rules(), now))

    return runs


def is_running(start_ms: int, rules: DatedRules, now: datetime) -> bool:
    """Whether an entry without an end is still running: it is not older than the longest shift allowed by the rules."""
    return ms_of(now) - start_ms <= rules.at(from_ms(start_ms)).max_shift_h * HOUR_MS


def _entry(row: tuple[Any, ...], flags: tuple[str, ...], running: bool) -> TimeEntry:
    id_, day, start, end, _, _, raw, pause, _, is_correction, clock_name = row
    return TimeEntry(
        id_,
        day,
        None if start is None else _CLOCKS[start],
        None if end is None else _CLOCKS[end],
        running,
        pause,
        raw,
        None if raw is None else raw - pause,
        "correction" if is_correction else "clock",
        flags,
        clock_name,
    )
