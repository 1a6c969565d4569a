"""All stored facts about people's days, read in one statement for any number of people.

Each kind comes back as one JSON list, which is decoded to plain tuples; ORM objects would take much longer.
"""

from collections.abc import Collection
from datetime import date
from functools import lru_cache
from typing import Final, Literal, NamedTuple

import msgspec
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows

Fact = Literal["duties", "leave", "absences", "bookings", "notices", "closures"]
ALL: Final[tuple[Fact, ...]] = ("duties", "leave", "absences", "bookings", "notices")
"""All kinds of facts about people; `closures` are the company's."""

_ALWAYS = (
    "SELECT @list(s.setting, s.valid_from::text, s.value) FROM company_settings s WHERE s.company_id = :company::uuid",
    "SELECT @list(o.date::text, o.name, o.half::int, o.legal::int) FROM free_days o"
    " WHERE o.company_id = :company::uuid",
    "SELECT @list(w.user_id, v.name, v.valid_from::text, v.value) FROM @rows(w: user_id uuid)"
    " @lookup(v: person_values WHERE v.company_id = :company::uuid AND v.user_id = w.user_id)",
)
_FACTS: Final[dict[Fact, str]] = {
    "duties": "SELECT @plain('w.user_id', 'd.date', d.start_minute, d.end_minute) FROM @rows(w: user_id uuid)"
    " @lookup(d: duties WHERE d.company_id = :company::uuid AND d.user_id = w.user_id"
    " AND d.date BETWEEN :duties_from AND :last)",
    "leave": "SELECT @plain('w.user_id', 'l.start_date', 'l.id', 'l.end_date', l.start_half::int, l.end_half::int,"
    " 'l.kind', 'l.status', \"l.left_out\", (l.closure_id IS NOT NULL)::int) FROM @rows(w: user_id uuid)"
    " @lookup(l: vacation_requests WHERE l.company_id = :company::uuid AND l.user_id = w.user_id"
    " AND l.start_date <= :last AND l.end_date >= :first AND l.status IN ('pending', 'approved'))",
    "absences": "SELECT @plain('w.user_id', 'a.date', 'a.id', 'a.kind', 'a.status', (a.noted_at IS NOT NULL)::int,"
    ' a.duty_start, a.duty_end, a.credited::int, "a.reason") FROM @rows(w: user_id uuid)'
    " @lookup(a: absences WHERE a.company_id = :company::uuid AND a.user_id = w.user_id"
    " AND a.date BETWEEN :first AND :last AND a.status IN ('open', 'excused'))",
    "bookings": "SELECT @plain('w.user_id', 'b.date', 'b.id', b.minutes, b.vacation_halves, \"b.reason\")"
    " FROM @rows(w: user_id uuid)"
    " @lookup(b: bookings WHERE b.company_id = :company::uuid AND b.user_id = w.user_id"
    " AND b.date BETWEEN :first AND :last)",
    "notices": "SELECT @plain('w.user_id', 'n.until', 'n.id', 'n.sent_on', n.halves) FROM @rows(w: user_id uuid)"
    " @lookup(n: vacation_notices WHERE n.company_id = :company::uuid AND n.user_id = w.user_id"
    " AND n.until >= :first)",
    "closures": "SELECT @list(c.start_date::text, c.end_date::text) FROM closures c"
    " WHERE c.company_id = :company::uuid AND c.start_date <= :last AND c.end_date >= :first",
}


@lru_cache
def _statement(facts: frozenset[Fact]) -> Statement:
    """Returns the statement that reads these kinds of facts; the others are null."""
    lists = [*_ALWAYS, *(text if fact in facts else "SELECT NULL" for fact, text in _FACTS.items())]
    return Statement(f"SELECT ({'), ('.join(lists)})")


DAYS_OFF: Final = (
    "SELECT l.user_id AS user_id, l.start_date AS first, l.end_date AS last FROM vacation_requests l"
    " WHERE l.company_id = :company::uuid AND l.kind = 'vacation' AND l.status = 'approved' AND l.end_date >= :since"
    " UNION ALL SELECT a.user_id, a.date, a.date FROM absences a WHERE a.company_id = :company::uuid"
    " AND a.kind = 'sick' AND a.status IN ('open', 'excused') AND a.date >= :since"
)
"""The days of approved vacation (including those it leaves out) and of illness, as a part of a statement
(`DaysOff`).
"""


class Duty(NamedTuple):
    user_id: str
    date: date
    start_minute: int | None
    end_minute: int | None


class Leave(NamedTuple):
    user_id: str
    start: date
    id: str
    end: date
    start_half: int
    end_half: int
    kind: Literal["vacation", "wish"]
    status: Literal["pending", "approved"]
    left_out: str | None
    from_closure: int


class Absence(NamedTuple):
    user_id: str
    date: date
    id: str
    kind: str
    status: str
    noted: int
    duty_start: int | None
    duty_end: int | None
    credited: int
    reason: str | None


class Booking(NamedTuple):
    user_id: str
    date: date
    id: str
    minutes: int | None
    vacation_halves: int | None
    reason: str


class Notice(NamedTuple):
    user_id: str
    until: date
    id: str
    sent_on: date
    halves: int


class Written(NamedTuple):
    """The stored rows by kind.

    Settings are (name, first day, JSON), values (person, name, first day, JSON), free days (day, name, half, legal);
    these are unsorted. The other kinds are sorted by person and day, company holidays (first and last day) by day.
    """

    settings: list[tuple[str, date, str]]
    free: list[tuple[date, str, int, int]]
    values: list[tuple[str, str, date, str]]
    duties: list[Duty]
    leave: list[Leave]
    absences: list[Absence]
    bookings: list[Booking]
    notices: list[Notice]
    closures: list[tuple[date, date]]


_DECODERS = [msgspec.json.Decoder(kind) for kind in Written.__annotations__.values()]


def read(
    session: Session,
    company_id: str,
    user_ids: Collection[str],
    first: date,
    last: date,
    facts: Collection[Fact],
    duties_from: date | None = None,
) -> Written:
    """Returns the rows that touch the days from `first` to `last`; kinds that are not requested are empty.

    `duties_from`: the first day of the duties, if it is not `first`.
    """
    session.flush()
    people = as_rows([{"user_id": user_id} for user_id in user_ids])
    days = {
        "first": first.isoformat(),
        "last": last.isoformat(),
        "duties_from": (duties_from or first).isoformat(),
    }
    (list_row,) = Sql(session).rows(_statement(frozenset(facts)), {"company": company_id, "w": people, **days})
    lists = [[] if text is None else decoder.decode(text) for decoder, text in zip(_DECODERS, list_row, strict=True)]
    return Written(*lists[:3], *map(sorted, lists[3:]))
