"""A simulated world: a service, a few clocks, people who tap, and one source of chance for everything.

The programs are the real ones; the time, the network, the machines and their cards are simulated. `misfortunes` decides
which faults happen, `oracle` whether the final state is right.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from stempelwerk_edge.ports import Direction

from stempelwerk_tools.simulation.administrator import Administrator, Refused
from stempelwerk_tools.simulation.judging.oracle import keys
from stempelwerk_tools.simulation.judging.plan import PlannedTap
from stempelwerk_tools.simulation.judging.truth import Adopted, Branch, Tap, Truth
from stempelwerk_tools.simulation.machines import internals
from stempelwerk_tools.simulation.machines.carried import Carried
from stempelwerk_tools.simulation.machines.loop import Process
from stempelwerk_tools.simulation.machines.machine import ServiceIds, TrueTime
from stempelwerk_tools.simulation.machines.network import CLEAR, Message, Network, Reply, ServiceDown
from stempelwerk_tools.simulation.machines.service import SimulatedService
from stempelwerk_tools.simulation.machines.station import OK_TONES, Card, Station, TapKey
from stempelwerk_tools.simulation.template import Template
from stempelwerk_tools.simulation.trace import Trace

_DIRECTIONS = {"auto": None, "in": Direction.IN, "out": Direction.OUT}
DATABASE_SET_BACK = "database set back"
_CONTACT_STORED_AFTER_S = 30.0
_ON_A_SCANNER = 0.5
Trigger = Callable[[str, str, Message], Awaitable[None]]


@dataclass
class Backup:
    """A copy of the service's database, and when it was made."""

    at_s: float
    path: Path


