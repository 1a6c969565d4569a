"""The service's own files in the data folder, which its backup includes: the files that rooms declare (`Room.files`).

A folder may have been given to a clock too, by mistake. A clock's files never go into a backup, nor out of one: the key
of a device must exist only once, and its journal is ahead of every copy. Deliberately not here: reading and writing.
"""

from collections.abc import Collection
from pathlib import Path, PurePosixPath
from typing import NamedTuple

_OF_CLOCKS = frozenset({"identity.json", "hardware-id", "people.db", "logbook.db", "reserve", "lock"})
_JOURNAL = "journal"
_SIGNS_OF_A_CLOCK = ("journal/journal.db", "identity.json")
_NAMED = 2


class Sorted(NamedTuple):
    """The files of a data folder: `included` by name, and the names of files that are not the service's."""

    included: dict[str, Path]
    left_out: tuple[str, ...]


def sort(folder: Path, declared: Collection[str], skip: Collection[Path]) -> Sorted:
    """Returns the declared files that exist, and the names of all others, except those in `skip` (resolved paths)."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.resolve() not in skip]
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    folders = tuple(name for name in declared if name.endswith("/"))
    included = {name: path for name, path in names.items() if name in declared or name.startswith(folders)}
    return Sorted(included, tuple(name for name in names if name not in included))


def is_a_clocks(folder: Path) -> bool:
    """Returns whether a clock stores its key or its stamps there."""
    return any((folder / name).exists() for name in _SIGNS_OF_A_CLOCK)


def of_a_clock(name: PurePosixPath) -> bool:
    """Returns whether a file of that name in a data folder is a clock's: also of a journal that was set aside."""
    first = name.parts[0]
    if len(name.parts) > 1:
        return first == _JOURNAL or first.startswith(f"{_JOURNAL}.")
    return first in _OF_CLOCKS or first.removesuffix("-wal").removesuffix("-shm") in _OF_CLOCKS


def sentence(left_out: Collection[str]) -> str:
    """Returns one line for the operator that names the files that a backup left out."""
    names = [name if name.isprintable() else ascii(name) for name in left_out]
    shown_names = names if len(names) <= _NAMED + 1 else names[:_NAMED]
    remainder = f" and {len(names) - len(shown_names)} more" if len(shown_names) < len(names) else ""
    return f"Left out, for they are not the service's: {', '.join(shown_names)}{remainder}."
