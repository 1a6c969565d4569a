"""Locks that have names: advisory locks of PostgreSQL, kept until the transaction ends.

They stand for what has no row yet that could be locked, or too many. SQLite has one writer, so there they are nothing.
"""

import hashlib

from sqlalchemy import func, select
from sqlalchemy.orm import Session


def number_of(what: str, name: str) -> int:
    """The number of the lock of this name. `what` says what kind of thing is locked."""
    return int.from_bytes(hashlib.sha256(f"{what}:{name}".encode()).digest()[:8], signed=True)


def take(session: Session, number: int, *, shared: bool = False) -> None:
    """Waits for the lock, and holds it: alone, or with others who share it."""
    if session.get_bind().dialect.name != "postgresql":
        return
    lock = func.pg_advisory_xact_lock_shared if shared else func.pg_advisory_xact_lock
    session.execute(select(lock(number)))
