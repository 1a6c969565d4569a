"""A whole agent on a simulated loop, with the model of the cloud: hours pass in no time, a crash is one call."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
from stempelwerk_edge.agent import Agent, Ports
from stempelwerk_edge.configuration import CloudSettings, Settings, UnknownKey
from stempelwerk_edge.ports import Answer
from stempelwerk_edge.storage.rows import GoneAnswer
from stempelwerk_edge.updates.loop import Updating
from stempelwerk_tools.simulation.machines.loop import Process, SimulatedLoop

from edge.tests.clockwork import MORNING, TAG, TestClock, TestIds, TestMachine, TestScreen, TestSignals, chance
from edge.tests.model_cloud import ModelCloud, Net
from edge.tests.test_journal import Fault

EVERYTHING = ("",)
ASSIGNMENT = {"id": "a-1", "companyId": "c-1", "companyName": "Ahorn"}
EICHE = {
    "userId": "u-1",
    "name": "M. Eiche",
    "tags": [TAG],
    "state": "out",
    "since": None,
    "todayMinutes": 0,
    "weekMinutes": 0,
    "balanceMinutes": -30,
}


class Rig:
    """One clock on one card. `disk` is the fault of its disk, `net.luck` that of the network.

    `time_untold` is why its machine does not know where the time comes from, `unknown` are keys that are no setting.
    """

    def __init__(self, loop: SimulatedLoop, directory: Path) -> None:
        self.loop, self.directory = loop, directory
        self.began = loop.time()
        self.clock, self.ids = TestClock(), TestIds()
        self.clock.follow(loop.time)
        self.cloud = ModelCloud(self._true_time)
        self.cloud.assignment, self.cloud.people = ASSIGNMENT, [EICHE]
        self.net, self.machine = Net(self.cloud), TestMachine()
        self.screen, self.signals = TestScreen(), TestSignals()
        self.toned: list[str] = []
        self.ready_at: list[float] = []
        self.starts, self.version = 0, "1.0"
        self.time_untold: str | None = None
        self.unknown: tuple[UnknownKey, ...] = ()
        self.updating: Updating | None = None

    def _true_time(self) -> Any:
        return MORNING + timedelta(milliseconds=int((self.loop.time() - self.began) * 1000))

    def start(self, fault: int | None = None) -> None:
        """Start the program, on a disk with this fault."""
        self.starts += 1
        self.disk = Fault(fault, EVERYTHING)
        ports = Ports(
            clock=self.clock,
            ids=self.ids,
            random=chance(self.starts),
            transport=self.net.transport,
            machine=self.machine,
            signals=self.signals,
            connect=self.disk.connect,
            screen=self.screen,
            on_ready=lambda: self.ready_at.append(self.loop.time()),
            time_untold=self.time_untold,
            updating=self.updating,
            version=self.version,
        )
        settings = Settings(data_dir=self.directory, cloud=CloudSettings("http://cloud.test"), unknown=self.unknown)
        self.agent = Agent(settings, ports)
        self.process = Process("clock")

        async def begin() -> None:
            self.process.start(self.agent.run(), "agent")
            await asyncio.sleep(0)

        self.loop.run_until_complete(begin())

    def crash(self) -> None:
        """kill -9: nothing the program would still like to write reaches the disk."""
        self.disk.result = 10
        self.loop.run_until_complete(self.process.kill())
        assert not self.process.failures

    def restart(self) -> None:
        """Crash and start."""
        self.crash()
        self.start()

    def wait(self, **duration: float) -> None:
        """Let time pass: the arguments of a timedelta."""
        self.loop.run_until_complete(asyncio.sleep(timedelta(**duration).total_seconds()))
        assert not self.process.failures

    def tap(self, tag: str = TAG) -> Answer:
        """Hold a tag to the reader."""
        answer = self.agent.tap(tag)
        assert answer is not None
        if answer.stamp_id is not None:
            self.toned.append(answer.stamp_id)
        return answer

    def says_when_they_left(self, new_end: str = "16:30") -> str:
        """Something is kept that a person answered about a missing Gehen; its id."""
        answer = GoneAnswer(self.ids.new(), self.tap("04FFFFFFFFFFFF").stamp_id or "", "2026-11-19", new_end, MORNING)
        self.agent.answers.add(answer)
        return answer.id

    def delivered(self) -> list[str]:
        """Returns the stamps that the cloud has, in the order of their arrival."""
        return list(self.cloud.receipts)

    def has_luck(self, luck: str, *paths: str) -> None:
        """Makes the network do this to requests of these paths (all without a path)."""
        self.net.luck = lambda request: luck if not paths or request.url.path in paths else "ok"

    def answers(self, answer: Callable[[httpx.Request], httpx.Response] | None, path: str = "") -> None:
        """Requests of this path are answered so; None: by the cloud again."""
        self.net.instead = lambda request: answer(request) if answer and request.url.path == path else None

    def requests(self, path: str) -> list[httpx.Request]:
        """The requests of a path."""
        return [request for request in self.net.requests if request.url.path == path]


Make = Callable[..., Rig]
