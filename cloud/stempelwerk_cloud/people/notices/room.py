"""Notices outside the inbox: web push and mail."""

from stempelwerk_cloud.kit.events import ACCESS_ENDED, MESSAGE_SENT, PEOPLE_CHANGED, SESSIONS_ENDED
from stempelwerk_cloud.kit.room import MessageType, Room
from stempelwerk_cloud.people.notices import sending, service
from stempelwerk_cloud.people.notices.api import router
from stempelwerk_cloud.people.notices.push import vapid

ROOM = Room(
    "notices",
    router,
    subscriptions={
        MESSAGE_SENT: sending.on_message,
        SESSIONS_ENDED: service.on_sessions_ended,
        ACCESS_ENDED: service.on_access_ended,
        PEOPLE_CHANGED: service.on_people_changed,
    },
    tasks={sending.PUSH: sending.push, sending.MAIL: sending.mail, sending.MOVED: sending.end_older_subscriptions},
    files=(vapid.KEY_FILE,),
    keys={vapid.KEY_FILE: vapid.identify},
    messages=(MessageType("notices", notification_kind="decisions"),),  # their browser can no longer be reached
)
