"""Employment: a person's entry, exit, department, workdays, limits and pay, with the days they hold from."""

from stempelwerk_cloud.kit.events import SETTINGS_CHANGED
from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.employment import service
from stempelwerk_cloud.people.employment.api import router

ROOM = Room(
    "employment",
    router,
    subscriptions={SETTINGS_CHANGED: service.settings_changed},
    audit_actions=actions_in(service),
)
