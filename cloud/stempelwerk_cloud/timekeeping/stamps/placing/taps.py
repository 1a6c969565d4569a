"""A stamp and an anchor as the clock reported them, before anything has been concluded. Times in milliseconds."""

from typing import NamedTuple

import msgspec
from msgspec import Struct

from stempelwerk_cloud.domain.instants import from_ms
from stempelwerk_cloud.domain.true_time import Mark
from stempelwerk_cloud.kit.http.schemas import format_instant

NO_DIGEST = 0
"""The digest of taps that need none."""


class Tap(Struct, gc=False):
    """The content of one tap, in the words of the contract. `wall_ms` is `wall` as milliseconds since 1970 UTC.

    `digest`, the beginning of the SHA-256 of its canonical form, distinguishes it from others under the same id; it is
    computed before a tap is taken in, or read.
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
    """A time anchor: the server's time was `server_ms` (mid-flight) at `boottime_ms` of this boot; the round trip took
    `rtt_ms`.
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
    """A device's claim that it made this tap, in this epoch; first received at `received_ms`."""

    device_no: int
    epoch: str
    received_ms: int
    tap: Tap

    @property
    def rank(self) -> tuple[int, int]:
        """The rank among claims to one id, by digest as bytes, then by device; the smallest counts."""
        return self.tap.digest & (2**64 - 1), self.device_no


_tap = msgspec.json.Decoder(Tap)


def write_content(tap: Tap) -> str:
    """Encodes a tap as the text in tables."""
    return msgspec.json.encode(tap).decode()


def read_content(content: str) -> Tap:
    return _tap.decode(content)


def short_digest(digest: bytes) -> int:
    """Returns the first 64 bits of a digest, as the signed number in tables."""
    return int.from_bytes(digest[:8], signed=True)


def format_ms(milliseconds: int) -> str:
    """Formats the instant as in the contract."""
    return format_instant(from_ms(milliseconds))


def is_plain_wall(wall: str) -> bool:
    """Whether a readable instant is spelled as by `format_ms`, so that its milliseconds give it back."""
    return len(wall) == 24 and wall.endswith("Z")
