"""The attendance of a company."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.office.attendance.api import router

ROOM = Room("attendance", router)
