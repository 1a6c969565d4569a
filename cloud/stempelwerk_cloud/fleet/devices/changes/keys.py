"""A device's public key and the two names derived from it: its key id and its claim code. Pure."""

import base64
import binascii
import hashlib
from functools import lru_cache

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_KEY_BYTES = 32
_CODE_LENGTH = 8
_MISREAD = str.maketrans("OIL", "011", " -")


class PublicKeyRefused(ValueError):
    """The error for a text that is no public key in standard base64 of 32 bytes. Only the canonical spelling is
    accepted.
    """


def read_public_key(text: str) -> bytes:
    """Returns the 32 bytes of a public key in base64. Raises PublicKeyRefused, also for a non-canonical spelling."""
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise PublicKeyRefused("no base64") from error
    if len(key) != _KEY_BYTES or base64.b64encode(key).decode() != text:
        raise PublicKeyRefused("not 32 bytes, or not their one spelling")
    return key


@lru_cache(maxsize=10_000)
def keyid(public_key: bytes) -> str:
    """Returns the key's name in signatures: base64url of its SHA-256, without padding."""
    return base64.urlsafe_b64encode(hashlib.sha256(public_key).digest()).rstrip(b"=").decode()


def claim_code(public_key: bytes) -> str:
    """Returns the claim code, the key's name for people: the first 40 bits of its SHA-256 in Crockford's base32,
    highest bits first.
    """
    bits = int.from_bytes(hashlib.sha256(public_key).digest()[:5])
    return "".join(_CROCKFORD[bits >> 5 * place & 31] for place in reversed(range(_CODE_LENGTH)))


def read_claim_code(text: str) -> str:
    """Normalizes a code read off a display: `O` becomes `0`, `I` and `L` become `1`, blanks and hyphens go."""
    return text.upper().translate(_MISREAD)
