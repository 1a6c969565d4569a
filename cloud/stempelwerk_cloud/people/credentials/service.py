"""Use cases on existing logins: people's own passwords and sessions, and locks and resets by system administrators.

Passwords are hashed in a bulkhead and outside of transactions, so rows that were read before are checked again
afterwards.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from stempelwerk_cloud.kit.database.scopes import ADMIN, of_company
from stempelwerk_cloud.kit.events import ACCOUNTS_LOCKED, FIGURES_CHANGED
from stempelwerk_cloud.kit.http.problems import not_found, unauthorized
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import codes, passwords
from stempelwerk_cloud.people.access import actions as access_actions
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.access.identity import second_factor, sessions
from stempelwerk_cloud.people.access.identity.browsers import ClientInfo, SessionOpened
from stempelwerk_cloud.people.access.identity.revocation import end_access
from stempelwerk_cloud.people.access.words import new_password_refused, same_password
from stempelwerk_cloud.people.credentials import current, words
from stempelwerk_cloud.people.directory.callers import Caller
from stempelwerk_cloud.people.directory.people import lock_people, names_around
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.directory.visibility import (
    account_of,
    account_to_change,
    accounts_of,
    accounts_to_change,
    live_person,
)
from stempelwerk_cloud.people.work import UnitOfWork, unit_of_work

RESET_LIFE = timedelta(hours=24)


async def change_password(platform: Platform, caller: Caller, old: str, new: str, client: ClientInfo) -> SessionOpened:
    """Changes the caller's password, ends every session of theirs, and returns a new one.

    Raises 422 for a wrong current or a refused new password, 429 for too many guesses.
    """
    if not old or not new:
        raise words.password_missing("newPassword" if old else "currentPassword")
    bulkheads = platform.bulkheads
    await bulkheads.steps.run(_ensure_password, platform, caller, new)
    attempt = current.attempt(caller, client.address)
    with bulkheads.hashing.permit():
        user = await current.compare(platform, caller, old, attempt, words.wrong_password("currentPassword"))
        if new == old:
            raise same_password()
        new_hash = await bulkheads.hashing.run(passwords.hash_password, new)
        return await bulkheads.steps.run(_change, platform, caller, attempt, user.password_hash, new_hash, client)


def _ensure_password(platform: Platform, caller: Caller, new: str) -> None:
    with platform.database.read(of_company(caller.company_id)) as session:
        names = names_around(session, caller.company_id, caller.user_id)
    refusal = passwords.find_refusal(new, names)
    if refusal is not None:
        raise new_password_refused(refusal)


def _change(
    platform: Platform, caller: Caller, attempt: throttle.Attempt, old_hash: str, new_hash: str, client: ClientInfo
) -> SessionOpened:
    with unit_of_work(platform, of_company(caller.company_id), caller) as work:
        throttle.reset_failures(work.session, attempt, work.now())
        user = live_person(work.session, caller.company_id, caller.user_id)
        if user is None or user.password_hash != old_hash:
            raise unauthorized()
        user.password_hash, user.reset_expires_at = new_hash, None
        work.session.flush()
        end_access(work, user.company_id, user_ids=[user.id])
        sessions.recheck_session(work.session, caller)  # 401 unless `end_access` ended the caller's own
        work.audit(user.company_id, access_actions.PASSWORD_CHANGED, user.id)
        return SessionOpened(sessions.open_session(work, user.company_id, user.id, client.user_agent), user)


def end_session(work: UnitOfWork, session_id: str) -> None:
    """Ends one of the caller's own sessions. 404 for any other.

    It locks the person first, so that two sessions that end each other at once do not deadlock.
    """
    caller = work.caller
    lock_people(work.session, caller.company_id, [caller.user_id])
    session_ids = {row.id for row in sessions.of_user(work.session, caller, work.now())}
    if session_id not in session_ids:
        raise not_found()
    spared = None if session_id == caller.session_id else caller.session_id
    if not sessions.end_sessions(work, caller.company_id, session_ids=[session_id], spared=spared):
        raise not_found()


def sign_out_everywhere(work: UnitOfWork) -> None:
    """Ends all sessions of the caller, including this one, and their unfinished logins; forgets their remembered
    devices.
    """
    caller = work.caller
    lock_people(work.session, caller.company_id, [caller.user_id])
    end_access(work, caller.company_id, user_ids=[caller.user_id])
    work.audit(caller.company_id, current.SIGNED_OUT_EVERYWHERE, caller.user_id)


@dataclass(frozen=True, slots=True)
class Reset:
    """A reset: the password only permits choosing another one, until `expires_at`."""

    user: User
    password: str

    @property
    def expires_at(self) -> datetime:
        assert self.user.reset_expires_at is not None
        return self.user.reset_expires_at


async def reset_password(platform: Platform, caller: Caller, user_id: str) -> Reset:
    """Sets a reset password for 24 hours, unlocks the account, and ends the person's access. Raises 404, 403, 409."""
    bulkheads = platform.bulkheads
    with bulkheads.hashing.permit():
        await bulkheads.steps.run(_look, platform, caller, user_id)
        password = platform.settings.reset_password or codes.grouped(platform.ids)
        password_hash = await bulkheads.hashing.run(passwords.hash_password, password)
        user = await bulkheads.steps.run(_reset_one, platform, caller, user_id, password_hash)
    return Reset(user, password)


