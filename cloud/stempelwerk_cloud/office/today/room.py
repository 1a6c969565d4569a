"""An administrator's day."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.office.today.api import router

ROOM = Room("today", router)
