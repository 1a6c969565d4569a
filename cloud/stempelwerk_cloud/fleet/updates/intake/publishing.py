"""Publication and withdrawal of signed releases. Both lock the update repository, so only one of them runs at a time.
Live updates of system administrators' open pages about releases.
"""

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from tuf.api.metadata import Root, TargetFile, Targets

from stempelwerk_cloud.domain.releases import VERSION
from stempelwerk_cloud.fleet.updates import words
from stempelwerk_cloud.fleet.updates.intake.bundles import Bundle
from stempelwerk_cloud.fleet.updates.service import Release, folder, manifest_target, published
from stempelwerk_cloud.fleet.updates.signed import keys, signing
from stempelwerk_cloud.fleet.updates.signed.trust import Trusted, version_of
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata, UpdateRelease, UpdateTarget
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.events import RELEASE_WITHDRAWN
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.live.topics import Subscriber
from stempelwerk_cloud.kit.operations.drafts import Drafts
from stempelwerk_cloud.people.audit import actions as operator_actions
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.callers import ADMIN
from stempelwerk_cloud.people.work import UnitOfWork

PUBLISHED = Action("update.published")
WITHDRAWN = Action("update.withdrawn")


def hears(hearer: Subscriber, _modules: Collection[str]) -> list[str]:
    """Returns the topics of releases that a subscriber receives: the operator's for system administrators, nothing for
    others.
    """
    return [_topic(hearer.company_id)] if hearer.role == ADMIN else []


def refresh_pages(work: UnitOfWork, operator_id: str) -> None:
    """Makes open pages that show releases reload them, after the commit."""
    work.platform.live.publish(work.session, [_topic(operator_id)], {"type": "updates_update"})


def _topic(operator_id: str) -> str:
    return f"updates:{operator_id}"


_MANIFEST = re.compile(
    r"(?:stable|beta)/stempelwerk-edge-(?P<version>" + VERSION + r")-(?P<platform>cp\d{2,4}-\w{1,30})\.json", re.ASCII
)
_WHEEL = re.compile(r"(?:stable|beta)/[\w.+-]{1,200}\.whl", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}")
MOST_NOTES = 5000
LARGEST_FILE = 32 << 20
"""Maximum size in bytes of a file of a release: a clock refuses a larger one (`docs/contract/v1/update.md`)."""
LARGEST_MANIFEST = 1 << 20
"""Maximum size in bytes of a manifest, which is read into memory as a whole. A manifest of 200 wheels has a tenth of
it.
"""
MOST_WHEELS = 200
"""Maximum number of wheels in a manifest: a clock refuses more."""
SHA256 = "sha256"


def publish(work: UnitOfWork, bundle: Bundle) -> tuple[int, str]:
    """Publishes a bundle as a whole and returns version and fingerprint of the root in force. Raises 422 or 409 and
    publishes nothing if any part of it is invalid.
    """
    operator_id = companies.operator_company(work).id
    locks.take(work.session, Lock.UPDATES)
    now, in_force = work.now(), signing.newest(work.session)
    first = in_force[Root.type].content if Root.type in in_force else bundle.signed.get((Root.type, 1))
    if first is None:
        raise words.missing("1.root.json")
    trusted = Trusted(first, now)
    if trusted.root.version != 1 and Root.type not in in_force:
        raise words.missing("1.root.json")
    roots = {} if Root.type in in_force else {1: first}
    roots |= trusted.follow(bundle.signed)
    new = _newer(in_force, bundle)
    files = {role: new.get(role) or in_force[role].content for role in signing.DELEGATED}
    signer = keys.signer(work.platform, trusted.root)
    if signer is None:
        raise words.unknown_key()
    online = signing.sign(signer, files, signing.last_version(in_force), now)
    channels = trusted.accept(online, files, set(new))
    with Drafts(folder(work.platform)) as drafts:
        new_versions = [
            _enter_channel(work, bundle, drafts, channel, signed, now) for channel, signed in channels.items()
        ]
        drafts.put_in_place()
    for version, content in roots.items():
        _store_metadata(work.session, Root.type, version, content, now)
    for role, content in new.items():
        _store_metadata(work.session, role, version_of(content), content, now)
    signing.store_online_files(work.session, online, now)
    root = signing.newest(work.session)[Root.type]
    fingerprint = hashlib.sha256(root.content).hexdigest()
    audit_values = {
        "root": root.version,
        "fingerprint": fingerprint,
        "versions": [name for each in new_versions for name in each],
    }
    work.audit(operator_id, PUBLISHED, None, None, audit_values)
    if roots:
        work.note_operator(operator_actions.ROOT_ACCEPTED, f"{root.version}.root.json")
    refresh_pages(work, operator_id)
    return root.version, fingerprint


def withdraw(work: UnitOfWork, version: str, reason: str) -> Release:
    """Withdraws a version in all channels, so that no clock is offered it any more. Raises 404 for an unknown version,
    and 409 if it is already withdrawn.
    """
    operator_id = companies.operator_company(work).id
    locks.take(work.session, Lock.UPDATES)
    releases = work.session.scalars(select(UpdateRelease).where(UpdateRelease.version == version)).all()
    if not releases:
        raise not_found()
    offered = [release for release in releases if release.withdrawn_at is None]
    if not offered:
        raise words.already_withdrawn()
    for release in offered:
        _withdraw(work, release, reason)
    work.audit(operator_id, WITHDRAWN, None, None, {"version": version, "reason": reason})
    refresh_pages(work, operator_id)
    return next(release for release in published(work.session) if release.version == version)


