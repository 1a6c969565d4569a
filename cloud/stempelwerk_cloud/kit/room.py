"""The declaration of a room, in one value that `app.py` lists: its calls, and its part in shared mechanisms.

All other parts of a room (tables, problems, texts) are found automatically.
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
from stempelwerk_cloud.kit.live.topics import TopicResolver
from stempelwerk_cloud.kit.outbox import Task
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.key_files import Identify


class Job(NamedTuple):
    """`work(session, now)` runs every `interval`, the first time after one such pause.

    Work that answers true has more to do, and goes on at once in a transaction of its own. `removes`: it removes what
    is over, which a restored backup has brought back. `runs_in_doubt`: it neither removes nor decides anything by the
    time, so it also runs while the server's time is in doubt (`kit/operations/service_time.py`).
    """

    name: str
    interval: timedelta
    work: Callable[[Session, datetime], bool | None]
    removes: bool = False
    runs_in_doubt: bool = False


class PerCompanyJob(NamedTuple):
    """A job that takes transactions of its own, as many as it needs: what fails for one company fails for no other.

    Work that answers false has failed for some, and has logged it (`kit/rounds.py`).
    """

    name: str
    interval: timedelta
    work: Callable[[Platform], bool | None]
    removes: bool = False
    runs_in_doubt: bool = False


@dataclass(frozen=True, eq=False)
class RetentionRule:
    """Retention rule of a table's rows: `life` after the instant, or the day, of `column`; an int counts months.

    Without a `life` the column itself contains the end, and `granted` is the period that applied when it was written.
    `capped`: no row lives longer than `granted`. A row that would was written by a server whose clock was ahead, and
    has expired. `from_years_end`: the period begins at the end of that instant's year (and never a zone too early).
    `unless`: rows that are exempt. `period`: its name in the privacy statement, whose promise a test compares with
    this. `interval`: the interval of the job. `is_audited`: the number of removed rows is written into the company's
    audit log, because people decided about their content.
    """

    column: InstrumentedAttribute[Any]
    life: timedelta | int = timedelta()
    from_years_end: bool = False
    unless: ColumnElement[bool] | None = None
    period: str | None = None
    granted: timedelta | None = None
    interval: timedelta = timedelta(hours=1)
    is_audited: bool = False
    capped: bool = False

    @property
    def job(self) -> Job:
        """The job that removes expired rows."""
        return Job(f"purge_{self.table.__tablename__}", self.interval, self.remove, removes=True)

    @property
    def table(self) -> type[Base]:
        return cast("type[Base]", self.column.class_)

    def remove(self, session: Session, now: datetime) -> None:
        """Removes the expired rows without blocking (`kit/database/expiry.py`)."""
        expiry.remove(session, self.table, self._over(now))

    def remove_counted(self, session: Session, now: datetime) -> Mapping[str, int]:
        """Removes the expired rows; returns the number of them by company."""
        return expiry.remove_counted(session, self.table, self._over(now))

    def _over(self, now: datetime) -> ColumnElement[bool]:
        over = self.column <= self.cutoff(now)
        if self.capped and self.granted is not None:
            over |= self.column > now + self.granted + FURTHEST_BACK  # the time may step back so far
        return over if self.unless is None else over & ~self.unless

    def cutoff(self, now: datetime) -> datetime | date:
        """Returns the newest instant, or day, that has expired."""
        if isinstance(self.life, int):
            return datetime.combine(months_after(now.date(), -self.life), now.time(), UTC)
        if self.from_years_end:
            return datetime((now - self.life).year, 1, 1, tzinfo=UTC) - DAY
        return (now - self.life).date() - DAY if isinstance(self.column.type, Date) else now - self.life


class MessageType(NamedTuple):
    """A type of messages. A recipient who wants to be notified of them chooses by the word in `notification_kind`
    (`people/notices`).

    `administrators_as`: another word for recipients who are no employees, where the message is about others.
    """

    name: str
    notification_kind: str
    administrators_as: str | None = None


@dataclass(frozen=True)
class Room:
    """The declaration of a room.

    - `subscriptions`: handlers of signals, `handler(work, **data)`.
    - `gauges`: figures of `Metrics`, by the names of its members, measured every half minute.
    - `ports`: answers to the questions of lower rooms, by the names of the platform's members.
    - `audit_actions`: the actions that it writes into the audit log.
    - `audit_names`: resolvers of the names of the subjects of actions, by the first word of the action, `(session,
      company_id, subjects)`.
    - `loop` runs as long as the application, and `at_end` follows its last answer.
    - `refused_for_size`: the refusal of a body that is too large, by path.
    - `body_limits`: the maximum of its bytes, by path, where that is not a MiB.
    - `streamed_bodies`: the same for calls that keep no part of a body in memory (`kit/http/uploads.file_on_disk`).
    - `settings`: its settings of a company; `settings_router`: the calls about the settings of all rooms.
    - `hears`: the topics that a caller hears of it (`kit/live/topics.py`).
    - `tasks`: its tasks after a commit, by the kinds of the outbox's rows (`kit/outbox`).
    - `files`: its files in the data folder, by name; a backup includes no others. A name that ends in `/` is a folder
      of files, anything else a key.
    - `keys`: the key files among them, with the function that identifies each (`kit/security/key_files.py`).
    - `retention_rules`: its retention rules, each of which is a scheduled job.
    - `messages`: the types of messages that it sends.
    """

    name: str
    router: APIRouter | None = None
    jobs: Sequence[Job | PerCompanyJob] = ()
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
    hears: TopicResolver | None = None
    tasks: Mapping[str, Task] = field(default_factory=dict)
    files: Sequence[str] = ()
    keys: Mapping[str, Identify] = field(default_factory=dict)
    retention_rules: Sequence[RetentionRule] = ()
    messages: Sequence[MessageType] = ()

    @property
    def calls(self) -> Sequence[BaseRoute]:
        return () if self.router is None else self.router.routes
