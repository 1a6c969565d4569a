"""The room of corrections: requests, their decisions, and the deletion of entries."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import MessageType, Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.timekeeping.corrections import service
from stempelwerk_cloud.timekeeping.corrections.api import router
from stempelwerk_cloud.timekeeping.corrections.queries import KEPT, PENDING
from stempelwerk_cloud.timekeeping.corrections.tables import ClockAnswer, CorrectionRequest

_PERIOD = Period("corrections", "Entschiedene Korrekturanträge")

ROOM = Room(
    "corrections",
    router,
    # Approved corrections stay as facts.
    retention_rules=(
        RetentionRule(
            CorrectionRequest.created_at,
            KEPT,
            unless=CorrectionRequest.status == PENDING,
            period=_PERIOD,
            interval=timedelta(hours=12),
            is_audited=True,
        ),
        RetentionRule(ClockAnswer.received_at, KEPT, period=_PERIOD),
    ),
    messages=(MessageType("correction_response", notification_kind="decisions"),),
    audit_actions=actions_in(service),
)
