"""The progress of a login: after each step it gets a session, or the next step with a token that names the login."""

import hashlib
from dataclasses import asdict, dataclass

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit import mail
from stempelwerk_cloud.people.access.identity import remembered, second_factor, sessions
from stempelwerk_cloud.people.access.identity.browsers import ClientInfo, SessionOpened
from stempelwerk_cloud.people.access.tables import PendingLogin
from stempelwerk_cloud.people.audit import actions as operator_actions
from stempelwerk_cloud.people.audit import operators
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.directory.tables import Company, User
from stempelwerk_cloud.people.directory.visibility import live_person
from stempelwerk_cloud.people.login import steps, words
from stempelwerk_cloud.people.login.steps import LoginState, Step, Waiting
from stempelwerk_cloud.people.work import UnitOfWork


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next step that a login needs. `hint`: the address that its code goes to, abbreviated so that only its owner
    recognises it.
    """

    step: Step
    temp_token: str
    hint: str | None


@dataclass(frozen=True, slots=True)
class PendingRef:
    """The key of an unfinished login, and the keys of company and username that guesses are counted by."""

    company_id: str
    id: str
    user_id: str
    company_key: str
    username_key: str


def proceed(work: UnitOfWork, user: User, client: ClientInfo) -> SessionOpened | NextStep:
    """Returns the next step for a person with the right password, or a session if no step is left."""
    session, now = work.session, work.now()
    device = remembered.find_device(session, user.company_id, user.id, client.cookies, now)
    address = second_factor.address_of(session, user.company_id, user.id)
    state = LoginState(
        reset=user.reset_expires_at is not None,
        authenticator=second_factor.has_authenticator(session, user.company_id, user.id),
        mail_server=work.platform.mailer is not None,
        linked=address is not None,
        remembered=device is not None,
    )
    step = steps.next_step(state)
    if step is None:
        token = sessions.open_session(work, user.company_id, user.id, client.user_agent)
        note_operator(work, user, client, operator_actions.LOGGED_IN)
        return SessionOpened(token, user, None if device is None else remembered.rotate(work, device))
    hint = mail.hint(address) if step == steps.EMAIL_OTP and address is not None else None
    note_operator(work, user, client, operator_actions.PASSWORD_RIGHT)
    return NextStep(step, _create_pending(work, user, step), hint)


def complete(
    work: UnitOfWork, user: User, client: ClientInfo, *, pending: PendingLogin, remember: bool
) -> SessionOpened:
    """Opens the session after the right second factor, and remembers the device if requested."""
    work.session.execute(delete(PendingLogin).filter_by(company_id=pending.company_id, id=pending.id))
    token = sessions.open_session(work, user.company_id, user.id, client.user_agent)
    note_operator(work, user, client, operator_actions.LOGGED_IN)
    cookie = None
    if remember:
        cookie = remembered.remember(work, user.company_id, user.id)
        note_operator(work, user, client, operator_actions.DEVICE_REMEMBERED)
    return SessionOpened(token, user, cookie)


def note_operator(work: UnitOfWork, user: User, client: ClientInfo, action: Action) -> None:
    """Writes a login event to the operator log if the user is a system administrator."""
    operator = operators.of_user(user, client.network)
    if operator is not None:
        details = {"company_id": user.company_id, "subject": user.id}
        operators.note(work.session, work.platform.ids, work.now(), operator, action, **details)


def find_pending(session: Session, token: str) -> PendingRef:
    """Returns the unfinished login with this token, without locking it. Raises 401 if unknown."""
    row = session.execute(
        select(PendingLogin.company_id, PendingLogin.id, PendingLogin.user_id, Company.name_key, User.username_key)
        .join(User, (User.company_id == PendingLogin.company_id) & (User.id == PendingLogin.user_id))
        .join(Company, Company.id == PendingLogin.company_id)
        .where(PendingLogin.token_hash == sessions.digest(token))
    ).first()
    if row is None:
        raise words.expired()
    return PendingRef(*row)


def lock_due_login(work: UnitOfWork, pending_ref: PendingRef, *expected_steps: Step) -> tuple[PendingLogin, User]:
    """Locks the login and its person, and returns both. Raises 401 unless the login waits for one of these steps."""
    user = live_person(work.session, pending_ref.company_id, pending_ref.user_id)
    pending = work.session.get(PendingLogin, (pending_ref.company_id, pending_ref.id))
    if user is None or user.is_locked or user.has_left(work.now()) or pending is None:
        raise words.expired()
    if pending.expires_at <= work.now() or pending.step not in expected_steps:
        raise words.expired()
    return pending, user


def waiting_of(pending: PendingLogin) -> Waiting:
    return Waiting(**{name: getattr(pending, name) for name in Waiting.__dataclass_fields__})


def store_waiting(pending: PendingLogin, waiting: Waiting) -> None:
    for name, value in asdict(waiting).items():
        setattr(pending, name, value)


def code_digest(token: str, code: str) -> bytes:
    """Hashes a code with the login's token. A code could be guessed from its own hash; the token is stored nowhere."""
    return hashlib.sha256(f"{token}\0{code}".encode()).digest()


def _create_pending(work: UnitOfWork, user: User, step: Step) -> str:
    token = work.platform.ids.token(sessions.TOKEN_BYTES)
    work.session.add(
        PendingLogin(
            company_id=user.company_id,
            id=work.new_id(),
            user_id=user.id,
            token_hash=sessions.digest(token),
            step=step,
            **asdict(Waiting(expires_at=work.now() + steps.LIFE)),
        )
    )
    return token
