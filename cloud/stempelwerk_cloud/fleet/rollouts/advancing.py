"""The round that follows rollouts: who has the version, what is seen of them, whether the next stage begins.

It may run in several processes at once: figures are read beside, and what follows from them is decided under the lock,
by who has not been there yet.
"""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from statistics import median_low
from types import MappingProxyType
from typing import NamedTuple

import structlog
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import DAY, HOUR, day_end, day_start, local_day
from stempelwerk_cloud.domain.rollouts import (
    DAILY,
    FAILED,
    HOURLY,
    HOURS_A_DAY,
    OPEN,
    Alarm,
    Taps,
    Watched,
    alarm,
    alarm_by_days,
    beside,
    by_lot,
    chance,
    enough,
    is_judged,
    measured,
    too_many_fail,
    worked,
)
from stempelwerk_cloud.domain.unlikely import Days, Share
from stempelwerk_cloud.fleet.device_logs import service as device_logs
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.service import ClockState
from stempelwerk_cloud.fleet.rollouts import offers, repository, service, texts
from stempelwerk_cloud.fleet.rollouts.tables import Rollout, RolloutClock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.events import ROLLOUT_STOPPED
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import Work, working

DELIVERED = timedelta(hours=2)
"""So long after a day clocks have brought its stamps."""
COMPARED_DAYS = 7
USUAL_DAYS = 14
FOLLOWED = timedelta(days=90)

log = structlog.get_logger(__name__)
Signs = Mapping[int, set[str]]
SILENT = {"silent"}


class Seen(NamedTuple):
    """What can be seen of clocks. `hour`: of the rollout, whose heartbeats were not judged yet, and what they show and
    showed at this time of earlier days. `day`: one that is over, with the taps and errors of those up to it.
    """

    hour: int | None = None
    now: Signs = MappingProxyType({})
    before: Sequence[Signs] = ()
    day: date | None = None
    starts: Sequence[datetime] = ()
    taps: Sequence[Mapping[int, Taps]] = ()
    errors: Sequence[set[int]] = ()


def advance(platform: Platform) -> None:
    """Follows all that are on their way. One that fails is logged, and followed again the next time."""
    devices.write_beats(platform)
    with platform.database.read(SYSTEM) as session:
        ids = repository.followed(session, platform.clock.now() - FOLLOWED)
    for rollout_id in ids:
        try:
            _advance(platform, rollout_id)
        except Exception as error:
            log.error("job_failed", job="advance_rollouts", rollout_id=rollout_id, exc_info=error)


def _advance(platform: Platform, rollout_id: str) -> None:
    with platform.database.read(SYSTEM) as session:
        rollout = repository.find(session, rollout_id)
        seen = Seen() if rollout is None else _look(session, platform, rollout)
    with working(platform, SYSTEM) as work:
        companies.operator_company(work)
        repository.take(work.session)
        rollout = repository.find(work.session, rollout_id)
        if rollout is not None:
            _follow(work, rollout, seen)


def _follow(work: Work, rollout: Rollout, seen: Seen) -> None:
    known = {clock.no: clock for clock in devices.in_channel(work.session, rollout.channel)}
    clocks = repository.clocks(work.session, rollout.id)
    if rollout.state in OPEN:
        clocks |= service.join(work, rollout, known.values(), clocks)
    changed = _note(work, rollout, clocks, known)
    if rollout.state == "running":
        alarmed = _judge(rollout, clocks, known, seen)
        if alarmed is not None:
            rollout.reason = texts.because(alarmed)
            service.move(work, rollout, "stop")
            updated = sum(clock.state == "updated" for clock in clocks.values())
            said = {"version": rollout.version, "channel": rollout.channel, "reason": rollout.reason}
            work.emit(ROLLOUT_STOPPED, **said, updated=updated, size=len(clocks))
            return
        changed |= _widen(work, rollout, clocks, known)
    if changed:
        work.session.flush()
        service.refresh_pages(work)


