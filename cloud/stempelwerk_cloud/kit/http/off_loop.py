"""Work on bodies: what is large is done on a thread, so that the event loop answers others meanwhile."""

import json
import re
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

from stempelwerk_cloud.kit.http.problems import BodyRefused, malformed
from stempelwerk_cloud.kit.invisible import shows

SMALL = 64 * 1024
"""Bytes that are worked on at once: a thread would take longer."""

_NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""PostgreSQL keeps no NUL in a text, and nothing keeps half a character."""

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


async def off_loop(size: int, work: Callable[_Given, _Made], *given: _Given.args, **named: _Given.kwargs) -> _Made:
    """What the work makes of something with so many bytes."""
    return work(*given, **named) if size <= SMALL else await run_in_threadpool(work, *given, **named)


class Unhurried(Request):
    """A request whose JSON is parsed once, off the loop where it is large. Raises what json.loads does."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            body = await self.body()
            self._json = await off_loop(len(body), _read, body)
        return self._json


def _read(body: bytes) -> Any:
    """The JSON of a body, in which every text can be kept, and what shows nothing is empty. Raises BodyRefused."""
    whole = {"": json.loads(body)}
    parts: list[tuple[tuple[Any, ...], Any]] = [((), whole)]
    while parts:
        at, part = parts.pop()
        for place, value in list(part.items() if isinstance(part, dict) else enumerate(part)):
            here = (*at, place) if part is not whole else ()
            for where, text in ((at, place), (here, value)):
                if isinstance(text, str) and _NO_TEXT.search(text):
                    raise BodyRefused(malformed([{"type": "no_text", "loc": where}]))
            if isinstance(value, str) and value.strip() and not shows(value):
                part[place] = ""
            elif isinstance(value, (dict, list)):
                parts.append((here, value))
    return whole[""]
