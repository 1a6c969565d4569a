"""What a room declares of itself, in one value that `app.py` lists: its calls, and its part in what all rooms share.

Everything else that a room has (tables, problems, texts) is found by itself.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from fastapi import APIRouter
from sqlalchemy.orm import Session
from starlette.routing import BaseRoute

from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.live.topics import Hears
from stempelwerk_cloud.kit.outbox import Task
from stempelwerk_cloud.kit.platform import Platform


class Job(NamedTuple):
    """`work(session, now)` runs every `every`, the first time after one such pause.

    Work that answers true has more to do, and goes on at once in a transaction of its own.
    """

    name: str
    every: timedelta
    work: Callable[[Session, datetime], bool | None]


class Round(NamedTuple):
    """A job that takes transactions of its own, as many as it needs: what fails for one company fails for no other."""

    name: str
    every: timedelta
    work: Callable[[Platform], None]


@dataclass(frozen=True)
class Room:
    """A room of the house.

    `subscriptions`: what happens here at a signal, `handler(work, **data)`. `gauges`: figures of
    `Metrics`, by the names of its members, asked for every half minute. `ports`: what lower rooms ask by way of the
    platform, by the names of its members. `audit_actions`: what it writes into the log of decisions. `audit_names`:
    what the subjects of actions are called that begin with a word, `(session, company_id, subjects)`. `loop` goes on
    for as long as the application lives, and `at_end` follows its last answer. `refused_for_size`: what refuses a body
    that is too large, by path. `large_bodies`: how many bytes it may have, by path, where that is more than a MiB.
    `settings`: what a company can set of it, from a day on; `settings_router`: the calls about what all rooms let a
    company set. `hears`: the topics by which a caller hears of it (`kit/live/topics.py`). `tasks`: what it does after a
    commit, by the kinds of the outbox's rows (`kit/outbox`). `files`: those that it keeps in the data folder, by their
    names there; a backup takes no others along.
    """

    name: str
    router: APIRouter | None = None
    jobs: Sequence[Job | Round] = ()
    subscriptions: Mapping[str, Callable[..., None]] = field(default_factory=dict)
    gauges: Mapping[str, Callable[[Platform], int]] = field(default_factory=dict)
    ports: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    audit_actions: Sequence[str] = ()
    audit_names: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    loop: Callable[[Platform], Coroutine[Any, Any, None]] | None = None
    at_end: Callable[[Platform], None] | None = None
    refused_for_size: Mapping[str, Problem] = field(default_factory=dict)
    large_bodies: Mapping[str, int] = field(default_factory=dict)
    settings: Sequence[Setting[Any]] = ()
    settings_router: Callable[[Sequence[Setting[Any]]], APIRouter] | None = None
    hears: Hears | None = None
    tasks: Mapping[str, Task] = field(default_factory=dict)
    files: Sequence[str] = ()

    @property
    def calls(self) -> Sequence[BaseRoute]:
        return () if self.router is None else self.router.routes
