"""Fetches a release and puts its files where the updater expects them: the agent's part, since it has network and key.

The agent already verifies the files, so that nothing endless or foreign fills the disk. The updater verifies them again
and decides.
"""

import asyncio
import shutil
from concurrent.futures import Future
from datetime import datetime

from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.session import CloudSession
from stempelwerk_edge.errors import CloudError, NoSuchCall, NotFetched
from stempelwerk_edge.updates.launcher import DISK, Places, store

_ROOM = 300 << 20  # a version twice over, packed and unpacked, and as much again as a clock should have free


async def gather(session: CloudSession, places: Places, target: str, now: datetime) -> str:
    """Fetches a target's release and requests it from the updater; returns the time of the request as text, which the
    updater's report repeats.

    Raises NotTrusted, NotFetched, OSError.
    """
    loop = asyncio.get_running_loop()
    await asyncio.to_thread(_gather, session, places, target, now, loop)
    time_text = now.isoformat()
    store(places.base / "exchange" / "wanted.json", {"target": target, "at": time_text})
    return time_text


def _gather(session: CloudSession, places: Places, target: str, now: datetime, loop: asyncio.AbstractEventLoop) -> None:
    from stempelwerk_edge.updates.trust import Repository  # noqa: PLC0415 - megabytes that a clock seldom needs

    free = shutil.disk_usage(places.base).free
    if free < _ROOM:
        raise NotFetched(f"only {free >> 20} MB are free, which taps need")
    incoming = places.base / "exchange" / "incoming"
    for part in ("metadata", "seen"):  # wheels of an interrupted attempt can be reused
        shutil.rmtree(incoming / part, ignore_errors=True)

    def fetch(url: str) -> bytes | None:
        future: Future[bytes | None] = asyncio.run_coroutine_threadsafe(_ask(session, wire.UPDATES + url), loop)
        body = future.result()
        if body is not None and url.startswith("metadata/"):
            path = incoming / url
            DISK.make_folder(path.parent)
            DISK.write(path, body)
        return body

    root = (places.base / "root.json").read_bytes()
    repository = Repository(incoming / "seen", root, fetch, now)
    release = repository.release(target, incoming / "targets", places.base / "slots" / "wheels")
    for path in (incoming, *incoming.rglob("*")):
        if path.suffix == ".whl" and path not in release.wheels:
            path.unlink()
        else:
            path.chmod(0o755 if path.is_dir() else 0o644)


async def _ask(session: CloudSession, path: str) -> bytes | None:
    answer, _ = await session.call("GET", path, bytes, may_be_unknown=True)
    if isinstance(answer, NoSuchCall):
        return None
    if isinstance(answer, CloudError):
        raise answer
    return answer
