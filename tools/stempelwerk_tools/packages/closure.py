"""Which of the locked Python packages a program needs: its own requirements, theirs, and so on. Pure but for reading
the metadata of what is installed here.

Nothing is resolved anew: the lock has one version of each package, and that is the one.
"""

import re
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


class NotLocked(Exception):
    """A package is needed that the lock does not hold."""


NEVER_USED = frozenset({"pip"})
"""Named by a library for a command that no program of ours calls: sqlite-utils installs its plugins by it."""


def needed(distribution: str, environment: Mapping[str, str] | None = None) -> set[str]:
    """The canonical names of all that `distribution` needs to run, without its own and what is never used.

    `environment`: values of markers that differ from this machine's (`platform_machine` for another architecture).
    """
    found: set[str] = set()
    waiting: list[tuple[str, frozenset[str]]] = [(distribution, frozenset())]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        for requirement in _requirements(name):
            if not _holds(requirement, extras, environment or {}):
                continue
            other = canonicalize_name(requirement.name)
            if other not in NEVER_USED:
                found.add(other)
                waiting.append((other, frozenset(requirement.extras)))
    return found - {canonicalize_name(distribution)}


def _requirements(name: str) -> Iterable[Requirement]:
    try:
        return [Requirement(text) for text in requires(name) or ()]
    except PackageNotFoundError:  # left out on this machine by a marker; the lock will tell
        return ()


def _holds(requirement: Requirement, extras: frozenset[str], environment: Mapping[str, str]) -> bool:
    if requirement.marker is None:
        return True
    return any(requirement.marker.evaluate({**environment, "extra": extra}) for extra in extras or {""})


_ENTRY = re.compile(r"^([A-Za-z0-9._-]+)==")


def part_of(lock: str, names: set[str]) -> str:
    """The entries of a lock file (`name==version` with its hashes below) that are of these names. NotLocked."""
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
