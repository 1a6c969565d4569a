"""A person's second factors: a linked address, an authenticator, ten recovery codes.

Changing or checking them requires the lock of the person's row (`directory.lock_people`), so a code that is sent twice
in parallel is accepted once. The caller counts failed guesses.
"""

import hashlib
from typing import Literal

import structlog
from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import codes, totp
from stempelwerk_cloud.kit.security.vault import Sealed
from stempelwerk_cloud.people.access.tables import RecoveryCode, SecondFactor
from stempelwerk_cloud.people.work import UnitOfWork

log = structlog.get_logger(__name__)

RECOVERY_CODES = 10
Kind = Literal["authenticator", "email"]


def address_of(session: Session, company_id: str, user_id: str) -> str | None:
    """Returns the person's linked mail address; None without one."""
    factor = _find(session, company_id, user_id)
    return None if factor is None else factor.email


def has_authenticator(session: Session, company_id: str, user_id: str) -> bool:
    factor = _find(session, company_id, user_id)
    return factor is not None and factor.secret is not None


def kinds(session: Session, company_id: str, *, user_id: str | None = None) -> dict[str, Kind]:
    """Returns the stronger second factor by user id: of the people in the company who have one, or only of
    `user_id`.
    """
    query = select(SecondFactor.user_id, SecondFactor.secret.is_not(None), SecondFactor.email.is_not(None))
    query = query.where(SecondFactor.company_id == company_id)
    if user_id is not None:
        query = query.where(SecondFactor.user_id == user_id)
    kinds_by_user: dict[str, Kind] = {}
    for owner, authenticator, email in session.execute(query):
        if authenticator:
            kinds_by_user[owner] = "authenticator"
        elif email:
            kinds_by_user[owner] = "email"
    return kinds_by_user


def recovery_codes_left(session: Session, company_id: str, user_id: str) -> int:
    count_query = select(func.count()).select_from(RecoveryCode)
    return session.execute(count_query.filter_by(company_id=company_id, user_id=user_id)).scalar_one()


def link_address(session: Session, company_id: str, user_id: str, email: str) -> None:
    _get_or_create(session, company_id, user_id).email = email


def begin_setup(work: UnitOfWork, company_id: str, user_id: str) -> str | None:
    """Begins the setup of an authenticator: returns a new secret that waits for its first code; None if one is
    active.
    """
    factor = _get_or_create(work.session, company_id, user_id)
    if factor.secret is not None:
        return None
    secret = totp.new_secret(work.platform.ids)
    factor.waiting_secret = work.platform.vault.encrypt(secret)
    return secret


def is_waiting(session: Session, company_id: str, user_id: str) -> bool:
    """Returns whether the setup of an authenticator has begun and waits for its first code."""
    factor = _find(session, company_id, user_id)
    return factor is not None and factor.secret is None and factor.waiting_secret is not None


def activate(work: UnitOfWork, company_id: str, user_id: str, code: str) -> list[str] | None:
    """Completes a setup that has begun (`is_waiting`). Returns the recovery codes, which are readable only now; None
    for a wrong code.
    """
    factor = _get_or_create(work.session, company_id, user_id)
    step = _step(work.platform, factor.waiting_secret, code, last_step=0)
    if step is None:
        return None
    factor.secret, factor.waiting_secret, factor.accepted_step = factor.waiting_secret, None, step
    work.session.execute(delete(RecoveryCode).filter_by(company_id=company_id, user_id=user_id))
    fresh = [codes.grouped(work.platform.ids) for _ in range(RECOVERY_CODES)]
    for text in fresh:
        work.session.add(RecoveryCode(company_id=company_id, user_id=user_id, code_hash=_digest(user_id, text)))
    return fresh


def accepts(work: UnitOfWork, company_id: str, user_id: str, code: str) -> bool:
    """Returns whether this is a code of the active authenticator, or a recovery code. An accepted code cannot be used
    again.
    """
    factor = _find(work.session, company_id, user_id)
    if factor is None or factor.secret is None:
        return False
    step = _step(work.platform, factor.secret, code, last_step=factor.accepted_step)
    if step is not None:
        factor.accepted_step = step
        return True
    spent = delete(RecoveryCode).filter_by(company_id=company_id, user_id=user_id, code_hash=_digest(user_id, code))
    return work.session.execute(spent.returning(RecoveryCode.user_id)).first() is not None


def disable(session: Session, company_id: str, user_id: str) -> None:
    """Removes the authenticator and its recovery codes; a linked address stays."""
    factor = _get_or_create(session, company_id, user_id)
    factor.secret = factor.waiting_secret = None
    session.execute(delete(RecoveryCode).filter_by(company_id=company_id, user_id=user_id))


def remove(session: Session, company_id: str, user_id: str) -> None:
    """Removes all second factors of the person: address, authenticator and recovery codes."""
    session.execute(delete(RecoveryCode).filter_by(company_id=company_id, user_id=user_id))
    session.execute(delete(SecondFactor).filter_by(company_id=company_id, user_id=user_id))


def _find(session: Session, company_id: str, user_id: str) -> SecondFactor | None:
    return session.get(SecondFactor, (company_id, user_id))


def _get_or_create(session: Session, company_id: str, user_id: str) -> SecondFactor:
    factor = _find(session, company_id, user_id)
    if factor is None:
        factor = SecondFactor(company_id=company_id, user_id=user_id, accepted_step=0)
        session.add(factor)
    return factor


def _step(platform: Platform, sealed: bytes | None, code: str, *, last_step: int) -> int | None:
    if sealed is None:
        return None
    try:
        secret = platform.vault.decrypt(sealed)
    except Sealed:
        log.error("authenticator_unreadable", effect="its codes are refused: the key file is another one")
        return None
    return totp.matching_step(secret, codes.typed(code), platform.clock.now(), last_step)


def _digest(user_id: str, code: str) -> bytes:
    """Hashes a recovery code. 79 random bits need no slow hash; the person's id separates equal codes of two people."""
    return hashlib.sha256(f"{user_id}\0{codes.typed(code)}".encode()).digest()
