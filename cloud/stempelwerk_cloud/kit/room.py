"""The declaration of a room: one value, listed in `app.py`, with its API calls and its part in shared mechanisms.

All other parts of a room (tables, problems, texts) are found automatically.
"""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, NamedTuple, cast

import structlog
from fastapi import APIRouter
from sqlalchemy import ColumnElement, Date
from sqlalchemy.orm import InstrumentedAttribute, Session
from starlette.routing import BaseRoute

from stempelwerk_cloud.domain.calendar import months_after
from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.domain.steady_time import FURTHEST_BACK
from stempelwerk_cloud.kit.database import rows
from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.dated import Setting
from stempelwerk_cloud.kit.http.problems import Problem
from stempelwerk_cloud.kit.live.topics import TopicResolver
from stempelwerk_cloud.kit.outbox import Task
from stempelwerk_cloud.kit.platform import Platform
from stempelwerk_cloud.kit.security.key_files import Identify

log = structlog.get_logger(__name__)


def for_each_company(job: str, rows: Iterable[tuple[Any, ...]], work: Callable[..., None]) -> bool:
    """Runs the work for each row, which begins with the company's id. Returns False if some failed, which is logged."""
    went_well = True
    for company_id, *arguments in rows:
        try:
            work(company_id, *arguments)
        except Exception as error:
            log.error("job_failed", job=job, company_id=company_id, exc_info=error)
            went_well = False
    return went_well


class Job(NamedTuple):
    """A scheduled job: `work(session, now)` runs every `interval`, for the first time one interval after the start.

    If `work` returns true, it has more to do, and is called again at once in a new transaction. `removes`: it removes
    expired rows, so it also runs after a restore, which may bring such rows back. `runs_in_doubt`: it neither removes
    nor decides anything by the time, so it also runs while the server's time is in doubt
    (`kit/operations/service_time.py`).
    """

    name: str
    interval: timedelta
    work: Callable[[Session, datetime], bool | None]
    removes: bool = False
    runs_in_doubt: bool = False


class PerCompanyJob(NamedTuple):
    """A scheduled job that opens transactions of its own, one per company: a failure for one company affects no other.

    `work(platform)` returns false if it failed for some companies, and has logged that (`kit/room.py`).
    """

    name: str
    interval: timedelta
    work: Callable[[Platform], bool | None]
    removes: bool = False
    runs_in_doubt: bool = False


class Period(NamedTuple):
    """A retention period that people are promised: its name in the privacy statement, and its German line in the
    companies' papers.
    """

    name: str
    line: str


@dataclass(frozen=True, eq=False)
class RetentionRule:
    """The retention rule of a table's rows. A row expires `life` after the instant or day in `column`; an int counts
    months.

    Without a `life` the column itself contains the row's end, and `granted` is the period that it was computed from.
    `capped`: no row lives longer than `granted` from now. A row that would was written by a server whose clock was
    ahead, and counts as expired. `from_years_end`: the period begins at the end of that instant's year (plus a day, so
    that it is too early in no time zone). `unless`: rows that are exempt. `period`: the promised period,
    which a test compares with this. `interval`: the interval of the job. `is_audited`: the number of removed
    rows is written into the company's audit log, because people decided about their content.
    """

    column: InstrumentedAttribute[Any]
    life: timedelta | int = timedelta()
    from_years_end: bool = False
    unless: ColumnElement[bool] | None = None
    period: Period | None = None
    granted: timedelta | None = None
    interval: timedelta = timedelta(hours=1)
    is_audited: bool = False
    capped: bool = False

    @property
    def job(self) -> Job:
        """The scheduled job that removes the expired rows."""
        return Job(f"purge_{self.table.__tablename__}", self.interval, self.remove, removes=True)

    @property
    def table(self) -> type[Base]:
        return cast("type[Base]", self.column.class_)

    def remove(self, session: Session, now: datetime) -> None:
        """Removes the expired rows without blocking (`kit/database/rows.py`)."""
        rows.remove_expired(session, self.table, self._over(now))

    def remove_counted(self, session: Session, now: datetime) -> Mapping[str, int]:
        """Removes the expired rows; returns the number of them by company."""
        return rows.remove_counted(session, self.table, self._over(now))

    def _over(self, now: datetime) -> ColumnElement[bool]:
        over = self.column <= self.cutoff(now)
        if self.capped and self.granted is not None:
            over |= self.column > now + self.granted + FURTHEST_BACK  # the server's time may step back by this much
        return over if self.unless is None else over & ~self.unless

    def cutoff(self, now: datetime) -> datetime | date:
        """Returns the newest instant, or day, that has expired."""
        if isinstance(self.life, int):
            return datetime.combine(months_after(now.date(), -self.life), now.time(), UTC)
        if self.from_years_end:
            return datetime((now - self.life).year, 1, 1, tzinfo=UTC) - DAY
        return (now - self.life).date() - DAY if isinstance(self.column.type, Date) else now - self.life


class MessageType(NamedTuple):
    """A type of messages. `notification_kind`: recipients choose notifications of such messages by this word
    (`people/notices`).

    `administrators_as`: another such word for recipients who are administrators, where the message is about other
    people.
    """

    name: str
    notification_kind: str
    administrators_as: str | None = None


@dataclass(frozen=True)
class Room:
    """The declaration of a room.

    - `subscriptions`: handlers of signals, `handler(work, **data)`.
    - `gauges`: figures of `Metrics`, by the names of its members, measured every half minute.
    - `ports`: its answers to questions of lower rooms (`kit/ports.py`).
    - `audit_actions`: the actions that it writes into the audit log.
    - `audit_names`: functions that name the subjects of audit entries, `(session, company_id, subjects)`, by the first
      word of the entry's action.
    - `loop`: a coroutine that runs as long as the application. `at_end`: called after the last request, at shutdown.
    - `refused_for_size`: the refusal of a body that is too large, by path.
    - `body_limits`: the largest body in bytes, by path, where that is not a MiB.
    - `streamed_bodies`: the same for calls that keep no part of a body in memory (`kit/http/uploads.file_on_disk`).
    - `settings`: its settings of a company; `settings_router`: the calls about the settings of all rooms.
    - `hears`: the resolver of the live topics that a caller may subscribe to (`kit/live/topics.py`).
    - `tasks`: functions that do its outbox tasks after a commit, by the kind of the outbox's row (`kit/outbox`).
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
    ports: Sequence[Callable[[Platform], None]] = ()
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
