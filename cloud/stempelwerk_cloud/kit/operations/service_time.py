"""The check of the server's time. While it is in doubt, no job removes or decides anything by the time, and clocks do
not get the time.

The time of the last check is in the database, so that it outlives the process. Each process compares its own clock with
it. Deliberately not here: the rule (`domain/steady_time.py`), and the alarm (`fleet/alarms/watch/service_alarms.py`).
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import structlog
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.steady_time import TimeWatch, fits, step
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.clock import Clock
from stempelwerk_cloud.kit.database.rows import upsert
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.operations.tables import THE_ONE, ServiceTime
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot

WRITTEN_EVERY = timedelta(minutes=1)
_LAST_CHECK: Slot[Platform, tuple[datetime | None, bool]] = Slot(lambda _: (None, False))
"""The trusted time of the process's last check, and whether clocks agreed then; None before the first check."""
HINT = "check the server's date and time; if they are right, run 'stempelwerk-cloud confirm-time'"

log = structlog.get_logger(__name__)


class TimeInDoubt(Exception):
    """The server's time has jumped while a job was running."""


class _SteadyClock:
    """The clock of a job. `now` raises TimeInDoubt if the time has jumped since the last check."""

    def __init__(self, clock: Clock, trusted_at: datetime) -> None:
        self._clock = clock
        self._trusted_at = trusted_at

    def now(self) -> datetime:
        now = self._clock.now()
        if not fits(self._trusted_at, now):
            raise TimeInDoubt
        return now


def steady(platform: Platform) -> Platform | None:
    """Checks the time, and returns a platform for a job that removes or decides by it; None while the time is in
    doubt.
    """
    watch = observe(platform)
    if watch.doubted_at is not None:
        return None
    return replace(platform, clock=_SteadyClock(platform.clock, watch.trusted_at))


def observe(platform: Platform) -> TimeWatch:
    """Checks the time of this process and returns the result. It is stored once a minute and at each change."""
    watch, agreed = _observe(platform), False
    if watch.doubted_at is not None:
        with platform.database.read(SYSTEM) as session:
            agreed = ports.CLOCKS_AGREE.of(platform)(session, platform.clock.now())
    _LAST_CHECK.set(platform, (watch.trusted_at, agreed))
    return watch


def misleads_clocks(platform: Platform) -> bool:
    """Returns whether clocks must not get this process's time: it does not fit the last check, and no clock's own time
    confirms it.

    A clock dates its stamps by the times that it gets. The current time is compared with that of the last check, so
    that a jump is noticed at once.
    """
    trusted_at, agreed = _LAST_CHECK.of(platform)
    return trusted_at is not None and not agreed and not fits(trusted_at, platform.clock.now())


def _observe(platform: Platform) -> TimeWatch:
    with platform.database.read(SYSTEM) as session:
        previous = read(session)
        current = _judge(platform, session, previous)
    if previous is not None and previous.doubted_at == current.doubted_at is None and _is_near(previous, current):
        return current
    with platform.database.write(SYSTEM) as session:
        previous = read(session)
        current = _judge(platform, session, previous)
        _write(session, current)
    _log(previous, current)
    return current


def confirm(database: Database, now: datetime, note: Callable[[Session], None] = lambda _: None) -> TimeWatch | None:
    """Trusts the current time because an operator confirmed it; returns the previous state. `note` logs this in the
    same transaction.
    """
    with database.write(SYSTEM) as session:
        previous = read(session)
        _write(session, TimeWatch(now))
        note(session)
    return previous


def read(session: Session) -> TimeWatch | None:
    row = session.get(ServiceTime, THE_ONE)
    return None if row is None else TimeWatch(row.trusted_at, row.doubted_from, row.doubted_at)


def is_doubted(session: Session) -> bool:
    """Returns whether the last check doubted the server's time."""
    watch = read(session)
    return watch is not None and watch.doubted_at is not None


def _judge(platform: Platform, session: Session, previous: TimeWatch | None) -> TimeWatch:
    now = platform.clock.now()
    heard_at = ports.HEARD_AT.of(platform)(session) if previous is None else None
    is_doubted = previous is not None and previous.doubted_at is not None
    return step(previous, now, heard_at, agreed=is_doubted and ports.CLOCKS_AGREE.of(platform)(session, now))


def _is_near(previous: TimeWatch, current: TimeWatch) -> bool:
    return abs(current.trusted_at - previous.trusted_at) < WRITTEN_EVERY


def _write(session: Session, watch: TimeWatch) -> None:
    values = {"trusted_at": watch.trusted_at, "doubted_from": watch.doubted_from, "doubted_at": watch.doubted_at}
    row = upsert(session, ServiceTime).values(no=THE_ONE, **values)
    session.execute(row.on_conflict_do_update(index_elements=["no"], set_=values))


def _log(previous: TimeWatch | None, current: TimeWatch) -> None:
    was_doubted = previous is not None and previous.doubted_at is not None
    if current.doubted_at is not None and not was_doubted:
        log.error(
            "time_in_doubt",
            now=current.doubted_at.isoformat(),
            trusted=current.trusted_at.isoformat(),
            effect="nothing is removed, no job decides by the time, and clocks keep their stamps",
            hint=HINT,
        )
    elif was_doubted and current.doubted_at is None:
        log.warning("time_trusted", now=current.trusted_at.isoformat())
