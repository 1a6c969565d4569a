"""Ports: questions of lower rooms that higher rooms answer, without the lower ones importing them.

A room asks by `PORT.of(platform)`. The room that answers declares that in its `room.py`:
`ports=(PORT.provided_by(answer),)`. Without such a room the port has an answer that changes nothing.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final, Generic, NamedTuple, TypeVar
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.platform import Platform

Answer = TypeVar("Answer")


class Port(Generic[Answer]):
    """A question of a lower room. `Answer` is the type of what answers it: mostly a function."""

    def __init__(self, default: Answer) -> None:
        self._default = default

    def of(self, platform: Platform) -> Answer:
        """Returns the answer that a room provides; without such a room the default."""
        answer: Answer = platform.ports.get(self, self._default)
        return answer

    def provided_by(self, answer: Answer) -> Callable[[Platform], None]:
        """Returns a function that connects the answer to the port on a platform, for `Room.ports`."""
        return lambda platform: self.provide(platform, answer)

    def provide(self, platform: Platform, answer: Answer) -> None:
        """Connects an answer to the port on a platform."""
        platform.ports[self] = answer


TagWaiting = Callable[[Session, str, str], bool]
"""(session, company_id, tag) -> whether stamps with that tag are held for an administrator. Answered by timekeeping,
asked by people.
"""


def _nothing_waits(_session: Session, _company_id: str, _tag: str) -> bool:
    return False


TAG_WAITING: Port[TagWaiting] = Port(_nothing_waits)


Balances = Callable[[Session, str, Collection[str], date], Mapping[str, tuple[int, int]]]
"""(session, company_id, user_ids, today) -> by person: today's target and the balance to date, in minutes. People
without a target are left out. Answered by the office, asked by timekeeping.
"""


def _no_balances(
    _session: Session, _company_id: str, _user_ids: Collection[str], _today: date
) -> Mapping[str, tuple[int, int]]:
    return {}


BALANCES: Port[Balances] = Port(_no_balances)


WorkedOnLeave = Callable[[Session, str, Collection[tuple[str, date]]], Collection[tuple[str, date]]]
"""(session, company_id, (person, day) pairs with entries) -> those pairs where the person was ill or on vacation that
day. Answered by planning, asked by timekeeping.
"""


DaysOff = str
"""The text of a SELECT for `kit/database/statements.py`: user_id, first and last day of spans that may be leave or
illness. It finds all spans of the company `:company` that end on or after `:since`. Answered by planning, asked by
timekeeping.
"""


def no_leave(_session: Session, _company_id: str, _days: Collection[tuple[str, date]]) -> Collection[tuple[str, date]]:
    return ()


WORKED_ON_LEAVE: Port[WorkedOnLeave] = Port(no_leave)


NO_DAYS_OFF: Final[DaysOff] = "SELECT NULL::uuid AS user_id, NULL::date AS first, NULL::date AS last WHERE 1 = 0"
DAYS_OFF: Port[DaysOff] = Port(NO_DAYS_OFF)


Altering = Callable[[Session, str, date, datetime], Callable[[], Mapping[date, Any]]]
"""(session, company_id, today, now) -> a function; call the port before a change, and the function after the change and
again after its rollback. The function returns, by the first day of each month up to this one, everything in it that the
change may alter, as a comparable value. Answered by the office, asked by previews of a change.
"""


def _alters_nothing(
    _session: Session, _company_id: str, _today: date, _now: datetime
) -> Callable[[], Mapping[date, Any]]:
    return dict


ALTERING: Port[Altering] = Port(_alters_nothing)


Exported = Callable[[Session, str], tuple[set[str], set[str]]]
"""(session, company_id) -> the months (`YYYY-MM`) that have been exported, and those that are locked. Answered by the
office, asked by previews of a change.
"""


def _nothing_exported(_session: Session, _company_id: str) -> tuple[set[str], set[str]]:
    return set(), set()


EXPORTED: Port[Exported] = Port(_nothing_exported)


ToldEntries = Mapping[str, Mapping[str, tuple[int | None, int | None, int | None, int | None]]]
"""The entries as exported to payroll, by month (`YYYY-MM`) and entry id: start and end in local minutes, net minutes,
and break.
"""
Told = Callable[[Session, str, Collection[str]], ToldEntries]
"""(session, company_id, months) -> the exported entries of those months that were exported or locked. Answered by the
office, asked by lists of times: an entry that differs from its export was changed afterwards.
"""


def nothing_told(_session: Session, _company_id: str, _months: Collection[str]) -> ToldEntries:
    return {}


TOLD_ENTRIES: Port[Told] = Port(nothing_told)


InboxCounts = Callable[[Session, str, Collection[str], datetime], Mapping[str, tuple[int, int]]]
"""(session, company_id, user_ids, now) -> by person: the number of hand-overs that wait for their answer, and of unread
messages. People with neither are left out. Answered by planning, asked by timekeeping.
"""


def _no_inboxes(
    _session: Session, _company_id: str, _user_ids: Collection[str], _now: datetime
) -> Mapping[str, tuple[int, int]]:
    return {}


INBOX_COUNTS: Port[InboxCounts] = Port(_no_inboxes)


OpenGaps = Callable[[Session], Collection[tuple[int, str | None]]]
"""(session) -> (device number, company) pairs of the devices with missing stamps, for each company that may own the
stamps; None: unknown. Answered by timekeeping, asked by fleet.
"""


def _no_gaps(_session: Session) -> Collection[tuple[int, str | None]]:
    return ()


OPEN_GAPS: Port[OpenGaps] = Port(_no_gaps)


TimesHeld = Callable[[Session, str | None], Mapping[tuple[int, str], datetime]]
"""(session, company_id) -> by (device number, company): when the newest stamp that waits for a decision about its time
was received. `company_id` None: of all companies.
"""


def _no_times_held(_session: Session, _company_id: str | None) -> Mapping[tuple[int, str], datetime]:
    return {}


TIMES_HELD: Port[TimesHeld] = Port(_no_times_held)


StampsByDay = Callable[[Session, str, ZoneInfo, date, date], Mapping[int, Mapping[date, int]]]
"""(session, company_id, zone, first, last) -> by device number and local day: how many stamps of the company the device
recorded. Answered by timekeeping, asked by fleet.
"""


def _no_stamps(
    _session: Session, _company_id: str, _zone: ZoneInfo, _first: date, _last: date
) -> Mapping[int, Mapping[date, int]]:
    return {}


STAMPS_BY_DAY: Port[StampsByDay] = Port(_no_stamps)


ClosedDays = Callable[[Session, str, date, date], Collection[date]]
"""(session, company_id, first, last) -> the days from first to last when the company is closed. Answered by planning,
asked by fleet.
"""


def _never_closed(_session: Session, _company_id: str, _first: date, _last: date) -> Collection[date]:
    return ()


CLOSED_DAYS: Port[ClosedDays] = Port(_never_closed)


HeardAt = Callable[[Session], datetime | None]
"""(session) -> when the newest heartbeat of any clock was received. Answered by fleet, asked by the check of the
server's time (`kit/operations/service_time.py`).
"""


def _never_heard(_session: Session) -> datetime | None:
    return None


HEARD_AT: Port[HeardAt] = Port(_never_heard)


ClocksAgree = Callable[[Session, datetime], bool]
"""(session, now) -> whether clocks that have a time server of their own agree with `now`. Answered by fleet, asked by
the check of the server's time.
"""


def _nobody_agrees(_session: Session, _now: datetime) -> bool:
    return False


CLOCKS_AGREE: Port[ClocksAgree] = Port(_nobody_agrees)


TapsByClock = Callable[[Session, Sequence[datetime]], Sequence[Mapping[int, Any]]]
"""(session, instants) -> for each span between two neighbouring instants: by device number, the outcome of its taps
(`domain/rollouts.Taps`). Answered by timekeeping, asked by the rollouts of versions.
"""


def _no_taps(_session: Session, instants: Sequence[datetime]) -> Sequence[Mapping[int, Any]]:
    return [{} for _ in instants[1:]]


TAPS_BY_CLOCK: Port[TapsByClock] = Port(_no_taps)


class Expiry(NamedTuple):
    """A signature of updates that has expired or soon will. `subject`: the signed file; `text`: a German sentence for
    the operator, with the remedy.
    """

    subject: str
    is_over: bool
    text: str


Expiries = Callable[[Session, Platform, datetime], Sequence[Expiry]]
"""(session, platform, now) -> the signatures that have expired or soon will. Answered by the repository of updates."""


def _nothing_expires(_session: Session, _platform: Platform, _now: datetime) -> Sequence[Expiry]:
    return ()


EXPIRIES: Port[Expiries] = Port(_nothing_expires)
