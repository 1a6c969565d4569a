"""The steps of a login, without a database: which comes next, when a mail may be sent, what a code is worth.

A login lives ten minutes after its last step. A code lives as long, bears five wrong guesses, and is good once: whoever
accepts it ends or moves the login.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Literal

Step = Literal["password_change", "totp", "email_otp", "email_input"]
PASSWORD_CHANGE: Step = "password_change"  # noqa: S105 -- the name of a step
TOTP: Step = "totp"
EMAIL_OTP: Step = "email_otp"
EMAIL_INPUT: Step = "email_input"

LIFE = timedelta(minutes=10)
ATTEMPTS = 5
MAILS = 5
BETWEEN_MAILS = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class LoginState:
    """The facts that decide which step a login still needs after the right password."""

    reset: bool
    authenticator: bool
    mail_server: bool
    linked: bool
    remembered: bool


def next_step(state: LoginState) -> Step | None:
    """Returns the next step; None: the login is done."""
    if state.reset:
        return PASSWORD_CHANGE
    if state.remembered:
        return None
    if state.authenticator:
        return TOTP
    if state.mail_server:
        return EMAIL_OTP if state.linked else EMAIL_INPUT
    return None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A login between two steps: the code that it waits for, and what was tried and sent so far."""

    expires_at: datetime
    code_hash: bytes | None = None
    code_expires_at: datetime | None = None
    attempts: int = 0
    mails: int = 0
    mailed_at: datetime | None = None


def mail_pause(waiting: Waiting, now: datetime) -> timedelta | None:
    """Returns how long to wait before the next mail may be sent; None: it may be sent now."""
    if waiting.mails >= MAILS:
        return max(timedelta(), waiting.expires_at - now)
    if waiting.mailed_at is not None and now < waiting.mailed_at + BETWEEN_MAILS:
        return waiting.mailed_at + BETWEEN_MAILS - now
    return None


def record_mail(waiting: Waiting, code_hash: bytes, now: datetime) -> Waiting:
    """Records a mailed code: only this one counts from now on, for ten minutes, and the login lives as long."""
    return Waiting(
        expires_at=now + LIFE,
        code_hash=code_hash,
        code_expires_at=now + LIFE,
        attempts=0,
        mails=waiting.mails + 1,
        mailed_at=now,
    )


def undo_mail(waiting: Waiting) -> Waiting:
    """Records that the mail server refused: the code is void, the next try need not wait, and no mail is counted."""
    return replace(waiting, code_hash=None, code_expires_at=None, mails=waiting.mails - 1, mailed_at=None)


def count_wrong_code(waiting: Waiting) -> Waiting:
    """Counts a wrong code. After the fifth the sent code is void."""
    updated = replace(waiting, attempts=waiting.attempts + 1)
    return replace(updated, code_hash=None, code_expires_at=None) if is_over(updated) else updated


def is_over(waiting: Waiting) -> bool:
    """Whether no further code may be tried, unless another is sent."""
    return waiting.attempts >= ATTEMPTS


def is_right(waiting: Waiting, code_hash: bytes, now: datetime) -> bool:
    """Whether that is the code that was sent, in time."""
    if waiting.code_hash is None or waiting.code_expires_at is None or is_over(waiting):
        return False
    return compare_digest(waiting.code_hash, code_hash) and now < waiting.code_expires_at
