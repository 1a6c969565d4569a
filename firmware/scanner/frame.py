"""Frames of the scanner's line: COBS, CRC-32, a truncated HMAC. Pure: bytes in, bytes out.

The format and the reasons for dropping a frame are in docs/contract/scanner/v1/README.md. A key has 32 bytes, `nonces`
are the scanner's and the clock's, 16 bytes together.
"""

import binascii
import hashlib
import struct

HELLO, WELCOME, TAP, ACK, STATUS, TIME, ADOPT, ADOPTED = 1, 2, 3, 4, 5, 6, 7, 8
FORGET, UPDATE_BEGIN, UPDATE_CHUNK, UPDATE_END, UPDATE_STATE, FEEDBACK, REFUSED = 9, 10, 11, 12, 13, 14, 15
NO_KEY = bytes(32)
NO_NONCE = bytes(8)

# Frames of a clock, with the least length of their body.
_FROM_CLOCK = {
    WELCOME: 25,
    ACK: 0,
    TIME: 17,
    ADOPT: 56,
    FORGET: 0,
    UPDATE_BEGIN: 48,
    UPDATE_CHUNK: 5,
    UPDATE_END: 0,
    FEEDBACK: 1,
}
_UNCOUNTED = (WELCOME, ACK, FEEDBACK)
_HEAD, _MAC, _CRC, _LONGEST_BODY = 9, 8, 4, 200
_SHORTEST = _HEAD + _MAC + _CRC
_LONGEST = _SHORTEST + _LONGEST_BODY
_INNER, _OUTER = int.from_bytes(b"\x36" * 64, "big"), int.from_bytes(b"\x5c" * 64, "big")


class Dropped(ValueError):
    """A frame that is not taken; its text is the contract's word for the reason."""


def hmac_sha256(key, message):
    """RFC 2104 for keys of at most 64 bytes; the boards' firmware brings no hmac."""
    number = int.from_bytes(key + bytes(64 - len(key)), "big")
    inner = hashlib.sha256((number ^ _INNER).to_bytes(64, "big"))
    inner.update(message)
    outer = hashlib.sha256((number ^ _OUTER).to_bytes(64, "big"))
    outer.update(inner.digest())
    return outer.digest()


def encode_cobs(plain):
    """Returns `plain` without zeros in it: at most 1 byte in 254 longer, and one more."""
    encoded = bytearray(1)
    mark = 0  # where the length of the open group will be written
    for position in range(len(plain)):  # enumerate would make a tuple for each byte
        byte = plain[position]
        if byte:
            encoded.append(byte)
        if not byte or (len(encoded) - mark == 255 and position + 1 < len(plain)):
            encoded[mark] = len(encoded) - mark
            mark = len(encoded)
            encoded.append(0)
    encoded[mark] = len(encoded) - mark
    return encoded


def decode_cobs(encoded):
    """Returns the plain bytes; raises Dropped("cobs") if these are not what `encode_cobs` makes."""
    plain = bytearray()
    view = memoryview(encoded)  # a slice of the bytes would be a copy
    position = 0
    while position < len(encoded):
        length = encoded[position]
        if not length or position + length > len(encoded):
            raise Dropped("cobs")
        plain += view[position + 1 : position + length]
        position += length
        if length < 255 and position < len(encoded):
            plain.append(0)
    if not encoded or not min(encoded):  # no zero inside
        raise Dropped("cobs")
    return plain


def pack(key, nonces, kind, epoch, seq, body=b"", direction=b"S"):
    """Returns a frame as it goes onto the line, with a zero on both sides."""
    raw = struct.pack(">BII", kind, epoch, seq) + body
    raw += hmac_sha256(key, direction + nonces + raw)[:_MAC]
    raw += struct.pack(">I", binascii.crc32(raw))
    return b"\0" + encode_cobs(raw) + b"\0"


def unpack(key, nonces, counter, raw):
    """Returns (kind, epoch, seq, body) of a clock's frame; raises Dropped. `counter`: the highest one received in this
    session.
    """
    kind, epoch, seq = struct.unpack(">BII", raw[:_HEAD])
    signed, body = raw[: -_MAC - _CRC], raw[_HEAD : -_MAC - _CRC]
    if kind == WELCOME:
        nonces = nonces[:8] + body[:8]
    wrong = 0
    for expected, got in zip(hmac_sha256(key, b"C" + nonces + signed), raw[-_MAC - _CRC : -_CRC]):
        wrong |= expected ^ got
    if wrong:
        raise Dropped("mac")
    if kind not in _FROM_CLOCK:
        raise Dropped("type")
    if len(body) < _FROM_CLOCK[kind]:
        raise Dropped("body")
    if kind not in _UNCOUNTED and seq <= counter:
        raise Dropped("replayed")
    return kind, epoch, seq, bytes(body)


def carries_counter(kind):
    """Returns whether the head of such a frame carries the session's counter."""
    return kind not in _UNCOUNTED


class Splitter:
    """Splits a line's bytes, in pieces of any length, into frames; `dropped` counts the invalid ones."""

    def __init__(self):
        self.dropped = 0
        self._open = bytearray()

    def feed(self, data):
        """Returns the raw frames that end in `data` and have the right COBS, length and CRC."""
        frames = []
        for byte in data:
            if byte:
                if len(self._open) <= _LONGEST + 1:  # one more than fits: what is longer is dropped at its end
                    self._open.append(byte)
            elif self._open:
                try:
                    frames.append(checked(self._open))
                except Dropped:
                    self.dropped += 1
                self._open = bytearray()
        return frames


def checked(encoded):
    """Returns the raw frame between two zeros of the line; raises Dropped."""
    raw = decode_cobs(encoded)
    if not _SHORTEST <= len(raw) <= _LONGEST:
        raise Dropped("length")
    if struct.unpack(">I", raw[-_CRC:])[0] != binascii.crc32(raw[:-_CRC]):
        raise Dropped("crc")
    return raw
