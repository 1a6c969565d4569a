"""Calls that meet between their guards and their transactions, on both databases: each has been let in before any
decides, which is when what a guard saw may be over.
"""

import itertools
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

import structlog
from httpx2 import Response
from sqlalchemy.orm import Session
from stempelwerk_cloud.fleet.devices.service import write_beats
from stempelwerk_cloud.kit.database.scopes import NOBODY, SYSTEM, Scope
from stempelwerk_cloud.kit.platform import Platform

T = TypeVar("T")


def all_at_once(platform: Platform, *calls: Callable[[], T]) -> list[T]:
    """The calls' answers, each let in before the first of them begins to write."""
    write_beats(platform)  # else each call writes those that wait first, one after the other
    gate, arrivals = threading.Barrier(len(calls)), itertools.count()

    def wait_for_all() -> None:
        if next(arrivals) < len(calls):
            gate.wait(60)

    with before_each_write(platform, wait_for_all), ThreadPoolExecutor(len(calls)) as pool:
        answers = [pool.submit(_asked, call) for call in calls]
        return [answer.result(60) for answer in answers]


def interrupted(platform: Platform, call: Callable[[], Response], meanwhile: Callable[[Session], object]) -> Response:
    """The call's answer, when something has come about (`meanwhile`) after it was let in and before it writes."""
    write, done = platform.database.write, False

    def come_about() -> None:
        nonlocal done
        if not done:
            done = True
            with write(SYSTEM) as session:
                meanwhile(session)

    with before_each_write(platform, come_about):
        return _asked(call)


def _asked(call: Callable[[], T]) -> T:
    """Also what is called directly counts as a request."""
    with structlog.contextvars.bound_contextvars(request_id="direct"):
        return call()


@contextmanager
def before_each_write(platform: Platform, action: Callable[[], object]) -> Iterator[None]:
    """Runs `action` before each writing transaction of a request, but not of the service's own jobs, nor before a guard
    counts the call (`NOBODY`).
    """
    write = platform.database.write

    def write_later(scope: Scope) -> AbstractContextManager[Session]:
        if "request_id" in structlog.contextvars.get_contextvars() and scope != NOBODY:
            action()
        return write(scope)

    platform.database.write = write_later  # type: ignore[method-assign]
    try:
        yield
    finally:
        platform.database.write = write  # type: ignore[method-assign]
