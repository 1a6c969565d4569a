"""What the repository holds: its releases and files. What other rooms call."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata, UpdateRelease, UpdateTarget
from stempelwerk_cloud.kit.platform import Platform

__all__ = [
    "FOLDER",
    "Release",
    "folder",
    "manifest_target",
    "metadata",
    "published",
    "release",
    "target_file",
    "without_files",
]

FOLDER = "updates"
"""In the data folder."""
_METADATA = re.compile(
    r"timestamp\.json|(?P<version>[1-9]\d{0,17})\.(?P<role>root|snapshot|targets|stable|beta)\.json", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Release:
    """A version in a channel. `platforms`: those for which it has a manifest, in order."""

    version: str
    channel: str
    notes: str
    published_at: datetime
    withdrawn_at: datetime | None
    reason: str
    platforms: Sequence[str]

    @property
    def withdrawn(self) -> bool:
        return self.withdrawn_at is not None


def release(session: Session, version: str, channel: str) -> Release | None:
    """This version in this channel, withdrawn or not; None: it was never published there."""
    return next((one for one in published(session) if (one.version, one.channel) == (version, channel)), None)


def published(session: Session) -> list[Release]:
    """All that were ever published, those withdrawn too, newest first."""
    platforms = defaultdict(list)
    manifests = select(UpdateTarget).where(UpdateTarget.platform.is_not(None)).order_by(UpdateTarget.platform)
    for one in session.scalars(manifests):
        platforms[one.channel, one.version].append(one.platform)
    newest = select(UpdateRelease).order_by(
        UpdateRelease.published_at.desc(), UpdateRelease.version.desc(), UpdateRelease.channel
    )
    return [
        Release(
            version=one.version,
            channel=one.channel,
            notes=one.notes,
            published_at=one.published_at,
            withdrawn_at=one.withdrawn_at,
            reason=one.reason,
            platforms=tuple(str(each) for each in platforms[one.channel, one.version]),
        )
        for one in session.scalars(newest)
    ]


def manifest_target(version: str, channel: str, platform: str) -> str:
    """What a clock of this platform asks the repository for."""
    return f"{channel}/stempelwerk-edge-{version}-{platform}.json"


def metadata(session: Session, name: str) -> bytes | None:
    """The signed file of this name (`3.root.json`, `timestamp.json`); None: there is none."""
    asked = _METADATA.fullmatch(name)
    if asked is None:
        return None
    found = select(UpdateMetadata.content).where(UpdateMetadata.role == (asked["role"] or "timestamp"))
    if asked["version"]:
        found = found.where(UpdateMetadata.version == int(asked["version"]))
    return session.scalar(found.order_by(UpdateMetadata.version.desc()).limit(1))


def target_file(session: Session, platform: Platform, channel: str, named: str) -> Path | None:
    """The file behind a consistent name (`<sha256>.<file>`); None: there is none, or it was withdrawn."""
    sha256, _, file = named.partition(".")
    served = (
        select(UpdateTarget.sha256)
        .join(
            UpdateRelease,
            (UpdateRelease.channel == UpdateTarget.channel) & (UpdateRelease.version == UpdateTarget.version),
        )
        .where(UpdateTarget.path == f"{channel}/{file}", UpdateTarget.sha256 == sha256)
        .where(UpdateRelease.withdrawn_at.is_(None))
    )
    found = session.scalar(served.limit(1))
    place = folder(platform) / (found or "")
    return place if place.is_file() else None


def without_files(session: Session, platform: Platform) -> set[tuple[str, str]]:
    """The releases (channel, version) that are offered, and of which something does not lie there."""
    offered = select(UpdateRelease.channel, UpdateRelease.version).where(UpdateRelease.withdrawn_at.is_(None))
    files = session.execute(select(UpdateTarget.channel, UpdateTarget.version, UpdateTarget.sha256))
    lacking = {(channel, version) for channel, version, sha256 in files if not (folder(platform) / sha256).is_file()}
    return lacking & {(channel, version) for channel, version in session.execute(offered)}


def folder(platform: Platform) -> Path:
    """Where the files lie, each under its SHA-256."""
    return platform.settings.data_dir / FOLDER
