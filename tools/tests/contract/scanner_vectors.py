"""Writes the golden vectors of the scanner's line: `python -m tools.tests.contract.scanner_vectors`.

They are worked out only from the page, with nothing but Python's library and in the plainest way: no code of a program
under test is used. `documents()` is the required content of the files.
"""

import hmac
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stempelwerk_tools.contract import CONTRACT

VECTORS = CONTRACT / "scanner" / "v1" / "vectors"
KEY = bytes(range(32))
NO_KEY = bytes(32)
SCANNER, CLOCK, ZERO = bytes.fromhex("a1a2a3a4a5a6a7a8"), bytes.fromhex("c1c200c4c5c6c7c8"), bytes(8)
BOOT = bytes.fromhex("5f0c1d7e3b7a4b0e8f552a9d3c4e5f60")
EPOCH = 0x9E3700B9
NAMES = [
    "HELLO",
    "WELCOME",
    "TAP",
    "ACK",
    "STATUS",
    "TIME",
    "ADOPT",
    "ADOPTED",
    "FORGET",
    "UPDATE_BEGIN",
    "UPDATE_CHUNK",
    "UPDATE_END",
    "UPDATE_STATE",
    "FEEDBACK",
    "REFUSED",
]
Case = dict[str, Any]


def encode_cobs(plain: bytes) -> bytes:
    """Encodes by the definition of COBS: each zero becomes the distance to the next, groups end after 254 bytes without
    one.
    """
    encoded = bytearray()
    group = bytearray()
    full = False
    for byte in plain:
        full = False
        if byte:
            group.append(byte)
        if not byte or len(group) == 254:
            encoded += bytes([len(group) + 1]) + group
            group.clear()
            full = byte != 0
    if not full:
        encoded += bytes([len(group) + 1]) + group
    return bytes(encoded)


def text(value: str, size: int) -> bytes:
    return value.encode().ljust(size, b"\0")


def raw_of(direction: str, key: bytes, nonces: bytes, head: bytes, body: bytes) -> tuple[bytes, bytes, bytes]:
    mac = hmac.digest(key, direction.encode() + nonces + head + body, "sha256")[:8]
    crc = struct.pack(">I", zlib.crc32(head + body + mac))
    return head + body + mac + crc, mac, crc


def wire_of(raw: bytes) -> bytes:
    return b"\0" + encode_cobs(raw) + b"\0"


def body_of(kind: str, f: dict[str, Any]) -> bytes:
    raw = {name: bytes.fromhex(value) for name, value in f.items() if name in BYTES}
    status = ("tick", "battery", "percent", "charging", "used", "capacity", "overflow")
    parts: dict[str, Callable[[], bytes]] = {
        "HELLO": lambda: (
            bytes([f["proto"]])
            + (text(f["serial"], 16) + text(f["board"], 8) + text(f["version"], 12) + raw["boot"] + raw["nonce"])
            + struct.pack(">IIBI", f["first"], f["next"], f["adopted"], f["overflow"])
        ),
        "WELCOME": lambda: (
            raw["nonce"] + struct.pack(">QIIB", f["wall"], f["committedEpoch"], f["committedSeq"], f["quality"])
        ),
        "TAP": lambda: raw["boot"] + struct.pack(">QBB", f["tick"], f["flags"], len(raw["uid"])) + raw["uid"],
        "STATUS": lambda: struct.pack(">QHBBIII", *(f[name] for name in status)) + raw["boot"] + bytes([f["reader"]]),
        "TIME": lambda: struct.pack(">QBQ", f["wall"], f["quality"], f["tick"]),
        "ADOPT": lambda: raw["key"] + text(f["name"], 24),
        "UPDATE_BEGIN": lambda: struct.pack(">I", f["size"]) + raw["sha256"] + text(f["version"], 12),
        "UPDATE_CHUNK": lambda: struct.pack(">I", f["offset"]) + raw["data"],
        "UPDATE_STATE": lambda: struct.pack(">IBB", f["offset"], f["state"], f["reason"]),
        "FEEDBACK": lambda: bytes([f["code"]]),
        "REFUSED": lambda: bytes([f["code"]]),
    }
    return parts[kind]() if kind in parts else b""


