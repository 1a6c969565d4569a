"""A stamp and an anchor as the clock reported them, before anything has been concluded. Times in milliseconds."""

from typing import NamedTuple

import msgspec
from msgspec import Struct

from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.domain.true_time import Mark
from stempelwerk_cloud.kit.http.schemas import format_instant

NO_DIGEST = 0
"""Where nobody asks for a tap's digest."""


class Tap(Struct, gc=False):
    """What one tap was, in the words of the contract. `wall_ms` is `wall` as milliseconds since 1970 UTC.

    `digest`, the beginning of the SHA-256 of its canonical form, tells it from others under the same id; it is made
    before a tap is taken in, or read.
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
    """At `boottime_ms` of this boot the server's time was `server_ms` (mid-flight); the round trip took `rtt_ms`."""

    boot: str
    boottime_ms: int
    server_ms: int
    rtt_ms: int

    @property
    def mark(self) -> Mark:
        """The anchor among those of its boot."""
        return Mark(self.boottime_ms, self.server_ms, self.rtt_ms)


class Claim(NamedTuple):
    """That a device says it made this tap, in this epoch; received first at `received_ms`."""

    device_no: int
    epoch: str
    received_ms: int
    tap: Tap

    @property
    def rank(self) -> tuple[int, int]:
        """Of claims to one id the one with the smallest counts: by digest as bytes, then by device."""
        return self.tap.digest & (2**64 - 1), self.device_no


_tap = msgspec.json.Decoder(Tap)


def write_content(tap: Tap) -> str:
    """A tap as the text that tables keep."""
    return msgspec.json.encode(tap).decode()


def read_content(content: str) -> Tap:
    return _tap.decode(content)


def short_digest(digest: bytes) -> int:
    """The first 64 bits of a digest, as the signed number that tables keep."""
    return int.from_bytes(digest[:8], signed=True)


def format_ms(milliseconds: int) -> str:
    """The instant as the contract writes it."""
    return format_instant(from_ms(milliseconds))


def is_plain_wall(wall: str) -> bool:
    """Whether a readable instant is spelled as `format_ms` spells it, so that its milliseconds give it back."""
    return len(wall) == 24 and wall.endswith("Z")
