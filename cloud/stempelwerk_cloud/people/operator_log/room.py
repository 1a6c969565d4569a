"""The operator log: deeds of system administrators and server commands, for system administrators."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Period, RetentionRule, Room
from stempelwerk_cloud.people.audit import actions as operator_actions
from stempelwerk_cloud.people.audit import operators
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.audit.tables import OperatorEntry
from stempelwerk_cloud.people.operator_log.api import router

ROOM = Room(
    "operator_log",
    router,
    audit_actions=actions_in(operator_actions),
    retention_rules=(
        RetentionRule(
            OperatorEntry.at,
            operators.RETENTION,
            period=Period("operatorLog", "Was der Betreiber getan hat"),
            interval=timedelta(hours=12),
        ),
    ),
)
