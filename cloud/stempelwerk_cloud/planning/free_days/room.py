"""Days, or halves of days, that a company gives all employees in addition to public holidays."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.free_days import service
from stempelwerk_cloud.planning.free_days.api import router

ROOM = Room("free_days", router, audit_actions=actions_in(service))
