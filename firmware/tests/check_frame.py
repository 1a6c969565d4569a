"""Frames against the golden vectors of the scanner's line."""

from kit import Chance, cases
from scanner import frame

def _kind(name):
    return getattr(frame, name)


def test_cobs():
    for case in cases("cobs"):
        case_input, expected = case["input"], case["expected"]
        if "plain" in case_input:
            plain = bytes.fromhex(case_input["plain"])
            yield case["id"], frame.encode_cobs(plain).hex(), expected["encoded"]
            yield case["id"] + " back", frame.decode_cobs(bytes.fromhex(expected["encoded"])).hex(), case_input["plain"]
        else:
            yield case["id"], _refused(lambda: frame.decode_cobs(bytes.fromhex(case_input["encoded"]))), expected["refused"]


def _refused(call):
    try:
        call()
    except frame.Dropped as dropped:
        return str(dropped)
    return None


def test_every_frame_is_packed_as_the_page_says():
    for case in cases("frames"):
        case_input, expected = case["input"], case["expected"]
        nonces = bytes.fromhex(case_input["scannerNonce"] + case_input["clockNonce"])
        body = bytes.fromhex(expected["body"])
        key, kind = bytes.fromhex(case_input["key"]), _kind(case_input["type"])
        packed = frame.pack(key, nonces, kind, case_input["epoch"], case_input["seq"], body, case_input["direction"].encode())
        yield case["id"], packed.hex(), expected["wire"]


def test_what_a_clock_says_is_understood():
    for case in cases("frames"):
        case_input, expected = case["input"], case["expected"]
        if case_input["direction"] != "C":
            continue
        nonces = bytes.fromhex(case_input["scannerNonce"] + case_input["clockNonce"])
        raw = frame.Splitter().feed(bytes.fromhex(expected["wire"]))[0]
        kind, epoch, seq, body = frame.unpack(bytes.fromhex(case_input["key"]), nonces, 0, raw)
        understood = [kind, epoch, seq, body.hex()]
        yield case["id"], understood, [_kind(case_input["type"]), case_input["epoch"], case_input["seq"], expected["body"]]


def test_what_is_wrong_is_dropped_for_its_reason():
    for case in cases("refused"):
        case_input = case["input"]
        splitter = frame.Splitter()
        raws = splitter.feed(bytes.fromhex(case_input["wire"]))
        if raws:
            nonces = bytes.fromhex(case_input["scannerNonce"] + case_input["clockNonce"])
            key = bytes.fromhex(case_input["key"])
            reason = _refused(lambda: frame.unpack(key, nonces, case_input["counter"], raws[0]))
        else:
            reason = splitter.dropped and _refused(lambda: frame.checked(bytes.fromhex(case_input["wire"]).strip(b"\0")))
        yield case["id"], reason, case["expected"]["dropped"]


def test_a_line_in_pieces_of_any_length():
    for case in cases("stream"):
        wire = bytes.fromhex(case["input"]["wire"])
        for length in (1, 2, 7, 1000):
            splitter = frame.Splitter()
            raws = []
            for start in range(0, len(wire), length):
                raws += [raw.hex() for raw in splitter.feed(wire[start : start + length])]
            yield case["id"] + " in %d" % length, {"raw": raws, "dropped": splitter.dropped}, case["expected"]


def test_hmac_is_that_of_rfc_4231():
    digest = frame.hmac_sha256(b"Jefe", b"what do ya want for nothing?").hex()
    yield "2", digest, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"


def test_any_bytes_survive_cobs_and_none_is_zero():
    chance = Chance(7)
    for _ in range(60):
        plain = bytes([chance.below(3) * chance.below(256) % 256 for _ in range(chance.below(300))])
        encoded = frame.encode_cobs(plain)
        assert min(encoded) > 0 and frame.decode_cobs(encoded) == plain
