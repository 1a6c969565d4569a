"""The end of a simulated week: everything is mended and connected, and must come to rest by itself.

What the office does here is what people do: it assigns clocks again whose assignment a set-back database forgot, it
releases held stamps, and somebody taps once more at every clock (a clock tells a restored service that it has lost
something only when it delivers). Nothing else is helped along.
"""

from __future__ import annotations

import asyncio

from stempelwerk_tools.simulation.administrator import Refused
from stempelwerk_tools.simulation.judging.oracle import Verdict
from stempelwerk_tools.simulation.judging.plan import PlannedTap
from stempelwerk_tools.simulation.template import CARETAKERS_A, CARETAKERS_B
from stempelwerk_tools.simulation.world import World

_LOOK_EVERY_S = 1800
_QUIET_ROUNDS = 3
_LIMIT_ROUNDS = 50


async def heal(world: World, verdict: Verdict) -> None:
    """Mend everything and wait for rest; what never rests is counted as stuck."""
    world.note("healing begins")
    world.triggers.clear()
    world.clear_weather()
    if not world.service.running:
        await world.service.start()
    for station in world.stations.values():
        if station.clock is None:
            station.power_on()
        elif not station.runs:
            station.start_program()
    await asyncio.sleep(2 * 3600)
    await _assign_again(world)
    for round_number in range(2):
        await asyncio.sleep(3600)
        await _tap_everywhere(world, round_number)
        await _rest(world, verdict)


async def _assign_again(world: World) -> None:
    """The office looks at its list of clocks and finds some without a company."""
    await world.office.log_in()
    known = {device["id"]: device for device in await world.office.devices()}
    for station in world.stations.values():
        device_id = station.agent.membership.current.device_id if station.agent else None
        if device_id is None:
            continue
        company, since = world.assigned.get(station.name, (0, world.true_time.now()))
        wanted = world.template.companies[company]
        if known[device_id]["companyId"] != wanted:
            try:
                await world.office.assign(device_id, wanted, since)
            except Refused:  # the database remembers something else of that time
                await world.office.assign(device_id, wanted)


async def _tap_everywhere(world: World, round_number: int) -> None:
    for index, station in enumerate(world.stations.values()):
        caretakers = CARETAKERS_A if station.company == world.template.companies[0] else CARETAKERS_B
        now = world.true_time.now()
        world.dying_taps = 0.0
        world.tap(station, caretakers[index], PlannedTap(now, index, station.place))
        await asyncio.sleep(30)
    world.note(f"everybody has tapped again, round {round_number}")


async def _rest(world: World, verdict: Verdict) -> None:
    quiet = 0
    for number in range(_LIMIT_ROUNDS):
        await asyncio.sleep(_LOOK_EVERY_S)
        if number % 3 == 0:  # a session lasts two hours
            await world.office.log_in()
        released = await world.office.release_unassigned()
        waiting = sum(station.queue for station in world.stations.values())
        quiet = 0 if released or waiting else quiet + 1
        if quiet == _QUIET_ROUNDS:
            return
    left = {station.name: station.queue for station in world.stations.values()}
    verdict.stuck += max(1, sum(left.values()))
    verdict.wrong.append(f"no rest within {_LIMIT_ROUNDS * _LOOK_EVERY_S} s: {left}")
