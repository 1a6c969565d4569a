"""The room of vacation and wishes: the policy, requests, and their cost."""

from datetime import timedelta

from stempelwerk_cloud.kit.events import EXIT_SET, PEOPLE_CHANGED
from stempelwerk_cloud.kit.room import MessageType, Period, RetentionRule, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.facts.tables import VacationRequest
from stempelwerk_cloud.planning.vacation import actions
from stempelwerk_cloud.planning.vacation.api import router
from stempelwerk_cloud.planning.vacation.requests import reactions

ROOM = Room(
    "vacation",
    router,
    # Approved vacation stays, because later years' balances depend on it.
    retention_rules=(
        RetentionRule(
            VacationRequest.end_date,
            reactions.RETENTION,
            unless=reactions.IN_A_BALANCE,
            period=Period("vacationRequests", "Abgelehnte und stornierte Urlaubsanträge, Wünsche"),
            interval=timedelta(hours=12),
            is_audited=True,
        ),
    ),
    messages=(MessageType("vacation_response", notification_kind="decisions"),),
    subscriptions={PEOPLE_CHANGED: reactions.people_changed, EXIT_SET: reactions.exit_set},
    audit_actions=actions_in(actions),
)
