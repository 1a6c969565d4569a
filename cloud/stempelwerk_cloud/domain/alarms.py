"""When something about a company's clocks is an alarm, and when it is over. Pure.

A cause that shows is watched (`Watch`). It is an alarm once it has held for `HELD_FOR`, and over once it has not shown
for `CALM`; so whatever flickers is one alarm and one all-clear. A silent clock says nothing: what it
said last goes on, and begins nothing. A network that is gone is one alarm of the company, in place of its clocks'.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from statistics import median
from typing import Final, Literal, get_args
from zoneinfo import ZoneInfo

from stempelwerk_cloud.domain.instants import DAY, HOUR, MINUTE, local

Kind = Literal["silent", "network", "few_stamps", "gap", "queue", "disk", "reader"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
NETWORK: Final = 0
"""In place of a clock's number: the company's network. Clocks are numbered from 1."""
Key = tuple[int, Kind]

SILENT_AFTER = 10 * MINUTE
HELD_FOR, GAP_HELD_FOR, CALM = 5 * MINUTE, DAY, 5 * MINUTE
"""How long a cause shows before it is an alarm, and not before it is over. After an outage of the service all clocks
seem silent, until each has had these minutes to come back."""
QUEUED_FOR, DRAINED = 3 * HOUR, 10 * MINUTE
"""The oldest stamp has waited so long: from the one on it is an alarm, below the other no more."""
DISK_LOW_MB, DISK_ENOUGH_MB = 200, 300
WEEKS, LEAST_DAYS, LEAST_STAMPS = 8, 5, 10
FEW_PERCENT = 20


@dataclass(frozen=True, slots=True)
class ClockState:
    """`queued_for`: how long the oldest stamp waits on the clock; zero: nothing waits. `gap`: stamps of it are missing.
    `few`: on its newest day that can be judged there were far fewer than usual (`stamps_few`). `reader`: as its
    heartbeat has it; `had_reader`: it has worked within 30 days, so a clock that never had one is no alarm.
    """

    seen_at: datetime
    queued_for: timedelta = timedelta()
    disk_free_mb: int | None = None
    gap: bool = False
    few: bool = False
    reader: str | None = None
    had_reader: bool = False


@dataclass(frozen=True, slots=True)
class Watch:
    """A cause since it showed. `calm_since`: since when it has not; `until`: since when the alarm is over."""

    since: datetime
    raised: bool = False
    calm_since: datetime | None = None
    until: datetime | None = None


def causes(clocks: Mapping[int, ClockState], raised: Collection[Key], now: datetime) -> set[Key]:
    """What shows now. `raised`: the alarms that there are, which take more to end than they took to begin.

    A clock that was heard at a time still to come was heard by a server whose clock was ahead, and not since.
    """
    silent = {no for no, clock in clocks.items() if abs(now - clock.seen_at) >= SILENT_AFTER}
    known = {no for no in silent if (no, "silent") in raised}
    others = 0 if (NETWORK, "network") in raised else 1  # of a gone network the last clock that is left is silent by it
    is_network = len(clocks.keys() - known) > others and clocks.keys() == silent
    found: set[Key] = {(no, "silent") for no in (known if is_network else silent)}
    if is_network:
        found.add((NETWORK, "network"))
    for no, clock in clocks.items():
        if no in silent:
            said: set[Kind] = {kind for kind in ("queue", "disk", "few_stamps", "reader") if (no, kind) in raised}
        else:
            said = _said(clock, {kind for one, kind in raised if one == no})
        found |= {(no, kind) for kind in said}
        if clock.gap:
            found.add((no, "gap"))
    return found


def _said(clock: ClockState, raised: Collection[Kind]) -> set[Kind]:
    found: set[Kind] = set()
    if clock.queued_for >= (DRAINED if "queue" in raised else QUEUED_FOR):
        found.add("queue")
    least = DISK_ENOUGH_MB if "disk" in raised else DISK_LOW_MB
    if clock.disk_free_mb is not None and clock.disk_free_mb < least:
        found.add("disk")
    if clock.few and ("few_stamps" in raised or not clock.queued_for):  # what waits may be what is missing
        found.add("few_stamps")
    if clock.reader == "fault" or (clock.reader == "absent" and (clock.had_reader or "reader" in raised)):
        found.add("reader")
    return found


def step(kind: Kind, watch: Watch | None, shows: bool, now: datetime) -> Watch | None:
    """How it goes on with a cause that shows, or does not; None: there is nothing to watch."""
    if shows:
        watch = replace(watch or Watch(now), calm_since=None)
        is_due = now - watch.since >= (GAP_HELD_FOR if kind == "gap" else HELD_FOR)
        return replace(watch, raised=watch.raised or is_due)
    if watch is None or not watch.raised:
        return None
    calm_since = watch.calm_since or now
    return replace(watch, calm_since=calm_since, until=calm_since if now - calm_since >= CALM else None)


def stamps_few(stamps: Mapping[date, int], closed: Collection[date], since: date, today: date) -> bool:
    """Whether a clock had far fewer stamps than usual on the newest day of the last week that can be judged.

    A day is compared with the same weekdays of the eight weeks before it on which the company was open and the clock,
    which hangs there from `since` on, was there all day. Too few or too quiet ones say nothing.
    """
    for day in (today - back * DAY for back in range(1, 8)):
        same = (day - week * 7 * DAY for week in range(1, WEEKS + 1))
        usual = [stamps.get(one, 0) for one in same if one > since and one not in closed]
        if day not in closed and len(usual) >= LEAST_DAYS and median(usual) >= LEAST_STAMPS:
            return 100 * stamps.get(day, 0) < FEW_PERCENT * median(usual)
    return False


def told_at(now: datetime, quiet: tuple[int, int] | None, zone: ZoneInfo) -> datetime:
    """When a mail goes out: at once, or when the quiet hours end that last now (local minutes; over midnight too)."""
    if quiet is None:
        return now
    begins, ends = quiet
    at = local(now, zone)
    minute = at.hour * 60 + at.minute
    if (minute - begins) % 1440 >= (ends - begins) % 1440:
        return now
    day = at.date() if minute < ends else at.date() + DAY
    return max(now, datetime.combine(day, time(*divmod(ends, 60)), zone).astimezone(UTC))
