"""A clock without a body: the real agent's ports where no machine is under it and nobody stands before it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

from stempelwerk_edge.agent import Ports
from stempelwerk_edge.machine.hardware import Hardware
from stempelwerk_edge.ports import Answer


@dataclass(frozen=True)
class Body:
    """The machine that is not there."""

    hardware: Hardware

    def address(self) -> str | None:
        return "10.0.0.7"

    def disk_free_mb(self) -> int:
        return 4096


@dataclass
class Screen:
    """A touchscreen that nobody looks at; it remembers which stamps it was told to be with the cloud."""

    delivered: set[str] = field(default_factory=set)

    def show(self, answer: Answer) -> None: ...

    def sent(self, stamp_ids: Collection[str]) -> None:
        self.delivered.update(stamp_ids)

    def set_status(self, **changes: object) -> None: ...

    def notice(self, code: str) -> None: ...


def ports(hardware: Hardware, **others: Any) -> Ports:
    """The agent's ports on such a machine; `others` as `Ports` has them, a screen in place of one of its own too."""
    return Ports(**{"machine": Body(hardware), "screen": Screen(), **others})
