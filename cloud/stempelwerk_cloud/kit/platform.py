"""The services shared by all rooms: settings, database, time, ids, signals, live events, metrics.

One `Platform` belongs to one application; it is built in `app.py` and is at `request.app.state.platform`.
"""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any

from fastapi import Depends, Request

from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.clock import Clock, Ids
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.events import Signals
from stempelwerk_cloud.kit.files.packing.processes import Packing
from stempelwerk_cloud.kit.http.askers import Askers
from stempelwerk_cloud.kit.limits.bulkheads import Bulkheads
from stempelwerk_cloud.kit.limits.fair_semaphore import FairLimiter
from stempelwerk_cloud.kit.limits.rates import Rates
from stempelwerk_cloud.kit.live.hub import Live
from stempelwerk_cloud.kit.live.topics import TopicResolver
from stempelwerk_cloud.kit.mail import Mailer
from stempelwerk_cloud.kit.operations.metrics import Metrics
from stempelwerk_cloud.kit.security.key_files import Identify
from stempelwerk_cloud.kit.security.vault import Vault
from stempelwerk_cloud.kit.subprocesses.pool import SubprocessPool
from stempelwerk_cloud.kit.task_registry import TaskRegistry


@dataclass
class Platform:
    settings: Settings
    database: Database
    clock: Clock
    ids: Ids
    live: Live
    metrics: Metrics
    vault: Vault
    page_turns: FairLimiter
    """Limits requests that need a shared thread and a connection, by person and company (`page_shares`)."""
    heavy_turns: FairLimiter
    """Limits calls that read much of a company: one at a time for a company and for a person."""
    rates: Rates
    refusal_pause_s: float = 0.5
    """Seconds that an answer 429 is delayed: it slows a client that repeats refused calls on each of its connections.
    """
    mailer: Mailer | None = None
    """None: the installation has no mail server."""
    bulkheads: Bulkheads = field(default_factory=Bulkheads)
    signals: Signals = field(default_factory=Signals)
    askers: Askers = field(default_factory=Askers)
    outbox: "TaskRegistry[Platform]" = field(default_factory=TaskRegistry)
    subprocesses: SubprocessPool = field(default_factory=SubprocessPool)
    packing: Packing = field(init=False)
    hears: list[TopicResolver] = field(default_factory=list)
    """Each room's resolver of the live topics that a caller may subscribe to (`kit/live/topics.py`)."""
    message_types: dict[str, Any] = field(default_factory=dict)
    """The types of messages that the rooms send (`kit/room.MessageType`), by name."""
    periods: dict[str, timedelta | int] = field(default_factory=dict)
    """The retention periods of the rooms' rules (`kit/room.RetentionRule`), by their German lines; a number counts
    months.
    """
    keys: dict[str, Identify] = field(default_factory=dict)
    """The key files in the data folder by name, each with the function that returns the key's identity."""
    ports: dict[Any, Any] = field(default_factory=dict)
    """The answers that rooms provide, by their ports (`kit/ports.py`)."""
    info: dict[Any, Any] = field(default_factory=dict)
    """The values of the process, by their slots (`kit/slots.py`)."""

    def __post_init__(self) -> None:
        self.packing = Packing(self.subprocesses)


async def _platform(request: Request) -> Platform:
    platform: Platform = request.app.state.platform
    return platform


PlatformDep = Annotated[Platform, Depends(_platform)]
