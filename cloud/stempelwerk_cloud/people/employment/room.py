"""What an employment says about a person, with the days from which it holds."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.employment import actions
from stempelwerk_cloud.people.employment.router import router

ROOM = Room("employment", router, audit_actions=actions_in(actions))
