"""Every tag vector against scanner.tags."""

from kit import cases
from scanner.tags import normalise


def outcome(value):
    tag = value["text"] if "text" in value else bytes.fromhex(value["bytes"])
    try:
        return {"tag": normalise(tag)}
    except ValueError as refusal:
        return {"refused": str(refusal)}


def test_vectors():
    for case in cases("tags"):
        yield case["id"], outcome(case["input"]), case["expected"]


def test_identifiers_also_come_in_the_buffers_that_drivers_use():
    raw = b"\x04\xa2\x24\xb1\xc2\xd3\x80"
    for buffer in (bytearray(raw), memoryview(raw)):
        yield str(type(buffer)), normalise(buffer), "04A224B1C2D380"
