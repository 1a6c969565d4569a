"""Snapshot and timestamp: the two metadata files that the service signs itself. It signs them at each publication and
once a day, because a timestamp expires after two weeks.

Their version numbers are Unix seconds. So a service restored from a backup uses higher numbers than clocks have seen,
as soon as it signs again.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from securesystemslib.signer import CryptoSigner
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session
from tuf.api.metadata import Metadata, MetaFile, Root, Signed, Snapshot, Timestamp

from stempelwerk_cloud.fleet.updates.signed import keys
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.platform import Platform

log = structlog.get_logger(__name__)
DELEGATED = ("targets", "stable", "beta")
"""Roles whose files people sign offline, except for root."""
SIGN_INTERVAL = timedelta(days=1)
SNAPSHOT_LIVES, TIMESTAMP_LIVES = timedelta(days=30), timedelta(days=14)
SERVED_FOR = timedelta(days=7)
"""How long superseded snapshots and timestamps are served, for clients that are in the middle of an update."""
WARNED_BEFORE = timedelta(days=60)


class OnlineFiles(NamedTuple):
    """A signed snapshot and the signed timestamp that names it, both with the same version number."""

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
    """Signs a snapshot and a timestamp for these metadata files, which have one entry for each role of `DELEGATED`.
    Their version number is higher than `above_version`.
    """
    version = max(int(now.timestamp()), above_version + 1)
    meta = {f"{role}.json": _meta(files[role]) for role in DELEGATED}
    snapshot = _signed(Snapshot(version=version, expires=now + SNAPSHOT_LIVES, meta=meta), signer)
    snapshot_meta = MetaFile.from_data(version, snapshot, ["sha256"])
    timestamp = Timestamp(version=version, expires=now + TIMESTAMP_LIVES, snapshot_meta=snapshot_meta)
    return OnlineFiles(version, snapshot, _signed(timestamp, signer))


def store_online_files(session: Session, online: OnlineFiles, now: datetime) -> None:
    """Stores snapshot and timestamp, which clients get after the commit. Deletes those that are older than
    `SERVED_FOR`.
    """
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
