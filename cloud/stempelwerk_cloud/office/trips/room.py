"""Trips by private car that an employee asks to be paid."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Keep, MessageType, Room
from stempelwerk_cloud.office.trips import actions, service
from stempelwerk_cloud.office.trips.repository import KEPT
from stempelwerk_cloud.office.trips.router import router
from stempelwerk_cloud.office.trips.tables import Trip
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.requests import PENDING

ROOM = Room(
    "trips",
    router,
    keeps=(Keep(Trip.date, KEPT, unless=Trip.status == PENDING, period="trips", every=timedelta(hours=12), told=True),),
    audit_actions=actions_in(actions),
    messages=(MessageType(service.RESPONSE, told_as="decisions"),),
)
