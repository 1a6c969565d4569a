"""Vacation and wishes for free days: policy, requests, what they cost."""

from datetime import timedelta

from stempelwerk_cloud.kit.events import EXIT_SET, PEOPLE_CHANGED
from stempelwerk_cloud.kit.room import Job, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.vacation import actions, reactions
from stempelwerk_cloud.planning.vacation.router import router

ROOM = Room(
    "vacation",
    router,
    jobs=(Job("purge_vacation_requests", timedelta(hours=1), reactions.purge),),
    subscriptions={PEOPLE_CHANGED: reactions.people_changed, EXIT_SET: reactions.exit_set},
    audit_actions=actions_in(actions),
)
