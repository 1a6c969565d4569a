"""Comparing names of companies and people: without case, outer space, and Unicode's several spellings.

Another version of Unicode's data (`kit/invisible.py`) may change a name's key; a migration then recomputes the keys.
"""

import unicodedata

from stempelwerk_cloud.kit.invisible import shown

__all__ = ["KEY_GROWTH", "fits", "key", "shown"]

KEY_GROWTH = 2
"""The longest key of a name, as a multiple of the name's limit."""


def key(name: str) -> str:
    """Returns the key that equal names share."""
    return unicodedata.normalize("NFKC", shown(name)).casefold()


def fits(name: str, limit: int) -> bool:
    """Whether the name can be stored: its normalized form may be longer than typed, and its key longer still."""
    return len(shown(name)) <= limit and len(key(name)) <= KEY_GROWTH * limit
