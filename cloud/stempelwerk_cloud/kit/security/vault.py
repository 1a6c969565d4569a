"""Secrets that the service must read again lie encrypted in the database; the key is a file in the data folder.

So a stolen database tells none of them. What only needs comparing, but could be guessed from its hash, is compared by
a fingerprint under the same key. All processes of an installation share the key: it is made once, by whichever comes
first, and belongs to the backup. Deliberately not here: changing the key, passwords (they have a hash of their own),
and random secrets that only need comparing (a plain hash is enough for them).
"""

import contextlib
import hmac
import os
import secrets
import threading
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken

from stempelwerk_cloud.kit.security import private

KEY_FILE = "secrets.key"


class Sealed(Exception):
    """It was encrypted with another key, or altered."""


class Vault:
    """Encrypts and decrypts with the key in `folder`, which is read, or made, when it is first needed."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / KEY_FILE
        self._lock = threading.Lock()
        self._known: bytes | None = None

    def encrypt(self, text: str) -> bytes:
        return Fernet(self._key()).encrypt(text.encode())

    def decrypt(self, sealed: bytes) -> str:
        """What was encrypted. Raises Sealed."""
        try:
            return Fernet(self._key()).decrypt(sealed).decode()
        except InvalidToken as error:
            raise Sealed("the key does not fit") from error

    def fingerprint(self, content: bytes) -> bytes:
        """32 bytes, the same for the same content, which nobody can check a guess against without the key."""
        return hmac.digest(self._key(), content, "sha256")

    def _key(self) -> bytes:
        with self._lock:
            if self._known is None:
                self._known = _read_or_make(self._path)
            return self._known


def _read_or_make(path: Path) -> bytes:
    with contextlib.suppress(FileNotFoundError):
        return path.read_bytes().strip()
    private.make_folder(path.parent)
    # Written whole under another name and then linked: of several processes one wins, and nobody reads half a key.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(Fernet.generate_key())
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
    return path.read_bytes().strip()
