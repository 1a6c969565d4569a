"""A tree of folders on a disk that forgets, as the clock's updates write it (`stempelwerk_edge.updates.launcher.Disk`).

Like `disk`, but with folders and real files: a program reads what it has written. A cut leaves the old, the new or a
part of every name and content without a later sync, each on its own. Files that bypass the disk (written by the client
of TUF) were never synced: any of them may be gone or cut short.
"""

import random
import shutil
from dataclasses import dataclass
from pathlib import Path

from stempelwerk_edge.updates.launcher import Disk

from stempelwerk_tools.powercut.disk import SECTOR, PowerLost


@dataclass(eq=False)
class _Node:
    """A file's present content and the content that a sync has made safe. None instead of contents: a folder."""

    now: bytes | None
    safe: bytes | None


class ForgetfulTree(Disk):
    """Everything below `folder`, which is safe at first. `cut_in` counts down with every step; at 0 the power goes."""

    def __init__(self, folder: Path, cut_in: int | None = None) -> None:
        self._folder, self.cut_in, self.steps = folder, cut_in, 0
        self._now = {path: self._read_node(path) for path in folder.rglob("*") if not path.is_symlink()}
        self._safe = dict(self._now)

    @staticmethod
    def _read_node(path: Path) -> _Node:
        content = None if path.is_dir() else path.read_bytes()
        return _Node(content, content)

    def _step(self) -> None:
        if self.cut_in is not None and self.steps >= self.cut_in:
            raise PowerLost("the power is gone")
        self.steps += 1

    def make_folder(self, folder: Path) -> None:
        """Makes a folder."""
        for path in reversed((folder, *folder.parents)):
            if self._folder in path.parents and path not in self._now:
                self._step()
                path.mkdir(exist_ok=True)
                self._now[path] = _Node(None, None)

    def write(self, path: Path, data: bytes) -> None:
        """Writes in three steps: the file exists and is empty; it has its content; the content is safe."""
        self._step()
        node = self._now.setdefault(path, _Node(b"", b""))
        node.now = b""
        path.write_bytes(b"")
        self._step()
        node.now = data
        path.write_bytes(data)
        self._step()
        node.safe = data

    def replace(self, path: Path, target: Path) -> None:
        """Renames a file."""
        self._step()
        self._now[target] = self._now.pop(path)
        path.replace(target)

    def remove(self, path: Path) -> None:
        """Removes file by file, the deepest first."""
        for part in sorted([*path.rglob("*"), path] if path.is_dir() else [path] * path.exists(), reverse=True):
            self._step()
            self._now.pop(part, None)
            part.rmdir() if part.is_dir() else part.unlink()

    def sync_folder(self, folder: Path) -> None:
        """Makes the names in the folder safe."""
        self._step()
        for path in [path for path in self._safe if path.parent == folder and path not in self._now]:
            del self._safe[path]
        self._safe |= {path: node for path, node in self._now.items() if path.parent == folder}

    def after_cut(self, rng: random.Random) -> None:
        """Turns the folder into a state that may be found when the power is back."""
        past = [path for path in self._folder.rglob("*") if path not in self._now and path.is_file()]
        leftovers = {path: path.read_bytes() for path in past if not path.is_symlink()}
        contents: dict[Path, bytes | None] = {}
        for path in sorted(self._now.keys() | self._safe.keys()):
            choices = list({id(node): node for node in (self._now.get(path), self._safe.get(path))}.values())
            node = rng.choice(choices)
            if node is not None and (path.parent == self._folder or path.parent in contents):
                contents[path] = None if node.now is None else _content(node.now, node.safe or b"", rng)
        for path, data in leftovers.items():
            contents[path] = _content(data, b"", rng)
        shutil.rmtree(self._folder)
        self._folder.mkdir()
        for path, content in contents.items():
            if content is None:
                path.mkdir(exist_ok=True, parents=True)
            else:
                path.parent.mkdir(exist_ok=True, parents=True)
                path.write_bytes(content)


def _content(now: bytes, safe: bytes, rng: random.Random) -> bytes:
    return now if now == safe else rng.choice([now, safe, now[: rng.randrange(len(now) + 1) // SECTOR * SECTOR]])
