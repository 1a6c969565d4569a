"""Rules for alarms about a company's clocks: when an alarm begins and when it is over. Pure.

A cause is watched from the moment it shows (`Watch`). It becomes an alarm once it has shown for its `held_for`, and the
alarm is over once the cause has not shown for `CALM`. So a flickering cause is one alarm with one all-clear.

`RULES` lists the causes that follow from the state of one clock; a new kind is a new row there. A silent clock reports
nothing: alarms from its last report go on, and no new ones begin. If all clocks of a company are silent, one alarm
about the network replaces those of the clocks.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from statistics import median
from types import MappingProxyType
from typing import Final, Literal, get_args
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import DAY, HOUR, MINUTE, local

Kind = Literal[
    "silent",
    "network",
    "few_stamps",
    "gap",
    "queue",
    "disk",
    "reader",
    "storage",
    "clocktime",
    "fork",
    "conflict",
    "update",
    "version",
    "withdrawn",
    "cert",
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
OPERATOR_KINDS: Final[frozenset[Kind]] = frozenset({"conflict", "update", "version", "withdrawn", "cert"})
"""Kinds of alarms that only the operator can end. They are therefore not shown to companies."""
INSTALLATION_KINDS: Final[tuple[Kind, ...]] = ("withdrawn", "cert")
"""Kinds with only one alarm of the operator's company, however many clocks are concerned."""
COMPANY_KINDS: Final[tuple[Kind, ...]] = tuple(kind for kind in KINDS if kind not in OPERATOR_KINDS)
NETWORK: Final = 0
"""Stands in place of a clock's number for the company's network. Clocks are numbered from 1."""
Key = tuple[int, Kind]

SILENT_AFTER = 10 * MINUTE
HELD_FOR, GAP_HELD_FOR, CALM = 5 * MINUTE, DAY, 5 * MINUTE
"""How long most causes must show before they are an alarm; for how long missing stamps must; and for how long a cause
must not show until its alarm is over.

After an outage of the service all clocks seem silent, until each has had these minutes to send a heartbeat.
"""
CLOCKTIME_HELD_FOR = HOUR
"""How long a wrong time of a clock must show before it is an alarm. A clock that starts without a network gets its time
some minutes after the network is back.
"""
TIME_HELD_WITHIN = DAY
"""Only stamps that are younger than this, and wait for a decision about their time, begin an alarm. Older ones do not
show the clock's present state.
"""
UPDATE_HELD_FOR, VERSION_HELD_FOR = HOUR, 8 * DAY
"""How long a failed update, and an outdated version, must show before they are an alarm. A clock installs an update
while its company is closed, but after 7 days at the latest.
"""
VERSION_VALID_FOR = 3 * DAY
"""How long the version in a clock's last report counts. It is long enough for clocks that are switched off at night and
on weekends.
"""
WITHDRAWN_HELD_FOR = DAY
"""How long a withdrawn version must be in use before it is an alarm. The operator knows of the withdrawal, and gets
this time to publish a successor before a mail reminds of it.
"""
CERT_LOW_DAYS, CERT_LOW_PART = 14, 6
"""A certificate ends soon if fewer days than `CERT_LOW_DAYS` are left and these are less than 1/`CERT_LOW_PART` of its
lifetime.
"""
CERT_LEAST_DAYS = 6
"""Certificates with a shorter lifetime in days raise no alarm. They are renewed every few days or hours; whole days are
too coarse for them.
"""
QUEUED_FOR, DRAINED = 3 * HOUR, 10 * MINUTE
"""An alarm about the queue begins when the oldest stamp has waited for `QUEUED_FOR`, and ends when it has waited for
less than `DRAINED`.
"""
DISK_LOW_MB, DISK_ENOUGH_MB = 200, 300
WEEKS, LEAST_DAYS, LEAST_STAMPS = 8, 5, 10
FEW_PERCENT = 20


