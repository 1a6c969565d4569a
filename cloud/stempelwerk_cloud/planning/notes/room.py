"""Notes that administrators write for a day."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Job, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.planning.notes import actions, service
from stempelwerk_cloud.planning.notes.router import router
from stempelwerk_cloud.planning.notes.settings import KEPT_DAYS

ROOM = Room(
    "notes",
    router,
    jobs=(Job("purge_notes", timedelta(hours=1), service.purge),),
    settings=(KEPT_DAYS,),
    audit_actions=actions_in(actions),
)
