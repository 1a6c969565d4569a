"""Minutes and vacation days that an administrator books on a person's account."""

from stempelwerk_cloud.kit.room import MessageType, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.bookings import service
from stempelwerk_cloud.planning.bookings.api import router

ROOM = Room(
    "bookings",
    router,
    audit_actions=actions_in(service),
    messages=(MessageType("booking", notification_kind="decisions"),),
)