BYTES = ("boot", "nonce", "uid", "key", "sha256", "data")
HELLO = {
    "proto": 1,
    "serial": "SW-BEACON-000042",
    "board": "rp2040",
    "version": "1.0.0",
    "boot": BOOT.hex(),
    "nonce": SCANNER.hex(),
    "first": 256,
    "next": 261,
    "adopted": 1,
    "overflow": 0,
}
WELCOME = {"nonce": CLOCK.hex(), "wall": 1795507083214, "committedEpoch": EPOCH, "committedSeq": 255, "quality": 3}
TAP = {"boot": BOOT.hex(), "tick": 86400000, "flags": 0, "uid": "04a224b1c2d380"}
STATUS = {
    "tick": 4294967296123,
    "battery": 3912,
    "percent": 71,
    "charging": 1,
    "used": 5,
    "capacity": 6144,
    "overflow": 0,
    "boot": BOOT.hex(),
    "reader": 0,
}
# id, type, direction, epoch, seq, fields, comment, catches; HELLO has no clock's nonce, "zero" marks an open key.
FRAMES: list[tuple[str, str, str, int, int, dict[str, Any], str, str]] = [
    (
        "hello",
        "HELLO",
        "S",
        EPOCH,
        0,
        HELLO,
        "Zeros stand for the clock's nonce.",
        "another nonce there",
    ),
    (
        "hello-zero-key",
        "HELLO",
        "S",
        7,
        0,
        {**HELLO, "adopted": 0, "first": 1, "next": 1, "serial": "SW-1", "overflow": 70000},
        "Not adopted: the key is 32 zero bytes; texts are padded with zeros.",
        "an empty key, or padding with spaces",
    ),
    ("welcome", "WELCOME", "C", 0, 0, WELCOME, "Made with both nonces, the clock's from the body.", "no nonce yet"),
    (
        "welcome-zero-key",
        "WELCOME",
        "C",
        0,
        0,
        {**WELCOME, "committedEpoch": 0, "committedSeq": 0, "quality": 0, "wall": 0},
        "Nothing committed yet, no time.",
        "no zeros in a body",
    ),
    ("tap-seven", "TAP", "S", EPOCH, 256, TAP, "Seven bytes.", "a fixed length"),
    ("tap-four", "TAP", "S", EPOCH, 257, {**TAP, "uid": "deadbeef"}, "Four bytes.", "a fixed length"),
    (
        "tap-ten",
        "TAP",
        "S",
        EPOCH,
        258,
        {**TAP, "uid": "04112233445566778899", "tick": 2**53 + 1},
        "Ten bytes, and a tick beyond what a float holds.",
        "numbers kept as floats",
    ),
    (
        "tap-unreadable",
        "TAP",
        "S",
        EPOCH,
        259,
        {"boot": bytes(16).hex(), "tick": 0, "flags": 1, "uid": ""},
        "A record that cannot be read keeps its number.",
        "a gap that is waited for in vain",
    ),
    ("ack", "ACK", "C", EPOCH, 258, {}, "The tap's epoch and number stand in the head.", "a counter there"),
    ("status", "STATUS", "S", EPOCH, 1, STATUS, "The tick has more than 32 bits.", "a tick of 32 bits"),
    (
        "status-no-battery",
        "STATUS",
        "S",
        EPOCH,
        2,
        {**STATUS, "battery": 0, "percent": 255, "charging": 0, "reader": 2, "overflow": 3, "used": 6144},
        "No battery, a full log and a faulty reader.",
        "percent taken for a number up to 100",
    ),
    (
        "time",
        "TIME",
        "C",
        0,
        1,
        {"wall": 1795507083214, "quality": 3, "tick": 4294967296123},
        "It echoes.",
        "another order",
    ),
    (
        "adopt-zero-key",
        "ADOPT",
        "C",
        0,
        2,
        {"key": KEY.hex(), "name": "Werkstatt Süd"},
        "The name is UTF-8; the mac is still made with the zero key.",
        "a name cut by characters, a mac with the new key",
    ),
    ("adopted", "ADOPTED", "S", EPOCH, 2, {}, "The mac is made with the new key.", "the old key"),
    ("forget", "FORGET", "C", 0, 3, {}, "No body.", "a body expected"),
    (
        "update-begin",
        "UPDATE_BEGIN",
        "C",
        0,
        4,
        {"size": 98304, "sha256": bytes(range(0xE0, 0x100)).hex(), "version": "1.1.0-rc.12"},
        "Size and digest are the whole image's.",
        "texts of another length",
    ),
    (
        "update-chunk-longest",
        "UPDATE_CHUNK",
        "C",
        0,
        5,
        {"offset": 196, "data": bytes(range(60, 256)).hex()},
        "The longest frame: a body of 200 bytes.",
        "a buffer that is one byte too small",
    ),
    (
        "update-chunk-zeros",
        "UPDATE_CHUNK",
        "C",
        0,
        6,
        {"offset": 0, "data": bytes(196).hex()},
        "Zeros only.",
        "a zero on the line inside a frame",
    ),
    ("update-end", "UPDATE_END", "C", 0, 7, {}, "No body.", "a body expected"),
    ("update-state", "UPDATE_STATE", "S", EPOCH, 3, {"offset": 392, "state": 0, "reason": 0}, "Goes on.", "no offset"),
    ("update-refused", "UPDATE_STATE", "S", EPOCH, 4, {"offset": 0, "state": 4, "reason": 1}, "Why.", "no reason"),
    ("feedback", "FEEDBACK", "C", EPOCH, 258, {"code": 1}, "The tap's number in the head.", "a counter there"),
    ("refused", "REFUSED", "S", EPOCH, 5, {"code": 1}, "The log is not empty.", "silence"),
]


