"""Tests the data folder before its first use, so that the start reports faults and names the folder.

Deliberately not here: the owners of its files (`private.py`, `backup.py`).
"""

import errno
import tempfile
from pathlib import Path

from stempelwerk_cloud.configuration import PREFIX
from stempelwerk_cloud.kit.security import private

_HINTS = {errno.EROFS: " (under systemd its unit must name the folder in ReadWritePaths=)"}


class UnusableFolder(Exception):
    """The message is one line for the operator and names the folder."""


def try_out(folder: Path) -> None:
    """Creates the folder if it is missing, and writes a temporary file into it. Raises UnusableFolder."""
    try:
        private.make_folder(folder)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".tried-") as file:
            file.write(b"?")
            file.flush()
    except OSError as error:
        why = "it is no folder" if folder.exists() and not folder.is_dir() else str(error.strerror)
        hint = _HINTS.get(error.errno or 0, "")
        raise UnusableFolder(f"{PREFIX}DATA_DIR: {folder.absolute()} cannot be written: {why}{hint}.") from error
