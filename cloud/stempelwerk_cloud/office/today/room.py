"""An administrator's day."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.office.today.router import router

ROOM = Room("today", router)
