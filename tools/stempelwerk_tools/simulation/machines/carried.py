"""A portable scanner of a simulated clock: carried about, tapped on, and put back into its base now and then.

Its flash holds taps, as a card does. The weather corrupts messages on the line in the base.
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import Callable

from stempelwerk_tools.simulation.machines.station import Station, TapKey
from stempelwerk_tools.simulators.scanner import ModelScanner

_STEP_S = 0.5


class Carried:
    """One scanner of one clock, with power from the beginning. `now_s` returns the seconds of the world's time.

    `met_by` records for each tap the company of the clock that the scanner was docked at.
    """

    def __init__(
        self,
        name: str,
        home: Station,
        now_s: Callable[[], float],
        rng: random.Random,
        met_by: defaultdict[TapKey, set[str]],
    ) -> None:
        self.home, self._now_s, self._rng, self._met_by = home, now_s, rng, met_by
        self.scanner = ModelScanner(name, rng)
        self.noise = 0.0
        self.hands = asyncio.Lock()
        self.scanner.power_on(self._now_ms())

    @property
    def taps(self) -> set[TapKey]:
        """The taps in its flash."""
        return {(boot, tick) for boot, tick, _ in self.scanner.flash.taps.values()}

    @property
    def is_adopted(self) -> bool:
        """Whether the scanner has the key of a clock."""
        return self.scanner.flash.key is not None

    def _now_ms(self) -> int:
        return int(self._now_s() * 1000)

    def tap(self, tag: str) -> TapKey:
        """Holds a tag to it."""
        assert self.scanner.tap(bytes.fromhex(tag), self._now_ms())
        return self.scanner.boot, self.scanner.tick(self._now_ms())

    def reboot(self) -> None:
        """Cuts its power and restores it."""
        self.scanner.power_on(self._now_ms())

    def _spoilt(self, data: bytes) -> bytes:
        """Returns the bytes that arrive: all of them, nothing, or all with a flipped bit."""
        if data and self._rng.random() < self.noise:
            index = self._rng.randrange(len(data))
            return self._rng.choice(
                (b"", data[:index] + bytes([data[index] ^ 1 << self._rng.randrange(8)]) + data[index + 1 :])
            )
        return data

    async def dock(self, seconds: float) -> None:
        """Puts it into its base for `seconds`; a clock that is off, or dies meanwhile, hears nothing."""
        async with self.hands:
            ends_at_s, agent, line = self._now_s() + seconds, None, None
            while self._now_s() < ends_at_s:
                if self.home.agent is not agent or line is None:
                    agent = self.home.agent
                    line = None if agent is None else agent.satellites.line()
                    self.scanner.dock()
                if agent is not None and line is not None:
                    taps_before, company = self.taps, self.home.company
                    for key in taps_before:
                        self._met_by[key] |= {company} if company else set()
                    message = self._spoilt(self.scanner.exchange(b"", self._now_ms()))
                    answer = agent.satellites.received(line, message) + agent.satellites.offer(line)
                    reply = self.scanner.exchange(self._spoilt(answer), self._now_ms())
                    agent.satellites.received(line, self._spoilt(reply))
                    self.home.card.taps |= taps_before - self.taps  # the taps that it dropped are on the card
                await asyncio.sleep(_STEP_S)
            if agent is not None and line is not None and agent is self.home.agent:
                agent.satellites.unplugged(line)