@dataclass(frozen=True, slots=True)
class ClockState:
    """The state of one clock, as input of the rules about causes.

    `queued_for`: how long the oldest stamp has waited on the clock; zero for an empty queue. `gap`: stamps of the clock
    are missing. `few`: its newest day that can be judged had far fewer stamps than usual (`stamps_few`). `reader`,
    `storage` and `quality`: as in its heartbeat. `had_reader`: the reader has worked within 30 days; a clock that never
    had one raises no alarm.

    `time_held_for`: the age of the newest stamp that waits for a decision about its time; None if no stamp does.
    `is_retrying`: the clock downloads the version of an update that may have failed before. `is_outdated`: another
    version is offered to it. `is_stranded`: its version was withdrawn and no other is offered. `certificate`: the
    remaining days and the whole lifetime in days of the server's certificate.
    """

    seen_at: datetime
    queued_for: timedelta = timedelta()
    disk_free_mb: int | None = None
    gap: bool = False
    few: bool = False
    reader: str | None = None
    had_reader: bool = False
    storage: str | None = None
    quality: str | None = None
    time_held_for: timedelta | None = None
    is_forked: bool = False
    has_conflict: bool = False
    update_failed: bool = False
    is_retrying: bool = False
    is_outdated: bool = False
    is_stranded: bool = False
    certificate: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of `RULES`. `shows`: a function of the clock's state and of whether the alarm is raised already; it returns
    whether the cause shows.

    `valid_for`: how long the last report of a silent clock counts. After that it neither begins nor ends an alarm.
    None: the service itself knows the state, so no report is needed. `known`: a second cause that the service itself
    knows. It begins and ends alarms while the clock is silent as well, so that an alarm from it does not outlast it.
    """

    shows: Callable[[ClockState, bool], bool]
    held_for: timedelta = HELD_FOR
    valid_for: timedelta | None = SILENT_AFTER
    known: Callable[[ClockState, bool], bool] | None = None

    def is_cause(self, clock: ClockState, now: datetime, *, is_raised: bool) -> bool:
        if self.known is not None and self.known(clock, is_raised):
            return True
        if self.valid_for is None or abs(now - clock.seen_at) < self.valid_for:
            return self.shows(clock, is_raised)
        return is_raised and (self.known is None or self.shows(clock, is_raised))


def _is_time_held(clock: ClockState, is_raised: bool) -> bool:
    return clock.time_held_for is not None and (is_raised or clock.time_held_for < TIME_HELD_WITHIN)


RULES: Final[Mapping[Kind, Rule]] = MappingProxyType(
    {
        # Stamps that wait may be the ones that are missing.
        "few_stamps": Rule(lambda clock, is_raised: clock.few and (is_raised or not clock.queued_for)),
        "gap": Rule(lambda clock, _: clock.gap, GAP_HELD_FOR, valid_for=None),
        "queue": Rule(lambda clock, is_raised: clock.queued_for >= (DRAINED if is_raised else QUEUED_FOR)),
        "disk": Rule(
            lambda clock, is_raised: (
                clock.disk_free_mb is not None and clock.disk_free_mb < (DISK_ENOUGH_MB if is_raised else DISK_LOW_MB)
            )
        ),
        "reader": Rule(
            lambda clock, is_raised: (
                clock.reader == "fault" or (clock.reader == "absent" and (clock.had_reader or is_raised))
            )
        ),
        "storage": Rule(lambda clock, _: clock.storage in ("failed", "replaced")),
        "clocktime": Rule(lambda clock, _: clock.quality == "none", CLOCKTIME_HELD_FOR, known=_is_time_held),
        "fork": Rule(lambda clock, _: clock.is_forked, valid_for=None),
        "conflict": Rule(lambda clock, _: clock.has_conflict, valid_for=None),
        "update": Rule(
            lambda clock, is_raised: clock.update_failed or (is_raised and clock.is_retrying), UPDATE_HELD_FOR
        ),
        # A failed update has an alarm of its own.
        "version": Rule(
            lambda clock, is_raised: clock.is_outdated and (is_raised or not clock.update_failed),
            VERSION_HELD_FOR,
            VERSION_VALID_FOR,
        ),
    }
)
"""The causes that follow from the state of one clock. Their alarm begins after `held_for`, and ends once `shows` has
been false for `CALM`.

