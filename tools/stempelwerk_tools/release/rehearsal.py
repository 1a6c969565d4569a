"""A rehearsal in a temporary folder: a cloud of its own, the ceremony, releases, and a clock that takes them.

The clock is the reference client; it enrols and signs as a clock does, and starts only from the first root.
"""

import base64
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx
from stempelwerk_edge.cloud.identity import Identity, load_or_make
from stempelwerk_edge.cloud.signing import sign
from tuf.api.exceptions import DownloadError, DownloadHTTPError, RepositoryError
from tuf.ngclient import Updater
from tuf.ngclient.fetcher import FetcherInterface

from stempelwerk_tools.demo.children import Child
from stempelwerk_tools.ports import reserved_port
from stempelwerk_tools.release.build import PLATFORMS
from stempelwerk_tools.release.cloud import Cloud
from stempelwerk_tools.release.keys import Keys
from stempelwerk_tools.release.repository import ROOTS, Repository

PLATFORM = PLATFORMS[0]
_PASSWORD = "only for the rehearsal"  # noqa: S105 -- of a cloud that goes away
_LOGIN = {"company": "Plattform", "username": "rehearsal", "password": _PASSWORD}
OLD, NEW = "1.0.0", "1.1.0"
_SETTINGS = "STEMPELWERK_"


class Failed(Exception):
    """A step failed; the message names it."""


class NotVouched(Failed):
    """No signature covers a file that the clock requested."""


