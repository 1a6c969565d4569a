"""The operator log: deeds of system administrators and server commands, for system administrators."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Keep, Room
from stempelwerk_cloud.people.audit.service import OperatorEntry, actions_in, operator_actions, operators
from stempelwerk_cloud.people.operator_log.router import router

ROOM = Room(
    "operator_log",
    router,
    audit_actions=actions_in(operator_actions),
    keeps=(Keep(OperatorEntry.at, operators.RETENTION, period="operatorLog", every=timedelta(hours=12)),),
)
