"""Sessions and tickets: how they are opened, found and ended. A token is returned once, when it is created; only its
hash is stored.

A session ends two hours after the login and is never extended. Ending it also ends its event streams, in all processes.
A caller's rights never change within a session (`revocation.py`), so a live session proves the rights.
"""

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import cast

from sqlalchemy import ColumnElement, Label, Select, delete, func, or_, select, tuple_, update
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.rows import padded
from stempelwerk_cloud.kit.events import SESSIONS_ENDED
from stempelwerk_cloud.kit.http.problems import unauthorized
from stempelwerk_cloud.kit.slots import Slot
from stempelwerk_cloud.people.access.tables import Ticket, WebSession
from stempelwerk_cloud.people.directory.callers import Caller, Role
from stempelwerk_cloud.people.directory.companies import feature_keys
from stempelwerk_cloud.people.directory.people import lock_people
from stempelwerk_cloud.people.directory.tables import Company, CompanyFeature, User
from stempelwerk_cloud.people.work import UnitOfWork

SESSION_LIFE = timedelta(hours=2)
TICKET_LIFE = timedelta(seconds=30)
SEEN_EVERY = timedelta(minutes=5)
TOKEN_BYTES = 32
SESSIONS_OF_PERSON = 10
"""The most live sessions of a person: a phone, a few browsers, and some left open. One more ends the oldest."""
_DECIDED_SESSIONS: Slot[Session, set[str]] = Slot(lambda _: set())
"""The sessions about which the transaction has decided itself: ended, or spared."""

SessionKey = tuple[str, str]
"""A session's company and its id."""


def digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def session_topic(session_id: str) -> str:
    """Returns the live topic on which a session's streams learn of its end."""
    return f"session:{session_id}"


def open_session(work: UnitOfWork, company_id: str, user_id: str, user_agent: str) -> str:
    """Opens a session of a user whose row is locked, and ends the oldest beyond `SESSIONS_OF_PERSON`.

    Returns its token, which is stored nowhere.
    """
    now = work.now()
    own_sessions = select(WebSession.id).where(WebSession.company_id == company_id, WebSession.user_id == user_id)
    newest_first = own_sessions.where(WebSession.expires_at > now).order_by(
        WebSession.created_at.desc(), WebSession.id.desc()
    )
    surplus = work.session.scalars(newest_first.offset(SESSIONS_OF_PERSON - 1)).all()
    if surplus:
        end_sessions(work, company_id, session_ids=surplus)
    token = work.platform.ids.token(TOKEN_BYTES)
    work.session.add(
        WebSession(
            company_id=company_id,
            id=work.new_id(),
            user_id=user_id,
            token_hash=digest(token),
            created_at=now,
            last_seen_at=now,
            expires_at=now + SESSION_LIFE,
            user_agent=user_agent[:200],
        )
    )
    return token


def caller_of(session: Session, token: str, now: datetime) -> tuple[Caller, datetime] | None:
    """Returns the caller whose live session has this token, and when it was last seen; None for an unknown token."""
    return _caller(session, now, WebSession.token_hash == digest(token))


def caller_of_ticket(session: Session, ticket: str, path: str, now: datetime) -> Caller | None:
    """Redeems a ticket: returns its caller, or None if path, time or session do not fit. The ticket is deleted in any
    case.
    """
    spent = session.execute(
        delete(Ticket)
        .where(Ticket.ticket_hash == digest(ticket))
        .returning(Ticket.company_id, Ticket.session_id, Ticket.path, Ticket.expires_at)
    ).first()
    if spent is None or spent.path != path or spent.expires_at <= now:
        return None
    live_caller = _caller(session, now, WebSession.company_id == spent.company_id, WebSession.id == spent.session_id)
    return None if live_caller is None else live_caller[0]


def _caller(session: Session, now: datetime, *conditions: object) -> tuple[Caller, datetime] | None:
    row = session.execute(
        select(
            WebSession.id,
            WebSession.company_id,
            WebSession.user_id,
            WebSession.created_at,
            WebSession.expires_at,
            WebSession.last_seen_at,
            User.role,
            User.username,
            User.leaves_at,
            User.works_council,
            _modules(),
        )
        .join(User, (User.company_id == WebSession.company_id) & (User.id == WebSession.user_id))
        .join(Company, Company.id == WebSession.company_id)
        .where(*conditions, *_is_live(now))  # type: ignore[arg-type]
    ).first()
    if row is None:
        return None
    caller = Caller(
        user_id=row.user_id,
        company_id=row.company_id,
        role=cast("Role", row.role),
        session_id=row.id,
        username=row.username,
        opened_at=row.created_at,
        expires_at=row.expires_at if row.leaves_at is None else min(row.expires_at, row.leaves_at),
        subject_company_id=row.company_id,
        works_council=row.works_council,
        modules=_split(row.modules),
    )
    return caller, row.last_seen_at


def _modules() -> Label[str | None]:
    """Returns a subquery of the modules of the session's company as one text, null without any."""
    joined_modules = func.aggregate_strings(CompanyFeature.feature, ",")
    query = select(joined_modules).where(CompanyFeature.company_id == WebSession.company_id)
    return query.scalar_subquery().label("modules")


def _split(modules: str | None) -> frozenset[str]:
    return frozenset(modules.split(",") if modules else ())


def _is_live(now: datetime) -> tuple[ColumnElement[bool], ...]:
    """Returns the conditions of a live session, joined with its person and company."""
    return (
        WebSession.expires_at > now,
        User.deleted_at.is_(None),
        User.is_locked.is_(False),
        or_(User.leaves_at.is_(None), User.leaves_at > now),
        Company.closed_at.is_(None),
    )


