"""Reading the audit log."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit_log.api import router

ROOM = Room("audit_log", router)
