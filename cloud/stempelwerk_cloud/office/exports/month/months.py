"""A company's month as plain values. It is stored with its files, and passed to the process that renders them."""

import hashlib
import zlib
from datetime import date
from typing import Final, Literal

import msgspec
from msgspec import Struct

from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.domain.payroll import Figures, Key, Kind
from stempelwerk_cloud.office.exports.month.paying import PaidKinds

OffKind = Literal["vacation", "sick", "holiday", "special"]
"""The kinds of time off. `special`: an absence for another reason, or an excused missed duty."""
ALL_ENTRIES: Final = 0
SETTLED_ENTRIES: Final = 1
"""Rules of a month: the first is that of older releases, and a month that was locked under it is compared by it.

`ALL_ENTRIES` pays surcharges and overtime of all complete entries, and holidays and vacation in full despite work.
`SETTLED_ENTRIES` leaves out entries that do not count, and pays hourly people what work leaves of the day.
"""


class Worked(Struct, frozen=True):
    """An entry; `start` and `end` are local minutes since midnight. `open`: open points that keep it from counting."""

    id: str
    date: date
    start: int | None
    end: int | None
    raw: int | None
    pause: int | None
    source: str
    flags: tuple[str, ...]
    running: bool
    open: tuple[str, ...]

    @property
    def net(self) -> int:
        return (self.raw or 0) - (self.pause or 0)

    @property
    def counts(self) -> bool:
        return self.raw is not None and not self.open


class Off(Struct, frozen=True):
    """Time off on a day: the credited minutes, and the halves of the day. `reason`: of a special absence."""

    date: date
    kind: OffKind
    minutes: int
    halves: int
    reason: str | None = None


class Term(Struct, frozen=True):
    """The terms of an employment from a day of the month on."""

    since: date
    department: str | None
    pay_type: str


class PersonMonth(Struct, frozen=True):
    """A person's month.

    - `supplements`: (day, kind, minutes), in addition to the worked minutes. `overtime`: minutes beyond `target`.
    - `long_sick`: the first day of the month after more than `PAID_ILLNESS` of illness.
    - `idle_sick`: days of an excused illness without owed work.
    - `worked_on_leave`: days of illness or approved leave that have entries.
    """

    user_id: str
    name: str
    terms: tuple[Term, ...]
    worked: tuple[Worked, ...]
    off: tuple[Off, ...]
    supplements: tuple[tuple[date, str, int], ...]
    target: int
    overtime: int
    long_sick: date | None
    idle_sick: tuple[date, ...] = ()
    worked_on_leave: tuple[date, ...] = ()

    def on(self, day: date) -> Term:
        return next(term for term in reversed(self.terms) if term.since <= day)


class Month(Struct, frozen=True):
    """A company's month (`YYYY-MM`). `people` have times or absences in it, sorted by name. `rule`: see
    `SETTLED_ENTRIES`.
    """

    month: str
    company: str
    people: tuple[PersonMonth, ...]
    rule: int = ALL_ENTRIES

    @property
    def first(self) -> date:
        return date.fromisoformat(f"{self.month}-01")

    @property
    def last(self) -> date:
        return month_of(self.first)[1]

    @property
    def running(self) -> bool:
        return any(entry.running for person in self.people for entry in person.worked)

    def figures(self, kinds: PaidKinds) -> Figures:
        """Returns the minutes that are compared for differences, only of these kinds."""
        minutes_by_key: dict[Key, int] = {}
        for person in self.people:
            paid: list[tuple[date, Kind | None, int]] = []
            paid += [(entry.date, "work", entry.net) for entry in person.worked if entry.counts]
            paid += [(off.date, kinds.off.get(off.kind), off.minutes) for off in person.off]
            paid += [(day, kinds.beside.get(name), minutes) for day, name, minutes in person.supplements]
            if person.overtime:
                paid.append((self.last, kinds.beside.get("overtime"), person.overtime))
            for day, kind, minutes in paid:
                if kind is not None:
                    key: Key = (person.user_id, day, kind)
                    minutes_by_key[key] = minutes_by_key.get(key, 0) + minutes
        return minutes_by_key


_decoder = msgspec.json.Decoder(Month)


def packed(month: Month) -> bytes:
    """Returns the month as compressed JSON, its stored form."""
    return zlib.compress(msgspec.json.encode(month))


def state_of(month: Month) -> bytes:
    """Returns the SHA-256 of a month. Equal months have the same."""
    return hashlib.sha256(msgspec.json.encode(month)).digest()


def unpacked(snapshot: bytes) -> Month:
    return _decoder.decode(zlib.decompress(snapshot))
