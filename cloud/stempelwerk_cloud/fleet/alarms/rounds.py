"""Checks all clocks once a minute and writes the differences: causes that appear, alarms that are raised, alarms that
end.

Several processes may run this at once. Differences are looked for without blocking others, then recomputed under the
company's lock. A clock counts once its company has heard it, so a new clock is not silent.
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
from stempelwerk_cloud.fleet.alarms import notifications, service, service_alarms
from stempelwerk_cloud.fleet.alarms.tables import Alarm
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.service import WatchedClock
from stempelwerk_cloud.fleet.rollouts import service as rollouts
from stempelwerk_cloud.fleet.rollouts.service import VersionFaults
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.http.schemas import parse_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

CHECK_DELAY = 4 * HOUR
"""Delay after the local midnight. The day's stamps have arrived until then."""
CHECKS_PER_ROUND = 20
"""Maximum number of companies a round. Each takes about 150 ms of a processor, and all are due at once after a start
and at four o'clock.
"""

READER_MISSED_FOR = 30 * DAY
"""Longer than a company's holidays, so that a reader which dies during them is missed; short enough for a clock whose
reader was removed.
"""

log = structlog.get_logger(__name__)


class FewStampsCheck(NamedTuple):
    """Clocks with few stamps, valid until the next check. `few` None: not checked yet, so an open cause goes on."""

    valid_until: datetime = EPOCH
    few: frozenset[int] | None = None


class Survey(NamedTuple):
    """State of the whole installation, which no company's lock guards. It is read once a round, before any lock.

    `gaps`: as `Platform.open_gaps` returns them.
    """

    clocks: list[WatchedClock]
    gaps: frozenset[tuple[int, str | None]]
    versions: VersionFaults


Change = tuple[Key, Alarm | None, Watch | None]
"""A cause, its stored alarm, and its new state."""


def run_round(platform: Platform) -> None:
    """Checks every company. A failure of one company is logged, and the company is checked again in the next round."""
    devices.write_beats(platform)
    service_alarms.run_round(platform)
    now, checks = platform.clock.now(), _few_stamps_checks(platform)
    with platform.database.read(SYSTEM) as session:
        clocks = _by_company(devices.watched(session, now))
    due = sorted(
        (company_id for company_id in clocks if checks[company_id].valid_until <= now),
        key=lambda company_id: checks[company_id].valid_until,
    )
    for company_id in due[:CHECKS_PER_ROUND]:
        checks[company_id] = checks[company_id]._replace(valid_until=now + HOUR)  # in case the check fails
        _try(check_few_stamps, platform, company_id, clocks[company_id])
    with platform.database.read(SYSTEM) as session:
        installation = survey(session, platform)
        differing = sorted(_changes(session, platform, now, installation))
    for company_id in differing:
        _try(update_company, platform, company_id, installation)


def survey(session: Session, platform: Platform) -> Survey:
    clocks = devices.watched(session, platform.clock.now())
    return Survey(clocks, frozenset(platform.open_gaps(session)), rollouts.version_faults(session, clocks))


def update_company(platform: Platform, company_id: str, installation: Survey) -> None:
    """Writes the changes of one company and plans their mails. Reads the company's clocks again, under its lock."""
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
    """Finds the company's clocks with few stamps, once a day in each process."""
    now = platform.clock.now()
    with platform.database.read(of_company(company_id)) as session:
        zone = directory.zone_of(session, company_id, now)
        today = local_day(now - CHECK_DELAY, zone)
        days = today - (7 * WEEKS + 7) * DAY, today - DAY
        stamps = platform.stamps_by_day(session, company_id, zone, *days)
        closed = platform.closed_days(session, company_id, *days)
    few = (
        clock.no
        for clock in clocks
        if stamps_few(stamps.get(clock.no, {}), closed, local_day(clock.starts_at, zone), today)
    )
    _few_stamps_checks(platform)[company_id] = FewStampsCheck(day_end(today, zone) + CHECK_DELAY, frozenset(few))


def _try(work: Callable[..., None], platform: Platform, company_id: str, *arguments: Any) -> None:
    try:
        work(platform, company_id, *arguments)
    except Exception as error:
        log.error("job_failed", job="alarms", company_id=company_id, exc_info=error)


def _few_stamps_checks(platform: Platform) -> dict[str, FewStampsCheck]:
    checks: dict[str, FewStampsCheck] = platform.state.setdefault("alarms", defaultdict(FewStampsCheck))
    return checks


def _by_company(clocks: Sequence[WatchedClock]) -> dict[str, list[WatchedClock]]:
    clocks_by_company: dict[str, list[WatchedClock]] = defaultdict(list)
    for clock in clocks:
        clocks_by_company[clock.company_id].append(clock)
    return clocks_by_company


def _changes(
    session: Session, platform: Platform, now: datetime, survey: Survey, company_id: str | None = None
) -> Mapping[str, list[Change]]:
    """Returns the differences by company; of all companies, or of `company_id`."""
    operator_id = directory.operator_id(platform)
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
    """Returns the states of the clocks, by number. A clock belongs to one company at a time."""
    checks, versions = _few_stamps_checks(platform), survey.versions
    times_held = platform.times_held(session, company_id)
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
    """Returns the causes of the installation that each clock shows."""
    stranded = survey.versions.stranded
    return [
        ClockState(clock.seen_at, is_stranded=clock.no in stranded, certificate=clock.certificate)
        for clock in survey.clocks
    ]


def _queued_for(clock: WatchedClock) -> timedelta:
    """Returns the age of the oldest queued stamp, measured in the clock's own time, which may be wrong by years."""
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
