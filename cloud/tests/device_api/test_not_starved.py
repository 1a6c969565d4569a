"""A clock's calls are answered whatever the pages occupy: they have threads and connections of their own."""

import contextlib
import random
import threading
from collections.abc import Iterator

import anyio.to_thread
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlalchemy.pool import QueuePool
from stempelwerk_cloud.device_api.signed import gate
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.http.request_life import ReadTx
from stempelwerk_cloud.kit.http.routing import room_router

from cloud.tests.databases import ON_POSTGRESQL
from cloud.tests.device_client import outcomes, states
from cloud.tests.stamping import ANNA, MORNING, Site

PAGES = 60
"""More than there are shared threads, and than the database's pool has connections."""


@pytest.fixture
def crowded(client: TestClient, site: Site) -> Iterator[Site]:
    """Every shared thread and every connection of the pool is taken, until the test is over."""
    pool = site.world.platform.database.engine
    assert isinstance(pool.pool, QueuePool)
    connections = [pool.connect() for _ in range(pool.pool.size())]
    over = threading.Event()
    assert client.portal is not None
    threads = int(client.portal.call(_statistics).total_tokens)
    blocked = [client.portal.start_task_soon(anyio.to_thread.run_sync, over.wait) for _ in range(threads + 10)]
    while client.portal.call(_statistics).tasks_waiting < 10:
        continue
    yield site
    over.set()
    for each in blocked:
        each.result()
    for connection in connections:
        connection.close()


async def _statistics() -> anyio.CapacityLimiterStatistics:
    return anyio.to_thread.current_default_thread_limiter().statistics()


def test_a_batch_is_merged_while_pages_hold_every_thread_and_connection(crowded: Site) -> None:
    answer = crowded.device.deliver(crowded.device.tap(ANNA, MORNING))
    assert (outcomes(answer), states(answer)) == (["stored"], ["booked"])


def test_the_other_calls_of_clocks_are_answered_too(crowded: Site) -> None:
    device = crowded.device
    assert device.beat().status_code == 200
    assert device.send("GET", "/api/devices/people").status_code == 200
    entries = [{"id": device.uuid4(), "code": "test"}]
    assert device.post("/api/devices/logs", {"entries": entries}).status_code == 200
    newcomer = type(device)(device.client, device.now, "SW-T-9", random.Random(9))
    assert newcomer.enrol().status_code == 200


def test_a_heartbeat_waits_for_no_logs_and_lists_however_many_there_are(client: TestClient, site: Site) -> None:
    """A clock that this process has never heard, too: of a thousand that start at once each sends its log first."""
    clocks, over = site.world.platform.bulkheads.clocks, threading.Event()
    assert client.portal is not None
    with contextlib.ExitStack() as permits:
        with contextlib.suppress(Problem):
            while True:
                permits.enter_context(clocks.permit())
        blocked = [client.portal.start_task_soon(clocks.run, over.wait) for _ in range(8)]
        try:
            gate.KNOWN_KEYS.pop(site.world.platform)
            assert site.device.beat().status_code == 200
            busy = site.device.post("/api/devices/logs", {"entries": []})
            assert (busy.status_code, busy.headers["Retry-After"]) == (503, "2")
        finally:
            over.set()
            for each in blocked:
                each.result()


def test_pages_that_come_all_at_once_are_answered_one_after_another(app: FastAPI, client: TestClient) -> None:
    over = threading.Event()
    inside: list[int] = []
    router = room_router("p")

    @router.get("/api/p/slow")
    def slow(tx: ReadTx) -> int:
        value: int = tx.execute(text("SELECT 1")).scalar_one()
        inside.append(value)
        over.wait()
        return value

    app.router.routes.extend(router.routes)
    statuses: list[int] = []
    pages = [
        threading.Thread(target=lambda: statuses.append(client.get("/api/p/slow").status_code)) for _ in range(PAGES)
    ]
    for page in pages:
        page.start()
    assert client.portal is not None
    quiet = 0
    while quiet < 300:  # rounds of the loop without a newcomer
        inside_before = len(inside)
        client.portal.call(_statistics)
        quiet = quiet + 1 if inside and len(inside) == inside_before else 0
    over.set()
    for page in pages:
        page.join()
    assert statuses == [200] * PAGES


@ON_POSTGRESQL
def test_a_list_that_a_clock_has_just_been_told_needs_no_thread(client: TestClient, site: Site) -> None:
    clocks, over = site.world.platform.bulkheads.clocks, threading.Event()
    list_before = site.device.send("GET", "/api/devices/people")
    assert client.portal is not None
    blocked = [client.portal.start_task_soon(clocks.run, over.wait) for _ in range(8)]
    try:
        list_again = site.device.send("GET", "/api/devices/people")
        assert (list_again.status_code, list_again.json()) == (200, list_before.json())
    finally:
        over.set()
        for each in blocked:
            each.result()
