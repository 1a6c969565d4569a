"""Remembered devices: a browser that once gave the second factor need not give it for 30 days, but always the
password.

It sends a token in a cookie that scripts cannot read and that only the login's path receives. The token changes with
each login that uses it; the 30 days count from when the device was remembered. Each person has a cookie of their own,
so several can share a browser.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.people.access.identity.sessions import TOKEN_BYTES, digest
from stempelwerk_cloud.people.access.tables import RememberedDevice
from stempelwerk_cloud.people.work import UnitOfWork

LIFE = timedelta(days=30)
PATH = "/api/login"
_COOKIE = "stempelwerk_device_"


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie for the browser to store, and its lifetime in seconds."""

    name: str
    token: str
    seconds: int


def cookie_name(user_id: str) -> str:
    """Returns a cookie name that reveals nothing about the person."""
    return _COOKIE + hashlib.sha256(user_id.encode()).hexdigest()[:16]


def find_device(
    session: Session, company_id: str, user_id: str, cookies: Mapping[str, str], now: datetime
) -> RememberedDevice | None:
    """Returns the person's remembered device whose token is in these cookies, or None. Always runs the query, to take
    the same time.
    """
    token = cookies.get(cookie_name(user_id), "")
    return session.scalar(
        select(RememberedDevice).where(
            RememberedDevice.company_id == company_id,
            RememberedDevice.user_id == user_id,
            RememberedDevice.token_hash == digest(token),
            RememberedDevice.expires_at > now,
        )
    )


def remember(work: UnitOfWork, company_id: str, user_id: str) -> Cookie:
    """Remembers the device for 30 days; returns the cookie for its browser."""
    now = work.now()
    token = work.platform.ids.token(TOKEN_BYTES)
    work.session.add(
        RememberedDevice(
            company_id=company_id,
            id=work.new_id(),
            user_id=user_id,
            token_hash=digest(token),
            created_at=now,
            expires_at=now + LIFE,
        )
    )
    return _cookie(user_id, token, LIFE)


def rotate(work: UnitOfWork, device: RememberedDevice) -> Cookie:
    """Gives a device that was used a new token; returns its cookie. The expiry stays the same."""
    token = work.platform.ids.token(TOKEN_BYTES)
    device.token_hash = digest(token)
    return _cookie(device.user_id, token, device.expires_at - work.now())


def forget(session: Session, company_id: str, user_ids: Iterable[str] | None = None) -> None:
    """Forgets all devices of the company, or of these people."""
    statement = delete(RememberedDevice).where(RememberedDevice.company_id == company_id)
    if user_ids is not None:
        statement = statement.where(RememberedDevice.user_id.in_(list(user_ids)))
    session.execute(statement)


def _cookie(user_id: str, token: str, remaining: timedelta) -> Cookie:
    return Cookie(cookie_name(user_id), token, int(remaining.total_seconds()))
