"""Snapshot and timestamp. They are signed at each publication, and again each day, because a timestamp expires after
two weeks.

Their versions are Unix seconds, so a restored cloud is ahead of all versions seen by clocks as soon as it has signed.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from securesystemslib.signer import CryptoSigner
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session
from tuf.api.metadata import Metadata, MetaFile, Root, Signed, Snapshot, Timestamp

from stempelwerk_cloud.fleet.updates import keys
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform

log = structlog.get_logger(__name__)
DELEGATED = ("targets", "stable", "beta")
"""Roles that people sign, except for root."""
SIGN_INTERVAL = timedelta(days=1)
SNAPSHOT_LIVES, TIMESTAMP_LIVES = timedelta(days=30), timedelta(days=14)
SERVED_FOR = timedelta(days=7)
"""How long superseded files are served, for clients that have just read their names."""
WARNED_BEFORE = timedelta(days=60)


class OnlineFiles(NamedTuple):
    """Snapshot and timestamp of one version."""

    version: int
    snapshot: bytes
    timestamp: bytes


def newest(session: Session) -> dict[str, UpdateMetadata]:
    """Returns the newest file of each role, by role."""
    latest = select(UpdateMetadata.role, func.max(UpdateMetadata.version).label("version"))
    newest_versions = latest.group_by(UpdateMetadata.role).subquery()
    is_newest = (UpdateMetadata.role == newest_versions.c.role) & (UpdateMetadata.version == newest_versions.c.version)
    return {row.role: row for row in session.scalars(select(UpdateMetadata).join(newest_versions, is_newest))}


def last_version(in_force: Mapping[str, UpdateMetadata]) -> int:
    """Returns the version of the last signed snapshot or timestamp; 0 before the first."""
    return max((in_force[role].version for role in (Snapshot.type, Timestamp.type) if role in in_force), default=0)


def sign(signer: CryptoSigner, files: Mapping[str, bytes], above_version: int, now: datetime) -> OnlineFiles:
    """Signs snapshot and timestamp for these files (of `DELEGATED`), with a version higher than `above_version`."""
    version = max(int(now.timestamp()), above_version + 1)
    meta = {f"{role}.json": _meta(files[role]) for role in DELEGATED}
    snapshot = _signed(Snapshot(version=version, expires=now + SNAPSHOT_LIVES, meta=meta), signer)
    snapshot_meta = MetaFile.from_data(version, snapshot, ["sha256"])
    timestamp = Timestamp(version=version, expires=now + TIMESTAMP_LIVES, snapshot_meta=snapshot_meta)
    return OnlineFiles(version, snapshot, _signed(timestamp, signer))


def store_online_files(session: Session, online: OnlineFiles, now: datetime) -> None:
    """Stores both, which are in force from the commit on, and deletes those older than `SERVED_FOR`."""
    session.add(UpdateMetadata(role=Snapshot.type, version=online.version, content=online.snapshot, at=now))
    session.add(UpdateMetadata(role=Timestamp.type, version=online.version, content=online.timestamp, at=now))
    session.flush()
    is_online_role = UpdateMetadata.role.in_((Snapshot.type, Timestamp.type))
    session.execute(delete(UpdateMetadata).where(is_online_role, UpdateMetadata.at <= now - SERVED_FOR))


def sign_daily(platform: Platform) -> None:
    """Signs snapshot and timestamp once a day, and logs a warning about files that expire soon (job)."""
    with platform.database.write(SYSTEM) as session:
        locks.take(session, Lock.UPDATES)
        now, in_force = platform.clock.now(), newest(session)
        if Timestamp.type not in in_force or now - in_force[Timestamp.type].at < SIGN_INTERVAL:
            return
        files = {role: in_force[role].content for role in (Root.type, *DELEGATED)}
        parsed: dict[str, Signed] = {role: Metadata.from_bytes(content).signed for role, content in files.items()}
        for role, signed_file in parsed.items():
            if signed_file.is_expired(now + WARNED_BEFORE):
                log.warning("update_metadata_expires", role=role, expires=signed_file.expires.isoformat())
        root = parsed[Root.type]
        signer = keys.signer(platform, root) if isinstance(root, Root) else None
        if signer is None:
            log.error("update_key_missing", effect="clocks refuse updates once the timestamp is over")
            return
        store_online_files(session, sign(signer, files, last_version(in_force), now), now)


def _meta(content: bytes) -> MetaFile:
    return MetaFile.from_data(Metadata.from_bytes(content).signed.version, content, ["sha256"])


def _signed(signed: Snapshot | Timestamp, signer: CryptoSigner) -> bytes:
    metadata: Metadata[Any] = Metadata(signed)
    metadata.sign(signer)
    return metadata.to_bytes()
