"""What visitors send by the public forms."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Job, Room
from stempelwerk_cloud.people.audit.service import actions_in
from stempelwerk_cloud.people.inquiries import actions, service
from stempelwerk_cloud.people.inquiries.router import router

ROOM = Room(
    "inquiries",
    router,
    jobs=(Job("purge_inquiries", timedelta(hours=1), service.purge),),
    audit_actions=actions_in(actions),
    tasks={service.MAIL: service.mail},
)
