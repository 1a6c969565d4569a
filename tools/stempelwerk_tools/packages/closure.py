"""The closure of a program's requirements among the locked Python packages. Pure but for reading the metadata of what
is installed here.

It resolves no versions: the lock has exactly one of each package.
"""

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


class NotLocked(Exception):
    """The lock does not hold a required package."""


NEVER_USED = frozenset({"pip"})
"""Packages that a library requires for a command that we never call: sqlite-utils installs its plugins with pip."""


def required_packages(distribution: str, environment: Mapping[str, str] | None = None) -> set[str]:
    """Returns the canonical names of all dependencies of `distribution`, without itself and the packages in
    `NEVER_USED`.

    `environment`: values of markers that differ from this machine's (`platform_machine` for another architecture).
    """
    names: set[str] = set()
    waiting: list[tuple[str, frozenset[str]]] = [(distribution, frozenset())]
    visited: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in visited:
            continue
        visited.add((name, extras))
        for requirement in _requirements(name):
            if not _holds(requirement, extras, environment or {}):
                continue
            required = canonicalize_name(requirement.name)
            if required not in NEVER_USED:
                names.add(required)
                waiting.append((required, frozenset(requirement.extras)))
    return names - {canonicalize_name(distribution)}


def _requirements(name: str) -> Iterable[Requirement]:
    try:
        return [Requirement(text) for text in requires(name) or ()]
    except PackageNotFoundError:  # left out on this machine by a marker; a missing entry of the lock is reported later
        return ()


def _holds(requirement: Requirement, extras: frozenset[str], environment: Mapping[str, str]) -> bool:
    if requirement.marker is None:
        return True
    return any(requirement.marker.evaluate({**environment, "extra": extra}) for extra in extras or {""})


_ENTRY = re.compile(r"^([A-Za-z0-9._-]+)==")


def extract_entries(lock: str, names: set[str]) -> str:
    """Returns the entries of a lock file (`name==version` with its hashes below) for these names. NotLocked."""
    entries: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in lock.splitlines():
        start = _ENTRY.match(line)
        if start:
            current = entries.setdefault(canonicalize_name(start[1]), [])
        if current is not None:
            current.append(line)
    if missing := sorted(names - entries.keys()):
        raise NotLocked(f"requirements.lock does not hold {', '.join(missing)}.")
    return "".join(f"{line}\n" for name in sorted(names) for line in entries[name])
