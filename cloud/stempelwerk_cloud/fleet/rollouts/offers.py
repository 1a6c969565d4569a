"""The target version of each clock, computed from the rollouts of its channel.

Heartbeats read a cache of their process, which is a few seconds old. Its only effect is that the clock asks for its
update; the answer to that request is read from the database.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import anyio
import structlog
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.domain.rollouts import version_order
from stempelwerk_cloud.fleet.rollouts import tables
from stempelwerk_cloud.fleet.updates import service as updates
from stempelwerk_cloud.fleet.updates.service import Release
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.slots import Slot

REFRESH_INTERVAL_S = 10.0
FORWARD = ("running", "done")
"""States of a rollout that bring clocks to its version."""
log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Offers:
    """Target versions of clocks.

    - `direct`: by channel, platform and device, the target version and the version that the clock must run to be
      offered it (None: any older one).
    - `base`: by channel and platform, the version of the newest finished rollout: the target of every other older
      clock.
    - `served`: by channel and version, the releases that are published and not withdrawn.
    - `back`: by channel and platform, the version that was rolled back. Clocks that got it in another way leave it as
      well.
    - `at_once`: (channel, platform, version) of rollouts whose clocks ignore opening hours.
    - `packaged`: like `direct`, for target versions that were never published because the clock was delivered with
      them.
    """

    direct: Mapping[tuple[str, str, int], tuple[str, str | None]] = field(default_factory=dict)
    base: Mapping[tuple[str, str], str] = field(default_factory=dict)
    served: Mapping[tuple[str, str], Release] = field(default_factory=dict)
    back: Mapping[tuple[str, str], str] = field(default_factory=dict)
    at_once: Collection[tuple[str, str, str]] = ()
    packaged: Mapping[tuple[str, str, int], tuple[str, str]] = field(default_factory=dict)

    def release_for(self, device_no: int, channel: str, version: str, platform: str | None) -> Release | None:
        """Returns the release that a clock of this channel, version and platform should install; None if it is up to
        date.
        """
        if platform is None:
            return None
        if version == self.packaged.get((channel, platform, device_no), (None, None))[1]:
            return None
        target, only_from = self.direct.get((channel, platform, device_no), (None, None))
        if target is None or not (version == only_from if only_from is not None else is_older(version, target)):
            if self._is_rolled_back(channel, platform, version):
                return newest_before(self.served.values(), channel, version, platform)
            base = self.base.get((channel, platform))
            target = base if base is not None and is_older(version, base) else None
        release = None if target is None or target == version else self.served.get((channel, target))
        if release is not None and platform in release.platforms:
            return release
        if version == only_from:  # the version to go back to has been withdrawn since
            return newest_before(self.served.values(), channel, version, platform)
        return None

    def version_of(self, device_no: int, channel: str, version: str, platform: str | None) -> str | None:
        """Returns the version that a clock should change to: a published one, or else the one of its package. None: it
        is up to date.
        """
        release = self.release_for(device_no, channel, version, platform)
        if release is not None or platform is None:
            return None if release is None else release.version
        target, left_version = self.packaged.get((channel, platform, device_no), (None, None))
        return target if version == left_version else None

    def _is_rolled_back(self, channel: str, platform: str, version: str) -> bool:
        """Returns whether the version was rolled back. If this channel serves it, only its own rollback counts;
        otherwise a rollback in any channel.
        """
        if (channel, version) not in self.served:
            return version in {left_version for (_, runs_on), left_version in self.back.items() if runs_on == platform}
        return version == self.back.get((channel, platform))


_OFFERS: Slot[Platform, Offers] = Slot(lambda _: Offers())


def is_older(version: str, than: str) -> bool:
    return version_order(version) < version_order(than)


def is_packaged(published: Iterable[Release], channel: str, version: str) -> bool:
    """Returns whether a clock that ran this version still has it from its package, because the channel never published
    it.

    A version that was withdrawn in any channel does not count, because clocks never go back to such a version.
    """
    return not any(
        release.version == version and (release.channel == channel or release.withdrawn) for release in published
    )


def newest_before(served: Iterable[Release], channel: str, version: str, platform: str | None) -> Release | None:
    """Returns the newest served release that is older than `version`, so that a clock can go back to it, or None. A
    newer one is never returned, because it would reach all clocks at once instead of in stages.
    """
    older = (
        release
        for release in served
        if release.channel == channel and platform in release.platforms and is_older(release.version, version)
    )
    return max(older, key=lambda release: version_order(release.version), default=None)


def read(session: Session, device_no: int | None = None) -> Offers:
    """Reads the target versions of all clocks, or only those of the clock with this number, from the database."""
    rollouts = tables.effective_rollouts(session)
    if not rollouts:
        return Offers()
    published = updates.published(session)
    served = {(release.channel, release.version): release for release in published if not release.withdrawn}
    packaged: dict[tuple[str, str, int], tuple[str, str]] = {}
    direct: dict[tuple[str, str, int], tuple[str, str | None]] = {}
    base: dict[tuple[str, str], str] = {}
    back: dict[tuple[str, str], str] = {}
    at_once: set[tuple[str, str, str]] = set()
    for rollout, speaks_for in rollouts:
        for platform in tables.platforms_of(rollout):
            if rollout.state == "done" and (rollout.channel, rollout.version) in served:
                base_version = base.get((rollout.channel, platform), rollout.version)
                base[rollout.channel, platform] = max(base_version, rollout.version, key=version_order)
            if rollout.at_once and rollout.state in FORWARD:
                at_once.add((rollout.channel, platform, rollout.version))
            if rollout.state == "rolled_back" and platform in speaks_for:
                back[rollout.channel, platform] = rollout.version
        if not speaks_for or rollout.state not in ("running", "rolled_back"):
            continue
        for no, clock in tables.clocks(session, rollout.id, device_no).items():
            for platform in speaks_for:
                if rollout.state == "running" and clock.state == "told":
                    direct[rollout.channel, platform, no] = rollout.version, None
                elif rollout.state == "rolled_back" and clock.back_to is not None:
                    ways = packaged if is_packaged(published, rollout.channel, clock.back_to) else direct
                    ways[rollout.channel, platform, no] = clock.back_to, rollout.version
    return Offers(direct, base, served, back, at_once, packaged)


def cached_offers(platform: Platform) -> Offers:
    return _OFFERS.of(platform)


def refresh_cache(platform: Platform) -> None:
    """Replaces this process's cache of offers by the state of the database."""
    with platform.database.read(SYSTEM) as session:
        _OFFERS.set(platform, read(session))


async def refresh_periodically(platform: Platform) -> None:
    """Refreshes this process's cache of offers every `REFRESH_INTERVAL_S` seconds, until the task is cancelled."""
    while True:
        await anyio.sleep(REFRESH_INTERVAL_S)
        try:
            await run_in_threadpool(refresh_cache, platform)
        except Exception as error:
            log.error("job_failed", job="remember_offers", exc_info=error)
