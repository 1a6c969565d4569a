"""The installation's key for statements: Ed25519, in a file of its own in the data folder (`statement.key`).

It is created once, like the vault's, and belongs in the backup. Its id is derived from its public half, so that a
checker recognizes a foreign key. There is deliberately no way to change the key: statements that it signed must stay
checkable.
"""

import hashlib
import json
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from stempelwerk_cloud.domain.statement import Verify
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security import key_files
from stempelwerk_cloud.kit.slots import Slot

KEY_FILE = "statement.key"
ALGORITHM = "Ed25519"


@dataclass(frozen=True)
class StatementKey:
    """A key for statements. `created_at`: the instant of its creation, as text."""

    private: Ed25519PrivateKey
    created_at: str

    @cached_property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes_raw()

    @cached_property
    def kid(self) -> str:
        return _text(hashlib.sha256(self.public).digest()[:12])

    def published(self) -> dict[str, str]:
        """Returns the key's entry in `/.well-known/stempelwerk-keys.json`."""
        return {"kid": self.kid, "alg": ALGORITHM, "publicKey": _text(self.public), "from": self.created_at}

    def sign(self, message: bytes) -> bytes:
        return self.private.sign(message)


class Keys:
    """The installation's key, which is read or created when it is first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: StatementKey | None = None

    def installation_key(self, folder: Path, now: datetime) -> StatementKey:
        with self._lock:
            if self._known is None:
                self._known = _read(key_files.read_or_make(folder / KEY_FILE, lambda: _make(now), identify))
            return self._known


KEYS: Slot[Platform, Keys] = Slot(lambda _: Keys())


def identify(content: bytes) -> str:
    """Returns the id of the key in a file. Raises ValueError for other content."""
    try:
        return _read(content).kid
    except (KeyError, TypeError) as error:
        raise ValueError("no key of statements") from error


def own_key(platform: Platform) -> StatementKey:
    return KEYS.of(platform).installation_key(platform.settings.data_dir, platform.clock.now())


def verifiers(published: Iterable[Mapping[str, Any]]) -> dict[str, Verify]:
    """Returns a verifying function by key id, for `domain.statement.check`. Raises ValueError for an invalid key."""
    return {key["kid"]: _verifier(_bytes(key["publicKey"])) for key in published}


def _verifier(public: bytes) -> Verify:
    key = Ed25519PublicKey.from_public_bytes(public)

    def verify(signature: bytes, message: bytes) -> bool:
        try:
            key.verify(signature, message)
        except InvalidSignature:
            return False
        return True

    return verify


def _make(now: datetime) -> bytes:
    private = Ed25519PrivateKey.generate().private_bytes_raw()
    return json.dumps({"from": format_instant(now), "privateKey": _text(private)}).encode()


def _read(content: bytes) -> StatementKey:
    stored = json.loads(content)
    return StatementKey(Ed25519PrivateKey.from_private_bytes(_bytes(stored["privateKey"])), stored["from"])


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
