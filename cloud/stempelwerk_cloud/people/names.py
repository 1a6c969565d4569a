"""How names of companies and people are compared: without case, outer space, and Unicode's several spellings."""

import re
import unicodedata

# Letters and marks that show nothing: Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.txt beyond the
# format characters, and the empty Braille pattern.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
KEY_GROWTH = 2
"""How many times as long as a name its key may be."""


def shown(name: str) -> str:
    """The name as it is kept and shown: one spelling, nothing invisible, no outer or doubled white space."""
    seen = "".join(letter for letter in _BLANK.sub("", name) if letter.isspace() or not _is_control(letter))
    return " ".join(unicodedata.normalize("NFC", seen).split())


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) in {"Cc", "Cf"}


def key(name: str) -> str:
    """What two names share that count as the same."""
    return unicodedata.normalize("NFKC", shown(name)).casefold()


def fits(name: str, limit: int) -> bool:
    """Whether it can be kept: one spelling may be longer than what was typed, and a key longer than that."""
    return len(shown(name)) <= limit and len(key(name)) <= KEY_GROWTH * limit
