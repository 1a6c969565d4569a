"""Drafts of files: all of them are put into place at a later moment, or removed without a trace."""

import contextlib
import os
import shutil
import tempfile
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import IO, Self

from stempelwerk_cloud.kit.security import private

_PREFIX = ".draft."


class OutsideOfFolder(Exception):
    """The file's name leads out of the folder."""


class Drafts:
    """A context manager for draft files. Each is written in its target's folder, readable only by its owner;
    `put_in_place` renames all of them.

    Drafts that are not in place at the end are removed, with the folders that were made for them.
    """

    def __init__(self, folder: Path) -> None:
        self._root = folder.resolve()
        self._waiting: list[tuple[Path, Path]] = []
        self._made: list[Path] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        for draft, _ in self._waiting:
            with contextlib.suppress(OSError):  # the failure that led here is the one to report
                draft.unlink()
        for folder in reversed(self._made):
            with contextlib.suppress(OSError):  # it holds something by now
                folder.rmdir()

    def remove_abandoned(self) -> None:
        """Removes drafts of killed processes. No other process may have drafts meanwhile. OSError."""
        for draft in self._root.rglob(f"{_PREFIX}*"):
            draft.unlink()

    @property
    def targets(self) -> list[Path]:
        """The targets that are not in place yet."""
        return [target for _, target in self._waiting]

    def place(self, name: PurePosixPath) -> Path:
        """Returns the path of the file with that name in the folder. Raises OutsideOfFolder."""
        target = self._root.joinpath(name).resolve()
        if not target.is_relative_to(self._root) or target == self._root:
            raise OutsideOfFolder(name)
        return target

    def write(self, target: Path, content: IO[bytes]) -> None:
        """Writes a draft. `target`: a result of `place`. OSError."""
        self._make_folder(target.parent)
        with tempfile.NamedTemporaryFile(dir=target.parent, prefix=_PREFIX, delete=False) as file:
            self._waiting.append((Path(file.name), target))
            shutil.copyfileobj(content, file)
            file.flush()
            os.fsync(file.fileno())

    def put_in_place(self) -> None:
        """Renames all drafts. OSError at the first that fails: it and those after it are still among the `targets`."""
        while self._waiting:
            draft, target = self._waiting[0]
            draft.replace(target)
            del self._waiting[0]

    def _make_folder(self, folder: Path) -> None:
        missing = [path for path in (folder, *folder.parents) if not path.exists()]
        private.make_folder(folder)
        self._made += reversed(missing)
