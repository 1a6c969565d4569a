"""What clocks write into their logs."""

from stempelwerk_cloud.fleet.device_logs import service
from stempelwerk_cloud.fleet.device_logs.tables import DeviceLog
from stempelwerk_cloud.kit.room import Keep, Room

ROOM = Room("device_logs", keeps=(Keep(DeviceLog.received_at, service.KEPT, period="deviceLogs"),))
