"""Tag identifiers: the one spelling that all programs write, held to the contract's vectors.

It does not know who holds a tag, nor which words are reserved; both are the service's affair.
"""

import re

from stempelwerk_edge.errors import TagUnreadable

_SEPARATORS = dict.fromkeys(map(ord, " \t\n\v\f\r\u00a0:-"))
_ALLOWED = re.compile(r"[A-Za-z0-9._]+")
_HEXADECIMAL = re.compile(r"[0-9A-F]+")
_MAX_CHARACTERS = 64
_CHIP_BYTES = (4, 7, 10)
_RANDOM, _CASCADE = 0x08, 0x88


class TagRefused(TagUnreadable, ValueError):
    """The text is no tag. `reason` is `empty`, `character`, `too_long`, `length`, `random` or `cascade`, as in the
    vectors.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def normalise(text: str) -> str:
    """Returns a typed or received tag in the spelling that is stored and sent: no separators, upper case.

    A text of hexadecimal digits only is a chip's number and must have 4, 7 or 10 bytes; any other text is a word.
    Raises TagRefused if it is neither.
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


def from_reader(identifier: bytes) -> str:
    """Returns the spelling of an identifier as a reader delivers it, bytes in its order.

    Raises TagRefused for other lengths than 4, 7 and 10 bytes; for four bytes that begin with 08, which a phone draws
    at each contact; and for the first part of a longer one, which begins with 88.
    """
    if len(identifier) not in _CHIP_BYTES:
        raise TagRefused("length")
    if len(identifier) == 4 and identifier[0] == _RANDOM:
        raise TagRefused("random")
    if len(identifier) == 4 and identifier[0] == _CASCADE:
        raise TagRefused("cascade")
    return identifier.hex().upper()
