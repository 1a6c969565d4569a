"""Holders of tags over time: read for many tags or people at once, and looked up for one instant (pure)."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.instants import EPOCH, from_ms
from stempelwerk_cloud.kit.database.statements import Sql, Statement, as_rows
from stempelwerk_cloud.timekeeping.status_bits import REVOKED_TAG, UNKNOWN_TAG

_HELD = "SELECT h.tag, h.user_id::text, h.held_from, h.held_until"
_BY_TAG = Statement(
    f"{_HELD} FROM @rows(w: tag text) @lookup(h: tag_holdings WHERE h.company_id = :company::uuid AND h.tag = w.tag)"
)
_BY_USER = Statement(
    f"{_HELD} FROM @rows(w: user_id uuid)"
    " @lookup(h: tag_holdings WHERE h.company_id = :company::uuid AND h.user_id = w.user_id)"
)


class Held(NamedTuple):
    """A holding as read: the person held the tag from `held_from` (None: always) to before `held_until`
    (None: still).
    """

    tag: str
    user_id: str
    held_from: datetime | None
    held_until: datetime | None


class Holding(NamedTuple):
    """A person's holding of a tag from `from_ms` (None: always) to before `until_ms` (None: still)."""

    user_id: str
    from_ms: int | None
    until_ms: int | None


def holders_of(session: Session, company_id: str, tags: Iterable[str]) -> list[Held]:
    """Returns all holdings of these tags, sorted by tag and beginning.

    A writer that depends on them calls `directory.lock_rules_shared` first.
    """
    return _read_held(session, _BY_TAG, company_id, [{"tag": tag} for tag in tags])


def holdings_of(session: Session, company_id: str, user_ids: Iterable[str]) -> list[Held]:
    """Returns all holdings of these people, sorted by tag and beginning."""
    return _read_held(session, _BY_USER, company_id, [{"user_id": user_id} for user_id in user_ids])


def _read_held(session: Session, statement: Statement, company_id: str, keys: list[dict[str, str]]) -> list[Held]:
    """Reads holdings, sorted by tag, then by beginning; one without a beginning comes first."""
    session.flush()
    rows = Sql(session).rows(statement, {"company": company_id, "w": as_rows(keys)})
    holdings = [
        Held(tag, user_id, _instant(held_from), _instant(held_until)) for tag, user_id, held_from, held_until in rows
    ]
    return sorted(holdings, key=lambda holding: (holding.tag, holding.held_from or EPOCH, holding.user_id))


def _instant(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else from_ms(milliseconds)


def holder(at_ms: int, holdings: Iterable[Holding]) -> tuple[str | None, int]:
    """Returns the tag's holder at that time and 0; without a holder None and the status bit of the reason.

    The bit is `REVOKED_TAG` if the tag had a holder before, otherwise `UNKNOWN_TAG`.
    """
    withdrawn = False
    for holding in holdings:
        if holding.until_ms is not None and holding.until_ms <= at_ms:
            withdrawn = withdrawn or holding.from_ms is None or holding.from_ms < holding.until_ms
        elif holding.from_ms is None or holding.from_ms <= at_ms:
            return holding.user_id, 0
    return None, REVOKED_TAG if withdrawn else UNKNOWN_TAG
