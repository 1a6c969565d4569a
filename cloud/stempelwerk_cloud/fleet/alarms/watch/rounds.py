"""The job that checks all clocks once a minute. It stores new causes, raises and ends alarms, and plans their mails.

Several processes may run it at once. Changes are first computed without a lock; then each company with changes is
locked and its changes are computed again. A clock is checked only after its first heartbeat for its company, so a new
clock does not count as silent.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, cast

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.alarms import (
    KINDS,
    WEEKS,
    ClockState,
    Key,
    Kind,
    Watch,
    causes,
    installation_causes,
    stamps_few,
    step,
)
from stempelwerk_cloud.domain.instants import DAY, EPOCH, HOUR, MILLISECOND, day_end, local_day
from stempelwerk_cloud.fleet.alarms import service
from stempelwerk_cloud.fleet.alarms.tables import Alarm
from stempelwerk_cloud.fleet.alarms.watch import notifications, service_alarms
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.queries import WatchedClock
from stempelwerk_cloud.fleet.rollouts import service as rollouts
from stempelwerk_cloud.fleet.rollouts.service import VersionFaults
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.http.schemas import parse_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.directory import companies as directory_companies
from stempelwerk_cloud.people.directory.companies import zone_of
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

CHECK_DELAY = 4 * HOUR
"""Time after local midnight until a company's clocks are checked for few stamps. Meanwhile clocks have delivered the
stamps of the day before.
"""
CHECKS_PER_ROUND = 20
"""Maximum number of companies that one round checks for few stamps. A check takes about 150 ms of processor time, and
the checks of all companies are due at once after a start of the service and at four o'clock.
"""

READER_MISSED_FOR = 30 * DAY
"""A reader that is absent raises an alarm if it has worked within this time. The time is longer than company holidays,
so that a reader that breaks during them is noticed. It is limited so that the alarm ends for a clock whose reader was
removed on purpose.
"""

log = structlog.get_logger(__name__)


class FewStampsCheck(NamedTuple):
    """A company's clocks with far fewer stamps than usual, as found by the last check.

    `few`: their numbers; None before the first check of this process. Until then an existing alarm about few stamps
    goes on.
    """

    valid_until: datetime = EPOCH
    few: frozenset[int] | None = None


FEW_STAMPS_CHECKS: Slot[Platform, defaultdict[str, FewStampsCheck]] = Slot(lambda _: defaultdict(FewStampsCheck))
"""The last checks of this process, by company."""


class Survey(NamedTuple):
    """State of the whole installation, read once a round before any lock. No company's lock protects it.

    `gaps`: the clocks with missing stamps, as the port `OPEN_GAPS` returns them. `versions`: clocks with a wrong
    version.
    """

    clocks: list[WatchedClock]
    gaps: frozenset[tuple[int, str | None]]
    versions: VersionFaults


Change = tuple[Key, Alarm | None, Watch | None]
"""A cause (clock number and kind), the row stored for it (None: not stored yet), and its new state (None: delete the
row).
"""


def run_round(platform: Platform) -> None:
    """Checks every company (job). If one fails, the error is logged and the company is checked again in the
    next round.
    """
    devices.write_beats(platform)
    service_alarms.run_round(platform)
    now, checks = platform.clock.now(), FEW_STAMPS_CHECKS.of(platform)
    with platform.database.read(SYSTEM) as session:
        clocks = _by_company(devices.watched(session, now))
    due = sorted(
        (company_id for company_id in clocks if checks[company_id].valid_until <= now),
        key=lambda company_id: checks[company_id].valid_until,
    )
    for company_id in due[:CHECKS_PER_ROUND]:
        checks[company_id] = checks[company_id]._replace(
            valid_until=now + HOUR
        )  # a failed check is repeated after an hour
        _try(check_few_stamps, platform, company_id, clocks[company_id])
    with platform.database.read(SYSTEM) as session:
        installation = survey(session, platform)
        differing = sorted(_changes(session, platform, now, installation))
    for company_id in differing:
        _try(update_company, platform, company_id, installation)


def survey(session: Session, platform: Platform) -> Survey:
    clocks = devices.watched(session, platform.clock.now())
    return Survey(clocks, frozenset(ports.OPEN_GAPS.of(platform)(session)), rollouts.version_faults(session, clocks))


def update_company(platform: Platform, company_id: str, installation: Survey) -> None:
    """Writes the changes of one company's alarms and plans the mails about them. Takes the company's lock and computes
    the changes again under it.
    """
    with unit_of_work(platform, SYSTEM) as work:
        service.lock_alarms(work, company_id)
        changes = _changes(work.session, platform, work.now(), installation, company_id)
        news = [alarm for change in changes.get(company_id, ()) if (alarm := _write(work, company_id, *change))]
        work.session.flush()
        for alarm in news:
            notifications.plan(work, alarm)
        if news:
            service.refresh_pages(work, company_id)


def check_few_stamps(platform: Platform, company_id: str, clocks: Sequence[WatchedClock]) -> None:
    """Finds the company's clocks with far fewer stamps than usual and remembers them in this process until the next
    day.
    """
    now = platform.clock.now()
    with platform.database.read(of_company(company_id)) as session:
        zone = zone_of(session, company_id, now)
        today = local_day(now - CHECK_DELAY, zone)
        days = today - (7 * WEEKS + 7) * DAY, today - DAY
        stamps = ports.STAMPS_BY_DAY.of(platform)(session, company_id, zone, *days)
        closed = ports.CLOSED_DAYS.of(platform)(session, company_id, *days)
    few = (
        clock.no
        for clock in clocks
        if stamps_few(stamps.get(clock.no, {}), closed, local_day(clock.starts_at, zone), today)
    )
    FEW_STAMPS_CHECKS.of(platform)[company_id] = FewStampsCheck(day_end(today, zone) + CHECK_DELAY, frozenset(few))


def _try(work: Callable[..., None], platform: Platform, company_id: str, *arguments: Any) -> None:
    try:
        work(platform, company_id, *arguments)
    except Exception as error:
        log.error("job_failed", job="alarms", company_id=company_id, exc_info=error)


def _by_company(clocks: Sequence[WatchedClock]) -> dict[str, list[WatchedClock]]:
    clocks_by_company: dict[str, list[WatchedClock]] = defaultdict(list)
    for clock in clocks:
        clocks_by_company[clock.company_id].append(clock)
    return clocks_by_company


def _changes(
    session: Session, platform: Platform, now: datetime, survey: Survey, company_id: str | None = None
) -> Mapping[str, list[Change]]:
    """Returns by company the causes whose stored state differs from their new one; of `company_id`, or (None) of all
    companies. Companies without a difference are missing.
    """
    operator_id = directory_companies.operator_id(platform)
    watched: dict[str, dict[Key, Alarm]] = defaultdict(dict)
    statement = select(Alarm).where(Alarm.until.is_(None), Alarm.kind.in_(KINDS))
    for row in session.scalars(statement if company_id is None else statement.where(Alarm.company_id == company_id)):
        watched[row.company_id][row.device_no, cast("Kind", row.kind)] = row
    watched_clocks = survey.clocks if company_id is None else devices.watched(session, now, company_id)
    states = _states(session, platform, watched_clocks, survey, watched, now, company_id)
    clocks = _by_company(watched_clocks)
    changes: dict[str, list[Change]] = defaultdict(list)
    companies = clocks.keys() | watched.keys()
    if operator_id is not None and company_id in (None, operator_id):
        companies.add(operator_id)
    for owner_id in companies:
        rows = watched[owner_id]
        raised = {key for key, row in rows.items() if row.raised}
        active_causes = causes({clock.no: states[clock.no] for clock in clocks.get(owner_id, ())}, raised, now)
        if owner_id == operator_id:
            active_causes |= installation_causes(_installation_states(survey), raised, now)
        for key in active_causes | rows.keys():
            alarm = rows.get(key)
            current_watch = None if alarm is None else Watch(alarm.since, alarm.raised, alarm.calm_since)
            next_watch = step(key[1], current_watch, key in active_causes, now)
            if next_watch != current_watch:
                changes[owner_id].append((key, alarm, next_watch))
    return changes


def _states(
    session: Session,
    platform: Platform,
    clocks: Sequence[WatchedClock],
    survey: Survey,
    watched: Mapping[str, Mapping[Key, Alarm]],
    now: datetime,
    company_id: str | None,
) -> dict[int, ClockState]:
    """Returns the state of each clock, by clock number, for the rules of `domain.alarms`."""
    checks, versions = FEW_STAMPS_CHECKS.of(platform), survey.versions
    times_held = ports.TIMES_HELD.of(platform)(session, company_id)
    nos_without_reader = [clock.no for clock in clocks if clock.reader == "absent"]
    had_reader = devices.had_reader(session, nos_without_reader, now - READER_MISSED_FOR)

    def has_few(clock: WatchedClock) -> bool:
        few = checks[clock.company_id].few
        return clock.no in few if few is not None else (clock.no, "few_stamps") in watched.get(clock.company_id, {})

    def time_held_for(clock: WatchedClock) -> timedelta | None:
        received_at = times_held.get((clock.no, clock.company_id))
        return None if received_at is None else now - received_at

    return {
        clock.no: ClockState(
            seen_at=clock.seen_at,
            queued_for=_queued_for(clock),
            disk_free_mb=clock.disk_free_mb,
            gap=not survey.gaps.isdisjoint({(clock.no, clock.company_id), (clock.no, None)}),
            few=has_few(clock),
            reader=clock.reader,
            had_reader=clock.no in had_reader,
            storage=clock.storage,
            quality=clock.quality,
            time_held_for=time_held_for(clock),
            is_forked=clock.is_forked,
            has_conflict=clock.has_conflict,
            update_failed=clock.no in versions.failed,
            is_retrying=clock.no in versions.retrying,
            is_outdated=clock.no in versions.outdated,
        )
        for clock in clocks
    }


def _installation_states(survey: Survey) -> list[ClockState]:
    """Returns the state of each clock with only the fields that decide the installation's own causes."""
    stranded = survey.versions.stranded
    return [
        ClockState(clock.seen_at, is_stranded=clock.no in stranded, certificate=clock.certificate)
        for clock in survey.clocks
    ]


def _queued_for(clock: WatchedClock) -> timedelta:
    """Returns how long the clock's oldest stamp has waited; zero for an empty queue.

    Both times are the clock's own, because its time may be wrong by years. If one of them is unreadable, the result is
    one millisecond: stamps wait, but their age is unknown.
    """
    if not clock.queue_depth:
        return timedelta()
    try:
        return max(parse_instant(clock.wall) - parse_instant(clock.queue_oldest or ""), MILLISECOND)
    except ValueError:
        return MILLISECOND


def _write(work: UnitOfWork, company_id: str, key: Key, row: Alarm | None, watch: Watch | None) -> Alarm | None:
    """Writes the change, and returns the alarm if it was raised or ended now."""
    if watch is None:
        work.session.delete(row)
        return None
    was_raised = row is not None and row.raised
    if row is None:
        row = Alarm(company_id=company_id, id=work.new_id(), device_no=key[0], kind=key[1], since=watch.since)
        work.session.add(row)
    row.raised, row.calm_since, row.until = watch.raised, watch.calm_since, watch.until
    return row if watch.until is not None or (watch.raised and not was_raised) else None
