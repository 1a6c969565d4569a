"""Alarms about a company's clocks: when one begins and when it is over. Pure.

A visible cause is watched (`Watch`). It becomes an alarm once it has held for its time, and is over once it has not
shown for `CALM`; so a flickering cause is one alarm and one all-clear. `RULES` lists the causes in a clock's state: a
new state is a row there. A silent clock reports nothing: its last report goes on, and begins nothing. A lost network is
one alarm of the company, in place of its clocks'.
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
"""Only the operator can end these, so no company hears of them."""
INSTALLATION_KINDS: Final[tuple[Kind, ...]] = ("withdrawn", "cert")
"""One alarm of the operator's company each, however many clocks it concerns."""
COMPANY_KINDS: Final[tuple[Kind, ...]] = tuple(kind for kind in KINDS if kind not in OPERATOR_KINDS)
NETWORK: Final = 0
"""In place of a clock's number: the company's network. Clocks are numbered from 1."""
Key = tuple[int, Kind]

SILENT_AFTER = 10 * MINUTE
HELD_FOR, GAP_HELD_FOR, CALM = 5 * MINUTE, DAY, 5 * MINUTE
"""How long a cause shows before it is an alarm, and not before it is over. After an outage of the service all clocks
seem silent, until each has had these minutes to come back."""
CLOCKTIME_HELD_FOR = HOUR
"""A clock that starts without a network has its time from a time service minutes after the network is back."""
TIME_HELD_WITHIN = DAY
"""Older stamps that wait for a decision about their time begin no alarm: they do not show how the clock is today."""
UPDATE_HELD_FOR, VERSION_HELD_FOR = HOUR, 8 * DAY
"""A clock installs an update while its company is closed, after 7 days at the latest."""
VERSION_VALID_FOR = 3 * DAY
"""Long enough for clocks that are switched off at night and on weekends."""
WITHDRAWN_HELD_FOR = DAY
"""The operator knows what was withdrawn, and gets this time for a successor before a mail reminds of it."""
CERT_LOW_DAYS, CERT_LOW_PART = 14, 6
"""A certificate ends soon with fewer days left, or less than this part of its lifetime, whichever comes later."""
CERT_LEAST_DAYS = 6
"""Days are too coarse for certificates with a shorter lifetime, which renew every few days or hours."""
QUEUED_FOR, DRAINED = 3 * HOUR, 10 * MINUTE
"""How long the oldest stamp has waited: an alarm begins at the first limit and ends below the second."""
DISK_LOW_MB, DISK_ENOUGH_MB = 200, 300
WEEKS, LEAST_DAYS, LEAST_STAMPS = 8, 5, 10
FEW_PERCENT = 20


@dataclass(frozen=True, slots=True)
class ClockState:
    """The state of one clock.

    `queued_for`: how long the oldest stamp has waited on the clock; zero: nothing waits. `gap`: stamps of it are
    missing. `few`: its newest day that can be judged had far fewer stamps than usual (`stamps_few`). `reader`,
    `storage`, `quality`: as in its heartbeat; `had_reader`: the reader has worked within 30 days, so a clock that never
    had one raises no alarm. `time_held_for`: the age of the newest stamp that waits for a decision about its time;
    None: no stamp waits. `is_retrying`: it downloads the version of an update that may have failed before.
    `is_outdated`: another version is available for it. `is_stranded`: its version was withdrawn and no other is
    available. `certificate`: the days that the server's certificate has left, and its whole lifetime.
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
    """A row of `RULES`.

    `shows`: whether the state is a cause, given whether the alarm is raised already. `valid_for`: how long the last
    report of a silent clock counts; after that it begins and ends nothing. None: the service itself knows the state.
    `known`: a second cause, which the service itself knows. It begins and ends also while the clock is silent, so an
    alarm that it began does not outlast it.
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
"""The causes in a clock's state. An alarm of each begins after `held_for`, and ends once `shows` is false for `CALM`.

The other kinds are no state of one clock: `silent` and `network` compare clocks, `withdrawn` and `cert` are the
installation's.
"""


@dataclass(frozen=True, slots=True)
class Watch:
    """A cause since it showed. `calm_since`: since when it has not; `until`: since when the alarm is over."""

    since: datetime
    raised: bool = False
    calm_since: datetime | None = None
    until: datetime | None = None


def causes(clocks: Mapping[int, ClockState], raised: Collection[Key], now: datetime) -> set[Key]:
    """Returns the causes that show now in a company's clocks, as (clock number, kind).

    `clocks`: the state of each clock, by its number. `raised`: the keys of the alarms that are not over. Their causes
    have other limits: a queue begins an alarm after `QUEUED_FOR` and shows until it is below `DRAINED`. If all clocks
    are silent, at least two of them without an alarm, the cause is (`NETWORK`, "network"); clocks with an alarm stay
    `silent`.

    A clock whose last contact lies in the future is silent after the same time: the server's clock was fast then.
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
    """Returns what shows of the installation: one alarm each, however many clocks it concerns."""
    shown_causes: set[Key] = set()
    if certificate_ends(clocks, now, is_raised=(NETWORK, "cert") in raised):
        shown_causes.add((NETWORK, "cert"))
    if version_withdrawn(clocks, now, is_raised=(NETWORK, "withdrawn") in raised):
        shown_causes.add((NETWORK, "withdrawn"))
    return shown_causes


def version_withdrawn(clocks: Iterable[ClockState], now: datetime, *, is_raised: bool) -> bool:
    """Returns whether clocks run a withdrawn version without a successor; ones that are off for days begin nothing."""
    return any(clock.is_stranded and (is_raised or abs(now - clock.seen_at) < VERSION_VALID_FOR) for clock in clocks)


def certificate_ends(clocks: Iterable[ClockState], now: datetime, *, is_raised: bool) -> bool:
    """Returns whether a clock that is heard sees a certificate of the server that ends soon.

    An alarm goes on while no clock is heard: all of them refuse a certificate that has ended.
    """
    heard = [clock for clock in clocks if abs(now - clock.seen_at) < SILENT_AFTER]
    if not heard:
        return is_raised
    return any(clock.certificate is not None and ends_soon(*clock.certificate) for clock in heard)


def ends_soon(days_left: int, days: int) -> bool:
    return days >= CERT_LEAST_DAYS and days_left < CERT_LOW_DAYS and days_left * CERT_LOW_PART < days


def step(kind: Kind, watch: Watch | None, shows: bool, now: datetime) -> Watch | None:
    """How it goes on with a cause that shows, or does not; None: there is nothing to watch."""
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

    A day is compared with the same weekdays of the eight weeks before it on which the company was open and the clock
    was mounted all day; it has been there since `installed_on`. Too few or too quiet days give no result.
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
    """Returns when a mail may be sent: now, or at the end of the current quiet hours (local minutes; over midnight
    too).
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
