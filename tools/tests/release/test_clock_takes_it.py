"""A release from end to end: signed by the tool, served by a real service, fetched and unpacked by a clock."""

import asyncio
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from stempelwerk_edge.agent import Agent, Ports
from stempelwerk_edge.cloud.client import http_transport
from stempelwerk_edge.configuration import CloudSettings, Settings
from stempelwerk_edge.machine.clock import SystemClock, SystemIds
from stempelwerk_edge.updates.launcher import Places, is_sound, own_platform, read, slots
from stempelwerk_edge.updates.loop import Updating
from stempelwerk_edge.updates.slots import fill
from stempelwerk_tools.release.cloud import Cloud
from stempelwerk_tools.release.keys import Keys
from stempelwerk_tools.release.repository import Repository

from edge.tests.clockwork import TestMachine, TestScreen, TestSignals
from edge.tests.updates.repository import program, wheel
from tools.tests.processes.service_process import FOUNDER, OPERATOR, PASSWORD, ServiceProcess

VERSION = "1.6.0"
LOGIN = {"company": OPERATOR, "username": FOUNDER, "password": PASSWORD}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServiceProcess]:
    new_service = ServiceProcess(tmp_path / "service")
    new_service.create_founder()
    new_service.start()
    yield new_service
    new_service.kill()


def publish_release(service: ServiceProcess, folder: Path) -> bytes:
    """Publishes a version; returns the root for new clocks."""
    repository = Repository(folder, Keys([folder / "keys"], lambda name: f"passphrase of {name}"))
    repository.begin(service.command("update-key").stdout.strip())
    wheels = []
    for name, data in (("stempelwerk_edge", program(VERSION)), ("library", wheel({"library.py": "x = 1\n"}))):
        wheels.append(folder / f"{name}-{VERSION}-py3-none-any.whl")
        wheels[-1].write_bytes(data)
    repository.notes(VERSION).parent.mkdir(exist_ok=True)
    repository.notes(VERSION).write_text("Neu.", "utf-8")
    repository.add("stable", VERSION, own_platform(), wheels)
    repository.sign("stable")
    client = httpx.Client(base_url=service.url, timeout=60, trust_env=False)
    with client, Cloud(client, LOGIN.__getitem__) as cloud:
        cloud.publish(repository.bundle(cloud.offered_releases()))
    return (folder / "metadata/1.root.json").read_bytes()


def test_a_clock_fetches_and_unpacks_what_the_service_offers(service: ServiceProcess, tmp_path: Path) -> None:
    where = Places(tmp_path / "update", tmp_path / "opt")
    for part in ("exchange", "slots"):
        (where.base / part).mkdir(parents=True)
    (where.base / "root.json").write_bytes(publish_release(service, tmp_path / "release"))
    (tmp_path / "data").mkdir()
    target = f"stable/stempelwerk-edge-{VERSION}-{own_platform()}.json"
    asyncio.run(_fetch_target(service, tmp_path / "data", where, target))
    assert fill(where), read(where.base / "slots/report.json")
    [(folder, slot)] = slots(where).values()
    assert (slot["version"], is_sound(folder, slot)) == (VERSION, True)
    assert {"library.py", "stempelwerk_edge/__main__.py"} < slot["files"].keys()


async def _fetch_target(service: ServiceProcess, data: Path, where: Places, target: str) -> None:
    """Runs a whole agent, whose update loop fetches this target."""
    clock = SystemClock()
    fetched = asyncio.Event()

    class Asking(Agent):
        def _updates(self, updating, session, heartbeat):  # type: ignore[no-untyped-def]
            async def once() -> None:
                await heartbeat.beat()
                await updating.gather(session, where, target, datetime.now(UTC))
                fetched.set()
                await asyncio.Event().wait()

            return once

    ports = Ports(
        clock=clock,
        ids=SystemIds(clock),
        random=random.Random(1),
        transport=http_transport(),
        machine=TestMachine(),
        signals=TestSignals(),
        screen=TestScreen(),
        updating=Updating(where, None),
    )
    running = asyncio.create_task(Asking(Settings(data, CloudSettings(service.url)), ports).run())
    async with asyncio.timeout(60):
        await fetched.wait()
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
