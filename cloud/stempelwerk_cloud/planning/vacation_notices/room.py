"""The employer's notices of vacation that lapses."""

from stempelwerk_cloud.kit.events import MESSAGES_READ
from stempelwerk_cloud.kit.room import MessageType, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.vacation_notices import service
from stempelwerk_cloud.planning.vacation_notices.api import router

ROOM = Room(
    "vacation_notices",
    router,
    subscriptions={MESSAGES_READ: service.messages_read},
    messages=(MessageType("vacation_notice", notification_kind="decisions"),),
    audit_actions=actions_in(service),
)
