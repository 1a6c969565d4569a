"""A stamp is announced to its person, on the stream of all events and on that of the times, and to their company's
administrators; to no other user.
"""

import asyncio

from fastapi import FastAPI

from cloud.tests.stamping import ANNA, BEN, MORNING, NOBODY, Site
from cloud.tests.streams import listening

CHANGED = {"type": "times_update"}


def test_a_stamp_is_told_to_its_person_and_to_administrators_alone(app: FastAPI, site: Site) -> None:
    anna, ben, boss = (site.somebody(employee) for employee in (site.firm.anna, site.firm.ben, site.firm.boss))
    stranger = site.world.firm("Andere GmbH").boss

    async def story() -> None:
        async with (
            listening(app, "/api/events", anna.headers) as own_stream,
            listening(app, f"/api/users/{anna.id}/times/stream", anna.headers) as times,
            listening(app, "/api/events", ben.headers) as another,
            listening(app, "/api/events", boss.headers) as administrator,
            listening(app, "/api/events", stranger.headers) as neighbour,
        ):
            await asyncio.to_thread(site.device.deliver, site.device.tap(ANNA, MORNING))
            assert (await own_stream.next()).data == CHANGED
            assert (await times.next()).data == CHANGED
            assert await another.quiet()
            assert (await administrator.next()).data == CHANGED
            await asyncio.to_thread(site.device.deliver, site.device.tap(BEN, MORNING))
            assert (await another.next()).data == CHANGED
            assert await own_stream.quiet()
            assert (await administrator.next()).data == CHANGED
            await asyncio.to_thread(site.device.deliver, site.device.tap(NOBODY, MORNING))
            assert (await administrator.next()).data == CHANGED
            assert await neighbour.quiet()

    asyncio.run(story())
