"""Puts the forgetful disk under SQLite: an apsw VFS that records every write and sync of the files of one folder.

Programs see the real files in the folder while the power is on (SQLite's own code does the reading, the locks and the
shared memory); the `ForgetfulDisk` knows what would survive. A new journal's or WAL's first sync also makes the
folder's names safe, as SQLite's own VFS for Unix does.
"""

from __future__ import annotations

import contextlib
import itertools
from pathlib import Path
from typing import Any

import apsw

from stempelwerk_tools.powercut.disk import ForgetfulDisk, Image, PowerLost, Truncate, Write

_names = itertools.count(1)
_SYNCS_FOLDER = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL


class _File(apsw.VFSFile):
    """A file of the folder: passes each call on to the real file, and records writes and syncs on the forgetful
    disk.
    """

    def __init__(self, disk: ForgetfulDisk, name: str | apsw.URIFilename, flags: list[int]) -> None:
        path = Path(name if isinstance(name, str) else name.filename())
        self._name = path.name
        self._disk = disk
        self._image: Image = disk.open(self._name, path.read_bytes() if path.exists() else None)
        self._folder_too = bool(flags[0] & _SYNCS_FOLDER and flags[0] & apsw.SQLITE_OPEN_CREATE)
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802 - SQLite's name
        self._disk.check()
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.change(self._image, Write(offset, bytes(data)))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.change(self._image, Truncate(newsize))
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802 - SQLite's name
        self._disk.sync(self._name, self._image)
        if self._folder_too:
            self._disk.sync_folder()
            self._folder_too = False


class ForgetfulVFS(apsw.VFS):
    """One folder on one forgetful disk, registered with SQLite until `unregister`."""

    def __init__(self, disk: ForgetfulDisk) -> None:
        self.disk = disk
        self.vfs_name = f"forgetful-{next(_names)}"
        super().__init__(self.vfs_name, base="")

    def xOpen(  # noqa: N802 - SQLite's name
        self, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> apsw.VFSFile:
        if name is None:  # SQLite's own temporary files, which need not survive
            return apsw.VFSFile("", name, flags)
        return _File(self.disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802 - SQLite's name
        self.disk.delete(Path(filename).name)
        super().xDelete(filename, syncdir)
        if syncdir:
            self.disk.sync_folder()

    def connect(self, path: Path, kind: type[apsw.Connection] = apsw.Connection) -> apsw.Connection:
        """Opens a database of the folder; transactions are explicit, as with `isolation_level=None`."""
        return kind(str(path), vfs=self.vfs_name)


def abandon(connection: apsw.Connection) -> None:
    """Closes a connection after the cut: SQLite's last writes fail."""
    with contextlib.suppress(apsw.Error, PowerLost):
        connection.close()