def _note(work: Work, rollout: Rollout, clocks: dict[int, RolloutClock], known: Mapping[int, ClockState]) -> bool:
    """Notes who has the version, who took it back, and who has left the channel or has a newer one; whether anything is
    new.
    """
    now, changed = work.now(), False
    for no, clock in list(clocks.items()):
        state = known.get(no)
        if state is None or offers.is_older(rollout.version, state.version):
            if clock.state in ("waiting", "told"):
                work.session.delete(clocks.pop(no))
                changed = True
            continue
        if state.version == rollout.version:
            became = "updated"
        elif state.update_version == rollout.version and state.update_state == FAILED:
            became = "failed"
        else:
            continue
        if clock.state != became:
            clock.state, clock.at, changed = became, now, True
    return changed


def _judge(
    rollout: Rollout, clocks: Mapping[int, RolloutClock], known: Mapping[int, ClockState], seen: Seen
) -> Alarm | None:
    """What stops the rollout, of what was not judged yet."""
    found = None
    if seen.hour is not None and seen.hour > rollout.looked:
        rollout.looked = seen.hour
        found = _by_heartbeats(rollout, clocks, known, seen)
    if found is None and seen.day is not None and (rollout.judged_on is None or seen.day > rollout.judged_on):
        rollout.judged_on = seen.day
        found = _by_days(rollout, clocks, known, seen)
    return found


def _by_heartbeats(
    rollout: Rollout, clocks: Mapping[int, RolloutClock], known: Mapping[int, ClockState], seen: Seen
) -> Alarm | None:
    assert seen.hour is not None
    day = seen.hour // HOURS_A_DAY + 1
    bar = chance(day, len(HOURLY) + 1, HOURS_A_DAY)
    failed = sum(clock.state == "failed" for clock in clocks.values())
    tried = failed + sum(clock.state == "updated" for clock in clocks.values())
    if too_many_fail(failed, tried, bar):
        return Alarm(FAILED, Share(failed, tried), Share(0, 0))
    until = rollout.started_at + (seen.hour - 1) * HOUR

    def watched(no: int) -> Watched:
        return Watched(seen.now.get(no, SILENT), [day.get(no, SILENT) for day in seen.before])

    mine, theirs = ([watched(no) for no in group] for group in _groups(rollout, clocks, known, until))
    return alarm(HOURLY, mine, theirs, bar, beside(day, len(HOURLY) + 1))


def _by_days(
    rollout: Rollout, clocks: Mapping[int, RolloutClock], known: Mapping[int, ClockState], seen: Seen
) -> Alarm | None:
    """Judges the last of the days, which counts for the stage, unless hardly anybody worked on it."""
    at_work = [number for number, there in enumerate(worked([len(day) for day in seen.taps])) if there]
    begins, last = seen.starts[-1], len(seen.starts) - 1
    if last not in at_work:
        return None
    updated, others = _groups(rollout, clocks, known, begins)
    settled = [one for one in at_work if rollout.settled_at is not None and seen.starts[one] >= rollout.settled_at]
    people = sum(seen.taps[one].get(no, Taps()).people for one in settled for no in updated)
    ever_tapped = any(day[no].taps for day in seen.taps for no in updated if no in day)
    is_enough = is_judged(people, len(settled), ever_tapped=ever_tapped)
    if settled and (rollout.days + 1 < rollout.stage_days or is_enough):
        rollout.days += 1

    def days(no: int, updated_at: datetime) -> dict[str, Days]:
        since = [one for one in at_work if seen.starts[one] >= updated_at]
        before = [one for one in at_work[:-1] if seen.starts[one + 1] <= updated_at]
        taps_since, taps_before = ([seen.taps[one].get(no, Taps()) for one in part] for part in (since, before))
        errors_since, errors_before = ([int(no in seen.errors[one]) for one in part] for part in (since, before))
        return {"errors": Days(errors_since, errors_before), **measured(taps_since, taps_before)}

    if not updated:
        return None
    day = (begins - rollout.started_at) // DAY + 1
    bar, bar_beside = chance(day, len(DAILY)), beside(day, len(DAILY))
    midst = median_low(clocks[no].at for no in updated)  # others are compared over the same days
    mine, theirs = [days(no, clocks[no].at) for no in updated], [days(no, midst) for no in others]
    for sign in DAILY:
        found = alarm_by_days(sign, [one[sign] for one in mine], [one[sign] for one in theirs], bar, bar_beside)
        if found is not None:
            return found
    return None


