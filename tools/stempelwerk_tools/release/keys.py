"""The offline keys: PEM files (PKCS 8), each encrypted by a passphrase of its own, in one folder or in several.

Each holder may keep theirs on a medium of their own; the signer names the folders that are present.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from securesystemslib.signer import CryptoSigner, SSlibKey

from stempelwerk_tools.release.disk import write_whole

LEAST_PASSPHRASE = 12
NAME = "x-stempelwerk-name"
"""The member of a key in the metadata that names its file."""

Ask = Callable[[str], str]
"""A passphrase prompt, which receives the key's name."""


class NoKey(Exception):
    """A key cannot be made or used; the message names it."""


class Keys:
    """The key files in `folders`.

    `ask` returns the passphrase of a key that exists, `choose` the one of a new key.
    """

    def __init__(self, folders: Sequence[Path], ask: Ask, choose: Ask | None = None) -> None:
        self._folders, self._ask, self._choose = folders, ask, choose or ask
        self._opened: dict[str, CryptoSigner] = {}
        self._unsaved: dict[Path, bytes] = {}

    def make(self, name: str, folder: Path) -> SSlibKey:
        """Makes a key in memory, which `save` writes into the folder, and returns its public half. Raises NoKey.

        A file of that name comes from an interrupted attempt: its key is opened and used.
        """
        path = folder / f"{name}.pem"
        if path.is_file():
            private = self._load(path, name)
        else:
            private, passphrase = Ed25519PrivateKey.generate(), self._choose(name)
            if len(passphrase) < LEAST_PASSPHRASE:
                raise NoKey(f"Die Passphrase von {name} braucht mindestens {LEAST_PASSPHRASE} Zeichen.")
            encryption = BestAvailableEncryption(passphrase.encode())
            self._unsaved[path] = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
        key = _key_with_name(private.public_key(), name)
        self._opened[name] = CryptoSigner(private, key)
        return key

    def save(self) -> None:
        """Writes the new keys, each file whole or not at all. Raises OSError."""
        for path, pem in self._unsaved.items():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(path, pem, 0o600)
        self._unsaved.clear()

    def signer(self, key: SSlibKey) -> CryptoSigner | None:
        """Returns the signer of this key, None without its file. Raises NoKey for a wrong passphrase or another key's
        file.
        """
        name = name_of(key)
        if name not in self._opened:
            path = next((path for folder in self._folders if (path := folder / f"{name}.pem").is_file()), None)
            if path is None:
                return None
            private = self._load(path, name)
            self._opened[name] = CryptoSigner(private, _key_with_name(private.public_key(), name))
        signer = self._opened[name]
        if signer.public_key.keyval != key.keyval:
            raise NoKey(f"{name}.pem ist nicht der Schlüssel, der in den Metadaten so heißt.")
        return signer

    def _load(self, path: Path, name: str) -> Ed25519PrivateKey:
        try:
            private = load_pem_private_key(path.read_bytes(), self._ask(name).encode())
        except (ValueError, TypeError):  # TypeError: an empty passphrase, or a file without one
            raise NoKey(f"Die Passphrase von {name} stimmt nicht ({path}).") from None
        if not isinstance(private, Ed25519PrivateKey):
            raise NoKey(f"{path} ist kein Ed25519-Schlüssel.")
        return private


def online(public: str) -> SSlibKey:
    """Returns the cloud's public key from the output of `stempelwerk-cloud update-key`. Raises NoKey."""
    try:
        return _key_with_name(Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)), "cloud")
    except ValueError:
        raise NoKey(
            f"{public!r} ist kein öffentlicher Schlüssel: Nimm die 64 Zeichen von stempelwerk-cloud update-key."
        ) from None


def name_of(key: SSlibKey) -> str:
    """Returns the name of the key's file."""
    return str(key.unrecognized_fields[NAME])


def _key_with_name(public: Ed25519PublicKey, name: str) -> SSlibKey:
    key = SSlibKey.from_crypto(public)
    key.unrecognized_fields[NAME] = name
    return key
