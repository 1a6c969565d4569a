"""Which version a clock is to have. Heartbeats ask the memory of their process, which is a few seconds old and only
makes clocks ask; what they are answered then is read.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import anyio
import structlog
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from stempelwerk_cloud.domain.rollouts import version_order
from stempelwerk_cloud.fleet.rollouts import repository
from stempelwerk_cloud.fleet.updates import service as updates
from stempelwerk_cloud.fleet.updates.service import Release
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform

REMEMBERED_EVERY_S = 10.0
FORWARD = ("running", "done")
"""States in which a rollout brings its version."""
log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Offers:
    """`direct`: by channel, platform and device, what it is to have, and which version alone it leaves for that (None:
    any). `base`: by channel and platform, what every older clock is to have besides. `served`: what is published and
    not withdrawn. `back`: by channel and platform, the version that was rolled back: who has it otherwise than by its
    rollout leaves it, too. `at_once`: channel, platform and version of which somebody has said that opening hours do
    not matter. `packaged`: as `direct`, versions that were never published: the clock came with them.
    """

    direct: Mapping[tuple[str, str, int], tuple[str, str | None]] = field(default_factory=dict)
    base: Mapping[tuple[str, str], str] = field(default_factory=dict)
    served: Mapping[tuple[str, str], Release] = field(default_factory=dict)
    back: Mapping[tuple[str, str], str] = field(default_factory=dict)
    at_once: Collection[tuple[str, str, str]] = ()
    packaged: Mapping[tuple[str, str, int], tuple[str, str]] = field(default_factory=dict)

    def of(self, device_no: int, channel: str, version: str, platform: str | None) -> Release | None:
        """What a clock of this channel, version and platform is to have; None: it is current."""
        if platform is None:
            return None
        if version == self.packaged.get((channel, platform, device_no), (None, None))[1]:
            return None
        to, only_from = self.direct.get((channel, platform, device_no), (None, None))
        if to is None or not (version == only_from if only_from is not None else is_older(version, to)):
            if self._is_left(channel, platform, version):
                return newest_before(self.served.values(), channel, version, platform)
            base = self.base.get((channel, platform))
            to = base if base is not None and is_older(version, base) else None
        release = None if to is None or to == version else self.served.get((channel, to))
        if release is not None and platform in release.platforms:
            return release
        if version == only_from:  # what it was to go back to has been withdrawn since
            return newest_before(self.served.values(), channel, version, platform)
        return None

    def version_of(self, device_no: int, channel: str, version: str, platform: str | None) -> str | None:
        """Returns the version that a clock is to have: a published one, or else that of its package."""
        release = self.of(device_no, channel, version, platform)
        if release is not None or platform is None:
            return None if release is None else release.version
        to, left = self.packaged.get((channel, platform, device_no), (None, None))
        return to if version == left else None

    def _is_left(self, channel: str, platform: str, version: str) -> bool:
        """Whether it was rolled back here, or where the clock had it from and this channel does not have it."""
        if (channel, version) not in self.served:
            return version in {left for (_, runs_on), left in self.back.items() if runs_on == platform}
        return version == self.back.get((channel, platform))


def is_older(version: str, other: str) -> bool:
    return version_order(version) < version_order(other)


def is_packaged(published: Iterable[Release], channel: str, version: str) -> bool:
    """Returns whether the channel never had this version, so that a clock which ran it has it from its package.

    Clocks never go back to a version that was withdrawn in any channel.
    """
    return not any(one.version == version and (one.channel == channel or one.withdrawn) for one in published)


def newest_before(served: Iterable[Release], channel: str, version: str, platform: str | None) -> Release | None:
    """What a clock can go back to from a version. Never a newer one: that would reach all of them without stages."""
    older = (
        one for one in served if one.channel == channel and platform in one.platforms and is_older(one.version, version)
    )
    return max(older, key=lambda one: version_order(one.version), default=None)


def read(session: Session, device_no: int | None = None) -> Offers:
    """What clocks are to have now: all of them, or the one of this number."""
    rollouts = repository.speaking(session)
    if not rollouts:
        return Offers()
    published = updates.published(session)
    served = {(one.channel, one.version): one for one in published if not one.withdrawn}
    packaged: dict[tuple[str, str, int], tuple[str, str]] = {}
    direct: dict[tuple[str, str, int], tuple[str, str | None]] = {}
    base: dict[tuple[str, str], str] = {}
    back: dict[tuple[str, str], str] = {}
    at_once: set[tuple[str, str, str]] = set()
    for one, speaks_for in rollouts:
        for platform in repository.platforms_of(one):
            if one.state == "done" and (one.channel, one.version) in served:
                before = base.get((one.channel, platform), one.version)
                base[one.channel, platform] = max(before, one.version, key=version_order)
            if one.at_once and one.state in FORWARD:
                at_once.add((one.channel, platform, one.version))
            if one.state == "rolled_back" and platform in speaks_for:
                back[one.channel, platform] = one.version
        if not speaks_for or one.state not in ("running", "rolled_back"):
            continue
        for no, clock in repository.clocks(session, one.id, device_no).items():
            for platform in speaks_for:
                if one.state == "running" and clock.state == "told":
                    direct[one.channel, platform, no] = one.version, None
                elif one.state == "rolled_back" and clock.back_to is not None:
                    ways = packaged if is_packaged(published, one.channel, clock.back_to) else direct
                    ways[one.channel, platform, no] = clock.back_to, one.version
    return Offers(direct, base, served, back, at_once, packaged)


def remembered(platform: Platform) -> Offers:
    found: Offers = platform.state.get("offers", Offers())
    return found


def remember(platform: Platform) -> None:
    """Has this process know what is to be offered."""
    with platform.database.read(SYSTEM) as session:
        platform.state["offers"] = read(session)


async def keep_remembered(platform: Platform) -> None:
    """Does so every few seconds, until it is cancelled."""
    while True:
        await anyio.sleep(REMEMBERED_EVERY_S)
        try:
            await run_in_threadpool(remember, platform)
        except Exception as error:
            log.error("job_failed", job="remember_offers", exc_info=error)
