"""The misfortunes of a simulated world. Each is a coroutine that strikes now and then until it is ended.

Each seed draws some of them, so that each misfortune also meets the programs without the others. All of it happens to
machines, networks and cards; nothing reaches into a program.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any

from stempelwerk_edge.machine.clock import Quality

from stempelwerk_tools.simulation.machines import internals
from stempelwerk_tools.simulation.machines.carried import Carried
from stempelwerk_tools.simulation.machines.network import CLEAR, DOWN, Message, Weather
from stempelwerk_tools.simulation.machines.station import Station
from stempelwerk_tools.simulation.world import DATABASE_SET_BACK, World

_HOUR = 3600.0
_DAY = 24 * _HOUR
_STEPS = ("leaves", "arrives", "answered", "heard")
_STORMS = (
    Weather(lost_answer=0.5),
    Weather(lost_request=0.3, late_request=0.2, doubled=0.3),
    Weather(lost_request=0.1, lost_answer=0.2, cut_answer=0.2, doubled=0.2, latency_s=(0.5, 12.0)),
    Weather(portal=0.7, bad_gateway=0.2),
    Weather(black_hole=0.6),
    Weather(bad_gateway=0.6, lost_answer=0.2),
)

Misfortune = Callable[[World, random.Random], Coroutine[Any, Any, None]]


async def bad_weather(world: World, rng: random.Random) -> None:
    """Makes links lose, delay, double and garble messages for some hours."""
    while True:
        await asyncio.sleep(rng.expovariate(1 / (5 * _HOUR)))
        station = _any(world, rng)
        station.link.weather = rng.choice(_STORMS)
        world.note(f"storm at {station.name}: {station.link.weather}", "storm")
        await asyncio.sleep(rng.uniform(0.1, 5) * _HOUR)
        station.link.weather = CLEAR


async def days_offline(world: World, rng: random.Random) -> None:
    """A clock is cut off for a day or two; its time service is then no longer trusted."""
    while True:
        await asyncio.sleep(rng.expovariate(1 / (1.2 * _DAY)))
        station = _any(world, rng)
        world.note(f"{station.name} is cut off", "days offline")
        station.link.weather = DOWN
        await asyncio.sleep(rng.uniform(0.2, 1.6) * _DAY)
        if station.clock is not None and station.clock.quality() is Quality.NTP:
            station.clock.set(station.clock.wall(), Quality.RTC)
        station.link.weather = CLEAR


async def program_crashes(world: World, rng: random.Random) -> None:
    """A clock's program dies at some await, most of all around its messages."""
    while True:
        await asyncio.sleep(rng.expovariate(1 / (6 * _HOUR)))
        station, step = _any(world, rng), rng.choice(_STEPS)
        _arm(world, rng, station.name, step, lambda station=station: _crash(world, rng, station))  # type: ignore[misc]


async def service_crashes(world: World, rng: random.Random) -> None:
    """The service dies at some await, most of all while it handles a batch."""
    while True:
        await asyncio.sleep(rng.expovariate(1 / (8 * _HOUR)))
        _arm(world, rng, _any(world, rng).name, rng.choice(_STEPS), lambda: _crash_service(world, rng))


async def power_cuts(world: World, rng: random.Random) -> None:
    """A machine loses its power, and its wall time comes back as its battery kept it."""
    while True:
        await asyncio.sleep(rng.expovariate(1 / (0.8 * _DAY)))
        station = _any(world, rng)
        async with station.hands:
            world.note(f"{station.name} loses power", "power cut")
            await station.power_off()
            await asyncio.sleep(rng.choice((20.0, 600.0, 5 * _HOUR)))
            station.power_on()


async def wrong_clocks(world: World, rng: random.Random) -> None:
    """Batteries fail, people set clocks by hand, time services come and go."""
    for station in world.stations.values():
        station.battery = rng.choice(("good", "none", "none", "year_2040"))
    while True:
        await asyncio.sleep(rng.expovariate(1 / (7 * _HOUR)))
        station = _any(world, rng)
        if station.clock is None:
            continue
        if station.link.weather.up and rng.random() < 0.5:
            station.clock.follow(timedelta(milliseconds=rng.uniform(-300, 300)))
        elif station.clock.quality() is not Quality.NTP:
            off = timedelta(hours=rng.choice((-30, -2, -0.3, 0.1, 1, 400)))
            station.clock.set(station.clock.wall() + off, Quality.MANUAL)
        world.note(f"{station.name} has {station.clock.wall()} by {station.clock.quality()}", "wall time changed")


