"""The access log for the works council."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.access_log.api import router

ROOM = Room("access_log", router)
