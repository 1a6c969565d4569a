"""The calendar subscription for a person's own duties."""

from stempelwerk_cloud.kit.events import ACCOUNTS_LOCKED, PEOPLE_CHANGED
from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.calendar import service
from stempelwerk_cloud.planning.calendar.api import router

ROOM = Room(
    "calendar",
    router,
    subscriptions={ACCOUNTS_LOCKED: service.accounts_locked, PEOPLE_CHANGED: service.people_changed},
    audit_actions=actions_in(service),
)
