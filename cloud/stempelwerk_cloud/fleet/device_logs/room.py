"""What clocks write into their logs."""

from datetime import timedelta

from stempelwerk_cloud.fleet.device_logs import service
from stempelwerk_cloud.kit.room import Job, Room

ROOM = Room("device_logs", jobs=(Job("purge_device_logs", timedelta(hours=1), service.purge),))
