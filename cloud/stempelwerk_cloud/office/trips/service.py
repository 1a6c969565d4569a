"""Use cases of trips: an employee asks, an administrator decides, once."""

from collections.abc import Iterable
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from stempelwerk_cloud.kit.http.paging import Paging
from stempelwerk_cloud.office.trips import actions, problems, repository, texts
from stempelwerk_cloud.office.trips.repository import KEPT
from stempelwerk_cloud.office.trips.tables import Trip
from stempelwerk_cloud.people import requests
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.messages import service as messages
from stempelwerk_cloud.people.work import Work

__all__ = ["TripView", "ask", "between", "decide"]

RESPONSE = "trip_response"
"""The type of the message that tells a person what was decided."""
_ACTIONS = {"approved": actions.APPROVED, "declined": actions.DECLINED}


class TripView(NamedTuple):
    """A trip, whose it is and who decided it, by username."""

    trip: Trip
    username: str
    decided_by: str | None


def ask(work: Work, *, day: date, destination: str, kilometres: int, purpose: str) -> TripView:
    """A trip of the caller's, which waits. 422 for a day ahead or long over, 409 for who has too many open ones."""
    company_id, user_id = work.caller.company_id, work.caller.user_id
    work.plan(company_id)
    user = directory.find_user(work.session, company_id, user_id)
    today = directory.today_of(work.session, company_id, work.now())
    if day > today:
        raise problems.still_ahead()
    if day <= today - KEPT:
        raise problems.too_long_ago()
    if repository.count_open(work.session, company_id, user_id) >= problems.MOST_OPEN:
        raise problems.too_many_open()
    trip = Trip(
        company_id=company_id,
        id=work.new_id(),
        user_id=user_id,
        date=day,
        destination=destination,
        kilometres=kilometres,
        purpose=purpose,
        status=requests.PENDING,
        created_at=work.now(),
    )
    work.session.add(trip)
    work.session.flush()
    work.audit(company_id, actions.ASKED, trip.id, after=_logged(trip))
    title, body = texts.asked(user.username, day, destination, kilometres)
    payload = {"what": "trip", "requestId": trip.id, "date": day.isoformat()}
    messages.to_administrators(work, company_id, title, body, payload)
    requests.refresh_pages(work, company_id)
    return TripView(trip, user.username, None)


def between(work: Work, first: date, last: date, paging: Paging) -> list[TripView]:
    """A page of the company's trips of these days, by day."""
    session, company_id = work.session, work.caller.subject_company_id
    found = repository.between(session, company_id, first, last, paging.wanted)
    return _shown(session, company_id, paging.cut(found, lambda row: row[0].id))


def decide(work: Work, trip_id: str, status: str, comment: str | None) -> TripView:
    """Approves or declines it, once (409 with who did it), and tells its person. 404; 422 for a no without a reason."""
    trip = requests.find(work, Trip, trip_id)
    requests.must_be_open(work, trip, problems.already_decided)
    if status == "declined" and comment is None:
        raise problems.no_reason()
    trip.comment = comment
    requests.decide(work, trip, status)
    work.audit(trip.company_id, _ACTIONS[status], trip.id, after=_logged(trip))
    title, body = texts.decided(status, trip.date, trip.destination, comment)
    payload = {"status": status, "date": trip.date.isoformat()}
    messages.send(work, trip.company_id, [trip.user_id], RESPONSE, title, body, payload)
    requests.refresh_pages(work, trip.company_id)
    username = directory.names_of(work.session, trip.company_id, [trip.user_id])[trip.user_id]
    return _shown(work.session, trip.company_id, [(trip, username)])[0]


def _logged(trip: Trip) -> dict[str, Any]:
    return {"userId": trip.user_id, "date": trip.date.isoformat(), "kilometres": trip.kilometres}


def _shown(session: Session, company_id: str, found: Iterable[tuple[Trip, str]]) -> list[TripView]:
    rows = list(found)
    names = directory.deciders_of(session, company_id, [trip.decided_by for trip, _ in rows])
    return [TripView(trip, username, names.get(trip.decided_by)) for trip, username in rows]
