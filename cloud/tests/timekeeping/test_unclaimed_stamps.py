"""Stamps that no company claims, and unreadable ones, are purged two years after the end of the year in which they
came.
"""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select
from stempelwerk_cloud import jobs
from stempelwerk_cloud.app import JOBS
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.timekeeping.ledger.tables import Stamp, StampClaim

from cloud.tests.device_client import outcomes
from cloud.tests.stamping import ANNA, MORNING, Site, enrolled, hours

OF_STAMPS = ("purge_unassigned_stamps", "purge_quarantined_stamps", "purge_stamp_claims")
STILL = datetime(2028, 12, 31, 23, 59, tzinfo=UTC)
OVER = datetime(2029, 1, 5, tzinfo=UTC)


def go_round(site: Site, now: datetime) -> None:
    site.clock.set(now)
    for name in OF_STAMPS:
        jobs.run_once(site.world.platform, next(job for job in JOBS if job.name == name))


def claims(site: Site) -> set[str]:
    with site.world.platform.database.read(SYSTEM) as session:
        return set(session.scalars(select(StampClaim.id)))


def test_it_can_be_released_until_then_and_is_no_longer_there_after(site: Site) -> None:
    nobodys = enrolled(site.world, site.clock, "SW-T-7", 7)
    nobodys.deliver(nobodys.tap(ANNA, MORNING), {"id": "unlesbar"})
    go_round(site, STILL)
    assert sorted(stamp["state"] for stamp in site.unassigned()) == ["held_assignment", "quarantined"]
    go_round(site, OVER)
    assert site.unassigned() == []
    period = {"from": "2026-11-01T00:00:00.000Z", "to": "2026-11-30T00:00:00.000Z"}
    body = {"deviceId": nobodys.device_id, "companyId": site.firm.id} | period
    assert site.founder.post("/api/held-stamps/release", json=body).json() == {"released": 0}


def test_a_clock_that_repeats_it_afterwards_is_answered_and_it_stays_gone(site: Site) -> None:
    nobodys = enrolled(site.world, site.clock, "SW-T-7", 7)
    tap = nobodys.tap(ANNA, MORNING)
    nobodys.deliver(tap)
    nobodys.deliver(tap | {"direction": "in"})
    assert claims(site) == {tap["id"]}
    go_round(site, OVER)
    assert (site.unassigned(), claims(site)) == ([], set())
    assert outcomes(nobodys.deliver(tap)) == ["duplicate"]
    assert site.unassigned() == []


@pytest.mark.parametrize("years", [0, 3])
def test_the_words_of_a_stamp_that_stands_stay_with_it(site: Site, years: int) -> None:
    tap = site.device.tap(ANNA, MORNING + hours(1))
    site.device.deliver(tap)
    site.device.deliver(tap | {"direction": "in"})
    go_round(site, OVER + years * timedelta(days=366))
    assert claims(site) == {tap["id"]}
    with site.world.platform.database.write(SYSTEM) as session:
        for stamp in session.scalars(select(Stamp).where(Stamp.id == tap["id"])):
            session.delete(stamp)
    go_round(site, OVER + years * timedelta(days=366))
    assert claims(site) == set()
    assert outcomes(site.device.deliver(tap | {"direction": "out"})) == ["variant"]