def rehearse(folder: Path, wheels: Sequence[Path], report: Callable[[str], None]) -> None:
    """Runs all steps in an empty folder. Raises Failed, or any exception of a step."""
    port = reserved_port()
    url = f"http://127.0.0.1:{port}"
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_SETTINGS)} | {
        f"{_SETTINGS}DATABASE_URL": f"sqlite:///{folder / 'cloud.db'}",
        f"{_SETTINGS}DATA_DIR": str(folder / "cloud"),
    }

    def command(*arguments: str, stdin: str = "") -> str:
        program = [sys.executable, "-m", "stempelwerk_cloud", *arguments]
        done = subprocess.run(program, env=environment, input=stdin, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failed(f"{' '.join(arguments)}: {done.stderr}")
        return done.stdout

    command("create-founder", "--username", _LOGIN["username"], "--password-stdin", stdin=f"{_PASSWORD}\n")
    service = Child("cloud", ["stempelwerk_cloud", "serve", "--port", str(port)], folder / "cloud.log", environment)
    repository = _with_keys(folder)
    service.start()
    try:
        service.wait_until_up(f"{url}/api/health")
        report("Eine Cloud läuft und hat ihren Schlüssel gemacht.")
        repository.begin(command("update-key").strip())
        version, fingerprint = repository.fingerprint()
        _move_keys_apart(folder)
        repository = _with_keys(folder)
        report(
            f"Die Zeremonie: sechs Schlüssel, Root {version} mit dem Fingerabdruck {fingerprint};"
            " jeder nimmt seinen Schlüssel mit."
        )
        clock = _Clock(url, folder / "clock", (folder / "release" / "metadata" / "1.root.json").read_bytes())
        with _session(url) as cloud:
            _begin(repository, cloud, clock, wheels, report)
            backup = folder / "backup.tar.gz"
            command("backup", str(backup))
            repository.promote(NEW)
            _publish(repository, cloud)
            clock.gets("stable", NEW)
            report(f"{NEW} ist auch in stable.")
        service.stop()
        command("restore", "--replace", str(backup))
        service.start()
        service.wait_until_up(f"{url}/api/health")
        with _session(url) as cloud:
            clock.gets_nothing("stable", NEW)
            clock.gets_nothing("stable", OLD)
            _publish(repository, cloud)
            clock.gets("stable", NEW)
            report(
                "Die Cloud ist auf ein Backup zurückgesetzt:"
                " Die Uhr nimmt nichts von ihr, bis wieder veröffentlicht ist."
            )
            _end(repository, cloud, clock, report)
            _lose_keys(folder, cloud, clock, command("update-key", "--new").strip(), report)
    finally:
        service.stop()


@contextmanager
def _session(url: str) -> Iterator[Cloud]:
    with (
        httpx.Client(base_url=url, timeout=60, trust_env=False) as client,
        Cloud(client, _LOGIN.__getitem__) as cloud,
    ):
        yield cloud


def _publish(repository: Repository, cloud: Cloud) -> None:
    root = cloud.publish(repository.bundle(cloud.offered_releases()))["root"]
    if (root["version"], root["fingerprint"]) != repository.fingerprint():
        raise Failed("Die Cloud hat ein anderes Root.")


def _begin(
    repository: Repository, cloud: Cloud, clock: "_Clock", wheels: Sequence[Path], report: Callable[[str], None]
) -> None:
    for version, channel in ((OLD, "stable"), (NEW, "beta")):
        notes = repository.notes(version)
        notes.parent.mkdir(exist_ok=True)
        notes.write_text(f"Probe von {version}.", "utf-8")
        repository.add(channel, version, PLATFORM, wheels)
        repository.sign(channel)
    _publish(repository, cloud)
    clock.gets("stable", OLD)
    clock.gets("beta", NEW)
    clock.gets_nothing("stable", NEW)
    report(
        f"{OLD} ist in stable veröffentlicht und {NEW} in beta;"
        " die Uhr nimmt jede aus ihrem Kanal und aus keinem anderen."
    )


def _end(repository: Repository, cloud: Cloud, clock: "_Clock", report: Callable[[str], None]) -> None:
    cloud.withdraw(NEW, "Probe")
    clock.gets_nothing("stable", NEW)
    for channel in repository.channels_of(NEW):
        repository.withdraw([NEW], channel)
    _publish(repository, cloud)
    clock.gets_nothing("stable", NEW)
    clock.gets("stable", OLD)
    report(f"{NEW} ist zurückgezogen: sofort nicht mehr angeboten, und aus beiden Kanälen verschwunden.")


def _lose_keys(folder: Path, cloud: Cloud, clock: "_Clock", new_cloud_key: str, report: Callable[[str], None]) -> None:
    """Rehearses the loss of keys: replaces a lost key of root, a stolen key of a channel, the key of a compromised
    cloud, and the lost key of targets.
    """
    cases: list[tuple[str, Sequence[str], dict[str, Path | None], str | None]] = [
        ("root-2 ist verloren", ("root-1", "root-3"), {"root-2": folder / "root-4"}, None),
        ("stable ist gestohlen", ("targets",), {"stable": None}, None),
        ("In die Cloud wurde eingebrochen", ("root-1", "root-4"), {}, new_cloud_key),
        (
            "targets und root-1 sind verloren",
            ("root-3", "root-4"),
            {"targets": None, "root-1": folder / "root-5"},
            None,
        ),
    ]
    for incident, media, drop, cloud_key in cases:
        for medium in drop.values():
            if medium is not None:
                medium.mkdir(mode=0o700)
        repository = _with_keys(folder, *media)
        new_names = repository.rotate(drop, cloud_key)
        _publish(repository, cloud)
        clock.gets("stable", OLD)
        version, _ = repository.fingerprint()
        new = f"neu: {', '.join(new_names)}" if new_names else "kein neuer Schlüssel"
        report(f"{incident}: {' und '.join(media)} unterschreiben, {new}; die Uhr folgt zu Root {version}.")


def _with_keys(folder: Path, *media: str) -> Repository:
    """Returns the repository with its own keys, and those on these media."""
    folders = [*(folder / name for name in media), folder / "release" / "keys"]
    return Repository(folder / "release", Keys(folders, lambda name: f"passphrase of {name}"))


def _move_keys_apart(folder: Path) -> None:
    """Moves each key of root, and that of targets, onto a medium of its own."""
    for name in (*ROOTS, "targets"):
        (folder / name).mkdir(mode=0o700)
        (folder / "release" / "keys" / f"{name}.pem").rename(folder / name / f"{name}.pem")


class _Clock(FetcherInterface):
    """A clock that has only its key and the first root."""

    def __init__(self, url: str, folder: Path, root: bytes) -> None:
        self._url, self._folder, self._root = url, folder, root
        self._identity: Identity = load_or_make(folder, ["rehearsal"])
        (folder / "files").mkdir()
        message = {"proto": 1, "serial": "REHEARSAL", "mac": "-", "profile": "core", "version": OLD}
        public = base64.b64encode(self._identity.public_key).decode()
        body = httpx.Request("POST", url, json={**message, "hardwareId": "-", "publicKey": public}).content
        self._send("POST", f"{url}/api/devices/enroll", body).raise_for_status()

    def gets(self, channel: str, version: str) -> None:
        """Raises Failed unless manifest and wheels are signed and can be fetched."""
        updater = self._updater()
        manifest = updater.get_targetinfo(f"{channel}/stempelwerk-edge-{version}-{PLATFORM}.json")
        if manifest is None:
            raise NotVouched(f"Für {version} in {channel} bürgt keine Unterschrift.")
        wheels = httpx.Response(200, content=Path(updater.download_target(manifest)).read_bytes()).json()["wheels"]
        for wheel in wheels:
            target = updater.get_targetinfo(wheel["target"])
            if target is None:
                raise NotVouched(f"Für {wheel['target']} bürgt keine Unterschrift.")
            updater.download_target(target)

    def gets_nothing(self, channel: str, version: str) -> None:
        """Raises Failed if this version can be installed."""
        try:
            self.gets(channel, version)
        except (RepositoryError, DownloadError, NotVouched):
            return
        raise Failed(f"{version} lässt sich aus {channel} installieren, und darf es nicht.")

    def _updater(self) -> Updater:
        base = f"{self._url}/api/updates"
        files = str(self._folder / "files")
        return Updater(
            str(self._folder / "tuf"), f"{base}/metadata/", files, f"{base}/targets/", self, bootstrap=self._root
        )

    def _fetch(self, url: str) -> Iterator[bytes]:
        answer = self._send("GET", url, None)
        if not answer.is_success:
            raise DownloadHTTPError(answer.text, answer.status_code)
        return iter([answer.content])

    def _send(self, method: str, url: str, body: bytes | None) -> httpx.Response:
        parameters: list[tuple[str, str | int]] = [("created", int(time.time())), ("nonce", uuid.uuid4().hex)]
        parameters += [("keyid", self._identity.keyid), ("alg", "ed25519")]
        headers = sign(self._identity.key, method, url, body, parameters).headers
        if body is not None:
            headers["Content-Type"] = "application/json"
        return httpx.request(method, url, content=body, headers=headers, timeout=60, trust_env=False)
