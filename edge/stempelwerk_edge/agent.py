"""The composition root of the clock: what is made of what, in which order it starts, and in which it stops.

Nothing here needs the network to start, nor the reader, nor a sound journal. Everything that is random, waits, reads
the time or touches the machine comes in as a port, so that many agents can live in one simulated process. Cancelling
`run` ends the agent; losing it at any await is no worse than a crash.
"""

import asyncio
import os
import random as system_random
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from stempelwerk_edge.cloud.answers import AnswersLoop
from stempelwerk_edge.cloud.client import CloudClient, TransportFactory, http_transport
from stempelwerk_edge.cloud.delivery import back_off
from stempelwerk_edge.cloud.heartbeat import Heartbeat
from stempelwerk_edge.cloud.identity import Identity, load_or_make
from stempelwerk_edge.cloud.people import PeopleLoop
from stempelwerk_edge.cloud.session import CloudSession
from stempelwerk_edge.cloud.sync import Sync
from stempelwerk_edge.configuration import Settings, in_words
from stempelwerk_edge.display.server import DisplayServer
from stempelwerk_edge.display.state import ScreenState
from stempelwerk_edge.errors import IdentityError, JournalError
from stempelwerk_edge.logbook import Logbook, LogbookLoop
from stempelwerk_edge.machine.clock import Clock, SystemClock, SystemIds
from stempelwerk_edge.machine.hardware import Machine, SystemMachine
from stempelwerk_edge.machine.housekeeping import Housekeeping
from stempelwerk_edge.machine.supervise import supervise
from stempelwerk_edge.machine.trusted_time import TrustedTime
from stempelwerk_edge.mounts import connect_lasting
from stempelwerk_edge.ports import Answer, Connect, Ids, Random, ReaderState, Screen, Signals
from stempelwerk_edge.readers import Reader, reader_for
from stempelwerk_edge.readers.watch import ReaderWatch
from stempelwerk_edge.satellites.adoption import Adoption, AtScreen
from stempelwerk_edge.satellites.base import Satellites
from stempelwerk_edge.satellites.updating import FOLDER, images_in
from stempelwerk_edge.signals import signals_for
from stempelwerk_edge.storage.journal import RESERVE_BYTES, Journal, connect_sqlite
from stempelwerk_edge.storage.snapshot import Snapshot
from stempelwerk_edge.storage.stores import Stores
from stempelwerk_edge.surroundings import Surroundings
from stempelwerk_edge.tap.tapping import Tapper
from stempelwerk_edge.updates import health
from stempelwerk_edge.updates.loop import UpdateLoop, Updating
from stempelwerk_edge.version import program_version

Loop = Callable[[], Coroutine[Any, Any, None]]
_IDENTITY_DOUBLINGS = 6


@dataclass(frozen=True, slots=True)
class Ports:
    """The world around the agent. `screen` None: the touchscreen's server is started; `reader` None: no reader.

    `on_ready` is called as soon as taps are taken, whatever else is still missing; `on_stop` at the end. `time_untold`
    is why the source of the machine's time is unknown, None if it is known. `updating` None: nothing is updated.
    """

    clock: Clock
    ids: Ids
    random: Random
    transport: TransportFactory
    machine: Machine
    signals: Signals
    connect: Connect = connect_sqlite
    reserve_bytes: int = RESERVE_BYTES
    reader: Reader | None = None
    screen: Screen | None = None
    on_ready: Callable[[], object] = lambda: None
    on_stop: Callable[[], object] = lambda: None
    time_untold: str | None = None
    entropy: Callable[[int], bytes] = os.urandom
    updating: Updating | None = None
    version: str = field(default_factory=program_version)


def system_ports(settings: Settings, on_ready: Callable[[], object] = lambda: None) -> Ports:
    """Returns the ports of a real machine. Raises IdentityError if the machine has no identifier of its own."""
    clock, signals = SystemClock(), signals_for(settings.signals)
    return Ports(
        clock=clock,
        ids=SystemIds(clock),
        random=system_random.SystemRandom(),
        transport=http_transport(settings.cloud.ca_file, settings.cloud.proxy),
        machine=SystemMachine(settings.device.serial, settings.data_dir),
        signals=signals,
        connect=connect_lasting,
        on_ready=on_ready,
        on_stop=getattr(signals, "close", lambda: None),
        reader=reader_for(settings.reader),
        time_untold=clock.untold(),
        updating=Updating.from_environment(),
    )


