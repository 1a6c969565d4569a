"""How names of companies and people are compared: without case, outer space, and Unicode's several spellings.

What counts as invisible is said by Unicode's own data, which `regex` carries; another edition of it may make a name's
key another one, and a migration then computes the keys anew.
"""

import unicodedata

import regex

# Letters and marks that show nothing, whether assigned yet or not, controls and formats; the empty Braille pattern is
# none of these and shows nothing either. White space, as `str.split` has it, is dealt with by itself.
_BLANK = regex.compile(r"[[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]--[\s\x1c-\x1f]]", regex.V1)
KEY_GROWTH = 2
"""How many times as long as a name its key may be."""


def shown(name: str) -> str:
    """The name as it is kept and shown: one spelling, nothing invisible, no outer or doubled white space."""
    return " ".join(unicodedata.normalize("NFC", _BLANK.sub("", name)).split())


def key(name: str) -> str:
    """What two names share that count as the same."""
    return unicodedata.normalize("NFKC", shown(name)).casefold()


def fits(name: str, limit: int) -> bool:
    """Whether it can be kept: one spelling may be longer than what was typed, and a key longer than that."""
    return len(shown(name)) <= limit and len(key(name)) <= KEY_GROWTH * limit
