"""Work on bodies: what is large is done on a thread, so that the event loop answers others meanwhile."""

import json
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from fastapi import Request
from fastapi.concurrency import run_in_threadpool

SMALL = 64 * 1024
"""Bytes that are worked on at once: a thread would take longer."""

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
            self._json = await off_loop(len(body), json.loads, body)
        return self._json
