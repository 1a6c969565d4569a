"""Comparison of names of companies and people: without case, outer white space, and Unicode's different spellings.

Another version of Unicode's data (`kit/invisible.py`) may change a name's key; a migration then recomputes the keys.
"""

import unicodedata

from stempelwerk_cloud.kit.invisible import display_form

__all__ = ["KEY_GROWTH", "display_form", "fits", "key"]

KEY_GROWTH = 2
"""The longest key of a name, as a multiple of the name's limit."""


def key(name: str) -> str:
    """Returns the key that equal names share."""
    return unicodedata.normalize("NFKC", display_form(name)).casefold()


def fits(name: str, limit: int) -> bool:
    """Returns whether the name can be stored: its normalized form may be longer than typed, and its key longer
    still.
    """
    return len(display_form(name)) <= limit and len(key(name)) <= KEY_GROWTH * limit