class Agent:
    """One clock. `tapper` takes taps from the moment the agent is made; `run` does everything else."""

    def __init__(self, settings: Settings, ports: Ports) -> None:
        self._settings, self._ports = settings, ports
        directory, connect = settings.data_dir, ports.connect
        time = TrustedTime(ports.clock)
        self.logbook = Logbook(directory, time, ports.ids, connect)
        report = self.logbook.report
        journal = Journal(directory, ports.ids, report, connect, ports.reserve_bytes)
        stores = Stores.from_journal(journal, Snapshot(directory, connect, report))
        self._stores = stores
        self.state, self.outbox, self.membership = stores.state, stores.outbox, stores.membership
        self.answers = stores.answers
        self._own_screen = ScreenState(time.now) if ports.screen is None else None
        screen = ports.screen or self._own_screen
        assert screen is not None
        self._surroundings = Surroundings(
            time=time,
            ids=ports.ids,
            random=ports.random,
            screen=screen,
            report=report,
            machine=ports.machine,
            profile=settings.device.profile,
            version=ports.version,
        )
        self._wake: Callable[[], object] = lambda: None
        self._reader_state: ReaderState = "absent"
        self._last_tap_ms = time.boottime_ms()
        self.adoption, self._at_screen = Adoption(directory), AtScreen(time, screen, self._forget_scanner)
        adopting = self._at_screen if settings.satellites.paths else None
        self.tapper = Tapper(stores, self._surroundings, ports.signals, self._wake_loops, adopting)
        self.satellites = Satellites(
            stores.journal,
            self._surroundings,
            self.tapper,
            lambda: self.adoption.is_allowed() or self._at_screen.is_open(),
            ports.entropy,
            self._at_screen.adopted,
            self._at_screen.look,
            images_in(settings.satellites.firmware or FOLDER) if settings.satellites.paths else None,
        )

    def _forget_scanner(self, serial: str) -> bool:
        return self.satellites.forget(serial)

    def _wake_loops(self) -> None:
        self._last_tap_ms = self._surroundings.time.boottime_ms()
        self._wake()

    def tap(self, text: str) -> Answer | None:
        """Stamps a tag that was held to the clock."""
        return self.tapper.on_tag(text)

    async def run(self) -> None:
        """Runs until cancelled."""
        async with AsyncExitStack() as stack:
            stack.callback(self._ports.on_stop)
            stack.callback(self._close_files)
            identity = self._identity_if_possible()
            self._recall(identity)
            self.logbook.report("info", "started", f"version {self._ports.version}", {})
            self._report_oddities()
            async with asyncio.TaskGroup() as tasks:
                if self._own_screen is not None:
                    tasks.create_task(self._supervised("display", self._display), name="display")
                if self._ports.reader is not None:
                    stack.enter_context(self._watching(self._ports.reader))
                if self._settings.satellites.paths:
                    stack.enter_context(self._serving(self._settings.satellites.paths))
                self._ports.on_ready()
                if identity is None:
                    identity = await self._identity_at_last()
                    self._recall(identity)
                client = self._client(identity)
                stack.push_async_callback(client.close)
                session = CloudSession(client, identity, self._stores, self._surroundings)
                for name, loop in self._loops(session).items():
                    tasks.create_task(self._supervised(name, loop), name=name)

    # ---- starting

    def _identity_if_possible(self) -> Identity | None:
        try:
            identity = load_or_make(self._settings.data_dir, self._ports.machine.hardware.all_ids)
        except IdentityError as fault:
            self.logbook.report("error", "identity_unreadable", str(fault), {})
            return None
        if identity.set_aside is not None:
            aside, new = identity.set_aside.name, f"the new key is {identity.keyid}, and makes this clock a new device"
            if identity.was_damaged:
                self.logbook.report("error", "identity_damaged", f"the key file, now {aside}, is unreadable: {new}", {})
            else:
                self.logbook.report("warn", "identity_moved", f"{aside} belongs to other hardware: {new}", {})
        return identity

    async def _identity_at_last(self) -> Identity:
        """Tries until the disk gives the key, or stores a new one; taps are taken meanwhile."""
        failures = 0
        while True:
            failures += 1
            await asyncio.sleep(back_off(min(failures, _IDENTITY_DOUBLINGS), self._ports.random))
            identity = self._identity_if_possible()
            if identity is not None:
                return identity

    def _recall(self, identity: Identity | None) -> None:
        """Loads the state from the disk. A part that cannot be read now is read later or asked for again."""
        self._stores.people.load()
        try:
            self._stores.journal.open()
            anchors = self.state.anchors({self._ports.clock.boot_id})
            self._surroundings.time.recall(anchors, self.state.highest_time(), self.state.trusted_time())
            former = self.membership.load(None if identity is None else identity.keyid)
            if former and identity is not None and identity.made_now and identity.set_aside is None:
                new = f"the new key is {identity.keyid}, and makes this clock a new device"
                self.logbook.report("error", "identity_missing", f"there was no file of the key {former}: {new}", {})
            self.tapper.load()
            self.satellites.load()
        except JournalError as fault:
            self.logbook.report("error", "journal_not_open", str(fault), {})
            self._surroundings.screen.set_status(storage="failed")
        except Exception as mistake:  # a clock without its past takes taps; a clock that does not start takes no taps
            self.logbook.report("error", "journal_not_read", f"{type(mistake).__name__}: {mistake}", {})
        if identity is not None and identity.made_now:
            self._stores.people.wipe()  # another device, which no company owns yet

    def _report_oddities(self) -> None:
        """Reports settings that stop nothing but probably need a correction."""
        if self._settings.unknown:
            unknown = in_words(self._settings.unknown, "perhaps")
            self.logbook.report("warn", "unknown_settings", f"in the configuration, but no settings: {unknown}", {})
        if self._ports.time_untold is not None:
            why = f"the kernel does not say whether a time service steers the clock: {self._ports.time_untold}"
            self.logbook.report("warn", "time_source_unknown", why, {})

    def _close_files(self) -> None:
        self._stores.journal.close()
        self._stores.people.close()
        self.logbook.close()

    # ---- what runs

    def _client(self, identity: Identity) -> CloudClient:
        ports, time = self._ports, self._surroundings.time
        return CloudClient(self._settings.cloud.url, identity, time, ports.ids, ports.transport, ports.version)

    def _loops(self, session: CloudSession) -> dict[str, Loop]:
        """Returns the loops, wired to each other."""
        stores, surroundings = self._stores, self._surroundings
        people = PeopleLoop(session, stores, surroundings)
        heartbeat = Heartbeat(
            session, stores, surroundings, people, lambda: self._reader_state, self.satellites.for_heartbeat
        )
        sync = Sync(session, stores, surroundings, heartbeat.beat)
        housekeeping = Housekeeping(stores, surroundings, sync.returned)
        session.on_replay, heartbeat.on_return = sync.wake, sync.returned
        sync.on_settled = people.want_reflection
        session.on_time_found = self.tapper.time_found
        self._wake = _from_any_thread(sync.wake)
        session.show_membership()
        loops = (
            {} if self._ports.updating is None else {"updates": self._updates(self._ports.updating, session, heartbeat)}
        )
        return {
            **loops,
            "heartbeat": heartbeat.run,
            "sync": sync.run,
            "people": people.run,
            "answers": AnswersLoop(session, stores, surroundings).run,
            "housekeeping": housekeeping.run,
            "logbook": LogbookLoop(self.logbook, session, surroundings.random).run,
        }

    def _updates(self, updating: Updating, session: CloudSession, heartbeat: Heartbeat) -> Loop:
        display, reader = self._settings.display, lambda: self._reader_state

        def checks(reader_before: str) -> dict[str, health.Check]:
            screen_check = (
                {} if self._own_screen is None else {"screen": health.screen_is_up(display.host, display.port)}
            )
            return {
                **screen_check,
                "journal": health.writes_and_reads(self._stores, self._ports.ids),
                "reader": health.reader_answers(reader, reader_before),
                "requests": health.requests_are_sound(heartbeat),
            }

        def idle() -> timedelta:
            return timedelta(milliseconds=self._surroundings.time.boottime_ms() - self._last_tap_ms)

        return UpdateLoop(updating, session, self._stores, self._surroundings, heartbeat, reader, idle, checks).run

    async def _supervised(self, name: str, loop: Loop) -> None:
        await supervise(name, loop, self._ports.random, self.logbook.report)

    async def _display(self) -> None:
        """Runs the touchscreen's server; a port that is taken costs the picture, never a tap."""
        assert self._own_screen is not None
        server = DisplayServer(self._own_screen, self.tapper, self._settings.display)
        try:
            await server.start()
            await server.wait()
        finally:
            await server.stop()

    @contextmanager
    def _watching(self, reader: Reader) -> Iterator[None]:
        watch = ReaderWatch(reader, self.tapper.on_tag, self._unreadable, self._reader_is)
        watch.start()
        try:
            yield
        finally:
            watch.stop()

    @contextmanager
    def _serving(self, paths: Sequence[str]) -> Iterator[None]:
        from stempelwerk_edge.satellites.lines import Lines  # noqa: PLC0415 - a clock that is no base needs no pyserial

        lines = Lines(self.satellites, paths, self._settings.reader.path)
        lines.start()
        try:
            yield
        finally:
            lines.stop()

    def _unreadable(self, reason: str) -> None:
        self.tapper.on_unreadable(reason)
        self._surroundings.screen.notice("unreadable_tag")

    def _reader_is(self, state: ReaderState) -> None:
        self._reader_state = state
        self._surroundings.screen.set_status(reader=state)
        self.logbook.report("info" if state == "ok" else "warn", f"reader_{state}", f"the reader is {state}", {})


def _from_any_thread(wake: Callable[[], None]) -> Callable[[], None]:
    """Returns `wake` for a caller on another thread; it does nothing once the loop has ended."""
    loop = asyncio.get_running_loop()

    def wake_soon() -> None:
        with suppress(RuntimeError):  # the agent has just stopped; the stamp is kept
            loop.call_soon_threadsafe(wake)

    return wake_soon
