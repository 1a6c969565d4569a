"""The agent's update loop: proves the version on trial, fetches the offered version, and switches to it at a quiet
time.

A failure here costs the update and never a tap: the loop tries again later, and the running version goes on.

Members of `launch.json` that the launcher does not know:
    trial.reader        the reader's state under the version before
    trial.reached_from  the address from which that version reached the cloud shortly before the switch, or null
    tried               {id, reader} | null: the last trial, and the reader's state before it
    postponed           {id, version, at, reached_from, contrary, is_weighed} | null: a version whose trial has no
                        result yet. It did not reach the cloud, or reader or disk failed for the version before as well.
                        `contrary` counts the trials after which the version before reached the cloud at once.
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
from stempelwerk_edge.updates.health import Check, Verdict, cloud_was_reached, judge_trial
from stempelwerk_edge.updates.launcher import Places, Record, is_sound, own_platform, read, slots, store
from stempelwerk_edge.updates.window import may_go_over

log = logging.getLogger(__name__)

_PAUSE_S = 20.0
_AGAIN_S = 6 * 3600.0
_FILLING_S = 900.0
_LOOK_S = 2.0
_RECENTLY_MS = 180_000  # a clock counts as online for 90 s after a heartbeat
_AT_ONCE = timedelta(minutes=10)
_MOST_CONTRARY = 5
_FIRST_DELAY = timedelta(hours=1)
_HARDWARE = ("journal", "reader")  # checks that fail with the machine, whatever version runs
_WEIGHING_LOOKS = 60
_PACKAGE_STARTS_S = 60.0

Gather = Callable[[CloudSession, Places, str, datetime], Awaitable[str]]


async def package_starts(places: Places, version: str) -> bool:
    """Returns whether the package's program runs and reports this version."""
    program = places.package / "bin" / "stempelwerk-edge"
    try:
        process = await asyncio.create_subprocess_exec(str(program), "--version", stdout=asyncio.subprocess.PIPE)
    except OSError:
        return False
    try:
        async with asyncio.timeout(_PACKAGE_STARTS_S):
            output, _ = await process.communicate()
    except TimeoutError:
        return False
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return process.returncode == 0 and version in output.decode(errors="replace").split()


def _begin_again() -> None:
    """Ends the program, so that systemd starts it again by way of the launcher."""
    os.kill(os.getpid(), signal.SIGTERM)


@dataclass(frozen=True, slots=True)
class Updating:
    """How this machine updates: its paths, the slot that runs (None: the package's program), and how the agent
    restarts.
    """

    places: Places
    slot: str | None
    begin_again: Callable[[], object] = _begin_again
    gather: Gather = gather
    package_starts: Callable[[Places, str], Awaitable[bool]] = package_starts

    @classmethod
    def from_environment(cls) -> "Updating | None":
        """Reads what the launcher and the systemd unit have set; returns None if this machine is not updated over the
        network.
        """
        places = Places.from_environment()
        return None if places is None else cls(places, os.environ.get("STEMPELWERK_SLOT"))


