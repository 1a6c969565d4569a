"""Frames between a scanner and its clock, as docs/contract/scanner/v1 has them: COBS, CRC-32, a truncated HMAC. Pure.

A frame that is dropped is `Spoilt`, with the contract's word for the reason. Bodies are read into their members by
name; a start (`boot`) is a UUID's text.
"""

import hmac
import struct
import zlib
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal
from uuid import UUID

PROTO = 1
NO_KEY = bytes(32)
NO_NONCE = bytes(8)
NONCE_BYTES = 8
KEY_BYTES = 32
LONGEST_BODY = 200
_HEAD = struct.Struct(">BII")
_MAC_BYTES, _CRC_BYTES = 8, 4
_LEAST = _HEAD.size + _MAC_BYTES + _CRC_BYTES
_LONGEST_ON_WIRE = _LEAST + LONGEST_BODY + 2  # COBS adds one byte for each 254, and one more

Direction = Literal[b"S", b"C"]
"""The sender: the scanner or the clock."""


class Kind(IntEnum):
    """The types of frames."""

    HELLO = 0x01
    WELCOME = 0x02
    TAP = 0x03
    ACK = 0x04
    STATUS = 0x05
    TIME = 0x06
    ADOPT = 0x07
    ADOPTED = 0x08
    FORGET = 0x09
    UPDATE_BEGIN = 0x0A
    UPDATE_CHUNK = 0x0B
    UPDATE_END = 0x0C
    UPDATE_STATE = 0x0D
    FEEDBACK = 0x0E
    REFUSED = 0x0F


COUNTED = frozenset(Kind) - {Kind.HELLO, Kind.WELCOME, Kind.TAP, Kind.ACK, Kind.FEEDBACK}
"""The kinds whose frames carry the session's counter in `seq`, so that a recorded frame is refused."""


class Spoilt(ValueError):
    """A frame that is dropped: `cobs`, `length`, `crc`, `mac`, `type`, `body` or `replayed`."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame without its MAC and CRC. `epoch` and `seq` are the number of the tap that it is about, if it is about
    one.

    In the kinds of `COUNTED`, `seq` is the sender's counter.
    """

    kind: int
    epoch: int = 0
    seq: int = 0
    body: bytes = b""

    @property
    def signed(self) -> bytes:
        """Returns the part of the frame that the MAC covers, without the session."""
        return _HEAD.pack(self.kind, self.epoch, self.seq) + self.body


def stuff(raw: bytes) -> bytes:
    """Encodes bytes by COBS, without a zero among them."""
    out = bytearray()
    parts = raw.split(b"\0")
    for number, part in enumerate(parts):
        remainder = part
        while len(remainder) >= 254:
            out += b"\xff" + remainder[:254]
            remainder = remainder[254:]
            if not remainder and number == len(parts) - 1:
                return bytes(out)
        out.append(len(remainder) + 1)
        out += remainder
    return bytes(out)


def unstuff(stuffed: bytes) -> bytes:
    """Decodes stuffed bytes. Raises Spoilt."""
    out, position = bytearray(), 0
    if not stuffed:
        raise Spoilt("cobs")
    while position < len(stuffed):
        code = stuffed[position]
        part = stuffed[position + 1 : position + code]
        if not code or len(part) != code - 1:
            raise Spoilt("cobs")
        out += part
        position += code
        if code < 0xFF and position < len(stuffed):
            out.append(0)
    return bytes(out)


class Unframer:
    """Splits the bytes of a line into frames. Even if no frame ever ends, it holds no more memory than one frame
    takes.
    """

    def __init__(self) -> None:
        self._held = bytearray()
        self._overlong = False

    def feed(self, data: bytes) -> list[bytes]:
        """Returns the stuffed frames that these bytes complete; an overlong one comes as an invalid frame."""
        complete_frames: list[bytes] = []
        for number, part in enumerate(data.split(b"\0")):
            if number and (self._held or self._overlong):
                complete_frames.append(b"\0" if self._overlong else bytes(self._held))
            if number:
                self._held.clear()
                self._overlong = False
            self._held += part
            if len(self._held) > _LONGEST_ON_WIRE:
                self._held.clear()
                self._overlong = True
        return complete_frames


@dataclass(frozen=True, slots=True)
class Session:
    """The part of a session that every MAC covers: the key and both sides' nonces."""

    key: bytes = NO_KEY
    scanner_nonce: bytes = NO_NONCE
    clock_nonce: bytes = NO_NONCE

    def mac(self, direction: Direction, frame: Frame) -> bytes:
        """Returns the frame's MAC in this session."""
        covered = direction + self.scanner_nonce + self.clock_nonce + frame.signed
        return hmac.digest(self.key, covered, "sha256")[:_MAC_BYTES]

    def seal(self, direction: Direction, frame: Frame) -> bytes:
        """Returns the frame as it goes over the wire."""
        raw = frame.signed + self.mac(direction, frame)
        return b"\0" + stuff(raw + zlib.crc32(raw).to_bytes(_CRC_BYTES, "big")) + b"\0"

    def is_genuine(self, direction: Direction, frame: Frame, mac: bytes) -> bool:
        """Returns whether the frame was made in this session by that side."""
        return hmac.compare_digest(self.mac(direction, frame), mac)

    def open(self, direction: Direction, frame: Frame, mac: bytes, counter: int = 0) -> dict[str, Any]:
        """Returns the members of a frame after its MAC was verified; `counter` is the highest one received so far.
        Raises Spoilt.
        """
        if not self.is_genuine(direction, frame, mac):
            raise Spoilt("mac")
        members = unpack(frame)
        if frame.kind in COUNTED and frame.seq <= counter:
            raise Spoilt("replayed")
        return members


