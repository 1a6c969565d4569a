"""How names of companies and people are compared: without case, outer space, and Unicode's several spellings.

Another edition of Unicode's data (`kit/invisible.py`) may make a name's key another one, and a migration then computes
the keys anew.
"""

import unicodedata

from stempelwerk_cloud.kit.invisible import shown

__all__ = ["KEY_GROWTH", "fits", "key", "shown"]

KEY_GROWTH = 2
"""How many times as long as a name its key may be."""


def key(name: str) -> str:
    """What two names share that count as the same."""
    return unicodedata.normalize("NFKC", shown(name)).casefold()


def fits(name: str, limit: int) -> bool:
    """Whether it can be kept: one spelling may be longer than what was typed, and a key longer than that."""
    return len(shown(name)) <= limit and len(key(name)) <= KEY_GROWTH * limit
