"""A small signed repository of releases, as the contract describes it, and the folders of a clock that updates."""

import hashlib
import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from securesystemslib.signer import CryptoSigner
from stempelwerk_edge.updates.launcher import Places, own_platform, store
from tuf.api.metadata import (
    DelegatedRole,
    Delegations,
    Metadata,
    MetaFile,
    Root,
    Snapshot,
    TargetFile,
    Targets,
    Timestamp,
)

NOW = datetime(2026, 11, 20, 7, 0, tzinfo=UTC)
CHANNELS = ("stable", "beta")
_YEAR = timedelta(days=365)


def keys(count: int) -> list[CryptoSigner]:
    return [CryptoSigner.generate_ed25519() for _ in range(count)]


def wheel(files: dict[str, str | bytes]) -> bytes:
    """A wheel's bytes, the same for the same files."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return packed.getvalue()


def program(version: str, code: str = "def main():\n    return 0\n") -> bytes:
    """A wheel of a program that calls itself this version."""
    info = f"stempelwerk_edge-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: stempelwerk-edge\nVersion: {version}\n"
    return wheel(
        {"stempelwerk_edge/__init__.py": "", "stempelwerk_edge/__main__.py": code, f"{info}/METADATA": metadata}
    )


class SignedRepository:
    """`files` are what a cloud would serve, by `metadata/…` and `targets/…`."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now
        self.root_keys, self.targets_key, self.online = keys(3), keys(1)[0], keys(1)[0]
        self.channel_keys = dict(zip(CHANNELS, keys(2), strict=True))
        self.files: dict[str, bytes] = {}
        self.roots = 0
        self.released: dict[str, dict[str, TargetFile]] = {channel: {} for channel in CHANNELS}
        self.root = self.sign_root(self.root_keys[:2])
        self.publish()

    def sign_root(self, signers: list[CryptoSigner]) -> bytes:
        """One root more."""
        self.roots += 1
        root = Root(version=self.roots, expires=self.now + 3 * _YEAR, consistent_snapshot=True)
        for key in self.root_keys:
            root.add_key(key.public_key, "root")
        root.roles["root"].threshold = 2
        root.add_key(self.targets_key.public_key, "targets")
        for role in ("snapshot", "timestamp"):
            root.add_key(self.online.public_key, role)
        return self._put(f"{self.roots}.root.json", root, signers)

    def _put(self, name: str, signed: Any, signers: list[CryptoSigner]) -> bytes:
        document = Metadata(signed)
        for signer in signers:
            document.sign(signer, append=True)
        self.files[f"metadata/{name}"] = document.to_bytes()
        return self.files[f"metadata/{name}"]

    def add(self, version: str, *wheels: bytes, platform: str = "", wrong: dict[str, Any] | None = None) -> str:
        """Put a release into stable; its manifest's target. `wrong` replaces members of the manifest."""
        platform = platform or own_platform()
        channel, parts = "stable", []
        for data in wheels:
            name = f"part_{hashlib.sha256(data).hexdigest()[:8]}-1-py3-none-any.whl"
            file = self._target(channel, f"{channel}/{name}", data)
            parts.append({"target": f"{channel}/{name}", "sha256": file.hashes["sha256"], "length": file.length})
        target = f"{channel}/stempelwerk-edge-{version}-{platform}.json"
        manifest = {"version": version, "platform": platform, "wheels": parts, **(wrong or {})}
        self._target(channel, target, json.dumps(manifest).encode())
        self.publish()
        return target

    def _target(self, channel: str, target: str, data: bytes) -> TargetFile:
        file = TargetFile.from_data(target, data, ["sha256"])
        self.released[channel][target] = file
        folder, _, name = target.partition("/")
        self.files[f"targets/{folder}/{hashlib.sha256(data).hexdigest()}.{name}"] = data
        return file

    def publish(self, signers: dict[str, CryptoSigner] | None = None, **ages: timedelta) -> None:
        """Signs everything again, a second later; `ages`: how long ago a role was signed."""
        self.now += timedelta(seconds=1)
        version, roles = int(self.now.timestamp()), {}
        for channel, key in self.channel_keys.items():
            roles[channel] = DelegatedRole(channel, [key.public_key.keyid], 1, True, [f"{channel}/*"])
            targets = Targets(version=version, expires=self.now + _YEAR, targets=self.released[channel])
            self._put(f"{version}.{channel}.json", targets, [(signers or self.channel_keys)[channel]])
        public = {key.public_key.keyid: key.public_key for key in self.channel_keys.values()}
        top = Targets(version=version, expires=self.now + 3 * _YEAR, delegations=Delegations(public, roles))
        self._put(f"{version}.targets.json", top, [self.targets_key])
        names = [f"{name}.json" for name in ("targets", *CHANNELS)]
        snapshot = Snapshot(version=version, expires=self.now + timedelta(days=30))
        snapshot.meta = {name: MetaFile(version) for name in names}
        self._put(f"{version}.snapshot.json", snapshot, [self.online])
        over = self.now + timedelta(days=14) - ages.get("timestamp", timedelta())
        stamp = Timestamp(version=version, expires=over, snapshot_meta=MetaFile(version))
        self._put("timestamp.json", stamp, [self.online])


def places(folder: Path, repository: SignedRepository, package: str = "1.0.0") -> Places:
    """A clock's folders, with the package's program."""
    base, home = folder / "update", folder / "opt"
    for part in ("exchange", "slots"):
        (base / part).mkdir(parents=True)
    (base / "root.json").write_bytes(repository.root)
    (home / f"lib/python3.11/site-packages/stempelwerk_edge-{package}.dist-info").mkdir(parents=True)
    (home / "bin").mkdir()
    started = home / "bin/stempelwerk-edge"
    started.write_text(f"#!/bin/sh\necho package {package} $*\n")
    started.chmod(0o755)
    return Places(base, home)


def lay_down(where: Places, repository: SignedRepository, target: str, now: datetime | None = None) -> None:
    """Lays down everything that an agent would have fetched, and its request."""
    for name, data in repository.files.items():
        path = where.base / "exchange/incoming" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    now = now or repository.now
    store(where.base / "exchange/wanted.json", {"target": target, "at": now.isoformat()})
