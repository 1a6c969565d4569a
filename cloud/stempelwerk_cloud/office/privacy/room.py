"""The privacy notice, which companies agree to, and their papers."""

from stempelwerk_cloud.kit.room import Room
from stempelwerk_cloud.office.privacy import service
from stempelwerk_cloud.office.privacy.api import papers_router, router
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room("privacy", router, settings_router=papers_router, audit_actions=actions_in(service))
