"""The owners of bearer tokens, as guards have found them: they decide whose share a request takes before its guard
runs.
"""

import hashlib
import threading
from collections import OrderedDict

from fastapi import Request

from stempelwerk_cloud.kit.http.addresses import network
from stempelwerk_cloud.kit.limits.fair_semaphore import OF_PERSON, Share, page_shares

_MOST = 50_000
"""Tokens that are remembered; the one that was used longest ago is forgotten first."""


def bearer(request: Request) -> str | None:
    """Returns the bearer token of the Authorization header."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.strip() else None


class Askers:
    """Maps a token to its person and company. All sessions of a person share one limit.

    A token is unknown until a guard has accepted it once; such a request counts for its address, like a stranger's. The
    entry grants nothing: it outlives its session, and the guard checks each request.
    """

    def __init__(self) -> None:
        self._shares: OrderedDict[bytes, tuple[Share, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def learn(self, token: str, company_id: str, user_id: str) -> None:
        """Remembers the owner of a token."""
        key = _key(token)
        with self._lock:
            if key not in self._shares:
                self._shares[key] = page_shares(company_id, user_id)
            self._shares.move_to_end(key)
            if len(self._shares) > _MOST:
                self._shares.popitem(last=False)

    def shares_of(self, request: Request) -> tuple[Share, ...]:
        """Returns the shares that a request takes of the page limiter."""
        token = bearer(request)
        with self._lock:
            shares = self._shares.get(_key(token)) if token else None
        if shares is not None:
            return shares
        return (share_of_address(request.client.host if request.client else ""),)


def share_of_address(address: str) -> Share:
    """Returns the share of all callers of an address without a session."""
    return Share(f"address {network(address)}", OF_PERSON, rests=True)


def _key(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
