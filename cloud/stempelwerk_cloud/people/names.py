"""How names of companies and people are compared: without case, outer space, and Unicode's several spellings."""

import unicodedata

KEY_GROWTH = 2
"""How many times as long as a name its key may be."""


def shown(name: str) -> str:
    """The name as it is kept and shown: one spelling, nothing invisible, no outer or doubled white space."""
    seen = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
    return " ".join(unicodedata.normalize("NFC", seen).split())


def key(name: str) -> str:
    """What two names share that count as the same."""
    return unicodedata.normalize("NFKC", shown(name)).casefold()


def fits(name: str, limit: int) -> bool:
    """Whether it can be kept: one spelling may be longer than what was typed, and a key longer than that."""
    return len(shown(name)) <= limit and len(key(name)) <= KEY_GROWTH * limit