class UpdateLoop:
    """The update loop. `idle` returns how long ago the last tap was.

    `checks` returns the checks that a version on trial must pass; its argument is the reader's state before the trial.
    """

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
        self._version, self._address = surroundings.version, surroundings.machine.address
        if (self._places.base / "root.json").is_file():
            heartbeat.platform = own_platform()
        running = slots(self._places).get(updating.slot or "")
        self._slot_version = None if running is None else running[1].get("version")
        self._reader, self._idle, self._checks = reader, idle, checks
        self._sound: set[str] = set()
        self._is_disturbed = False

    async def run(self) -> None:
        """Runs for ever."""
        await self._prove()
        pause = 0.0
        while True:
            await asyncio.sleep(pause)
            pause = await self._step()

    # ---- this version

    async def _prove(self) -> None:
        """Keeps this version if it is on trial and passes its checks, or else goes back. Nothing is fetched before."""
        trial = read(self._places.record).get("trial")
        if not trial or trial["id"] != self._updating.slot:
            await self._judge_failure()
            return
        self._set_update("trying", trial["version"])
        reached_from = trial.get("reached_from")
        verdict = await judge_trial(
            self._checks(trial.get("reader", "")),
            lambda: cloud_was_reached(self._heartbeat, reached_from, self._address),
        )
        if verdict is Verdict.POSTPONED:
            self._go_back(trial)
            return
        kept_slot = {"id": trial["id"], "version": trial["version"], "package": self._places.package_version()}
        self._write({"kept": kept_slot, "trial": None, "failed": None, "ready": None, "postponed": None})
        signal.alarm(0)
        self._report("info", "update_kept", f"version {trial['version']} has proven itself", {})
        self._set_update()

    def _go_back(self, trial: Record) -> None:
        """Ends the trial of this version, which works but does not reach the cloud; it will be tried again."""
        self._postpone(trial, {"trial": None}, reached_from=trial["reached_from"], is_weighed=False)
        message = f"version {trial['version']} works, but did not reach the cloud"
        self._report("warn", "update_postponed", message, {})
        self._updating.begin_again()

    async def _judge_failure(self) -> None:
        """Decides about another version whose trial has failed: if reader and journal work for this version, it is not
        tried again; if not, they may have caused the failure, and it is postponed.
        """
        record = read(self._places.record)
        failed = record.get("failed")
        if not failed or failed.get("told"):
            return
        attempted = record.get("tried") or {}
        reader_before = attempted.get("reader", "") if attempted.get("id") == failed["id"] else ""
        # Kept if the record cannot be written: on the next attempt a disk that works again would condemn the version.
        self._is_disturbed = self._is_disturbed or not await self._hardware_works(reader_before)
        if not self._is_disturbed:
            self._report_failure()
            return
        self._postpone(failed, {"failed": None}, reached_from=None, is_weighed=True)
        self._is_disturbed = False
        message = f"version {failed['version']} was tried while the reader or the disk failed"
        self._report("warn", "update_postponed", message, {})

    async def _hardware_works(self, reader_before: str) -> bool:
        """Returns whether reader and journal work for this version within two minutes, if they did before the trial."""
        checks = [check for name, check in self._checks(reader_before).items() if name in _HARDWARE]
        for _ in range(_WEIGHING_LOOKS):
            if all([await check() for check in checks]):
                return True
            await asyncio.sleep(_LOOK_S)
        return False

    def _postpone(self, attempted: Record, changes: Record, *, reached_from: str | None, is_weighed: bool) -> None:
        version, earlier = attempted["version"], read(self._places.record).get("postponed") or {}
        postponed = {
            "id": attempted["id"],
            "version": version,
            "at": wire.instant_text(self._time.now()),
            "reached_from": reached_from,
            "contrary": earlier.get("contrary", 0) if earlier.get("version") == version else 0,
            "is_weighed": is_weighed,
        }
        self._write({**changes, "postponed": postponed})

    def _weigh(self, postponed: Record) -> Record:
        """Checks whether this version reaches the cloud from the same address as the postponed version, which did not
        reach it; returns the updated record of the postponed version.

        If it does, the trial counts against that version; after five such trials it has failed. Nothing follows if the
        cloud is out of reach for this version as well.
        """
        now, postponed_at = self._time.now(), wire.read_instant(postponed.get("at"))
        if postponed_at is None or postponed_at > now:  # the clock's time was wrong then
            postponed = {**postponed, "at": wire.instant_text(now), "is_weighed": True}
        elif not postponed["is_weighed"] and now - postponed_at > _AT_ONCE:
            postponed = {**postponed, "is_weighed": True}
        elif not postponed["is_weighed"] and self._is_online() and self._address() == postponed["reached_from"]:
            postponed = {**postponed, "contrary": postponed["contrary"] + 1, "is_weighed": True}
        else:
            return postponed
        changes: Record = {"postponed": postponed}
        if postponed["contrary"] >= _MOST_CONTRARY:
            changes["failed"] = {"id": postponed["id"], "version": postponed["version"]}
        self._write(changes)
        self._report_failure()
        return postponed

    def _is_due(self, postponed: Record) -> bool:
        """Returns whether a postponed version may be tried again: after an hour, two, four, and so on."""
        postponed_at, delay = wire.read_instant(postponed["at"]), _FIRST_DELAY * 2 ** postponed["contrary"]
        return bool(postponed["is_weighed"]) and postponed_at is not None and self._time.now() - postponed_at >= delay

    def _is_online(self) -> bool:
        """Returns whether this version has just reached the cloud."""
        reached_at_ms = self._heartbeat.reached_at_ms
        return reached_at_ms is not None and self._time.boottime_ms() - reached_at_ms <= _RECENTLY_MS

    def _report_failure(self) -> None:
        failed = read(self._places.record).get("failed")
        if failed and not failed.get("told"):
            self._write({"failed": {**failed, "told": True}, "ready": None})
            self._report("error", "update_failed", f"version {failed['version']} did not prove itself", {})

    # ---- the next one

    async def _step(self) -> float:
        """Takes the next step towards the offered version; returns the seconds until the next look."""
        offer, record = self._heartbeat.offer, read(self._places.record)
        postponed = self._weigh(record["postponed"]) if record.get("postponed") else None
        if postponed:
            record = read(self._places.record)
        if offer is None or offer.version in (self._version, self._slot_version):
            self._set_update()
            return _PAUSE_S
        if (record.get("failed") or {}).get("version") == offer.version:
            self._set_update("failed", offer.version)
            return _PAUSE_S
        if offer.version == self._places.package_version() and self._updating.slot is not None:
            return await self._return_to_package(offer, record)
        slot = await self._ready(offer.version)
        if slot is None:
            return await self._fetch(offer)
        self._set_update("ready", offer.version)
        if postponed and postponed["version"] == offer.version and not self._is_due(postponed):
            return _PAUSE_S
        if self._may(offer, self._ready_since(record, slot)):
            self._go_over(slot, offer.version)
        return _PAUSE_S

    async def _return_to_package(self, offer: Offer, record: Record) -> float:
        """Switches to the package's program at a quiet time, if that program starts; nothing is fetched. Returns the
        seconds until the next look.
        """
        self._set_update("ready", offer.version)
        if not self._may(offer, self._ready_since(record, "package")):
            return _PAUSE_S
        if not await self._updating.package_starts(self._places, offer.version):
            self._set_update("failed", offer.version)
            self._report("warn", "update_refused", f"the package's version {offer.version} does not start", {})
            return _AGAIN_S
        if self._heartbeat.offer != offer or not self._may(offer, self._ready_since(record, "package")):
            return _PAUSE_S  # the offer or the hour has changed while the program was tried
        self._write({"kept": None, "trial": None, "ready": None})
        self._report("info", "update_undone", f"back to version {offer.version} of the package", {})
        self._updating.begin_again()
        return _PAUSE_S

    async def _ready(self, version: str) -> str | None:
        """Returns the id of another slot that holds this version with undamaged files; None without one."""
        for name, (folder, slot) in slots(self._places).items():
            if slot["version"] == version and name != self._updating.slot:
                if name not in self._sound and await asyncio.to_thread(is_sound, folder, slot):
                    self._sound.add(name)
                return name if name in self._sound else None
        return None

    def _ready_since(self, record: Record, slot: str) -> datetime:
        """Returns when the version in this slot became ready. The time is stored for restarts; a stored time in the
        future is replaced, because the clock was wrong then.
        """
        now, ready = self._time.now(), record.get("ready") or {}
        ready_since = wire.read_instant(ready.get("since")) if ready.get("id") == slot else None
        if ready_since is not None and ready_since <= now:
            return ready_since
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
        reached_from = self._address() if self._is_online() else None
        trial = {"id": slot, "version": version, "tries": 0, "reader": self._reader(), "reached_from": reached_from}
        self._write({"trial": trial, "tried": {"id": slot, "reader": trial["reader"]}})
        self._report("info", "update_tried", f"version {version} is tried instead of {self._version}", {})
        self._updating.begin_again()

    async def _fetch(self, offer: Offer) -> float:
        """Fetches the offered version and waits until the updater has unpacked it; returns the seconds until the next
        look.
        """
        version = offer.version
        self._set_update("loading", version)
        path = wire.UPDATE.format(self._membership.current.device_id)
        target, _ = await self._session.call("GET", path, wire.read_update, may_be_unknown=True)
        if target is None or isinstance(target, CloudError):
            self._set_update()
            return _FILLING_S
        try:
            if not target.startswith(f"{offer.channel}/"):
                raise NotTrusted(f"{target} is not of {offer.channel}")
            # The cloud's time: the system's own may be wrong.
            fetched_at = await self._updating.gather(self._session, self._places, target, self._time.now())
            report = await self._filled(fetched_at)
        except (NotTrusted, NotFetched, OSError) as fault:
            report = {"state": "refused", "why": f"{type(fault).__name__}: {fault}"}
        if report["state"] == "ready":
            return _LOOK_S
        self._report("warn", "update_refused", f"version {version}: {report['why']}", {})
        if str(report["why"]).startswith(NotFetched.__name__):  # the line's fault, not the version's
            return _FILLING_S
        self._set_update("failed", version)
        return _AGAIN_S

    async def _filled(self, fetched_at: str) -> Record:
        """Waits for the updater's report on the files that were fetched at this time. Raises NotFetched after 15
        minutes.
        """
        path = self._places.base / "slots" / "report.json"
        try:
            async with asyncio.timeout(_FILLING_S):
                while True:
                    report = read(path)
                    if report.get("at") == fetched_at:
                        return report
                    await asyncio.sleep(_LOOK_S)
        except TimeoutError as fault:
            raise NotFetched("nobody unpacks it") from fault

    def _set_update(self, state: str | None = None, version: str = "") -> None:
        self._heartbeat.update = None if state is None else (state, version)
        self._screen.set_status(update=None if state is None else (state, version))

    def _write(self, changes: Record) -> None:
        store(self._places.record, {**read(self._places.record), **changes})
