"""The job that deletes files that no clock needs any more: those of withdrawn releases and of failed uploads.

It takes the lock of the update repository, which a publication holds until its rows are written. So it never deletes
files of a publication that is in progress.
"""

from collections.abc import Iterator
from datetime import UTC, datetime

import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session
from tuf.api.metadata import Metadata, Snapshot, Targets

from stempelwerk_cloud.domain.releases import spent
from stempelwerk_cloud.fleet.updates.service import folder
from stempelwerk_cloud.fleet.updates.signed import signing
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata, UpdateRelease, UpdateTarget
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform

log = structlog.get_logger(__name__)


def collect(platform: Platform) -> None:
    """Deletes unused files from the data folder (job). Their rows stay as the record of withdrawn versions."""
    update_folder = folder(platform)
    if not update_folder.is_dir():
        return
    with platform.database.write(SYSTEM) as session:
        locks.take(session, Lock.UPDATES)
        files = {
            path.name: datetime.fromtimestamp(path.stat().st_mtime, UTC)
            for path in update_folder.iterdir()
            if path.is_file()
        }
        is_same_release = (UpdateRelease.channel == UpdateTarget.channel) & (
            UpdateRelease.version == UpdateTarget.version
        )
        uses = session.execute(
            select(UpdateTarget.sha256, UpdateRelease.withdrawn_at).join(UpdateRelease, is_same_release)
        )
        removable = spent(
            files,
            [(sha256, withdrawn_at) for sha256, withdrawn_at in uses],
            set(_find_named_hashes(session)),
            platform.clock.now(),
        )
        for name in removable:
            (update_folder / name).unlink()
    if removable:
        log.info("update_files_removed", count=len(removable))


def _find_named_hashes(session: Session) -> Iterator[str]:
    """Yields the SHA-256 hashes of all target files named by metadata that is in force or listed in a snapshot that is
    still served.
    """
    contents = {(row.role, row.version): row.content for row in session.scalars(select(UpdateMetadata))}
    wanted_keys = {(role, row.version) for role, row in signing.newest(session).items() if role in signing.DELEGATED}
    for (role, _), content in contents.items():
        if role == Snapshot.type:
            meta = Metadata[Snapshot].from_bytes(content).signed.meta
            wanted_keys |= {(name.removesuffix(".json"), meta_file.version) for name, meta_file in meta.items()}
    for key in wanted_keys & contents.keys():
        for target in Metadata[Targets].from_bytes(contents[key]).signed.targets.values():
            yield target.hashes.get("sha256", "")  # files without a manifest are not checked
