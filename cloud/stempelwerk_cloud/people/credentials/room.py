"""Changes of people to their own login, and of administrators to other people's."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.access.guessing.failure_members import refused_for_size
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.credentials import current
from stempelwerk_cloud.people.credentials.api import router

ROOM = Room("credentials", router, audit_actions=actions_in(current), refused_for_size=refused_for_size(router))
