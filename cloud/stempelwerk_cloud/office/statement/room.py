"""A person's month as a signed statement."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.office.statement import keys, service
from stempelwerk_cloud.office.statement.api import router
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "statement", router, audit_actions=actions_in(service), files=(keys.KEY_FILE,), keys={keys.KEY_FILE: keys.identify}
)
