"""Protected people: system administrators that only commands on the server create, reset and remove, and no call of a
page.

Their log entries have no actor. A command that fails raises one line for its operator.
"""

from stempelwerk_cloud.kit.events import FIGURES_CHANGED
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.people.access import actions as access_actions
from stempelwerk_cloud.people.access.identity import second_factor
from stempelwerk_cloud.people.access.identity.revocation import end_access
from stempelwerk_cloud.people.audit.service import ErasableText
from stempelwerk_cloud.people.companies import service as companies
from stempelwerk_cloud.people.directory.callers import ADMIN
from stempelwerk_cloud.people.directory.companies import lock_rules
from stempelwerk_cloud.people.directory.people import by_username, lock_people, people_in
from stempelwerk_cloud.people.directory.tables import FOUNDER, Company, User
from stempelwerk_cloud.people.directory.tables import key as name_key
from stempelwerk_cloud.people.users import service
from stempelwerk_cloud.people.work import UnitOfWork


class ProtectedRefused(Exception):
    """A command on protected people that cannot be done. The message is one line for the operator."""


def create(work: UnitOfWork, username: str, password_hash: str, protected_as: str = FOUNDER) -> User:
    """Creates a protected system administrator in the operator's company, and that company if it is missing."""
    company = _operator(work)
    lock_rules(work.session, company.id)  # before the name, as for all people
    try:
        user = service.insert(work, company.id, username, password_hash, ADMIN)
    except Problem as problem:  # its text is German, for users of the pages
        raise ProtectedRefused(f"The username {username!r} is refused: {problem.code}.") from None
    user.protected_as = protected_as
    work.session.flush()
    created_values = {"username": ErasableText(user.username), "role": ADMIN, "protectedAs": protected_as}
    work.audit(company.id, service.CREATED, user.id, new_values=created_values)
    return user


def reset(work: UnitOfWork, username: str, password_hash: str) -> None:
    """Sets a new password, and removes second factor, linked address, lock and sessions."""
    user = _protected(work, username)
    user.password_hash, user.reset_expires_at = password_hash, None
    user.is_locked, user.lock_token = False, None
    work.session.flush()
    work.emit(FIGURES_CHANGED, company_id=user.company_id, user_ids=[user.id])
    second_factor.remove(work.session, user.company_id, user.id)
    end_access(work, user.company_id, user_ids=[user.id])
    for action in (access_actions.PASSWORD_RESET, access_actions.SECOND_FACTOR_REMOVED):
        work.audit(user.company_id, action, user.id)


def remove(work: UnitOfWork, username: str) -> None:
    """Deletes a protected person: ends the login and the tags. The last founder stays, because only founders create
    system administrators.
    """
    user = _protected(work, username)
    founders = [person for person in people_in(work.session, user.company_id) if person.protected_as == FOUNDER]
    if founders == [user]:
        raise ProtectedRefused(f"{user.username!r} is the last founder: make another first.")
    service.remove(work, user)


def _operator(work: UnitOfWork) -> Company:
    try:
        return companies.operator_company(work)
    except Problem as problem:
        name = work.platform.settings.operator
        raise ProtectedRefused(f"The name of the operator's company {name!r} is refused: {problem.code}.") from None


def _protected(work: UnitOfWork, username: str) -> User:
    """Returns the protected person, locked until the transaction ends. Raises ProtectedRefused for an unknown name."""
    company = _operator(work)
    lock_rules(work.session, company.id)
    user = by_username(work.session, company.id, name_key(username))
    if user is None or user.protected_as is None:
        raise ProtectedRefused(f"Nobody protected is called {username!r}.")
    lock_people(work.session, company.id, [user.id])
    work.session.refresh(user)
    return user
