"""The end of a simulated week: everything is repaired and connected, and must come to rest on its own.

A world with set-back databases loses one more day while no tap is made: the clocks must bring it back unaided.

The office here does what people do: it assigns clocks again whose assignment a set-back database forgot, it releases
held stamps, and a person taps once more at every clock (each of two copies of a card shows that it lives only when it
delivers). There is no other help.
"""

from __future__ import annotations

import asyncio

from stempelwerk_tools.simulation.administrator import Refused
from stempelwerk_tools.simulation.judging.oracle import Verdict, keys
from stempelwerk_tools.simulation.judging.plan import PlannedTap
from stempelwerk_tools.simulation.machines import internals
from stempelwerk_tools.simulation.machines.station import TapKey
from stempelwerk_tools.simulation.template import CARETAKERS_A, CARETAKERS_B
from stempelwerk_tools.simulation.world import DATABASE_SET_BACK, World

_LOOK_EVERY_S = 1800
_QUIET_ROUNDS = 3
_LIMIT_ROUNDS = 50
_BACK_WITHIN_S = 3600  # the longest pause between two heartbeats here, and some batches


async def heal(world: World, verdict: Verdict) -> None:
    """Repairs everything and waits for rest; what never rests is counted as stuck."""
    world.note("healing begins")
    world.triggers.clear()
    world.clear_weather()
    if not world.service.running:
        await world.service.start()
    for name in list(world.drawer):
        await world.stations[name].power_off()
        world.rescue_drawn(world.stations[name])
    for station in world.stations.values():
        if station.clock is None:
            station.power_on()
        elif not station.runs:
            station.start_program()
    await asyncio.sleep(2 * 3600)
    await _bring_back_the_scanners(world, verdict)
    if world.faults[DATABASE_SET_BACK]:
        await _lose_a_day_at_rest(world, verdict)
    await _assign_again(world)
    for round_number in range(2):
        await asyncio.sleep(3600)
        await _tap_everywhere(world, round_number)
        await _wait_for_rest(world, verdict)


async def _bring_back_the_scanners(world: World, verdict: Verdict) -> None:
    """Docks every scanner, over a good line, until it is empty."""
    for carried in world.scanners.values():
        carried.noise = 0.0
        for _ in range(10):
            await carried.dock(60)
            if not carried.taps:
                break
        verdict.stuck += len(carried.taps)
        verdict.wrong += [f"still on a scanner: {world.truth.taps[key]}" for key in sorted(carried.taps)[:5]]


async def _lose_a_day_at_rest(world: World, verdict: Verdict) -> None:
    """Restores last night's database; taps that it lacks and that lie on a card must soon be there, without a new tap.

    For a device with two lives only the one with the higher lease sees the loss, so these are not checked.
    """
    backup = world.backups[-1]
    if internals.server_in(backup.path) != internals.server_in(world.service.database):
        return
    keys_before = keys(world.service)
    async with world.service_hands:
        await world.set_back(backup, new_server=False)
    branched = world.truth.branched()
    stations = world.stations.values()
    cards = [
        station.card
        for station in stations
        if internals.keyid_on(station.card.folder, station.hardware_id) not in branched
    ]
    lost = (keys_before - keys(world.service)).intersection(set[TapKey]().union(*(card.taps for card in cards)))
    world.note(f"the database is set back while nobody taps, and lacks {len(lost)}", "day lost at rest")
    await asyncio.sleep(_BACK_WITHIN_S)
    missing = lost - keys(world.service)
    verdict.returned += len(lost) - len(missing)
    verdict.stuck += len(missing)
    verdict.wrong += [f"not brought back before anybody tapped: {world.truth.taps[key]}" for key in sorted(missing)[:5]]


async def _assign_again(world: World) -> None:
    """Assigns the clocks without a company again."""
    await world.office.log_in()
    devices = {device["id"]: device for device in await world.office.devices()}
    for station in world.stations.values():
        device_id = station.agent.membership.current.device_id if station.agent else None
        if device_id is None or station.name in world.replaced:
            continue
        company, assigned_from = world.assigned.get(station.name, (0, world.true_time.now()))
        company_id = world.template.companies[company]
        if devices[device_id]["companyId"] != company_id:
            try:
                await world.office.assign(device_id, company_id, assigned_from)
                world.adopted(device_id, company_id, assigned_from)
            except Refused:  # the database has another assignment for that time
                await world.office.assign(device_id, company_id)


async def _tap_everywhere(world: World, round_number: int) -> None:
    for index, station in enumerate(station for station in world.stations.values() if not station.broken):
        caretakers = CARETAKERS_A if station.company == world.template.companies[0] else CARETAKERS_B
        now = world.true_time.now()
        world.dying_taps = 0.0
        world.tap(station, caretakers[index], PlannedTap(now, index, station.place))
        await asyncio.sleep(30)
    world.note(f"everybody has tapped again, round {round_number}")


async def _wait_for_rest(world: World, verdict: Verdict) -> None:
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
    queues = {station.name: station.queue for station in world.stations.values()}
    verdict.stuck += max(1, sum(queues.values()))
    verdict.wrong.append(f"no rest within {_LIMIT_ROUNDS * _LOOK_EVERY_S} s: {queues}")
