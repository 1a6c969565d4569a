"""Sessions, their events, remembered devices and counted failures: what is over is removed."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Job, Room
from stempelwerk_cloud.people.access import actions, remembered, sessions
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.access.router import router
from stempelwerk_cloud.people.audit.service import actions_in

ROOM = Room(
    "access",
    router,
    jobs=(
        Job("purge_sessions", timedelta(minutes=10), sessions.purge),
        Job("purge_remembered_devices", timedelta(hours=1), remembered.purge),
        Job("purge_login_counters", timedelta(minutes=10), throttle.purge),
    ),
    audit_actions=actions_in(actions),
)
