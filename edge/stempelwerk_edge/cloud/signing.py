"""HTTP message signatures (RFC 9421) with Ed25519, and the digest of a body (RFC 9530): what a clock's request carries.

Only what the contract uses: one label, three components, four parameters. Checking is the cloud's part.
"""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

COMPONENTS = ("@method", "@target-uri")
_DIGEST = "content-digest"


@dataclass(frozen=True, slots=True)
class Signed:
    """A signature's headers, and the text that was signed."""

    headers: dict[str, str]
    base: str


def content_digest(body: bytes) -> str:
    """Returns the Content-Digest header of a body."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"


def sign(
    key: Ed25519PrivateKey,
    method: str,
    target_uri: str,
    body: bytes | None,
    parameters: Sequence[tuple[str, str | int]],
    components: Sequence[str] | None = None,
) -> Signed:
    """Signs a request. `parameters` keep their order: a number is an integer, a text is quoted."""
    if components is None:
        components = COMPONENTS if body is None else (*COMPONENTS, _DIGEST)
    values = {"@method": method, "@target-uri": target_uri}
    headers: dict[str, str] = {}
    if body is not None:
        values[_DIGEST] = headers["Content-Digest"] = content_digest(body)
    serialized = "".join(f";{name}={_item(value)}" for name, value in parameters)
    signature_input = f"({' '.join(_item(name) for name in components)}){serialized}"
    lines = [f'"{name}": {values[name]}' for name in components]
    base = "\n".join([*lines, f'"@signature-params": {signature_input}'])
    signature = base64.b64encode(key.sign(base.encode())).decode()
    headers["Signature-Input"] = f"sig1={signature_input}"
    headers["Signature"] = f"sig1=:{signature}:"
    return Signed(headers, base)


def _item(value: str | int) -> str:
    """Returns a bare item of a structured field."""
    if isinstance(value, int):
        return str(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
