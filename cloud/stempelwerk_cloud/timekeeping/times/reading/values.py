"""Time entries as values, for every room that calculates with them: of one person, of some, or of a whole company.

Bits and small numbers of the rows become words here, so that no other room knows how entries are stored. A company's
entries are streamed, because a year of two hundred people need not be in memory at once.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from msgspec import Struct
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import from_ms, minute_of
from stempelwerk_cloud.domain.settings import SHIFT_GAP_MINUTES
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.timekeeping.ledger.tables import TimeEntry
from stempelwerk_cloud.timekeeping.status_bits import LEFT_OPEN
from stempelwerk_cloud.timekeeping.times.reading.times import MISSING_OUT_BIT, WORDS, open_shifts

_COLUMNS = (
    "SELECT p.user_id::text, e.id::text, e.date::text, e.start_at, e.end_at, e.start_minute, e.end_minute,"
    " e.raw_minutes, e.break_minutes, e.flags, e.is_correction, e.device_no, d.serial"
)
_CLOCK = "LEFT JOIN devices d ON d.no = e.device_no"
_WITHIN = (
    f"{_COLUMNS} FROM person_numbers p JOIN entries e ON e.company_id = p.company_id AND e.person_no = p.no {_CLOCK}"
    " WHERE p.company_id = :company::uuid AND e.date BETWEEN :first AND :last"
)
_OF_PERSON = Statement(f"{_WITHIN} AND p.user_id = :user::uuid ORDER BY coalesce(e.start_at, e.end_at), e.id")
_OF_PEOPLE = Statement(
    f"{_COLUMNS} FROM @rows(w: user_id uuid)"
    " @lookup(p: person_numbers WHERE p.company_id = :company::uuid AND p.user_id = w.user_id)"
    " @lookup(e: entries WHERE e.company_id = p.company_id AND e.person_no = p.no AND e.date BETWEEN :first AND :last)"
    f" {_CLOCK} ORDER BY p.user_id, coalesce(e.start_at, e.end_at), e.id"
)
_OF_COMPANY = Statement(f"{_WITHIN} ORDER BY p.user_id, coalesce(e.start_at, e.end_at), e.id")
_OF_DAYS = Statement(
    f"{_COLUMNS} FROM @rows(w: user_id uuid, date date)"
    " @lookup(p: person_numbers WHERE p.company_id = :company::uuid AND p.user_id = w.user_id)"
    " @lookup(e: entries WHERE e.company_id = p.company_id AND e.person_no = p.no AND e.date = w.date)"
    f" {_CLOCK} ORDER BY p.user_id, coalesce(e.start_at, e.end_at), e.id"
)
_NAMES = Statement(
    "SELECT device_no, starts_at, ends_at, name FROM device_assignments WHERE company_id = :company::uuid"
    " ORDER BY starts_at DESC"
)
_FIRST_DAYS = Statement(
    "SELECT p.user_id::text, (SELECT min(e.date)::text FROM entries e"
    " WHERE e.company_id = p.company_id AND e.person_no = p.no), p.first_day::text"
    " FROM @rows(w: user_id uuid)"
    " @lookup(p: person_numbers WHERE p.company_id = :company::uuid AND p.user_id = w.user_id)"
)

_RECORDED = Statement(
    "SELECT (SELECT u.before::text FROM purged_times u WHERE u.company_id = :company::uuid),"
    " (SELECT (SELECT min(e.date)::text FROM entries e WHERE e.company_id = p.company_id AND e.person_no = p.no)"
    " FROM person_numbers p WHERE p.company_id = :company::uuid AND p.user_id = :user::uuid),"
    " (SELECT p.first_day::text FROM person_numbers p"
    " WHERE p.company_id = :company::uuid AND p.user_id = :user::uuid)"
)

Source = Literal["clock", "correction"]


class EntryValue(Struct, frozen=True, gc=False):
    """A time entry. `date` is the local day of its start; `start_minute` and `end_minute` are local minutes since
    midnight.

    The minutes are None while it runs or is incomplete. `flags` are words, in the order of `status_bits.FLAGS`.
    """

    user_id: str
    id: str
    date: date
    start: datetime | None
    end: datetime | None
    start_minute: int | None
    end_minute: int | None
    raw_minutes: int | None
    break_minutes: int | None
    running: bool
    source: Source
    flags: tuple[str, ...]
    clock_name: str | None

    @property
    def net_minutes(self) -> int | None:
        """The minutes that count as worked: the raw minutes without the break."""
        return None if self.raw_minutes is None else self.raw_minutes - (self.break_minutes or 0)


def of_person(
    session: Session, company_id: str, user_id: str, first: date, last: date, now: datetime
) -> Sequence[EntryValue]:
    """Returns a person's entries that are dated from `first` to `last`, both included, sorted by start."""
    rows = Sql(session).rows(_OF_PERSON, {**_days(company_id, first, last), "user": user_id})
    return list(_values(session, company_id, rows, now))


def of_people(
    session: Session, company_id: str, user_ids: Iterable[str], first: date, last: date, now: datetime
) -> Iterator[EntryValue]:
    """Yields the entries of these people dated from `first` to `last`, both included, by person (in the order of ids)
    and start.

    They are read lazily, in the session's transaction.
    """
    people = as_rows([{"user_id": user_id} for user_id in sorted(set(user_ids))])
    rows = Sql(session).stream(_OF_PEOPLE, {**_days(company_id, first, last), "w": people})
    return _values(session, company_id, rows, now)


