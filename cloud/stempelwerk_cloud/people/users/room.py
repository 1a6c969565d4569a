"""People and their tags."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.users import service
from stempelwerk_cloud.people.users.api import router

ROOM = Room("users", router, audit_actions=actions_in(service))