async def card_brought_back(world: World, rng: random.Random) -> None:
    """A card is copied in the morning, and the copy put back in its place a day later."""
    await asyncio.sleep(rng.uniform(0.3, 1.5) * _DAY)
    station = _any(world, rng)
    async with station.hands:
        await station.power_off()
        image, copied_at_s, parent = world.copy(station.card), world.now_s, station.link.lineage
        world.note(f"the card of {station.name} is copied")
        station.power_on()
    await asyncio.sleep(rng.uniform(0.2, 1.3) * _DAY)
    async with station.hands:
        await station.power_off()
        world.note(f"an old card is put into {station.name}", "card brought back")
        child = world.new_life(station)
        world.branch(image, station.hardware_id, copied_at_s, parent, child)
        world.burn(station.card)
        station.card = image
        station.power_on()


async def card_used_twice(world: World, rng: random.Random) -> None:
    """A card is copied and both live on, in machines with the same hardware id."""
    await _twin(world, rng, same_hardware=True)


async def card_misread(world: World, rng: random.Random) -> None:
    """A card is copied while stamps wait on it, some are misread, and both copies deliver what they have."""
    await asyncio.sleep(rng.uniform(0.3, 1.2) * _DAY)
    station = _any(world, rng)
    station.link.weather = DOWN
    for _ in range(40):
        await asyncio.sleep(1800)
        if station.queue:
            break
    await _twin(world, rng, same_hardware=True, station=station, misread=True)
    await asyncio.sleep(rng.uniform(0, 4) * _HOUR)
    station.link.weather = CLEAR


async def card_in_other_hardware(world: World, rng: random.Random) -> None:
    """A copy of a card is put into a new machine, which makes a key of its own."""
    await _twin(world, rng, same_hardware=False)


async def _twin(
    world: World, rng: random.Random, *, same_hardware: bool, station: Station | None = None, misread: bool = False
) -> None:
    if station is None:
        await asyncio.sleep(rng.uniform(0.3, 2) * _DAY)
        station = _any(world, rng)
    async with station.hands:
        await station.power_off()
        copy, copied_at_s, parent = world.copy(station.card), world.now_s, station.link.lineage
        world.note(f"the card of {station.name} is used twice", "card copied")
        if misread:
            world.note(f"{internals.garble(copy.folder)} stamps are misread", "card misread")
        station.power_on()
    hardware_id = station.hardware_id if same_hardware else f"board:{rng.getrandbits(64):x}"
    twin = world.hang_up(f"{station.name}-twin-{len(world.stations)}", hardware_id, copy)
    twin.place = station.place
    if same_hardware:
        world.branch(copy, hardware_id, copied_at_s, parent, twin.link.lineage)
    await asyncio.sleep(rng.choice((60.0, 3 * _HOUR)))
    async with twin.hands:
        if twin.clock is None:  # otherwise a power cut has come and gone meanwhile, and it is on
            twin.power_on()
    if not same_hardware:
        await asyncio.sleep(rng.choice((600.0, 2 * _HOUR)))
        await world.assign(twin, 0)


async def reassignment(world: World, rng: random.Random) -> None:
    """A clock goes to the other company for some hours, and comes back."""
    await asyncio.sleep(rng.uniform(0.3, 2) * _DAY)
    station = _any(world, rng)
    for company in (1, 0):
        world.note(f"{station.name} is given to company {company}", "reassignment")
        await world.assign(station, company)
        await asyncio.sleep(rng.uniform(3, 20) * _HOUR)


async def clock_broken(world: World, rng: random.Random) -> None:
    """A clock breaks, mostly while stamps wait on it; later its card is rescued on the spare in its place."""
    old, spare, device_id = await _taken_down(world, rng)
    async with old.hands:
        world.note(f"{old.name} breaks", "clock broken")
        old.broken = True
        await old.power_off()
        world.drawer[spare.name] = old
    spare.power_on()
    replaced_first = rng.random() < 0.7
    if replaced_first:
        await world.replace(old, device_id, spare)
    await asyncio.sleep(rng.choice((600.0, 5 * _HOUR, _DAY)))
    async with spare.hands:
        on = spare.clock is not None
        await spare.power_off()
        world.rescue_drawn(spare)
        if on:
            spare.power_on()
    if not replaced_first:
        await asyncio.sleep(rng.uniform(0.1, 8) * _HOUR)
        await world.replace(old, device_id, spare)


async def old_clock_delivers(world: World, rng: random.Random) -> None:
    """A clock is replaced while it is cut off, and delivers its stamps after all; people use both meanwhile."""
    old, spare, device_id = await _taken_down(world, rng)
    world.note(f"{old.name} is replaced and runs on", "old clock delivers")
    spare.power_on()
    await world.replace(old, device_id, spare)
    await asyncio.sleep(rng.choice((600.0, 5 * _HOUR, _DAY)))
    old.link.weather = CLEAR


