"""The common part of all sides with HTTP: prepare requests, send them, check every answer."""

from __future__ import annotations

import statistics
from abc import ABC, abstractmethod

from stempelwerk_tools.bench.cpu import Cpu
from stempelwerk_tools.bench.sides.load import Answer, run
from stempelwerk_tools.bench.sides.side import Slice, Void, Workload

_FIRST_GUESS = 300.0  # requests of one stamp a second, before the first slice has shown better
_STAMPS_LIKE_A_REQUEST = 25  # this many more stamps cost about as much as another request


class HttpSide(ABC):
    """A server on 127.0.0.1:`port`. Subclasses make requests and read answers."""

    name: str
    port: int

    def __init__(self) -> None:
        self._speeds: dict[Workload, float] = {}
        self._resent: dict[Workload, list[bytes]] = {}

    @abstractmethod
    def durability(self) -> str:
        """Describes the durability that the running system reports."""

    @abstractmethod
    def prepare(self, client: int, count: int, size: int) -> list[bytes]:
        """Returns the next `count` requests of a client, each with `size` stamps never sent before."""

    @abstractmethod
    def accepted(self, answer: Answer) -> int:
        """Returns how many stamps of a request the answer reports as stored, now or before. Raises Void on anything
        else.
        """

    @abstractmethod
    def rows(self) -> int:
        """Returns how many stamps are in the side's database."""

    def cpu(self) -> Cpu | None:
        """Returns the processor time that the side's programs have used so far; None if that cannot be measured."""
        return None

    def slice(self, workload: Workload, seconds: float) -> Slice:
        """Sends as many requests as took `seconds` the last time, and checks that every stamp of theirs has a row
        afterwards.
        """
        guess = _FIRST_GUESS / (1 + workload.size / _STAMPS_LIKE_A_REQUEST)
        each = max(2, round(self._speeds.get(workload, guess) * seconds / workload.clients))
        if workload.resend:
            requests = self._repeat(workload, each)
        else:
            requests = [self.prepare(client, each, workload.size) for client in range(workload.clients)]
        rows, cpu_before = self.rows(), self.cpu()
        done = run(self.port, requests)
        spent = self.cpu()
        answers = [answer for client in done.answers for answer in client]
        stamps = sum(self.accepted(answer) for answer in answers)
        self._speeds[workload] = len(answers) / done.seconds
        if stamps != len(answers) * workload.size:
            raise Void(f"{self.name}: {len(answers) * workload.size} stamps sent, {stamps} acknowledged")
        expected = rows + (0 if workload.resend else stamps)
        if (row_count := self.rows()) != expected:
            raise Void(f"{self.name}: {expected} rows expected, {row_count} found")
        times = sorted(answer.seconds for answer in answers)
        return Slice(
            rate=stamps / done.seconds,
            p50=statistics.median(times),
            p99=times[int(len(times) * 0.99)],
            stamps=stamps,
            requests=len(answers),
            cpu=None if cpu_before is None or spent is None else spent.used_since(cpu_before),
        )

    def _repeat(self, workload: Workload, each: int) -> list[list[bytes]]:
        """Returns the same request of each client `each` times. It was sent once before, unmeasured, so the service
        knows it.
        """
        if workload not in self._resent:
            firsts = [self.prepare(client, 1, workload.size) for client in range(workload.clients)]
            for client in run(self.port, firsts).answers:
                self.accepted(client[0])
            self._resent[workload] = [first[0] for first in firsts]
        return [[request] * each for request in self._resent[workload]]
