"""Use cases of rollouts (start, pause, resume, rollback, target version of a clock), and the interface for other
rooms.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, Strict
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.rollouts import DEFAULT_STAGES, FAILED, MOVES, Candidate, Stage, are_stages, staged
from stempelwerk_cloud.fleet.devices import service as devices
from stempelwerk_cloud.fleet.devices.queries import WatchedClock
from stempelwerk_cloud.fleet.devices.reported.listing import ONLINE_FOR
from stempelwerk_cloud.fleet.devices.reported.states import ClockState, in_channel, of_device, signs_at
from stempelwerk_cloud.fleet.rollouts import offers, tables, words
from stempelwerk_cloud.fleet.rollouts.tables import VERSION_LIMIT, Rollout, RolloutClock
from stempelwerk_cloud.fleet.updates import service as updates
from stempelwerk_cloud.fleet.updates.service import Release
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.http.schemas import InstantField, Wire
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.service import Subject
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.callers import ADMIN
from stempelwerk_cloud.people.work import UnitOfWork

STARTED = Action("rollout.started")
PAUSED = Action("rollout.paused")
RESUMED = Action("rollout.resumed")
STOPPED = Action("rollout.stopped")
DONE = Action("rollout.done")
ROLLED_BACK = Action("rollout.rolled_back")


Channel = Literal["stable", "beta"]
State = Literal["running", "paused", "stopped", "done", "rolled_back"]


class StageChoice(Wire):
    """The size of a stage, including all stages before it: either a number of clocks or a percentage of the channel's
    clocks.
    """

    clocks: Annotated[int | None, Field(ge=1, le=100_000)] = None
    percent: Annotated[int | None, Field(ge=1, le=100)] = None

    def stage(self) -> Stage | None:
        """Returns the stage; None if neither or both of the fields are given."""
        return Stage(self.clocks, self.percent) if (self.clocks is None) != (self.percent is None) else None


class NewRollout(Wire):
    """A rollout to start. `stageDays`: for how many whole working days at least a stage is judged before the next one
    opens; 0: no minimum. `now`: clocks switch to the version while no one taps, without waiting for their company's
    closing time.
    """

    version: Annotated[str, Field(min_length=1, max_length=VERSION_LIMIT)]
    channel: Channel
    stages: Annotated[list[StageChoice], Field(min_length=1, max_length=10)] | None = None
    stage_days: Annotated[int, Field(ge=0, le=5)] = 1
    now: Annotated[bool, Strict()] = False


class StageRow(Wire):
    """A stage with numbers of its clocks: all of them, those that were offered the version (`told`), updated and failed
    ones.
    """

    clocks: int | None
    percent: int | None
    size: int
    told: int
    updated: int
    failed: int


class RolloutRow(Wire):
    """A rollout. `stage`: number of the open stage, from 1. `settledAt`: since when enough clocks of that stage have
    the version. `days`: how many working days were judged since then, of the `stageDays` needed.

    `reason`: why the rollout was stopped. `platforms`: the platforms that the version had at the start; only clocks of
    these take part. `clocks`: how many of the channel's clocks run the version now, also after a rollback.
    """

    id: str
    version: str
    channel: Channel
    state: State
    stage: int
    stages: list[StageRow]
    stage_days: int
    days: int
    now: bool
    platforms: list[str]
    size: int
    updated: int
    failed: int
    clocks: int
    started_at: InstantField
    settled_at: InstantField | None
    reason: str | None


__all__ = ["Hint", "VersionFaults", "audit_labels", "hears", "hint", "rows", "target_release", "version_faults"]

_AUDIT_ACTIONS = {
    "pause": PAUSED,
    "resume": RESUMED,
    "stop": STOPPED,
    "finish": DONE,
    "rollback": ROLLED_BACK,
}
_LOADING = "loading"
"""The `update_state` that clocks report in heartbeats while they download an update."""
_REFUSALS = {"pause": words.not_running, "resume": words.not_paused, "rollback": words.rolled_back}


class Hint(NamedTuple):
    """The version that a heartbeat's answer names. `at_once`: the clock switches to it without waiting for the closing
    time of its company.
    """

    version: str
    at_once: bool


class VersionFaults(NamedTuple):
    """Sets of clock numbers, by what is wrong with the clock's version.

    `failed`: an update failed that is still offered or whose rollout goes on. `retrying`: the clock downloads such an
    update, perhaps again. `outdated`: another version is offered to the clock, or its update failed. `stranded`: the
    clock's version was withdrawn and no other one is offered to it.
    """

    failed: frozenset[int]
    retrying: frozenset[int]
    outdated: frozenset[int]
    stranded: frozenset[int]


def rows(session: Session, rollouts: Sequence[Rollout] | None = None) -> list[RolloutRow]:
    """Returns the API rows of these rollouts, or of the newest ones, newest first."""
    listed_rollouts = tables.newest(session) if rollouts is None else rollouts
    counts = tables.counts(session, [rollout.id for rollout in listed_rollouts])
    running = devices.running(session)
    return [_row(rollout, counts, running.get((rollout.channel, rollout.version), 0)) for rollout in listed_rollouts]


def stopped_count(platform: Platform) -> int:
    """Counts the stopped rollouts (gauge). A rollout no longer counts once it was rolled back or newer rollouts of its
    channel cover all its platforms.
    """
    with platform.database.read(SYSTEM) as session:
        return sum(
            rollout.state == "stopped" and bool(platforms) for rollout, platforms in tables.effective_rollouts(session)
        )


def start(work: UnitOfWork, body: NewRollout) -> Rollout:
    """Starts a rollout and ends a paused rollout of the same channel. Clocks of the first stage learn of it within a
    minute.

    Raises 409 if a rollout is running in the channel, or if the version was withdrawn. Raises 422 for an unknown
    version or invalid stages.
    """
    requested_stages = [choice.stage() for choice in body.stages] if body.stages else list(DEFAULT_STAGES)
    stages = [stage for stage in requested_stages if stage is not None]
    if len(stages) < len(requested_stages) or not are_stages(stages):
        raise words.stages_wrong()
    companies.operator_company(work)
    tables.lock_rollouts(work.session)
    release = updates.release(work.session, body.version, body.channel)
    if release is None:
        raise words.version_unknown()
    if release.withdrawn:
        raise words.version_withdrawn()
    open_rollout = tables.open_in(work.session, body.channel)
    if open_rollout is not None and open_rollout.state == "running":
        raise words.channel_taken()
    if open_rollout is not None:
        open_rollout.reason = words.replaced(body.version)
        move(work, open_rollout, "stop")
    rollout = Rollout(
        id=work.new_id(),
        channel=body.channel,
        version=body.version,
        state="running",
        stages=json.dumps([stage._asdict() for stage in stages]),
        stage_days=body.stage_days,
        at_once=body.now,
        platforms=json.dumps(list(release.platforms)),
        stage=0,
        days=0,
        looked=0,
        started_at=work.now(),
    )
    work.session.add(rollout)
    work.session.flush()
    join(work, rollout, in_channel(work.session, body.channel), {})
    details = {"version": body.version, "channel": body.channel} | ({"now": True} if body.now else {})
    _record_change(work, rollout, STARTED, details)
    return rollout


def change(work: UnitOfWork, rollout_id: str, transition: str) -> Rollout:
    """Applies a transition to a rollout: `pause`, `resume` or `rollback`. Raises 404 for an unknown rollout, and 409 if
    its state does not allow the transition.
    """
    companies.operator_company(work)
    tables.lock_rollouts(work.session)
    rollout = tables.find(work.session, rollout_id)
    if rollout is None:
        raise not_found()
    if rollout.state not in MOVES[transition][0]:
        raise _REFUSALS[transition]()
    if not any(
        effective is rollout and speaks_for for effective, speaks_for in tables.effective_rollouts(work.session)
    ):
        raise words.superseded()
    if transition == "rollback":
        _set_rollback_versions(work.session, rollout)
    move(work, rollout, transition)
    return rollout


def release_withdrawn(work: UnitOfWork, version: str, channel: str) -> None:
    """Stops the open rollout of a version that was withdrawn from the channel, if there is one."""
    tables.lock_rollouts(work.session)
    rollout = tables.open_in(work.session, channel)
    if rollout is not None and rollout.version == version:
        rollout.reason = words.WITHDRAWN
        move(work, rollout, "stop")


def move(work: UnitOfWork, rollout: Rollout, transition: str) -> None:
    """Changes the rollout's state by a transition of `MOVES` and records it in the audit log. The caller holds the lock
    of rollouts.
    """
    allowed, becomes = MOVES[transition]
    assert rollout.state in allowed, (rollout.state, transition)
    rollout.state = becomes
    _record_change(
        work, rollout, _AUDIT_ACTIONS[transition], {"reason": rollout.reason} if transition == "stop" else None
    )


def join(
    work: UnitOfWork,
    rollout: Rollout,
    clocks: Collection[ClockState],
    members: Mapping[int, RolloutClock],
) -> dict[int, RolloutClock]:
    """Adds clocks to the rollout and returns the added ones by number: those on its platforms that run an older
    version.

    The clocks are, at the start (no `members`), drawn for the stages at random. Later ones are added to the last stage.
    """
    now, stages, platforms = work.now(), stages_of(rollout), tables.platforms_of(rollout)
    eligible = {
        clock.no: clock
        for clock in clocks
        if clock.no not in members and clock.platform in platforms and offers.is_older(clock.version, rollout.version)
    }
    if members:
        stage_by_clock = dict.fromkeys(eligible, len(stages) - 1)
    else:
        bad = signs_at(work.session, now)
        candidates = [
            Candidate(
                clock.no,
                clock.id,
                clock.company_id,
                clock.seen_at is not None and clock.seen_at > now - ONLINE_FOR and not bad.get(clock.no),
            )
            for clock in eligible.values()
        ]
        stage_by_clock = staged(rollout.id, candidates, stages)
    joined = {
        no: RolloutClock(
            rollout_id=rollout.id,
            device_no=no,
            stage=stage,
            from_version=eligible[no].version,
            state="waiting",
            at=now,
        )
        for no, stage in stage_by_clock.items()
    }
    work.session.add_all(joined[no] for no in sorted(joined))
    return joined


def stages_of(rollout: Rollout) -> list[Stage]:
    return [Stage(**stage) for stage in json.loads(rollout.stages)]


def refresh_pages(work: UnitOfWork) -> None:
    """Makes open pages that show rollouts reload them, after the commit."""
    operator = companies.operator_company(work)
    work.platform.live.publish(work.session, [_topic(operator.id)], {"type": "rollouts_update"})


def hears(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """Returns the topics of rollouts that a subscriber receives: one for system administrators, nothing for others."""
    return [_topic(hearer.company_id)] if hearer.role == ADMIN else []


def audit_labels(session: Session, _: str, subjects: Collection[Subject]) -> dict[Subject, str]:
    """Returns the labels of rollouts in the audit log: version and channel."""
    rollouts = {subject: tables.find(session, subject.id) for subject in subjects}
    return {
        subject: f"{rollout.version} ({rollout.channel})"
        for subject, rollout in rollouts.items()
        if rollout is not None
    }


def target_release(session: Session, device_no: int) -> tuple[Release, str] | None:
    """Returns the release that a clock should have, and the clock's platform.

    None: the clock has its target version, is withdrawn, or has not reported a platform.
    """
    clock = of_device(session, device_no)
    if clock is None or clock.platform is None:
        return None
    release = offers.read(session, device_no).release_for(device_no, clock.channel, clock.version, clock.platform)
    return None if release is None else (release, clock.platform)


def hint(platform: Platform, device_no: int, channel: str, version: str, runs_on: str | None) -> Hint | None:
    """Returns the version that a heartbeat's answer asks the clock to install, or None if it is current. Reads this
    process's cache of offers, not the database.
    """
    offered = offers.cached_offers(platform)
    target_version = offered.version_of(device_no, channel, version, runs_on)
    return (
        None if target_version is None else Hint(target_version, (channel, runs_on, target_version) in offered.at_once)
    )


def version_faults(session: Session, clocks: Iterable[WatchedClock]) -> VersionFaults:
    """Compares the versions that clocks run with the versions offered to them.

    A failed update counts while its rollout is open or finished, or while its version is offered to the clock. Such a
    clock is also `outdated`, even if its rollout offers nothing more. A download counts as failed if the rollout has
    already noted a failure of that version on the clock.
    """
    offered = offers.read(session)
    withdrawn = {(release.channel, release.version) for release in updates.published(session) if release.withdrawn}
    refused = tables.refused(session)
    failed, retrying, outdated, stranded = set[int](), set[int](), set[int](), set[int]()
    for clock in clocks:
        target_version = offered.version_of(clock.no, clock.channel, clock.version, clock.platform)
        was_refused = (clock.no, clock.update_version) in refused
        is_due = clock.update_version is not None and (clock.update_version == target_version or was_refused)
        is_loading = is_due and clock.update_state == _LOADING
        has_failed = is_due and (clock.update_state == FAILED or (is_loading and was_refused))
        if has_failed:
            failed.add(clock.no)
        if is_loading:
            retrying.add(clock.no)
        if target_version is not None or has_failed:
            outdated.add(clock.no)
        elif (clock.channel, clock.version) in withdrawn:
            stranded.add(clock.no)
    return VersionFaults(frozenset(failed), frozenset(retrying), frozenset(outdated), frozenset(stranded))


def _set_rollback_versions(session: Session, rollout: Rollout) -> None:
    """Sets `back_to`, the version to return to, for every clock of the rollout that was offered its version.

    That is the clock's former version if the channel still serves it, or if the channel never had it and serves no
    newer one: such a version came with the clock's package and is still on the clock. Otherwise it is the newest older
    release of the channel, or None.
    """
    published = updates.published(session)
    served = [release for release in published if not release.withdrawn]
    channel_releases = {
        (release.version, platform)
        for release in served
        if release.channel == rollout.channel
        for platform in release.platforms
    }
    platforms = {clock.no: clock.platform for clock in in_channel(session, rollout.channel)}
    for no, clock in tables.clocks(session, rollout.id).items():
        if clock.told_at is not None:
            runs_on = platforms.get(no)
            newest = offers.newest_before(served, rollout.channel, rollout.version, runs_on)
            is_package = offers.is_packaged(published, rollout.channel, clock.from_version)
            is_newest = newest is None or offers.is_older(newest.version, clock.from_version)
            if (clock.from_version, runs_on) in channel_releases or (is_package and is_newest):
                clock.back_to = clock.from_version
            else:
                clock.back_to = None if newest is None else newest.version


def _record_change(
    work: UnitOfWork, rollout: Rollout, action: Action, audit_values: Mapping[str, str | bool | None] | None
) -> None:
    work.session.flush()
    work.audit(companies.operator_company(work).id, action, rollout.id, new_values=audit_values)
    refresh_pages(work)


def _topic(operator_id: str) -> str:
    return f"rollouts:{operator_id}"


def _row(rollout: Rollout, counts: Mapping[tuple[str, int, str], int], clocks: int) -> RolloutRow:
    stages = []
    for number, stage in enumerate(stages_of(rollout)):
        waiting, told_count, updated, failed = (
            counts.get((rollout.id, number, state), 0) for state in ("waiting", "told", "updated", "failed")
        )
        size = waiting + told_count + updated + failed
        stages.append(StageRow(**stage._asdict(), size=size, told=size - waiting, updated=updated, failed=failed))
    return RolloutRow(
        id=rollout.id,
        version=rollout.version,
        channel=rollout.channel,
        state=rollout.state,
        stage=rollout.stage + 1,
        stages=stages,
        stage_days=rollout.stage_days,
        days=rollout.days,
        now=rollout.at_once,
        platforms=sorted(tables.platforms_of(rollout)),
        size=sum(stage.size for stage in stages),
        updated=sum(stage.updated for stage in stages),
        failed=sum(stage.failed for stage in stages),
        clocks=clocks,
        started_at=rollout.started_at,
        settled_at=rollout.settled_at,
        reason=rollout.reason,
    )
