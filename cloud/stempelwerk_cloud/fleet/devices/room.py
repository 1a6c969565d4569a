"""The room of the device registry: owners, names and states of clocks."""

from datetime import timedelta

from stempelwerk_cloud.fleet.devices import service
from stempelwerk_cloud.fleet.devices.api import router
from stempelwerk_cloud.fleet.devices.changes import actions, assignments, live
from stempelwerk_cloud.fleet.devices.reported import witnesses
from stempelwerk_cloud.fleet.devices.tables import DeviceMoment
from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.events import COMPANY_CLOSED, COMPANY_PURGED
from stempelwerk_cloud.kit.room import Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "devices",
    router,
    subscriptions={COMPANY_CLOSED: assignments.company_closed, COMPANY_PURGED: assignments.company_purged},
    ports=(
        ports.HEARD_AT.provided_by(witnesses.heard_at),
        ports.CLOCKS_AGREE.provided_by(witnesses.clocks_agree),
    ),
    gauges={"online_clocks": service.online_count, "silent_clocks": service.silent_count},
    audit_names={"device": service.audit_labels},
    hears=live.hears,
    retention_rules=(
        RetentionRule(DeviceMoment.at, timedelta(days=90), period=Period("clockHistory", "Verlauf der Uhren")),
    ),
    loop=service.keep_beats_written,
    at_end=service.write_beats,
    audit_actions=actions_in(actions),
)
