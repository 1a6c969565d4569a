"""What a room tells the matrix of its calls, in a file beside its tests: `people/users_calls.py` for the room `users`.

The files are found by their names. `test_lists.py` holds each to its room: a call without an entry fails, and so do an
entry without a call, and a file without a room.
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

    `who`: by call, who may make it, and with which module; written by hand from the API's list, so that what the code
    declares is compared with something. `rates`: the limits of frequency of those that have their own, likewise.
    `bodies`: by call, a body that it takes. `queries`: by call, the query that it cannot do without. `forms`: by call,
    the fields of the form that it takes beside its query. `uploads`: by call, the file (name, content) of the form that
    it takes, or what makes it. `parameters`: by the thing before it and its name (`users/{id}`), what a parameter of a
    path may be; of one method's calls alone, if that stands before it (`DELETE users/{id}`), or of one call, which is
    named as a whole. `unlogged`: calls that decide nothing, though they write, and why. `by_clock`: how a clock makes
    its calls. `holders`: bodies of whoever holds the `temp_token` of a login's step; None: it is never due without a
    mail server. `left`: how a call refuses who has gone meanwhile, if not by 401. `once`: calls that decide of a thing
    of their path, and the codes (409) with which a second one is refused. `tells`: by call, the live events that open
    pages may get of it. `keyless`: calls whose answer is not kept for an Idempotency-Key, and why. `settings`: what an
    installation must have set to take its calls. `lists`: by call that is read page by page, what puts the n-th of
    three rows into it, about somebody of a company. `grows`: tables that grow from year to year, through which no
    reading call may walk.
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
    """By the room's name: what its file says."""
    found: dict[str, Samples] = {}
    for path in sorted(TESTS.rglob(f"*{SUFFIX}")):
        room = path.name.removesuffix(SUFFIX)
        assert room not in found, f"two files for the room {room}"
        module = import_module(".".join(path.relative_to(TESTS.parents[1]).with_suffix("").parts))
        found[room] = module.SAMPLES
    return found


def all_of(part: str) -> dict[str, Any]:
    """What all rooms say under one of the names above."""
    found: dict[str, Any] = {}
    for room, samples in by_room().items():
        said: Mapping[str, Any] = getattr(samples, part)
        twice = found.keys() & said.keys()
        assert not twice, f"{room}: somebody else says {part} of {sorted(twice)} too"
        found |= said
    return found
