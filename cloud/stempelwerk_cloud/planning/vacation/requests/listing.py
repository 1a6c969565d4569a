"""Requests as lists show them: with their cost, their person and the administrator who decided."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from sqlalchemy.orm import Session

from stempelwerk_cloud.domain.days import PersonDays
from stempelwerk_cloud.domain.leave import DayRange
from stempelwerk_cloud.kit.http.paging import Bounds, Paging
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory.people import deciders_of
from stempelwerk_cloud.people.directory.tables import User
from stempelwerk_cloud.people.work import UnitOfWork
from stempelwerk_cloud.planning.days import service as days
from stempelwerk_cloud.planning.days.reading import Fact
from stempelwerk_cloud.planning.facts.leave import read_ranges, span_of
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation import queries
from stempelwerk_cloud.planning.vacation.accounts.balances import cost_of, returned_of

_COSTS: Final[tuple[Fact, ...]] = ("absences",)
_DUTIES: Final[tuple[Fact, ...]] = ("absences", "duties")


@dataclass(frozen=True, slots=True)
class RequestView:
    """A request with its cost, and the half days that its person got back.

    `duties`: its days with a duty of the person. `left_out`: the days in its range that it does not contain.
    """

    request: VacationRequest
    cost: int
    returned: int
    username: str | None = None
    decided_by: str | None = None
    duties: Sequence[date] = ()

    @property
    def left_out(self) -> Sequence[DayRange]:
        return read_ranges(self.request.left_out)


def _view(request: VacationRequest, person: PersonDays, *details: Any) -> RequestView:
    return RequestView(request, cost_of(request, person), returned_of(request, person), *details)


def _people(
    session: Session, company_id: str, rows: Collection[VacationRequest], facts: Collection[Fact] = _COSTS
) -> Mapping[str, PersonDays]:
    """Reads the people of these requests, with their days from the first to the last day of the requests."""
    user_ids = {request.user_id for request in rows}
    first = min((request.start_date for request in rows), default=date.max)
    last = max((request.end_date for request in rows), default=date.min)
    return days.load(session, company_id, user_ids, first, last, facts).people


def own_requests(work: UnitOfWork, bounds: Bounds, paging: Paging) -> list[RequestView]:
    """Returns a page of the caller's own requests, newest first."""
    session, caller = work.session, work.caller
    page_rows = queries.of_person(session, caller.company_id, caller.user_id, bounds, paging.page_request)
    page_requests = paging.cut(page_rows)
    people = _people(session, caller.company_id, page_requests)
    return [_view(request, people[request.user_id]) for request in page_requests]


def of_company(work: UnitOfWork, status: str | None, bounds: Bounds, paging: Paging) -> list[RequestView]:
    """Returns a page of all requests of the call's company, newest first; of one status, if given."""
    session, company_id = work.session, work.caller.subject_company_id
    page_rows = queries.of_company(session, company_id, status, bounds, paging.page_request)
    page_rows = paging.cut(page_rows, lambda row: row[0].id)
    people = _people(session, company_id, [request for request, _ in page_rows])
    names = deciders_of(session, company_id, [request.decided_by for request, _ in page_rows])
    return [
        _view(request, people[request.user_id], username, names.get(request.decided_by))
        for request, username in page_rows
    ]


def of_one(work: UnitOfWork, request: VacationRequest, person: PersonDays | None = None) -> RequestView:
    """Returns a request that was just made or decided, with the person's duties on its days. `person`: their days with
    absences and duties, if already read.
    """
    company_id, user_id = request.company_id, request.user_id
    known_person = person or _people(work.session, company_id, [request], _DUTIES)[user_id]
    user = work.session.get_one(User, (company_id, user_id))
    duties = known_person.duties_in(span_of(request))
    return _view(request, known_person, user.username, requests.decider_of(work, request), duties)
