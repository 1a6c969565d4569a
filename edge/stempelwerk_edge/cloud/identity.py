"""The clock's key: made at the first start, bound to the hardware it was made on, kept in one file.

The cloud knows the device by the keyid. Nothing here talks to the cloud; `session.py` enrols. A key file that is
damaged, or belongs to other hardware, is set aside and never overwritten.
"""

import base64
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from stempelwerk_edge.errors import IdentityError
from stempelwerk_edge.parsing import read_json

FILE_NAME = "identity.json"
DAMAGED = "damaged"
_OLD = "old"
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CLAIM_CODE_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Identity:
    """A key and the hardware it belongs to.

    `made_now`: this start made it. `set_aside` is the key file that it then replaces, if there was one;
    `was_damaged`: that file was unreadable, and not another machine's.
    """

    key: Ed25519PrivateKey
    hardware_id: str
    made_now: bool = False
    set_aside: Path | None = None
    was_damaged: bool = False

    @property
    def public_key(self) -> bytes:
        """The 32 raw bytes of the Ed25519 public key."""
        return self.key.public_key().public_bytes_raw()

    @property
    def keyid(self) -> str:
        """The cloud's id of this device, see `keyid_of`."""
        return keyid_of(self.public_key)

    @property
    def claim_code(self) -> str:
        """The eight characters on the display of an unassigned clock."""
        return claim_code_of(self.public_key)


def keyid_of(public_key: bytes) -> str:
    """Returns the base64url of the SHA-256 of the raw public key, without padding."""
    return base64.urlsafe_b64encode(hashlib.sha256(public_key).digest()).rstrip(b"=").decode()


def claim_code_of(public_key: bytes) -> str:
    """Returns the first 8 characters of the Crockford base32 of the SHA-256 of the raw public key."""
    number = int.from_bytes(hashlib.sha256(public_key).digest()[:5], "big")
    return "".join(_CROCKFORD[number >> 5 * place & 31] for place in reversed(range(_CLAIM_CODE_LENGTH)))


def load_or_make(directory: Path, hardware_ids: Sequence[str]) -> Identity:
    """Loads the identity of this clock, or makes one if this hardware has no identity yet. Raises IdentityError.

    `hardware_ids` are all identifiers of this machine, best first. A key of other hardware, or an unreadable file, is
    kept under another name, to show later what happened to the card. If the identifier that the key was bound to is not
    available now (a network device that is missing), the key stays.
    """
    path = directory / FILE_NAME
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        stored = _read(path)
        if stored is not None and _belongs(stored.hardware_id, hardware_ids):
            return stored
        was_damaged = stored is None and path.exists()
        set_aside = _set_aside(path, DAMAGED if was_damaged else _OLD) if path.exists() else None
        key = Ed25519PrivateKey.generate()
        identity = Identity(key, hardware_ids[0], made_now=True, set_aside=set_aside, was_damaged=was_damaged)
        _write(path, identity)
    except OSError as fault:
        raise IdentityError(f"{path}: {fault.strerror or fault}") from fault
    return identity


def _belongs(bound_to: str, hardware_ids: Sequence[str]) -> bool:
    kinds = {name.partition(":")[0] for name in hardware_ids}
    return bound_to in hardware_ids or (":" in bound_to and bound_to.partition(":")[0] not in kinds)


def _read(path: Path) -> Identity | None:
    """Returns the identity in the file; None if there is no file or it is no identity."""
    try:
        content = read_json(path.read_bytes())
        raw, hardware_id = base64.b64decode(content["privateKey"], validate=True), content["hardwareId"]
        if not isinstance(hardware_id, str):
            return None
        return Identity(Ed25519PrivateKey.from_private_bytes(raw), hardware_id)
    except (FileNotFoundError, IsADirectoryError, ValueError, KeyError, TypeError):
        return None


def _write(path: Path, identity: Identity) -> None:
    content = {
        "hardwareId": identity.hardware_id,
        "privateKey": base64.b64encode(identity.key.private_bytes_raw()).decode(),
    }
    write_durably(path, json.dumps(content, indent=1).encode())


def write_durably(path: Path, content: bytes) -> None:
    """Replaces a file, so that a power failure leaves the old or the new content, never a part.

    It writes `<name>.new`, syncs it, renames it and syncs the directory: the content is on the disk when this returns.
    Only the owner may read the file. Raises OSError.
    """
    fresh = path.with_name(path.name + ".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        os.write(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    fresh.rename(path)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Makes the names in a directory durable. Raises OSError."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _set_aside(path: Path, suffix: str) -> Path:
    """Renames a file to a name that is free; returns the new path. Raises OSError."""
    number = 1
    while (name := path.with_name(f"{path.name}.{suffix}-{number}")).exists():
        number += 1
    return path.rename(name)
