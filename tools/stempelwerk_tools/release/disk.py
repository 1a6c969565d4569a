"""Atomic writes: after a power cut files are as they were before or as they are afterwards."""

import fcntl
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_STAGED, _INCOMPLETE = "staged", "staged.new"


class Busy(Exception):
    """Another process holds the folder; the message names it."""


def write_whole(path: Path, data: bytes, mode: int = 0o644) -> None:
    """Writes the file under a temporary name, syncs it, and renames it. Raises OSError."""
    beside = path.with_name(f"{path.name}.new")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    _sync(path.parent)


def store_together(folder: Path, files: Mapping[str, bytes]) -> None:
    """Writes the files of a change atomically. `files`: content by path below the folder. OSError.

    They are staged first. Renaming the stage is the commit; `finish_storing` then moves the files into place.
    """
    finish_storing(folder)
    stage = folder / _INCOMPLETE
    for name, data in files.items():
        (stage / name).parent.mkdir(parents=True, exist_ok=True)
        write_whole(stage / name, data)
    _sync(stage)
    stage.replace(folder / _STAGED)
    _sync(folder)
    finish_storing(folder)


def finish_storing(folder: Path) -> None:
    """Completes an interrupted `store_together`: moves committed files, removes an incomplete stage."""
    shutil.rmtree(folder / _INCOMPLETE, ignore_errors=True)
    stage = folder / _STAGED
    if not stage.is_dir():
        return
    for path in sorted(path for path in stage.rglob("*") if path.is_file()):
        target = folder / path.relative_to(stage)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.replace(target)
        _sync(target.parent)
    _sync(folder)
    shutil.rmtree(stage)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Locks the folder for this process, and makes it if necessary. Raises Busy."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(f"In {folder} arbeitet schon ein anderer Aufruf: Warte, bis er fertig ist.") from None
        yield
    finally:
        os.close(descriptor)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
