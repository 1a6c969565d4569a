"""The room of device logs."""

from stempelwerk_cloud.fleet.device_logs import listing, service
from stempelwerk_cloud.fleet.device_logs.api import router
from stempelwerk_cloud.fleet.device_logs.tables import DeviceLog
from stempelwerk_cloud.kit.room import Period, RetentionRule, Room

ROOM = Room(
    "device_logs",
    router,
    retention_rules=(
        RetentionRule(DeviceLog.received_at, service.RETENTION, period=Period("deviceLogs", "Protokolle der Uhren")),
    ),
    hears=listing.hears,
)
