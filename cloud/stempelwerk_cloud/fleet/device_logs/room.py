"""What clocks write into their logs."""

from datetime import timedelta

from stempelwerk_cloud.fleet.device_logs import listing, service
from stempelwerk_cloud.fleet.device_logs.router import router
from stempelwerk_cloud.kit.room import Job, Room

ROOM = Room(
    "device_logs",
    router,
    jobs=(Job("purge_device_logs", timedelta(hours=1), service.purge),),
    hears=listing.hears,
)
