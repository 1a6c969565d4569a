"""The installation's identity for push services (VAPID, RFC 8292): a key pair in the data folder.

Browsers subscribe to the public key: another key invalidates all subscriptions. It belongs in the backup.
"""

import base64
import hashlib
import threading
from datetime import datetime, timedelta
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from py_vapid import jwt

from stempelwerk_cloud.kit.security.key_files import read_or_make

KEY_FILE = "push.key"
TOKEN_LIFE = timedelta(hours=12)


class PushKey:
    """The key in `folder`, which is read, or made, when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / KEY_FILE
        self._lock = threading.Lock()
        self._known: EllipticCurvePrivateKey | None = None

    @property
    def public(self) -> str:
        """The public point, uncompressed, as base64url without padding: the key that browsers subscribe to."""
        point = self._key().public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return base64.urlsafe_b64encode(point).decode().rstrip("=")

    def authorization(self, origin: str, contact: str | None, now: datetime) -> str:
        """Returns the header that identifies the installation to a push service of that origin, for twelve hours."""
        claims = {"aud": origin, "exp": int((now + TOKEN_LIFE).timestamp())}
        token = jwt.sign(claims | ({} if contact is None else {"sub": contact}), self._key())
        return f"vapid t={token}, k={self.public}"

    def _key(self) -> EllipticCurvePrivateKey:
        with self._lock:
            if self._known is None:
                self._known = _loaded(read_or_make(self._path, _new_key, identify))
            return self._known


def identify(content: bytes) -> str:
    """Returns the fingerprint of the public half. ValueError."""
    public = _loaded(content).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return hashlib.sha256(public).hexdigest()


def _loaded(pem: bytes) -> EllipticCurvePrivateKey:
    key = load_pem_private_key(pem, password=None)
    if not isinstance(key, EllipticCurvePrivateKey) or not isinstance(key.curve, SECP256R1):
        raise ValueError("a key of another kind")
    return key


def _new_key() -> bytes:
    return generate_private_key(SECP256R1()).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
