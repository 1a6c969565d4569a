"""A request's life, the same in every room: found, locked and found again, whose it is, still open, decided once.

A request is a row with `company_id`, `id`, `status`, `decided_at` and `decided_by`; what it asks for is its room's.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from sqlalchemy import select

from stempelwerk_cloud.kit.database.columns import Base
from stempelwerk_cloud.kit.http.problems import Problem, forbidden, not_found
from stempelwerk_cloud.kit.http.schemas import format_instant
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.directory.service import ADMIN, USER
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import Work

PENDING = "pending"

Row = TypeVar("Row", bound=Base)
Lock = Callable[[str], object]
"""Takes the lock of a company by which nobody else decides: `Work.plan`, unless a room has another."""


def find(work: Work, table: type[Row], request_id: str, lock: Lock | None = None) -> Row:
    """The request as it is now that nobody else decides. 404 unknown, gone meanwhile, or not the caller's company's.

    A system administrator finds every company's. What is not there takes no lock.
    """
    columns: Any = table
    query = select(columns.company_id).where(columns.id == request_id)
    if work.caller.role != ADMIN:
        query = query.where(columns.company_id == work.caller.company_id)
    company_id = work.session.scalar(query)
    if company_id is None:
        raise not_found()
    (lock or work.plan)(company_id)
    row = work.session.get(table, (company_id, request_id), populate_existing=True)
    if row is None:
        raise not_found()
    return row


def own(work: Work, table: type[Row], request_id: str, lock: Lock | None = None, *, whose: str = "user_id") -> Row:
    """As `find`; 403 unless the caller is the one whom the column `whose` names."""
    row = find(work, table, request_id, lock)
    if getattr(row, whose) != work.caller.user_id:
        raise forbidden()
    return row


def must_be_open(work: Work, row: Any, refusal: Callable[[str | None], Problem], status: str = PENDING) -> None:
    """409, as `refusal` says of who decided, by username, and with when, unless the request still has this status."""
    if row.status != status:
        names = directory.deciders_of(work.session, row.company_id, [row.decided_by])
        problem = refusal(names.get(row.decided_by))
        problem.extra["decidedAt"] = None if row.decided_at is None else format_instant(row.decided_at)
        raise problem


def decide(work: Work, row: Any, status: str) -> None:
    """Writes down what was decided, now and by the caller."""
    row.status, row.decided_at, row.decided_by = status, work.now(), work.by
    work.session.flush()


def about(work: Work, user_id: str | None, missing_user: Callable[[], Problem]) -> User:
    """Whom a new request is about: an employee asks for themselves alone (404, 403), an administrator names somebody.

    `nobody`: what an administrator is refused with who names none.
    """
    caller = work.caller
    if caller.role != USER:
        if user_id is None:
            raise missing_user()
        return directory.reachable_person(work.session, caller, user_id)
    user = directory.find_user(work.session, caller.company_id, user_id or caller.user_id)
    if user.id != caller.user_id:
        raise forbidden()
    return user


def refresh_pages(work: Work, company_id: str, user_ids: Iterable[str] = ()) -> None:
    """Has the open pages of these people, and those of the company's administrators, look at the plan again."""
    own_topics = [f"plan:{company_id}:{user_id}" for user_id in sorted(set(user_ids))]
    work.platform.live.publish(work.session, [*own_topics, f"plan:{company_id}"], {"type": "plan_update"})