def frame_case(
    name: str, kind: str, direction: str, epoch: int, seq: int, fields: dict[str, Any], comment: str, catches: str
) -> Case:
    key = NO_KEY if name.endswith("zero-key") else KEY
    clock = ZERO if kind == "HELLO" else CLOCK
    head = struct.pack(">BII", NAMES.index(kind) + 1, epoch, seq)
    body = body_of(kind, fields)
    raw, mac, crc = raw_of(direction, key, SCANNER + clock, head, body)
    return {
        "id": name,
        "comment": comment,
        "catches": catches,
        "input": {
            "direction": direction,
            "key": key.hex(),
            "scannerNonce": SCANNER.hex(),
            "clockNonce": clock.hex(),
            "type": kind,
            "epoch": epoch,
            "seq": seq,
            "fields": fields,
        },
        "expected": {"body": body.hex(), "mac": mac.hex(), "crc": crc.hex(), "wire": wire_of(raw).hex()},
    }


def cobs_cases() -> list[Case]:
    plains = {
        "empty": (b"", "Nothing becomes one byte."),
        "zero": (b"\0", "A zero alone."),
        "no-zero": (b"\x11\x22\x33", "No zero."),
        "inner-zeros": (b"\x11\0\0\x22", "Two zeros side by side."),
        "last-zero": (b"\x11\x22\0", "A zero at the end."),
        "253": (bytes(range(1, 254)), "One byte less than a full group."),
        "254": (bytes(range(1, 255)), "A full group, and nothing behind it."),
        "255": (bytes(range(1, 256)), "A full group and one byte more."),
        "254-zero": (bytes(range(1, 255)) + b"\0", "A full group and a zero."),
    }
    cases = [
        {
            "id": name,
            "comment": comment,
            "catches": "a wrong end of a group",
            "input": {"plain": plain.hex()},
            "expected": {"encoded": encode_cobs(plain).hex()},
        }
        for name, (plain, comment) in plains.items()
    ]
    broken = {
        "too-short": ("0511", "The group says more than there is."),
        "nothing": ("", "No byte at all."),
        "zero-inside": ("03110022", "A zero cannot be inside."),
    }
    return cases + [
        {
            "id": name,
            "comment": comment,
            "catches": "reading beyond the end",
            "input": {"encoded": encoded},
            "expected": {"refused": "cobs"},
        }
        for name, (encoded, comment) in broken.items()
    ]


