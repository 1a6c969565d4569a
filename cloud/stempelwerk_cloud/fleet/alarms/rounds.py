"""Looks at all clocks once a minute, and writes down what differs: what shows, what is an alarm now, what is over.

It may run in several processes at once: what differs is looked for without keeping anybody waiting, and decided anew
behind the company's lock. A clock counts once its company has heard it: one on its way there is not silent.
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
    NETWORK,
    WEEKS,
    ClockState,
    Key,
    Kind,
    Watch,
    causes,
    certificate_ends,
    stamps_few,
    step,
)
from stempelwerk_cloud.domain.instants import DAY, EPOCH, HOUR, MILLISECOND, day_end, local_day
from stempelwerk_cloud.fleet.alarms import service, service_alarms, telling
from stempelwerk_cloud.fleet.alarms.tables import Alarm
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.service import WatchedClock
from stempelwerk_cloud.fleet.rollouts import service as rollouts
from stempelwerk_cloud.kit.database.scopes import SYSTEM, of_company
from stempelwerk_cloud.kit.http.schemas import parse_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import Work, working

JUDGED_AFTER = 4 * HOUR
"""Behind the local midnight: by then the day's stamps have come."""
JUDGED_A_ROUND = 20
"""Companies at most. Some 150 ms of a processor: after a start, and at four o'clock, all of them are due at once."""

READER_MISSED_FOR = 30 * DAY
"""Longer than a company's holidays, so a reader that dies during them is missed; short enough for a clock whose reader
was removed."""

TIMES_HELD_FOR = DAY
"""Stamps that wait for longer say nothing of the clock today. They stay on the company's list."""

log = structlog.get_logger(__name__)


class Judged(NamedTuple):
    """The clocks with few stamps, until they are counted again; None: not counted yet, so what shows goes on."""

    until: datetime = EPOCH
    few: frozenset[int] | None = None


Change = tuple[Key, Alarm | None, Watch | None]
"""A cause, what is written of it, and what is to be."""


def come_round(platform: Platform) -> None:
    """Looks at every company. One that fails is logged, and looked at again the next time."""
    devices.write_beats(platform)
    service_alarms.come_round(platform)
    now, judged = platform.clock.now(), _judged(platform)
    with platform.database.read(SYSTEM) as session:
        clocks = _by_company(devices.watched(session, now))
    due = sorted((one for one in clocks if judged[one].until <= now), key=lambda one: judged[one].until)
    for company_id in due[:JUDGED_A_ROUND]:
        judged[company_id] = judged[company_id]._replace(until=now + HOUR)  # where it fails
        _try(judge, platform, company_id, clocks[company_id])
    with platform.database.read(SYSTEM) as session:
        differing = sorted(_changes(session, platform, now))
    for company_id in differing:
        _try(come_to, platform, company_id)


def come_to(platform: Platform, company_id: str) -> None:
    """Writes down what differs in one company, and has it told."""
    with working(platform, SYSTEM) as work:
        service.alone(work, company_id)
        changes = _changes(work.session, platform, work.now(), company_id)
        news = [alarm for change in changes.get(company_id, ()) if (alarm := _write(work, company_id, *change))]
        work.session.flush()
        for alarm in news:
            telling.plan(work, alarm)
        if news:
            service.refresh_pages(work, company_id)


def judge(platform: Platform, company_id: str, clocks: Sequence[WatchedClock]) -> None:
    """Finds the company's clocks that had few stamps, once a day in each process."""
    now = platform.clock.now()
    with platform.database.read(of_company(company_id)) as session:
        zone = directory.zone_of(session, company_id, now)
        today = local_day(now - JUDGED_AFTER, zone)
        days = today - (7 * WEEKS + 7) * DAY, today - DAY
        stamps = platform.stamps_by_day(session, company_id, zone, *days)
        closed = platform.closed_days(session, company_id, *days)
    few = (
        one.no for one in clocks if stamps_few(stamps.get(one.no, {}), closed, local_day(one.starts_at, zone), today)
    )
    _judged(platform)[company_id] = Judged(day_end(today, zone) + JUDGED_AFTER, frozenset(few))


def _try(work: Callable[..., None], platform: Platform, company_id: str, *more: Any) -> None:
    try:
        work(platform, company_id, *more)
    except Exception as error:
        log.error("job_failed", job="alarms", company_id=company_id, exc_info=error)


def _judged(platform: Platform) -> dict[str, Judged]:
    found: dict[str, Judged] = platform.state.setdefault("alarms", defaultdict(Judged))
    return found