def _look(platform: Platform, caller: Caller, user_id: str) -> None:
    with platform.database.read(ADMIN) as session:
        account_of(session, caller, user_id)


def _reset_one(platform: Platform, caller: Caller, user_id: str, password_hash: str) -> User:
    with unit_of_work(platform, ADMIN, caller) as work:
        user = account_to_change(work.session, caller, user_id)
        was_locked = user.is_locked
        _set_reset(work, user, password_hash)
        work.session.flush()
        if was_locked:
            work.emit(FIGURES_CHANGED, company_id=user.company_id, user_ids=[user.id])
        end_access(work, user.company_id, user_ids=[user.id])
        work.audit(user.company_id, access_actions.PASSWORD_RESET, user.id)
        sessions.recheck_session(work.session, caller)
    return user


async def reset_all(platform: Platform, caller: Caller, company_id: str) -> list[Reset]:
    """Sets a random reset password for each unlocked person whose login the caller may change; returns them by
    username.
    """
    bulkheads = platform.bulkheads
    with bulkheads.hashing.permit():
        people = await bulkheads.steps.run(_look_at_all, platform, caller, company_id)
        fresh: dict[str, tuple[str, str]] = {}
        for user in people:
            password = codes.grouped(platform.ids)
            fresh[user.id] = (password, await bulkheads.hashing.run(passwords.hash_password, password))
        return await bulkheads.steps.run(_reset_these, platform, caller, company_id, fresh)


def _look_at_all(platform: Platform, caller: Caller, company_id: str) -> list[User]:
    with platform.database.read(ADMIN) as session:
        return [user for user in accounts_of(session, caller, company_id) if not user.is_locked]


def _reset_these(platform: Platform, caller: Caller, company_id: str, fresh: dict[str, tuple[str, str]]) -> list[Reset]:
    with unit_of_work(platform, ADMIN, caller) as work:
        people = accounts_to_change(work.session, caller, company_id, fresh)
        people = [user for user in people if not user.is_locked]
        for user in people:
            _set_reset(work, user, fresh[user.id][1])
        work.session.flush()
        end_access(work, company_id, user_ids=[user.id for user in people])  # of all in one order
        done = {"users": sorted(user.id for user in people)}
        work.audit(company_id, current.PASSWORD_RESET_ALL, new_values=done)
        sessions.recheck_session(work.session, caller)
    return [Reset(user, fresh[user.id][0]) for user in people]


def lock(work: UnitOfWork, user_id: str) -> str:
    """Locks the account and ends the person's access. Returns the lock's token, the existing one if it is locked
    already.
    """
    user = account_to_change(work.session, work.caller, user_id)
    if user.lock_token is None:
        user.is_locked, user.lock_token = True, codes.hexadecimal(work.platform.ids)
        work.session.flush()
        work.emit(ACCOUNTS_LOCKED, company_id=user.company_id, user_ids=[user.id])
        work.emit(FIGURES_CHANGED, company_id=user.company_id, user_ids=[user.id])  # clocks learn who is a steward
        end_access(work, user.company_id, user_ids=[user.id])
        work.audit(user.company_id, current.LOCKED, user.id)
    return user.lock_token


def remove_second_factor(work: UnitOfWork, user_id: str) -> None:
    """Removes authenticator, recovery codes and linked address of a person who lost their phone, and ends their
    access.
    """
    user = account_to_change(work.session, work.caller, user_id)
    second_factor.remove(work.session, user.company_id, user.id)
    end_access(work, user.company_id, user_ids=[user.id])
    work.audit(user.company_id, access_actions.SECOND_FACTOR_REMOVED, user.id)


def _set_reset(work: UnitOfWork, user: User, password_hash: str) -> None:
    user.password_hash, user.reset_expires_at = password_hash, work.now() + RESET_LIFE
    user.is_locked, user.lock_token = False, None
