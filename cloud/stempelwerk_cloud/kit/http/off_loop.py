"""Work on request bodies: large ones are processed on a thread, so that the event loop serves other requests
meanwhile.
"""

import json
import re
from collections.abc import Callable
from typing import Any, ParamSpec, TypeAlias, TypeVar

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.http.problems import BodyRefused, malformed
from stempelwerk_cloud.kit.invisible import has_visible_text

SMALL = 64 * 1024
"""The largest body in bytes that is processed at once: handing it to a thread would take longer."""

_NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""Characters that cannot be stored: PostgreSQL refuses NUL in a text, and half a surrogate pair is not valid Unicode.
"""

MOST_MEMBERS, MOST_LEVELS = 200_000, 32
"""Limits for the body of a page: a MiB of the longest honest list has half as many members, and no call has ten levels.
"""
MOST_IN_ONE = 10_000
"""The most members of one list or object: as many as any call accepts. Each may be a validation error."""
_OPENINGS = (b",", b"[", b"{")
_Path: TypeAlias = "tuple[_Path, Any] | None"

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


async def off_loop(size: int, work: Callable[_Given, _Made], *args: _Given.args, **kwargs: _Given.kwargs) -> _Made:
    """Returns the result of `work` on `size` bytes, on a thread if they are many."""
    return work(*args, **kwargs) if size <= SMALL else await run_in_threadpool(work, *args, **kwargs)


class JsonRequest(Request):
    """A request whose JSON is parsed once, on a thread if it is large. Raises what json.loads raises, and
    BodyRefused.
    """

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            body = await self.body()
            self._json = await off_loop(len(body), _read, body)
        return self._json


def _read(body: bytes) -> Any:
    """Returns the JSON of a body, checked so that every text can be stored; a text without visible characters becomes
    empty.

    Raises BodyRefused, also for more members or levels than any call takes: a MiB of brackets would take gigabytes.
    """
    if sum(map(body.count, _OPENINGS)) > MOST_MEMBERS:
        raise BodyRefused(malformed([{"type": "too_complex", "loc": ()}]))
    document = {"": json.loads(body)}
    # A path is a chain of pairs (path of the parent, key): a tuple for each member would cost depth times width.
    parts: list[tuple[_Path, int, Any]] = [(None, 0, document)]
    while parts:
        path, level, part = parts.pop()
        if level > MOST_LEVELS or len(part) > MOST_IN_ONE:
            raise BodyRefused(malformed([{"type": "too_complex", "loc": ()}]))
        for key, value in list(part.items() if isinstance(part, dict) else enumerate(part)):
            if isinstance(key, str) and _NO_TEXT.search(key):
                raise _no_text(path)
            location = None if part is document else (path, key)
            if isinstance(value, str):
                if _NO_TEXT.search(value):
                    raise _no_text(location)
                if value.strip() and not has_visible_text(value):
                    part[key] = ""
            elif isinstance(value, (dict, list)):
                parts.append((location, level + 1, value))
    return document[""]


def _no_text(path: _Path) -> BodyRefused:
    location: list[Any] = []
    while path is not None:
        path, key = path
        location.append(key)
    return BodyRefused(malformed([{"type": "no_text", "loc": tuple(reversed(location))}]))
