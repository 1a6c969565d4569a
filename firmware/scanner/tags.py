"""The one spelling of a tag, on a scanner.

`normalise` takes a reader's identifier (bytes, in the reader's order) or typed text (str) and returns the text that all
four programs use for the tag. It deliberately does not know readers, people or reserved words. The rules are in
docs/contract/v1/tags.md, their vectors in docs/contract/v1/vectors/tags.json.

Plain MicroPython: no regular expressions, and no str.isspace, isdigit or upper before the characters are judged,
because their results for characters beyond ASCII differ between interpreters.
"""

LONGEST = 64
CHIP_BYTES = (4, 7, 10)
RANDOM = 0x08  # first of four bytes: an identifier drawn newly at each contact
CASCADE = 0x88  # first of four bytes: only the first part of a longer identifier was read

_SEPARATORS = "\t\n\x0b\x0c\r \xa0:-"
_HEX = "0123456789ABCDEF"
_ALLOWED = _HEX + "GHIJKLMNOPQRSTUVWXYZ._"


def normalise(tag):
    """Returns the tag's text; raises ValueError with a short reason for anything else.

    bytes (or a bytearray, a memoryview) are an identifier as read from a chip, str is text that a person typed or a
    message brought.
    """
    if isinstance(tag, str):
        return _from_text(tag)
    return _from_reader(bytes(tag))


def _from_reader(identifier):
    if len(identifier) not in CHIP_BYTES:
        raise ValueError("length")
    if len(identifier) == 4:
        if identifier[0] == RANDOM:
            raise ValueError("random")
        if identifier[0] == CASCADE:
            raise ValueError("cascade")
    return "".join(["%02X" % byte for byte in identifier])


def _from_text(text):
    characters = []
    only_hex = True
    for character in text:
        if character in _SEPARATORS:
            continue
        if "a" <= character <= "z":
            character = chr(ord(character) - 32)
        if character not in _ALLOWED:
            raise ValueError("character")
        only_hex = only_hex and character in _HEX
        characters.append(character)
    if not characters:
        raise ValueError("empty")
    if len(characters) > LONGEST:
        raise ValueError("too_long")
    if only_hex and (len(characters) % 2 or len(characters) // 2 not in CHIP_BYTES):
        raise ValueError("length")
    return "".join(characters)
