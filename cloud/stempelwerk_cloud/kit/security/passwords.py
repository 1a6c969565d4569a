"""Argon2id hashes of passwords (19 MiB, two passes, about 25 ms), and checks of new passwords.

A letter counts as the same however a keyboard composes it (NFC, as RFC 8265 has it). The number of parallel hashes is
limited to four, so that a flood of logins cannot take the machine's memory.
"""

import threading
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from stempelwerk_cloud.domain.passwords import fold, is_guessable, spellings

MIN_LENGTH = 8
MAX_LENGTH = 256
PRODUCT = "Stempelwerk"
_AT_ONCE = threading.BoundedSemaphore(4)
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1, hash_len=32, salt_len=16)
_NOBODYS = "$argon2id$v=19$m=19456,t=2,p=1$vZgKWtd+4NYyMBbgu3DQlg$c3n6fWGaNiJrU/Uch8rwJ0NvrNBIK0wMP1E1rltS98Q"
"""A hash with the parameters of `_HASHER`, so that an unknown user costs as much as a wrong password."""


def hash_password(password: str) -> str:
    with _AT_ONCE:
        return _HASHER.hash(_spelled(password))


def verify(password_hash: str | None, password: str) -> bool:
    """Returns whether the password matches the hash. A hash of None, for an unknown user, takes as long as a wrong
    password.
    """
    with _AT_ONCE:
        try:
            right = _HASHER.verify(password_hash or _NOBODYS, _spelled(password))
        except (VerifyMismatchError, InvalidHashError):
            return False
    return right and password_hash is not None


class Refusal(NamedTuple):
    """The reason for refusing a password: a code, and the German sentence for the user."""

    code: str
    sentence: str


GUESSABLE = Refusal(
    "password_guessable",
    "Dieses Passwort ist zu leicht zu erraten: Es gehört zu den häufigsten, oder es ist nur ein Name aus Firma oder "
    "Benutzername. Nimm ein anderes, zum Beispiel drei Wörter, die nichts miteinander zu tun haben.",
)


def length_refusal(password: str) -> Refusal | None:
    """Returns the refusal of a password that is too short or too long; None if its length is accepted."""
    password = _spelled(password)
    if len(password) < MIN_LENGTH:
        return Refusal("invalid", f"Das Passwort muss mindestens {MIN_LENGTH} Zeichen haben.")
    if len(password) > MAX_LENGTH:
        return Refusal("invalid", f"Das Passwort darf höchstens {MAX_LENGTH} Zeichen haben.")
    return None


def find_refusal(password: str, names: Iterable[str] = ()) -> Refusal | None:
    """Returns the refusal of a password that a person chose: its length, or that it is easy to guess. None if it is
    accepted.

    `names`: those of the person and the company. The first call of a process reads the lists, in 150 ms.
    """
    refusal = length_refusal(password)
    if refusal is None and is_guessable(password, common_passwords(), [PRODUCT, *names]):
        return GUESSABLE
    return refusal


@cache
def common_passwords() -> frozenset[str]:
    """Returns the common passwords, folded: those of zxcvbn, and German ones that zxcvbn lacks, in all their
    spellings.
    """
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415 -- 150 ms that no start waits for

    bundled = resources.files(__package__).joinpath("common_passwords.txt").read_text("utf-8").splitlines()
    german = (spellings(line) for line in bundled if not line.startswith("#"))
    return frozenset(map(fold, FREQUENCY_LISTS["passwords"])).union(*german)


def _spelled(password: str) -> str:
    return unicodedata.normalize("NFC", password)
