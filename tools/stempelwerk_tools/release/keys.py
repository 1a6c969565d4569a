"""The offline keys: PEM files (PKCS 8), each encrypted by a passphrase of its own, in one folder or in several.

Each holder may keep theirs on a medium of their own; whoever signs names the folders that are there at the moment.
"""

import os
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

LEAST_PASSPHRASE = 12
NAME = "x-stempelwerk-name"
"""The member of a key in the metadata that says in which file it lies."""

Ask = Callable[[str], str]
"""What a passphrase is asked for by: the key's name goes in."""


class NoKey(Exception):
    """A key cannot be made or used; the message says which."""


class Keys:
    """Those in these folders. New ones are put into the first."""

    def __init__(self, folders: Sequence[Path], ask: Ask) -> None:
        self._folders, self._ask = folders, ask
        self._opened: dict[str, CryptoSigner] = {}

    def make(self, name: str) -> SSlibKey:
        """A new key; its public half. NoKey, also for a name that is taken."""
        if self._find(name) is not None:
            raise NoKey(f"there is a key {name} already")
        passphrase = self._ask(name)
        if len(passphrase) < LEAST_PASSPHRASE:
            raise NoKey(f"the passphrase of {name} must have {LEAST_PASSPHRASE} characters")
        private = Ed25519PrivateKey.generate()
        pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(passphrase.encode()))
        self._folders[0].mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._folders[0] / f"{name}.pem"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(pem)
            file.flush()
            os.fsync(file.fileno())
        key = _named(private.public_key(), name)
        self._opened[name] = CryptoSigner(private, key)
        return key

    def signer(self, key: SSlibKey) -> CryptoSigner | None:
        """Who signs with this key; None: its file is not here. NoKey for a wrong passphrase, or another key's file."""
        name = name_of(key)
        if name not in self._opened:
            path = self._find(name)
            if path is None:
                return None
            try:
                private = load_pem_private_key(path.read_bytes(), self._ask(name).encode())
            except ValueError:
                raise NoKey(f"the passphrase of {name} is wrong") from None
            if not isinstance(private, Ed25519PrivateKey):
                raise NoKey(f"{path} is no Ed25519 key")
            self._opened[name] = CryptoSigner(private, _named(private.public_key(), name))
        signer = self._opened[name]
        if signer.public_key.keyval != key.keyval:
            raise NoKey(f"{name}.pem is not the key that the metadata name so")
        return signer

    def _find(self, name: str) -> Path | None:
        return next((path for folder in self._folders if (path := folder / f"{name}.pem").is_file()), None)


def online(public: str) -> SSlibKey:
    """The cloud's key, as `stempelwerk-cloud update-key` prints it. NoKey."""
    try:
        return _named(Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)), "cloud")
    except ValueError:
        raise NoKey(f"{public!r} is no public key") from None


def name_of(key: SSlibKey) -> str:
    """How its file is called."""
    return str(key.unrecognized_fields[NAME])


def _named(public: Ed25519PublicKey, name: str) -> SSlibKey:
    key = SSlibKey.from_crypto(public)
    key.unrecognized_fields[NAME] = name
    return key
