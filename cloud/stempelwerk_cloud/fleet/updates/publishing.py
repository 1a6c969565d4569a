"""Publishing what people have signed, and withdrawing it. Each takes the repository's lock: one after another."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session
from tuf.api.metadata import Root, TargetFile, Targets

from stempelwerk_cloud.domain.releases import VERSION
from stempelwerk_cloud.fleet.updates import actions, keys, live, problems, signing
from stempelwerk_cloud.fleet.updates.bundles import Bundle
from stempelwerk_cloud.fleet.updates.service import Release, folder, manifest_target, published
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata, UpdateRelease, UpdateTarget
from stempelwerk_cloud.fleet.updates.trust import Trusted, version_of
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.events import RELEASE_WITHDRAWN
from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.kit.operations.drafts import Drafts
from stempelwerk_cloud.people.audit.service import operator_actions
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.work import Work

_MANIFEST = re.compile(
    r"(?:stable|beta)/stempelwerk-edge-(?P<version>" + VERSION + r")-(?P<platform>cp\d{2,4}-\w{1,30})\.json", re.ASCII
)
_WHEEL = re.compile(r"(?:stable|beta)/[\w.+-]{1,200}\.whl", re.ASCII)
_SHA256 = re.compile(r"[0-9a-f]{64}")
MOST_NOTES = 5000
LARGEST_FILE = 32 << 20
"""Bytes of a file of a release: a clock refuses a larger one (`docs/contract/v1/update.md`)."""
LARGEST_MANIFEST = 1 << 20
"""Bytes of a manifest, which is read into memory: 200 wheels have a tenth of it."""
MOST_WHEELS = 200
"""Wheels of a manifest: a clock refuses one that names more."""
SHA256 = "sha256"


def publish(work: Work, bundle: Bundle) -> tuple[int, str]:
    """Takes all of it, or nothing and says why (422, 409); the root in force, its version and fingerprint."""
    operator_id = companies.operator_company(work).id
    locks.take(work.session, Lock.UPDATES)
    now, held = work.now(), signing.newest(work.session)
    first = held[Root.type].content if Root.type in held else bundle.signed.get((Root.type, 1))
    if first is None:
        raise problems.missing("1.root.json")
    trusted = Trusted(first, now)
    if trusted.root.version != 1 and Root.type not in held:
        raise problems.missing("1.root.json")
    roots = {} if Root.type in held else {1: first}
    roots |= trusted.follow(bundle.signed)
    new = _newer(held, bundle)
    files = {role: new.get(role) or held[role].content for role in signing.DELEGATED}
    signer = keys.signer(work.platform, trusted.root)
    if signer is None:
        raise problems.unknown_key()
    online = signing.sign(signer, files, signing.last(held), now)
    channels = trusted.accept(online, files, set(new))
    with Drafts(folder(work.platform)) as drafts:
        told = [_enter(work, bundle, drafts, channel, signed, now) for channel, signed in channels.items()]
        drafts.put_in_place()
    for version, content in roots.items():
        _keep(work.session, Root.type, version, content, now)
    for role, content in new.items():
        _keep(work.session, role, version_of(content), content, now)
    signing.keep(work.session, online, now)
    root = signing.newest(work.session)[Root.type]
    fingerprint = hashlib.sha256(root.content).hexdigest()
    said = {"root": root.version, "fingerprint": fingerprint, "versions": [one for each in told for one in each]}
    work.audit(operator_id, actions.PUBLISHED, None, None, said)
    if roots:
        work.note_operator(operator_actions.ROOT_ACCEPTED, f"{root.version}.root.json")
    live.refresh_pages(work, operator_id)
    return root.version, fingerprint


def withdraw(work: Work, version: str, reason: str) -> Release:
    """Nobody is told of this version any more, in no channel. 404; 409 if it is withdrawn already."""
    operator_id = companies.operator_company(work).id
    locks.take(work.session, Lock.UPDATES)
    found = work.session.scalars(select(UpdateRelease).where(UpdateRelease.version == version)).all()
    if not found:
        raise not_found()
    offered = [one for one in found if one.withdrawn_at is None]
    if not offered:
        raise problems.already_withdrawn()
    for one in offered:
        _withdraw(work, one, reason)
    work.audit(operator_id, actions.WITHDRAWN, None, None, {"version": version, "reason": reason})
    live.refresh_pages(work, operator_id)
    return next(one for one in published(work.session) if one.version == version)


def _newer(held: Mapping[str, UpdateMetadata], bundle: Bundle) -> dict[str, bytes]:
    """Of what people sign besides root, what the bundle brings and is not there yet. 422 for what is older."""
    new = {}
    for role in signing.DELEGATED:
        brought = max((version for each, version in bundle.signed if each == role), default=None)
        if brought is None:
            if role not in held:
                raise problems.missing(f"{role}.json")
            continue
        content = bundle.signed[role, brought]
        if version_of(content) != brought:
            raise problems.not_ours(f"{brought}.{role}.json trägt eine andere Version im Namen.")
        if role in held and content == held[role].content:
            continue
        if role in held and brought <= held[role].version:
            raise problems.older(role)
        new[role] = content
    return new


def _enter(work: Work, bundle: Bundle, drafts: Drafts, channel: str, signed: Targets, now: datetime) -> list[str]:
    """Writes down what the channel has; its versions that are new. What has left it is withdrawn."""
    session, there = work.session, set()
    new: list[str] = []
    strange = next((path for path in signed.targets if not path.startswith(f"{channel}/")), None)
    if strange is not None:
        raise problems.not_ours(f"{channel} nennt {strange}.")
    manifests = {path: found for path in signed.targets if (found := _MANIFEST.fullmatch(path))}
    for path, named in manifests.items():
        version, platform = named["version"], named["platform"]
        there.add(version)
        known = session.get(UpdateRelease, (channel, version))
        taken = session.get(UpdateTarget, (path, version))
        if taken is not None and taken.sha256 != signed.targets[path].hashes.get(SHA256):
            raise problems.version_taken(path)
        if known is None:
            session.add(
                UpdateRelease(channel=channel, version=version, notes=_notes(signed.targets[path]), published_at=now)
            )
            session.flush()
            new.append(f"{channel} {version}")
        manifest = _file(work, bundle, drafts, signed.targets[path], LARGEST_MANIFEST)
        for target in (path, *_wheels(path, manifest.read_bytes(), version, platform, signed)):
            one = signed.targets[target]
            _file(work, bundle, drafts, one)
            if session.get(UpdateTarget, (target, version)) is None:
                row = UpdateTarget(path=target, version=version, channel=channel, sha256=one.hashes[SHA256])
                row.length, row.platform = one.length, platform if target == path else None
                session.add(row)
                session.flush()
    left = select(UpdateRelease).where(UpdateRelease.channel == channel, UpdateRelease.withdrawn_at.is_(None))
    for one_left in session.scalars(left.where(UpdateRelease.version.not_in(there))).all():
        _withdraw(work, one_left, "")
    return new


def _wheels(path: str, content: bytes, version: str, platform: str, signed: Targets) -> list[str]:
    """The wheels of a manifest, each of which the channel vouches for as the manifest has it. 422"""
    try:
        manifest: Any = json.loads(content)
        wheels = [(one["target"], one["sha256"], one["length"]) for one in manifest["wheels"]]
        named = {target: (sha256, length) for target, sha256, length in wheels}
        said = (path, manifest["version"], manifest["platform"])
    except (ValueError, TypeError, KeyError, RecursionError):
        raise problems.not_as_signed(path) from None
    if said != (manifest_target(version, path.partition("/")[0], platform), version, platform) or not named:
        raise problems.not_as_signed(path)
    if len(wheels) > MOST_WHEELS:
        raise problems.too_many_wheels(path, MOST_WHEELS)
    for target, how in named.items():
        one = signed.targets.get(target)
        if one is None or (one.hashes.get(SHA256), one.length) != how or not _WHEEL.fullmatch(target):
            raise problems.not_as_signed(target)
    return list(named)


def _file(work: Work, bundle: Bundle, drafts: Drafts, one: TargetFile, most: int = LARGEST_FILE) -> Path:
    """Where the file lies, which is on its way into the data folder if it is new. 422 if nobody has it, or if it is
    larger than clocks take.
    """
    sha256 = one.hashes.get(SHA256, "")
    if not _SHA256.fullmatch(sha256):
        raise problems.not_as_signed(one.path)
    if one.length > most:
        raise problems.file_too_large(one.path, most >> 20)
    place = folder(work.platform) / sha256
    found = place if place.is_file() else bundle.files.get(sha256)
    if found is None:
        raise problems.missing(one.path)
    if found.stat().st_size != one.length:
        raise problems.not_as_signed(one.path)
    target = drafts.place(PurePosixPath(sha256))
    if found is not place and target not in drafts.targets:
        with found.open("rb") as content:
            drafts.write(target, content)
    return found


def _notes(target: TargetFile) -> str:
    custom = target.custom
    notes = custom.get("notes") if isinstance(custom, dict) else None
    return notes.replace("\0", "")[:MOST_NOTES] if isinstance(notes, str) else ""


def _withdraw(work: Work, one: UpdateRelease, reason: str) -> None:
    one.withdrawn_at, one.reason = work.now(), reason
    work.session.flush()
    work.emit(RELEASE_WITHDRAWN, version=one.version, channel=one.channel)


def _keep(session: Session, role: str, version: int, content: bytes, now: datetime) -> None:
    session.add(UpdateMetadata(role=role, version=version, content=content, at=now))
    session.flush()
