"""A disk that forgets: it keeps what a sync confirmed, and a random part of the rest.

A power cut keeps all, nothing, or some of the sectors of each write after the last sync, each on its own, so later
writes may survive earlier ones. The same holds for truncations and for names: a new file may be gone and a deleted one
back, until the folder was synced. Syncs are never lies here; a disk that lies is beyond any database. It knows nothing
of SQLite; `vfs` puts it under SQLite.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512


@dataclass(frozen=True)
class Write:
    """Bytes put at an offset, not yet synced."""

    offset: int
    data: bytes

    def survive(self, image: bytearray, rng: random.Random) -> None:
        """Applies to `image` the part of this write that survives a power cut, chosen at random."""
        fate = rng.choice(("kept", "lost", "torn"))
        if fate == "lost":
            return
        for start in range(0, len(self.data), SECTOR):
            if fate == "kept" or rng.random() < 0.5:
                _put(image, self.offset + start, self.data[start : start + SECTOR])


@dataclass(frozen=True)
class Truncate:
    """A file cut to a size, not yet synced."""

    size: int

    def survive(self, image: bytearray, rng: random.Random) -> None:
        """Cuts `image` to the size, or leaves it, at random."""
        if rng.random() < 0.5:
            del image[self.size :]


@dataclass
class Image:
    """One file: the safe content, and the changes after the last sync, in order."""

    safe: bytearray = field(default_factory=bytearray)
    unsynced: list[Write | Truncate] = field(default_factory=list)

    def now(self) -> bytearray:
        """Returns the content as a program sees it."""
        content = bytearray(self.safe)
        for change in self.unsynced:
            if isinstance(change, Write):
                _put(content, change.offset, change.data)
            else:
                del content[change.size :]
        return content

    def sync(self) -> None:
        """Makes all changes so far safe."""
        self.safe = self.now()
        self.unsynced.clear()

    def after_cut(self, rng: random.Random) -> bytes:
        """Returns one of the possible contents of the file after a power cut."""
        content = bytearray(self.safe)
        for change in self.unsynced:
            change.survive(content, rng)
        return bytes(content)


def _put(image: bytearray, offset: int, data: bytes) -> None:
    if len(image) < offset:
        image.extend(bytes(offset - len(image)))
    image[offset : offset + len(data)] = data


class PowerLost(OSError):
    """The power is gone: nothing can be read, written or synced any more."""


class ForgetfulDisk:
    """The files of one folder with the safe state of each. `cut_in` counts down with every change; at 0 the power goes.

    `syncs` lists the name of each file synced, in order.
    """

    def __init__(self) -> None:
        self._files: dict[str, Image] = {}  # as a program sees the folder now
        self._safe_names: dict[str, Image] = {}  # as the folder was when it was last synced
        self.syncs: list[str] = []
        self.cut_in: int | None = None
        self.on = True

    def open(self, name: str, content_on_disk: bytes | None = None) -> Image:
        """Opens the file of that name, or makes it.

        `content_on_disk`: the real file's content. Where it differs from this disk's record, another program wrote and
        synced it.
        """
        self.check()
        image = self._files.get(name)
        if content_on_disk is not None and (image is None or image.now() != content_on_disk):
            image = self._safe_names[name] = Image(safe=bytearray(content_on_disk))
        self._files[name] = image or Image()
        return self._files[name]

    def change(self, image: Image, change: Write | Truncate) -> None:
        """Records an unsynced change; the power may go before it."""
        self.tick()
        image.unsynced.append(change)

    def sync(self, name: str, image: Image) -> None:
        """Makes a file's content safe (not its name); the power may go before it."""
        self.tick()
        self.syncs.append(name)
        image.sync()

    def sync_folder(self) -> None:
        """Makes the names safe: of existing and of deleted files."""
        self.check()
        self._safe_names = dict(self._files)

    def delete(self, name: str) -> None:
        """Removes a name; a cut may bring it back until the folder is synced."""
        self.tick()
        self._files.pop(name, None)

    def tick(self) -> None:
        """Counts one change towards the planned power cut; raises PowerLost when it happens."""
        self.check()
        if self.cut_in is not None:
            self.cut_in -= 1
            if self.cut_in < 0:
                self.on = False
        self.check()

    def check(self) -> None:
        """Raises PowerLost after the cut."""
        if not self.on:
            raise PowerLost("the power is gone")

    def after_cut(self, rng: random.Random, folder: Path) -> None:
        """Turns the power off and writes into the empty `folder` one of the states that may be found later."""
        self.on = False
        for name in sorted(self._files.keys() | self._safe_names.keys()):
            now, safe = self._files.get(name), self._safe_names.get(name)
            choices = {id(image): image for image in (now, safe)}.values()
            image = rng.choice(list(choices))
            if image is not None:
                (folder / name).write_bytes(image.after_cut(rng))