Four kinds are missing: `silent` and `network` compare clocks, `withdrawn` and `cert` concern the installation.
"""


@dataclass(frozen=True, slots=True)
class Watch:
    """A cause that is watched since it first showed. `calm_since`: since when it has not shown. `until`: since when its
    alarm is over.
    """

    since: datetime
    raised: bool = False
    calm_since: datetime | None = None
    until: datetime | None = None


def causes(clocks: Mapping[int, ClockState], raised: Collection[Key], now: datetime) -> set[Key]:
    """Returns the causes that a company's clocks show now, as (clock number, kind).

    `clocks`: the state of each clock, by its number. `raised`: the keys of the alarms that are not over. For them other
    limits hold: a queue begins an alarm after `QUEUED_FOR`, and then shows until it is below `DRAINED`.

    If all clocks are silent, and at least two of them have no alarm yet, the cause is (`NETWORK`, "network"). Clocks
    that have an alarm about silence keep it. A clock whose last contact lies in the future counts as silent after the
    same time, because the server's clock was fast then.
    """
    silent = {no for no, clock in clocks.items() if abs(now - clock.seen_at) >= SILENT_AFTER}
    known_silent = {no for no in silent if (no, "silent") in raised}
    # without a network the last remaining clock is silent because of it
    min_silent = 0 if (NETWORK, "network") in raised else 1
    is_network = len(clocks.keys() - known_silent) > min_silent and clocks.keys() == silent
    shown_causes: set[Key] = {(no, "silent") for no in (known_silent if is_network else silent)}
    if is_network:
        shown_causes.add((NETWORK, "network"))
    for no, clock in clocks.items():
        for kind, rule in RULES.items():
            if rule.is_cause(clock, now, is_raised=(no, kind) in raised):
                shown_causes.add((no, kind))
    return shown_causes


def installation_causes(clocks: Collection[ClockState], raised: Collection[Key], now: datetime) -> set[Key]:
    """Returns the causes that concern the installation as a whole. Each is one alarm, however many clocks show it."""
    shown_causes: set[Key] = set()
    if certificate_ends(clocks, now, is_raised=(NETWORK, "cert") in raised):
        shown_causes.add((NETWORK, "cert"))
    if version_withdrawn(clocks, now, is_raised=(NETWORK, "withdrawn") in raised):
        shown_causes.add((NETWORK, "withdrawn"))
    return shown_causes


def version_withdrawn(clocks: Iterable[ClockState], now: datetime, *, is_raised: bool) -> bool:
    """Returns whether clocks run a withdrawn version without a successor. Clocks that have been off for days begin no
    alarm.
    """
    return any(clock.is_stranded and (is_raised or abs(now - clock.seen_at) < VERSION_VALID_FOR) for clock in clocks)


def certificate_ends(clocks: Iterable[ClockState], now: datetime, *, is_raised: bool) -> bool:
    """Returns whether a clock that is online sees a certificate of the server that ends soon.

    An alarm goes on while no clock is online, because clocks refuse an expired certificate and then send nothing.
    """
    heard = [clock for clock in clocks if abs(now - clock.seen_at) < SILENT_AFTER]
    if not heard:
        return is_raised
    return any(clock.certificate is not None and ends_soon(*clock.certificate) for clock in heard)


def ends_soon(days_left: int, days: int) -> bool:
    return days >= CERT_LEAST_DAYS and days_left < CERT_LOW_DAYS and days_left * CERT_LOW_PART < days


def step(kind: Kind, watch: Watch | None, shows: bool, now: datetime) -> Watch | None:
    """Returns the next state of a watched cause, given whether it `shows` now. None: it need not be watched any
    more.
    """
    if shows:
        watch = replace(watch or Watch(now), calm_since=None)
        is_due = now - watch.since >= _held_for(kind)
        return replace(watch, raised=watch.raised or is_due)
    if watch is None or not watch.raised:
        return None
    calm_since = watch.calm_since or now
    return replace(watch, calm_since=calm_since, until=calm_since if now - calm_since >= CALM else None)


def _held_for(kind: Kind) -> timedelta:
    if kind == "withdrawn":
        return WITHDRAWN_HELD_FOR
    return RULES[kind].held_for if kind in RULES else HELD_FOR


def stamps_few(stamps: Mapping[date, int], closed: Collection[date], installed_on: date, today: date) -> bool:
    """Returns whether a clock had far fewer stamps than usual on the newest day of the last week that can be judged.

    A day is compared with the same weekday in the eight weeks before. Weeks count only if the company was open on
    that day and the clock was installed before it (`installed_on`). A day with too few or too quiet days to compare
    cannot be judged.
    """
    for day in (today - back * DAY for back in range(1, 8)):
        same_weekdays = (day - week * 7 * DAY for week in range(1, WEEKS + 1))
        usual = [
            stamps.get(earlier_day, 0)
            for earlier_day in same_weekdays
            if earlier_day > installed_on and earlier_day not in closed
        ]
        if day not in closed and len(usual) >= LEAST_DAYS and median(usual) >= LEAST_STAMPS:
            return 100 * stamps.get(day, 0) < FEW_PERCENT * median(usual)
    return False


def notify_at(now: datetime, quiet: tuple[int, int] | None, zone: ZoneInfo) -> datetime:
    """Returns when a mail may be sent: `now`, or the end of the current quiet hours. `quiet`: begin and end in minutes
    since local midnight; the hours may last over midnight.
    """
    if quiet is None:
        return now
    quiet_start, quiet_end = quiet
    local_now = local(now, zone)
    minute = local_now.hour * 60 + local_now.minute
    if (minute - quiet_start) % 1440 >= (quiet_end - quiet_start) % 1440:
        return now
    day = local_now.date() if minute < quiet_end else local_now.date() + DAY
    return max(now, datetime.combine(day, time(*divmod(quiet_end, 60)), zone).astimezone(UTC))
