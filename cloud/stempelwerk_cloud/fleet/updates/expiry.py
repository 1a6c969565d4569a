"""Expiry of the signed files of the update repository, and the warnings before it."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, NamedTuple

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session
from tuf.api.metadata import Metadata, Root, Snapshot, Targets, Timestamp
from tuf.api.serialization import DeserializationError

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.fleet.updates import words
from stempelwerk_cloud.fleet.updates.signed import signing
from stempelwerk_cloud.fleet.updates.tables import UpdateMetadata
from stempelwerk_cloud.kit.database.scopes import SYSTEM
from stempelwerk_cloud.kit.operations import service_time
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.ports import Expiry
from stempelwerk_cloud.kit.slots import Slot

log = structlog.get_logger(__name__)

State = Literal["good", "soon", "over", "unreadable", "unknown"]
"""The state of a role's newest file: valid (`good`), about to expire (`soon`), expired (`over`), or not readable
(`unreadable`). `unknown`: the server's time is in doubt, so expiry cannot be judged.
"""

BY_SERVICE: Final = (Snapshot.type, Timestamp.type)
"""Roles whose files the service itself signs each day."""
ROLES: Final = (Root.type, Targets.type, "stable", "beta", *BY_SERVICE)
"""All roles in display order."""
WARNED_BEFORE = timedelta(days=30)
UNSIGNED_WARNED_BEFORE = timedelta(days=9)
"""How long before expiry the operator is warned about files of `BY_SERVICE`. These are signed daily and live fourteen
days, so nine days left mean that signing has failed for five days.
"""
_UNREADABLE_DAYS = -1.0
_CACHED_EXPIRIES: Slot[Platform, dict[tuple[str, int], datetime | None]] = Slot(lambda _: {})
"""The instants when the parsed files expire, by role and version."""


class RoleEnd(NamedTuple):
    """A role of the repository and the instant when its newest file expires; None if the file is unreadable."""

    role: str
    ends_at: datetime | None

    def state(self, now: datetime) -> State:
        if self.ends_at is None:
            return "unreadable"
        if self.ends_at <= now:
            return "over"
        warning_period = UNSIGNED_WARNED_BEFORE if self.role in BY_SERVICE else WARNED_BEFORE
        return "soon" if self.ends_at - warning_period <= now else "good"


def find_role_ends(session: Session, platform: Platform) -> list[RoleEnd]:
    """Returns when the newest file of each role expires, in display order; empty before the first publication. Parsed
    files are cached.
    """
    newest = select(UpdateMetadata.role, func.max(UpdateMetadata.version).label("version"))
    in_force = {(row.role, row.version) for row in session.execute(newest.group_by(UpdateMetadata.role))}
    cache = _CACHED_EXPIRIES.of(platform)
    if cache.keys() != in_force:
        rows = signing.newest(session).items()
        cache = {(role, row.version): _end_of(row) for role, row in rows}
        _CACHED_EXPIRIES.set(platform, cache)
    by_role = {role: ends_at for (role, _), ends_at in cache.items()}
    return [RoleEnd(role, by_role[role]) for role in ROLES if role in by_role]


def states(session: Session, platform: Platform, now: datetime) -> list[tuple[RoleEnd, State]]:
    """Returns each role's expiry with its state at `now`."""
    is_doubted = service_time.is_doubted(session)
    return [(end, "unknown" if is_doubted else end.state(now)) for end in find_role_ends(session, platform)]


def _end_of(row: UpdateMetadata) -> datetime | None:
    """Returns the instant when a file expires. If the file is unreadable, logs an error and returns None."""
    try:
        return Metadata.from_bytes(row.content).signed.expires
    except DeserializationError:
        log.error("update_metadata_unreadable", role=row.role, version=row.version)
        return None


def warnings(session: Session, platform: Platform, now: datetime) -> Sequence[Expiry]:
    """Returns a warning for each role whose file has expired, soon expires or is unreadable."""
    return [
        Expiry(end.role, state != "soon", words.explanation(end.role, state, end.ends_at))
        for end, state in states(session, platform, now)
        if state in {"soon", "over", "unreadable"}
    ]


def days_left(platform: Platform) -> float:
    """Returns the days until the first file that people sign expires; negative if one has expired or is unreadable.

    NaN before the first publication, and while the server's time is in doubt.
    """
    return _days_left(platform, by_service=False)


def service_days_left(platform: Platform) -> float:
    """Returns the days until the first file of `BY_SERVICE` expires; negative and NaN as in `days_left`."""
    return _days_left(platform, by_service=True)


def _days_left(platform: Platform, *, by_service: bool) -> float:
    with platform.database.read(SYSTEM) as session:
        if service_time.is_doubted(session):
            return float("nan")
        instants = [end.ends_at for end in find_role_ends(session, platform) if (end.role in BY_SERVICE) == by_service]
    now = platform.clock.now()
    days = [_UNREADABLE_DAYS if ends_at is None else (ends_at - now) / DAY for ends_at in instants]
    return min(days, default=float("nan"))
