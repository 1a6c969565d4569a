"""Signatures that are read at a glance mean what the parser of structured fields makes of them."""

import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st
from stempelwerk_cloud.device_api.signed.signatures import BadSignature, SignedRequest, read, read_any, read_plain

from cloud.tests.device_client import HOST, STAMPS, sign

KEY = Ed25519PrivateKey.from_private_bytes(random.Random(1).randbytes(32))
BODY = b'{"proto":1}'


def _request(headers: dict[str, str], body: bytes = BODY) -> SignedRequest:
    lower = {name.lower(): value for name, value in headers.items()}
    return SignedRequest("POST", HOST + STAMPS, lower, body)


def _signed(body: bytes = BODY) -> dict[str, str]:
    return sign(KEY, "key_-1", "POST", HOST + STAMPS, body, 1_795_000_000, "0198a1b2")


@pytest.mark.parametrize("body", [BODY, b""])
def test_what_a_clock_sends_is_read_at_a_glance(body: bytes) -> None:
    request = _request(_signed(body), body)
    claim = read_plain(request)
    assert claim is not None
    assert claim == read_any(request) == read(request)


def test_a_body_without_its_digest_is_never_signed() -> None:
    request = _request(_signed(b""))
    assert read_plain(request) is None
    with pytest.raises(BadSignature):
        read(request)


def test_another_spelling_is_left_to_the_parser() -> None:
    headers = _signed()
    headers["Signature-Input"] = headers["Signature-Input"].replace(';alg="ed25519"', "") + ';alg="ed25519";tag="x"'
    assert read_plain(_request(headers)) is None
    assert read(_request(headers)).keyid == "key_-1"


PIECES = [
    "sig1",
    "=",
    "(",
    ")",
    '"@method"',
    '"@target-uri"',
    '"content-digest"',
    " ",
    "  ",
    ";",
    "created",
    "0",
    "12",
    "-1",
    "1.5",
    "007",
    '"',
    "nonce",
    "keyid",
    "alg",
    '"ed25519"',
    '"a b"',
    '"\\\\"',
    ",",
    "sig2",
    ":",
    "AA==",
    "\t",
]


@given(st.data())
def test_whatever_is_read_at_a_glance_the_parser_reads_alike(data: st.DataObject) -> None:
    headers = _signed()
    for name in ("Signature-Input", "Signature"):
        text = headers[name]
        for _ in range(data.draw(st.integers(0, 2))):
            start = data.draw(st.integers(0, len(text)))
            end = min(len(text), start + data.draw(st.integers(0, 6)))
            text = text[:start] + data.draw(st.sampled_from(PIECES) | st.text(max_size=3)) + text[end:]
        headers[name] = text
    request = _request(headers)
    claim = read_plain(request)
    if claim is not None:
        assert claim == read_any(request)