def read(stuffed: bytes) -> tuple[Frame, bytes]:
    """Reads a frame and its MAC, which is not verified yet. Raises Spoilt."""
    raw = unstuff(stuffed)
    if not _LEAST <= len(raw) <= _LEAST + LONGEST_BODY:
        raise Spoilt("length")
    content, crc = raw[:-_CRC_BYTES], raw[-_CRC_BYTES:]
    if zlib.crc32(content).to_bytes(_CRC_BYTES, "big") != crc:
        raise Spoilt("crc")
    kind, epoch, seq = _HEAD.unpack_from(content)
    return Frame(kind, epoch, seq, content[_HEAD.size : -_MAC_BYTES]), content[-_MAC_BYTES:]


# ---- bodies


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of a body: its members in order, each with its `struct` format.

    `S` is a text in UTF-8, padded with zeros to the bytes that its format names.
    """

    members: tuple[tuple[str, str], ...]

    @property
    def struct(self) -> struct.Struct:
        return struct.Struct(">" + "".join(form.replace("S", "s") for _, form in self.members))


_WORDS = {"quality": ("none", "manual", "rtc", "ntp"), "reader": ("ok", "absent", "fault")}


def _layout(**members: str) -> _Layout:
    return _Layout(tuple(members.items()))


_LAYOUTS = {
    Kind.HELLO: _layout(
        proto="B",
        serial="16S",
        board="8S",
        version="12S",
        boot="16s",
        nonce="8s",
        first="I",
        next="I",
        adopted="B",
        overflow="I",
    ),
    Kind.WELCOME: _layout(nonce="8s", wall="Q", committedEpoch="I", committedSeq="I", quality="B"),
    Kind.TAP: _layout(boot="16s", tick="Q", flags="B", length="B"),
    Kind.ACK: _layout(),
    Kind.STATUS: _layout(
        tick="Q",
        battery="H",
        percent="B",
        charging="B",
        used="I",
        capacity="I",
        overflow="I",
        boot="16s",
        reader="B",
    ),
    Kind.TIME: _layout(wall="Q", quality="B", tick="Q"),
    Kind.ADOPT: _layout(key="32s", name="24S"),
    Kind.ADOPTED: _layout(),
    Kind.FORGET: _layout(),
    Kind.UPDATE_BEGIN: _layout(size="I", sha256="32s", version="12S"),
    Kind.UPDATE_CHUNK: _layout(offset="I"),
    Kind.UPDATE_END: _layout(),
    Kind.UPDATE_STATE: _layout(offset="I", state="B", reason="B"),
    Kind.FEEDBACK: _layout(code="B"),
    Kind.REFUSED: _layout(code="B"),
}


def pack(kind: Kind, epoch: int = 0, seq: int = 0, *, uid: bytes = b"", data: bytes = b"", **members: Any) -> Frame:
    """Returns a frame of these members; `uid` is a TAP's, `data` an UPDATE_CHUNK's. A text is cut to its room."""
    layout = _LAYOUTS[kind]
    if kind is Kind.TAP:
        members["length"] = len(uid)
    values = (_packed(name, form, members[name]) for name, form in layout.members)
    return Frame(kind, epoch, seq, layout.struct.pack(*values) + uid + data)


def _packed(name: str, form: str, value: Any) -> int | bytes:
    if form.endswith("S"):
        cut: bytes = value.encode("utf-8")[: int(form[:-1])]
        return cut.decode("utf-8", "ignore").encode("utf-8")
    if name == "boot":
        return UUID(value).bytes
    if name in _WORDS and isinstance(value, str):
        return _WORDS[name].index(value)
    return value  # type: ignore[no-any-return]


def unpack(frame: Frame) -> dict[str, Any]:
    """Returns the members of a body; what a later version appends is passed over. Raises Spoilt."""
    layout = _LAYOUTS.get(frame.kind)  # type: ignore[call-overload]
    if layout is None:
        raise Spoilt("type")
    form = layout.struct
    if len(frame.body) < form.size:
        raise Spoilt("body")
    values = form.unpack_from(frame.body)
    members = {name: _read(name, kind, value) for (name, kind), value in zip(layout.members, values, strict=True)}
    if frame.kind == Kind.TAP:
        members["uid"] = frame.body[form.size : form.size + members["length"]]
        if len(members["uid"]) != members["length"]:
            raise Spoilt("body")
    if frame.kind == Kind.UPDATE_CHUNK:
        members["data"] = frame.body[form.size :]
        if not members["data"]:
            raise Spoilt("body")
    return members


def _read(name: str, form: str, value: Any) -> Any:
    if form.endswith("S"):
        text = value.rstrip(b"\0").decode("utf-8", "replace")
        return "".join(letter if letter.isprintable() else "?" for letter in text)
    if name == "boot":
        return str(UUID(bytes=value))
    if name in _WORDS:
        return _WORDS[name][min(value, len(_WORDS[name]) - 1)]
    return value
