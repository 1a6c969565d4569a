"""Tag identifiers: their normal form, which all programs use and the contract's vectors test.

This module knows neither the owners of tags nor the reserved words.
"""

import re
from enum import StrEnum

_SEPARATORS = dict.fromkeys(map(ord, " \t\n\v\f\r\u00a0:-"))
_ALLOWED = re.compile(r"[A-Za-z0-9._]+")
_HEXADECIMAL = re.compile(r"[0-9A-F]+")
_MAX_CHARACTERS = 64
_CHIP_BYTES = (4, 7, 10)
_FOUR_BYTES = 8
_EXACT_DIGITS = 15
"""The number of decimal digits of a number that a spreadsheet preserves; further digits become zeros."""
_HEX_PREFIX = re.compile(r"(?:0X[0-9A-F]+)+")
_SCIENTIFIC = re.compile(r"[0-9]+[.,][0-9]+E[+-]?[0-9]{1,3}|[0-9]+E\+[0-9]{1,3}|[0-9]{1,3}E-[0-9]{1,3}")
_NUMBER_FORMAT = re.compile(r"[0-9]{7,}[.,]0+|[0-9]{1,3}(?:[.,][0-9]{3}){2,}(?:[.,][0-9]+)?")
_LONG_NUMBER = re.compile(r"[0-9]{16,}")


class TagDamage(StrEnum):
    """The damage that shows that a typed or imported text is no longer the identifier of a chip."""

    HEX_PREFIX = "hex_prefix"
    SCIENTIFIC = "scientific"
    NUMBER_FORMAT = "number_format"
    ROUNDED = "rounded"


class UnreadableTag(StrEnum):
    """The reason why clocks ignore taps with an identifier of four bytes, as the contract's vectors name it."""

    RANDOM = "random"
    CASCADE = "cascade"


_UNREADABLE = {"08": UnreadableTag.RANDOM, "88": UnreadableTag.CASCADE}


class TagRefused(ValueError):
    """The error for a text that is no tag. `reason` is `empty`, `character`, `too_long` or `length`, as in the
    vectors.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def normalise(text: str) -> str:
    """Returns the normal form of a tag, which is stored and compared: no separators, upper case.

    A text of hexadecimal digits only is a chip's number and must have 4, 7 or 10 bytes; any other text is a word.
    Raises TagRefused (a ValueError) if it is neither.
    """
    bare = text.translate(_SEPARATORS)
    if not bare:
        raise TagRefused("empty")
    if not _ALLOWED.fullmatch(bare):
        raise TagRefused("character")
    if len(bare) > _MAX_CHARACTERS:
        raise TagRefused("too_long")
    tag = bare.upper()
    if _HEXADECIMAL.fullmatch(tag) and len(tag) not in {2 * size for size in _CHIP_BYTES}:
        raise TagRefused("length")
    return tag


def find_unreadable(tag: str) -> UnreadableTag | None:
    """Returns why clocks ignore taps with this normalised tag; None if they accept them."""
    if len(tag) == _FOUR_BYTES and _HEXADECIMAL.fullmatch(tag):
        return _UNREADABLE.get(tag[:2])
    return None


def find_damage(text: str) -> TagDamage | None:
    """Returns the damage by a spreadsheet or another program that the form of the text proves; else None.

    `12345E03` is accepted as a chip's number of 4 bytes, because without a sign or a decimal mark nothing proves an
    exponent. A long number counts as rounded only if it has no separators, so `14:11:22:…` remains a way to enter such
    an identifier.
    """
    compact = "".join(text.split()).upper()
    if _HEX_PREFIX.fullmatch(compact.translate(_SEPARATORS)):
        return TagDamage.HEX_PREFIX
    if _SCIENTIFIC.fullmatch(compact):
        return TagDamage.SCIENTIFIC
    if _NUMBER_FORMAT.fullmatch(compact):
        return TagDamage.NUMBER_FORMAT
    if _LONG_NUMBER.fullmatch(compact) and (compact.endswith("000") or not compact[_EXACT_DIGITS:].strip("0")):
        return TagDamage.ROUNDED
    return None
