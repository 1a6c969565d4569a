"""Worked time for time accounts: net minutes of complete entries by month or day, and the entries of each day.

An account looks back over all years and needs one sum for each month, so these queries read few columns.
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from typing import NamedTuple

import msgspec
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.timekeeping.status_bits import flag_words
from stempelwerk_cloud.timekeeping.times.reading.times import open_shifts

_BY_MONTH = Statement(
    "SELECT @plain('f.user_id', 'f.day', f.minutes) FROM (SELECT p.user_id,"
    " CASE WHEN e.date >= :daily THEN e.date::text ELSE substr(e.date::text, 1, 7) || '-01' END AS day,"
    " coalesce(sum(e.raw_minutes - e.break_minutes), 0)::int8 AS minutes FROM @rows(w: user_id uuid, since date)"
    " @lookup(p: person_numbers WHERE p.company_id = :company::uuid AND p.user_id = w.user_id)"
    " @lookup(e: entries WHERE e.company_id = p.company_id AND e.person_no = p.no"
    " AND e.date >= w.since AND e.date <= :last)"
    " GROUP BY 1, 2) AS f"
)
_sums = msgspec.json.Decoder(list[tuple[str, date, int]])
_OF_DAYS = Statement(
    "SELECT e.date::text, e.id::text, coalesce(e.raw_minutes - e.break_minutes, 0)"
    " FROM person_numbers p JOIN entries e ON e.company_id = p.company_id AND e.person_no = p.no"
    " WHERE p.company_id = :company::uuid AND p.user_id = :user::uuid AND e.date BETWEEN :first AND :last"
    " ORDER BY e.date, coalesce(e.start_at, e.end_at), e.id"
)
_ON = Statement(
    "SELECT p.user_id::text, e.date::text, coalesce(sum(e.raw_minutes - e.break_minutes), 0)::int8"
    " FROM @rows(w: user_id uuid, date date)"
    " @lookup(p: person_numbers WHERE p.company_id = :company::uuid AND p.user_id = w.user_id)"
    " @lookup(e: entries WHERE e.company_id = p.company_id AND e.person_no = p.no AND e.date = w.date)"
    " GROUP BY 1, 2 ORDER BY 1, 2"
)
_WITHIN = Statement(
    "SELECT w.n, sum(e.raw_minutes)::int8, sum(e.break_minutes)::int8"
    " FROM @rows(w: n int, user_id uuid, first date, last date)"
    " @lookup(p: person_numbers WHERE p.company_id = :company::uuid AND p.user_id = w.user_id)"
    " @lookup(e: entries WHERE e.company_id = p.company_id AND e.person_no = p.no"
    " AND e.date >= w.first AND e.date <= w.last)"
    " WHERE e.raw_minutes IS NOT NULL GROUP BY 1"
)

_FLAGGED = Statement(
    "SELECT p.user_id::text, e.flags, e.start_at, e.end_at FROM person_numbers p"
    " JOIN entries e ON e.company_id = p.company_id AND e.person_no = p.no"
    " WHERE p.company_id = :company::uuid AND e.date BETWEEN :first AND :last AND (e.flags <> 0 OR e.end_at IS NULL)"
)


class WorkedDay(NamedTuple):
    """The net minutes of a day, and the ids of its entries in order. Running and incomplete entries count 0."""

    minutes: int
    entry_ids: tuple[str, ...]


def minutes_by_month(
    session: Session, company_id: str, first_days: Mapping[str, date | None], last: date, daily: date = date.max
) -> dict[str, dict[date, int]]:
    """Returns net minutes by person and by the first day of each month, or the first requested day in it.

    The entries are dated from each person's day in `first_days` (None: no bound) up to `last`, both included. Months
    that begin on `daily` or later are returned by day instead. A month or day with entries is present even if they
    count 0. A person without any entry is absent.
    """
    user_rows = as_rows(
        [{"user_id": user_id, "since": (day or date.min).isoformat()} for user_id, day in sorted(first_days.items())]
    )
    minutes_by_user: dict[str, dict[date, int]] = {}
    parameters = {"company": company_id, "w": user_rows, "last": last.isoformat(), "daily": daily.isoformat()}
    ((text,),) = Sql(session).rows(_BY_MONTH, parameters)
    for user_id, day, minutes in [] if text is None else _sums.decode(text):
        minutes_by_user.setdefault(user_id, {})[max(day, first_days[user_id] or date.min)] = minutes
    return minutes_by_user


def minutes_on(session: Session, company_id: str, days: Collection[tuple[str, date]]) -> dict[str, dict[date, int]]:
    """Returns the net minutes of the given (person, day), by person and day; without days that have no entries."""
    minutes_by_user: dict[str, dict[date, int]] = {}
    if days:
        day_rows = as_rows([{"user_id": user_id, "date": day.isoformat()} for user_id, day in sorted(set(days))])
        for user_id, day, minutes in Sql(session).rows(_ON, {"company": company_id, "w": day_rows}):
            minutes_by_user.setdefault(user_id, {})[date.fromisoformat(day)] = minutes
    return minutes_by_user


def minutes_within(session: Session, company_id: str, spans: Sequence[tuple[str, date, date]]) -> list[tuple[int, int]]:
    """Returns the raw and the break minutes of the complete entries in each span (person, first day, last day).

    They are in the order of the spans, (0, 0) for an empty one; read with one statement.
    """
    span_rows = [
        {"n": number, "user_id": user_id, "first": first.isoformat(), "last": last.isoformat()}
        for number, (user_id, first, last) in enumerate(spans)
    ]
    sums = [(0, 0)] * len(spans)
    for number, raw, pauses in Sql(session).rows(_WITHIN, {"company": company_id, "w": as_rows(span_rows)}):
        sums[number] = raw, pauses or 0
    return sums


def worked_days(session: Session, company_id: str, user_id: str, first: date, last: date) -> dict[date, WorkedDay]:
    """Returns a person's days from `first` to `last` (both included) that have entries."""
    days_worked: dict[date, WorkedDay] = {}
    days = {"company": company_id, "user": user_id, "first": first.isoformat(), "last": last.isoformat()}
    for day, id_, minutes in Sql(session).rows(_OF_DAYS, days):
        day_so_far = days_worked.get(date.fromisoformat(day), WorkedDay(0, ()))
        days_worked[date.fromisoformat(day)] = WorkedDay(day_so_far.minutes + minutes, (*day_so_far.entry_ids, id_))
    return days_worked


def flags_between(session: Session, company_id: str, first: date, last: date, now: datetime) -> dict[str, set[str]]:
    """Returns the flags of the entries dated on these days (both included), for each person who has any."""
    runs = open_shifts(session, company_id, now)
    flags_by_user: dict[str, set[str]] = {}
    days = {"company": company_id, "first": first.isoformat(), "last": last.isoformat()}
    for user_id, bits, start, end in Sql(session).rows(_FLAGGED, days):
        flags = set(flag_words(bits))
        if end is None and not runs(start):
            flags.add("missing_out")
        if flags:
            flags_by_user.setdefault(user_id, set()).update(flags)
    return flags_by_user
