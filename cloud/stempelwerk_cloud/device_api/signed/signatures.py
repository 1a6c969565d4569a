"""Signed requests of clocks: RFC 9421 over Ed25519, with RFC 9530 digests. Pure; knows no database and no clock.

One label (`sig1`) counts, whatever other signatures there are. A signature must cover the method, the target URI and,
if there is a body, its digest, and must name `created`, `nonce`, `keyid` and `alg="ed25519"`. Components with
parameters of their own (`;sf`, `;key`, `;req` …) are not part of version 1 and make a signature a bad one. Deliberately
not here: the key's owner, and whether `created` is near enough (`within`), which the caller checks after the signature.
"""

import binascii
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import http_sf
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LABEL = "sig1"
ALLOWED_SKEW = timedelta(seconds=300)
SIGNATURE_MISMATCH = "signature"
"""The text of a BadSignature if the key's holder has signed something else, or nothing."""
_MUST_COVER = ("@method", "@target-uri")
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class BadSignature(Exception):
    """The request is not signed as the contract asks; the text is for logs, never for the sender."""


@dataclass(frozen=True, slots=True)
class SignedRequest:
    """A request as the clock made it. Header names in lower case; `body` empty if there is no body."""

    method: str
    target_uri: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Claim:
    """The content of a signature, before any check."""

    keyid: str
    created: int
    components: tuple[str, ...]
    parameters: str
    signature: bytes


_PLAIN_INPUT = re.compile(
    r'sig1=(\(("@method" "@target-uri"(?: "content-digest")?)\)'
    r';created=(0|[1-9][0-9]{0,14});nonce="[ !#-\[\]-~]*";keyid="([A-Za-z0-9_-]+)";alg="ed25519")'
)
_PLAIN_SIGNATURE = re.compile(r"sig1=:([A-Za-z0-9+/]{86}==):")


def read(request: SignedRequest) -> Claim:
    """Parses the claim of the label `sig1`. Raises BadSignature if it is missing, unreadable or covers too little."""
    return read_plain(request) or read_any(request)


def read_plain(request: SignedRequest) -> Claim | None:
    """Parses the claim in the one spelling that clocks use; None for any other.

    For a clock that asks for its people the parser of all spellings would be half of the work of its call.
    """
    match = _PLAIN_INPUT.fullmatch(request.headers.get("signature-input", ""))
    signed = _PLAIN_SIGNATURE.fullmatch(request.headers.get("signature", ""))
    if match is None or signed is None:
        return None
    parameters, names, created, keyid = match.groups()
    components = tuple(name.strip('"') for name in names.split())
    if request.body and "content-digest" not in components:
        return None
    return Claim(keyid, int(created), components, parameters, binascii.a2b_base64(signed[1]))


def read_any(request: SignedRequest) -> Claim:
    """Parses the claim in any spelling of structured fields (RFC 9651). Raises BadSignature as `read` does."""
    members = _dictionary(request.headers.get("signature-input"))
    signatures = _dictionary(request.headers.get("signature"))
    try:
        items, parameters = members[LABEL]
        signature, _ = signatures[LABEL]
        components = tuple(_component(item) for item in items)
        serialized = http_sf.ser([(items, parameters)])
    except (KeyError, TypeError, ValueError) as error:
        raise BadSignature("no readable sig1") from error
    created, nonce, keyid = parameters.get("created"), parameters.get("nonce"), parameters.get("keyid")
    if type(created) is not int or type(nonce) is not str or type(keyid) is not str:
        raise BadSignature("created, nonce or keyid")
    if parameters.get("alg") != "ed25519" or type(signature) is not bytes:
        raise BadSignature("alg")
    needed = _MUST_COVER + (("content-digest",) if request.body else ())
    if len(set(components)) != len(components) or not set(needed) <= set(components):
        raise BadSignature("components")
    return Claim(keyid, created, components, serialized, signature)


def verify(claim: Claim, request: SignedRequest, public_key: bytes) -> None:
    """Raises BadSignature unless the holder of `public_key` signed exactly this request."""
    if request.body and not _digest_fits(request):
        raise BadSignature("content-digest")
    try:
        _key(public_key).verify(claim.signature, signature_base(claim, request))
    except (InvalidSignature, ValueError) as error:
        raise BadSignature(SIGNATURE_MISMATCH) from error


_key = lru_cache(maxsize=10_000)(Ed25519PublicKey.from_public_bytes)


def within(claim: Claim, now: datetime) -> bool:
    """Whether the signature's time is at most 300 s from `now`."""
    # In whole seconds and as integers: `created` may be any number that fits into a header.
    return abs(claim.created - int(now.timestamp())) <= ALLOWED_SKEW.seconds


def signature_base(claim: Claim, request: SignedRequest) -> bytes:
    """Returns the bytes that are signed (RFC 9421, section 2.5). Raises BadSignature for a missing component."""
    lines = [f'"{name}": {_value(name, request)}' for name in claim.components]
    lines.append(f'"@signature-params": {claim.parameters}')
    return "\n".join(lines).encode()


def _value(name: str, request: SignedRequest) -> str:
    if not name.startswith("@"):
        value = request.headers.get(name)
        if value is None:
            raise BadSignature(f"no {name}")
        return value.strip()
    if name == "@method":
        return request.method
    if name == "@target-uri":
        return request.target_uri
    parts = urlsplit(request.target_uri)
    derived = {
        "@scheme": parts.scheme,
        "@authority": parts.netloc,
        "@path": parts.path or "/",
        "@query": f"?{parts.query}",
        "@request-target": f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}",
    }
    if name not in derived:
        raise BadSignature(f"no {name}")
    return derived[name]


def _dictionary(header: str | None) -> dict[str, Any]:
    if header is None:
        raise BadSignature("no signature")
    try:
        parsed: Any = http_sf.parse(header.encode(), tltype="dictionary")
    except (ValueError, UnicodeError) as error:
        raise BadSignature("unreadable header") from error
    dictionary: dict[str, Any] = parsed
    return dictionary


def _component(item: Any) -> str:
    name, parameters = item
    if type(name) is not str or parameters:
        raise ValueError("a component of a later version")
    return name


def _digest_fits(request: SignedRequest) -> bool:
    header, digest = request.headers.get("content-digest"), hashlib.sha256(request.body).digest()
    if header == f"sha-256=:{binascii.b2a_base64(digest, newline=False).decode()}:":
        return True
    expected = _dictionary(header).get("sha-256")
    return type(expected) is tuple and expected[0] == digest


def target_uri(scheme: str, host: str, target: str, public_url: str | None) -> str:
    """Returns the URI as the clock called it: under the installation's public URL, else by scheme and Host header.

    `target` is path and query as received, not decoded. The values that a trusted proxy forwarded are already in
    `scheme` and `host` (`kit/http/forwarding.py`).
    """
    if public_url is None:
        return _origin(scheme, host) + target
    public = urlsplit(public_url)
    return _origin(public.scheme, public.netloc) + public.path.rstrip("/") + target


def _origin(scheme: str, host: str) -> str:
    scheme, host = scheme.lower(), host.lower()
    return f"{scheme}://{host.removesuffix(_DEFAULT_PORTS.get(scheme, ' '))}"
