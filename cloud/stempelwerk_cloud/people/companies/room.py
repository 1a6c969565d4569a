"""Companies, their modules and settings."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.companies import service
from stempelwerk_cloud.people.companies.api import router
from stempelwerk_cloud.people.companies.settings_router import settings_router

ROOM = Room("companies", router, settings_router=settings_router, audit_actions=actions_in(service))
