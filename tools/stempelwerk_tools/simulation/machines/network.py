"""The network between clocks and service: an httpx transport that loses, delays, doubles and garbles messages.

A link is one clock's way to the service; its `Weather` defines the possible faults of a message now. In any case the
service sees only whole requests that the clock really made, perhaps late or twice, and the clock sees what a real
client would see: answers, time-outs, resets, other people's pages. It opens no socket and verifies no certificate.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Protocol

import httpx

from stempelwerk_tools.simulation.machines.loop import Process
from stempelwerk_tools.simulation.trace import Trace

_HOUR = 3600.0
_PORTAL = b"<html><body>Willkommen im WLAN. Bitte stimmen Sie den Bedingungen zu.</body></html>"


class ServiceDown(ConnectionError):
    """The service does not listen, or died before answering."""


@dataclass(frozen=True)
class Message:
    """A request on its way. `lineage` is the life of the card that sent it, for the judges only: no program sees it."""

    method: str
    url: httpx.URL
    headers: list[tuple[bytes, bytes]]
    body: bytes
    lineage: int = 0


@dataclass(frozen=True)
class Reply:
    """An answer on its way back."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Service(Protocol):
    """The destination of messages."""

    async def call(self, message: Message) -> Reply:
        """Handles one message. Raises ServiceDown."""


@dataclass(frozen=True)
class Weather:
    """The possible faults of a link: probabilities for each message, and latency each way in seconds."""

    up: bool = True
    latency_s: tuple[float, float] = (0.01, 0.2)
    black_hole: float = 0.0
    lost_request: float = 0.0
    late_request: float = 0.0
    doubled: float = 0.0
    lost_answer: float = 0.0
    cut_answer: float = 0.0
    portal: float = 0.0
    bad_gateway: float = 0.0


CLEAR = Weather()
DOWN = Weather(up=False)

Stage = Callable[[str, str, Message], Awaitable[None]]
"""Called at each step of a message with the link's name, the step (leaves, arrives, answered, heard) and the
message.
"""
Observe = Callable[[Message, Reply], None]


@dataclass
class Network:
    """All links, their random numbers and their late messages.

    `stage` is called at every step of every message, `observe` with every message that the service has answered.
    """

    service: Service
    rng: Callable[[str], random.Random]
    trace: Trace
    stage: Stage
    observe: Observe
    post: Process = field(default_factory=lambda: Process("network"))

    def link(self, name: str) -> Link:
        """Returns a new link to the service, in clear weather, with random numbers of its own."""
        return Link(self, name, self.rng(f"link {name}"))

    async def ask(self, message: Message) -> Reply:
        """Returns the service's answer. Raises ServiceDown."""
        reply = await self.service.call(message)
        self.observe(message, reply)
        return reply

    async def silence(self) -> None:
        """Drops all messages on their way: the service's machine was exchanged."""
        await self.post.kill()
        self.post = Process("network")


class Link:
    """One clock's way to the service; survives restarts. `lineage`: the life of a card that speaks over it now."""

    def __init__(self, network: Network, name: str, rng: random.Random) -> None:
        self.network = network
        self.name = name
        self.rng = rng
        self.weather = CLEAR
        self.lineage = 0

    def transport(self, process: Process) -> httpx.AsyncBaseTransport:
        """Returns a transport for one run of the clock's program; it dies with the program."""
        return _Transport(self, process)

    def draw(self, probability: float) -> bool:
        """Returns whether an event of this probability happens now. Always draws a number, so that one probability does
        not shift another's numbers.
        """
        return self.rng.random() < probability

    def change(self, **changes: float | bool | tuple[float, float]) -> None:
        """Changes the weather."""
        self.weather = replace(self.weather, **changes)  # type: ignore[arg-type]


class _Transport(httpx.AsyncBaseTransport):
    def __init__(self, link: Link, process: Process) -> None:
        self._link = link
        self._network = link.network
        self._process = process

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        body = await request.aread()
        message = Message(request.method, request.url, list(request.headers.raw), body, self._link.lineage)
        waits: dict[str, float | None] = request.extensions.get("timeout", {})
        try:
            async with asyncio.timeout(waits.get("read")):
                reply = await self._exchange(message)
        except TimeoutError:
            self._note(message, "timed out")
            raise httpx.ReadTimeout("simulated", request=request) from None
        except ServiceDown:
            self._note(message, "refused")
            raise httpx.ConnectError("simulated", request=request) from None
        except EOFError:
            self._note(message, "answer cut")
            raise httpx.RemoteProtocolError("simulated", request=request) from None
        self._note(message, str(reply.status), reply.body)
        return httpx.Response(reply.status, headers=reply.headers, content=reply.body, request=request)

    def _note(self, message: Message, event: str, content: bytes = b"") -> None:
        network = self._network
        now = asyncio.get_running_loop().time()
        network.trace.add(
            now, f"{self._link.name} {message.method} {message.url.path}: {event}", message.body + content
        )

    async def _exchange(self, message: Message) -> Reply:
        link, network = self._link, self._network
        weather, draw = link.weather, link.draw
        await network.stage(link.name, "leaves", message)
        if not self._process.alive:
            raise ServiceDown
        lost, late, doubled = draw(weather.lost_request), draw(weather.late_request), draw(weather.doubled)
        hole, portal, gateway = draw(weather.black_hole), draw(weather.portal), draw(weather.bad_gateway)
        await self._travel()
        if not link.weather.up:
            raise ServiceDown
        if portal:
            return Reply(200, [(b"content-type", b"text/html")], _PORTAL)
        if gateway:
            return Reply(502, [(b"content-type", b"text/html")], b"<h1>502 Bad Gateway</h1>")
        if late or doubled:
            network.post.start(self._deliver_later(message))
        if hole or lost or late:
            await asyncio.Event().wait()  # until the client's patience ends
        return await self._answered(message)

    async def _answered(self, message: Message) -> Reply:
        link, network = self._link, self._network
        await network.stage(link.name, "arrives", message)
        reply = await network.ask(message)
        await network.stage(link.name, "answered", message)
        lost, cut = link.draw(link.weather.lost_answer), link.draw(link.weather.cut_answer)
        await self._travel()
        if lost or not link.weather.up:
            await asyncio.Event().wait()
        if cut:
            raise EOFError
        await network.stage(link.name, "heard", message)
        return reply

    async def _travel(self) -> None:
        await asyncio.sleep(self._link.rng.uniform(*self._link.weather.latency_s))

    async def _deliver_later(self, message: Message) -> None:
        """Delivers the same bytes again, minutes or days later; the answer is dropped."""
        network, rng = self._network, self._link.rng
        await asyncio.sleep(rng.choice((5.0, 60.0, _HOUR, 30 * _HOUR)) * rng.random())
        try:
            await network.ask(message)
        except ServiceDown:
            return
        network.trace.add(asyncio.get_running_loop().time(), f"{self._link.name} {message.url.path}: once more")