def _newer(in_force: Mapping[str, UpdateMetadata], bundle: Bundle) -> dict[str, bytes]:
    """Returns the metadata files of the bundle that differ from those in force, by role: `targets`, `stable` and
    `beta`.

    Raises 422 if a file is older than the one in force, has another version than in its file name, or is missing
    although no file of its role is in force.
    """
    new = {}
    for role in signing.DELEGATED:
        new_version = max((version for each, version in bundle.signed if each == role), default=None)
        if new_version is None:
            if role not in in_force:
                raise words.missing(f"{role}.json")
            continue
        content = bundle.signed[role, new_version]
        if version_of(content) != new_version:
            raise words.other_version(f"{new_version}.{role}.json")
        if role in in_force and content == in_force[role].content:
            continue
        if role in in_force and new_version <= in_force[role].version:
            raise words.older(role)
        new[role] = content
    return new


def _enter_channel(
    work: UnitOfWork, bundle: Bundle, drafts: Drafts, channel: str, signed: Targets, now: datetime
) -> list[str]:
    """Writes the releases that the channel's signed file lists, and returns the versions that are new. Releases that
    the file no longer lists are withdrawn.
    """
    session, listed_versions = work.session, set()
    new: list[str] = []
    foreign_path = next((path for path in signed.targets if not path.startswith(f"{channel}/")), None)
    if foreign_path is not None:
        raise words.names_foreign_path(channel, foreign_path)
    manifests = {path: match for path in signed.targets if (match := _MANIFEST.fullmatch(path))}
    for path, manifest_name in manifests.items():
        version, platform = manifest_name["version"], manifest_name["platform"]
        listed_versions.add(version)
        existing_release = session.get(UpdateRelease, (channel, version))
        existing_target = session.get(UpdateTarget, (path, version))
        if existing_target is not None and existing_target.sha256 != signed.targets[path].hashes.get(SHA256):
            raise words.version_taken(path)
        if existing_release is None:
            session.add(
                UpdateRelease(channel=channel, version=version, notes=_notes(signed.targets[path]), published_at=now)
            )
            session.flush()
            new.append(f"{channel} {version}")
        manifest = _stage_file(work, bundle, drafts, signed.targets[path], LARGEST_MANIFEST)
        for target in (path, *_wheels(path, manifest.read_bytes(), version, platform, signed)):
            target_file = signed.targets[target]
            _stage_file(work, bundle, drafts, target_file)
            if session.get(UpdateTarget, (target, version)) is None:
                row = UpdateTarget(path=target, version=version, channel=channel, sha256=target_file.hashes[SHA256])
                row.length, row.platform = target_file.length, platform if target == path else None
                session.add(row)
                session.flush()
    missing_releases = select(UpdateRelease).where(
        UpdateRelease.channel == channel, UpdateRelease.withdrawn_at.is_(None)
    )
    for missing_release in session.scalars(missing_releases.where(UpdateRelease.version.not_in(listed_versions))).all():
        _withdraw(work, missing_release, "")
    return new


def _wheels(path: str, content: bytes, version: str, platform: str, signed: Targets) -> list[str]:
    """Returns the target paths of the wheels in a manifest. Raises 422 if the manifest is not the one of this version
    and platform, or if the channel's signed targets do not list each wheel with the same hash and length.
    """
    try:
        manifest: Any = json.loads(content)
        wheels = [(wheel["target"], wheel["sha256"], wheel["length"]) for wheel in manifest["wheels"]]
        expected = {target: (sha256, length) for target, sha256, length in wheels}
        identity = (path, manifest["version"], manifest["platform"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise words.not_as_signed(path) from None
    if identity != (manifest_target(version, path.partition("/")[0], platform), version, platform) or not expected:
        raise words.not_as_signed(path)
    if len(wheels) > MOST_WHEELS:
        raise words.too_many_wheels(path, MOST_WHEELS)
    for target, how in expected.items():
        target_file = signed.targets.get(target)
        if (
            target_file is None
            or (target_file.hashes.get(SHA256), target_file.length) != how
            or not _WHEEL.fullmatch(target)
        ):
            raise words.not_as_signed(target)
    return list(expected)


def _stage_file(
    work: UnitOfWork, bundle: Bundle, drafts: Drafts, target_file: TargetFile, max_bytes: int = LARGEST_FILE
) -> Path:
    """Returns the path of a target file's content, and stages a new file to be copied into the data folder. Raises 422
    if the file is missing, does not have the signed length, or is larger than clocks accept.
    """
    sha256 = target_file.hashes.get(SHA256, "")
    if not _SHA256.fullmatch(sha256):
        raise words.not_as_signed(target_file.path)
    if target_file.length > max_bytes:
        raise words.file_too_large(target_file.path, max_bytes >> 20)
    stored_path = folder(work.platform) / sha256
    source = stored_path if stored_path.is_file() else bundle.files.get(sha256)
    if source is None:
        raise words.missing(target_file.path)
    if source.stat().st_size != target_file.length:
        raise words.not_as_signed(target_file.path)
    target = drafts.place(PurePosixPath(sha256))
    if source is not stored_path and target not in drafts.targets:
        with source.open("rb") as content:
            drafts.write(target, content)
    return source


def _notes(target: TargetFile) -> str:
    custom = target.custom
    notes = custom.get("notes") if isinstance(custom, dict) else None
    return notes.replace("\0", "")[:MOST_NOTES] if isinstance(notes, str) else ""


def _withdraw(work: UnitOfWork, release: UpdateRelease, reason: str) -> None:
    release.withdrawn_at, release.reason = work.now(), reason
    work.session.flush()
    work.emit(RELEASE_WITHDRAWN, version=release.version, channel=release.channel)


def _store_metadata(session: Session, role: str, version: int, content: bytes, now: datetime) -> None:
    session.add(UpdateMetadata(role=role, version=version, content=content, at=now))
    session.flush()
