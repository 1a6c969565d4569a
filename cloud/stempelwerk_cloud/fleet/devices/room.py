"""The registry of clocks: whose they are, what they are called, how they are."""

from stempelwerk_cloud.fleet.devices import actions, assignments, service
from stempelwerk_cloud.fleet.devices.router import router
from stempelwerk_cloud.kit.events import COMPANY_CLOSED
from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "devices",
    router,
    subscriptions={COMPANY_CLOSED: assignments.company_closed},
    gauges={"online_clocks": service.online_count},
    audit_names={"device": service.names_then},
    loop=service.keep_beats_written,
    at_end=service.write_beats,
    audit_actions=actions_in(actions),
)
