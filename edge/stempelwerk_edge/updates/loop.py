"""What the agent does about new versions: proves the one that it is itself, fetches another, goes over in its hour.

Whatever fails here costs the update and never a tap: it is tried again later, and the version that runs goes on.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from stempelwerk_edge.cloud import wire
from stempelwerk_edge.cloud.heartbeat import Heartbeat
from stempelwerk_edge.cloud.session import CloudSession
from stempelwerk_edge.cloud.wire import Offer
from stempelwerk_edge.errors import CloudError, JournalError, NotFetched, NotTrusted
from stempelwerk_edge.ports import ReaderState
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings
from stempelwerk_edge.updates.fetching import gather
from stempelwerk_edge.updates.health import Check, proven
from stempelwerk_edge.updates.launcher import Places, Record, is_sound, own_platform, read, slots, store
from stempelwerk_edge.updates.window import may_go_over

log = logging.getLogger(__name__)

_PAUSE_S = 20.0
_AGAIN_S = 6 * 3600.0
_FILLING_S = 900.0
_LOOK_S = 2.0

Gather = Callable[[CloudSession, Places, str, datetime], Awaitable[str]]


def _begin_again() -> None:
    """End, and be started by systemd, by way of the launcher."""
    os.kill(os.getpid(), signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class Updating:
    """How this machine updates: where, which slot runs (None: the package's program), how the agent is begun again."""

    places: Places
    slot: str | None
    begin_again: Callable[[], object] = _begin_again
    gather: Gather = gather

    @classmethod
    def from_environment(cls) -> "Updating | None":
        """As launcher and unit say; None where nothing is updated."""
        places = Places.from_environment()
        return None if places is None else cls(places, os.environ.get("STEMPELWERK_SLOT"))


class UpdateLoop:
    """The loop. `checks` gives what a version on trial must prove, told how the reader was before it."""

    def __init__(
        self,
        updating: Updating,
        session: CloudSession,
        stores: Stores,
        surroundings: Surroundings,
        heartbeat: Heartbeat,
        reader: Callable[[], ReaderState],
        idle: Callable[[], timedelta],
        checks: Callable[[str], dict[str, Check]],
    ) -> None:
        self._updating, self._places = updating, updating.places
        self._session, self._heartbeat = session, heartbeat
        self._outbox, self._membership = stores.outbox, stores.membership
        self._time, self._screen, self._report = surroundings.time, surroundings.screen, surroundings.report
        self._version = surroundings.version
        if (self._places.base / "root.json").is_file():
            heartbeat.platform = own_platform()
        running = slots(self._places).get(updating.slot or "")
        self._slot_version = None if running is None else running[1].get("version")
        self._reader, self._idle, self._checks = reader, idle, checks
        self._sound: set[str] = set()

    async def run(self) -> None:
        """For ever."""
        await self._prove()
        pause = 0.0
        while True:
            await asyncio.sleep(pause)
            pause = await self._step()

    # ---- this version

    async def _prove(self) -> None:
        """On trial: keep this version once it has proven itself. Nothing is fetched before."""
        trial = read(self._places.record).get("trial")
        if not trial or trial["id"] != self._updating.slot:
            self._tell_of_failure()
            return
        self._say("trying", trial["version"])
        await proven(self._checks(trial.get("reader", "")))
        kept = {"id": trial["id"], "version": trial["version"], "package": self._places.package_version()}
        self._write({"kept": kept, "trial": None, "failed": None, "ready": None})
        signal.alarm(0)
        self._report("info", "update_kept", f"version {trial['version']} has proven itself", {})
        self._say()

    def _tell_of_failure(self) -> None:
        failed = read(self._places.record).get("failed")
        if failed and not failed.get("told"):
            self._write({"failed": {**failed, "told": True}, "ready": None})
            self._report("error", "update_failed", f"version {failed['version']} did not prove itself", {})

    # ---- the next one

    async def _step(self) -> float:
        """Do what there is to do; how many seconds until the next look."""
        offer, record = self._heartbeat.offer, read(self._places.record)
        if offer is None or offer.version in (self._version, self._slot_version):
            self._say()
            return _PAUSE_S
        if (record.get("failed") or {}).get("version") == offer.version:
            self._say("failed", offer.version)
            return _PAUSE_S
        slot = await self._ready(offer.version)
        if slot is None:
            return await self._fetch(offer)
        self._say("ready", offer.version)
        if self._may(offer, self._ready_since(record, slot)):
            self._go_over(slot, offer.version)
        return _PAUSE_S

    async def _ready(self, version: str) -> str | None:
        """The slot that holds this version, whole."""
        for name, (folder, slot) in slots(self._places).items():
            if slot["version"] == version and name != self._updating.slot:
                if name not in self._sound and await asyncio.to_thread(is_sound, folder, slot):
                    self._sound.add(name)
                return name if name in self._sound else None
        return None

    def _ready_since(self, record: Record, slot: str) -> datetime:
        """Kept over restarts; of a time that was not seen rightly nothing is kept."""
        now, ready = self._time.now(), record.get("ready") or {}
        since = wire.read_instant(ready.get("since")) if ready.get("id") == slot else None
        if since is not None and since <= now:
            return since
        self._write({"ready": {"id": slot, "since": wire.instant_text(now)}})
        return now

    def _may(self, offer: Offer, ready_since: datetime) -> bool:
        try:
            waiting = self._outbox.backlog().depth > 0
        except JournalError:
            return False
        return may_go_over(
            offer,
            self._time.now(),
            ready_since,
            self._idle(),
            delivering=waiting and self._session.connection == "online",
            assigned=self._membership.current.assignment is not None,
        )

    def _go_over(self, slot: str, version: str) -> None:
        self._write({"trial": {"id": slot, "version": version, "tries": 0, "reader": self._reader()}})
        self._report("info", "update_tried", f"version {version} is tried instead of {self._version}", {})
        self._updating.begin_again()

    async def _fetch(self, offer: Offer) -> float:
        """Fetch it and have it unpacked; a while until it is tried again, if that fails."""
        version = offer.version
        self._say("loading", version)
        path = wire.UPDATE.format(self._membership.current.device_id)
        target, _ = await self._session.call("GET", path, wire.read_update, may_be_unknown=True)
        if target is None or isinstance(target, CloudError):
            self._say()
            return _FILLING_S
        try:
            if not target.startswith(f"{offer.channel}/"):
                raise NotTrusted(f"{target} is not of {offer.channel}")
            # By the cloud's time: one that the system has by itself may be wrong.
            at = await self._updating.gather(self._session, self._places, target, self._time.now())
            report = await self._filled(at)
        except (NotTrusted, NotFetched, OSError) as fault:
            report = {"state": "refused", "why": f"{type(fault).__name__}: {fault}"}
        if report["state"] == "ready":
            return _LOOK_S
        self._report("warn", "update_refused", f"version {version}: {report['why']}", {})
        if str(report["why"]).startswith(NotFetched.__name__):  # the line's fault, not the version's
            return _FILLING_S
        self._say("failed", version)
        return _AGAIN_S

    async def _filled(self, at: str) -> Record:
        """What the updater reports of what was asked for."""
        path = self._places.base / "slots" / "report.json"
        try:
            async with asyncio.timeout(_FILLING_S):
                while True:
                    report = read(path)
                    if report.get("at") == at:
                        return report
                    await asyncio.sleep(_LOOK_S)
        except TimeoutError as fault:
            raise NotFetched("nobody unpacks it") from fault

    def _say(self, state: str | None = None, version: str = "") -> None:
        self._heartbeat.update = None if state is None else (state, version)
        self._screen.set_status(update=None if state is None else (state, version))

    def _write(self, changes: Record) -> None:
        store(self._places.record, {**read(self._places.record), **changes})
