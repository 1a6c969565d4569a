"""Taps and anchors as the clock reported them, before anything is concluded from them. Times in milliseconds."""

from typing import NamedTuple

import msgspec
from msgspec import Struct

from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.domain.true_time import Mark
from stempelwerk_cloud.kit.http.schemas import format_instant

NO_DIGEST = 0
"""The digest of taps that are never compared."""


class Tap(Struct, gc=False):
    """The content of one tap, with the names of the contract. `wall_ms` is `wall` as milliseconds since 1970 UTC.

    `digest` is the first 64 bits of the SHA-256 of its canonical form, and distinguishes it from other taps under the
    same id. It is computed before a tap is stored, or read.
    """

    id: str
    seq: int
    assignment: str | None
    tag: str
    direction: str
    wall: str
    wall_ms: int
    boot: str
    boottime_ms: int
    quality: str
    via: str
    shown: str | None
    digest: int


class Anchor(NamedTuple):
    """A time anchor: the server's time was `server_ms` (in the middle of the round trip) at `boottime_ms` of this boot.

    `rtt_ms` is the duration of the round trip.
    """

    boot: str
    boottime_ms: int
    server_ms: int
    rtt_ms: int

    @property
    def mark(self) -> Mark:
        """The anchor without its boot."""
        return Mark(self.boottime_ms, self.server_ms, self.rtt_ms)


class Claim(NamedTuple):
    """A device's claim that it made this tap, in this epoch. `received_ms`: when the claim was first received."""

    device_no: int
    epoch: str
    received_ms: int
    tap: Tap

    @property
    def rank(self) -> tuple[int, int]:
        """The rank among claims to one id: the digest as an unsigned number, then the device. The claim with the
        smallest counts.
        """
        return self.tap.digest & (2**64 - 1), self.device_no


_tap = msgspec.json.Decoder(Tap)


def write_content(tap: Tap) -> str:
    """Encodes a tap as JSON for the columns `content`."""
    return msgspec.json.encode(tap).decode()


def read_content(content: str) -> Tap:
    return _tap.decode(content)


def short_digest(digest: bytes) -> int:
    """Returns the first 64 bits of a digest as a signed number, as databases store it."""
    return int.from_bytes(digest[:8], signed=True)


def format_ms(milliseconds: int) -> str:
    """Formats the instant as in the contract."""
    return format_instant(from_ms(milliseconds))


def is_plain_wall(wall: str) -> bool:
    """Whether an instant is spelled as `format_ms` does, so that it can be restored from its milliseconds."""
    return len(wall) == 24 and wall.endswith("Z")
