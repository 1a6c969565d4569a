"""The vault: encrypts secrets that the service must read again, for storing them in the database. The key is a file in
the data folder.

So a stolen database does not reveal them. A secret that only needs comparing, but could be guessed from its hash, is
compared by a fingerprint under the same key. All processes of an installation share the key: it is made once, by the
process that comes first, and belongs to the backup. Deliberately not here: changing the key, passwords (they have a
hash of their own), and random secrets that only need comparing (a plain hash is enough for them).
"""

import hashlib
import hmac
import threading
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from stempelwerk_cloud.kit.security.key_files import read_or_make

KEY_FILE = "secrets.key"


def identify(content: bytes) -> str:
    """Returns the key's fingerprint. ValueError."""
    Fernet(content)
    return hashlib.sha256(b"stempelwerk vault " + content).hexdigest()


class Sealed(Exception):
    """The secret was encrypted with another key, or was altered."""


class Vault:
    """Encrypts and decrypts with the key in `folder`, which is read, or made, when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / KEY_FILE
        self._lock = threading.Lock()
        self._known: bytes | None = None

    def encrypt(self, text: str) -> bytes:
        return Fernet(self._key()).encrypt(text.encode())

    def decrypt(self, sealed: bytes) -> str:
        """Returns the plain text. Raises Sealed."""
        try:
            return Fernet(self._key()).decrypt(sealed).decode()
        except InvalidToken as error:
            raise Sealed("the key does not fit") from error

    def fingerprint(self, content: bytes) -> bytes:
        """Returns a keyed hash of 32 bytes (HMAC-SHA-256). Without the key a guess of the content cannot be checked
        against it.
        """
        return hmac.digest(self._key(), content, "sha256")

    def _key(self) -> bytes:
        with self._lock:
            if self._known is None:
                self._known = read_or_make(self._path, Fernet.generate_key, identify)
            return self._known
