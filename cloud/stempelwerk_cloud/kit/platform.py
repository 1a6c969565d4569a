"""What every room may reach for: settings, database, time, ids, signals, live events, metrics, ports to higher rooms.

One `Platform` belongs to one application; it is put together in `app.py` and found at `request.app.state.platform`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.bulkheads import Bulkheads, Limiter
from stempelwerk_cloud.kit.clock import Clock, Ids
from stempelwerk_cloud.kit.database.transactions import Database
from stempelwerk_cloud.kit.events import Signals
from stempelwerk_cloud.kit.http.rates import Rates
from stempelwerk_cloud.kit.live.hub import Live
from stempelwerk_cloud.kit.live.topics import Hears
from stempelwerk_cloud.kit.mail import Mailer
from stempelwerk_cloud.kit.operations.metrics import Metrics
from stempelwerk_cloud.kit.security.vault import Vault
from stempelwerk_cloud.settings import Settings

TagWaiting = Callable[[Session, str, str], bool]
"""(session, company_id, tag) -> whether held stamps with that tag wait. Answered by timekeeping, asked by people."""


def _nothing_waits(_session: Session, _company_id: str, _tag: str) -> bool:
    return False


@dataclass
class Platform:
    settings: Settings
    database: Database
    clock: Clock
    ids: Ids
    live: Live
    metrics: Metrics
    vault: Vault
    limiter: Limiter
    rates: Rates
    mailer: Mailer | None = None
    """None: the installation has no mail server."""
    bulkheads: Bulkheads = field(default_factory=Bulkheads)
    signals: Signals = field(default_factory=Signals)
    hears: list[Hears] = field(default_factory=list)
    """What the rooms let a caller hear of their live events."""
    tag_waiting: TagWaiting = _nothing_waits
    state: dict[str, Any] = field(default_factory=dict)
    """What a room keeps in memory between requests, under the room's own name."""


async def _platform(request: Request) -> Platform:
    platform: Platform = request.app.state.platform
    return platform


PlatformDep = Annotated[Platform, Depends(_platform)]
