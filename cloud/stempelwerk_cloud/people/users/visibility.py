"""Whom a caller sees and manages: system administrators are visible to founders and to themselves alone."""

from collections.abc import Iterable

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.http.problems import not_found
from stempelwerk_cloud.people.access.callers import ADMIN, Caller
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.users import problems, repository
from stempelwerk_cloud.people.users.tables import FOUNDER, User


def is_founder(session: Session, caller: Caller) -> bool:
    user = repository.find(session, caller.company_id, caller.user_id)
    return user is not None and user.protected_as == FOUNDER


def visible(session: Session, caller: Caller, company_id: str) -> list[User]:
    """The people of a company that the caller sees, by username."""
    founder = is_founder(session, caller)
    return [user for user in repository.of_company(session, company_id) if _visible(user, caller, founder=founder)]


def reachable(session: Session, caller: Caller, user_id: str) -> User:
    """The person, if the caller may manage them; their company is known only now. 404, 403."""
    user = repository.find_anywhere(session, user_id)
    if user is None:
        raise not_found()
    caller.must_reach(user.company_id)
    companies.open_company(session, user.company_id)
    if not _visible(user, caller, founder=is_founder(session, caller)):
        raise not_found()
    return user


def to_change(session: Session, caller: Caller, user_id: str) -> User:
    """The person as `reachable`, with the company's rules locked, and judged by what is there after the waiting."""
    user = reachable(session, caller, user_id)
    companies.keep_open(session, user.company_id)
    companies.lock_rules(session, user.company_id)
    repository.lock(session, user.company_id, [user.id])
    session.expire_all()
    return reachable(session, caller, user_id)


def account_of(session: Session, caller: Caller, user_id: str) -> User:
    """A person whose login the caller may take in hand: not a protected one (403), and not the caller's own (409)."""
    user = reachable(session, caller, user_id)
    if user.protected_as is not None:
        raise problems.protected_edit(user.protected_as)
    if user.id == caller.user_id:
        raise problems.own_account()
    return user


def account_to_change(session: Session, caller: Caller, user_id: str) -> User:
    """The person as `account_of`, locked, and judged by what is there after the waiting."""
    user = account_of(session, caller, user_id)
    companies.keep_open(session, user.company_id)
    repository.lock(session, user.company_id, [user.id])
    session.expire_all()
    return account_of(session, caller, user_id)


def accounts_of(session: Session, caller: Caller, company_id: str) -> list[User]:
    """Everybody of the company whose login the caller may take in hand, by username. 404 for an unknown company."""
    companies.open_company(session, company_id)
    people = visible(session, caller, company_id)
    return [user for user in people if user.protected_as is None and user.id != caller.user_id]


def accounts_to_change(session: Session, caller: Caller, company_id: str, user_ids: Iterable[str]) -> list[User]:
    """Of these people those whom `accounts_of` names after the waiting, locked."""
    companies.keep_open(session, company_id)
    chosen = set(user_ids)
    repository.lock(session, company_id, chosen)
    return [user for user in accounts_of(session, caller, company_id) if user.id in chosen]


def _visible(user: User, caller: Caller, *, founder: bool) -> bool:
    return user.role != ADMIN or founder or user.id == caller.user_id
