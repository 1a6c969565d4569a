"""The unit of work of a use case: its transaction, the shared services, and the caller.

Use cases of pages and commands take a `UnitOfWork` and nothing that it already has. Deliveries of clocks have their own
(`timekeeping/tx.py`); the directory finds and locks with a session.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Query, Request
from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.database.scopes import Scope
from stempelwerk_cloud.kit.database.shadows import TookTooLong
from stempelwerk_cloud.kit.database.transactions import ReadTx, WriteTx, savepoint, scope_of, write_of
from stempelwerk_cloud.kit.http.problems import DryRunResult, dry_run_took_too_long
from stempelwerk_cloud.kit.http.schemas import canonical_id
from stempelwerk_cloud.kit.platform import Platform, PlatformDep
from stempelwerk_cloud.people.audit import service as audit
from stempelwerk_cloud.people.audit.service import Action, Operator, operators
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import ADMIN, Caller
from stempelwerk_cloud.people.directory.tables import Company


@dataclass(frozen=True, slots=True)
class UnitOfWork:
    """One transaction of a use case."""

    session: Session
    platform: Platform
    asked_by: Caller | None = None
    """None: the installation's own command, or a client who is not logged in yet."""
    is_command: bool = False
    """Whether a command on the server runs it."""

    @property
    def caller(self) -> Caller:
        """The caller, once a guard has admitted one."""
        if self.asked_by is None:
            raise RuntimeError("this unit of work has no caller")
        return self.asked_by

    @property
    def actor_id(self) -> str | None:
        """The id of the caller, for stored decisions."""
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
        """Locks the company against being closed before this transaction ends; takes this lock first. 404
        (`lock_open_shared`).
        """
        return directory.lock_open_shared(self.session, company_id)

    def plan(self, company_id: str) -> Company:
        """Locks the company as above, and its plan exclusively (`Lock.PLAN`); rows read before are read again.

        Before anything is written. Reactions, which run after others have written, take only the plan's lock.
        """
        return self._lock_exclusively(Lock.PLAN, company_id)

    def rules(self, company_id: str) -> Company:
        """Locks the company's rules as well (`Lock.RULES`), and so all its entries and tags."""
        return self._lock_exclusively(Lock.RULES, company_id)

    def _lock_exclusively(self, lock: Lock, company_id: str) -> Company:
        company = self.company(company_id)
        locks.take(self.session, lock, company_id)
        self.session.expire_all()
        return company

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
        """Adds the decision to the company's log (`audit.append`), and an operator's to the operator log too.

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
        """Adds an event to the operator log if an operator asked for this work."""
        if self.operator is not None:
            operators.note(self.session, self.platform.ids, self.now(), self.operator, action, subject=subject)

    def emit(self, signal: str, **data: Any) -> None:
        """Notifies the rooms above (`kit/events.py`), in this transaction."""
        self.platform.signals.emit(self, signal, **data)


@contextmanager
def unit_of_work(
    platform: Platform, scope: Scope, asked_by: Caller | None = None, *, is_command: bool = False
) -> Iterator[UnitOfWork]:
    """Opens a writing transaction for a use case with one of its own; `Database.write` defines how it ends."""
    with platform.database.write(scope) as session:
        yield UnitOfWork(session, platform, asked_by, is_command)


_DryRun = Annotated[bool, Query(alias="dryRun")]
_MonthsOnly = Annotated[
    bool, Query(alias="dryRun", description="Changes nothing; returns the `months` that would differ.")
]


def _dry_run_or_write(request: Request, platform: PlatformDep, dry_run: _DryRun = False) -> Iterator[UnitOfWork]:
    with _dry_run(request, platform, _company_of(request)) if dry_run else write_of(request) as tx:
        yield UnitOfWork(tx, platform, _caller(request))


def _altering(request: Request, platform: PlatformDep, dry_run: _MonthsOnly = False) -> Iterator[UnitOfWork]:
    """Makes the change of a dry run, reads what it altered, and takes it back."""
    if not dry_run:
        with write_of(request) as tx:
            yield UnitOfWork(tx, platform, _caller(request))
        return
    company_id = _altered_company(request, platform)
    with _dry_run(request, platform, company_id) as tx:
        work = UnitOfWork(tx, platform, _caller(request))
        now = work.now()
        look = platform.altering(tx, company_id, directory.today_of(tx, company_id, now), now)
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
        exported, locked = platform.exported(tx, company_id)
    month_names = [month.isoformat()[:7] for month in sorted(differing)]
    months = [{"month": month, "exported": month in exported, "locked": month in locked} for month in month_names]
    raise DryRunResult({"months": months})


@contextmanager
def _dry_run(request: Request, platform: Platform, company_id: str) -> Iterator[Session]:
    """Opens the transaction of a dry run. 503 once it has taken too long."""
    try:
        with platform.database.dry_run(scope_of(request), company_id) as tx:
            yield tx
    except TookTooLong as error:
        raise dry_run_took_too_long() from error


def _altered_company(request: Request, platform: Platform) -> str:
    """Returns the company of the person in the path, otherwise the one that the call is about."""
    user_id = request.path_params.get("userId")
    if user_id is not None:
        with platform.database.read(scope_of(request)) as tx:
            user = directory.find_anywhere(tx, canonical_id(user_id))
        if user is not None:
            return user.company_id
    return _company_of(request)


def _company_of(request: Request) -> str:
    """Returns the company that the call is about, as the guard determined it."""
    caller: Caller = request.state.caller
    return caller.subject_company_id


def describe_dry_runs(described: dict[str, Any]) -> None:
    """Adds the answer to `?dryRun=true` to the description of each call that takes `Altering`."""
    for operations in described["paths"].values():
        operation = operations.get("put", {})
        if any(parameter["name"] == "dryRun" for parameter in operation.get("parameters", ())):
            content = operation["responses"]["200"]["content"]["application/json"]
            content["schema"] = {"anyOf": [content["schema"], {"$ref": "#/components/schemas/DryRun"}]}
            described["components"]["schemas"]["DryRun"] = _DRY_RUN


async def _reading(request: Request, tx: ReadTx, platform: PlatformDep) -> UnitOfWork:
    return UnitOfWork(tx, platform, _caller(request))


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
    return UnitOfWork(tx, platform, _caller(request))


def _caller(request: Request) -> Caller | None:
    """Returns the caller that the call's guard admitted and stored in the request's state; None if it stored no caller.

    FastAPI runs the dependencies of a call in the order of its parameters, so the guard must precede the unit of work.
    """
    caller: Caller | None = getattr(request.state, "caller", None)
    return caller


Reading = Annotated[UnitOfWork, Depends(_reading)]
"""The work of a call that only looks: in a `ReadTx`."""
Writing = Annotated[UnitOfWork, Depends(_writing)]
"""The work of a call that decides: in a `WriteTx`, committed before the answer."""
Altering = Annotated[UnitOfWork, Depends(_altering, scope="function")]
"""The same for a change that may be dated back: with `?dryRun=true` it only returns the months that would differ."""
Trying = Annotated[UnitOfWork, Depends(_dry_run_or_write, scope="function")]
"""The same for a call whose `?dryRun=true` is answered as the call itself, and keeps nothing."""
