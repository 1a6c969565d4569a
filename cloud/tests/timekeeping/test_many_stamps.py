"""The work on many stamps at once grows linearly with their number: on SQLite all writers wait for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import event
from stempelwerk_cloud.kit.platform import Platform

from cloud.tests.device_client import Clock, iso
from cloud.tests.stamping import MORNING, NOBODY, Site, enrolled
from cloud.tests.world import PASSWORD

FEW, MANY = 500, 2000
STEPS = 100
"""Steps of SQLite's machine between two counts."""
LONG_AGO = MORNING - timedelta(days=1000)
SINCE = iso(LONG_AGO)


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    return sqlite_url


class Work:
    """The work of SQLite's machine, in `STEPS`."""

    def __init__(self) -> None:
        self.done = 0

    def count(self) -> int:
        self.done += 1
        return 0

    def watch(self, connection: Any, *_: object) -> None:
        connection.set_progress_handler(self.count, STEPS)

    @staticmethod
    def leave(connection: Any, *_: object) -> None:
        connection.set_progress_handler(None, STEPS)


@contextmanager
def count_work(platform: Platform) -> Iterator[Work]:
    work, engine = Work(), platform.database.engine
    event.listen(engine, "checkout", work.watch)
    event.listen(engine, "checkin", work.leave)
    try:
        yield work
    finally:
        event.remove(engine, "checkout", work.watch)
        event.remove(engine, "checkin", work.leave)


def tap_often(device: Clock, tag: str, count: int) -> None:
    """Twice a day, so that each pair is an entry."""
    device.booted = LONG_AGO - timedelta(hours=1)
    for first in range(0, count, 500):
        days = [divmod(n, 2) for n in range(first, min(first + 500, count))]
        device.deliver(*(device.tap(tag, LONG_AGO + timedelta(hours=20 * day + 8 * half)) for day, half in days))


def give(site: Site, tag: str) -> Response:
    body = {"tag": tag, "userId": site.firm.anna.id, "from": SINCE}
    return site.boss.post(f"/api/companies/{site.firm.id}/held-stamps/assign", json=body)


def change(site: Site, tag: str) -> Response:
    new_user = site.world.user(site.firm.id, f"neu {tag}")
    return site.boss.put(f"/api/users/{new_user.id}", json={"tagId": tag, "tagFrom": SINCE})


def create(site: Site, tag: str) -> Response:
    new = {"username": f"neu {tag}", "password": PASSWORD, "role": "user", "tagId": tag, "tagFrom": SINCE}
    return site.boss.post("/api/users", json=new)


@pytest.fixture
def old_wall(site: Site) -> Site:
    site.assign(site.device, site.firm.id, iso(LONG_AGO - timedelta(days=1)))
    return site


@pytest.mark.parametrize("way", [give, change, create])
def test_a_tag_that_many_stamps_wait_for_is_given_in_linear_work(
    old_wall: Site, platform: Platform, way: Callable[[Site, str], Response]
) -> None:
    work = []
    for tag, count in (("04000001", FEW), ("04000002", MANY)):
        tap_often(old_wall.device, tag, count)
        with count_work(platform) as counter:
            answer = way(old_wall, tag)
        assert answer.status_code in {200, 201}, answer.text
        work.append(counter.done)
    assert old_wall.held() == []
    assert work[1] < 1.5 * MANY / FEW * work[0]


def test_what_many_stamps_made_is_taken_back_in_linear_work(old_wall: Site, platform: Platform) -> None:
    work = []
    for tag, count in (("04000001", FEW), ("04000002", MANY)):
        user_id = create(old_wall, tag).json()["id"]
        tap_often(old_wall.device, tag, count)
        path = f"/api/users/{user_id}"
        with count_work(platform) as counter:
            answer = old_wall.boss.put(path, json={"tagId": tag, "tagFrom": iso(MORNING)})
        assert answer.status_code == 200, answer.text
        assert len(old_wall.held()) == count
        assert give(old_wall, tag).status_code == 409
        old_wall.boss.put(path, json={"tagId": tag, "tagFrom": SINCE})
        work.append(counter.done)
    assert work[1] < 1.5 * MANY / FEW * work[0]


def test_strays_are_released_in_linear_work(old_wall: Site, platform: Platform) -> None:
    work = []
    for number, count in ((8, FEW), (9, MANY)):
        stock = enrolled(old_wall.world, old_wall.clock, f"SW-T-{number}", number)
        tap_often(stock, NOBODY, count)
        body = {"deviceId": stock.device_id, "from": SINCE, "to": iso(MORNING), "companyId": old_wall.firm.id}
        founder = old_wall.founder
        with count_work(platform) as counter:
            answer = founder.post("/api/held-stamps/release", json=body)
        assert answer.json() == {"released": count}
        work.append(counter.done)
    assert work[1] < 1.5 * MANY / FEW * work[0]
