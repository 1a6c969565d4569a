"""Codes and passwords that people read, speak and type, made of the randomness of `kit/clock.Ids`."""

import hashlib

from stempelwerk_cloud.kit.clock import Ids

READABLE = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that cannot be confused."""


def digits(ids: Ids, length: int) -> str:
    """Returns decimal digits, uniformly distributed."""
    return f"{_number(ids) % 10**length:0{length}d}"


def grouped(ids: Ids, groups: int = 4, size: int = 4) -> str:
    """Returns groups of readable letters and digits, joined by hyphens; four groups of four hold 79 random bits."""
    number = _number(ids)
    letters = []
    for _ in range(groups * size):
        number, index = divmod(number, len(READABLE))
        letters.append(READABLE[index])
    return "-".join("".join(letters[start : start + size]) for start in range(0, len(letters), size))


def hexadecimal(ids: Ids) -> str:
    """Returns 64 hexadecimal digits."""
    return f"{_number(ids):064x}"


def typed(text: str) -> str:
    """Normalizes a typed code: without spaces and hyphens, in lower case."""
    return "".join(letter for letter in text.lower() if letter.isalnum())


def _number(ids: Ids) -> int:
    # The token is the randomness; its hash spreads it over a number so large that the remainders are even.
    return int.from_bytes(hashlib.sha256(ids.token(32).encode()).digest())
