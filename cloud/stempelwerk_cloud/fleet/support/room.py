"""The room of support messages."""

from stempelwerk_cloud.fleet.support import service
from stempelwerk_cloud.fleet.support.api import router
from stempelwerk_cloud.fleet.support.tables import SupportMessage
from stempelwerk_cloud.kit.events import COMPANY_CLOSED
from stempelwerk_cloud.kit.room import MessageType, Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "support",
    router,
    retention_rules=(
        RetentionRule(
            SupportMessage.created_at, service.RETENTION, period=Period("support", "Anfragen an den Support")
        ),
    ),
    subscriptions={COMPANY_CLOSED: service.company_closed},
    audit_actions=actions_in(service),
    hears=service.hears,
    tasks={service.MAIL: service.mail},
    messages=(MessageType("support", notification_kind="decisions"),),
)
