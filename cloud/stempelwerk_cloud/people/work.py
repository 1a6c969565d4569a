"""The unit of work of a use case: its database transaction, the shared services, and the caller.

Use cases of pages and commands take a `UnitOfWork` instead of its parts. Deliveries of clocks have a unit of work of
their own (`timekeeping/tx.py`); functions of the directory take the session.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Query, Request
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import Scope
from stempelwerk_cloud.kit.database.shadows import TookTooLong
from stempelwerk_cloud.kit.database.transactions import savepoint
from stempelwerk_cloud.kit.http.problems import DryRunResult, dry_run_took_too_long
from stempelwerk_cloud.kit.http.request_life import ReadTx, WriteTx, write_of
from stempelwerk_cloud.kit.http.schemas import canonical_id
from stempelwerk_cloud.kit.platform import Platform, PlatformDep
from stempelwerk_cloud.people.audit import operators
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit.actions import Action
from stempelwerk_cloud.people.audit.operators import Operator
from stempelwerk_cloud.people.directory.callers import ADMIN, Caller, admitted_caller, life_of
from stempelwerk_cloud.people.directory.companies import lock_open_shared, open_company, today_of
from stempelwerk_cloud.people.directory.people import find_anywhere
from stempelwerk_cloud.people.directory.tables import Company


@dataclass(frozen=True, slots=True)
class UnitOfWork:
    """One transaction of a use case."""

    session: Session
    platform: Platform
    asked_by: Caller | None = None
    """The caller; None for the installation's own command, or a client who is not logged in yet."""
    is_command: bool = False
    """Whether a command on the server (`command_line.py`) runs this unit of work."""

    @property
    def caller(self) -> Caller:
        """The caller that a guard has admitted. Raises RuntimeError without one."""
        if self.asked_by is None:
            raise RuntimeError("this unit of work has no caller")
        return self.asked_by

    @property
    def actor_id(self) -> str | None:
        """The caller's id, stored with decisions; None without a caller."""
        return None if self.asked_by is None else self.asked_by.user_id

    @property
    def operator(self) -> Operator | None:
        """The system administrator or the server command of this unit of work; None for all other callers."""
        if self.is_command:
            return operators.SERVER
        caller = self.asked_by
        if caller is None or caller.role != ADMIN:
            return None
        return Operator(caller.user_id, caller.username, caller.network)

    def now(self) -> datetime:
        """Returns the current instant. Decisions read it after the last lock, because waiting for a lock takes time."""
        return self.platform.clock.now()

    def new_id(self) -> str:
        """Returns a new id (`Ids.new`)."""
        return self.platform.ids.new()

    def company(self, company_id: str) -> Company:
        """Locks the company so that it cannot be closed before this transaction ends. It must be the first lock. Raises
        404 (`lock_open_shared`).
        """
        return lock_open_shared(self.session, company_id)

    def plan(self, company_id: str) -> Company:
        """Locks the company as `company` does, and its plan exclusively (`Lock.PLAN`). Rows that were read before are
        read again.

        Call it before anything is written. Signal handlers, which run after writes, take only the plan's lock.
        """
        self.lock(Lock.PLAN, company_id)
        return open_company(self.session, company_id)

    def rules(self, company_id: str) -> Company:
        """Locks the company as `company` does, and its rules exclusively (`Lock.RULES`), and so all its entries and
        tags.
        """
        self.lock(Lock.RULES, company_id)
        return open_company(self.session, company_id)

    def lock(self, lock: Lock, company_id: str) -> None:
        """Takes the locks of `company` (`Lock.COMPANY`), `plan` or `rules`, without the check that the company is open:
        for a caller that reads the company together with what it decides about.
        """
        exclusive = [] if lock is Lock.COMPANY else [(lock, company_id, False)]
        locks.take_all(self.session, [(Lock.COMPANY, company_id, True), *exclusive])
        self.session.expire_all()

    def audit(
        self,
        company_id: str,
        action: Action,
        subject: str | None = None,
        old_values: Mapping[str, Any] | None = None,
        new_values: Mapping[str, Any] | None = None,
        *,
        actor: str | None = None,
        operator: Operator | None = None,
    ) -> None:
        """Adds the decision to the company's audit log (`audit.append`); an operator's decision also to the operator
        log.

        `actor`, `operator`: the person of a login, who is not a caller yet.
        """
        audit.append(
            self.session,
            self.platform,
            company_id,
            actor or self.actor_id,
            action,
            subject,
            old_values,
            new_values,
            operator=operator or self.operator,
        )

    def note_operator(self, action: Action, subject: str | None = None) -> None:
        """Adds an event to the operator log if an operator runs this unit of work."""
        if self.operator is not None:
            operators.note(self.session, self.platform.ids, self.now(), self.operator, action, subject=subject)

    def emit(self, signal: str, **data: Any) -> None:
        """Calls the signal's handlers in higher rooms (`kit/events.py`), in this transaction."""
        self.platform.signals.emit(self, signal, **data)


