"""Keys that are files in the data folder: made once, by whichever process comes first, for the owner alone.

They belong to the backup. Deliberately not here: changing a key.
"""

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from stempelwerk_cloud.kit.security import private


def read_or_make(path: Path, make: Callable[[], bytes]) -> bytes:
    """What the file holds, without the space around it; `make` says what a new one is to hold. OSError."""
    with contextlib.suppress(FileNotFoundError):
        return path.read_bytes().strip()
    private.make_folder(path.parent)
    # Written whole under another name and then linked: of several processes one wins, and nobody reads half a key.
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(make())
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
