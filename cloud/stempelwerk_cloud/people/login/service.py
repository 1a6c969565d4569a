"""Use cases of the login: log in with a password, take the remaining steps, log out.

A password is compared outside of any transaction, and takes just as long for an unknown account. Every step opens
transactions of its own, because a refused attempt must stay counted. A step that is an attempt first locks the counters
of attempts, then the person, and then the counters of mails. This order rules out deadlocks. Slow work runs in
bulkheads (`kit/limits/bulkheads.py`).
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import structlog
from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.mail_addresses import address
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import LOGIN, of_company
from stempelwerk_cloud.kit.http.askers import share_of_address
from stempelwerk_cloud.kit.http.problems import Problem, unauthorized
from stempelwerk_cloud.kit.mail import MailFailed, MailPutOff
from stempelwerk_cloud.kit.mail_templates import Letter
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import codes, passwords
from stempelwerk_cloud.people.access import actions as access_actions
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.access.identity import remembered, second_factor, sessions
from stempelwerk_cloud.people.access.identity.browsers import ClientInfo, SessionOpened
from stempelwerk_cloud.people.access.identity.revocation import end_access, end_unfinished
from stempelwerk_cloud.people.access.tables import PendingLogin
from stempelwerk_cloud.people.access.words import new_password_refused, same_password
from stempelwerk_cloud.people.audit import actions as operator_actions
from stempelwerk_cloud.people.audit import operators
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.companies import find_company, open_company_by_name
from stempelwerk_cloud.people.directory.people import by_username, names_around
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.directory.tables import key as name_key
from stempelwerk_cloud.people.directory.visibility import live_person
from stempelwerk_cloud.people.login import steps, words
from stempelwerk_cloud.people.login.login_start import (
    NextStep,
    code_digest,
    complete,
    find_pending,
    lock_due_login,
    note_operator,
    proceed,
    store_waiting,
    waiting_of,
)
from stempelwerk_cloud.people.login.steps import EMAIL_INPUT, EMAIL_OTP, PASSWORD_CHANGE, TOTP
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

ADDRESS_LINKED = Action("user.address_linked")


log = structlog.get_logger(__name__)


async def log_in(
    platform: Platform, company: str, username: str, password: str, client: ClientInfo
) -> SessionOpened | NextStep:
    """Takes the `credentials` step: returns the session, or the next step of the login.

    Raises 401 for any wrong part, 403 for a locked account, 429 for too many attempts.
    """
    # All guesses from an address share two places, so that they delay no other company.
    async with platform.page_turns.shares_only(share_of_address(client.address)):
        return await _log_in(platform, company, username, password, client)


async def _log_in(
    platform: Platform, company: str, username: str, password: str, client: ClientInfo
) -> SessionOpened | NextStep:
    bulkheads = platform.bulkheads
    with bulkheads.hashing.permit():
        attempt, user = await bulkheads.steps.run(_count_and_find, platform, company, username, client)
        right = await bulkheads.hashing.run(passwords.verify, user.password_hash if user else None, password)
        if user is None or not right or _reset_is_over(platform, user) or user.has_left(platform.clock.now()):
            log.info("login_failed", address=client.address)
            problem = words.wrong()
            if user is not None:
                problem.after_answer = _failure_noter(platform, attempt, user, client)
            raise problem
        return await bulkheads.steps.run(_enter, platform, attempt, user, client)


def _count_and_find(
    platform: Platform, company: str, username: str, client: ClientInfo
) -> tuple[throttle.Attempt, User | None]:
    """Counts the attempt and finds the user, or None. Raises 429.

    All lookups always run: an unknown company or user answers no faster.
    """
    company_key, username_key = name_key(company), name_key(username)
    with platform.database.write(LOGIN) as session:
        now = platform.clock.now()
        firm = open_company_by_name(session, company_key)
        user = by_username(session, firm.id if firm else _NOBODY, username_key)
        person = (user.company_id, user.id) if user else (_NOBODY, _NOBODY)
        device = remembered.find_device(session, *person, client.cookies, now)
        attempt = throttle.attempt(
            company_key, username_key, client.address, device_id=None if device is None else device.id
        )
        wait = throttle.count(session, attempt, now)
    throttle.refuse(wait)
    return attempt, user


def _failure_noter(
    platform: Platform, attempt: throttle.Attempt, user: User, client: ClientInfo
) -> Callable[[], Awaitable[None]] | None:
    """Returns a function that writes a system administrator's failed login to the operator log; None for other people.

    It runs after the answer, because its duration would reveal which accounts are those of operators.
    """
    operator = operators.of_user(user, client.network)
    if operator is None:
        return None
    now = platform.clock.now()

    def note() -> None:
        with platform.database.write(LOGIN) as session:
            is_paused = throttle.is_paused(session, attempt, now)
            action = operator_actions.LOGIN_PAUSED if is_paused else operator_actions.LOGIN_FAILED
            details = {"company_id": user.company_id, "subject": user.id}
            operators.note(session, platform.ids, now, operator, action, **details)

    async def run() -> None:
        try:
            await platform.bulkheads.steps.run(note)
        except Exception:
            log.exception("operator_log_row_lost", address=client.address)

    return run


def _enter(
    platform: Platform, attempt: throttle.Attempt, verified_user: User, client: ClientInfo
) -> SessionOpened | NextStep:
    with unit_of_work(platform, LOGIN) as work:
        now = work.now()
        throttle.lock(work.session, attempt, now)
        user = live_person(work.session, verified_user.company_id, verified_user.id)
        if user is None or user.password_hash != verified_user.password_hash or user.has_left(now):
            raise words.wrong()
        if user.is_locked:  # the attempt stays counted, so that a right password is throttled too
            outcome = None
            note_operator(work, user, client, operator_actions.LOGIN_LOCKED)
        else:
            throttle.reset_failures(work.session, attempt, now)
            outcome = proceed(work, user, client)
        if isinstance(outcome, SessionOpened):
            throttle.trust_address(work.session, attempt, now)
    if outcome is None:
        raise words.locked()
    return outcome


def _reset_is_over(platform: Platform, user: User) -> bool:
    return user.reset_expires_at is not None and user.reset_expires_at <= platform.clock.now()


@dataclass(frozen=True, slots=True)
class _Letter:
    pending_key: tuple[str, str]
    recipient: str
    content: Letter
    code_hash: bytes
    buckets: list[bytes]


async def send_code(platform: Platform, token: str, email: str | None) -> None:
    """Mails a code to the linked address, or to `email` without a linked one. Raises 429, 422, or 503 if no mail was
    sent.
    """
    mailer, bulkheads = platform.mailer, platform.bulkheads
    if mailer is None:
        raise words.expired()
    with bulkheads.mail.permit():
        letter = await bulkheads.steps.run(_write_letter, platform, token, email)
        try:
            content = letter.content
            await bulkheads.mail.run(mailer.send, letter.recipient, words.SUBJECT, content.text, content.html)
        except MailFailed as error:
            log.error("mail_failed", reason=str(error))
            await bulkheads.steps.run(_take_back, platform, letter)
            raise (words.mail_put_off() if isinstance(error, MailPutOff) else words.mail_failed()) from None


def _write_letter(platform: Platform, token: str, email: str | None) -> _Letter:
    with unit_of_work(platform, LOGIN) as work:
        session, now = work.session, work.now()
        pending, user = lock_due_login(work, find_pending(session, token), EMAIL_OTP, EMAIL_INPUT)
        recipient = _destination(session, pending, email)
        throttle.refuse(steps.mail_pause(waiting_of(pending), now))
        buckets = throttle.mail_buckets(user.id, recipient, linked=pending.step == EMAIL_OTP)
        throttle.refuse(throttle.count_mail(session, buckets, now))
        code = codes.digits(platform.ids, 6)
        code_hash = code_digest(token, code)
        store_waiting(pending, steps.record_mail(waiting_of(pending), code_hash, now))
        pending.email = recipient if pending.step == EMAIL_INPUT else None
        company = find_company(session, user.company_id)
        content = words.letter(code, user.username, company.name if company else "")
        return _Letter((pending.company_id, pending.id), recipient, content, code_hash, buckets)


def _destination(session: Session, pending: PendingLogin, email: str | None) -> str:
    linked = _linked(session, pending)
    if linked is not None:
        return linked
    recipient = pending.email if email is None else address(email)
    if recipient is None:
        raise words.no_address()
    return recipient


def _linked(session: Session, pending: PendingLogin) -> str | None:
    """Returns the linked address that codes are mailed to; None without one. Raises 401 if an address was linked or
    removed since the login began.
    """
    linked = second_factor.address_of(session, pending.company_id, pending.user_id)
    if (linked is None) != (pending.step == EMAIL_INPUT):
        raise words.expired()
    return linked


def _take_back(platform: Platform, letter: _Letter) -> None:
    with platform.database.write(LOGIN) as session:
        throttle.reset_mail_failures(session, letter.buckets, platform.clock.now())
        locks.record_row_lock(session, Lock.UNFINISHED_LOGIN, [letter.pending_key])
        pending = session.get(PendingLogin, letter.pending_key, with_for_update=True)
        if pending is not None and pending.code_hash == letter.code_hash:
            store_waiting(pending, steps.undo_mail(waiting_of(pending)))


async def verify_mail_code(
    platform: Platform, token: str, code: str, client: ClientInfo, *, remember: bool
) -> SessionOpened:
    """Completes the login with the mailed code, and links the address if it was being linked. Raises 401 or 429."""

    def check_code(work: UnitOfWork, pending: PendingLogin, user: User) -> bool:
        if _linked(work.session, pending) is None and pending.email is None:
            raise words.expired()
        given_hash = code_digest(token, codes.typed(code))
        right = steps.is_right(waiting_of(pending), given_hash, work.now())
        if right and pending.email is not None:
            second_factor.link_address(work.session, pending.company_id, pending.user_id, pending.email)
            owner = pending.user_id
            operator = operators.of_user(user, client.network)
            work.audit(pending.company_id, ADDRESS_LINKED, owner, actor=owner, operator=operator)
            # Other unfinished logins at this step have proved only the password.
            end_unfinished(work.session, pending.company_id, user_ids=[owner])
        return right

    return await _verify(
        platform, token, (EMAIL_OTP, EMAIL_INPUT), check_code, words.wrong_mail_code(), client, remember
    )


async def verify_app_code(
    platform: Platform, token: str, code: str, client: ClientInfo, *, remember: bool
) -> SessionOpened:
    """Completes the login with a code of the authenticator or a recovery code. The fifth wrong code ends the login."""

    def check_code(work: UnitOfWork, pending: PendingLogin, _user: User) -> bool:
        return second_factor.accepts(work, pending.company_id, pending.user_id, code)

    return await _verify(platform, token, (TOTP,), check_code, words.wrong_app_code(), client, remember)


async def _verify(
    platform: Platform,
    token: str,
    expected_steps: tuple[steps.Step, ...],
    check_code: Callable[[UnitOfWork, PendingLogin, User], bool],
    refusal: Problem,
    client: ClientInfo,
    remember: bool,
) -> SessionOpened:
    with platform.bulkheads.steps.permit():
        opened = await platform.bulkheads.steps.run(_try, platform, token, expected_steps, check_code, client, remember)
    if opened is None:
        log.info("second_factor_failed", address=client.address)
        raise refusal
    return opened


def _try(
    platform: Platform,
    token: str,
    expected_steps: tuple[steps.Step, ...],
    check_code: Callable[[UnitOfWork, PendingLogin, User], bool],
    client: ClientInfo,
    remember: bool,
) -> SessionOpened | None:
    with unit_of_work(platform, LOGIN) as work:
        session, now = work.session, work.now()
        pending_ref = find_pending(session, token)
        attempt = throttle.attempt(pending_ref.company_key, pending_ref.username_key, client.address, throttle.CODES)
        wait = throttle.count(session, attempt, now)
        if wait is None:
            pending, user = lock_due_login(work, pending_ref, *expected_steps)
            if check_code(work, pending, user):
                throttle.reset_failures(session, attempt, now)
                throttle.trust_address(session, attempt, now)
                return complete(work, user, client, pending=pending, remember=remember)
            waiting = steps.count_wrong_code(waiting_of(pending))
            store_waiting(pending, waiting)
            if pending.step == TOTP and steps.is_over(waiting):
                session.delete(pending)
            note_operator(work, user, client, operator_actions.CODE_FAILED)
    throttle.refuse(wait)
    return None


async def choose_password(platform: Platform, token: str, new: str, client: ClientInfo) -> SessionOpened | NextStep:
    """Takes the `password_change` step: the chosen password replaces the reset one. Returns the session, or the next
    step.
    """
    bulkheads = platform.bulkheads
    with bulkheads.hashing.permit():
        user = await bulkheads.steps.run(_who_chooses, platform, token, new)
        if await bulkheads.hashing.run(passwords.verify, user.password_hash, new):
            raise same_password()
        new_hash = await bulkheads.hashing.run(passwords.hash_password, new)
        return await bulkheads.steps.run(_choose, platform, token, user.password_hash, new_hash, client)


def _who_chooses(platform: Platform, token: str, new: str) -> User:
    with unit_of_work(platform, LOGIN) as work:
        user = lock_due_login(work, find_pending(work.session, token), PASSWORD_CHANGE)[1]
        names = names_around(work.session, user.company_id, user.id)
    refusal = passwords.find_refusal(new, names)
    if refusal is not None:
        raise new_password_refused(refusal)
    return user


def _choose(
    platform: Platform, token: str, old_hash: str, new_hash: str, client: ClientInfo
) -> SessionOpened | NextStep:
    with unit_of_work(platform, LOGIN) as work:
        session, now = work.session, work.now()
        pending_ref = find_pending(session, token)
        attempt = throttle.attempt(pending_ref.company_key, pending_ref.username_key, client.address)
        throttle.reset_failures(session, attempt, now)
        _, user = lock_due_login(work, pending_ref, PASSWORD_CHANGE)
        if user.password_hash != old_hash or _reset_is_over(platform, user):
            raise words.expired()
        user.password_hash, user.reset_expires_at = new_hash, None
        session.flush()
        end_access(work, user.company_id, user_ids=[user.id])
        operator = operators.of_user(user, client.network)
        work.audit(user.company_id, access_actions.PASSWORD_CHANGED, user.id, actor=user.id, operator=operator)
        outcome = proceed(work, user, client)
        if isinstance(outcome, SessionOpened):
            throttle.trust_address(session, attempt, now)
        return outcome


def log_out(work: UnitOfWork, hashes: Sequence[str]) -> None:
    """Ends the caller's session or, without a session, those whose tokens have these hashes (SHA-256, hexadecimal).

    Raises 401 without session and hashes, 422 with both. A browser that logged out while offline has stored only the
    hash of its token. The answer does not reveal whether a hash was known: the session of an unknown one has ended
    already.
    """
    if work.asked_by is None:
        if not hashes:
            raise unauthorized()
        sessions.end_by_hash(work, [bytes.fromhex(each) for each in hashes])
        return
    if hashes:
        raise words.own_session_only()
    sessions.end_sessions(work, work.caller.company_id, session_ids=[work.caller.session_id])


def make_ticket(platform: Platform, caller: Caller, path: str) -> str:
    """Returns a new ticket for the path. It is created in a transaction of its own, because it must not be stored as
    the answer to an Idempotency-Key.
    """
    with unit_of_work(platform, of_company(caller.company_id), caller) as work:
        sessions.recheck_session(work.session, caller)
        return sessions.make_ticket(work, path)


_NOBODY = "00000000-0000-0000-0000-000000000000"
