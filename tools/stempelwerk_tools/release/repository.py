"""The folder of the update repository with everything that is signed offline, and the signing.

`metadata` has every version of the root, and of the signed files of targets and channels. `targets/<channel>` has the
files of a channel, `notes` the German release notes of a version. The cloud itself signs snapshot and timestamp.
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
    """A signed metadata file: its name and its content."""

    role: str
    version: int
    content: bytes


class NotSigned(Exception):
    """A file cannot be signed as required; the message gives the reason."""


def now() -> datetime:
    return datetime.now(UTC)


class Repository:
    """The repository's folder. New metadata files never replace older ones; the files of a change are written
    together.
    """

    def __init__(self, folder: Path, keys: Keys, clock: Callable[[], datetime] = now) -> None:
        self.folder, self._keys, self._clock = folder, keys, clock
        finish_storing(folder)

    def begin(self, cloud_key: str) -> None:
        """Runs the first ceremony: makes all keys, and signs root, targets and two empty channels. Raises NotSigned,
        NoKey.
        """
        if self._newest("root") is not None:
            raise NotSigned(f"{self.folder} hat schon ein Root: Ersetze dessen Schlüssel mit rotate.")
        cloud = online(cloud_key)
        keys_by_name = {name: self._keys.make(name, self.own_keys) for name in (*ROOTS, "targets", *CHANNELS)}
        root = self._new_root(1, [keys_by_name[name] for name in ROOTS], keys_by_name["targets"], cloud)
        channels = {channel: keys_by_name[channel] for channel in CHANNELS}
        self._store(
            self._signed_root(root, ()),
            self._signed_targets(root, channels),
            *(self._signed_channel(channel, key) for channel, key in channels.items()),
        )

    def sign(self, channel: str) -> int:
        """Signs the manifests in the channel's folder and the wheels that they name. Returns the new version of the
        channel's metadata.

        Raises NotSigned if a file that was signed before is missing in the folder: `withdraw` removes versions.
        """
        self._check_files(channel)
        return self._sign(channel)

    def rotate(self, drop: Mapping[str, Path | None], cloud_key: str | None = None) -> list[str]:
        """Replaces the dropped keys, and signs again what they had signed. Returns the names of the new keys.

        `drop`: the folder for each new key, by the name of the old one. None means the folder's own `keys`, which is
        forbidden for keys of root. A new root is signed by the old threshold and the new one; if only keys of channels
        are dropped, the root stays. Without arguments, root and targets get new dates. All checks precede the first new
        key, and the files are written together or not at all: after an interruption the same call completes the
        rotation. Raises NotSigned, NoKey.
        """
        old, channels = self._root(), self._channel_keys()
        root_keys = _keys_of(old.keys, old.roles["root"].keyids)
        (target_key,) = _keys_of(old.keys, old.roles["targets"].keyids)
        (cloud,) = _keys_of(old.keys, old.roles["timestamp"].keyids)
        keys_by_name = {name_of(key): key for key in (*root_keys, target_key, *channels.values())}
        used = self._names_ever()
        if unknown := sorted(drop.keys() - keys_by_name.keys()):
            was = "wurde schon ersetzt" if set(unknown) <= used else "war hier nie ein Schlüssel"
            raise NotSigned(f"{', '.join(unknown)} {was}.")
        own_names = {name_of(key) for key in root_keys}
        new_cloud = cloud if cloud_key is None else online(cloud_key)
        renews = not drop and cloud_key is None
        of_channels = drop.keys() & {name_of(key) for key in channels.values()}
        needs_root = renews or cloud_key is not None or bool(drop.keys() - of_channels)
        needs_targets = renews or bool(of_channels) or name_of(target_key) in drop
        successors = {name: _successor_name(name, used) for name in sorted(drop)}
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
        """Removes versions from the channel, and signs it. Raises NotSigned for an unknown version, or without the
        key.
        """
        self.check_can_withdraw(versions, channel)
        for path in [path for path, manifest in self._manifests(channel) if manifest["version"] in versions]:
            path.unlink()
        used_targets = {wheel["target"] for _, manifest in self._manifests(channel) for wheel in manifest["wheels"]}
        for wheel in self.channel(channel).glob("*.whl"):
            if f"{channel}/{wheel.name}" not in used_targets:
                wheel.unlink()
        self._sign(channel)

    def promote(self, version: str) -> None:
        """Copies a version of beta into stable, with the same wheels and new manifests, and signs stable."""
        manifests = [manifest for _, manifest in self._manifests("beta") if manifest["version"] == version]
        if not manifests:
            raise NotSigned(f"In beta liegt keine Version {version}.")
        self._need(self._channel_keys()["stable"], "stable")
        self._check_files("stable")
        for manifest in manifests:
            wheels = [self.channel("beta") / wheel["target"].partition("/")[2] for wheel in manifest["wheels"]]
            self.add("stable", version, manifest["platform"], wheels)
        self.sign("stable")

    def add(self, channel: str, version: str, platform: str, wheels: Iterable[Path]) -> Path:
        """Adds a release of one platform to the channel's folder; returns the manifest. Existing wheels are kept."""
        folder, wheel_entries = self.channel(channel), []
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"stempelwerk-edge-{version}-{platform}.json"
        manifests = [manifest for manifest_path, manifest in self._manifests(channel) if manifest_path != path]
        digests = {wheel["target"]: wheel["sha256"] for manifest in manifests for wheel in manifest["wheels"]}
        digests |= {name: target.hashes["sha256"] for name, target in self._signed(channel).targets.items()}
        for wheel in sorted(wheels, key=lambda path: path.name):
            stored_path, target = folder / wheel.name, f"{channel}/{wheel.name}"
            if wheel.stat().st_size > LARGEST_FILE:
                raise NotSigned(f"{wheel.name} ist zu groß: Eine Uhr holt höchstens {LARGEST_FILE >> 20} MB.")
            # A file that no manifest names may be the rest of a copy that was cut off; a lost file is put back.
            is_stored = target in digests and stored_path.exists()
            content = (stored_path if is_stored else wheel).read_bytes()
            digest = hashlib.sha256(content).hexdigest()
            if digests.get(target, digest) != digest:
                raise NotSigned(
                    f"{stored_path} muss den Inhalt haben, der unterschrieben ist oder den ein anderes Release nennt."
                )
            if not is_stored:
                write_whole(stored_path, content)
            wheel_entries.append({"target": target, "sha256": digest, "length": len(content)})
        manifest = {"version": version, "platform": platform, "wheels": wheel_entries}
        write_whole(path, (json.dumps(manifest, indent=1) + "\n").encode())
        return path

    def bundle(self, offered: Collection[tuple[str, str, str]] = ()) -> bytes:
        """Returns the upload for a cloud: all roots, the newest version of the other metadata, and the files of
        releases that the cloud lacks.

        `offered`: the releases that the cloud has, as channel, version and platform. Raises NotSigned if the newest
        files do not belong together.
        """
        self.check_whole()
        with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
            for path in sorted(self._files("root")):
                archive.write(path, f"metadata/{path.name}")
            for role in ("targets", *CHANNELS):
                path = self._path(role)
                archive.write(path, f"metadata/{path.name}")
            for name in sorted(self._to_send(offered)):
                archive.write(self.folder / "targets" / name, f"targets/{name}")
        return buffer.getvalue()

    def check_whole(self) -> None:
        """Raises NotSigned unless the newest files verify each other: a cloud must not get half of a rotation."""
        files = {role: Metadata.from_bytes(self._path(role).read_bytes()) for role in ("root", "targets", *CHANNELS)}
        for delegator, role in (("root", "targets"), *(("targets", channel) for channel in CHANNELS)):
            try:
                files[delegator].verify_delegate(role, files[role])
            except UnsignedMetadataError:
                raise NotSigned(
                    f"{role} ist nicht mit dem Schlüssel unterschrieben, den {delegator} nennt: Ersetze ihn mit rotate."
                ) from None

    def fingerprint(self) -> tuple[int, str]:
        """Returns the newest root's version, and the SHA-256 of its file."""
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
        """Raises NotSigned unless the channel has these versions, its key is present, and so are the files of all other
        versions. Raises NoKey.
        """
        present_versions = {manifest["version"] for _, manifest in self._manifests(channel)} | self._signed_versions(
            channel
        )
        if unknown := sorted(set(versions) - present_versions):
            raise NotSigned(f"In {channel} liegt keine Version {', '.join(unknown)}.")
        self._need(self._channel_keys()[channel], channel)
        self._check_files(channel, leaving=versions)

    @property
    def own_keys(self) -> Path:
        """The folder for keys without a folder of their own."""
        return self.folder / "keys"

    def channel(self, name: str) -> Path:
        return self.folder / "targets" / name

    def notes(self, version: str) -> Path:
        return self.folder / "notes" / f"{version}.txt"

    def _to_send(self, offered: Collection[tuple[str, str, str]]) -> set[str]:
        targets = set()
        for channel in CHANNELS:
            for path, manifest in self._manifests(channel):
                if (channel, manifest["version"], manifest["platform"]) not in offered:
                    targets |= {f"{channel}/{path.name}", *(wheel["target"] for wheel in manifest["wheels"])}
        return targets

    def _manifests(self, channel: str) -> list[tuple[Path, dict[str, Any]]]:
        paths = sorted(path for path in self.channel(channel).glob("*.json") if _MANIFEST.fullmatch(path.name))
        return [(path, json.loads(path.read_text("utf-8"))) for path in paths]

    def _new_root(self, version: int, roots: Sequence[SSlibKey], targets: SSlibKey, cloud: SSlibKey) -> Root:
        roles = {
            "root": Role([key.keyid for key in roots], THRESHOLD),
            "targets": Role([targets.keyid], 1),
            "snapshot": Role([cloud.keyid], 1),
            "timestamp": Role([cloud.keyid], 1),
        }
        keys_by_id: dict[str, Key] = {key.keyid: key for key in (*roots, targets, cloud)}
        return Root(version, None, self._clock() + ROOT_LIVES, keys_by_id, roles, True)

    def _signed_root(self, root: Root, old_keys: Sequence[SSlibKey]) -> _Signed:
        """Signs the root by all present keys of it and of the root before. Raises NotSigned below the threshold of
        either.
        """
        keys = {key.keyid: key for key in (*old_keys, *_keys_of(root.keys, root.roles["root"].keyids))}
        metadata = Metadata(root)
        for key in keys.values():
            if signer := self._keys.signer(key):
                metadata.sign(signer, append=True)
        previous_root = self._newest("root")
        for judge in (root, *([previous_root.signed] if previous_root else [])):
            judge.verify_delegate("root", metadata.signed_bytes, metadata.signatures)
        return _Signed("root", root.version, metadata.to_bytes())

    def _signed_targets(self, root: Root, channels: Mapping[str, SSlibKey]) -> _Signed:
        roles = {name: DelegatedRole(name, [key.keyid], 1, True, [f"{name}/*"]) for name, key in channels.items()}
        delegations = Delegations({key.keyid: key for key in channels.values()}, roles)
        targets = Targets(self._next("targets"), None, self._clock() + TARGETS_LIVE, {}, delegations)
        return self._sign_targets("targets", targets, *_keys_of(root.keys, root.roles["targets"].keyids))

    def _sign(self, channel: str) -> int:
        file = self._signed_channel(channel, self._channel_keys()[channel])
        self._store(file)
        return file.version

    def _check_files(self, channel: str, leaving: Collection[str] = ()) -> None:
        """Raises NotSigned if a signed manifest is missing in the folder: a cloud would withdraw it for good."""
        present_targets = {f"{channel}/{path.name}" for path, _ in self._manifests(channel)}
        missing = {
            version
            for name, version in self._signed_manifests(channel)
            if name not in present_targets and version not in leaving
        }
        if missing:
            versions = ", ".join(sorted(missing))
            raise NotSigned(
                f"Dateien von {versions} fehlen in {self.channel(channel)}:"
                " Kopiere den ganzen Ordner, oder ziehe zurück, was verloren ist."
            )

    def _signed_channel(self, channel: str, key: SSlibKey) -> _Signed:
        folder, target_files = self.channel(channel), {}
        for path, manifest in self._manifests(channel):
            target = TargetFile.from_file(f"{channel}/{path.name}", str(path), ["sha256"])
            notes = self.notes(manifest["version"])
            target.unrecognized_fields["custom"] = {
                "version": manifest["version"],
                "platform": manifest["platform"],
                "notes": notes.read_text("utf-8").strip() if notes.is_file() else "",
            }
            target_files[target.path] = target
            for wheel in manifest["wheels"]:
                file = folder / wheel["target"].partition("/")[2]
                target_files[wheel["target"]] = TargetFile.from_file(wheel["target"], str(file), ["sha256"])
        return self._sign_targets(
            channel, Targets(self._next(channel), None, self._clock() + CHANNEL_LIVES, target_files), key
        )

    def _sign_targets(self, role: str, content: Targets, key: SSlibKey) -> _Signed:
        metadata = Metadata(content)
        metadata.sign(self._need(key, role))
        return _Signed(role, content.version, metadata.to_bytes())

    def _need(self, key: SSlibKey, role: str) -> CryptoSigner:
        """Returns the key's signer. Raises NotSigned without the key's file."""
        signer = self._keys.signer(key)
        if signer is None:
            raise NotSigned(
                f"{role} braucht den Schlüssel {name_of(key)}, der hier fehlt: Nenne seinen Ordner mit --keys."
            )
        return signer

    def _need_roots(self, keys: Sequence[SSlibKey], drop: Collection[str]) -> None:
        """Raises NotSigned unless the present keys of root reach its threshold, and that of the next root if it gets
        new keys.
        """
        present_names = [name_of(key) for key in keys if self._keys.signer(key) is not None]
        staying = [name for name in present_names if name not in drop]
        new = sum(name_of(key) in drop for key in keys)
        if len(present_names) < THRESHOLD or len(staying) + new < THRESHOLD:
            missing = ", ".join(name_of(key) for key in keys if name_of(key) not in present_names)
            raise NotSigned(
                f"{THRESHOLD} Root-Schlüssel müssen unterschreiben; hier fehlen {missing}:"
                " Nenne ihre Ordner mit --keys."
            )

    def _check_folders(
        self, drop: Mapping[str, Path | None], root_names: Collection[str], successors: Mapping[str, str]
    ) -> None:
        """Raises NotSigned unless the named folders exist, and each new key of root gets one without another key of
        root.
        """
        used_folders: set[tuple[int, int]] = set()
        for name, folder in drop.items():
            new = successors[name]
            if folder is not None and not folder.is_dir():
                raise NotSigned(f"{folder} für {new} gibt es nicht: Ist der Datenträger eingehängt?")
            if name not in root_names:
                continue
            if folder is None:
                raise NotSigned(f"{new} braucht einen eigenen Ordner oder Datenträger: --drop {name}=ORDNER")
            status = folder.stat()
            file_id = status.st_dev, status.st_ino
            other_keys = {path.stem for path in folder.glob("root-*.pem")} - {new}
            if self.own_keys.is_dir() and folder.samefile(self.own_keys):
                other_keys.add("die Schlüssel der Kanäle")
            if other_keys or file_id in used_folders:
                present_keys = ", ".join(sorted(other_keys)) or "ein anderer neuer Root-Schlüssel"
                raise NotSigned(
                    f"{new} darf nicht nach {folder}, dort liegt schon: {present_keys}."
                    " Er braucht einen eigenen Ordner."
                )
            used_folders.add(file_id)

    def _store(self, *files: _Signed) -> None:
        self._keys.save()
        store_together(
            self.folder,
            {f"metadata/{signed_file.version}.{signed_file.role}.json": signed_file.content for signed_file in files},
        )

    def _names_ever(self) -> set[str]:
        """Returns the names of all keys in all signed files, because names are never reused."""
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
        path = max(self._files(role), key=lambda file: int(file.name.partition(".")[0]), default=None)
        return None if path is None else Metadata.from_bytes(path.read_bytes())

    def _files(self, role: str) -> list[Path]:
        """Returns the signed files of a role, which is a pattern: other systems leave files of their own on media."""
        name = re.compile(rf"\d+\.{role}\.json")
        return [path for path in (self.folder / "metadata").glob("*.json") if name.fullmatch(path.name)]

    def _root(self) -> Root:
        root: Root = Metadata[Root].from_bytes(self._path("root").read_bytes()).signed
        return root

    def _channel_keys(self) -> dict[str, SSlibKey]:
        delegations = Metadata[Targets].from_bytes(self._path("targets").read_bytes()).signed.delegations
        roles = (delegations and delegations.roles) or {}
        return {name: _keys_of(delegations.keys, role.keyids)[0] for name, role in roles.items() if delegations}

    def _next(self, role: str) -> int:
        newest = self._newest(role)
        return max(int(self._clock().timestamp()), 0 if newest is None else newest.signed.version + 1)


def _keys_of(keys: Mapping[str, Any], keyids: Iterable[str]) -> list[SSlibKey]:
    return [keys[keyid] for keyid in keyids]


def _successor_name(name: str, used: set[str]) -> str:
    """Returns a name that was never used, for the key that replaces this one."""
    stem, number = re.sub(r"-\d+$", "", name), 2
    while (candidate := f"{stem}-{number}") in used:
        number += 1
    used.add(candidate)
    return candidate
