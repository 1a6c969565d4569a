"""Reactions of vacation to exits and deletions of people, and how long requests are stored."""

from collections.abc import Collection
from datetime import date, timedelta

from stempelwerk_cloud.domain.instants import DAY
from stempelwerk_cloud.kit.database import locks
from stempelwerk_cloud.kit.database.locks import Lock
from stempelwerk_cloud.people.directory.people import find_person
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.facts.leave import span_of
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation import queries
from stempelwerk_cloud.planning.vacation.requests import deciding
from stempelwerk_cloud.planning.vacation.requests.asking import ALIVE

RETENTION = timedelta(days=2 * 366)
"""How long a request is stored after its last day."""
IN_A_BALANCE = (VacationRequest.status == "approved") & (VacationRequest.kind != "wish")


def people_changed(work: UnitOfWork, company_id: str, user_ids: Collection[str]) -> None:
    """Declines the requests of deleted people; other changes of people have no effect here."""
    deleted_ids = [user_id for user_id in user_ids if find_person(work.session, company_id, user_id) is None]
    deciding.decline_for_the_gone(work, company_id, deleted_ids)


def exit_set(
    work: UnitOfWork, company_id: str, user_id: str, last_day: date, found: list[tuple[str, str, date]], *, end: bool
) -> None:
    """Adds the person's requests and approved leave beyond their exit to `found`; ends them at the exit if `end` is
    set.
    """
    locks.take(work.session, Lock.PLAN, company_id)
    first_day_after = last_day + DAY
    requests = queries.requests_between(work.session, company_id, [user_id], first_day_after, date.max, ALIVE)
    behind = [request for request in requests if last_day < span_of(request).last]
    kinds = {"pending": "request", "approved": "vacation"}
    found += [(kinds[request.status], request.id, max(span_of(request).first, first_day_after)) for request in behind]
    if end:
        deciding.end_at(work, behind, last_day)
