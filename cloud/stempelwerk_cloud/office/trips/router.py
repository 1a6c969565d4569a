"""Calls about trips."""

from typing import Annotated

from fastapi import Query

from stempelwerk_cloud.domain.calendar import month_of
from stempelwerk_cloud.kit.http.paging import PagingDep
from stempelwerk_cloud.kit.http.routing import room_router
from stempelwerk_cloud.kit.http.schemas import PathId
from stempelwerk_cloud.office.account import service as account
from stempelwerk_cloud.office.trips import service
from stempelwerk_cloud.office.trips.schemas import NewTrip, TripDecision, TripRow
from stempelwerk_cloud.office.trips.service import TripView
from stempelwerk_cloud.people.access.guards import Administrators, Employee, OfCompany
from stempelwerk_cloud.people.directory import service as directory
from stempelwerk_cloud.people.work import Reading, Writing

router = room_router("trips")


@router.post("/api/trips", status_code=201)
def ask(_: Employee, work: Writing, body: NewTrip) -> TripRow:
    """A trip of one's own, which waits for a decision; the administrators are told."""
    return _row(
        service.ask(work, day=body.date, destination=body.destination, kilometres=body.kilometres, purpose=body.purpose)
    )


@router.get("/api/companies/{id}/trips")
def trips(
    caller: OfCompany,
    work: Reading,
    paging: PagingDep,
    month: Annotated[str | None, Query(examples=["2026-11"])] = None,
) -> list[TripRow]:
    """Everybody's trips of a month, by day; of the current one if none is said."""
    today = directory.today_of(work.session, caller.subject_company_id, work.now())
    first, last = month_of(today) if month is None else account.read_month(month, today)
    return [_row(shown) for shown in service.between(work, first, last, paging)]


@router.post("/api/trips/{id}/decide", status_code=200)
def decide(_: Administrators, work: Writing, trip_id: PathId, body: TripDecision) -> TripRow:
    """Once; its person is told."""
    return _row(service.decide(work, trip_id, body.status, body.comment or None))


def _row(shown: TripView) -> TripRow:
    return TripRow.from_row(shown.trip, username=shown.username, decided_by=shown.decided_by)
