"""A headless clock: the real agent's ports without a machine or a user."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from stempelwerk_edge.agent import Ports
from stempelwerk_edge.machine.hardware import Hardware
from stempelwerk_edge.ports import Answer


@dataclass(frozen=True)
class Body:
    """A machine without hardware: fixed identifiers, address and disk space."""

    hardware: Hardware

    def address(self) -> str | None:
        return "10.0.0.7"

    def disk_free_mb(self) -> int:
        return 4096


@dataclass
class Screen:
    """A touchscreen that shows nothing; it records which stamps were reported as delivered to the cloud."""

    delivered: set[str] = field(default_factory=set)

    def show(self, answer: Answer) -> None: ...

    def sent(self, stamp_ids: Collection[str]) -> None:
        self.delivered.update(stamp_ids)

    def set_status(self, **changes: object) -> None: ...

    def notice(self, code: str) -> None: ...


def ports(hardware: Hardware, **overrides: Any) -> Ports:
    """Returns the agent's ports without a machine; `overrides` replace members of `Ports`, a screen among them."""
    return Ports(**{"machine": Body(hardware), "screen": Screen(), **overrides})
