"""The job that advances rollouts: it records which clocks have updated, compares them with the others, and stops the
rollout or opens its next stage.

Several processes may run the job at once. Observations are read without a lock. The first process that takes the lock
of rollouts decides by them; the others find them judged.
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
from stempelwerk_cloud.fleet.devices.reported.states import ClockState, in_channel, signs_at
from stempelwerk_cloud.fleet.rollouts import offers, service, tables, words
from stempelwerk_cloud.fleet.rollouts.tables import Rollout, RolloutClock
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.events import ROLLOUT_STOPPED
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory import companies as directory_companies
from stempelwerk_cloud.people.directory.companies import zone_of
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

DELIVERED = timedelta(hours=2)
"""Time after the end of a local day until its stamps count as delivered, so that the day can be judged."""
COMPARED_DAYS = 7
USUAL_DAYS = 14
FOLLOWED = timedelta(days=90)

log = structlog.get_logger(__name__)
Signs = Mapping[int, set[str]]
SILENT = {"silent"}


class Observation(NamedTuple):
    """The observations of clocks since the last look, read without a lock.

    `hour`: the number of hours since the rollout's start, if a new hour can be judged by heartbeats. `now` has each
    clock's signs now, `days_before` those at the same time of earlier days. `day`: the last finished local day, if it
    was not judged yet. `day_starts`, `taps` and `errors` have one item for each day up to it, oldest first.
    """

    hour: int | None = None
    now: Signs = MappingProxyType({})
    days_before: Sequence[Signs] = ()
    day: date | None = None
    day_starts: Sequence[datetime] = ()
    taps: Sequence[Mapping[int, Taps]] = ()
    errors: Sequence[set[int]] = ()


def advance(platform: Platform) -> None:
    """Advances all open rollouts (job). If one fails, the error is logged and the rollout is tried again in the next
    round.
    """
    devices.write_beats(platform)
    with platform.database.read(SYSTEM) as session:
        ids = tables.followed(session, platform.clock.now() - FOLLOWED)
    for rollout_id in ids:
        try:
            _advance(platform, rollout_id)
        except Exception as error:
            log.error("job_failed", job="advance_rollouts", rollout_id=rollout_id, exc_info=error)


def _advance(platform: Platform, rollout_id: str) -> None:
    with platform.database.read(SYSTEM) as session:
        rollout = tables.find(session, rollout_id)
        observation = Observation() if rollout is None else _observe(session, platform, rollout)
    with unit_of_work(platform, SYSTEM) as work:
        companies.operator_company(work)
        tables.lock_rollouts(work.session)
        rollout = tables.find(work.session, rollout_id)
        if rollout is not None:
            _follow(work, rollout, observation)


def _follow(work: UnitOfWork, rollout: Rollout, observation: Observation) -> None:
    states = {clock.no: clock for clock in in_channel(work.session, rollout.channel)}
    clocks = tables.clocks(work.session, rollout.id)
    if rollout.state in OPEN:
        clocks |= service.join(work, rollout, states.values(), clocks)
    changed = _update_clock_states(work, rollout, clocks, states)
    if rollout.state == "running":
        cause = _find_cause(rollout, clocks, states, observation)
        if cause is not None:
            rollout.reason = words.because(cause)
            service.move(work, rollout, "stop")
            updated = sum(clock.state == "updated" for clock in clocks.values())
            details = {"version": rollout.version, "channel": rollout.channel, "reason": rollout.reason}
            work.emit(ROLLOUT_STOPPED, **details, updated=updated, size=len(clocks))
            return
        changed |= _widen(work, rollout, clocks, states)
    if changed:
        work.session.flush()
        service.refresh_pages(work)


def _update_clock_states(
    work: UnitOfWork, rollout: Rollout, clocks: dict[int, RolloutClock], states: Mapping[int, ClockState]
) -> bool:
    """Updates the state of the rollout's clocks from their heartbeats. Returns whether anything changed.

    A clock that runs the version becomes `updated`; a clock that reverted the update becomes `failed`. A clock that is
    neither, and that left the channel or runs a newer version, is removed from `clocks` and from the table.
    """
    now, changed = work.now(), False
    for no, clock in list(clocks.items()):
        state = states.get(no)
        if state is None or offers.is_older(rollout.version, state.version):
            if clock.state in ("waiting", "told"):
                work.session.delete(clocks.pop(no))
                changed = True
            continue
        if state.version == rollout.version:
            new_state = "updated"
        elif state.update_version == rollout.version and state.update_state == FAILED:
            new_state = "failed"
        else:
            continue
        if clock.state != new_state:
            clock.state, clock.at, changed = new_state, now, True
    return changed


def _find_cause(
    rollout: Rollout, clocks: Mapping[int, RolloutClock], states: Mapping[int, ClockState], observation: Observation
) -> Alarm | None:
    """Judges the hour and the day of the observation, unless they were judged before, and marks them as judged. Returns
    the reason to stop the rollout, or None.
    """
    cause = None
    if observation.hour is not None and observation.hour > rollout.looked:
        rollout.looked = observation.hour
        cause = _by_heartbeats(rollout, clocks, states, observation)
    if (
        cause is None
        and observation.day is not None
        and (rollout.judged_on is None or observation.day > rollout.judged_on)
    ):
        rollout.judged_on = observation.day
        cause = _by_days(rollout, clocks, states, observation)
    return cause


def _by_heartbeats(
    rollout: Rollout, clocks: Mapping[int, RolloutClock], states: Mapping[int, ClockState], observation: Observation
) -> Alarm | None:
    assert observation.hour is not None
    day = observation.hour // HOURS_A_DAY + 1
    threshold = chance(day, len(HOURLY) + 1, HOURS_A_DAY)
    failed = sum(clock.state == "failed" for clock in clocks.values())
    attempts = failed + sum(clock.state == "updated" for clock in clocks.values())
    if too_many_fail(failed, attempts, threshold):
        return Alarm(FAILED, Share(failed, attempts), Share(0, 0))
    latest_update = rollout.started_at + (observation.hour - 1) * HOUR

    def watched(no: int) -> Watched:
        return Watched(observation.now.get(no, SILENT), [day.get(no, SILENT) for day in observation.days_before])

    updated_clocks, other_clocks = (
        [watched(no) for no in group] for group in _groups(rollout, clocks, states, latest_update)
    )
    return alarm(HOURLY, updated_clocks, other_clocks, threshold, beside(day, len(HOURLY) + 1))


def _by_days(
    rollout: Rollout, clocks: Mapping[int, RolloutClock], states: Mapping[int, ClockState], observation: Observation
) -> Alarm | None:
    """Judges the last of the observed days. Returns the reason to stop the rollout, or None.

    Only working days are judged. Each counts for the stage (`Rollout.days`), but the last one that the stage needs
    counts only once enough people were seen at the updated clocks.
    """
    workdays = [
        number for number, is_workday in enumerate(worked([len(day) for day in observation.taps])) if is_workday
    ]
    last_start, last = observation.day_starts[-1], len(observation.day_starts) - 1
    if last not in workdays:
        return None
    updated, other_nos = _groups(rollout, clocks, states, last_start)
    settled_days = [
        index
        for index in workdays
        if rollout.settled_at is not None and observation.day_starts[index] >= rollout.settled_at
    ]
    people = sum(observation.taps[index].get(no, Taps()).people for index in settled_days for no in updated)
    ever_tapped = any(day[no].taps for day in observation.taps for no in updated if no in day)
    is_enough = is_judged(people, len(settled_days), ever_tapped=ever_tapped)
    if settled_days and (rollout.days + 1 < rollout.stage_days or is_enough):
        rollout.days += 1

    def days(no: int, updated_at: datetime) -> dict[str, Days]:
        days_since = [index for index in workdays if observation.day_starts[index] >= updated_at]
        days_before = [index for index in workdays[:-1] if observation.day_starts[index + 1] <= updated_at]
        taps_since, taps_before = (
            [observation.taps[index].get(no, Taps()) for index in part] for part in (days_since, days_before)
        )
        errors_since, errors_before = (
            [int(no in observation.errors[index]) for index in part] for part in (days_since, days_before)
        )
        return {"errors": Days(errors_since, errors_before), **measured(taps_since, taps_before)}

    if not updated:
        return None
    day = (last_start - rollout.started_at) // DAY + 1
    threshold, threshold_beside = chance(day, len(DAILY)), beside(day, len(DAILY))
    median_update = median_low(clocks[no].at for no in updated)  # other clocks are compared over the same days
    updated_days, other_days = (
        [days(no, clocks[no].at) for no in updated],
        [days(no, median_update) for no in other_nos],
    )
    for sign in DAILY:
        cause = alarm_by_days(
            sign,
            [by_sign[sign] for by_sign in updated_days],
            [by_sign[sign] for by_sign in other_days],
            threshold,
            threshold_beside,
        )
        if cause is not None:
            return cause
    return None


def _groups(
    rollout: Rollout, clocks: Mapping[int, RolloutClock], states: Mapping[int, ClockState], latest_update: datetime
) -> tuple[list[int], list[int]]:
    """Returns the numbers of two groups of the channel's clocks, each in random order: those that have run the version
    since `latest_update`, and those without it that have sent a heartbeat since the rollout's start.
    """
    updated = [
        no for no, clock in clocks.items() if no in states and clock.state == "updated" and clock.at <= latest_update
    ]
    other_nos = []
    for no, clock in clocks.items():
        heard = None if no not in states else states[no].seen_at
        if clock.state in ("waiting", "told") and heard is not None and heard >= rollout.started_at:
            other_nos.append(no)
    return by_lot(rollout.id, updated), by_lot(rollout.id, other_nos)


def _widen(
    work: UnitOfWork, rollout: Rollout, clocks: Mapping[int, RolloutClock], states: Mapping[int, ClockState]
) -> bool:
    """Offers the version to all waiting clocks of the open stages. Opens the next stage, or finishes the rollout, when
    enough clocks of the open stage have the version and its days are over. Returns whether anything changed.
    """
    now, last, changed = work.now(), len(service.stages_of(rollout)) - 1, False
    while True:
        open_clocks = {no: clock for no, clock in clocks.items() if clock.stage <= rollout.stage}
        for clock in open_clocks.values():
            if clock.state == "waiting":
                clock.state, clock.told_at, clock.at, changed = "told", now, now, True
        if any(clock.stage == rollout.stage for clock in open_clocks.values()):
            heard = sum(_is_heard(clock, states.get(no), now) for no, clock in open_clocks.items())
            ready = enough(heard, sum(clock.state == "updated" for clock in open_clocks.values()))
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


def _observe(session: Session, platform: Platform, rollout: Rollout) -> Observation:
    """Reads the hour and the day that the rollout has not judged yet; an empty Observation if there is neither."""
    now = platform.clock.now()
    if rollout.state != "running":
        return Observation()
    observation = Observation()
    hour = (now - rollout.started_at) // HOUR
    if hour > rollout.looked:
        ago = (now - rollout.started_at) // DAY + 1
        days_before = [signs_at(session, now - (ago + back) * DAY) for back in range(COMPARED_DAYS)]
        observation = observation._replace(hour=hour, now=signs_at(session, now), days_before=days_before)
    operator = directory_companies.operator(session)
    assert operator is not None
    zone = zone_of(session, operator.id, now)
    day = local_day(now - DELIVERED, zone) - DAY
    if day > (rollout.judged_on or local_day(rollout.started_at, zone)):
        days = [day - back * DAY for back in range(USUAL_DAYS, -1, -1)]
        day_starts = [day_start(each_day, zone) for each_day in days]
        taps = ports.TAPS_BY_CLOCK.of(platform)(session, [*day_starts, day_end(day, zone)])
        errors = [device_logs.with_errors(session, *span) for span in pairwise([*day_starts, day_end(day, zone)])]
        observation = observation._replace(day=day, day_starts=day_starts, taps=taps, errors=errors)
    return observation
