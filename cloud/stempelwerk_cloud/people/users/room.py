"""People and their tags."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.users import actions
from stempelwerk_cloud.people.users.router import router

ROOM = Room("users", router, audit_actions=actions_in(actions))
