"""Company holidays (Betriebsferien): vacation for all employees on the same days."""

from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.events import EMPLOYED
from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.closures import service
from stempelwerk_cloud.planning.closures.api import router

ROOM = Room(
    "closures",
    router,
    subscriptions={EMPLOYED: service.employed},
    audit_actions=actions_in(service),
    ports=(ports.CLOSED_DAYS.provided_by(service.closed_days),),
)
