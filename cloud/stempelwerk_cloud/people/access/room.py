"""Sessions, their events, remembered devices and counted failures: what is over is removed."""

from datetime import timedelta

from stempelwerk_cloud.kit.room import Keep, Room
from stempelwerk_cloud.people.access import actions, looks, remembered, sessions
from stempelwerk_cloud.people.access.guessing import throttle
from stempelwerk_cloud.people.access.router import router
from stempelwerk_cloud.people.access.tables import AccessLook, LoginCounter, RememberedDevice, Ticket, WebSession
from stempelwerk_cloud.people.audit.service import actions_in

OFTEN = timedelta(minutes=10)

ROOM = Room(
    "access",
    router,
    keeps=(
        Keep(WebSession.expires_at, period="session", granted=sessions.SESSION_LIFE, every=OFTEN, capped=True),
        Keep(Ticket.expires_at, granted=sessions.TICKET_LIFE, every=OFTEN, capped=True),
        Keep(RememberedDevice.expires_at, period="remembered", granted=remembered.LIFE, every=OFTEN, capped=True),
        Keep(LoginCounter.expires_at, period="familiarAddress", granted=throttle.FAMILIAR, every=OFTEN, capped=True),
        Keep(AccessLook.at, looks.RETENTION, period="accessLooks", every=timedelta(hours=12)),
    ),
    audit_actions=actions_in(actions),
)