def _by_company(clocks: Sequence[WatchedClock]) -> dict[str, list[WatchedClock]]:
    found: dict[str, list[WatchedClock]] = defaultdict(list)
    for one in clocks:
        found[one.company_id].append(one)
    return found


def _changes(
    session: Session, platform: Platform, now: datetime, company_id: str | None = None
) -> Mapping[str, list[Change]]:
    """By company, what differs; of one, or of all."""
    operator_id = directory.operator_id(platform)
    watched: dict[str, dict[Key, Alarm]] = defaultdict(dict)
    open_ones = select(Alarm).where(Alarm.until.is_(None), Alarm.kind.in_(KINDS))
    for row in session.scalars(open_ones if company_id is None else open_ones.where(Alarm.company_id == company_id)):
        watched[row.company_id][row.device_no, cast("Kind", row.kind)] = row
    found_clocks = devices.watched(session, now, None if company_id == operator_id else company_id)
    states = _states(session, platform, found_clocks, watched, now)
    clocks = {owner: theirs for owner, theirs in _by_company(found_clocks).items() if company_id in (None, owner)}
    found: dict[str, list[Change]] = defaultdict(list)
    companies = clocks.keys() | watched.keys()
    if operator_id is not None and company_id in (None, operator_id):
        companies.add(operator_id)
    for one in companies:
        rows = watched[one]
        raised = {key for key, row in rows.items() if row.raised}
        shown = causes({clock.no: states[clock.no] for clock in clocks.get(one, ())}, raised, now)
        if one == operator_id and certificate_ends(states.values(), now, is_raised=(NETWORK, "cert") in raised):
            shown.add((NETWORK, "cert"))
        for key in shown | rows.keys():
            known = rows.get(key)
            before = None if known is None else Watch(known.since, known.raised, known.calm_since)
            after = step(key[1], before, key in shown, now)
            if after != before:
                found[one].append((key, known, after))
    return found


def _states(
    session: Session,
    platform: Platform,
    clocks: Sequence[WatchedClock],
    watched: Mapping[str, Mapping[Key, Alarm]],
    now: datetime,
) -> dict[int, ClockState]:
    """Returns how the clocks are, by number. A clock is one company's at a time."""
    gaps, judged = set(platform.open_gaps(session)), _judged(platform)
    times_held = set(platform.times_held(session, now - TIMES_HELD_FOR))
    versions = rollouts.version_faults(session, clocks)
    without = [clock.no for clock in clocks if clock.reader == "absent"]
    had_reader = devices.had_reader(session, without, now - READER_MISSED_FOR)

    def has_few(clock: WatchedClock) -> bool:
        few = judged[clock.company_id].few
        return clock.no in few if few is not None else (clock.no, "few_stamps") in watched.get(clock.company_id, {})

    return {
        clock.no: ClockState(
            seen_at=clock.seen_at,
            queued_for=_queued_for(clock),
            disk_free_mb=clock.disk_free_mb,
            gap=not gaps.isdisjoint({(clock.no, clock.company_id), (clock.no, None)}),
            few=has_few(clock),
            reader=clock.reader,
            had_reader=clock.no in had_reader,
            storage=clock.storage,
            quality=clock.quality,
            time_held=(clock.no, clock.company_id) in times_held,
            is_forked=clock.is_forked,
            has_conflict=clock.has_conflict,
            update_failed=clock.no in versions.failed,
            is_outdated=clock.no in versions.outdated,
            certificate=_certificate(clock),
        )
        for clock in clocks
    }


def _certificate(clock: WatchedClock) -> tuple[int, int] | None:
    if clock.cert_days_left is None or clock.cert_days is None:
        return None
    return clock.cert_days_left, clock.cert_days


def _queued_for(clock: WatchedClock) -> timedelta:
    """By the clock's own time, which may be wrong by years."""
    if not clock.queue_depth:
        return timedelta()
    try:
        return max(parse_instant(clock.wall) - parse_instant(clock.queue_oldest or ""), MILLISECOND)
    except ValueError:
        return MILLISECOND


def _write(work: Work, company_id: str, key: Key, row: Alarm | None, after: Watch | None) -> Alarm | None:
    """The alarm, if it is one from now on, or over."""
    if after is None:
        work.session.delete(row)
        return None
    was_raised = row is not None and row.raised
    if row is None:
        row = Alarm(company_id=company_id, id=work.new_id(), device_no=key[0], kind=key[1], since=after.since)
        work.session.add(row)
    row.raised, row.calm_since, row.until = after.raised, after.calm_since, after.until
    return row if after.until is not None or (after.raised and not was_raised) else None
