"""The room of advances: employees ask for a part of their wages before payday, administrators decide."""

from stempelwerk_cloud.kit.room import MessageType, Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.advances import service
from stempelwerk_cloud.planning.advances.api import router
from stempelwerk_cloud.planning.advances.tables import Advance

ROOM = Room(
    "advances",
    router,
    retention_rules=(
        RetentionRule(
            Advance.decided_at, service.RETENTION, period=Period("advances", "Vorschüsse auf den Lohn"), is_audited=True
        ),
    ),
    audit_actions=actions_in(service),
    hears=service.hears,
    messages=(MessageType(service.MESSAGE, notification_kind="decisions"),),
)
