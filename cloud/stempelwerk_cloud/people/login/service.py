"""From credentials to a session, in three steps: count the attempt, compare the password, open the session.

The password is compared outside of any transaction, and just as long where there is no such account. Further steps
(mail code, authenticator, new password) will stand between the second and the third.
"""

from dataclasses import dataclass

import structlog
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit import passwords
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.problems import too_many
from stempelwerk_cloud.kit.scopes import LOGIN
from stempelwerk_cloud.people import names
from stempelwerk_cloud.people.access.sessions import open_session
from stempelwerk_cloud.people.companies import repository as companies
from stempelwerk_cloud.people.login import problems, throttle
from stempelwerk_cloud.people.users import repository as users
from stempelwerk_cloud.people.users.tables import User

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Login:
    """An opened session: its token, and whose it is."""

    token: str
    user: User


def log_in(platform: Platform, company: str, username: str, password: str, address: str, user_agent: str) -> Login:
    """Opens a session. 401 alike for whatever is wrong, 403 for a locked account, 429 when tried too often.

    It takes transactions of its own, because a refusal must be remembered.
    """
    tried = throttle.attempt(names.key(company), names.key(username), address)
    with platform.database.write(LOGIN) as session:
        wait = throttle.count(session, tried, platform.clock.now())
        user = None if wait is not None else _find(session, company, username)
    if wait is not None:
        raise too_many(int(wait.total_seconds()) + 1)
    if not passwords.verify(user.password_hash if user else None, password) or user is None:
        log.info("login_failed", address=address)
        raise problems.wrong()
    with platform.database.write(LOGIN) as session:
        throttle.forgive(session, tried, platform.clock.now())
        still = users.find(session, user.company_id, user.id)
        if still is None or still.password_hash != user.password_hash:
            raise problems.wrong()
        token = None if still.is_locked else open_session(session, platform, still.company_id, still.id, user_agent)
    if token is None:
        raise problems.locked()
    return Login(token, still)


def _find(session: Session, company: str, username: str) -> User | None:
    found = companies.open_by_name(session, names.key(company))
    # Both questions are asked in any case, so that an unknown company answers no faster.
    return users.by_username(session, found.id if found else _NOBODY, names.key(username))


_NOBODY = "00000000-0000-0000-0000-000000000000"
