"""What the public pages say of an installation."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.site.router import router

ROOM = Room("site", router)
