"""What of a text nobody sees, as Unicode's own data has it, which `regex` carries."""

import unicodedata

import regex

_BLANK = regex.compile(r"[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]--[\s\x1c-\x1f]]", regex.V1)
"""Letters and marks that show nothing, whether assigned yet or not, controls and formats; the empty Braille pattern is
none of these and shows nothing either. White space, as `str.split` has it, is dealt with by itself."""
_SEEN = regex.compile(r"[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800\s]")


def shows(text: str) -> bool:
    """Whether there is anything to see."""
    return _SEEN.search(text) is not None


def spelled(text: str) -> str:
    """A word by which things are found: in one spelling, without what is invisible, and outer white space."""
    return unicodedata.normalize("NFC", _BLANK.sub("", text)).strip()


def shown(text: str) -> str:
    """A name as it is kept and shown: spelled, and without doubled white space."""
    return " ".join(spelled(text).split())