@contextmanager
def unit_of_work(
    platform: Platform, scope: Scope, asked_by: Caller | None = None, *, is_command: bool = False
) -> Iterator[UnitOfWork]:
    """Opens a unit of work with a writing transaction of its own. It ends as `Database.write` does."""
    with platform.database.write(scope) as session:
        yield UnitOfWork(session, platform, asked_by, is_command)


_DryRun = Annotated[bool, Query(alias="dryRun")]
_MonthsOnly = Annotated[
    bool, Query(alias="dryRun", description="Changes nothing; returns the `months` that would differ.")
]


def _dry_run_or_write(request: Request, platform: PlatformDep, dry_run: _DryRun = False) -> Iterator[UnitOfWork]:
    with _dry_run(request, platform, _company_of(request)) if dry_run else write_of(request) as tx:
        yield UnitOfWork(tx, platform, life_of(request).caller)


def _altering(request: Request, platform: PlatformDep, dry_run: _MonthsOnly = False) -> Iterator[UnitOfWork]:
    """Yields the unit of work of a change. A dry run makes the change, compares the months before and after it, undoes
    it, and raises DryRunResult with those that differ.
    """
    if not dry_run:
        with write_of(request) as tx:
            yield UnitOfWork(tx, platform, life_of(request).caller)
        return
    company_id = _altered_company(request, platform)
    with _dry_run(request, platform, company_id) as tx:
        work = UnitOfWork(tx, platform, life_of(request).caller)
        now = work.now()
        look = ports.ALTERING.of(platform)(tx, company_id, today_of(tx, company_id, now), now)
        step = savepoint(tx)
        yield work
        months_after = look()
        step.rollback()
        months_before = look()
        differing = {
            month
            for month in months_before.keys() | months_after.keys()
            if months_before.get(month) != months_after.get(month)
        }
        exported, locked = ports.EXPORTED.of(platform)(tx, company_id)
    month_names = [month.isoformat()[:7] for month in sorted(differing)]
    months = [{"month": month, "exported": month in exported, "locked": month in locked} for month in month_names]
    raise DryRunResult({"months": months})


@contextmanager
def _dry_run(request: Request, platform: Platform, company_id: str) -> Iterator[Session]:
    """Opens the transaction of a dry run. Raises 503 if it takes too long."""
    try:
        with platform.database.dry_run(life_of(request).scope, company_id) as tx:
            yield tx
    except TookTooLong as error:
        raise dry_run_took_too_long() from error


def _altered_company(request: Request, platform: Platform) -> str:
    """Returns the company of the person in the path (`userId`), else the company that the call is about."""
    user_id = request.path_params.get("userId")
    if user_id is not None:
        with platform.database.read(life_of(request).scope) as tx:
            user = find_anywhere(tx, canonical_id(user_id))
        if user is not None:
            return user.company_id
    return _company_of(request)


def _company_of(request: Request) -> str:
    """Returns the company that the call is about, as the guard determined it."""
    return admitted_caller(request).subject_company_id


def describe_dry_runs(described: dict[str, Any]) -> None:
    """Adds the answer to `?dryRun=true` to the OpenAPI description of each call that takes `Altering`."""
    for operations in described["paths"].values():
        operation = operations.get("put", {})
        if any(parameter["name"] == "dryRun" for parameter in operation.get("parameters", ())):
            content = operation["responses"]["200"]["content"]["application/json"]
            content["schema"] = {"anyOf": [content["schema"], {"$ref": "#/components/schemas/DryRun"}]}
            described["components"]["schemas"]["DryRun"] = _DRY_RUN


async def _reading(request: Request, tx: ReadTx, platform: PlatformDep) -> UnitOfWork:
    return UnitOfWork(tx, platform, life_of(request).caller)


_FLAG = {"type": "boolean"}
_MONTH = {
    "type": "object",
    "required": ["month", "exported", "locked"],
    "properties": {"month": {"type": "string"}, "exported": _FLAG, "locked": _FLAG},
}
_DRY_RUN = {
    "type": "object",
    "description": "The months that a change would alter.",
    "required": ["months"],
    "properties": {"months": {"type": "array", "items": _MONTH}},
}


async def _writing(request: Request, tx: WriteTx, platform: PlatformDep) -> UnitOfWork:
    return UnitOfWork(tx, platform, life_of(request).caller)


Reading = Annotated[UnitOfWork, Depends(_reading)]
"""The unit of work of a call that only reads: in a `ReadTx`."""
Writing = Annotated[UnitOfWork, Depends(_writing)]
"""The unit of work of a call that writes: in a `WriteTx`, committed before the answer."""
Altering = Annotated[UnitOfWork, Depends(_altering, scope="function")]
"""The unit of work of a change that may be dated back: with `?dryRun=true` it only returns the months that would
differ.
"""
Trying = Annotated[UnitOfWork, Depends(_dry_run_or_write, scope="function")]
"""The unit of work of a call whose `?dryRun=true` gives the same answer as the call itself, but stores nothing."""
