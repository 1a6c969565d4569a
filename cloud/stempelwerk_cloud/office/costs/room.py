"""The costs of people's work."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.office.costs import configuring
from stempelwerk_cloud.office.costs.api import router
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room("costs", router, audit_actions=actions_in(configuring))