async def _taken_down(world: World, rng: random.Random) -> tuple[Station, Station, str]:
    """Cuts off a clock that the service knows for some hours; returns it, its spare, and the clock's device."""
    await asyncio.sleep(rng.uniform(0.3, 1.5) * _DAY)
    old, device_id = _any(world, rng), None
    while device_id is None:
        await asyncio.sleep(600)
        device_id = old.agent.membership.current.device_id if old.agent else None
    old.link.weather = DOWN
    await asyncio.sleep(rng.uniform(0.1, 6) * _HOUR)
    name = f"{old.name}-spare-{len(world.stations)}"
    spare = world.hang_up(name, f"board:{rng.getrandbits(64):x}", world.empty_card())
    spare.place = old.place
    return old, spare, device_id


async def scanners(world: World, rng: random.Random) -> None:
    """Lets people carry scanners about: they tap far from any clock, lose power, and dock again over a bad line, or not
    yet.
    """
    for station in list(world.stations.values()):
        if station.agent is None:
            continue
        name, luck = f"scanner-of-{station.name}", world.rng(f"scanner {station.name}")
        carried = Carried(name, station, lambda: world.now_s, luck, world.truth.met_by)
        station.agent.adoption.allow()
        await carried.dock(20)
        if carried.is_adopted:
            world.scanners[station.name] = carried
    while True:
        await asyncio.sleep(rng.uniform(0.5, 9) * _HOUR)
        for carried in world.scanners.values():
            fate = rng.random()
            if fate < 0.15:
                world.note(f"{carried.scanner.serial} starts again", "scanner started again")
                carried.reboot()
            if fate < 0.8:
                carried.noise = rng.choice((0.0, 0.0, 0.2, 0.5))
                await carried.dock(rng.choice((4, 30, 240)))


async def database_set_back(world: World, rng: random.Random) -> None:
    """The service's database falls back to last night's."""
    await asyncio.sleep(rng.uniform(1.1, 2.8) * _DAY)
    new_server = rng.random() < 0.4
    world.note(f"the database is set back, {new_server=}", DATABASE_SET_BACK)
    async with world.service_hands:
        await world.set_back(world.backups[-1], new_server=new_server)


ALL: dict[str, tuple[Misfortune, float]] = {
    "bad weather": (bad_weather, 0.7),
    "days offline": (days_offline, 0.5),
    "program crashes": (program_crashes, 0.6),
    "service crashes": (service_crashes, 0.5),
    "power cuts": (power_cuts, 0.5),
    "wrong clocks": (wrong_clocks, 0.5),
    "card brought back": (card_brought_back, 0.25),
    "card used twice": (card_used_twice, 0.2),
    "card misread": (card_misread, 0.2),
    "card in other hardware": (card_in_other_hardware, 0.2),
    "reassignment": (reassignment, 0.3),
    "clock broken": (clock_broken, 0.25),
    "old clock delivers": (old_clock_delivers, 0.2),
    "scanners": (scanners, 0.5),
    DATABASE_SET_BACK: (database_set_back, 0.35),
}
"""Every misfortune and its probability in a seed."""


def _any(world: World, rng: random.Random) -> Station:
    return rng.choice([station for station in world.stations.values() if not station.broken])


def _arm(
    world: World, rng: random.Random, link: str, step: str, strike: Callable[[], Coroutine[Any, Any, None]]
) -> None:
    """Calls `strike` a few rounds of the loop after the next such step of a message on that link, mostly of a batch."""
    rounds = rng.randrange(14)
    path = rng.choice(("", internals.STAMPS, internals.STAMPS))

    async def later() -> None:
        for _ in range(rounds):
            await asyncio.sleep(0)
        await strike()

    async def trigger(at_link: str, at_step: str, message: Message) -> None:
        if (at_link, at_step) == (link, step) and path in message.url.path and trigger in world.triggers:
            world.triggers.remove(trigger)
            world.life.start(later(), "crash")

    world.triggers.append(trigger)


async def _crash(world: World, rng: random.Random, station: Station) -> None:
    if station.hands.locked() or not station.runs:
        return
    async with station.hands:
        world.note(f"{station.name} crashes", "program crash")
        await station.kill_program()
        await asyncio.sleep(rng.uniform(1, 120))
        if station.clock is not None:
            station.start_program()


async def _crash_service(world: World, rng: random.Random) -> None:
    if world.service_hands.locked():
        return
    async with world.service_hands:
        world.note("the service crashes", "service crash")
        await world.service.kill()
        await asyncio.sleep(rng.choice((2.0, 300.0, 3 * _HOUR)))
        await world.service.start()