@dataclass
class World:
    """Everything that exists in a run, and the operations on it."""

    seed: int
    folder: Path
    true_time: TrueTime
    service: SimulatedService
    office: Administrator
    template: Template
    trace: Trace
    network: Network = field(init=False)
    stations: dict[str, Station] = field(default_factory=dict)
    scanners: dict[str, Carried] = field(default_factory=dict)  # by the name of their clock
    truth: Truth = field(default_factory=Truth)
    faults: Counter[str] = field(default_factory=Counter)
    backups: list[Backup] = field(default_factory=list)
    triggers: list[Trigger] = field(default_factory=list)
    life: Process = field(default_factory=lambda: Process("world"))
    service_hands: asyncio.Lock = field(default_factory=asyncio.Lock)
    dying_taps: float = 0.0
    assigned: dict[str, tuple[int, datetime]] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    # broken clocks whose cards will be rescued onto their spares
    drawer: dict[str, Station] = field(default_factory=dict)
    _lineages: int = 0
    _cards: int = 0
    _luck: dict[str, random.Random] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.network = Network(self.service, self.rng, self.trace, self._stage, self._observe)

    def rng(self, of: str) -> random.Random:
        """Returns the random generator for one purpose. Each has its own, so that a program that draws once more, or
        once less, leaves the rest of the world as it was.
        """
        if of not in self._luck:
            self._luck[of] = random.Random(f"{self.seed} {of}")
        return self._luck[of]

    @property
    def now_s(self) -> float:
        """Simulated seconds since the beginning."""
        return self.true_time.loop.time()

    def note(self, event: str, fault: str = "") -> None:
        """Adds a line to the trace. If `fault` is given, the event counts as a fault of that kind."""
        self.trace.add(self.now_s, event)
        if fault:
            self.faults[fault] += 1

    # ---- the service

    async def back_up(self) -> None:
        """Stores a copy of the database."""
        path = self.folder / f"backup-{len(self.backups)}.db"
        self.service.backup(path)
        self.backups.append(Backup(self.now_s, path))

    async def set_back(self, backup: Backup, *, new_server: bool) -> None:
        """Restores a backup of the service. `new_server`: the service gets a new server id, as if another server had
        taken its place; otherwise it keeps its id, as after the restore command or from a snapshot of the machine.
        """
        await self.service.kill()
        await self.network.silence()
        keys_before = keys(self.service)
        self.service.set_back(backup.path)
        if new_server:
            self.service.execute("UPDATE installation SET server_id = ?", self.office_ids.new())
        places = [station.card.taps for station in self.stations.values()] + self._on_scanners()
        self.truth.database_lost(keys_before, keys(self.service), places, backup.at_s, self.now_s)
        await self.service.start()

    @property
    def office_ids(self) -> ServiceIds:
        """Ids for events outside the programs."""
        return ServiceIds(self.true_time, self.rng("office"))

    # ---- clocks

    def hang_up(self, name: str, hardware_id: str, card: Card) -> Station:
        """Adds a clock to the world, still without power."""
        station = Station(name, hardware_id, card, self.network.link(name), self.true_time, self.rng(name))
        self.stations[name] = station
        self.new_life(station)
        return station

    def new_life(self, station: Station) -> int:
        """Gives the station's card a new lineage number, and returns it. Copies of a card have lineages of their
        own.
        """
        self._lineages += 1
        station.link.lineage = self._lineages
        return self._lineages

    def empty_card(self) -> Card:
        """Returns an empty card."""
        return Card(self._fresh_folder())

    def _fresh_folder(self) -> Path:
        self._cards += 1
        return self.folder / f"card-{self._cards}"

    def copy(self, card: Card) -> Card:
        """Returns a copy of a card that is not in use."""
        return card.copy_to(self._fresh_folder())

    def branch(self, image: Card, hardware_id: str, copied_at_s: float, parent: int, child: int) -> None:
        """Records that the life `child` begins from `image`, a copy of the life `parent` made at `copied_at_s`.

        Both lives run on `hardware_id`. A key of other hardware lives in neither of them: each makes its own.
        """
        device = internals.keyid_on(image.folder, hardware_id)
        if device is not None:
            batch, server = internals.open_batch_on(image.folder), internals.server_on(image.folder)
            self.truth.branches.append(Branch(device, copied_at_s, batch, server, parent, child))

    def burn(self, card: Card) -> None:
        """Destroys a card's content for good."""
        other_taps = [station.card.taps for station in self.stations.values() if station.card is not card]
        self.truth.card_lost(card.taps, other_taps + self._on_scanners(), keys(self.service))

    def _on_scanners(self) -> list[set[TapKey]]:
        return [carried.taps for carried in self.scanners.values()]

    async def assign(self, station: Station, company: int) -> None:
        """Lets the office assign the clock to a company, from now on, as soon as service and clock are there."""
        device = None
        while device is None or not self.service.running:
            await asyncio.sleep(300)
            device = station.agent.membership.current.device_id if station.agent else None
        assigned_from = self.true_time.now()
        try:
            await self.office.log_in()
            await self.office.assign(device, self.template.companies[company])
        except (ServiceDown, Refused) as problem:
            self.note(f"assigning {station.name} failed: {problem}")
            return
        self.assigned[station.name] = (company, assigned_from)

    def adopted(self, device_id: str, company_id: str, assigned_from: datetime) -> None:
        """Records that a clock belongs to a company from an instant on, with its unassigned taps since then."""
        agents = ((station.name, station.agent) for station in self.stations.values())
        station_names = frozenset(
            name for name, agent in agents if agent and agent.membership.current.device_id == device_id
        )
        self.truth.adopted.append(Adopted(station_names, company_id, assigned_from, self.true_time.now()))

    async def replace(self, old: Station, device_id: str, spare: Station) -> None:
        """Lets the office replace the clock by the spare, as soon as the spare and the service are there."""
        spare_id = None
        while spare_id is None or not self.service.running:
            await asyncio.sleep(300)
            spare_id = spare.agent.membership.current.device_id if spare.agent else None
        try:
            await self.office.log_in()
            await self.office.replace(device_id, spare_id)
        except (ServiceDown, Refused) as problem:
            self.note(f"replacing {old.name} failed: {problem}")
            return
        self.replaced.add(old.name)
        self.assigned[spare.name] = (self.assigned.get(old.name, (0, None))[0], self.true_time.now())

    def rescue_drawn(self, spare: Station) -> None:
        """Copies the content of a card in the drawer onto the card of its spare, which is off."""
        old = self.drawer.pop(spare.name)
        self.note(f"{spare.name} rescues {spare.rescue(old.card)} of {old.name}")
        for carried in self.scanners.values():
            if carried.home is old:  # it belongs to the spare from then on
                carried.home = spare

    # ---- what passes

    def _observe(self, message: Message, reply: Reply) -> None:
        if message.url.path == internals.STAMPS and reply.status == 200:
            self.truth.saw(internals.read_merged(message, reply, self.now_s))
            if internals.thinks_it_lost_something(reply) and not self.truth.set_back_at_s:
                self.truth.groundless.append(f"at {self.now_s:.0f} s the service asked for everything again")

    async def _stage(self, link: str, step: str, message: Message) -> None:
        if step == "heard":
            self.network.post.start(self._remember_contact(self.stations[link]))
        for trigger in list(self.triggers):
            await trigger(link, step, message)

    async def _remember_contact(self, station: Station) -> None:
        """Records that a boot has met the service, if its program lives long enough to have stored that."""
        agent, clock = station.agent, station.clock
        await asyncio.sleep(_CONTACT_STORED_AFTER_S)
        if agent is not None and clock is not None and station.agent is agent:
            self.truth.contacts.add(clock.boot_id)

    # ---- people

    def tap(self, station: Station, tag: str, planned: PlannedTap) -> bool:
        """Holds a tag to a clock; True if its program died over it."""
        station.free_at_s = self.now_s + 1
        tapped = station.tap(tag, _DIRECTIONS[planned.direction], self.rng("dying").random() < self.dying_taps)
        acknowledged = tapped.sound in OK_TONES
        tap = Tap(tapped.key, self.true_time.now(), station.name, tag, planned.direction, acknowledged)
        self.truth.taps[tapped.key] = tap
        self.note(f"tap {tag} at {station.name}: {tapped.sound}")
        return tapped.sound is None

    def tap_carried(self, carried: Carried, tag: str) -> None:
        """Holds a tag to a portable scanner, wherever that is now."""
        carried.home.free_at_s = self.now_s + 1
        key = carried.tap(tag)
        self.truth.taps[key] = Tap(key, self.true_time.now(), carried.scanner.serial, tag, "auto", acknowledged=True)
        self.note(f"tap {tag} at {carried.scanner.serial}", "tap on a scanner")

    def clock_for(self, planned: PlannedTap, company: str) -> Station | None:
        """Returns the clock that an employee uses for a tap: one that runs and shows their company; None without
        one.
        """
        rng = self.rng("people")
        running = [station for station in self.stations.values() if station.runs and station.place == planned.clock]
        fitting = [
            station
            for station in running
            if station.company == company or (station.company is None and rng.random() < 0.3)
        ]
        return rng.choice(fitting) if fitting else None

    async def live(self, plan: list[tuple[PlannedTap, str]], company_of: dict[str, str]) -> None:
        """Carries out the planned taps with the people's tags, in order of time."""
        for planned, tag in plan:
            await self.sleep_until(planned.planned_at)
            station = self.clock_for(planned, company_of[tag])
            if station is None:
                continue
            await asyncio.sleep(max(0.0, station.free_at_s - self.now_s))  # one after the other
            carried = self.scanners.get(station.name)
            if carried is not None and planned.direction == "auto" and self.rng("scanners").random() < _ON_A_SCANNER:
                self.tap_carried(carried, tag)
            elif station.runs and self.tap(station, tag, planned):
                self.note(f"{station.name} dies over a tap", "death over a tap")
                await station.kill_program()
                self.life.start(self._start_again(station), "start again")

    async def _start_again(self, station: Station) -> None:
        await asyncio.sleep(self.rng("people").uniform(1, 90))
        async with station.hands:
            if station.clock is not None and not station.runs:
                station.start_program()

    async def sleep_until(self, moment: datetime) -> None:
        """Sleeps until the moment."""
        await asyncio.sleep(max(0.0, (moment - self.true_time.now()) / timedelta(seconds=1)))

    def clear_weather(self) -> None:
        """Ends the faults of every link."""
        for station in self.stations.values():
            station.link.weather = CLEAR
