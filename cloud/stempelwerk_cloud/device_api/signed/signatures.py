"""Signed requests of clocks: HTTP message signatures (RFC 9421) with Ed25519, and content digests (RFC 9530). Pure.

Only the signature with the label `sig1` counts. It must cover the method, the target URI and, if there is a body, its
digest. It must name `created`, `nonce`, `keyid` and `alg="ed25519"`. Covered components with parameters (`;sf`, `;key`,
`;req` …) are not part of version 1 of the contract and make a signature invalid.

Two checks are left to the caller, after the signature: whose key it is, and whether `created` is near the server's time
(`within`).
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
"""The text of the BadSignature for a signature that the key's holder did not make over this request."""
_MUST_COVER = ("@method", "@target-uri")
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class BadSignature(Exception):
    """The error for a request whose signature the contract does not allow. Its text is for logs and is never sent."""


@dataclass(frozen=True, slots=True)
class SignedRequest:
    """A request as the clock sent it, with header names in lower case. `body` is empty for a request without a body."""

    method: str
    target_uri: str
    headers: Mapping[str, str]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Claim:
    """The parsed content of a signature, before it is verified."""

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
    """Parses the claim if it has exactly the spelling that clocks use; returns None for any other.

    It is a shortcut for speed: the parser of all spellings would take half of the time of a call for the list of
    people.
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
    """Parses the claim in any spelling of structured fields (RFC 9651). Raises BadSignature like `read`."""
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
    """Returns whether the request was signed at most 300 s before or after `now`."""
    # In whole seconds and as integers: `created` may be any number that fits into a header.
    return abs(claim.created - int(now.timestamp())) <= ALLOWED_SKEW.seconds


def signature_base(claim: Claim, request: SignedRequest) -> bytes:
    """Returns the signature base, the bytes that are signed (RFC 9421, section 2.5). Raises BadSignature if the request
    lacks a covered component.
    """
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
    """Returns the URI that the clock called: under the installation's public URL if there is one, else from scheme and
    host.

    `target` is path and query as received, not decoded. `scheme` and `host` already have the values that a trusted
    proxy forwarded (`kit/http/addresses.py`).
    """
    if public_url is None:
        return _origin(scheme, host) + target
    public = urlsplit(public_url)
    return _origin(public.scheme, public.netloc) + public.path.rstrip("/") + target


def _origin(scheme: str, host: str) -> str:
    scheme, host = scheme.lower(), host.lower()
    return f"{scheme}://{host.removesuffix(_DEFAULT_PORTS.get(scheme, ' '))}"
