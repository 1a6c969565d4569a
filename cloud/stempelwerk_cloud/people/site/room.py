"""The installation as the public pages show it."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.site.api import router

ROOM = Room("site", router)
