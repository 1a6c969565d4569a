"""Tags as a reader's chip meets them: what they answer to the first commands of their technology.

They hold identity only: no memory, no keys, no application. Numbers are from ISO/IEC 14443-3 (type A) and
JIS X 6319-4 (type F).
"""

from collections.abc import Callable
from dataclasses import dataclass

CASCADE_BYTE = 0x88
_ISO_DEP = 0x20


@dataclass(frozen=True)
class TypeA:
    """A type A tag: `uid` of 4, 7 or 10 bytes, `sens_res` as the 16-bit number of the data sheets, `sel_res` (SAK).

    `ats` is the tag's answer when a reader activates it further; only tags with ISO-DEP in their SAK have one.
    """

    uid: bytes
    sens_res: int
    sel_res: int
    ats: bytes = b""

    @property
    def speaks_iso_dep(self) -> bool:
        """Whether a reader may ask this tag for its ATS."""
        return bool(self.sel_res & _ISO_DEP)


@dataclass(frozen=True)
class TypeF:
    """A type F tag (FeliCa): its identity `idm` of 8 bytes, parameters `pmm` of 8, and one system code."""

    idm: bytes
    pmm: bytes = bytes.fromhex("03014B024F4993FF")
    system: bytes = bytes.fromhex("12FC")


Tag = TypeA | TypeF


def mifare_classic(uid: bytes) -> TypeA:
    """Returns a MIFARE Classic 1K with a number of 4 or 7 bytes."""
    return TypeA(uid, 0x0004 if len(uid) == 4 else 0x0044, 0x08)


def ntag(uid: bytes) -> TypeA:
    """Returns a sticker or key fob of the NTAG family, with a number of 7 bytes."""
    return TypeA(uid, 0x0044, 0x00)


def triple(uid: bytes) -> TypeA:
    """Returns a tag with the longest possible number, 10 bytes."""
    return TypeA(uid, 0x0084, 0x00)


def desfire(uid: bytes) -> TypeA:
    """Returns a MIFARE DESFire: it has ISO-DEP, so a reader with default settings fetches an ATS as well."""
    return TypeA(uid, 0x0344, 0x20, bytes.fromhex("067577810280"))


def phone(uid: bytes = bytes.fromhex("08A1B2C3")) -> TypeA:
    """Returns a phone: ISO-DEP with a random number for each tap, which is marked by its first byte, 08."""
    return TypeA(uid, 0x0004, 0x20, bytes.fromhex("0578807002"))


def tag_of(number: str) -> Tag:
    """Returns the likeliest tag for a written number (hexadecimal), by its length; ValueError for other lengths."""
    uid = bytes.fromhex(number.replace(":", "").replace("-", ""))
    makers: dict[int, Callable[[bytes], Tag]] = {4: mifare_classic, 7: ntag, 8: TypeF, 10: triple}
    if len(uid) not in makers:
        raise ValueError(f"a tag's number has 4, 7, 8 or 10 bytes, not {len(uid)}")
    return makers[len(uid)](uid)
