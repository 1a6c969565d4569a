"""What a room declares of itself, in one value that `app.py` lists: its calls, and its part in what all rooms share.

Everything else that a room has (tables, problems, texts) is found by itself.
"""

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple, cast

from fastapi import APIRouter
from sqlalchemy import ColumnElement, Date
from sqlalchemy.orm import InstrumentedAttribute, Session
from starlette.routing import BaseRoute

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.months import months_after
from stempelwerk_cloud.domain.steady_time import FURTHEST_BACK
from stempelwerk_cloud.kit.database import expiry
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.live.topics import Hears
from stempelwerk_cloud.kit.outbox import Task
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.key_files import Identify


class Job(NamedTuple):
    """`work(session, now)` runs every `every`, the first time after one such pause.

    Work that answers true has more to do, and goes on at once in a transaction of its own. `removes`: it removes what
    is over, which a restored backup has brought back. `runs_in_doubt`: it neither removes nor decides anything by the
    time, so it also runs while the server's time is in doubt (`kit/operations/service_time.py`).
    """

    name: str
    every: timedelta
    work: Callable[[Session, datetime], bool | None]
    removes: bool = False
    runs_in_doubt: bool = False


class Round(NamedTuple):
    """A job that takes transactions of its own, as many as it needs: what fails for one company fails for no other.

    Work that answers false has failed for some, and has logged it (`kit/rounds.py`).
    """

    name: str
    every: timedelta
    work: Callable[[Platform], bool | None]
    removes: bool = False
    runs_in_doubt: bool = False


@dataclass(frozen=True, eq=False)
class Keep:
    """How long a table's rows are kept: so long after the instant, or the day, of `column`; an int counts months.

    Without a `life` the column itself says when they are over, and `granted` how long that was when it was written.
    `capped`: none lives longer than that. A row that would was written by a server whose clock was ahead, and is over.
    `from_years_end`: it begins to count when the year of that instant is over (and never a zone too early).
    `unless`: what stays all the same. `period`: its name in the privacy statement, whose promise a test holds to this.
    `every`: how often what is over is looked for. `told`: how much went of a company stands in its audit log,
    because somebody had decided about it.
    """

    column: InstrumentedAttribute[Any]
    life: timedelta | int = timedelta()
    from_years_end: bool = False
    unless: ColumnElement[bool] | None = None
    period: str | None = None
    granted: timedelta | None = None
    every: timedelta = timedelta(hours=1)
    told: bool = False
    capped: bool = False

    @property
    def job(self) -> Job:
        """The work that removes what is over."""
        return Job(f"purge_{self.table.__tablename__}", self.every, self.remove, removes=True)

    @property
    def table(self) -> type[Base]:
        return cast("type[Base]", self.column.class_)

    def remove(self, session: Session, now: datetime) -> None:
        """Removes what is over, in nobody's way (`kit/database/expiry.py`)."""
        expiry.remove(session, self.table, self._over(now))

    def remove_counted(self, session: Session, now: datetime) -> Mapping[str, int]:
        """The same; how many rows of each company went."""
        return expiry.remove_counted(session, self.table, self._over(now))

    def _over(self, now: datetime) -> ColumnElement[bool]:
        over = self.column <= self.until(now)
        if self.capped and self.granted is not None:
            over |= self.column > now + self.granted + FURTHEST_BACK  # the time may step back so far
        return over if self.unless is None else over & ~self.unless

    def until(self, now: datetime) -> datetime | date:
        """The newest instant, or day, that is over."""
        if isinstance(self.life, int):
            return datetime.combine(months_after(now.date(), -self.life), now.time(), UTC)
        if self.from_years_end:
            return datetime((now - self.life).year, 1, 1, tzinfo=UTC) - DAY
        return (now - self.life).date() - DAY if isinstance(self.column.type, Date) else now - self.life


class MessageType(NamedTuple):
    """A type of messages. Who wants to be told of them besides chooses by the word in `told_as` (`people/notices`).

    `administrators_as`: another word, where it is about others for whoever is no employee.
    """

    name: str
    told_as: str
    administrators_as: str | None = None


@dataclass(frozen=True)
class Room:
    """A room of the house.

    `subscriptions`: what happens here at a signal, `handler(work, **data)`. `gauges`: figures of
    `Metrics`, by the names of its members, asked for every half minute. `ports`: what lower rooms ask by way of the
    platform, by the names of its members. `audit_actions`: what it writes into the audit log. `audit_names`:
    what the subjects of actions are called that begin with a word, `(session, company_id, subjects)`. `loop` goes on
    for as long as the application lives, and `at_end` follows its last answer. `refused_for_size`: what refuses a body
    that is too large, by path. `body_limits`: how many bytes it may have, by path, where that is not a MiB.
    `streamed_bodies`: the same of calls that keep nothing of a body in memory (`kit/http/uploads.file_on_disk`).
    `settings`: what a company can set of it, from a day on; `settings_router`: the calls about what all rooms let a
    company set. `hears`: the topics by which a caller hears of it (`kit/live/topics.py`). `tasks`: what it does after a
    commit, by the kinds of the outbox's rows (`kit/outbox`). `files`: those that it keeps in the data folder, by their
    names there; a backup takes no others along. What ends in `/` is a folder of files, anything else a key.
    `keys`: those of the files that are keys, with what identifies each (`kit/security/key_files.py`).
    `keeps`: how long rows are kept, each of which is work that comes round. `messages`: the types of messages that it
    sends.
    """

    name: str
    router: APIRouter | None = None
    jobs: Sequence[Job | Round] = ()
    subscriptions: Mapping[str, Callable[..., None]] = field(default_factory=dict)
    gauges: Mapping[str, Callable[[Platform], float]] = field(default_factory=dict)
    ports: Mapping[str, Callable[..., Any] | str] = field(default_factory=dict)
    audit_actions: Sequence[str] = ()
    audit_names: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    loop: Callable[[Platform], Coroutine[Any, Any, None]] | None = None
    at_end: Callable[[Platform], None] | None = None
    refused_for_size: Mapping[str, Problem] = field(default_factory=dict)
    body_limits: Mapping[str, int] = field(default_factory=dict)
    streamed_bodies: Mapping[str, int] = field(default_factory=dict)
    settings: Sequence[Setting[Any]] = ()
    settings_router: Callable[[Sequence[Setting[Any]]], APIRouter] | None = None
    hears: Hears | None = None
    tasks: Mapping[str, Task] = field(default_factory=dict)
    files: Sequence[str] = ()
    keys: Mapping[str, Identify] = field(default_factory=dict)
    keeps: Sequence[Keep] = ()
    messages: Sequence[MessageType] = ()

    @property
    def calls(self) -> Sequence[BaseRoute]:
        return () if self.router is None else self.router.routes
