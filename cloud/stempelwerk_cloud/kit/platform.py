"""The services shared by all rooms: settings, database, time, ids, signals, live events, metrics, ports to higher
rooms.

One `Platform` belongs to one application; it is built in `app.py` and is at `request.app.state.platform`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.clock import Clock, Ids
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.events import Signals
from stempelwerk_cloud.kit.files.packing.processes import Packing
from stempelwerk_cloud.kit.http.askers import Askers
from stempelwerk_cloud.kit.limits.bulkheads import Bulkheads
from stempelwerk_cloud.kit.limits.fair_semaphore import FairLimiter
from stempelwerk_cloud.kit.limits.rates import Rates
from stempelwerk_cloud.kit.live.hub import Live
from stempelwerk_cloud.kit.live.topics import TopicResolver
from stempelwerk_cloud.kit.mail import Mailer
from stempelwerk_cloud.kit.operations.metrics import Metrics
from stempelwerk_cloud.kit.security.key_files import Identify
from stempelwerk_cloud.kit.security.vault import Vault
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool
from stempelwerk_cloud.kit.task_registry import TaskRegistry

TagWaiting = Callable[[Session, str, str], bool]
"""(session, company_id, tag) -> whether stamps with that tag are held for an administrator. Answered by timekeeping,
asked by people.
"""


def _nothing_waits(_session: Session, _company_id: str, _tag: str) -> bool:
    return False


Balances = Callable[[Session, str, Collection[str], date], Mapping[str, tuple[int, int]]]
"""(session, company_id, user_ids, today) -> by person: today's target and the balance to date, in minutes. People
without a target are left out. Answered by the office, asked by timekeeping.
"""


def _no_balances(
    _session: Session, _company_id: str, _user_ids: Collection[str], _today: date
) -> Mapping[str, tuple[int, int]]:
    return {}


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


NO_DAYS_OFF: Final[DaysOff] = "SELECT NULL::uuid AS user_id, NULL::date AS first, NULL::date AS last WHERE 1 = 0"


Altering = Callable[[Session, str, date, datetime], Callable[[], Mapping[date, Any]]]
"""(session, company_id, today, now) -> a function; call the port before a change, and the function after the change and
again after its rollback. The function returns, by the first day of each month up to this one, everything in it that the
change may alter, as a comparable value. Answered by the office, asked by previews of a change.
"""


def _alters_nothing(
    _session: Session, _company_id: str, _today: date, _now: datetime
) -> Callable[[], Mapping[date, Any]]:
    return dict


Exported = Callable[[Session, str], tuple[set[str], set[str]]]
"""(session, company_id) -> the months (`YYYY-MM`) that have been exported, and those that are locked. Answered by the
office, asked by previews of a change.
"""


def _nothing_exported(_session: Session, _company_id: str) -> tuple[set[str], set[str]]:
    return set(), set()


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


InboxCounts = Callable[[Session, str, Collection[str], datetime], Mapping[str, tuple[int, int]]]
"""(session, company_id, user_ids, now) -> by person: the number of hand-overs that wait for their answer, and of unread
messages. People with neither are left out. Answered by planning, asked by timekeeping.
"""


def _no_inboxes(
    _session: Session, _company_id: str, _user_ids: Collection[str], _now: datetime
) -> Mapping[str, tuple[int, int]]:
    return {}


OpenGaps = Callable[[Session], Collection[tuple[int, str | None]]]
"""(session) -> (device number, company) pairs of the devices with missing stamps, for each company that may own the
stamps; None: unknown. Answered by timekeeping, asked by fleet.
"""


def _no_gaps(_session: Session) -> Collection[tuple[int, str | None]]:
    return ()


TimesHeld = Callable[[Session, str | None], Mapping[tuple[int, str], datetime]]
"""(session, company_id) -> by (device number, company): when the newest stamp that waits for a decision about its time
was received. `company_id` None: of all companies.
"""


def _no_times_held(_session: Session, _company_id: str | None) -> Mapping[tuple[int, str], datetime]:
    return {}


StampsByDay = Callable[[Session, str, ZoneInfo, date, date], Mapping[int, Mapping[date, int]]]
"""(session, company_id, zone, first, last) -> by device number and local day: how many stamps of the company the device
recorded. Answered by timekeeping, asked by fleet.
"""


def _no_stamps(
    _session: Session, _company_id: str, _zone: ZoneInfo, _first: date, _last: date
) -> Mapping[int, Mapping[date, int]]:
    return {}


ClosedDays = Callable[[Session, str, date, date], Collection[date]]
"""(session, company_id, first, last) -> the days from first to last when the company is closed. Answered by planning,
asked by fleet.
"""


def _never_closed(_session: Session, _company_id: str, _first: date, _last: date) -> Collection[date]:
    return ()


HeardAt = Callable[[Session], datetime | None]
"""(session) -> when the newest heartbeat of any clock was received. Answered by fleet, asked by the check of the
server's time (`kit/operations/service_time.py`).
"""


def _never_heard(_session: Session) -> datetime | None:
    return None


ClocksAgree = Callable[[Session, datetime], bool]
"""(session, now) -> whether clocks that have a time server of their own agree with `now`. Answered by fleet, asked by
the check of the server's time.
"""


def _nobody_agrees(_session: Session, _now: datetime) -> bool:
    return False


TapsByClock = Callable[[Session, Sequence[datetime]], Sequence[Mapping[int, Any]]]
"""(session, instants) -> for each span between two neighbouring instants: by device number, the outcome of its taps
(`domain/rollouts.Taps`). Answered by timekeeping, asked by the rollouts of versions.
"""


def _no_taps(_session: Session, instants: Sequence[datetime]) -> Sequence[Mapping[int, Any]]:
    return [{} for _ in instants[1:]]


class Expiry(NamedTuple):
    """A signature of updates that has expired or soon will. `subject`: the signed file; `text`: a German sentence for
    the operator, with the remedy.
    """

    subject: str
    is_over: bool
    text: str


Expiries = Callable[[Session, "Platform", datetime], Sequence[Expiry]]
"""(session, platform, now) -> the signatures that have expired or soon will. Answered by the repository of updates."""


def _nothing_expires(_session: Session, _platform: "Platform", _now: datetime) -> Sequence[Expiry]:
    return ()


@dataclass
class Platform:
    settings: Settings
    database: Database
    clock: Clock
    ids: Ids
    live: Live
    metrics: Metrics
    vault: Vault
    page_turns: FairLimiter
    """Limits requests that need a shared thread and a connection, by person and company (`page_shares`)."""
    heavy_turns: FairLimiter
    """Limits calls that read much of a company: one at a time for a company and for a person."""
    rates: Rates
    refusal_pause_s: float = 0.5
    """Seconds that an answer 429 is delayed: it slows a client that repeats refused calls on each of its connections.
    """
    mailer: Mailer | None = None
    """None: the installation has no mail server."""
    bulkheads: Bulkheads = field(default_factory=Bulkheads)
    signals: Signals = field(default_factory=Signals)
    askers: Askers = field(default_factory=Askers)
    outbox: "TaskRegistry[Platform]" = field(default_factory=TaskRegistry)
    subprocesses: SubprocessPool = field(default_factory=SubprocessPool)
    packing: Packing = field(init=False)
    hears: list[TopicResolver] = field(default_factory=list)
    """Each room's resolver of the live topics that a caller may subscribe to (`kit/live/topics.py`)."""
    message_types: dict[str, Any] = field(default_factory=dict)
    """The types of messages that the rooms send (`kit/room.MessageType`), by name."""
    periods: dict[str, timedelta | int] = field(default_factory=dict)
    """The retention periods of the rooms' rules (`kit/room.RetentionRule`), by their German lines; a number counts
    months.
    """
    keys: dict[str, Identify] = field(default_factory=dict)
    """The key files in the data folder by name, each with the function that returns the key's identity."""
    tag_waiting: TagWaiting = _nothing_waits
    balances: Balances = _no_balances
    worked_on_leave: WorkedOnLeave = no_leave
    days_off: DaysOff = NO_DAYS_OFF
    taps_by_clock: TapsByClock = _no_taps
    inbox_counts: InboxCounts = _no_inboxes
    altering: Altering = _alters_nothing
    exported: Exported = _nothing_exported
    told_entries: Told = nothing_told
    open_gaps: OpenGaps = _no_gaps
    times_held: TimesHeld = _no_times_held
    stamps_by_day: StampsByDay = _no_stamps
    closed_days: ClosedDays = _never_closed
    heard_at: HeardAt = _never_heard
    clocks_agree: ClocksAgree = _nobody_agrees
    expiries: Expiries = _nothing_expires
    info: dict[Any, Any] = field(default_factory=dict)
    """The values of the process, by their slots (`kit/slots.py`)."""

    def __post_init__(self) -> None:
        self.packing = Packing(self.subprocesses)


async def _platform(request: Request) -> Platform:
    platform: Platform = request.app.state.platform
    return platform


PlatformDep = Annotated[Platform, Depends(_platform)]
