"""The own authenticator: set up by its first code, switched off by another. The linked address is the login's affair.

These use cases take transactions of their own: a wrong code must be remembered as a guess, and secrets must not be kept
as the answer to an Idempotency-Key. Setting it up needs the password unless it was just given to log in: whoever finds
a page open, or steals a session, must not lock its owner out.
"""

from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.http.problems import unauthorized
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import totp
from stempelwerk_cloud.people.access.service import end_unfinished, remembered, second_factor, sessions, throttle
from stempelwerk_cloud.people.account import actions, current, problems
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit.service import Action
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import Caller


@dataclass(frozen=True, slots=True)
class Setup:
    """What the app reads, as a picture and as text."""

    qr_data_url: str
    secret: str


FRESH = timedelta(minutes=5)
"""For so long after the login that opened it a session says that its owner is there."""


async def start(platform: Platform, caller: Caller, password: str | None, address: str) -> Setup:
    """A secret that waits for its first code. 403 without a password that is needed, 422, 429; 409 if one is active."""
    bulkheads = platform.bulkheads
    if platform.clock.now() - caller.opened_at <= FRESH:
        with bulkheads.steps.permit():
            return await bulkheads.steps.run(begin, platform, caller)
    if password is None:
        raise problems.password_needed()
    tried = current.attempt(caller, address)
    with bulkheads.hashing.permit():
        await current.compare(platform, caller, password, tried, problems.wrong_password("password"))
        return await bulkheads.steps.run(begin, platform, caller, tried)


def begin(platform: Platform, caller: Caller, tried: throttle.Attempt | None = None) -> Setup:
    """`start` for who may; `tried` is the password's attempt, which was right."""
    with platform.database.write(of_company(caller.company_id)) as session:
        if tried is not None:
            throttle.reset_failures(session, tried, platform.clock.now())
        _lock(session, caller)
        secret = second_factor.begin_setup(session, platform, caller.company_id, caller.user_id)
        company = directory.find_company(session, caller.company_id)
    if secret is None:
        raise problems.active_already()
    account = f"{caller.username} ({company.name})" if company else caller.username
    return Setup(totp.qr_data_url(secret, account), secret)


def confirm(platform: Platform, caller: Caller, code: str) -> list[str]:
    """Activates the authenticator; the recovery codes.

    Other sessions, unfinished logins and remembered devices had less to show: they end, and this session goes on.
    """
    _need_code(code)
    with platform.database.write(of_company(caller.company_id)) as session:
        directory.lock_people(session, caller.company_id, [caller.user_id])
        if not sessions.is_live(session, caller):  # it is kept below, in order with those that are ended
            raise unauthorized()
        if second_factor.has_authenticator(session, caller.company_id, caller.user_id):
            raise problems.active_already()
        if not second_factor.is_waiting(session, caller.company_id, caller.user_id):
            raise problems.no_setup()
        recovery = second_factor.activate(session, platform, caller.company_id, caller.user_id, code)
        if recovery is None:
            raise problems.wrong_code()
        sessions.end_sessions(session, platform, caller.company_id, user_ids=[caller.user_id], spared=caller.session_id)
        remembered.forget(session, caller.company_id, [caller.user_id])
        end_unfinished(session, caller.company_id, user_ids=[caller.user_id])
        _note(session, platform, caller, actions.SECOND_FACTOR_ENABLED)
    return recovery


def disable(platform: Platform, caller: Caller, code: str, address: str) -> None:
    """Switches it off by a code of the app or a recovery code. Whoever guesses is slowed as at the login."""
    _need_code(code)
    with platform.database.write(of_company(caller.company_id)) as session:
        now = platform.clock.now()
        company = directory.find_company(session, caller.company_id)
        user = directory.find_person(session, caller.company_id, caller.user_id)
        if company is None or user is None:
            raise unauthorized()
        tried = throttle.attempt(company.name_key, user.username_key, address, throttle.CODES)
        wait = throttle.count(session, tried, now, platform.ids)
        right = wait is None and _switched_off(session, platform, caller, code)
        if right:
            throttle.reset_failures(session, tried, now)
    throttle.refuse(wait)
    if not right:
        raise problems.wrong_code()


def _switched_off(session: Session, platform: Platform, caller: Caller, code: str) -> bool:
    """Switches it off, if the code is right."""
    _lock(session, caller)
    if not second_factor.has_authenticator(session, caller.company_id, caller.user_id):
        raise problems.not_active()
    if not second_factor.accepts(session, platform, caller.company_id, caller.user_id, code):
        return False
    second_factor.disable(session, caller.company_id, caller.user_id)
    end_unfinished(session, caller.company_id, user_ids=[caller.user_id])
    _note(session, platform, caller, actions.SECOND_FACTOR_DISABLED)
    return True


def _lock(session: Session, caller: Caller) -> None:
    """Locks the person and their session for this transaction. 401 if it has ended while the call waited for it."""
    directory.lock_people(session, caller.company_id, [caller.user_id])
    sessions.keep(session, caller)


def _need_code(code: str) -> None:
    if not code.strip():
        raise problems.code_missing()


def _note(session: Session, platform: Platform, caller: Caller, action: Action) -> None:
    audit.append(session, platform, caller.company_id, caller.user_id, action, caller.user_id)
