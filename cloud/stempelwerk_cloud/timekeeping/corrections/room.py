"""Requests for corrections, and what becomes of them; deleting an entry."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Job, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.timekeeping.corrections import actions, repository
from stempelwerk_cloud.timekeeping.corrections.router import router

ROOM = Room(
    "corrections",
    router,
    jobs=(Job("purge_corrections", timedelta(hours=1), repository.purge),),
    audit_actions=actions_in(actions),
)