def refused_cases() -> list[Case]:
    def crafted(kind: int, body: bytes, *, direction: str = "C", key: bytes = KEY, seq: int = 9) -> bytes:
        head = struct.pack(">BII", kind, 0, seq)
        return raw_of(direction, key, SCANNER + CLOCK, head, body)[0]

    def flipped(raw: bytes, offset: int) -> bytes:
        return raw[:offset] + bytes([raw[offset] ^ 0x10]) + raw[offset + 1 :]

    def with_crc(raw: bytes) -> bytes:
        return raw[:-4] + struct.pack(">I", zlib.crc32(raw[:-4]))

    time = crafted(6, bytes(17))
    short = struct.pack(">BII", 4, EPOCH, 258) + bytes(7)
    other_session = raw_of("C", KEY, bytes(8) + CLOCK, time[:9], bytes(17))[0]
    rows: list[tuple[str, bytes, str, str, str]] = [
        ("cut", wire_of(time)[:-4] + b"\0", "cobs", "Three bytes got lost.", "reading beyond the end"),
        ("too-short", wire_of(with_crc(short + bytes(4))), "length", "Shorter than head, mac and crc.", "an index"),
        ("too-long", wire_of(crafted(11, bytes(201))), "length", "A body of 201 bytes.", "a buffer that overflows"),
        ("flipped-crc", wire_of(flipped(time, len(time) - 1)), "crc", "A bit of the crc is wrong.", "no check"),
        ("flipped-body", wire_of(flipped(time, 12)), "crc", "A bit of the body is wrong.", "no check"),
        ("flipped-type", wire_of(flipped(time, 0)), "crc", "A bit of the type is wrong.", "a crc of the body alone"),
        ("forged-body", wire_of(with_crc(flipped(time, 12))), "mac", "The crc is right again.", "trust in the crc"),
        ("forged-seq", wire_of(with_crc(flipped(time, 8))), "mac", "The head is under the mac.", "a mac of the body"),
        ("other-key", wire_of(crafted(6, bytes(17), key=bytes(31) + b"\1")), "mac", "Another key.", "no mac"),
        ("zero-key", wire_of(crafted(6, bytes(17), key=NO_KEY)), "mac", "The zero key, though adopted.", "a way in"),
        ("own-echo", wire_of(crafted(6, bytes(17), direction="S")), "mac", "A frame thrown back.", "no direction"),
        ("other-session", wire_of(other_session), "mac", "Replayed from another session.", "no nonce"),
        ("short-body", wire_of(crafted(6, bytes(16))), "body", "TIME with a byte too few.", "an index"),
        ("empty-chunk", wire_of(crafted(11, bytes(4))), "body", "A chunk of nothing.", "a chunk that never ends"),
        ("replayed", wire_of(crafted(6, bytes(17), seq=8)), "replayed", "The counter was heard before.", "no counter"),
        ("unknown-type", wire_of(crafted(0x7F, b"")), "type", "A type of a later version.", "an exception"),
    ]
    return [
        {
            "id": name,
            "comment": comment,
            "catches": catches,
            "input": {
                "direction": "C",
                "key": KEY.hex(),
                "scannerNonce": SCANNER.hex(),
                "clockNonce": CLOCK.hex(),
                "counter": 8,
                "wire": wire.hex(),
            },
            "expected": {"dropped": reason},
        }
        for name, wire, reason, comment, catches in rows
    ]


