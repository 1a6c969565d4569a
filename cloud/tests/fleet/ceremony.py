"""Signing ceremony of the update repository for tests, written with TUF's own model and independent of the tool."""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.signer import CryptoSigner, SSlibKey
from stempelwerk_cloud.fleet.updates import commands
from stempelwerk_cloud.kit.platform import Platform
from tuf.api.metadata import DelegatedRole, Delegations, Metadata, Role, Root, Snapshot, TargetFile, Targets, Timestamp

PLATFORM = "cp311-x86_64"
OFFLINE = ("root-1", "root-2", "root-3", "targets", "stable", "beta")


@cache
def signer(name: str) -> CryptoSigner:
    private = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())
    return CryptoSigner(private, key_of(private.public_key().public_bytes_raw().hex()))


def key_of(public: str) -> SSlibKey:
    return SSlibKey(public[:16], "ed25519", "ed25519", {"public": public})


def signed(content: Any, *signers: str) -> bytes:
    metadata: Metadata[Any] = Metadata(content)
    for name in signers:
        metadata.sign(signer(name), append=True)
    return metadata.to_bytes()


def release(
    version: str, *, channel: str = "stable", wheel: bytes = b"a wheel", platform: str = PLATFORM
) -> Mapping[str, bytes]:
    """Returns the files of a release, by target: one wheel and the manifest."""
    target = f"{channel}/stempelwerk_edge-{version}-py3-none-any.whl"
    wheels = [{"target": target, "sha256": hashlib.sha256(wheel).hexdigest(), "length": len(wheel)}]
    manifest = json.dumps({"version": version, "platform": platform, "wheels": wheels}).encode()
    return {target: wheel, f"{channel}/stempelwerk-edge-{version}-{platform}.json": manifest}


@dataclass
class Ceremony:
    """Signs with the keys of `names` (by role; a test may put wrong ones), and dates everything from `now` on."""

    now: datetime
    online: str
    """The cloud's public key, in hexadecimal."""
    signs: dict[str, tuple[str, ...]] = field(
        default_factory=lambda: {
            "root": ("root-1", "root-2"),
            "targets": ("targets",),
            "stable": ("stable",),
            "beta": ("beta",),
        }
    )

    @property
    def seconds(self) -> int:
        return int(self.now.timestamp())

    def root(
        self,
        version: int = 1,
        *,
        roots: Sequence[str] = OFFLINE[:3],
        threshold: int = 2,
        online: Sequence[str] = (),
        years: int = 3,
        consistent: bool = True,
    ) -> bytes:
        keys = {name: signer(name).public_key for name in (*roots, "targets")}
        cloud = [key_of(public) for public in online or [self.online]]
        cloud_keyids = [key.keyid for key in cloud]
        roles = {
            "root": Role([keys[name].keyid for name in roots], threshold),
            "targets": Role([keys["targets"].keyid], 1),
            "snapshot": Role(cloud_keyids, 1),
            "timestamp": Role(cloud_keyids, 1),
        }
        keys_by_id = {key.keyid: key for key in (*keys.values(), *cloud)}
        return signed(Root(version, None, self._in(years), keys_by_id, roles, consistent), *self.signs["root"])

    def targets(self, version: int = 0, *, paths: Mapping[str, Sequence[str]] | None = None, **options: Any) -> bytes:
        keys = {name: signer(name).public_key for name in ("stable", "beta")}
        patterns = paths or {name: [f"{name}/*"] for name in keys}
        roles = {name: DelegatedRole(name, [key.keyid], 1, True, list(patterns[name])) for name, key in keys.items()}
        delegations = Delegations({key.keyid: key for key in keys.values()}, roles)
        return signed(
            Targets(version or self.seconds, None, self._in(3), options.get("targets"), delegations),
            *self.signs["targets"],
        )

    def channel(
        self, name: str, files: Mapping[str, bytes] | None = None, *, version: int = 0, notes: str = "", years: int = 1
    ) -> bytes:
        target_files = {}
        for path, content in (files or {}).items():
            target_files[path] = TargetFile.from_data(path, content, ["sha256"])
            if path.endswith(".json"):
                target_files[path].unrecognized_fields["custom"] = {"notes": notes}
        return signed(Targets(version or self.seconds, None, self._in(years), target_files), *self.signs[name])

    def bundle(
        self, files: Mapping[str, bytes] | None = None, *, notes: str = "", metadata: Mapping[str, bytes] | None = None
    ) -> bytes:
        """Returns a first bundle with these files; `metadata` (by role, or by name) replaces its own."""
        of_channel = {
            channel: {path: content for path, content in (files or {}).items() if path.startswith(channel)}
            for channel in ("stable", "beta")
        }
        default_metadata = {
            "root": self.root(),
            "targets": self.targets(),
            **{
                channel: self.channel(channel, channel_files, notes=notes)
                for channel, channel_files in of_channel.items()
            },
        }
        return zipped(default_metadata | dict(metadata or {}), files or {})

    def _in(self, years: int) -> datetime:
        return self.now + timedelta(days=365 * years)


def zipped(metadata: Mapping[str, bytes], files: Mapping[str, bytes], *, kind: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Returns a bundle; metadata by role is named by its own version."""
    with zipfile.ZipFile(buffer := io.BytesIO(), "w", kind) as archive:
        for name, content in metadata.items():
            full = name if "." in name else f"{Metadata.from_bytes(content).signed.version}.{name}.json"
            archive.writestr(f"metadata/{full}", content)
        for path, content in files.items():
            archive.writestr(f"targets/{path}", content)
    return buffer.getvalue()


def ceremony_at(platform: Platform) -> Ceremony:
    """Returns a ceremony with the installation's own key."""
    return Ceremony(platform.clock.now(), commands.public_key(platform.settings, renew=False))


def online_files(files: Mapping[str, bytes], signer_name: str, version: int, now: datetime) -> dict[str, bytes]:
    """Returns snapshot and timestamp, signed with that key."""
    from tuf.api.metadata import MetaFile

    meta = {f"{role}.json": MetaFile(Metadata.from_bytes(content).signed.version) for role, content in files.items()}
    snapshot = Snapshot(version, None, now + timedelta(days=30), meta)
    timestamp = Timestamp(version, None, now + timedelta(days=14), MetaFile(version))
    return {f"{version}.snapshot.json": signed(snapshot, signer_name), "timestamp.json": signed(timestamp, signer_name)}
