"""The rules of a login's steps, without a database: which step comes next, when a mail may be sent, which code is
valid.

A login lives ten minutes after its last step. A mailed code is valid for ten minutes and until the fifth wrong guess.
It is accepted once, because the login then ends or goes on to another step.
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
    """Returns the next step; None if no step is left."""
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
    """Returns the state after a code was mailed: only this code counts from now on. It and the login last ten
    minutes.
    """
    return Waiting(
        expires_at=now + LIFE,
        code_hash=code_hash,
        code_expires_at=now + LIFE,
        attempts=0,
        mails=waiting.mails + 1,
        mailed_at=now,
    )


def undo_mail(waiting: Waiting) -> Waiting:
    """Returns the state after the mail server has refused the mail: the code is void, and the mail does not count."""
    return replace(waiting, code_hash=None, code_expires_at=None, mails=waiting.mails - 1, mailed_at=None)


def count_wrong_code(waiting: Waiting) -> Waiting:
    """Returns the state after a wrong code. After the fifth one the sent code is void."""
    updated = replace(waiting, attempts=waiting.attempts + 1)
    return replace(updated, code_hash=None, code_expires_at=None) if is_over(updated) else updated


def is_over(waiting: Waiting) -> bool:
    """Returns whether all guesses are used up, until another code is sent."""
    return waiting.attempts >= ATTEMPTS


def is_right(waiting: Waiting, code_hash: bytes, now: datetime) -> bool:
    """Returns whether this is the hash of the valid code."""
    if waiting.code_hash is None or waiting.code_expires_at is None or is_over(waiting):
        return False
    return compare_digest(waiting.code_hash, code_hash) and now < waiting.code_expires_at
