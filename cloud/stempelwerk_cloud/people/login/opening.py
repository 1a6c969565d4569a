"""Where a login stands after a step: done, with a session, or at the next step, with a token that names it."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit import mail
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.people.access import remembered, second_factor
from stempelwerk_cloud.people.access.remembered import Cookie
from stempelwerk_cloud.people.access.sessions import TOKEN_BYTES, digest, open_session
from stempelwerk_cloud.people.companies import repository as companies
from stempelwerk_cloud.people.companies.tables import Company
from stempelwerk_cloud.people.login import problems, steps
from stempelwerk_cloud.people.login.steps import LoginState, Step, Waiting
from stempelwerk_cloud.people.login.tables import PendingLogin
from stempelwerk_cloud.people.users import repository as users
from stempelwerk_cloud.people.users.tables import User


@dataclass(frozen=True, slots=True)
class Visit:
    """Who knocks: the address it comes from, what the browser calls itself, the cookies it brings."""

    address: str
    user_agent: str
    cookies: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Opened:
    """A session: its token, whose it is, and what the browser is to keep if the device is remembered."""

    token: str
    user: User
    cookie: Cookie | None = None


@dataclass(frozen=True, slots=True)
class GoesOn:
    """The login needs `step`; `hint` is the address that its code goes to, as its owner recognises it."""

    step: Step
    temp_token: str
    hint: str | None


@dataclass(frozen=True, slots=True)
class Whose:
    """An unfinished login, and the names of its account as guesses are counted by."""

    company_id: str
    id: str
    user_id: str
    company_key: str
    username_key: str


def proceed(session: Session, platform: Platform, user: User, visit: Visit) -> Opened | GoesOn:
    """The next step of somebody who has given the password, or a session if none is left."""
    now = platform.clock.now()
    device = remembered.found(session, user.company_id, user.id, visit.cookies, now)
    address = second_factor.address_of(session, user.company_id, user.id)
    state = LoginState(
        reset=user.reset_expires_at is not None,
        authenticator=second_factor.has_authenticator(session, user.company_id, user.id),
        mail_server=platform.mailer is not None,
        linked=address is not None,
        remembered=device is not None,
    )
    step = steps.next_step(state)
    if step is None:
        token = open_session(session, platform, user.company_id, user.id, visit.user_agent)
        return Opened(token, user, None if device is None else remembered.rotate(platform, device))
    hint = mail.hint(address) if step == steps.EMAIL_OTP and address is not None else None
    return GoesOn(step, _wait(session, platform, user, step), hint)


def complete(
    session: Session, platform: Platform, user: User, visit: Visit, *, pending: PendingLogin, remember: bool
) -> Opened:
    """The second factor was right: the session, and the device remembered if that was wished."""
    session.execute(delete(PendingLogin).filter_by(company_id=pending.company_id, id=pending.id))
    token = open_session(session, platform, user.company_id, user.id, visit.user_agent)
    cookie = remembered.remember(session, platform, user.company_id, user.id) if remember else None
    return Opened(token, user, cookie)


def whose(session: Session, token: str) -> Whose:
    """Whose unfinished login has this token. 401 if nobody's. Nothing is locked yet."""
    row = session.execute(
        select(PendingLogin.company_id, PendingLogin.id, PendingLogin.user_id, Company.name_key, User.username_key)
        .join(User, (User.company_id == PendingLogin.company_id) & (User.id == PendingLogin.user_id))
        .join(Company, Company.id == PendingLogin.company_id)
        .where(PendingLogin.token_hash == digest(token))
    ).first()
    if row is None:
        raise problems.expired()
    return Whose(*row)


def due(session: Session, platform: Platform, which: Whose, *wanted: Step) -> tuple[PendingLogin, User]:
    """The login and its person, locked for this transaction. 401 unless it waits for one of these steps."""
    user = live_user(session, which.company_id, which.user_id)
    pending = session.get(PendingLogin, (which.company_id, which.id))
    if user is None or user.is_locked or pending is None:
        raise problems.expired()
    if pending.expires_at <= platform.clock.now() or pending.step not in wanted:
        raise problems.expired()
    return pending, user


def live_user(session: Session, company_id: str, user_id: str) -> User | None:
    """The person, locked for this transaction, unless deleted or of a deleted company, which stays open meanwhile."""
    company = companies.locked(session, company_id, shared=True)
    users.lock(session, company_id, [user_id])
    user = users.find(session, company_id, user_id)
    return None if company is None or company.closed_at is not None else user


def waiting_of(pending: PendingLogin) -> Waiting:
    return Waiting(**{name: getattr(pending, name) for name in Waiting.__dataclass_fields__})


def keep(pending: PendingLogin, waiting: Waiting) -> None:
    for name, value in asdict(waiting).items():
        setattr(pending, name, value)


def code_digest(token: str, code: str) -> bytes:
    """A code can be guessed from its own hash; together with the login's token, which is kept nowhere, it cannot."""
    return hashlib.sha256(f"{token}\0{code}".encode()).digest()


def _wait(session: Session, platform: Platform, user: User, step: Step) -> str:
    token = platform.ids.token(TOKEN_BYTES)
    session.add(
        PendingLogin(
            company_id=user.company_id,
            id=platform.ids.new(),
            user_id=user.id,
            token_hash=digest(token),
            step=step,
            **asdict(Waiting(expires_at=platform.clock.now() + steps.LIFE)),
        )
    )
    return token