def stream_cases() -> list[Case]:
    def raw(seq: int) -> bytes:
        return raw_of("C", KEY, SCANNER + CLOCK, struct.pack(">BII", 4, EPOCH, seq), b"")[0]

    frame_256, two = raw(256), raw(257)
    rows: list[tuple[str, bytes, list[bytes], int, str, str]] = [
        (
            "shared-zero",
            wire_of(frame_256) + wire_of(two)[1:],
            [frame_256, two],
            0,
            "One zero may end and begin.",
            "two needed",
        ),
        (
            "many-zeros",
            bytes(5) + wire_of(frame_256) + bytes(5),
            [frame_256],
            0,
            "Nothing between zeros is nothing.",
            "a count",
        ),
        (
            "noise-before",
            b"\x55\xaa\x55" + wire_of(frame_256),
            [frame_256],
            1,
            "Noise ends at the next zero.",
            "a lost frame",
        ),
        (
            "unfinished",
            wire_of(frame_256) + wire_of(two)[:-1],
            [frame_256],
            0,
            "The last has not ended yet.",
            "too early",
        ),
        ("endless", bytes([7]) * 600 + wire_of(two), [two], 1, "600 bytes without a zero.", "a buffer that grows"),
        (
            "flipped",
            wire_of(frame_256)[:9] + b"\x99" + wire_of(frame_256)[10:] + wire_of(two),
            [two],
            1,
            "One is lost.",
            "both",
        ),
    ]
    return [
        {
            "id": name,
            "comment": comment,
            "catches": catches,
            "input": {"wire": wire.hex()},
            "expected": {"raw": [item.hex() for item in raws], "dropped": dropped},
        }
        for name, wire, raws, dropped, comment, catches in rows
    ]


def acknowledged_cases() -> list[Case]:
    rows: list[tuple[str, int, list[int], int | None, str]] = [
        ("none", 1, [], None, "Nothing committed: no ACK."),
        ("in-order", 1, [1, 2, 3], 3, "All of them."),
        ("gap", 1, [1, 2, 4, 5], 2, "Not beyond what is missing."),
        ("first-missing", 1, [2, 3], None, "The first is missing."),
        ("begins-later", 256, [256, 257], 257, "What the scanner no longer has is not waited for."),
        ("older-known", 256, [100, 256], 256, "Older ones change nothing."),
        ("any-order", 7, [9, 7, 8], 9, "The order of commits is none."),
    ]
    return [
        {
            "id": name,
            "comment": comment,
            "catches": "acknowledging the highest number seen",
            "input": {"first": first, "committed": committed},
            "expected": {"ack": ack},
        }
        for name, first, committed, ack, comment in rows
    ]


def heeded_cases() -> list[Case]:
    rows: list[tuple[str, str, int, int, int, int, str]] = [
        ("this-some", "this", 1, 5, 2, 3, "Up to there."),
        ("this-all", "this", 1, 5, 4, 5, "All of them."),
        ("this-none", "this", 1, 5, 0, 1, "Nothing is said."),
        ("this-not-drawn", "this", 1, 5, 5, 1, "A number that was not drawn yet."),
        ("this-known", "this", 4, 5, 2, 4, "Less than is known."),
        ("earlier-some", "earlier", 1, 5, 2, 3, "Up to there."),
        ("earlier-all", "earlier", 1, 5, 4, 5, "All of them."),
        ("earlier-beyond", "earlier", 1, 5, 9, 5, "The clock has more than the flash kept."),
    ]
    return [
        {
            "id": name,
            "comment": comment,
            "catches": "waiting for ever for a clock that has more, or forgetting a tap that it has not",
            "input": {"start": start, "first": first, "next": next_seq, "ack": ack},
            "expected": {"first": expected},
        }
        for name, start, first, next_seq, ack, expected, comment in rows
    ]


def documents() -> dict[str, Any]:
    """Returns the content of each file of vectors by its name."""
    topics = {
        "cobs": cobs_cases(),
        "frames": [frame_case(*row) for row in FRAMES],
        "refused": refused_cases(),
        "stream": stream_cases(),
        "acknowledged": acknowledged_cases(),
        "heeded": heeded_cases(),
    }
    return {topic: {"version": 1, "topic": topic, "cases": cases} for topic, cases in topics.items()}


def main(folder: Path = VECTORS) -> None:
    for topic, document in documents().items():
        (folder / f"{topic}.json").write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
