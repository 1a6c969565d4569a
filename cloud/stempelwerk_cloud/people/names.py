"""How names of companies and people are compared: without case, outer space, and Unicode's several spellings."""

import unicodedata


def shown(name: str) -> str:
    """The name as it is kept and shown: one spelling, nothing invisible, no outer or doubled white space."""
    seen = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
    return " ".join(unicodedata.normalize("NFC", seen).split())


def key(name: str) -> str:
    """What two names share that count as the same."""
    return unicodedata.normalize("NFKC", shown(name)).casefold()
