"""Stamps that no company claims, and unreadable ones, are purged two years after the end of the year in which they
came.
"""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.timekeeping.stamps.tables import Stamp, StampClaim

from cloud.tests.device_client import outcomes
from cloud.tests.stamping import ANNA, MORNING, Wall, enrolled, hours

OF_STAMPS = ("purge_unassigned_stamps", "purge_quarantined_stamps", "purge_stamp_claims")
STILL = datetime(2028, 12, 31, 23, 59, tzinfo=UTC)
OVER = datetime(2029, 1, 5, tzinfo=UTC)


def go_round(wall: Wall, now: datetime) -> None:
    wall.clock.set(now)
    for name in OF_STAMPS:
        jobs.run_once(wall.world.platform, next(job for job in JOBS if job.name == name))


def claims(wall: Wall) -> set[str]:
    with wall.world.platform.database.read(SYSTEM) as session:
        return set(session.scalars(select(StampClaim.id)))


def test_it_can_be_released_until_then_and_is_no_longer_there_after(wall: Wall) -> None:
    nobodys = enrolled(wall.world, wall.clock, "SW-T-7", 7)
    nobodys.deliver(nobodys.tap(ANNA, MORNING), {"id": "unlesbar"})
    go_round(wall, STILL)
    assert sorted(stamp["state"] for stamp in wall.unassigned()) == ["held_assignment", "quarantined"]
    go_round(wall, OVER)
    assert wall.unassigned() == []
    period = {"from": "2026-11-01T00:00:00.000Z", "to": "2026-11-30T00:00:00.000Z"}
    body = {"deviceId": nobodys.device_id, "companyId": wall.firm.id} | period
    assert wall.founder.post("/api/held-stamps/release", json=body).json() == {"released": 0}


def test_a_clock_that_repeats_it_afterwards_is_answered_and_it_stays_gone(wall: Wall) -> None:
    nobodys = enrolled(wall.world, wall.clock, "SW-T-7", 7)
    tap = nobodys.tap(ANNA, MORNING)
    nobodys.deliver(tap)
    nobodys.deliver(tap | {"direction": "in"})
    assert claims(wall) == {tap["id"]}
    go_round(wall, OVER)
    assert (wall.unassigned(), claims(wall)) == ([], set())
    assert outcomes(nobodys.deliver(tap)) == ["duplicate"]
    assert wall.unassigned() == []


@pytest.mark.parametrize("years", [0, 3])
def test_the_words_of_a_stamp_that_stands_stay_with_it(wall: Wall, years: int) -> None:
    tap = wall.device.tap(ANNA, MORNING + hours(1))
    wall.device.deliver(tap)
    wall.device.deliver(tap | {"direction": "in"})
    go_round(wall, OVER + years * timedelta(days=366))
    assert claims(wall) == {tap["id"]}
    with wall.world.platform.database.write(SYSTEM) as session:
        for stamp in session.scalars(select(Stamp).where(Stamp.id == tap["id"])):
            session.delete(stamp)
    go_round(wall, OVER + years * timedelta(days=366))
    assert claims(wall) == set()
    assert outcomes(wall.device.deliver(tap | {"direction": "out"})) == ["variant"]
