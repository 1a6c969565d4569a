"""Published releases and the files of the update repository, and the interface for other rooms."""

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
"""Name of the folder with the release files, inside the data folder."""
_METADATA = re.compile(
    r"timestamp\.json|(?P<version>[1-9]\d{0,17})\.(?P<role>root|snapshot|targets|stable|beta)\.json", re.ASCII
)


@dataclass(frozen=True, slots=True)
class Release:
    """A version in a channel. `platforms`: the platforms with a manifest, sorted. `reason`: why it was withdrawn."""

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
    """Returns this version in this channel, withdrawn or not; None if it was never published there."""
    return next(
        (candidate for candidate in published(session) if (candidate.version, candidate.channel) == (version, channel)),
        None,
    )


def published(session: Session) -> list[Release]:
    """Returns all releases ever published, with withdrawn ones, newest first."""
    platforms = defaultdict(list)
    manifests = select(UpdateTarget).where(UpdateTarget.platform.is_not(None)).order_by(UpdateTarget.platform)
    for target in session.scalars(manifests):
        platforms[target.channel, target.version].append(target.platform)
    newest = select(UpdateRelease).order_by(
        UpdateRelease.published_at.desc(), UpdateRelease.version.desc(), UpdateRelease.channel
    )
    return [
        Release(
            version=row.version,
            channel=row.channel,
            notes=row.notes,
            published_at=row.published_at,
            withdrawn_at=row.withdrawn_at,
            reason=row.reason,
            platforms=tuple(str(each) for each in platforms[row.channel, row.version]),
        )
        for row in session.scalars(newest)
    ]


def manifest_target(version: str, channel: str, platform: str) -> str:
    """Returns the path of a platform's manifest in the repository."""
    return f"{channel}/stempelwerk-edge-{version}-{platform}.json"


def metadata(session: Session, name: str) -> bytes | None:
    """Returns the signed file of this name (`3.root.json`, `timestamp.json`), or None."""
    match = _METADATA.fullmatch(name)
    if match is None:
        return None
    statement = select(UpdateMetadata.content).where(UpdateMetadata.role == (match["role"] or "timestamp"))
    if match["version"]:
        statement = statement.where(UpdateMetadata.version == int(match["version"]))
    return session.scalar(statement.order_by(UpdateMetadata.version.desc()).limit(1))


def target_file(session: Session, platform: Platform, channel: str, file_name: str) -> Path | None:
    """Returns the path of a release's file by its consistent name (`<sha256>.<file>`). None if it is unknown, withdrawn
    or missing.
    """
    sha256, _, file = file_name.partition(".")
    served = (
        select(UpdateTarget.sha256)
        .join(
            UpdateRelease,
            (UpdateRelease.channel == UpdateTarget.channel) & (UpdateRelease.version == UpdateTarget.version),
        )
        .where(UpdateTarget.path == f"{channel}/{file}", UpdateTarget.sha256 == sha256)
        .where(UpdateRelease.withdrawn_at.is_(None))
    )
    stored_hash = session.scalar(served.limit(1))
    path = folder(platform) / (stored_hash or "")
    return path if path.is_file() else None


def without_files(session: Session, platform: Platform) -> set[tuple[str, str]]:
    """Returns (channel, version) of the releases that are offered although some of their files are missing."""
    offered = select(UpdateRelease.channel, UpdateRelease.version).where(UpdateRelease.withdrawn_at.is_(None))
    files = session.execute(select(UpdateTarget.channel, UpdateTarget.version, UpdateTarget.sha256))
    incomplete = {(channel, version) for channel, version, sha256 in files if not (folder(platform) / sha256).is_file()}
    return incomplete & {(channel, version) for channel, version in session.execute(offered)}


def folder(platform: Platform) -> Path:
    """Returns the folder of the files, each named by its SHA-256."""
    return platform.settings.data_dir / FOLDER
