"""Passwords as Argon2id hashes with explicit parameters: 19 MiB, two passes, about 25 ms.

A letter counts as the same however a keyboard composes it (NFC, as RFC 8265 has it).

At most four are hashed or compared at once, so that a flood of logins cannot take the machine's memory.
"""

import threading
import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

MIN_LENGTH = 8
MAX_LENGTH = 256
_AT_ONCE = threading.BoundedSemaphore(4)
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16)
_NOBODYS = _HASHER.hash("a password that nobody has")


def hash_password(password: str) -> str:
    with _AT_ONCE:
        return _HASHER.hash(_spelled(password))


def verify(password_hash: str | None, password: str) -> bool:
    """Whether the password is right. None (nobody's hash) takes as long as a wrong password."""
    with _AT_ONCE:
        try:
            right = _HASHER.verify(password_hash or _NOBODYS, _spelled(password))
        except (VerifyMismatchError, InvalidHashError):
            return False
    return right and password_hash is not None


def length_problem(password: str) -> str | None:
    """The German sentence that refuses a password, or None."""
    password = _spelled(password)
    if len(password) < MIN_LENGTH:
        return f"Das Passwort muss mindestens {MIN_LENGTH} Zeichen haben."
    if len(password) > MAX_LENGTH:
        return f"Das Passwort darf höchstens {MAX_LENGTH} Zeichen haben."
    return None


def _spelled(password: str) -> str:
    return unicodedata.normalize("NFC", password)
