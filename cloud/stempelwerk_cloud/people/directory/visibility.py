"""The rules about the people that a caller sees and manages: only founders and they themselves see system
administrators.
"""

from collections.abc import Iterable

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.directory import companies, people, words
from stempelwerk_cloud.people.directory.callers import ADMIN, Caller
from stempelwerk_cloud.people.directory.tables import FOUNDER, User


def is_founder(session: Session, caller: Caller) -> bool:
    user = people.find_person(session, caller.company_id, caller.user_id)
    return user is not None and user.protected_as == FOUNDER


def visible_people(session: Session, caller: Caller, company_id: str, *, deleted: bool = False) -> list[User]:
    """Returns the people of a company that the caller sees, by username; or the deleted ones who are not erased."""
    founder = is_founder(session, caller)
    users = people.deleted_in(session, company_id) if deleted else people.people_in(session, company_id)
    return [user for user in users if _visible(user, caller, founder=founder)]


def reachable_person(session: Session, caller: Caller, user_id: str, *, also_deleted: bool = False) -> User:
    """Returns the person if the caller may manage them; the company is that of the person's row. Raises 404, 403."""
    user = people.find_anywhere(session, user_id, also_deleted=also_deleted)
    if user is None:
        raise not_found()
    caller.must_reach(user.company_id)
    companies.open_company(session, user.company_id)
    if user.role == ADMIN and not _visible(user, caller, founder=is_founder(session, caller)):
        raise not_found()
    return user


def person_to_change(session: Session, caller: Caller, user_id: str) -> User:
    """Locks the company's rules and the person, and returns the person as `reachable_person` does, checked again under
    the locks.
    """
    user = reachable_person(session, caller, user_id)
    companies.lock_open_shared(session, user.company_id)
    companies.lock_rules(session, user.company_id)
    people.lock_people(session, user.company_id, [user.id])
    session.expire_all()
    return reachable_person(session, caller, user_id)


def account_of(session: Session, caller: Caller, user_id: str) -> User:
    """Returns a person whose login the caller may change. Raises 403 for a protected person, 409 for the caller's own
    login.
    """
    user = reachable_person(session, caller, user_id)
    if user.protected_as is not None:
        raise words.protected_edit(user.protected_as)
    if user.id == caller.user_id:
        raise words.own_account()
    return user


def account_to_change(session: Session, caller: Caller, user_id: str) -> User:
    """Locks the person, and returns them as `account_of` does, checked again under the lock."""
    user = account_of(session, caller, user_id)
    companies.lock_open_shared(session, user.company_id)
    people.lock_people(session, user.company_id, [user.id])
    session.expire_all()
    return account_of(session, caller, user_id)


def accounts_of(session: Session, caller: Caller, company_id: str) -> list[User]:
    """Returns all people of the company whose login the caller may change, by username. 404 for an unknown company."""
    companies.open_company(session, company_id)
    users = visible_people(session, caller, company_id)
    return [user for user in users if user.protected_as is None and user.id != caller.user_id]


def accounts_to_change(session: Session, caller: Caller, company_id: str, user_ids: Iterable[str]) -> list[User]:
    """Locks these people, and returns those whom `accounts_of` allows, checked again under the lock."""
    companies.lock_open_shared(session, company_id)
    requested_ids = set(user_ids)
    people.lock_people(session, company_id, requested_ids)
    return [user for user in accounts_of(session, caller, company_id) if user.id in requested_ids]


def live_person(session: Session, company_id: str, user_id: str) -> User | None:
    """Locks the person and returns them; None if deleted or of a closed company. The company cannot be closed
    meanwhile.
    """
    company = companies.lock_company(session, company_id, shared=True)
    people.lock_people(session, company_id, [user_id])
    user = people.find_person(session, company_id, user_id)
    return None if company is None or company.closed_at is not None else user


def _visible(user: User, caller: Caller, *, founder: bool) -> bool:
    return user.role != ADMIN or founder or user.id == caller.user_id
