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
from typing import Any, NamedTuple

from securesystemslib.signer import CryptoSigner, SSlibKey
from stempelwerk_edge.cloud.wire import LARGEST_FILE
from tuf.api.exceptions import UnsignedMetadataError
from tuf.api.metadata import DelegatedRole, Delegations, Key, Metadata, Role, Root, TargetFile, Targets

from stempelwerk_tools.release.disk import finish_storing, store_together, write_whole
from stempelwerk_tools.release.keys import Keys, name_of, online

CHANNELS = ("stable", "beta")
ROOTS = ("root-1", "root-2", "root-3")
THRESHOLD = 2
ROOT_LIVES, TARGETS_LIVE, CHANNEL_LIVES = timedelta(days=3 * 365), timedelta(days=3 * 365), timedelta(days=365)
_MANIFEST = re.compile(r"stempelwerk-edge-(?P<version>[^-]+)-(?P<platform>.+)\.json")


class _Signed(NamedTuple):
    """A signed file."""

    role: str
    version: int
    content: bytes


class NotSigned(Exception):
    """Something cannot be signed as it must be; the message says why."""


def now() -> datetime:
    return datetime.now(UTC)


class Repository:
    """The folder. New metadata files never replace older ones; the files of a change are written together."""

    def __init__(self, folder: Path, keys: Keys, clock: Callable[[], datetime] = now) -> None:
        self.folder, self._keys, self._clock = folder, keys, clock
        finish_storing(folder)

    def begin(self, cloud_key: str) -> None:
        """The first ceremony: makes all keys, and signs root, targets and two empty channels. NotSigned, NoKey."""
        if self._newest("root") is not None:
            raise NotSigned(f"{self.folder} hat schon ein Root: Ersetze dessen Schlüssel mit rotate.")
        cloud = online(cloud_key)
        made = {name: self._keys.make(name, self.own_keys) for name in (*ROOTS, "targets", *CHANNELS)}
        root = self._new_root(1, [made[name] for name in ROOTS], made["targets"], cloud)
        channels = {channel: made[channel] for channel in CHANNELS}
        self._store(
            self._signed_root(root, ()),
            self._signed_targets(root, channels),
            *(self._signed_channel(channel, key) for channel, key in channels.items()),
        )

    def sign(self, channel: str) -> int:
        """Signs what lies in the channel's folder: manifests, and the wheels that they name. Returns the version.

        NotSigned if a signed version is missing in the folder. Use `withdraw` to remove a version.
        """
        self._check_files(channel)
        return self._sign(channel)

    def rotate(self, drop: Mapping[str, Path | None], cloud_key: str | None = None) -> list[str]:
        """Replaces the keys to be dropped, and signs anew what they had signed. Returns the names of the new ones.

        `drop`: by the key's name the folder of the new one; None is the folder's own `keys`, which no key of root may
        have. A new root is signed by the old threshold and the new one; where only channels' keys are dropped the root
        stays. Without arguments root and targets get new dates. Everything is checked before a key is made, and all
        files are written or none: an attempt that was cut off is repeated by the same call. NotSigned, NoKey.
        """
        old, channels = self._root(), self._channel_keys()
        root_keys = _of(old.keys, old.roles["root"].keyids)
        (target_key,) = _of(old.keys, old.roles["targets"].keyids)
        (cloud,) = _of(old.keys, old.roles["timestamp"].keyids)
        held = {name_of(key): key for key in (*root_keys, target_key, *channels.values())}
        used = self._names_ever()
        if unknown := sorted(drop.keys() - held.keys()):
            was = "wurde schon ersetzt" if set(unknown) <= used else "war hier nie ein Schlüssel"
            raise NotSigned(f"{', '.join(unknown)} {was}.")
        own_names = {name_of(key) for key in root_keys}
        new_cloud = cloud if cloud_key is None else online(cloud_key)
        renews = not drop and cloud_key is None
        of_channels = drop.keys() & {name_of(key) for key in channels.values()}
        needs_root = renews or cloud_key is not None or bool(drop.keys() - of_channels)
        needs_targets = renews or bool(of_channels) or name_of(target_key) in drop
        successors = {name: _following(name, used) for name in sorted(drop)}
        self._check_folders(drop, own_names, successors)
        for channel, key in channels.items():
            if name_of(key) in drop:
                self._check_files(channel)
        if needs_root:
            self._need_roots(root_keys, drop)
        if needs_targets and name_of(target_key) not in drop:
            self._need(target_key, "targets")

        renewed = {name: self._keys.make(new, drop[name] or self.own_keys) for name, new in successors.items()}

        def current(key: SSlibKey) -> SSlibKey:
            return renewed.get(name_of(key), key)

        root, files = old, []
        if needs_root:
            roots = [current(key) for key in root_keys]
            root = self._new_root(old.version + 1, roots, current(target_key), new_cloud)
            files.append(self._signed_root(root, root_keys))
        if needs_targets:
            files.append(self._signed_targets(root, {name: current(key) for name, key in channels.items()}))
        files += [
            self._signed_channel(channel, current(key)) for channel, key in channels.items() if name_of(key) in renewed
        ]
        self._keys.save()
        self._store(*files)
        return [name_of(key) for key in renewed.values()]

    def withdraw(self, versions: Collection[str], channel: str) -> None:
        """Removes versions from the channel, and signs it. NotSigned for one that is not there, or without the key."""
        self.check_can_withdraw(versions, channel)
        for path in [path for path, manifest in self._manifests(channel) if manifest["version"] in versions]:
            path.unlink()
        named = {wheel["target"] for _, manifest in self._manifests(channel) for wheel in manifest["wheels"]}
        for wheel in self.channel(channel).glob("*.whl"):
            if f"{channel}/{wheel.name}" not in named:
                wheel.unlink()
        self._sign(channel)

    def promote(self, version: str) -> None:
        """Puts a version of beta into stable as well: the same wheels, and manifests of its own; and signs it."""
        mine = [manifest for _, manifest in self._manifests("beta") if manifest["version"] == version]
        if not mine:
            raise NotSigned(f"In beta liegt keine Version {version}.")
        self._need(self._channel_keys()["stable"], "stable")
        self._check_files("stable")
        for manifest in mine:
            wheels = [self.channel("beta") / one["target"].partition("/")[2] for one in manifest["wheels"]]
            self.add("stable", version, manifest["platform"], wheels)
        self.sign("stable")

    def add(self, channel: str, version: str, platform: str, wheels: Iterable[Path]) -> Path:
        """Lays a release of one platform into the channel's folder; the manifest. Wheels that are there stay."""
        folder, named = self.channel(channel), []
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"stempelwerk-edge-{version}-{platform}.json"
        manifests = [manifest for other, manifest in self._manifests(channel) if other != path]
        digests = {wheel["target"]: wheel["sha256"] for manifest in manifests for wheel in manifest["wheels"]}
        digests |= {name: target.hashes["sha256"] for name, target in self._signed(channel).targets.items()}
        for wheel in sorted(wheels, key=lambda one: one.name):
            place, target = folder / wheel.name, f"{channel}/{wheel.name}"
            if wheel.stat().st_size > LARGEST_FILE:
                raise NotSigned(f"{wheel.name} ist zu groß: Eine Uhr holt höchstens {LARGEST_FILE >> 20} MB.")
            # What no manifest names may be the rest of a copy that was cut off; what is lost is put back.
            is_kept = target in digests and place.exists()
            content = (place if is_kept else wheel).read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            if digests.get(target, digest) != digest:
                raise NotSigned(
                    f"{place} muss den Inhalt haben, der unterschrieben ist oder den ein anderes Release nennt."
                )
            if not is_kept:
                write_whole(place, content)
            named.append({"target": target, "sha256": digest, "length": len(content)})
        manifest = {"version": version, "platform": platform, "wheels": named}
        write_whole(path, (json.dumps(manifest, indent=1) + "\n").encode())
        return path

    def bundle(self, known: Collection[tuple[str, str, str]] = ()) -> bytes:
        """What a cloud takes: all roots, the newest of the rest, and the files but of releases that it has.

        `known`: by channel, version and platform. NotSigned for files that do not vouch for each other.
        """
        self.check_whole()
        with zipfile.ZipFile(made := io.BytesIO(), "w") as archive:
            for path in sorted(self._files("root")):
                archive.write(path, f"metadata/{path.name}")
            for role in ("targets", *CHANNELS):
                path = self._path(role)
                archive.write(path, f"metadata/{path.name}")
            for name in sorted(self._to_send(known)):
                archive.write(self.folder / "targets" / name, f"targets/{name}")
        return made.getvalue()

    def check_whole(self) -> None:
        """NotSigned unless the newest files vouch for each other: a cloud must not get half of a rotation."""
        files = {role: Metadata.from_bytes(self._path(role).read_bytes()) for role in ("root", "targets", *CHANNELS)}
        for delegator, role in (("root", "targets"), *(("targets", channel) for channel in CHANNELS)):
            try:
                files[delegator].verify_delegate(role, files[role])
            except UnsignedMetadataError:
                raise NotSigned(
                    f"{role} ist nicht mit dem Schlüssel unterschrieben, den {delegator} nennt: Ersetze ihn mit rotate."
                ) from None

    def fingerprint(self) -> tuple[int, str]:
        """The newest root's version, and the SHA-256 of its file."""
        return self._root().version, hashlib.sha256(self._path("root").read_bytes()).hexdigest()

    def channels_of(self, version: str) -> list[str]:
        """Returns the channels whose signed file, or folder, has the version."""
        return [
            channel
            for channel in CHANNELS
            if version in self._signed_versions(channel)
            or any(manifest["version"] == version for _, manifest in self._manifests(channel))
        ]

    def check_can_withdraw(self, versions: Collection[str], channel: str) -> None:
        """NotSigned unless the channel has the versions, its key is here, and so are the files of all others. NoKey."""
        here = {manifest["version"] for _, manifest in self._manifests(channel)} | self._signed_versions(channel)
        if unknown := sorted(set(versions) - here):
            raise NotSigned(f"In {channel} liegt keine Version {', '.join(unknown)}.")
        self._need(self._channel_keys()[channel], channel)
        self._check_files(channel, leaving=versions)

    @property
    def own_keys(self) -> Path:
        """Where keys are put that get no folder of their own."""
        return self.folder / "keys"

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

    def _new_root(self, version: int, roots: Sequence[SSlibKey], targets: SSlibKey, cloud: SSlibKey) -> Root:
        roles = {
            "root": Role([key.keyid for key in roots], THRESHOLD),
            "targets": Role([targets.keyid], 1),
            "snapshot": Role([cloud.keyid], 1),
            "timestamp": Role([cloud.keyid], 1),
        }
        known: dict[str, Key] = {key.keyid: key for key in (*roots, targets, cloud)}
        return Root(version, None, self._clock() + ROOT_LIVES, known, roles, True)

    def _signed_root(self, root: Root, old_keys: Sequence[SSlibKey]) -> _Signed:
        """Signs by all keys of this root and of the one before that are here. NotSigned below the threshold of one."""
        keys = {key.keyid: key for key in (*old_keys, *_of(root.keys, root.roles["root"].keyids))}
        metadata = Metadata(root)
        for key in keys.values():
            if signer := self._keys.signer(key):
                metadata.sign(signer, append=True)
        before = self._newest("root")
        for judge in (root, *([before.signed] if before else [])):
            judge.verify_delegate("root", metadata.signed_bytes, metadata.signatures)
        return _Signed("root", root.version, metadata.to_bytes())

    def _signed_targets(self, root: Root, channels: Mapping[str, SSlibKey]) -> _Signed:
        roles = {name: DelegatedRole(name, [key.keyid], 1, True, [f"{name}/*"]) for name, key in channels.items()}
        delegations = Delegations({key.keyid: key for key in channels.values()}, roles)
        targets = Targets(self._next("targets"), None, self._clock() + TARGETS_LIVE, {}, delegations)
        return self._sign_targets("targets", targets, *_of(root.keys, root.roles["targets"].keyids))

    def _sign(self, channel: str) -> int:
        file = self._signed_channel(channel, self._channel_keys()[channel])
        self._store(file)
        return file.version

    def _check_files(self, channel: str, leaving: Collection[str] = ()) -> None:
        """NotSigned if a signed manifest is missing in the folder: a cloud would withdraw its version for good."""
        here = {f"{channel}/{path.name}" for path, _ in self._manifests(channel)}
        missing = {
            version for name, version in self._signed_manifests(channel) if name not in here and version not in leaving
        }
        if missing:
            versions = ", ".join(sorted(missing))
            raise NotSigned(
                f"Dateien von {versions} fehlen in {self.channel(channel)}:"
                " Kopiere den ganzen Ordner, oder ziehe zurück, was verloren ist."
            )

    def _signed_channel(self, channel: str, key: SSlibKey) -> _Signed:
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
        return self._sign_targets(
            channel, Targets(self._next(channel), None, self._clock() + CHANNEL_LIVES, found), key
        )

    def _sign_targets(self, role: str, content: Targets, key: SSlibKey) -> _Signed:
        metadata = Metadata(content)
        metadata.sign(self._need(key, role))
        return _Signed(role, content.version, metadata.to_bytes())

    def _need(self, key: SSlibKey, role: str) -> CryptoSigner:
        """Returns the key's signer. NotSigned without its file."""
        signer = self._keys.signer(key)
        if signer is None:
            raise NotSigned(
                f"{role} braucht den Schlüssel {name_of(key)}, der hier fehlt: Nenne seinen Ordner mit --keys."
            )
        return signer

    def _need_roots(self, keys: Sequence[SSlibKey], drop: Collection[str]) -> None:
        """NotSigned unless enough keys of the root are here, for its own threshold and, with new keys, for the next."""
        here = [name_of(key) for key in keys if self._keys.signer(key) is not None]
        staying = [name for name in here if name not in drop]
        new = sum(name_of(key) in drop for key in keys)
        if len(here) < THRESHOLD or len(staying) + new < THRESHOLD:
            missing = ", ".join(name_of(key) for key in keys if name_of(key) not in here)
            raise NotSigned(
                f"{THRESHOLD} Root-Schlüssel müssen unterschreiben; hier fehlen {missing}:"
                " Nenne ihre Ordner mit --keys."
            )

    def _check_folders(
        self, drop: Mapping[str, Path | None], root_names: Collection[str], successors: Mapping[str, str]
    ) -> None:
        """NotSigned unless the named folders are there, and each new key of root gets one without another of them."""
        taken: set[tuple[int, int]] = set()
        for name, folder in drop.items():
            new = successors[name]
            if folder is not None and not folder.is_dir():
                raise NotSigned(f"{folder} für {new} gibt es nicht: Ist der Datenträger eingehängt?")
            if name not in root_names:
                continue
            if folder is None:
                raise NotSigned(f"{new} braucht einen eigenen Ordner oder Datenträger: --drop {name}=ORDNER")
            status = folder.stat()
            place = status.st_dev, status.st_ino
            others = {path.stem for path in folder.glob("root-*.pem")} - {new}
            if self.own_keys.is_dir() and folder.samefile(self.own_keys):
                others.add("die Schlüssel der Kanäle")
            if others or place in taken:
                held = ", ".join(sorted(others)) or "ein anderer neuer Root-Schlüssel"
                raise NotSigned(
                    f"{new} darf nicht nach {folder}, dort liegt schon: {held}. Er braucht einen eigenen Ordner."
                )
            taken.add(place)

    def _store(self, *files: _Signed) -> None:
        self._keys.save()
        store_together(self.folder, {f"metadata/{one.version}.{one.role}.json": one.content for one in files})

    def _names_ever(self) -> set[str]:
        """Returns the names of all keys in all signed files. A name is never given twice."""
        names: set[str] = set()
        for path in self._files(r"\w+"):
            content: Any = Metadata.from_bytes(path.read_bytes()).signed
            holder: Any = content if isinstance(content, Root) else content.delegations
            names |= {name_of(key) for key in holder.keys.values()} if holder else set()
        return names

    def _signed_versions(self, channel: str) -> set[str]:
        return {version for _, version in self._signed_manifests(channel)}

    def _signed_manifests(self, channel: str) -> list[tuple[str, str]]:
        """Returns target and version of each manifest in the channel's newest signed file."""
        customs = [(name, target.custom or {}) for name, target in self._signed(channel).targets.items()]
        return [(name, custom["version"]) for name, custom in customs if "version" in custom]

    def _signed(self, channel: str) -> Targets:
        newest = self._newest(channel)
        return Targets() if newest is None else newest.signed

    def _path(self, role: str) -> Path:
        newest = self._newest(role)
        if newest is None:
            raise NotSigned(f"In {self.folder} fehlt {role}: Beginne mit init.")
        return self.folder / "metadata" / f"{newest.signed.version}.{role}.json"

    def _newest(self, role: str) -> Metadata[Any] | None:
        path = max(self._files(role), key=lambda one: int(one.name.partition(".")[0]), default=None)
        return None if path is None else Metadata.from_bytes(path.read_bytes())

    def _files(self, role: str) -> list[Path]:
        """The signed files of a role, which is a pattern: other systems leave files of their own on media."""
        name = re.compile(rf"\d+\.{role}\.json")
        return [path for path in (self.folder / "metadata").glob("*.json") if name.fullmatch(path.name)]

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
