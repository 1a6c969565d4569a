"""People and their tags."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.users.router import router

ROOM = Room("users", router)