def of_company(session: Session, company_id: str, first: date, last: date, now: datetime) -> Iterator[EntryValue]:
    """Yields all people's entries dated from `first` to `last`, both included, by person (in the order of ids) and
    start.

    They are read lazily, in the session's transaction.
    """
    rows = Sql(session).stream(_OF_COMPANY, _days(company_id, first, last))
    return _values(session, company_id, rows, now)


def of_days(session: Session, company_id: str, days: Collection[tuple[str, date]], now: datetime) -> list[EntryValue]:
    """Returns the entries of the given (person, day), sorted by person and start."""
    if not days:
        return []
    day_rows = as_rows([{"user_id": user_id, "date": day.isoformat()} for user_id, day in sorted(set(days))])
    rows = Sql(session).rows(_OF_DAYS, {"company": company_id, "w": day_rows})
    return list(_values(session, company_id, rows, now))


def count_entries(session: Session, company_id: str, first: date, last: date) -> int:
    """Returns the number of the company's entries dated from `first` to `last`, both included."""
    conditions = (TimeEntry.company_id == company_id, TimeEntry.date.between(first, last))
    return session.scalars(select(func.count()).select_from(TimeEntry).where(*conditions)).one()


def first_days(session: Session, company_id: str, user_ids: Iterable[str]) -> dict[str, date]:
    """Returns the date of each person's first entry, even if that entry has been purged; omits people who never had an
    entry.
    """
    user_rows = [{"user_id": user_id} for user_id in sorted(set(user_ids))]
    rows = Sql(session).rows(_FIRST_DAYS, {"w": as_rows(user_rows), "company": company_id})
    days_by_user = {user_id: [_day(day) for day in days if day is not None] for user_id, *days in rows}
    return {user_id: min(days) for user_id, days in days_by_user.items() if days}


class Recorded(NamedTuple):
    """The bounds of a person's times. `retained_from`: the first day whose times the company stores; None: nothing has
    been purged yet. `first_day`: the date of the person's first entry, even if purged; None without one.
    """

    retained_from: date | None
    first_day: date | None


def recorded_of(session: Session, company_id: str, user_id: str) -> Recorded:
    """Returns what `retained_from` and `first_days` return, by one statement."""
    session.flush()
    ((retained_from, *first_days),) = Sql(session).rows(_RECORDED, {"company": company_id, "user": user_id})
    days = [_day(day) for day in first_days if day is not None]
    return Recorded(None if retained_from is None else _day(retained_from), min(days, default=None))


def shifts(of_person: Sequence[EntryValue]) -> list[list[EntryValue]]:
    """Groups a person's sorted entries into shifts, by the rule of `domain/entries/shifts.py`."""
    groups: list[list[EntryValue]] = []
    last_minute = 0
    for entry in of_person:
        first, last = entry.start or entry.end, entry.end or entry.start
        assert first is not None
        assert last is not None
        if groups and minute_of(first) - last_minute < SHIFT_GAP_MINUTES:
            groups[-1].append(entry)
            last_minute = max(last_minute, minute_of(last))
        else:
            groups.append([entry])
            last_minute = minute_of(last)
    return groups


def shift_day(shift: Sequence[EntryValue]) -> date:
    """Returns the shift's date: that of its first start."""
    return next((entry.date for entry in shift if entry.start is not None), shift[0].date)


def _days(company_id: str, first: date, last: date) -> dict[str, str]:
    return {"company": company_id, "first": first.isoformat(), "last": last.isoformat()}


def _values(session: Session, company_id: str, rows: Any, now: datetime) -> Iterator[EntryValue]:
    runs, called = open_shifts(session, company_id, now), _names(session, company_id)
    for user_id, id_, day, start, end, start_minute, end_minute, raw, pause, bits, corrected, device, serial in rows:
        flags, running = bits & ~LEFT_OPEN, False
        if end is None and not flags & MISSING_OUT_BIT:
            running = runs(start)
            flags |= 0 if running else MISSING_OUT_BIT
        yield EntryValue(
            user_id,
            id_,
            _day(day),
            None if start is None else from_ms(start),
            None if end is None else from_ms(end),
            start_minute,
            end_minute,
            raw,
            pause,
            running,
            "correction" if corrected else "clock",
            WORDS[flags],
            called(device, end if start is None else start) or serial,
        )


def _names(session: Session, company_id: str) -> Callable[[int | None, int], str]:
    """Returns a function that gives the company's name for a device at an instant (ms), or the empty string.

    `times.CLOCK_NAME` does the same for one entry in SQL. A lookup for each entry would be half the cost of a company's
    year.
    """
    names: dict[int | None, list[tuple[int, int | None, str]]] = defaultdict(list)
    for device, starts_ms, ends_ms, name in Sql(session).rows(_NAMES, {"company": company_id}):
        names[device].append((starts_ms, ends_ms, name))

    def called(device: int | None, at_ms: int) -> str:
        for starts_ms, ends_ms, name in names.get(device, ()):
            if starts_ms <= at_ms:
                return name if ends_ms is None or ends_ms > at_ms else ""
        return ""

    return called


@lru_cache(maxsize=4000)
def _day(text: str) -> date:
    return date.fromisoformat(text)
