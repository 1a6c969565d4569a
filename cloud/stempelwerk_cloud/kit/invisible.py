"""Invisible characters of texts, by Unicode's own data, from `regex`."""

import unicodedata

import regex

_BLANK = regex.compile(r"[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]--[\s\x1c-\x1f]]", regex.V1)
"""Letters and marks without a visible form, whether assigned yet or not, controls and formats, and the empty Braille
pattern, which is in no such category. White space, as `str.split` has it, is handled separately.
"""
_SEEN = regex.compile(r"[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800\s]")


def has_visible_text(text: str) -> bool:
    """Returns whether the text has a visible character."""
    return _SEEN.search(text) is not None


def normalize_key(text: str) -> str:
    """Returns the form of a word for lookups: in one spelling, without invisible characters and outer white space."""
    return unicodedata.normalize("NFC", _BLANK.sub("", text)).strip()


def display_form(text: str) -> str:
    """Returns a name as it is stored and shown: spelled, and without doubled white space."""
    return " ".join(normalize_key(text).split())
