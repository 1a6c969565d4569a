"""The clock speaks the scanners' wire as the golden vectors have it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_edge.satellites import frames
from stempelwerk_edge.satellites.frames import Kind, Session, Spoilt, Unframer

VECTORS = Path(__file__).parents[3] / "docs/contract/scanner/v1/vectors"


def cases(topic: str, predicate: Callable[[dict[str, Any]], bool] = lambda _: True) -> Any:
    selected = [case for case in json.loads((VECTORS / f"{topic}.json").read_text("utf-8"))["cases"] if predicate(case)]
    return pytest.mark.parametrize("case", selected, ids=[case["id"] for case in selected])


def session(hello: dict[str, Any]) -> Session:
    return Session(*(bytes.fromhex(hello[name]) for name in ("key", "scannerNonce", "clockNonce")))


def read_one(wire: str) -> tuple[frames.Frame, bytes]:
    [stuffed] = Unframer().feed(bytes.fromhex(wire))
    return frames.read(stuffed)


@cases("cobs", lambda case: "plain" in case["input"])
def test_bytes_are_stuffed_and_come_out_again(case: dict[str, Any]) -> None:
    plain, encoded = bytes.fromhex(case["input"]["plain"]), bytes.fromhex(case["expected"]["encoded"])
    assert frames.stuff(plain) == encoded
    assert frames.unstuff(encoded) == plain


@cases("cobs", lambda case: "plain" not in case["input"])
def test_what_cannot_be_unstuffed_is_refused(case: dict[str, Any]) -> None:
    with pytest.raises(Spoilt, match="cobs"):
        frames.unstuff(bytes.fromhex(case["input"]["encoded"]))


@given(st.binary(max_size=700))
def test_whatever_is_stuffed_has_no_zero_and_comes_out_again(plain: bytes) -> None:
    stuffed = frames.stuff(plain)
    assert 0 not in stuffed
    assert frames.unstuff(stuffed) == plain


@cases("frames")
def test_a_frame_is_made_and_read_as_the_page_says(case: dict[str, Any]) -> None:
    case_input, expected = case["input"], case["expected"]
    fields = {name: given_as(name, value) for name, value in case_input["fields"].items()}
    frame = frames.pack(Kind[case_input["type"]], case_input["epoch"], case_input["seq"], **fields)
    direction = case_input["direction"].encode()
    assert frame.body.hex() == expected["body"]
    assert session(case_input).mac(direction, frame).hex() == expected["mac"]
    assert session(case_input).seal(direction, frame).hex() == expected["wire"]
    parsed, mac = read_one(expected["wire"])
    members = session(case_input).open(direction, parsed, mac)
    assert parsed == frame
    assert {name: members[name] for name in fields} == {name: frames.unpack(frame)[name] for name in fields}


def given_as(name: str, value: Any) -> Any:
    if name == "boot":
        return str(UUID(hex=value))
    if name in ("nonce", "key", "uid", "sha256", "data"):
        return bytes.fromhex(value)
    return value


@cases("refused")
def test_what_is_refused_is_refused_for_the_reason_of_the_page(case: dict[str, Any]) -> None:
    case_input = case["input"]
    with pytest.raises(Spoilt) as fault:
        session(case_input).open(case_input["direction"].encode(), *read_one(case_input["wire"]), case_input["counter"])
    assert str(fault.value) == case["expected"]["dropped"]


@pytest.mark.parametrize("pieces", [1, 2, 3, 7, 10_000])
@cases("stream")
def test_frames_are_found_however_the_bytes_arrive(case: dict[str, Any], pieces: int) -> None:
    wire, unframer = bytes.fromhex(case["input"]["wire"]), Unframer()
    found_frames, dropped = [], 0
    for position in range(0, len(wire), pieces):
        for stuffed in unframer.feed(wire[position : position + pieces]):
            try:
                frames.read(stuffed)
            except Spoilt:
                dropped += 1
            else:
                found_frames.append(frames.unstuff(stuffed).hex())
    assert (found_frames, dropped) == (case["expected"]["raw"], case["expected"]["dropped"])
