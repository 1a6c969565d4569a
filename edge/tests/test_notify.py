"""The agent's notifications for systemd: ready without network, disk or reader; alive while its loop runs; stopping."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from stempelwerk_edge.machine.notify import ServiceManager
from stempelwerk_tools.simulation.machines.loop import SimulatedLoop, simulated_loop

from edge.tests.rig import Rig

PATIENCE_S = 300


class Manager:
    """The other end: a datagram socket as systemd has one."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._line.bind("\0" + name[1:] if name.startswith("@") else name)
        self._line.settimeout(PATIENCE_S)

    def hears(self) -> str:
        """The next message."""
        return self._line.recv(4096).decode()

    def heard(self) -> list[str]:
        """All that has come."""
        messages: list[str] = []
        self._line.setblocking(False)
        with suppress(BlockingIOError):
            while True:
                messages.append(self.hears())
        self._line.settimeout(PATIENCE_S)
        return messages

    def close(self) -> None:
        self._line.close()


@pytest.fixture(params=["a path", "an abstract name"])
def manager(request: pytest.FixtureRequest, memory: Path) -> Iterator[Manager]:
    new_manager = Manager(
        str(memory / "notify") if request.param == "a path" else f"@stempelwerk-{os.getpid()}-{memory.name}"
    )
    yield new_manager
    new_manager.close()


def keeps_alive(service_manager: ServiceManager, seconds: float) -> None:
    """Runs the task of the watchdog for this time, on a clock of its own."""

    async def go() -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(service_manager.keep_alive(), seconds)

    with simulated_loop() as loop:
        loop.run_until_complete(go())


@pytest.mark.parametrize("name", ["", "vsock:2:1234", "relative/path", "/no/such/socket", "@no-such-name"])
def test_without_a_service_manager_nothing_is_sent_and_nothing_fails(name: str) -> None:
    service_manager = ServiceManager({"NOTIFY_SOCKET": name} if name else {})
    service_manager.ready()
    service_manager.stopping()


@pytest.mark.parametrize(
    "watchdog",
    [
        {},
        {"WATCHDOG_USEC": ""},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "-5"},
        {"WATCHDOG_USEC": "1000", "WATCHDOG_PID": "0"},
    ],
)
def test_who_is_not_watched_gives_no_sign_of_life(manager: Manager, watchdog: dict[str, str]) -> None:
    asyncio.run(ServiceManager({"NOTIFY_SOCKET": manager.name, **watchdog}).keep_alive())
    assert manager.heard() == []


def test_a_loop_that_hangs_gives_no_sign_of_life(manager: Manager) -> None:
    service_manager = ServiceManager({"NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "40000"})

    async def go(loop: SimulatedLoop) -> tuple[list[str], list[str]]:
        alive = asyncio.create_task(service_manager.keep_alive())
        await asyncio.sleep(0.05)
        manager.heard()
        loop.now += 0.2  # the time goes on, and the loop does not
        hung = manager.heard()
        await asyncio.sleep(0.01)
        alive.cancel()
        return hung, manager.heard()

    with simulated_loop() as loop:
        assert loop.run_until_complete(go(loop)) == ([], ["WATCHDOG=1"])


@pytest.mark.parametrize("process", [{}, {"WATCHDOG_PID": str(os.getpid())}])
def test_signs_of_life_come_twice_in_a_span(manager: Manager, process: dict[str, str]) -> None:
    keeps_alive(ServiceManager({"NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "200000", **process}), 0.45)
    assert manager.heard() == ["WATCHDOG=1"] * 5


def test_what_is_said_is_what_systemd_reads(manager: Manager) -> None:
    service_manager = ServiceManager({"NOTIFY_SOCKET": manager.name})
    service_manager.ready()
    service_manager.stopping()
    assert manager.heard() == ["READY=1", "STOPPING=1"]


def test_a_clock_without_network_and_key_and_journal_is_ready_at_once_and_once(memory: Path) -> None:
    (memory / "identity.json").mkdir()  # neither readable nor to be written
    with simulated_loop() as loop:
        rig = Rig(loop, memory)
        rig.has_luck("down")
        rig.start(fault=14)
        assert rig.ready_at == [loop.time()]
        rig.wait(hours=1)
        assert len(rig.ready_at) == 1
        rig.crash()


@pytest.mark.parametrize("disk", ["sound", "in the way"])
def test_the_agent_is_ready_without_network_reader_and_disk_lives_and_stops(
    manager: Manager, tmp_path: Path, disk: str
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    if disk != "sound":
        for name in ("lock", "identity.json", "people.db", "logbook.db"):
            (data / name).mkdir()
        (data / "journal").touch()
    path = tmp_path / "clock.toml"
    reader = 'kind = "pn532"\npath = "/dev/no-such-line"'
    path.write_text(f'data_dir = "data"\n[cloud]\nurl = "http://127.0.0.1:9"\n[display]\nport = 0\n[reader]\n{reader}')
    arguments = [sys.executable, "-m", "stempelwerk_edge", "run", "--config", str(path)]
    environment = {**os.environ, "NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "200000"}
    with subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            messages = [manager.hears()]
            while "READY=1" not in messages:
                messages.append(manager.hears())
            assert [manager.hears() for _ in range(3)] == ["WATCHDOG=1"] * 3
            process.send_signal(signal.SIGTERM)
            while "STOPPING=1" not in messages:  # sending must not wait for room on the line
                messages.append(manager.hears())
            _, log = process.communicate(timeout=PATIENCE_S)
            assert process.returncode == 0
        finally:
            process.kill()
    assert "Traceback" not in log
    messages += manager.heard()
    assert (messages.count("READY=1"), messages.count("STOPPING=1")) == (1, 1)
    assert set(messages) == {"READY=1", "WATCHDOG=1", "STOPPING=1"}