def _groups(
    rollout: Rollout, clocks: Mapping[int, RolloutClock], known: Mapping[int, ClockState], since: datetime
) -> tuple[list[int], list[int]]:
    """Who has had the version since then, and who is there without it; both of those in use in the channel."""
    updated = [no for no, clock in clocks.items() if no in known and clock.state == "updated" and clock.at <= since]
    others = []
    for no, clock in clocks.items():
        heard = None if no not in known else known[no].seen_at
        if clock.state in ("waiting", "told") and heard is not None and heard >= rollout.started_at:
            others.append(no)
    return by_lot(rollout.id, updated), by_lot(rollout.id, others)


def _widen(work: Work, rollout: Rollout, clocks: Mapping[int, RolloutClock], known: Mapping[int, ClockState]) -> bool:
    """Tells those whose stage is open, and opens the next stage where this one is over; whether anything is new."""
    now, last, changed = work.now(), len(service.stages_of(rollout)) - 1, False
    while True:
        here = {no: clock for no, clock in clocks.items() if clock.stage <= rollout.stage}
        for clock in here.values():
            if clock.state == "waiting":
                clock.state, clock.told_at, clock.at, changed = "told", now, now, True
        if any(clock.stage == rollout.stage for clock in here.values()):
            heard = sum(_is_heard(clock, known.get(no), now) for no, clock in here.items())
            ready = enough(heard, sum(clock.state == "updated" for clock in here.values()))
            if ready and rollout.settled_at is None:
                rollout.settled_at, changed = now, True
            if rollout.settled_at is None or rollout.days < rollout.stage_days:
                return changed
        if rollout.stage == last:
            service.move(work, rollout, "finish")
            return True
        rollout.stage, rollout.days, rollout.settled_at, changed = rollout.stage + 1, 0, None, True


def _is_heard(clock: RolloutClock, state: ClockState | None, now: datetime) -> bool:
    if clock.state == "updated":
        return True
    return state is not None and state.seen_at is not None and state.seen_at > now - DAY


def _look(session: Session, platform: Platform, rollout: Rollout) -> Seen:
    """What there is to judge, read without keeping anybody waiting."""
    now = platform.clock.now()
    if rollout.state != "running":
        return Seen()
    seen = Seen()
    hour = (now - rollout.started_at) // HOUR
    if hour > rollout.looked:
        ago = (now - rollout.started_at) // DAY + 1
        before = [devices.signs_at(session, now - (ago + back) * DAY) for back in range(COMPARED_DAYS)]
        seen = seen._replace(hour=hour, now=devices.signs_at(session, now), before=before)
    operator = directory.operator(session)
    assert operator is not None
    zone = directory.zone_of(session, operator.id, now)
    day = local_day(now - DELIVERED, zone) - DAY
    if day > (rollout.judged_on or local_day(rollout.started_at, zone)):
        days = [day - back * DAY for back in range(USUAL_DAYS, -1, -1)]
        starts = [day_start(one, zone) for one in days]
        taps = platform.taps_by_clock(session, [*starts, day_end(day, zone)])
        errors = [device_logs.with_errors(session, *span) for span in pairwise([*starts, day_end(day, zone)])]
        seen = seen._replace(day=day, starts=starts, taps=taps, errors=errors)
    return seen
