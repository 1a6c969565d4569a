"""Version 1 of the contract: parsing of batches, and reading and writing of all other messages.

The modules that answer the other calls parse the members of their messages. Parsing is tolerant: unknown members are
ignored, and a member that may be null may also be absent. An unreadable member of a batch is kept with its bytes as an
`Unreadable`. Only an unreadable envelope is an error. This module does not decide what the values mean.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeGuard

import msgspec
from msgspec import Meta, Raw, Struct

from stempelwerk_cloud.device_api.delivery.streams import RANGES_LIMIT, Range
from stempelwerk_cloud.domain.instants import ms_of
from stempelwerk_cloud.timekeeping.ledger.placing.taps import NO_DIGEST, Anchor, Tap, short_digest

PROTO = 1
MAX_BATCH = 500
MAX_ANCHORS = 2 * MAX_BATCH
"""Maximum number of anchors in a batch: a clock sends the best anchor of each stamp, and the newest one of each
boot.
"""
MAX_GONE = RANGES_LIMIT
"""Maximum number of `gone` ranges in a batch, as many as an epoch stores. The service requests the rows of further
ranges again.
"""

_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_INSTANT = re.compile(
    r"\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)", re.ASCII
)
_LAST_INSTANT_MS = ms_of(datetime(9999, 12, 31, 23, 59, 59, 999_000, UTC))

Uuid = Annotated[str, Meta(pattern=f"^{_UUID.pattern}$", max_length=36)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
Seq = Annotated[int, Meta(ge=1, le=2**53 - 1)]
Boottime = Annotated[int, Meta(ge=0, le=4 * 10**12)]
Quality = Literal["ntp", "rtc", "manual", "none"]


class UnreadableMessage(ValueError):
    """The error for a message whose envelope cannot be parsed."""


class UnknownProto(UnreadableMessage):
    """The error for a message with a `proto` that this server does not know."""


class TooManyStamps(ValueError):
    """The error for a batch with more than 500 stamps."""


class WireStamp(Struct, rename={"boottime_ms": "boottimeMs"}):
    """A stamp as it is sent, with the checks that msgspec makes while it parses."""

    boot: Uuid
    boottime_ms: Boottime
    direction: Literal["auto", "in", "out"]
    id: Uuid
    quality: Quality
    seq: Seq
    tag: Word
    via: Word
    wall: str
    assignment: Word | None = None
    shown: Literal["in", "out", "double_tap", "unknown"] | None = None


class Canonical(Struct, rename={"boottime_ms": "boottimeMs"}):
    """A stamp whose members are in the order of their JSON names, so that encoding it gives its canonical form."""

    assignment: str | None
    boot: str
    boottime_ms: int
    direction: str
    id: str
    quality: str
    seq: int
    shown: str | None
    tag: str
    via: str
    wall: str


class Unreadable(Struct):
    """A member of `stamps` that is no valid stamp: the values of its `id` and `seq`, if readable, and its bytes."""

    sent_id: str | None
    seq: int | None
    raw: bytes


class Batch(Struct):
    """A parsed batch. Ids are normalised; `sent_batch` and `sent_ids` have the clock's own spelling, which the answer
    repeats.

    `stamps` and `sent_ids` have the same length and order. `gone`: the rows that the clock has given up.
    """

    batch: str
    sent_batch: str
    lease: int | None
    lease_from: str | None
    epoch: str
    previous: tuple[str, int] | None
    gone: tuple[Range, ...]
    anchors: list[Anchor]
    stamps: list[Tap | Unreadable]
    sent_ids: list[str | None]


_NULL = Raw(b"null")


class _Envelope(Struct):
    """The envelope of a batch. Members that may be invalid are kept as raw JSON and parsed separately."""

    proto: int
    batch: Uuid
    epoch: Uuid
    stamps: list[Raw]
    lease: Any = None
    lease_from: Raw = msgspec.field(default=_NULL, name="leaseFrom")
    previous: Raw = _NULL
    gone: Raw = _NULL
    anchors: Raw = _NULL


class _Previous(Struct):
    epoch: Uuid
    last_seq: Annotated[int, Meta(ge=0, le=2**53 - 1)] = msgspec.field(name="lastSeq")


class _Anchor(Struct, rename={"boottime_ms": "boottimeMs", "server_time": "serverTime", "rtt_ms": "rttMs"}):
    boot: Uuid
    boottime_ms: Boottime
    server_time: str
    rtt_ms: Annotated[int, Meta(ge=0, le=4 * 10**12)]


# msgspec builds the tables of a Struct at its first use and is not safe in that moment: two threads that do so at once
# crash the process. Decoders build them here, while one thread imports this module (decision 7).
_envelope = msgspec.json.Decoder(_Envelope)
_stamp = msgspec.json.Decoder(WireStamp)
_previous = msgspec.json.Decoder(_Previous)
_optional_uuid = msgspec.json.Decoder(Uuid | None)
_anchor = msgspec.json.Decoder(_Anchor)
_range = msgspec.json.Decoder(tuple[Seq, Seq])
_items = msgspec.json.Decoder(list[Raw])
encode = msgspec.json.Encoder().encode


def read_batch(body: bytes) -> Batch:
    """Parses a batch from the bytes of its request. Raises UnreadableMessage, UnknownProto or TooManyStamps."""
    envelope = _read_envelope(body)
    if not envelope.stamps:
        raise UnreadableMessage("no stamps")
    if len(envelope.stamps) > MAX_BATCH:
        raise TooManyStamps
    read = [_stamp_of(bytes(raw)) for raw in envelope.stamps]
    lease = envelope.lease
    return Batch(
        envelope.batch.lower(),
        envelope.batch,
        lease if type(lease) is int and abs(lease) < 2**53 else None,
        _lease_from_of(envelope.lease_from),
        envelope.epoch.lower(),
        _previous_of(envelope.previous),
        tuple(_ranges_of(envelope.gone)),
        _anchors_of(envelope.anchors),
        [stamp for stamp, _ in read],
        [sent_id for _, sent_id in read],
    )


def canonical(tap: Tap) -> bytes:
    """Returns the canonical JSON of a stamp, the input of its digest."""
    return encode(
        Canonical(
            tap.assignment,
            tap.boot,
            tap.boottime_ms,
            tap.direction,
            tap.id,
            tap.quality,
            tap.seq,
            tap.shown,
            tap.tag,
            tap.via,
            tap.wall,
        )
    )


def give_digests(taps: Iterable[Tap]) -> None:
    """Computes the digests of these stamps. A digest shows whether two stamps with the same id have the same content.

    `read_batch` does not compute them, because a batch that is sent again unchanged needs no digest.
    """
    for tap in taps:
        tap.digest = short_digest(hashlib.sha256(canonical(tap)).digest())


def instant_ms(text: str) -> int:
    """Converts an instant with time zone (RFC 3339) into milliseconds since 1970. Finer digits are cut off. Raises
    ValueError for other texts and for instants before 1970 or after 9999.
    """
    if not _INSTANT.fullmatch(text):
        raise ValueError("not an instant")
    if len(text) == 24 and text[23] == "Z":  # the spelling that clocks use
        hours, minutes, seconds = int(text[11:13]), int(text[14:16]), int(text[17:19])
        milliseconds = _day_ms(text[:10]) + ((hours * 60 + minutes) * 60 + seconds) * 1000 + int(text[20:23])
    else:
        milliseconds = ms_of(datetime.fromisoformat(text))
    if not 0 <= milliseconds <= _LAST_INSTANT_MS:
        raise ValueError("not an instant of ours")
    return milliseconds


@lru_cache(maxsize=1000)
def _day_ms(day: str) -> int:
    return ms_of(datetime.fromisoformat(f"{day}T00:00:00Z"))


def read_object(body: bytes) -> dict[str, Any]:
    """Parses a message into a dictionary, for calls that check its members one by one. Raises UnreadableMessage, or
    UnknownProto if it names another version.
    """
    try:
        message = msgspec.json.decode(body)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise UnreadableMessage(str(error)) from error
    if not isinstance(message, dict):
        raise UnreadableMessage("not an object")
    return message


def check_proto(message: dict[str, Any]) -> None:
    """Raises UnreadableMessage if `proto` is missing, and UnknownProto if it names another version."""
    proto = message.get("proto")
    if type(proto) is not int:
        raise UnreadableMessage("proto")
    if proto != PROTO:
        raise UnknownProto(proto)


def is_uuid(value: object) -> bool:
    return isinstance(value, str) and _UUID.fullmatch(value) is not None


def is_text(value: object, *, min_length: int = 1, max_length: int = 64) -> TypeGuard[str]:
    """Returns whether the value is a text without U+0000 and with a number of characters within these limits."""
    return isinstance(value, str) and min_length <= len(value) <= max_length and "\0" not in value


def _read_envelope(body: bytes) -> _Envelope:
    check_proto(read_object(body))  # ignored members must be JSON as well
    try:
        return _envelope.decode(body)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise UnreadableMessage(str(error)) from error


def _tap(stamp: WireStamp) -> Tap:
    assignment = stamp.assignment
    if "\0" in stamp.tag or "\0" in stamp.via or (assignment is not None and "\0" in assignment):
        raise ValueError("U+0000 is in no text")
    return Tap(
        stamp.id.lower(),
        stamp.seq,
        assignment,
        stamp.tag,
        stamp.direction,
        stamp.wall,
        instant_ms(stamp.wall),
        stamp.boot.lower(),
        stamp.boottime_ms,
        stamp.quality,
        stamp.via,
        stamp.shown,
        NO_DIGEST,
    )


def _stamp_of(raw: bytes) -> tuple[Tap | Unreadable, str | None]:
    """Parses a member of `stamps`. Returns the stamp, or what is known of an unreadable one, and its id as it
    was sent.
    """
    try:
        stamp = _stamp.decode(raw)
        return _tap(stamp), stamp.id
    except (msgspec.DecodeError, ValueError):
        seq, sent = _member(raw, "seq"), _member(raw, "id")
        sent_id = sent if isinstance(sent, str) else None
        return Unreadable(sent_id, seq if type(seq) is int and 1 <= seq < 2**53 else None, raw), sent_id


def _member(raw: bytes, name: str) -> Any:
    value = msgspec.json.decode(raw)
    return value.get(name) if isinstance(value, dict) else None


def _lease_from_of(raw: Raw) -> str | None:
    try:
        batch = _optional_uuid.decode(raw)
    except (msgspec.DecodeError, ValueError):
        return None
    return None if batch is None else batch.lower()


def _previous_of(raw: Raw) -> tuple[str, int] | None:
    try:
        previous = _previous.decode(raw)
    except msgspec.ValidationError:
        return None
    return previous.epoch.lower(), previous.last_seq


def _ranges_of(raw: Raw) -> Sequence[Range]:
    ranges: list[Range] = []
    for item in _items_of(raw, MAX_GONE):
        try:
            first, last = _range.decode(item)
        except msgspec.ValidationError:
            continue
        if first <= last:
            ranges.append((first, last))
    return ranges


def _anchors_of(raw: Raw) -> list[Anchor]:
    anchors = []
    for item in _items_of(raw, MAX_ANCHORS):
        try:
            anchor = _anchor.decode(item)
            anchors.append(
                Anchor(anchor.boot.lower(), anchor.boottime_ms, instant_ms(anchor.server_time), anchor.rtt_ms)
            )
        except ValueError:  # includes msgspec's errors: an unreadable anchor is left out
            continue
    return anchors


def _items_of(raw: Raw, limit: int) -> Sequence[Raw]:
    """Returns the first `limit` items of a JSON list, unparsed. Returns an empty sequence for any other value."""
    try:
        return _items.decode(raw)[:limit]
    except msgspec.ValidationError:
        return ()
