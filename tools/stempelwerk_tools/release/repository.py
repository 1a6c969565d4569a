"""The folder in which everything lies that is signed offline, and the signing of it.

`metadata` has every root, and every version of the others; `targets/<channel>` the files of a channel; `notes` what is
new in a version, in German. Snapshot and timestamp are the cloud's.
"""

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from securesystemslib.signer import SSlibKey
from stempelwerk_edge.cloud.wire import LARGEST_FILE
from tuf.api.exceptions import UnsignedMetadataError
from tuf.api.metadata import DelegatedRole, Delegations, Key, Metadata, Role, Root, TargetFile, Targets

from stempelwerk_tools.release.keys import Keys, name_of, online

CHANNELS = ("stable", "beta")
ROOTS = ("root-1", "root-2", "root-3")
THRESHOLD = 2
ROOT_LIVES, TARGETS_LIVE, CHANNEL_LIVES = timedelta(days=3 * 365), timedelta(days=3 * 365), timedelta(days=365)
_MANIFEST = re.compile(r"stempelwerk-edge-(?P<version>[^-]+)-(?P<platform>.+)\.json")


class NotSigned(Exception):
    """Something cannot be signed as it must be; the message says why."""


def now() -> datetime:
    return datetime.now(UTC)


class Repository:
    """The folder. Everything that is signed is written beside what was there before."""

    def __init__(self, folder: Path, keys: Keys, clock: Callable[[], datetime] = now) -> None:
        self.folder, self._keys, self._clock = folder, keys, clock

    def begin(self, cloud_key: str) -> None:
        """The first ceremony: makes all keys, and signs root, targets and two empty channels. NotSigned, NoKey."""
        if self._newest("root") is not None:
            raise NotSigned(f"{self.folder} has a root already: rotate its keys")
        cloud = online(cloud_key)
        made = {name: self._keys.make(name) for name in (*ROOTS, "targets", *CHANNELS)}
        self._sign_root(1, [made[name] for name in ROOTS], made["targets"], cloud)
        self._sign_targets({channel: made[channel] for channel in CHANNELS})
        for channel in CHANNELS:
            self.sign(channel)

    def sign(self, channel: str) -> int:
        """Signs what lies in the channel's folder: manifests, and the wheels that they name; the new version."""
        folder, found = self.channel(channel), {}
        for path, manifest in self._manifests(channel):
            target = TargetFile.from_file(f"{channel}/{path.name}", str(path), ["sha256"])
            notes = self.notes(manifest["version"])
            target.unrecognized_fields["custom"] = {
                "version": manifest["version"],
                "platform": manifest["platform"],
                "notes": notes.read_text("utf-8").strip() if notes.is_file() else "",
            }
            found[target.path] = target
            for wheel in manifest["wheels"]:
                file = folder / wheel["target"].partition("/")[2]
                found[wheel["target"]] = TargetFile.from_file(wheel["target"], str(file), ["sha256"])
        version = self._next(channel)
        signed = Targets(version, None, self._clock() + CHANNEL_LIVES, found)
        self._write(channel, signed, [self._channel_keys()[channel]])
        return version

    def rotate(self, drop: Collection[str], cloud_key: str | None = None) -> list[str]:
        """Signs a new root, with a new key for each that is dropped; the names of the new. By the old threshold too.

        What the dropped keys had signed is signed anew. A cloud's new key comes into use with the root that names it.
        """
        old, channels = self._root(), self._channel_keys()
        root_keys = _of(old.keys, old.roles["root"].keyids)
        (target_key,) = _of(old.keys, old.roles["targets"].keyids)
        (cloud,) = _of(old.keys, old.roles["timestamp"].keyids)
        held = [*root_keys, target_key, *channels.values()]
        unknown = set(drop) - {name_of(key) for key in held}
        if unknown:
            raise NotSigned(f"there is no key {', '.join(sorted(unknown))}")
        used = {name_of(key) for key in held}
        renewed = {name: self._keys.make(_following(name, used)) for name in sorted(drop)}

        def kept(key: SSlibKey) -> SSlibKey:
            return renewed.get(name_of(key), key)

        self._sign_root(
            old.version + 1,
            [kept(key) for key in root_keys],
            kept(target_key),
            cloud if cloud_key is None else online(cloud_key),
            also=root_keys,
        )
        if kept(target_key) is not target_key or any(kept(key) is not key for key in channels.values()):
            self._sign_targets({name: kept(key) for name, key in channels.items()})
        for name, key in channels.items():
            if kept(key) is not key:
                self.sign(name)
        return [name_of(key) for key in renewed.values()]

    def withdraw(self, version: str, channel: str) -> None:
        """Takes a version out of the channel, and signs it. NotSigned for one that is not there."""
        mine = [path for path, manifest in self._manifests(channel) if manifest["version"] == version]
        if not mine:
            raise NotSigned(f"{channel} has no version {version}")
        for path in mine:
            path.unlink()
        named = {wheel["target"] for _, manifest in self._manifests(channel) for wheel in manifest["wheels"]}
        for wheel in self.channel(channel).glob("*.whl"):
            if f"{channel}/{wheel.name}" not in named:
                wheel.unlink()
        self.sign(channel)

    def promote(self, version: str) -> None:
        """Puts a version of beta into stable as well: the same wheels, and manifests of its own; and signs it."""
        mine = [manifest for _, manifest in self._manifests("beta") if manifest["version"] == version]
        if not mine:
            raise NotSigned(f"beta has no version {version}")
        for manifest in mine:
            wheels = [self.channel("beta") / one["target"].partition("/")[2] for one in manifest["wheels"]]
            self.add("stable", version, manifest["platform"], wheels)
        self.sign("stable")

    def add(self, channel: str, version: str, platform: str, wheels: Iterable[Path]) -> Path:
        """Lays a release of one platform into the channel's folder; the manifest. Wheels that are there stay."""
        folder, named = self.channel(channel), []
        folder.mkdir(parents=True, exist_ok=True)
        for wheel in sorted(wheels, key=lambda one: one.name):
            place = folder / wheel.name
            if wheel.stat().st_size > LARGEST_FILE:
                raise NotSigned(f"no clock fetches a file as large as {wheel.name}: {LARGEST_FILE >> 20} MB at most")
            if not place.exists():
                place.write_bytes(wheel.read_bytes())
            content = place.read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            named.append({"target": f"{channel}/{wheel.name}", "sha256": digest, "length": len(content)})
        manifest = {"version": version, "platform": platform, "wheels": named}
        path = folder / f"stempelwerk-edge-{version}-{platform}.json"
        path.write_text(json.dumps(manifest, indent=1) + "\n", "utf-8")
        return path

    def bundle(self, known: Collection[tuple[str, str, str]] = ()) -> bytes:
        """What a cloud takes: all roots, the newest of the rest, and the files but of releases that it has.

        `known`: by channel, version and platform.
        """
        with zipfile.ZipFile(made := io.BytesIO(), "w") as archive:
            for path in sorted((self.folder / "metadata").glob("*.root.json")):
                archive.write(path, f"metadata/{path.name}")
            for role in ("targets", *CHANNELS):
                path = self._path(role)
                archive.write(path, f"metadata/{path.name}")
            for name in sorted(self._to_send(known)):
                archive.write(self.folder / "targets" / name, f"targets/{name}")
        return made.getvalue()

    def fingerprint(self) -> tuple[int, str]:
        """The newest root's version, and the SHA-256 of its file."""
        return self._root().version, hashlib.sha256(self._path("root").read_bytes()).hexdigest()

    def channels_of(self, version: str) -> list[str]:
        """Those that have the version."""
        return [one for one in CHANNELS if any(manifest["version"] == version for _, manifest in self._manifests(one))]

    def channel(self, name: str) -> Path:
        return self.folder / "targets" / name

    def notes(self, version: str) -> Path:
        return self.folder / "notes" / f"{version}.txt"

    def _to_send(self, known: Collection[tuple[str, str, str]]) -> set[str]:
        found = set()
        for channel in CHANNELS:
            for path, manifest in self._manifests(channel):
                if (channel, manifest["version"], manifest["platform"]) not in known:
                    found |= {f"{channel}/{path.name}", *(wheel["target"] for wheel in manifest["wheels"])}
        return found

    def _manifests(self, channel: str) -> list[tuple[Path, dict[str, Any]]]:
        found = sorted(path for path in self.channel(channel).glob("*.json") if _MANIFEST.fullmatch(path.name))
        return [(path, json.loads(path.read_text("utf-8"))) for path in found]

    def _sign_root(
        self,
        version: int,
        roots: Sequence[SSlibKey],
        targets: SSlibKey,
        cloud: SSlibKey,
        *,
        also: Sequence[SSlibKey] = (),
    ) -> None:
        """`also`: keys of the root before, whose threshold has to sign too."""
        roles = {
            "root": Role([key.keyid for key in roots], THRESHOLD),
            "targets": Role([targets.keyid], 1),
            "snapshot": Role([cloud.keyid], 1),
            "timestamp": Role([cloud.keyid], 1),
        }
        known: dict[str, Key] = {key.keyid: key for key in (*roots, targets, cloud)}
        root = Root(version, None, self._clock() + ROOT_LIVES, known, roles, True)
        signers = {key.keyid: key for key in (*also, *roots)}
        self._write("root", root, list(signers.values()), need_all=False)

    def _sign_targets(self, channels: Mapping[str, SSlibKey]) -> None:
        roles = {name: DelegatedRole(name, [key.keyid], 1, True, [f"{name}/*"]) for name, key in channels.items()}
        delegations = Delegations({key.keyid: key for key in channels.values()}, roles)
        root = self._root()
        targets = Targets(self._next("targets"), None, self._clock() + TARGETS_LIVE, {}, delegations)
        self._write("targets", targets, _of(root.keys, root.roles["targets"].keyids))

    def _write(self, role: str, signed: Any, by: Sequence[SSlibKey], *, need_all: bool = True) -> None:
        metadata: Metadata[Any] = Metadata(signed)
        missing = []
        for key in by:
            signer = self._keys.signer(key)
            if signer is None:
                missing.append(name_of(key))
            else:
                metadata.sign(signer, append=True)
        if missing and need_all:
            raise NotSigned(f"{role} needs the key {', '.join(missing)}, which is not here")
        if role == "root":
            before = self._newest("root")
            try:
                for root in (signed, *([before.signed] if before else [])):
                    root.verify_delegate("root", metadata.signed_bytes, metadata.signatures)
            except UnsignedMetadataError:
                raise NotSigned(f"{THRESHOLD} keys of root must sign; not here: {', '.join(missing)}") from None
        path = self.folder / "metadata" / f"{signed.version}.{role}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(metadata.to_bytes())

    def _path(self, role: str) -> Path:
        newest = self._newest(role)
        if newest is None:
            raise NotSigned(f"{self.folder} has no {role}: begin with init")
        return self.folder / "metadata" / f"{newest.signed.version}.{role}.json"

    def _newest(self, role: str) -> Metadata[Any] | None:
        found = (self.folder / "metadata").glob(f"*.{role}.json")
        path = max(found, key=lambda one: int(one.name.partition(".")[0]), default=None)
        return None if path is None else Metadata.from_bytes(path.read_bytes())

    def _root(self) -> Root:
        root: Root = Metadata[Root].from_bytes(self._path("root").read_bytes()).signed
        return root

    def _channel_keys(self) -> dict[str, SSlibKey]:
        delegations = Metadata[Targets].from_bytes(self._path("targets").read_bytes()).signed.delegations
        roles = (delegations and delegations.roles) or {}
        return {name: _of(delegations.keys, role.keyids)[0] for name, role in roles.items() if delegations}

    def _next(self, role: str) -> int:
        newest = self._newest(role)
        return max(int(self._clock().timestamp()), 0 if newest is None else newest.signed.version + 1)


def _of(keys: Mapping[str, Any], keyids: Iterable[str]) -> list[SSlibKey]:
    return [keys[keyid] for keyid in keyids]


def _following(name: str, used: set[str]) -> str:
    """A name for the key that takes the place of this one, which nobody has had."""
    stem, number = re.sub(r"-\d+$", "", name), 2
    while (found := f"{stem}-{number}") in used:
        number += 1
    used.add(found)
    return found
