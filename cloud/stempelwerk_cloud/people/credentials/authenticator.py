"""Use cases of a person's own authenticator app: setting it up and switching it off. The login manages the linked
address.

These use cases take transactions of their own: a wrong code must be counted as a guess, and secrets must not be stored
as the answer to an Idempotency-Key. Setting it up needs the password unless it was just given to log in: whoever finds
a page open, or steals a session, must not lock its owner out.
"""

from dataclasses import dataclass
from datetime import timedelta

from stempelwerk_cloud.kit.database.scopes import of_company
from stempelwerk_cloud.kit.http.problems import unauthorized
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import totp
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.access.identity import remembered, second_factor, sessions
from stempelwerk_cloud.people.access.identity.revocation import end_unfinished
from stempelwerk_cloud.people.credentials import current, words
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import find_company
from stempelwerk_cloud.people.directory.people import find_person, lock_people
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work


@dataclass(frozen=True, slots=True)
class Setup:
    """The secret for the app: as a QR code in a data URL, and as text."""

    qr_data_url: str
    secret: str


FRESH = timedelta(minutes=5)
"""How long after its login a session counts as proof that its owner is present."""


async def start(platform: Platform, caller: Caller, password: str | None, address: str) -> Setup:
    """Begins a setup and returns a secret that waits for its first code. Raises 403 without a required password, 422,
    429, and 409 if an authenticator is active.
    """
    bulkheads = platform.bulkheads
    if platform.clock.now() - caller.opened_at <= FRESH:
        with bulkheads.steps.permit():
            return await bulkheads.steps.run(begin, platform, caller)
    if password is None:
        raise words.password_needed()
    attempt = current.attempt(caller, address)
    with bulkheads.hashing.permit():
        await current.compare(platform, caller, password, attempt, words.wrong_password("password"))
        return await bulkheads.steps.run(begin, platform, caller, attempt)


def begin(platform: Platform, caller: Caller, attempt: throttle.Attempt | None = None) -> Setup:
    """Begins the setup for a permitted caller; `attempt` is the right password's attempt, if one was required."""
    with unit_of_work(platform, of_company(caller.company_id), caller) as work:
        if attempt is not None:
            throttle.reset_failures(work.session, attempt, work.now())
        _lock(work)
        secret = second_factor.begin_setup(work, caller.company_id, caller.user_id)
        company = find_company(work.session, caller.company_id)
    if secret is None:
        raise words.active_already()
    account = f"{caller.username} ({company.name})" if company else caller.username
    return Setup(totp.qr_data_url(secret, account), secret)


def confirm(platform: Platform, caller: Caller, code: str) -> list[str]:
    """Activates the authenticator by its first code; returns the recovery codes.

    Other sessions, unfinished logins and remembered devices end, because they began without this factor. The caller's
    session stays.
    """
    _need_code(code)
    with unit_of_work(platform, of_company(caller.company_id), caller) as work:
        session = work.session
        lock_people(session, caller.company_id, [caller.user_id])
        if not sessions.is_live(session, caller, work.now()):  # locked below, in order with the ended ones
            raise unauthorized()
        if second_factor.has_authenticator(session, caller.company_id, caller.user_id):
            raise words.active_already()
        if not second_factor.is_waiting(session, caller.company_id, caller.user_id):
            raise words.no_setup()
        recovery = second_factor.activate(work, caller.company_id, caller.user_id, code)
        if recovery is None:
            raise words.wrong_code()
        sessions.end_sessions(work, caller.company_id, user_ids=[caller.user_id], spared=caller.session_id)
        remembered.forget(session, caller.company_id, [caller.user_id])
        end_unfinished(session, caller.company_id, user_ids=[caller.user_id])
        work.audit(caller.company_id, current.SECOND_FACTOR_ENABLED, caller.user_id)
    return recovery


def disable(platform: Platform, caller: Caller, code: str, address: str) -> None:
    """Deactivates the authenticator with one of its codes or a recovery code. Guesses are throttled as at login."""
    _need_code(code)
    with unit_of_work(platform, of_company(caller.company_id), caller) as work:
        now = work.now()
        company = find_company(work.session, caller.company_id)
        user = find_person(work.session, caller.company_id, caller.user_id)
        if company is None or user is None:
            raise unauthorized()
        attempt = throttle.attempt(company.name_key, user.username_key, address, throttle.CODES)
        wait = throttle.count(work.session, attempt, now)
        right = wait is None and _switch_off(work, code)
        if right:
            throttle.reset_failures(work.session, attempt, now)
    throttle.refuse(wait)
    if not right:
        raise words.wrong_code()


def _switch_off(work: UnitOfWork, code: str) -> bool:
    """Deactivates the authenticator; returns False for a wrong code."""
    session, caller = work.session, work.caller
    _lock(work)
    if not second_factor.has_authenticator(session, caller.company_id, caller.user_id):
        raise words.not_active()
    if not second_factor.accepts(work, caller.company_id, caller.user_id, code):
        return False
    second_factor.disable(session, caller.company_id, caller.user_id)
    end_unfinished(session, caller.company_id, user_ids=[caller.user_id])
    work.audit(caller.company_id, current.SECOND_FACTOR_DISABLED, caller.user_id)
    return True


def _lock(work: UnitOfWork) -> None:
    """Locks the person and the caller's session for this transaction. Raises 401 if the session has ended."""
    lock_people(work.session, work.caller.company_id, [work.caller.user_id])
    sessions.recheck_session(work.session, work.caller)


def _need_code(code: str) -> None:
    if not code.strip():
        raise words.code_missing()
