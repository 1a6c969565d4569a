"""The life of a request for a decision (such as a vacation request), the same in every room: find and lock it, check
whose it is and that it is open, decide it once.

A request is a row with `company_id`, `id`, `status`, `decided_at` and `decided_by`; its other columns belong to its
room.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from sqlalchemy import select

from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.kit.http.problems import Problem, forbidden, not_found
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.people.directory.callers import ADMIN, USER
from stempelwerk_cloud.people.directory.people import SYSTEM_ADMINISTRATOR, deciders_of, find_user
from stempelwerk_cloud.people.directory.tables import Company, User
from stempelwerk_cloud.people.directory.visibility import reachable_person
from stempelwerk_cloud.people.work import UnitOfWork

PENDING = "pending"

Row = TypeVar("Row", bound=Base)


def find(work: UnitOfWork, table: type[Row], request_id: str, lock: Lock | None = Lock.PLAN) -> Row:
    """Locks the request against other decisions and returns it. 404 if unknown, gone meanwhile, or another company's.

    `lock`: the company's lock that serializes decisions; None: the request is only read. System administrators find
    requests of every company. For an unknown request no lock is taken.
    """
    columns: Any = table
    query = select(columns.company_id).where(columns.id == request_id)
    if work.caller.role != ADMIN:
        query = query.where(columns.company_id == work.caller.company_id)
    company_id = work.session.scalar(query)
    if company_id is None:
        raise not_found()
    if lock is not None:
        work.lock(lock, company_id)
    current = (
        select(table)
        .join(Company, Company.id == columns.company_id)
        .where(columns.company_id == company_id, columns.id == request_id, Company.closed_at.is_(None))
    )
    row: Row | None = work.session.scalar(current, execution_options={"populate_existing": True})
    if row is None:
        raise not_found()
    return row


def find_own(
    work: UnitOfWork, table: type[Row], request_id: str, lock: Lock | None = Lock.PLAN, *, owner_column: str = "user_id"
) -> Row:
    """Locks and returns the request as `find` does. Raises 403 unless the column `owner_column` contains the caller's
    id.
    """
    row = find(work, table, request_id, lock)
    if getattr(row, owner_column) != work.caller.user_id:
        raise forbidden()
    return row


def must_be_open(work: UnitOfWork, row: Any, refusal: Callable[[str | None], Problem], status: str = PENDING) -> None:
    """Raises 409 unless the request has this status. `refusal` gets the decider's username, and the answer has the time
    of the decision.
    """
    if row.status != status:
        problem = refusal(decider_of(work, row))
        problem.extra["decidedAt"] = None if row.decided_at is None else format_instant(row.decided_at)
        raise problem


def decider_of(work: UnitOfWork, row: Any) -> str | None:
    """Returns the username of the person who decided the request, as `directory.deciders_of`; None for an undecided
    one. The caller's own name needs no query.
    """
    caller = work.asked_by
    if caller is not None and row.decided_by == caller.user_id:
        return SYSTEM_ADMINISTRATOR if caller.role == ADMIN else caller.username
    return deciders_of(work.session, row.company_id, [row.decided_by]).get(row.decided_by)


def decide(work: UnitOfWork, row: Any, status: str) -> None:
    """Stores the decision: its status, the current time, and the caller."""
    row.status, row.decided_at, row.decided_by = status, work.now(), work.actor_id
    work.session.flush()


def resolve_subject(work: UnitOfWork, user_id: str | None, missing_user: Callable[[], Problem]) -> User:
    """Returns the person of a new request: employees name only themselves (404, 403), administrators a person.

    `missing_user`: the refusal of an administrator who names no person.
    """
    caller = work.caller
    if caller.role != USER:
        if user_id is None:
            raise missing_user()
        return reachable_person(work.session, caller, user_id)
    user = find_user(work.session, caller.company_id, user_id or caller.user_id)
    if user.id != caller.user_id:
        raise forbidden()
    return user


def lock_subject(work: UnitOfWork, user_id: str | None, missing_user: Callable[[], Problem]) -> User:
    """Locks the plan of the person's company, and returns the person as `resolve_subject` does."""
    company_id = work.caller.company_id
    if work.caller.role == ADMIN:
        company_id = resolve_subject(work, user_id, missing_user).company_id
    work.plan(company_id)
    return resolve_subject(work, user_id, missing_user)


def refresh_pages(work: UnitOfWork, company_id: str, user_ids: Iterable[str] = ()) -> None:
    """Notifies the open pages of these people, and those of the company's administrators, to load the plan again."""
    own_topics = [f"plan:{company_id}:{user_id}" for user_id in sorted(set(user_ids))]
    work.platform.live.publish(work.session, [*own_topics, f"plan:{company_id}"], {"type": "plan_update"})
