"""The service's own keys for signing snapshot and timestamp. The key file has one line for each key ever made, the
newest last.

The root in force names the key in use. A new key is made here, then its public half is put into a new root by the
root's holders; the key is used from that root on. The offline keys are deliberately not here, because no server may
have them.
"""

import base64
import io
from pathlib import PurePosixPath

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from securesystemslib.signer import CryptoSigner, SSlibKey
from tuf.api.metadata import Root, Snapshot, Timestamp

from stempelwerk_cloud.configuration import Settings
from stempelwerk_cloud.kit.operations.drafts import Drafts
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.key_files import read_or_make

KEY_FILE = "update.key"
ED25519 = "ed25519"


def public(settings: Settings) -> str:
    """Returns the public half of the newest key in hexadecimal. Raises OSError."""
    return _private(_lines(settings)[-1]).public_key().public_bytes_raw().hex()


def renew(settings: Settings) -> None:
    """Adds a new key to the key file and keeps the existing ones. Raises OSError."""
    lines = b"\n".join([*_lines(settings), _generate_key()])
    with Drafts(settings.data_dir) as drafts:
        drafts.write(drafts.place(PurePosixPath(KEY_FILE)), io.BytesIO(lines))
        drafts.put_in_place()


def signer(platform: Platform, root: Root) -> CryptoSigner | None:
    """Returns the private key that this root names for both roles; None if the service has no such key."""
    keyids = set(root.roles[Snapshot.type].keyids) & set(root.roles[Timestamp.type].keyids)
    keys_by_public = {
        key.keyval["public"]: key for keyid in keyids if isinstance(key := root.keys.get(keyid), SSlibKey)
    }
    for line in reversed(_lines(platform.settings)):
        private = _private(line)
        named_key = keys_by_public.get(private.public_key().public_bytes_raw().hex())
        if named_key is not None:
            return CryptoSigner(private, named_key)
    return None


def identify(content: bytes) -> str:
    """Returns the public half of the oldest key in hexadecimal. It identifies the key file, because new keys are only
    added. Raises ValueError if the content is no key file.
    """
    publics = [_private(line).public_key().public_bytes_raw().hex() for line in content.split()]
    if not publics:
        raise ValueError("no key of updates")
    return publics[0]


def _lines(settings: Settings) -> list[bytes]:
    return read_or_make(settings.data_dir / KEY_FILE, _generate_key, identify).split()


def _generate_key() -> bytes:
    return base64.b64encode(Ed25519PrivateKey.generate().private_bytes_raw())


def _private(line: bytes) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(line))
