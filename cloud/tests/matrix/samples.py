"""A room's description of its calls for the matrix, in a file next to its tests: `people/users_calls.py` for `users`.

The matrix finds the files by name. `test_lists.py` compares each with its room: a call without an entry, an entry
without a call, and a file without a room fail.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from httpx2 import Response

from cloud.tests.device_client import Clock
from cloud.tests.matrix.scene import Scene
from cloud.tests.world import Somebody

Filling = Callable[[Scene, Somebody | None], Any]

SUFFIX = "_calls.py"
TESTS = Path(__file__).parents[1]


@dataclass(frozen=True, kw_only=True)
class Samples:
    """A room's calls, each written `POST /api/companies`.

    - `who`: by call, its callers and module, written by hand from the API's list and compared with the declaration.
      `rates`: likewise its own rate limit.
    - `bodies`, `queries`, `forms`, `uploads`: by call, a valid body, its required query, its form fields next to the
      query, and its file (name, content) or a function that makes it.
    - `parameters`: by the preceding path segment and the name (`users/{id}`), a valid path parameter; limited to a
      method (`DELETE users/{id}`) or to one whole call.
    - `unlogged`: writing calls without a decision, with the reason.
    - `by_clock`: how a clock makes its calls.
    - `holders`: bodies for the holder of a login's `temp_token`; None: the step needs a mail server.
    - `left`: the refusal of a person who left meanwhile, if not 401.
    - `once`: calls that decide about an object of their path, with the codes (409) for a second decision.
    - `tells`: by call, its live events.
    - `keyless`: calls whose answer is not stored for an Idempotency-Key, with the reason.
    - `settings`: required settings of the installation.
    - `lists`: by paged call, a function that inserts the n-th of three rows about a person of a company.
    - `grows`: tables that grow for years, which no reading call may scan.
    """

    who: Mapping[str, str]
    rates: Mapping[str, str] = field(default_factory=dict)
    bodies: Mapping[str, Filling] = field(default_factory=dict)
    queries: Mapping[str, Filling] = field(default_factory=dict)
    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    uploads: Mapping[str, tuple[str, bytes] | Filling] = field(default_factory=dict)
    parameters: Mapping[str, Filling] = field(default_factory=dict)
    unlogged: Mapping[str, str] = field(default_factory=dict)
    by_clock: Mapping[str, Callable[[Clock], Response]] = field(default_factory=dict)
    holders: Mapping[str, Callable[[Scene], dict[str, Any]] | None] = field(default_factory=dict)
    left: Mapping[str, int] = field(default_factory=dict)
    once: Mapping[str, str] = field(default_factory=dict)
    keyless: Mapping[str, str] = field(default_factory=dict)
    tells: Mapping[str, set[str]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    lists: Mapping[str, Callable[[Somebody, int], object]] = field(default_factory=dict)
    grows: frozenset[str] = frozenset()


def by_room() -> dict[str, Samples]:
    """Returns the content of each room's file, by the room's name."""
    found: dict[str, Samples] = {}
    for path in sorted(TESTS.rglob(f"*{SUFFIX}")):
        room = path.name.removesuffix(SUFFIX)
        assert room not in found, f"two files for the room {room}"
        module = import_module(".".join(path.relative_to(TESTS.parents[1]).with_suffix("").parts))
        found[room] = module.SAMPLES
    return found


def all_of(part: str) -> dict[str, Any]:
    """Returns the entries of all rooms under one of the names above."""
    found: dict[str, Any] = {}
    for room, samples in by_room().items():
        said: Mapping[str, Any] = getattr(samples, part)
        twice = found.keys() & said.keys()
        assert not twice, f"{room}: somebody else says {part} of {sorted(twice)} too"
        found |= said
    return found
