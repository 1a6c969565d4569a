"""Processes that begin their work together."""

import multiprocessing.synchronize
from collections.abc import Callable
from functools import partial
from typing import Any

from cloud.tests.forked import CONTEXT, Forked

PATIENCE_S = 300
"""Only ends a hang."""


def begin_together(work: Callable[..., None], *arguments: Any, count: int) -> list[int]:
    """Starts this many processes and returns their exit statuses.

    Each calls `work` with a function that returns when all processes have called it, and with the arguments.
    """
    ready = CONTEXT.Barrier(count)
    begun = [Forked(_work, work, ready, *arguments) for _ in range(count)]
    return [process.wait(PATIENCE_S) for process in begun]


def _work(work: Callable[..., None], ready: multiprocessing.synchronize.Barrier, *arguments: Any) -> None:
    work(partial(ready.wait, PATIENCE_S), *arguments)
