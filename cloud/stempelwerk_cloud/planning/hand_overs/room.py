"""The room of hand-overs: employees hand duties to colleagues.

It comes after the roster, so that requests about duties that end with their person become void before that person's
other requests.
"""

from datetime import timedelta

from stempelwerk_cloud.kit import ports
from stempelwerk_cloud.kit.events import DUTIES_ENDED, EXIT_SET, PEOPLE_CHANGED
from stempelwerk_cloud.kit.room import MessageType, Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.hand_overs import service
from stempelwerk_cloud.planning.hand_overs.api import router
from stempelwerk_cloud.planning.hand_overs.tables import HandOver

ROOM = Room(
    "hand_overs",
    router,
    subscriptions={
        DUTIES_ENDED: service.duties_ended,
        PEOPLE_CHANGED: service.people_changed,
        EXIT_SET: service.exit_set,
    },
    retention_rules=(
        RetentionRule(
            HandOver.date,
            service.RETENTION,
            unless=HandOver.status == "pending",
            period=Period("handovers", "Übergabeanfragen"),
            interval=timedelta(hours=12),
            is_audited=True,
        ),
    ),
    ports=(ports.INBOX_COUNTS.provided_by(service.inbox_counts),),
    audit_actions=actions_in(service),
    messages=(
        MessageType("handoff", notification_kind="handoff", administrators_as="requests"),
        MessageType("handoff_response", notification_kind="handoff"),
    ),
)