def note_seen(session: Session, caller: Caller, now: datetime) -> None:
    session.execute(
        update(WebSession)
        .where(WebSession.company_id == caller.company_id, WebSession.id == caller.session_id)
        .values(last_seen_at=now)
    )


def make_ticket(work: UnitOfWork, path: str) -> str:
    """Creates the caller's ticket for one request to `path` within 30 s, valid as long as the session is."""
    ticket = work.platform.ids.token(TOKEN_BYTES)
    work.session.add(
        Ticket(
            company_id=work.caller.company_id,
            id=work.new_id(),
            session_id=work.caller.session_id,
            ticket_hash=digest(ticket),
            path=path,
            expires_at=work.now() + TICKET_LIFE,
        )
    )
    return ticket


def end_sessions(
    work: UnitOfWork,
    company_id: str,
    *,
    user_ids: Iterable[str] | None = None,
    session_ids: Iterable[str] | None = None,
    spared: str | None = None,
) -> int:
    """Ends the company's sessions, or only those of some users or with some ids. Returns the number of ended sessions.

    `spared`: the id of the caller's own session, which is locked but not ended, as `recheck_session` does; raises 401
    if it has ended. Waits for transactions that commit in the sessions' names, so take every other lock before.
    """
    query = select(WebSession.company_id, WebSession.id).where(WebSession.company_id == company_id)
    if user_ids is not None:
        query = query.where(WebSession.user_id.in_(list(user_ids)))
    if session_ids is not None:
        query = query.where(WebSession.id.in_([*session_ids, *([] if spared is None else [spared])]))
    return _end(work, query, spared)


def end_by_hash(work: UnitOfWork, hashes: Iterable[bytes]) -> None:
    """Ends the sessions whose tokens have these hashes, of any person: knowing a hash proves having had the token.

    Locks the people first, like every change that ends sessions of others.
    """
    matches_hash = WebSession.token_hash.in_(list(hashes))
    people: dict[str, set[str]] = {}
    for company_id, user_id in work.session.execute(
        select(WebSession.company_id, WebSession.user_id).where(matches_hash)
    ):
        people.setdefault(company_id, set()).add(user_id)
    for company_id, user_ids in sorted(people.items()):
        lock_people(work.session, company_id, user_ids)
    _end(work, select(WebSession.company_id, WebSession.id).where(matches_hash))


def _end(work: UnitOfWork, query: Select[str, str], spared: str | None = None) -> int:
    session = work.session
    # Always locked in the same order, so that two transactions that end the same sessions do not deadlock.
    in_order = query.order_by(WebSession.company_id, WebSession.id).with_for_update()
    locked_keys = [(company_id, session_id) for company_id, session_id in session.execute(in_order)]
    locks.record_row_lock(session, Lock.SESSION, locked_keys)
    ended = [key for key in locked_keys if key[1] != spared]
    if spared is not None:
        if len(ended) == len(locked_keys):
            raise unauthorized()
        _DECIDED_SESSIONS.of(session).add(spared)
    session.execute(delete(WebSession).where(tuple_(WebSession.company_id, WebSession.id).in_(ended)))
    session.execute(delete(Ticket).where(tuple_(Ticket.company_id, Ticket.session_id).in_(ended)))
    for _, session_id in ended:
        _DECIDED_SESSIONS.of(session).add(session_id)
        work.platform.live.publish(session, [session_topic(session_id)], {"type": "ended"})
    if ended:
        work.emit(SESSIONS_ENDED, sessions=ended)
    return len(ended)


def of_user(session: Session, caller: Caller, now: datetime) -> list[WebSession]:
    """Returns the caller's own live sessions, newest first."""
    query = select(WebSession).where(WebSession.company_id == caller.company_id, WebSession.user_id == caller.user_id)
    return list(session.scalars(query.where(WebSession.expires_at > now).order_by(WebSession.id.desc())))


def recheck_session(session: Session, caller: Caller) -> frozenset[str]:
    """Locks the caller's session so that no other transaction ends it before this one commits. Returns the current
    modules of the caller's company. 401 if it has ended.

    Every decision in a caller's name does this after all other locks, just before the commit; guards ensure it. It
    blocks only those who end the session. Ending one's own session is such a decision too.
    """
    if caller.session_id in _DECIDED_SESSIONS.of(session):
        return frozenset(feature_keys(session, caller.company_id))
    query = select(WebSession.id, _modules()).where(
        WebSession.company_id == caller.company_id, WebSession.id == caller.session_id
    )
    locks.record_row_lock(session, Lock.CALLER, [(caller.company_id, caller.session_id)], shared=True)
    row = session.execute(query.with_for_update(read=True, key_share=True, of=WebSession)).first()
    if row is None:
        raise unauthorized()
    return _split(row.modules)


def is_live(session: Session, caller: Caller, now: datetime) -> bool:
    """Returns whether the caller's session is still live, and so is the caller's account."""
    key_conditions = WebSession.company_id == caller.company_id, WebSession.id == caller.session_id
    return _caller(session, now, *key_conditions) is not None


def live_among(session: Session, keys: Collection[SessionKey], now: datetime) -> set[SessionKey]:
    """Returns those of the sessions that are live, by the conditions of `is_live`."""
    key = tuple_(WebSession.company_id, WebSession.id)
    rows = session.execute(
        select(WebSession.company_id, WebSession.id)
        .join(User, (User.company_id == WebSession.company_id) & (User.id == WebSession.user_id))
        .join(Company, Company.id == WebSession.company_id)
        .where(key.in_(padded(keys)), *_is_live(now))
    )
    return {(company_id, session_id) for company_id, session_id in rows}


def scope_to_company(caller: Caller, company_id: str) -> Caller:
    """Returns the caller with `company_id` as the company that the call is about."""
    return replace(caller, subject_company_id=company_id)
