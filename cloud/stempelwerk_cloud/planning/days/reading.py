"""All that was written down about people's days, as narrow rows, in one statement whatever their number.

Of each kind one list comes back as JSON, which is decoded to plain values; rows as objects would take much longer.
"""

from collections.abc import Collection
from datetime import date
from typing import Final, Literal, NamedTuple

import msgspec
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows

Fact = Literal["duties", "leave", "absences", "bookings"]
ALL: Final[tuple[Fact, ...]] = ("duties", "leave", "absences", "bookings")

_WRITTEN = Statement(
    "SELECT (SELECT @list(f.setting, f.valid_from::text, f.value)"
    " FROM company_settings f WHERE f.company_id = :company::uuid),"
    " (SELECT @list(f.date::text, f.name, f.half::int) FROM free_days f WHERE f.company_id = :company::uuid),"
    " (SELECT @list(w.user_id, f.name, f.valid_from::text, f.value) FROM @rows(w: user_id uuid)"
    " @lookup(f: person_values WHERE f.company_id = :company::uuid AND f.user_id = w.user_id)),"
    " (SELECT @list(w.user_id, f.date::text, f.start_minute, f.end_minute) FROM @rows(w: user_id uuid)"
    " @lookup(f: duties WHERE f.company_id = :company::uuid AND f.user_id = w.user_id"
    " AND f.date BETWEEN :first AND :last AND :duties::bool)),"
    " (SELECT @list(w.user_id, f.start_date::text, f.id, f.end_date::text, f.start_half::int, f.end_half::int,"
    " f.kind, f.status) FROM @rows(w: user_id uuid)"
    " @lookup(f: vacation_requests WHERE f.company_id = :company::uuid AND f.user_id = w.user_id"
    " AND f.start_date <= :last AND f.end_date >= :first AND f.status <> 'declined' AND :leave::bool)),"
    " (SELECT @list(w.user_id, f.date::text, f.id, f.kind, f.status, (f.noted_at IS NOT NULL)::int, f.duty_start,"
    " f.duty_end) FROM @rows(w: user_id uuid)"
    " @lookup(f: absences WHERE f.company_id = :company::uuid AND f.user_id = w.user_id"
    " AND f.date BETWEEN :first AND :last AND f.status <> 'declined' AND :absences::bool)),"
    " (SELECT @list(w.user_id, f.date::text, f.id, f.minutes, f.vacation_halves, f.reason) FROM @rows(w: user_id uuid)"
    " @lookup(f: bookings WHERE f.company_id = :company::uuid AND f.user_id = w.user_id"
    " AND f.date BETWEEN :first AND :last AND :bookings::bool))"
)


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


class Absence(NamedTuple):
    user_id: str
    date: date
    id: str
    kind: str
    status: str
    noted: int
    duty_start: int | None
    duty_end: int | None


class Booking(NamedTuple):
    user_id: str
    date: date
    id: str
    minutes: int | None
    vacation_halves: int | None
    reason: str


class Written(NamedTuple):
    """What was found. Settings are (name, from, JSON), free days (day, name, half), values (person, name, from, JSON).

    What stands as tuples is in no order, the rest by person and day.
    """

    settings: list[tuple[str, date, str]]
    free: list[tuple[date, str, int]]
    values: list[tuple[str, str, date, str]]
    duties: list[Duty]
    leave: list[Leave]
    absences: list[Absence]
    bookings: list[Booking]


_DECODERS = [msgspec.json.Decoder(kind) for kind in Written.__annotations__.values()]


def read(
    session: Session, company_id: str, user_ids: Collection[str], first: date, last: date, facts: Collection[Fact]
) -> Written:
    """What touches these days; of the four kinds of facts only those that are asked for."""
    session.flush()
    people = as_rows([{"user_id": user_id} for user_id in user_ids])
    days = {"first": first.isoformat(), "last": last.isoformat()}
    asked: dict[str, object] = {"company": company_id, "w": people, **days} | {fact: fact in facts for fact in ALL}
    (found,) = Sql(session).rows(_WRITTEN, asked)
    lists = [[] if text is None else decoder.decode(text) for decoder, text in zip(_DECODERS, found, strict=True)]
    return Written(*lists[:3], *map(sorted, lists[3:]))
