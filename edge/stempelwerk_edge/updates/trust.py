"""The releases that the channel's signatures vouch for, by the reference client of TUF (docs/contract/v1/update.md).

Both users of an update call it: the agent with a network, the updater with the files that the agent has laid down. If
it raises NotTrusted, neither may use the release; nothing of it is kept.
"""

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tuf.api.exceptions import DownloadError, DownloadHTTPError, RepositoryError
from tuf.ngclient.fetcher import FetcherInterface
from tuf.ngclient.updater import Updater

from stempelwerk_edge.cloud.wire import LARGEST_FILE
from stempelwerk_edge.errors import NotFetched, NotTrusted
from stempelwerk_edge.parsing import read_json
from stempelwerk_edge.updates.launcher import own_platform

if TYPE_CHECKING:
    from tuf.api._payload import TargetFile  # where the type checker finds it

_TARGET = re.compile(r"(stable|beta)/stempelwerk-edge-([0-9][0-9A-Za-z.+]*)-(cp\d+-[a-z0-9_]+)\.json")
_WHEEL = re.compile(r"[A-Za-z0-9_.+-]+\.whl")
MOST_WHEELS = 200
LARGEST_MANIFEST = 1 << 20
"""The largest manifest in bytes: it is parsed in memory, where 32 MB of brackets took 600 MB."""

Fetch = Callable[[str], bytes | None]
"""Returns the bytes at `metadata/…` or `targets/…`; None: they do not exist (404). Raises any error if it cannot
decide.
"""


@dataclass(frozen=True, slots=True)
class Release:
    """A version for this platform: the manifest's target and digest, and the files of its wheels."""

    target: str
    version: str
    manifest: str
    wheels: tuple[Path, ...]


class Repository:
    """The update repository as one request sees it. `folder` keeps the verified metadata; `now` is the time for judging
    dates.
    """

    def __init__(self, folder: Path, root: bytes, fetch: Fetch, now: datetime) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self._updater = Updater(str(folder), "metadata/", None, "targets/", _Fetcher(fetch), bootstrap=root)
        except RepositoryError as fault:
            raise NotTrusted(f"the root that the clock was shipped with: {fault}") from fault
        # The system's time may be wrong; the client has no other way to get a better one.
        self._updater._trusted_set.reference_time = now

    def release(self, target: str, into: Path, cache_dir: Path | None = None) -> Release:
        """Returns the release of a manifest's target. Its wheels are put into `into`; those in `cache_dir` are used
        from there.

        Raises NotTrusted, NotFetched, OSError.
        """
        match = _TARGET.fullmatch(target)
        if match is None or match[3] != own_platform():
            raise NotTrusted(f"{target!r} is no release for {own_platform()}")
        try:
            info = self._vouched(target, LARGEST_MANIFEST)
            manifest = self._file(info, into, None).read_bytes()
            wheels = tuple(self._file(info, into, cache_dir) for info in self._wheels(manifest, *match.group(1, 2, 3)))
        except RepositoryError as fault:
            raise NotTrusted(f"{type(fault).__name__}: {fault}") from fault
        except DownloadError as fault:
            raise NotFetched(f"{fault} ({fault.__cause__})") from fault
        return Release(target, match[2], hashlib.sha256(manifest).hexdigest(), wheels)

    def _vouched(self, target: str, max_bytes: int = LARGEST_FILE) -> "TargetFile":
        info = self._updater.get_targetinfo(target)
        if info is None or "sha256" not in info.hashes or info.length > max_bytes:
            raise NotTrusted(f"the channel does not vouch for {target}")
        return info

    def _wheels(self, manifest: bytes, channel: str, version: str, platform: str) -> "list[TargetFile]":
        try:
            content = read_json(manifest)
            wheels = [(part["target"], part["sha256"], part["length"]) for part in content["wheels"]]
            right = (content["version"], content["platform"]) == (version, platform) and len(wheels) <= MOST_WHEELS
        except (ValueError, TypeError, KeyError) as fault:
            raise NotTrusted("the manifest cannot be read") from fault
        if not right:
            raise NotTrusted("the manifest is another's")
        return [self._wheel(channel, *wheel) for wheel in wheels]

    def _wheel(self, channel: str, target: Any, sha256: Any, length: Any) -> "TargetFile":
        folder, _, name = str(target).partition("/")
        if folder != channel or not _WHEEL.fullmatch(name):
            raise NotTrusted(f"{target!r} is no wheel of {channel}")
        info = self._vouched(f"{folder}/{name}")
        if (info.hashes["sha256"], info.length) != (sha256, length):
            raise NotTrusted(f"{target} is not what the manifest says")
        return info

    def _file(self, info: "TargetFile", into: Path, cache_dir: Path | None) -> Path:
        channel, _, name = info.path.partition("/")
        places = [folder / channel / f"{info.hashes['sha256']}.{name}" for folder in (cache_dir, into) if folder]
        for path in places:
            if self._updater.find_cached_target(info, str(path)) is not None:
                return path
        self._updater.download_target(info, str(places[-1]))
        return places[-1]


class _Fetcher(FetcherInterface):
    def __init__(self, fetch: Fetch) -> None:
        self._fetch_bytes = fetch

    def _fetch(self, url: str) -> Iterator[bytes]:
        content = self._fetch_bytes(url)
        if content is None:
            raise DownloadHTTPError(f"{url} is not there", 404)
        return iter((content,))
